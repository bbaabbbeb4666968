"""A pool of processes that end with the one that started them, however that ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

from crawler.process_start import without_signals_of_terminal


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start a pool of processes. At an error or an interruption they end without their work.

    Args:
        jobs: number of processes, at least 1.
    """
    pool = _Pool(jobs, mp_context=get_context("spawn"), initializer=_begin_process)
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


class _Pool(ProcessPoolExecutor):
    """A pool whose processes, which start with the work that they get, leave Ctrl-C to this one."""

    def submit(self, *work: Any, **named: Any) -> Future[Any]:
        """Give a process work, and start one where none is idle."""
        with without_signals_of_terminal():
            return super().submit(*work, **named)


def _begin_process() -> None:
    """Leave Ctrl-C to the process that started this one, and end when that one was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)  # what it is working on is made again

"""Start processes that Ctrl-C and a closed terminal leave alone, from their first instruction on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

_OF_TERMINAL = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def without_signals_of_terminal() -> Iterator[None]:
    """Block the signals that a terminal sends to all processes, in this thread and the processes that it starts.

    A process that only ignores them later is ended, with a traceback, by one that comes while it imports modules.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # else the first start of a process makes it, and unblocks the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_TERMINAL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

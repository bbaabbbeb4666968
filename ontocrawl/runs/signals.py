"""Ctrl-C, SIGTERM and a terminal that is closed (SIGHUP): three signals for one thing, to end.

During a crawl the first one lets it end in order, the second one ends it at once; elsewhere the first one ends the
command at once.
"""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # nothing is imported before the program handles signals
    from crawler.crawl import Crawl

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def end_as_ctrl_c() -> None:
    """Let all these signals raise KeyboardInterrupt in this process. For the main thread only."""
    for number in _caught():
        signal.signal(number, _interrupt)


def end_at_once() -> None:
    """Let all these signals end this process as they do without a handler, also while a thread waits for input."""
    for number in _caught():
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def stopping(crawl: Crawl, on_note: Callable[[str], None]) -> Iterator[None]:
    """Stop a crawl in order at the first signal, and raise KeyboardInterrupt at the second. For the main thread only.

    Other processes can find in the folder of the run that they may send the signal (`run_stopping`).

    Args:
        crawl: the crawl that runs in the block.
        on_note: called with a message for the user at the first signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    from ontocrawl.runs import run_stopping
    from ontology.errors import Message

    folder = crawl.journal.path.parent

    def handle(number: int, frame: FrameType | None) -> None:
        _leave_closed_terminal()
        run_stopping.forget(folder)
        for again in before:
            signal.signal(again, _interrupt)
        crawl.stop()
        on_note(Message("runs.stopping", active=crawl.pool.active))

    before = {number: signal.signal(number, handle) for number in _caught()}
    ending = signal.SIGTERM if signal.SIGTERM in before else next(iter(before), None)
    # on Windows a signal of another process ends a process at once
    offered = nullcontext() if ending is None or os.name != "posix" else run_stopping.offered(folder, ending)
    try:
        with offered:
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _caught() -> list[int]:
    """Return the signals without those that are ignored: nohup, and shells in the background, let a process go on."""
    return [number for number in _SIGNALS if signal.getsignal(number) not in (signal.SIG_IGN, None)]


def _interrupt(number: int, frame: FrameType | None) -> None:
    _leave_closed_terminal()
    raise KeyboardInterrupt


def _leave_closed_terminal() -> None:
    """Drop what is printed from now on, if that was a terminal which is closed: each write to it is an error."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(descriptor).st_mode) and not os.isatty(descriptor):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, descriptor)
                os.close(nowhere)

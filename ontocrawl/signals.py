"""Ctrl-C and SIGTERM during a crawl: the first one lets it end in order, the second one ends it at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from crawler.crawl import Crawl

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping(crawl: Crawl, on_note: Callable[[str], None]) -> Iterator[None]:
    """Stop a crawl in order at the first signal, and raise KeyboardInterrupt at the second. For the main thread only.

    Args:
        crawl: the crawl that runs in the block.
        on_note: called with a message for the user at the first signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        for again in before:
            signal.signal(again, _interrupt)
        crawl.stop()
        on_note(
            f"stopping: no more pages are chosen, and the {crawl.pool.active} that are being fetched are waited for; "
            "once more to stop at once"
        )

    # nohup and shells that start a job in the background let a process ignore signals: then it goes on.
    caught = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handle) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

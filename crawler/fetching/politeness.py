"""Waiting between two requests to one host."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Politeness:
    """One request per host at a time, and a pause after each. Safe to use from several threads."""

    def __init__(
        self,
        delay: float = 1.0,
        *,
        longest: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Nothing is waited for yet.

        Args:
            delay: seconds between the end of one request to a host and the start of the next; 0 lifts all delays,
                those that hosts ask for too (it never lifts the other rules of robots.txt).
            longest: cap in seconds of what a host may ask for by Crawl-delay.
            clock, sleep: where the time comes from.

        Raises:
            ValueError: a negative delay or cap.
        """
        if delay < 0 or longest < 0:
            raise ValueError(f"delays must not be negative: {delay}, {longest}")
        self._delay = delay
        self._longest = longest
        self._clock = clock
        self._sleep = sleep
        self._free_at: dict[str, float] = {}
        self._busy: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, host: str, crawl_delay: float | None = None) -> Iterator[None]:
        """Wait for the host's turn; the request is made inside. The longer of the two delays counts."""
        if self._delay == 0:
            yield
            return
        with self._lock:
            busy = self._busy.setdefault(host, threading.Lock())
        pause = max(self._delay, min(crawl_delay or 0.0, self._longest))
        with busy:
            wait = self._free_at.get(host, self._clock()) - self._clock()
            if wait > 0:
                self._sleep(wait)
            try:
                yield
            finally:
                self._free_at[host] = self._clock() + pause

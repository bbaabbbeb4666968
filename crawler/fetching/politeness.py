"""Delays between two requests to one host."""

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
        """Set the delays.

        Args:
            delay: seconds between the end of one request to a host and the start of the next; 0 turns all delays off,
                that of robots.txt too (but none of its other rules).
            longest: maximum in seconds of a Crawl-delay that is respected.
            clock: function that returns seconds.
            sleep: function that waits for a number of seconds.

        Raises:
            ValueError: a negative delay or maximum.
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
        """Wait until a host may be requested; make the request inside the ``with`` block.

        Args:
            host: name of the host.
            crawl_delay: seconds that the host requests; the longer of the two delays counts.
        """
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

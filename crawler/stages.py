"""Seconds that a crawl spends in each of its stages, measured only in a crawl that is asked for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from crawler.crawl import Crawl

OTHER = "other"
STAGES = ("wait", "choose", "score", "journal", "snapshot", OTHER)
"""wait: for pages, and fetching and reading them in a world in memory; choose: the strategy's choice; score: a page
and its links; journal and snapshot: writing them; other: what is left of the time of the crawl."""


class StageClock:
    """The seconds of each stage. A stage within another one counts for itself alone, so that they add up.

    The crawl's thread measures; other threads may read.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds = dict.fromkeys(STAGES, 0.0)
        self._open = [OTHER]
        self._since = clock()

    @property
    def seconds(self) -> dict[str, float]:
        """Stage -> seconds, up to the last change of stages."""
        return dict(self._seconds)

    @contextmanager
    def measuring(self, crawl: Crawl) -> Iterator[None]:
        """Measure a crawl in the block. Its methods are wrapped for that, so that other crawls measure nothing."""
        places: list[tuple[Any, str, str]] = [
            (crawl.pool, "wait", "wait"),
            (crawl.scheduler, "choose", "choose"),
            (crawl.state, "absorb", "score"),
            (crawl.journal, "snapshot", "snapshot"),
            *((crawl.journal, name, "journal") for name in ("choice", "outcome", "look", "event", "commit")),
        ]
        self._since = self._clock()
        for owner, name, stage in places:
            setattr(owner, name, self.timed(stage, getattr(owner, name)))
        try:
            yield
        finally:
            self._pass()
            for owner, name, _ in places:
                delattr(owner, name)  # the method of its class is visible again

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time counts for a stage."""

        def call(*arguments: Any, **named: Any) -> Any:
            self._pass()
            self._open.append(stage)
            try:
                return function(*arguments, **named)
            finally:
                self._pass()
                self._open.pop()

        return call

    def _pass(self) -> None:
        """Count the time since the last change for the present stage."""
        now = self._clock()
        self._seconds[self._open[-1]] += now - self._since
        self._since = now

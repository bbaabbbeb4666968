"""A crawl that is never resumed: nothing is written of it but what it reads itself.

A cell of a lab is crawled whole or made again. A journal of its pages would take a quarter of its time, and be deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from crawler.crawl import Crawl
from crawler.journal import Journal


class BriefCrawl(Crawl):
    """A crawl that takes no snapshot of its state."""

    def _save(self, rescored: bool = False) -> None:
        """Take no snapshot."""


class BriefJournal(Journal):
    """A journal that keeps the values of a run and the priorities of its picks, but no event and no page."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._priority: dict[int, float] = {}
        """Link -> its priority at its last pick: a crawl queues failed links again by it."""

    def choice(self, seq: int, data: Mapping[str, Any], picks: Sequence[tuple[int, int, int, float, Any]]) -> None:
        """Keep the priorities of the picks."""
        self._priority.update((link, priority) for _, link, _, priority, _ in picks)

    def priorities(self, links: Sequence[int]) -> list[float]:
        """Return the priority of each link at its last pick."""
        return [self._priority[link] for link in links]

    def look(self, *_: object, **__: object) -> None:
        """Keep no page that was read ahead."""

    def outcome(self, *_: object, **__: object) -> None:
        """Keep no page."""

    def event(self, *_: object, **__: object) -> None:
        """Keep no event."""

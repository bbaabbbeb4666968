"""When queued links are scored again, and which: all after a number of pages, less often where the queue is long.

A strategy may declare a schedule of its own (Refresh), by which a part of a long queue is scored at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crawler.model import Floats, Ids


@dataclass(frozen=True)
class Refresh:
    """Schedule of a strategy: every min(``most``, max(1, ``share`` k)) pages after k pages.

    >>> [k for k in range(1, 61) if Refresh().is_due(k, last=k - 3)][0]
    1
    >>> Refresh().is_due(50, last=46), Refresh().is_due(50, last=45), Refresh().is_due(900, last=880)
    (False, True, True)
    """

    most: int = 20
    """Largest number of pages between two refreshes."""
    share: float = 0.1
    """Share of the fetched pages after which the next one is due, so that a young crawl refreshes often."""
    at_once: int = 100_000
    """Largest number of links that are scored at a refresh."""

    def is_due(self, fetched: int, last: int) -> bool:
        """Return whether a refresh is due.

        Args:
            fetched: pages fetched.
            last: pages that had been fetched at the last refresh.
        """
        return fetched - last >= min(self.most, max(1.0, self.share * fetched))


def part_of(queued: Ids, priority: Floats, at_once: int, after: int) -> tuple[Ids, int]:
    """Return the links of a long queue that are scored next: the head by the last score, and others by turns.

    Args:
        queued: ids of the queued links, ascending, shape (m,).
        priority: their priorities, shape (m,).
        at_once: number of links to return; half of them are the head.
        after: last link whose turn it was; -1 at first.

    Returns:
        Their ids, ascending, and the last link whose turn it is now.

    >>> part_of(np.arange(6), np.array([0.5, 0.1, 0.9, 0.2, 0.3, 0.8]), 4, -1)
    (array([0, 1, 2, 5]), 1)
    >>> part_of(np.arange(6), np.array([0.5, 0.1, 0.9, 0.2, 0.3, 0.8]), 4, 1)
    (array([2, 3, 4, 5]), 4)
    """
    if len(queued) <= at_once:
        return queued, after
    head = np.argpartition(-priority, at_once // 2 - 1)[: at_once // 2]
    rest = np.ones(len(queued), dtype=np.bool_)
    rest[head] = False
    others = queued[rest]
    first = int(np.searchsorted(others, after, side="right"))
    turn = others[(first + np.arange(min(at_once - len(head), len(others)))) % len(others)]
    return np.sort(np.concatenate((queued[head], turn))), int(turn[-1])


def is_due(fetched: int, every: int, queued: int = 0, up_to: int = 0) -> bool:
    """Return whether all queued links are to be scored again; a function of the crawl alone, so that it is repeatable.

    The cost grows with the queue. With ``up_to``, a queue of more links is scored after 2 ``every`` pages, one of more
    than twice as many after 4 ``every``, and so on, so that the cost for each page stays the same.

    Args:
        fetched: pages fetched.
        every: pages between two re-scorings of a short queue; 0 for never.
        queued: number of queued links.
        up_to: largest number of links in a short queue; 0 where the length of the queue does not count.

    >>> [pages for pages in range(1, 401) if is_due(pages, 25, queued=300_000, up_to=50_000)]
    [200, 400]
    """
    if not every or fetched % every:
        return False
    times = 1
    while up_to and times * up_to < queued:
        times *= 2
    return fetched // every % times == 0

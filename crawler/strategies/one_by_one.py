"""Base class of single-solution methods, which choose links one after the other from the same queue."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Picks
from crawler.strategies.numbered_picks import NumberedPicks

Chosen = tuple[int, Mapping[str, Any]]
"""A link and the move that explains the choice."""


class OneByOne(NumberedPicks):
    """A strategy that makes the picks of one call one after the other on the same queue."""

    @abstractmethod
    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Choose the next link.

        Args:
            view: the crawl as the strategy sees it.
            rng: the only source of random numbers.
            header: the head of the queue, that is the best link that is not taken.
            taken: links already chosen in this call, shape (k,), which may not be chosen again.
        """

    def value(self, view: FrontierView, links: Ids) -> Floats:
        """Return the values by which links are compared, shape (k,); -inf for a link that must not be chosen."""
        return view.priority(links)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Call ``next_link`` ``n`` times, or until the queue is empty."""
        heads, first = view.top(n), self._picked
        taken, moves = np.empty(0, dtype=np.int64), list[Mapping[str, Any]]()
        for _ in range(len(heads)):
            header = int(heads[~np.isin(heads, taken)][0])
            link, move = self.next_link(view, rng, header, taken)
            taken = np.append(taken, np.int64(link))
            moves.append({**move, "header": link == header, "queued": len(view)})
            self._picked += 1
        return Picks(taken, tuple(range(first, self._picked)), tuple(moves))


def untaken(values: Floats, links: Ids, taken: Ids) -> Floats:
    """Return the values of links, minus infinity for those already taken.

    Args:
        values: shape (k,).
        links: ids, shape (k,).
        taken: ids, of any number.

    >>> untaken(np.array([0.5, 0.7]), np.array([3, 8]), np.array([8])).tolist()
    [0.5, -inf]
    """
    return np.where(np.isin(links, taken), -np.inf, values)

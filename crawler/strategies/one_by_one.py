"""The seam of single-solution methods: they choose one link, and then the next on what is left of the queue.

It holds no rule of choice.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Picks
from crawler.strategies.numbered_picks import NumberedPicks

Chosen = tuple[int, Mapping[str, Any]]
"""A link, and the move that explains it."""


class OneByOne(NumberedPicks):
    """A strategy whose picks of one call are made one after the other on the same queue."""

    @abstractmethod
    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """The next link.

        Args:
            header: the head of the queue, that is the best link that is not taken.
            taken: links that the same call has chosen already, shape (k,); none of them may be chosen again.
        """

    def value(self, view: FrontierView, links: Ids) -> Floats:
        """What links are compared by, shape (k,); -inf for one that must not be taken."""
        return view.priority(links)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """``next_link``, ``n`` times or until the queue is empty."""
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
    """The values of links, but minus infinity for those that are taken; shapes (k,)."""
    return np.where(np.isin(links, taken), -np.inf, values)

"""The seam of population methods: they choose links by generations, which wait until they are fetched one by one.

It keeps the links of a generation that wait, and holds no rule of choice. A generation is
formed when none waits, from the outcomes that have come in by then; so late outcomes count for a later one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Picks
from crawler.strategies.base import State
from crawler.strategies.numbered_picks import NumberedPicks
from crawler.strategies.one_by_one import Chosen


class Generations(NumberedPicks):
    """A strategy whose picks are the members of one generation after the other."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._generation = 0
        """Generations that were formed."""
        self._waiting = deque[Chosen]()
        """Links of the present generation that are not picked yet."""

    @abstractmethod
    def form(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> list[Chosen]:
        """The next generation, best first; an empty one stands for the end of the method.

        Args:
            taken: links that the same call has chosen already, shape (k,); none of them may be a member. At least one
                queued link is not taken.
        """

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """The next ``n`` members, or as many as are queued; a link that left the queue in the meantime is passed."""
        room, links, moves = min(n, len(view)), list[int](), list[Mapping[str, Any]]()
        while len(links) < room:
            if not self._waiting:
                self._waiting = deque(self.form(view, rng, np.array(links, dtype=np.int64)))
                if not self._waiting:
                    break
                self._generation += 1
            link, move = self._waiting.popleft()
            if link not in links and view.priority(np.array([link]))[0] > -np.inf:
                links.append(link)
                moves.append({**move, "generation": self._generation, "queued": len(view)})
        return self.numbered(links, moves)

    def state(self) -> State:
        waiting = [[link, dict(move)] for link, move in self._waiting]
        return {**super().state(), "generation": self._generation, "waiting": waiting}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._generation = int(state["generation"])
        self._waiting = deque((int(link), move) for link, move in state["waiting"])


def top_part(view: FrontierView, size: int, taken: Ids) -> Ids:
    """The ``size`` queued links of the highest priority that are not taken, best first; fewer where fewer wait."""
    top = view.top(size + len(taken))
    return top[~np.isin(top, taken)][:size]


def seeds_of(view: FrontierView, taken: Ids) -> Ids:
    """The queued links that no fetched page contains and that are not taken, in the order of discovery."""
    links = view.links
    is_seed: Bools = view.graph.in_degree(links) == 0
    return links[is_seed & ~np.isin(links, taken)]


def queued_of(view: FrontierView, links: Ids, taken: Ids) -> Ids:
    """The different queued links among ``links`` that are not taken, by number."""
    different = np.unique(links)
    return different[(view.priority(different) > -np.inf) & ~np.isin(different, taken)]


def objectives(view: FrontierView, links: Ids, names: tuple[str, ...]) -> Floats:
    """The feature columns of links side by side, shape (m, len(names)); 1 for a seed, of which nothing is known."""
    F = np.column_stack([view.feature(name, links) for name in names])
    return np.where(view.graph.in_degree(links)[:, np.newaxis] == 0, 1.0, F)

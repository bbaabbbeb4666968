"""Base class of population methods, which choose links by generations.

The links of a generation wait until they are fetched. The next one is formed when none is left, from the outcomes known
by then; so late outcomes count for a later generation.
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
    """A strategy that picks the members of one generation after the other."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._generation = 0
        """Number of generations formed."""
        self._waiting = deque[Chosen]()
        """Links of the current generation that are not picked yet."""

    @property
    def generation(self) -> int:
        """Number of generations formed so far; seeds that a method visits first are one."""
        return self._generation

    @abstractmethod
    def form(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> list[Chosen]:
        """Form the next generation.

        Args:
            view: the crawl as the strategy sees it.
            rng: the only source of random numbers.
            taken: links already chosen in this call, shape (k,), which may not be members. At least one queued link is
                not taken.

        Returns:
            The members, best first; an empty list ends the method.
        """

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Return the next ``n`` members; fewer if fewer are queued or the last generation allowed is at its end.

        Links that left the queue are skipped.
        """
        room, links, moves = min(n, len(view)), list[int](), list[Mapping[str, Any]]()
        while len(links) < room:
            if not self._waiting:
                if 0 < view.budget.generations <= self._generation:
                    break
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
        """Return everything that ``restore`` needs."""
        waiting = [[link, dict(move)] for link, move in self._waiting]
        return {**super().state(), "generation": self._generation, "waiting": waiting}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._generation = int(state["generation"])
        self._waiting = deque((int(link), move) for link, move in state["waiting"])


def top_part(view: FrontierView, size: int, taken: Ids) -> Ids:
    """Return the best queued links that are not taken.

    Args:
        view: the crawl as the strategy sees it.
        size: number of links, above 0.
        taken: ids to leave out, shape (k,).

    Returns:
        At most ``size`` ids, best first.
    """
    top = view.top(size + len(taken))
    return top[~np.isin(top, taken)][:size]


def seeds_of(view: FrontierView, taken: Ids) -> Ids:
    """Return the queued seeds, links that no fetched page contains, without ``taken``, in order of discovery."""
    links = view.links
    is_seed: Bools = view.graph.in_degree(links) == 0
    return links[is_seed & ~np.isin(links, taken)]


def queued_of(view: FrontierView, links: Ids, taken: Ids) -> Ids:
    """Return the distinct queued links among ``links`` without ``taken``, in ascending order."""
    distinct = np.unique(links)
    return distinct[(view.priority(distinct) > -np.inf) & ~np.isin(distinct, taken)]


def objectives(view: FrontierView, links: Ids, names: tuple[str, ...]) -> Floats:
    """Return feature columns as a matrix.

    Args:
        view: the crawl as the strategy sees it.
        links: ids, shape (m,).
        names: the columns.

    Returns:
        Shape (m, len(names)); 1 for a seed, which has no features.
    """
    F = np.column_stack([view.feature(name, links) for name in names])
    return np.where(view.graph.in_degree(links)[:, np.newaxis] == 0, 1.0, F)

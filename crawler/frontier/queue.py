"""Which links wait and how much each is wanted, with trees for drawing one, for the best ones, and by host.

Several queues may wait over the same known links: the frontier is one, and each member of a mixture has its own.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crawler.frontier.regions import Regions
from crawler.frontier.sampling import MaxTree, SumTree
from crawler.model import Bools, Floats, Ids


class Queue:
    """Links by id, each with a priority. Its owner writes it; strategies read it through a view."""

    def __init__(self) -> None:
        self._queued: Bools = np.zeros(64, dtype=np.bool_)
        self._weights = SumTree()
        self._present = SumTree()
        self._priorities = MaxTree()
        self._regions: Regions | None = None
        self._hosts: Callable[[Ids], Ids] = _nowhere
        self._in_regions = 0
        """Links that the regions know."""

    def __len__(self) -> int:
        """Number of queued links."""
        return round(self._present.root)

    def is_queued(self, links: Ids) -> Bools:
        if len(links) and links.max() >= len(self._queued):
            self._room_for(int(links.max()) + 1)
        return self._queued[links]

    def put(self, links: Ids, priority: Floats) -> None:
        """Queue links, or give queued ones a new priority. Raises ValueError for one that is not finite."""
        if len(links) == 0:
            return
        require_finite("priority", links, priority)
        self._room_for(int(links.max()) + 1)
        self._queued[links] = True
        self._priorities.set(links, priority)
        self._weights.set(links, np.maximum(priority, 0.0))
        self._present.set(links, np.ones(len(links)))
        if self._regions is not None:
            self._place(self._regions, links)
            self._regions.put(links, self._hosts(links), priority)

    def take(self, links: Ids) -> None:
        """Remove links. Raises ValueError for one that is not queued."""
        if not self.is_queued(links).all():
            raise ValueError(f"not in the frontier: {links[~self.is_queued(links)].tolist()}")
        self._queued[links] = False
        self._priorities.set(links, np.full(len(links), -np.inf))
        self._weights.set(links, np.zeros(len(links)))
        self._present.set(links, np.zeros(len(links)))
        if self._regions is not None:
            self._regions.take(links, self._hosts(links))

    def queued(self) -> Ids:
        """Ids of all queued links, in the order of discovery."""
        return np.flatnonzero(self._queued).astype(np.int64)

    def priority(self, links: Ids) -> Floats:
        """Priorities; -inf for a link that is not queued."""
        return self._priorities.get(links)

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """``k`` roulette draws with replacement, proportional to priority; uniform where all are 0 (trap T11)."""
        tree = self._weights if self._weights.root > 0.0 else self._present
        return tree.draw(rng, k)

    def draw_uniform(self, rng: np.random.Generator, k: int) -> Ids:
        """``k`` draws with replacement, each queued link with one chance."""
        return self._present.draw(rng, k)

    def draw_one(self, rng: np.random.Generator) -> int:
        """One roulette draw; the same distribution as ``draw``."""
        tree = self._weights if self._weights.root > 0.0 else self._present
        return tree.draw_one(rng)

    def best(self) -> int:
        """The queued link of the highest priority, the first come among equals."""
        return self._priorities.best()

    def top(self, k: int) -> Ids:
        """The ``k`` queued links of the highest priority, best first, first come among equals; all where fewer wait."""
        return self._priorities.top(k)

    def regions(self, hosts: Callable[[Ids], Ids]) -> Regions:
        """The queue by host; kept up to date from the first time that it is asked for.

        ``hosts`` gives the numbers of the hosts of links.
        """
        if self._regions is None:
            self._regions, self._hosts = Regions(), hosts
            queued = self.queued()
            self._place(self._regions, queued)
            self._regions.put(queued, hosts(queued), self.priority(queued))
        return self._regions

    def _place(self, regions: Regions, links: Ids) -> None:
        """Let the regions know all links up to these."""
        known = max(self._in_regions, int(links.max()) + 1) if len(links) else self._in_regions
        new = np.arange(self._in_regions, known, dtype=np.int64)
        regions.discover(new, self._hosts(new))
        self._in_regions = known

    def _room_for(self, links: int) -> None:
        if links > len(self._queued):
            longer = np.zeros(max(links, 2 * len(self._queued)), dtype=np.bool_)
            longer[: len(self._queued)] = self._queued
            self._queued = longer


def _nowhere(links: Ids) -> Ids:
    """Hosts before anybody asked for regions: there are none."""
    raise RuntimeError("regions are asked for with the hosts of links")


class NotFiniteError(ValueError):
    """A priority or feature that is no finite number; the message names the link."""


def require_finite(what: str, links: Ids, values: Floats) -> None:
    """Raises NotFiniteError, naming what and the first such link, where a value of links is no finite number."""
    if not np.isfinite(values).all():
        at = np.flatnonzero(~np.isfinite(values))[0]
        raise NotFiniteError(f"{what} of link {links[at]} is {values[at]}: it must be a finite number")

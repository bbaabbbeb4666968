"""A priority queue of links, with trees for random draws, for the best links, and for the links of a host.

Several queues may hold the same known links: the frontier is one, and each member of a mixture has another.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crawler.frontier.regions import Regions
from crawler.frontier.sampling import MaxTree, SumTree
from crawler.model import Bools, Floats, Ids
from ontology.errors import OntocrawlError


class Queue:
    """Links by id, each with a priority. Strategies read it through a FrontierView.

    >>> queue = Queue()
    >>> queue.put(np.array([0, 1, 2]), np.array([0.5, 0.9, 0.5]))
    >>> queue.best(), queue.top(3).tolist()
    (1, [1, 0, 2])
    >>> queue.take(np.array([1]))
    >>> queue.queued().tolist(), queue.priority(np.array([0, 1])).tolist()
    ([0, 2], [0.5, -inf])
    """

    def __init__(self) -> None:
        self._queued: Bools = np.zeros(64, dtype=np.bool_)
        self._weights = SumTree()
        self._present = SumTree()
        self._priorities = MaxTree()
        self._regions: Regions | None = None
        self._hosts: Callable[[Ids], Ids] = _nowhere
        self._in_regions = 0
        """Number of links that the regions hold."""

    def __len__(self) -> int:
        """Number of queued links."""
        return round(self._present.root)

    def is_queued(self, links: Ids) -> Bools:
        """Return whether each link is queued, shape (m,)."""
        if len(links) and links.max() >= len(self._queued):
            self._room_for(int(links.max()) + 1)
        return self._queued[links]

    def put(self, links: Ids, priority: Floats) -> None:
        """Queue links, or change the priority of queued ones. Raises ValueError for a priority that is not finite."""
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
        """Return the ids of all queued links, in the order of discovery."""
        return np.flatnonzero(self._queued).astype(np.int64)

    def priority(self, links: Ids) -> Floats:
        """Return the priorities; -inf for a link that is not queued."""
        return self._priorities.get(links)

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """Draw ``k`` links with replacement, proportionally to priority (roulette); uniformly where all are 0 (T11)."""
        tree = self._weights if self._weights.root > 0.0 else self._present
        return tree.draw(rng, k)

    def draw_uniform(self, rng: np.random.Generator, k: int) -> Ids:
        """Draw ``k`` queued links with replacement, uniformly."""
        return self._present.draw(rng, k)

    def draw_one(self, rng: np.random.Generator) -> int:
        """Draw one link, with the same distribution as ``draw``."""
        tree = self._weights if self._weights.root > 0.0 else self._present
        return tree.draw_one(rng)

    def best(self) -> int:
        """Return the queued link of the highest priority, the first discovered among equals."""
        return self._priorities.best()

    def top(self, k: int) -> Ids:
        """Return the at most ``k`` queued links of the highest priority, best first, equals in order of discovery."""
        return self._priorities.top(k)

    def regions(self, hosts: Callable[[Ids], Ids]) -> Regions:
        """Return the queue by host. It is built by the first call and kept up to date from then on.

        Args:
            hosts: function from ids of links to the numbers of their hosts, shape (m,) both; only that of the first
                call counts.
        """
        if self._regions is None:
            self._regions, self._hosts = Regions(), hosts
            queued = self.queued()
            self._place(self._regions, queued)
            self._regions.put(queued, hosts(queued), self.priority(queued))
        return self._regions

    def _place(self, regions: Regions, links: Ids) -> None:
        """Add all links up to these to the regions."""
        size = max(self._in_regions, int(links.max()) + 1) if len(links) else self._in_regions
        new = np.arange(self._in_regions, size, dtype=np.int64)
        regions.discover(new, self._hosts(new))
        self._in_regions = size

    def _room_for(self, links: int) -> None:
        if links > len(self._queued):
            longer = np.zeros(max(links, 2 * len(self._queued)), dtype=np.bool_)
            longer[: len(self._queued)] = self._queued
            self._queued = longer


def _nowhere(links: Ids) -> Ids:
    """Raise RuntimeError: the hosts of links are unknown before ``regions`` is called."""
    raise RuntimeError("call regions(hosts) before the queue is used by host")


class NotFiniteError(OntocrawlError, ValueError):
    """Error for a priority or feature that is not a finite number; the message names the link."""


def require_finite(what: str, links: Ids, values: Floats) -> None:
    """Check that all values of links are finite.

    Args:
        what: what the values are, for the message.
        links: ids, shape (m,).
        values: shape (m,).

    Raises:
        NotFiniteError: a value is infinite or NaN; the message names its link.
    """
    if not np.isfinite(values).all():
        first = np.flatnonzero(~np.isfinite(values))[0]
        raise NotFiniteError(f"{what} of link {links[first]} is {values[first]}: it must be a finite number")

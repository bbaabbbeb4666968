"""A priority queue of links, with trees for random draws, for the best links, and for the links of a host.

Several queues may hold the same known links: the frontier is one, and each member of a mixture has another.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crawler.frontier.growable import with_room
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
        self._length = 0
        self._priorities = MaxTree()
        self._weights: SumTree | None = None
        self._present: SumTree | None = None
        self._regions: Regions | None = None
        self._hosts: Callable[[Ids], Ids] = _nowhere
        self._in_regions = 0
        """Number of links that the regions hold."""

    def __len__(self) -> int:
        """Number of queued links."""
        return self._length

    def is_queued(self, links: Ids) -> Bools:
        """Return whether each link is queued, shape (m,)."""
        if len(links):
            self._room_for(int(links.max()) + 1)
        return self._queued[links]

    def put(self, links: Ids, priority: Floats) -> None:
        """Queue links, or change the priority of queued ones. Raises ValueError for a priority that is not finite."""
        if len(links) == 0:
            return
        require_finite("priority", links, priority)
        self._room_for(int(links.max()) + 1)
        self._length += len(links) - int(np.count_nonzero(self._queued[links]))
        self._queued[links] = True
        self._priorities.set(links, priority)
        if self._weights is not None:
            self._weights.set(links, np.maximum(priority, 0.0))
        if self._present is not None:
            self._present.set(links, np.ones(len(links)))
        if self._regions is not None:
            self._place(self._regions, links)
            self._regions.put(links, self._hosts(links), priority)

    def take(self, links: Ids) -> None:
        """Remove links. Raises ValueError for one that is not queued."""
        queued = self.is_queued(links)
        if not queued.all():
            raise ValueError(f"not in the frontier: {links[~queued].tolist()}")
        self._length -= len(links)
        self._queued[links] = False
        self._priorities.set(links, np.full(len(links), -np.inf))
        for tree in (self._weights, self._present):
            if tree is not None:
                tree.set(links, np.zeros(len(links)))
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
        return self._roulette().draw(rng, k)

    def draw_uniform(self, rng: np.random.Generator, k: int) -> Ids:
        """Draw ``k`` queued links with replacement, uniformly."""
        return self._uniform().draw(rng, k)

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

    def _roulette(self) -> SumTree:
        """Return the tree of the weights, or that of equal weights where all are 0.

        Either is built by the first draw from it and kept up to date from then on: many strategies draw from neither.
        """
        if self._weights is None:
            self._weights = SumTree()
            queued = self.queued()
            self._weights.set(queued, np.maximum(self.priority(queued), 0.0))
        return self._weights if self._weights.root > 0.0 else self._uniform()

    def _uniform(self) -> SumTree:
        if self._present is None:
            self._present = SumTree()
            queued = self.queued()
            self._present.set(queued, np.ones(len(queued)))
        return self._present

    def _place(self, regions: Regions, links: Ids) -> None:
        """Add all links up to these to the regions."""
        size = max(self._in_regions, int(links.max()) + 1) if len(links) else self._in_regions
        new = np.arange(self._in_regions, size, dtype=np.int64)
        regions.discover(new, self._hosts(new))
        self._in_regions = size

    def _room_for(self, links: int) -> None:
        self._queued = with_room(self._queued, links)


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

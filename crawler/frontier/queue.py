"""A priority queue of links, with trees for random draws, for the best links, and for the links of a host.

Several queues may hold the same known links: the frontier is one, and each member of a mixture has another.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from crawler.frontier.growable import with_room
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
        self._priorities = _MaxTree()
        self._weights: _SumTree | None = None
        self._present: _SumTree | None = None
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

    def _roulette(self) -> _SumTree:
        """Return the tree of the weights, or that of equal weights where all are 0.

        Either is built by the first draw from it and kept up to date from then on: many strategies draw from neither.
        """
        if self._weights is None:
            self._weights = _SumTree()
            queued = self.queued()
            self._weights.set(queued, np.maximum(self.priority(queued), 0.0))
        return self._weights if self._weights.root > 0.0 else self._uniform()

    def _uniform(self) -> _SumTree:
        if self._present is None:
            self._present = _SumTree()
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
        raise NotFiniteError("frontier.link_must_finite_number", what=what, links=links[first], values=values[first])


# ---- the queue by region: the links of each host, with their weights, for strategies that choose a host first
#
# A region is the links of one host (paper 002, section 2.3). Each host has a sampling tree over its links in the
# order of discovery, and a max tree holds the mean priority of each host: the winning region is found in O(log
# hosts), a draw within it takes O(log links). The state depends on the known links, the queued ones and their
# priorities only, not on the order of operations, so that a restored frontier has bitwise the same regions.


class Regions:
    """The queued links by the number of their host. The queue that owns it keeps it up to date."""

    def __init__(self) -> None:
        self._links = list[Ids]()
        """Host -> its known links in the order of discovery, with room to grow."""
        self._known = list[int]()
        """Host -> number of its known links."""
        self._rows: Ids = np.empty(0, dtype=np.int64)
        """Link -> its row among the links of its host."""
        self._weights = list[_SumTree]()
        self._present = list[_SumTree]()
        self._means = _MaxTree()

    def discover(self, links: Ids, hosts: Ids) -> None:
        """Add known links, numbered on from the last one. Shapes (m,)."""
        if len(links) == 0:
            return
        self._room_for(int(links[-1]) + 1, int(hosts.max()) + 1)
        for host, rows in _by_host(hosts):
            first = self._known[host]
            self._known[host] += len(rows)
            if self._known[host] > len(self._links[host]):
                self._links[host] = np.concatenate([self._links[host], np.zeros(self._known[host], dtype=np.int64)])
            self._links[host][first : self._known[host]] = links[rows]
            self._rows[links[rows]] = np.arange(first, self._known[host])

    def put(self, links: Ids, hosts: Ids, priority: Floats) -> None:
        """Queue links, or change the priority of queued ones; a negative one counts as 0. Shapes (m,)."""
        self._set(links, hosts, np.maximum(priority, 0.0), np.ones(len(links)))

    def take(self, links: Ids, hosts: Ids) -> None:
        """Remove queued links. Shapes (m,)."""
        self._set(links, hosts, np.zeros(len(links)), np.zeros(len(links)))

    def winner(self) -> int:
        """Return the host of the highest mean priority, the lowest number among equals. Raises ValueError for none."""
        return self._means.best()

    def draw(self, host: int, rng: np.random.Generator, k: int) -> Ids:
        """Draw ``k`` links of a host with replacement, proportionally to priority; uniformly where all are 0 (T11).

        Args:
            host: number of a host with queued links.
            rng: source of randomness.
            k: number of draws.

        Returns:
            Ids, shape (k,).
        """
        weights = self._weights[host]
        return self._links[host][(weights if weights.root > 0.0 else self._present[host]).draw(rng, k)]

    def _room_for(self, links: int, hosts: int) -> None:
        if links > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros(links, dtype=np.int64)])
        for _ in range(len(self._links), hosts):
            self._links.append(np.empty(0, dtype=np.int64))
            self._known.append(0)
            self._weights.append(_SumTree())
            self._present.append(_SumTree())

    def _set(self, links: Ids, hosts: Ids, weights: Floats, present: Floats) -> None:
        changed, means = list[int](), list[float]()
        for host, positions in _by_host(hosts):
            rows = self._rows[links[positions]]
            self._weights[host].set(rows, weights[positions])
            self._present[host].set(rows, present[positions])
            queued = self._present[host].root
            changed.append(host)
            means.append(self._weights[host].root / queued if queued else -np.inf)
        self._means.set(np.asarray(changed, dtype=np.int64), np.asarray(means))


def _by_host(hosts: Ids) -> Iterator[tuple[int, Ids]]:
    """Yield each host with the positions at which it occurs, in ascending order."""
    order = np.argsort(hosts, kind="stable")
    ends = np.flatnonzero(np.diff(hosts[order])) + 1
    for positions in np.split(order, ends) if len(hosts) else ():
        yield int(hosts[positions[0]]), positions


# ---- complete binary trees over the frontier: a roulette draw and the best link, both in O(log n)
#
# Inner node i has the children 2i and 2i+1; leaf j is node capacity + j. A parent is always recomputed from its two
# children, so that sums do not drift however often a leaf changes (a Fenwick tree would accumulate rounding errors).
#
# A few leaves are updated and a tree is walked in plain Python over a memoryview: at this size one call of numpy costs
# more than twenty steps up a tree.


_Combine = Callable[[Floats, Floats], Floats]
_FEW = 64
"""Number of leaves up to which they are updated one by one."""


class _Tree(ABC):
    """A binary tree of float64 whose inner nodes combine their children."""

    def __init__(self, empty: float, combine: _Combine) -> None:
        self._empty = empty
        self._combine = combine
        self._capacity = 1
        self._node = np.full(2, empty)

    def _grow(self, capacity: int) -> None:
        size = self._capacity
        while size < capacity:
            size *= 2
        leaves = np.full(size, self._empty)
        leaves[: self._capacity] = self._node[self._capacity :]
        self._capacity = size
        self._node = np.full(2 * size, self._empty)
        self._node[size:] = leaves
        self._combine_all()

    def _combine_all(self) -> None:
        """Compute all inner nodes, level by level."""
        node, level = self._node, self._capacity
        while level > 1:
            level //= 2
            children = node[2 * level : 4 * level]
            node[level : 2 * level] = self._combine(children[::2], children[1::2])

    def set(self, leaves: Ids, values: Floats) -> None:
        """Set the values of distinct leaves, shapes (m,), in O(min(m log n, n))."""
        if len(leaves) == 0:
            return
        top = int(leaves.max()) + 1
        if top > self._capacity:
            self._grow(top)
        if len(leaves) <= _FEW:
            view, capacity = self._node.data, self._capacity
            for leaf, value in zip(leaves.tolist(), values.tolist(), strict=True):
                self._set_one(view, capacity + leaf, value)
            return
        node = self._node
        changed = leaves + self._capacity
        node[changed] = values
        if len(leaves) * self._capacity.bit_length() > self._capacity:
            self._combine_all()
            return
        while changed[0] > 1:
            changed = changed >> 1  # a parent of two changed leaves is computed twice, which is cheaper than np.unique
            node[changed] = self._combine(node[2 * changed], node[2 * changed + 1])

    @staticmethod
    @abstractmethod
    def _set_one(node: memoryview[Any], at: int, value: float) -> None:
        """Set node ``at``, a leaf, and its ancestors, up to the first one that keeps its value."""

    def get(self, leaves: Ids) -> Floats:
        """Return the values of leaves, shape (m,); the neutral value for a leaf that is not set."""
        values = np.full(len(leaves), self._empty)
        inside = leaves < self._capacity
        values[inside] = self._node[leaves[inside] + self._capacity]
        return values

    @property
    def root(self) -> float:
        """The combined value of all leaves."""
        return float(self._node[1])


class _SumTree(_Tree):
    """Non-negative weights of leaves, with draws proportional to them.

    >>> tree = _SumTree()
    >>> tree.set(np.array([0, 1, 2]), np.array([1.0, 0.0, 3.0]))
    >>> tree.root, sorted(set(tree.draw(np.random.default_rng(0), 100).tolist()))
    (4.0, [0, 2])
    """

    def __init__(self) -> None:
        super().__init__(0.0, np.add)

    @staticmethod
    def _set_one(node: memoryview[Any], at: int, value: float) -> None:
        node[at] = value
        while at > 1:
            value += node[at ^ 1]
            at >>= 1
            if node[at] == value:
                return
            node[at] = value

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """Draw leaves independently and with replacement, each with probability proportional to its weight.

        Args:
            rng: source of randomness.
            k: number of draws.

        Returns:
            Leaves, shape (k,).

        Raises:
            ValueError: all weights are 0.
        """
        if self.root <= 0.0:
            raise ValueError("cannot draw from weights that are all 0")
        weights = self._node
        nodes = np.ones(k, dtype=np.int64)
        rest = rng.random(k) * self.root
        size = 1
        while size < self._capacity:
            nodes *= 2
            left = weights[nodes]
            right = (rest >= left) & (weights[nodes + 1] > 0.0)
            rest = np.where(right, rest - left, rest)
            nodes += right
            size *= 2
        return nodes - self._capacity


class _MaxTree(_Tree):
    """Values of leaves with their maximum; ties go to the smallest leaf.

    >>> tree = _MaxTree()
    >>> tree.set(np.array([0, 1, 2, 3]), np.array([0.2, 0.9, 0.5, 0.9]))
    >>> tree.best(), tree.top(3).tolist()
    (1, [1, 3, 2])
    """

    def __init__(self) -> None:
        super().__init__(-np.inf, np.maximum)

    @staticmethod
    def _set_one(node: memoryview[Any], at: int, value: float) -> None:
        node[at] = value
        while at > 1:
            other = node[at ^ 1]
            if other > value:  # noqa: PLR1730 - a call of max takes three times as long
                value = other
            at >>= 1
            if node[at] == value:
                return
            node[at] = value

    def best(self) -> int:
        """Return the smallest leaf that holds the maximum. Raises ValueError where the tree is empty."""
        if self.root == -np.inf:
            raise ValueError("no link is queued")
        maxima, node, capacity = self._node.data, 1, self._capacity
        top = maxima[1]
        while node < capacity:
            node *= 2
            if maxima[node] != top:
                node += 1
        return node - capacity

    def top(self, k: int) -> Ids:
        """Return the at most ``k`` highest leaves, highest first, equals by number, in O(k log n)."""
        maxima, capacity, highest = self._node.data, self._capacity, list[int]()
        # The first leaf is the second key, so that of disjoint subtrees with equal maxima the lower one comes first.
        heap = [(-maxima[1], 0, 1, capacity)]
        while heap and len(highest) < k and heap[0][0] < np.inf:
            _, first, node, size = heapq.heappop(heap)
            while size > 1:  # down to the best leaf; the other halves wait in the heap
                node, size = 2 * node, size // 2
                left, right = maxima[node], maxima[node + 1]
                if left >= right:
                    heapq.heappush(heap, (-right, first + size, node + 1, size))
                else:
                    heapq.heappush(heap, (-left, first, node, size))
                    node, first = node + 1, first + size
            highest.append(first)
        return np.asarray(highest, dtype=np.int64)

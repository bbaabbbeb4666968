"""The queue by region: the links of each host, with their weights, for strategies that choose a host first.

A region is the links of one host (paper 002, section 2.3). Each host has a sampling tree over its links in the order
of discovery, and a max tree holds the mean priority of each host: the winning region is found in O(log hosts), a draw
within it takes O(log links). The state depends on the known links, the queued ones and their priorities only, not on
the order of operations, so that a restored frontier has bitwise the same regions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crawler.frontier.sampling import MaxTree, SumTree
from crawler.model import Floats, Ids


class Regions:
    """The queued links by the number of their host. The queue that owns it keeps it up to date."""

    def __init__(self) -> None:
        self._links = list[Ids]()
        """Host -> its known links in the order of discovery, with room to grow."""
        self._known = list[int]()
        """Host -> number of its known links."""
        self._rows: Ids = np.empty(0, dtype=np.int64)
        """Link -> its row among the links of its host."""
        self._weights = list[SumTree]()
        self._present = list[SumTree]()
        self._means = MaxTree()

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
            self._weights.append(SumTree())
            self._present.append(SumTree())

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

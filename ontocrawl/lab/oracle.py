"""Oracles: orders of crawlers that know the labels of pages, bounds for what a strategy can find."""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontocrawl.lab.web import Web


@dataclass(frozen=True, eq=False)
class Oracle:
    """A crawl that knows all labels and links.

    Attributes:
        order: the pages in the order in which they are fetched; seeds first.
        found: number of relevant pages after each of them, shape (len(order),).
        tunnels: number of irrelevant pages that had to be fetched for each relevant page, in the order of finding; the
            seeds are given and have none.
    """

    order: tuple[int, ...]
    found: NDArray[np.int64]
    tunnels: tuple[int, ...]

    def found_at(self, fetched: int) -> int:
        """Return the number of relevant pages after so many fetches; at its end the crawl keeps what it has."""
        return int(self.found[min(fetched, len(self.found)) - 1]) if fetched > 0 and len(self.found) else 0

    def fetches_for(self, share: float) -> int | None:
        """Return the number of fetches until a share of all relevant pages is found; None if none can be found.

        Args:
            share: a part of the relevant pages that can be reached, in (0, 1].
        """
        if not len(self.found) or self.found[-1] == 0:
            return None
        wanted = int(np.ceil(share * self.found[-1]))
        return int(np.searchsorted(self.found, wanted)) + 1


def oracle(web: Web) -> Oracle:
    """Crawl by labels: always the relevant page next that costs the fewest irrelevant ones on the way.

    It is greedy: in rare webs another order of tunnels finds a page or two earlier. It fetches nothing that leads to no
    relevant page, and ends when it has all that can be reached.

    Args:
        web: a web with labels.

    Raises:
        ValueError: a web without labels.
    """
    if web.relevant is None:
        raise ValueError("an oracle needs labels")
    return _Search(web, web.relevant).run()


def by_label(web: Web) -> tuple[int, ...]:
    """Crawl by the labels of the targets of known links: relevant targets first, each kind in the order of discovery.

    It knows of no page behind a target, so it cannot choose between the irrelevant ones.

    Args:
        web: a web with labels.

    Returns:
        All pages in the order in which they are fetched; seeds first.

    Raises:
        ValueError: a web without labels.
    """
    if web.relevant is None:
        raise ValueError("an oracle needs labels")
    targets = [out.tolist() for out in web.out_links()]
    queues: tuple[deque[int], deque[int]] = deque(), deque()  # relevant, irrelevant
    known, order = set(web.seeds), list[int]()
    for seed in web.seeds:
        queues[0].append(seed)
    while queues[0] or queues[1]:
        page = (queues[0] or queues[1]).popleft()
        order.append(page)
        for target in targets[page]:
            if target not in known:
                known.add(target)
                queues[not web.relevant[target]].append(target)
    return tuple(order)


class _Search:
    """Dijkstra's search for the next relevant page by the irrelevant pages on the way. Fetched ones cost nothing."""

    def __init__(self, web: Web, relevant: NDArray[np.bool_]) -> None:
        self.web, self.relevant = web, relevant
        self.targets = [out.tolist() for out in web.out_links()]
        self.cost = np.full(len(web), len(web) + 1, dtype=np.int64)
        self.before = np.full(len(web), -1, dtype=np.int64)
        self.fetched = np.zeros(len(web), dtype=np.bool_)
        self.heap: list[tuple[int, int, int]] = []
        self.pushed = 0
        self.order: list[int] = []
        self.found: list[int] = []
        self.tunnels: list[int] = []

    def run(self) -> Oracle:
        for seed in self.web.seeds:
            self._fetch(seed)
        while self.heap:
            cost, _, page = heapq.heappop(self.heap)
            if self.fetched[page] or cost > self.cost[page]:
                continue
            if self.relevant[page]:
                self.tunnels.append(cost)
                for one in self._way_to(page):
                    self._fetch(one)
            else:
                self._push(page, cost + 1)
        return Oracle(tuple(self.order), np.array(self.found, dtype=np.int64), tuple(self.tunnels))

    def _way_to(self, page: int) -> list[int]:
        """Return the pages to fetch for a page, itself last."""
        way = [page]
        while (before := int(self.before[way[-1]])) >= 0 and not self.fetched[before]:
            way.append(before)
        return way[::-1]

    def _fetch(self, page: int) -> None:
        self.fetched[page], self.cost[page] = True, 0
        self.order.append(page)
        self.found.append((self.found[-1] if self.found else 0) + int(self.relevant[page]))
        self._push(page, 0)

    def _push(self, page: int, cost: int) -> None:
        """Queue the targets of a page, if this way to them is the cheapest yet."""
        for target in self.targets[page]:
            if not self.fetched[target] and cost < self.cost[target]:
                self.cost[target], self.before[target] = cost, page
                self.pushed += 1
                heapq.heappush(self.heap, (cost, self.pushed, target))

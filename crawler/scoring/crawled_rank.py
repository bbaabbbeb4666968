"""PageRank over the crawled pages alone: "assume all crawled webpages as the entire Internet" (paper 000, section 4.2).

Eq. (7) with C(P), the out-links of P, counted among crawled pages only. Links to pages that are not crawled thus take
no rank away, and the mean rank of the crawled pages approaches 1, as over a whole web. Over all known links (trap T3)
most rank leaks to pages of the frontier: no rank reached 1.5 in crawls where that of papers is compared with 2.

A page that is not crawled has the rank that its crawled in-links would pass to it if it were the next one crawled [R]:

    PR(P_l) = (1 - d) + d sum_i PR(P_i) / (C(P_i) + 1)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from crawler.frontier import Column
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Floats, Ids
from kg.ranking.link_matrix import D
from kg.ranking.pagerank import pagerank

_REFRESHED = 1e-6


class CrawledRank:
    """PageRank of the crawled pages of a growing link graph, and of the pages that they link to.

    A new page gets the rank that its in-links pass to it, and the ranks of the others follow with ``settle``.

    Args:
        graph: link graph, updated by its owner; each of its pages is added here once.

    >>> graph = LinkGraph()
    >>> ranks = CrawledRank(graph)
    >>> graph.grow(3)
    >>> for page, links in ((0, [1, 2]), (1, [2])):
    ...     graph.add(page, links)
    ...     ranks.add_page(page)
    >>> ranks.settle()
    >>> ranks.of(np.array([0, 1, 2])).round(3).tolist()  # 2 is not crawled: .15 + .85 (.15 / 2 + .278 / 1)
    [0.15, 0.278, 0.45]
    """

    def __init__(self, graph: LinkGraph) -> None:
        self._graph = graph
        self._x, self._C = Column(), Column()
        """By page its rank, 0 for one that is not crawled, and C."""

    def add_page(self, page: int) -> None:
        """Add a page that was crawled; the graph has its links."""
        self._grow()
        parents, id_ = np.asarray(self._graph.parents(page), dtype=np.int64), np.array([page])
        parents = parents[self._x.get(parents) > 0.0]
        targets = self._graph.links_of(id_)[1]
        self._C.set(parents, self._C.get(parents) + 1.0)
        self._C.set(id_, np.array([float((self._x.get(targets) > 0.0).sum())]))
        self._x.set(id_, np.array([(1.0 - D) + D * (self._x.get(parents) / self._C.get(parents)).sum()]))

    def settle(self) -> None:
        """Compute the ranks of all crawled pages anew, from the present ones, within a millionth of the largest."""
        self._grow()
        pages, source, target = self._graph.pages, self._graph.source, self._graph.target
        number = np.full(self._graph.n, -1, dtype=np.int64)
        number[pages] = np.arange(len(pages))
        source, target = number[source], number[target]
        known = target >= 0
        start = np.maximum(self._x.get(pages), 1.0 - D)
        self._x.set(pages, pagerank(len(pages), source[known], target[known], start=start, tolerance=_REFRESHED).values)

    def of(self, links: Ids) -> Floats:
        """Return the rank of the page that each link points to, at least 1 - d, shape (m,)."""
        self._grow()
        parents, m = self._graph.parents_of(links), self._graph.in_degree(links)
        passed = self._x.get(parents) / (self._C.get(parents) + 1.0)
        PR = (1.0 - D) + D * np.bincount(np.repeat(np.arange(len(links)), m), passed, minlength=len(links))
        x = self._x.get(links)
        return np.where(x > 0.0, x, PR)

    def state(self) -> Floats:
        """Return the ranks of the crawled pages in the order of crawling, for ``restore``."""
        self._grow()
        return self._x.get(self._graph.pages).copy()

    def restore(self, ranks: ArrayLike) -> None:
        """Restore ranks that ``state`` returned, after the graph was restored."""
        self._grow()
        pages, source, target = self._graph.pages, self._graph.source, self._graph.target
        self._x.set(pages, np.asarray(ranks, dtype=np.float64))
        self._C.set(np.arange(self._graph.n), np.bincount(source[self._x.get(target) > 0.0], minlength=self._graph.n))

    def _grow(self) -> None:
        self._x.grow(self._graph.n)
        self._C.grow(self._graph.n)

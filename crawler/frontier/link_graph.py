"""The graph of links between known pages. It grows during a crawl and is read-only for strategies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from crawler.model import Floats, Ids


class LinkGraph:
    """Directed links between page ids, each (source, target) once, in the order of discovery.

    >>> graph = LinkGraph()
    >>> graph.grow(3)
    >>> graph.add(0, [1, 2])
    >>> graph.add(1, [2])
    >>> graph.in_degree(np.array([0, 1, 2])).tolist(), graph.out_degree.tolist(), graph.parents(2)
    ([0, 1, 2], [2, 1, 0], [0, 1])
    """

    def __init__(self) -> None:
        self._source: list[int] = []
        self._target: list[int] = []
        self._parents: list[list[int]] = []
        self._out_degree: list[int] = []
        self._in_degree: Ids = np.zeros(64, dtype=np.int64)

    def __len__(self) -> int:
        """Number of links."""
        return len(self._source)

    @property
    def n(self) -> int:
        """Number of known pages, fetched or not."""
        return len(self._parents)

    def grow(self, n: int) -> None:
        """Add pages without links, up to id n-1."""
        while len(self._parents) < n:
            self._parents.append([])
            self._out_degree.append(0)
        if n > len(self._in_degree):
            longer = np.zeros(max(n, 2 * len(self._in_degree)), dtype=np.int64)
            longer[: len(self._in_degree)] = self._in_degree
            self._in_degree = longer

    def add(self, source: int, targets: Sequence[int]) -> None:
        """Add the distinct out-links of a page; call it once for each fetched page."""
        self._source.extend([source] * len(targets))
        self._target.extend(targets)
        self._out_degree[source] = len(targets)
        for target in targets:
            self._parents[target].append(source)
        self._in_degree[np.asarray(targets, dtype=np.int64)] += 1

    def parents(self, link: int) -> Sequence[int]:
        """Return the ids of the fetched pages that contain the link, in the order of fetching."""
        return self._parents[link]

    def in_degree(self, links: Ids) -> Ids:
        """Return m of Eq. (12), the number of fetched pages that contain each link (0 for a seed), shape (links,)."""
        return self._in_degree[links]

    @property
    def source(self) -> Ids:
        """Source id of each link, shape (links,)."""
        return np.asarray(self._source, dtype=np.int64)

    @property
    def target(self) -> Ids:
        """Target id of each link, shape (links,)."""
        return np.asarray(self._target, dtype=np.int64)

    @property
    def out_degree(self) -> Ids:
        """C(P) of every page: the number of its distinct out-links, 0 for a page that is not fetched; shape (n,)."""
        return np.asarray(self._out_degree, dtype=np.int64)

    def matrix(self) -> sparse.csr_array:
        """Return the adjacency matrix, shape (n, n), entry 1 for a link from row to column."""
        ones: Floats = np.ones(len(self._source))
        return sparse.csr_array((ones, (self.source, self.target)), shape=(self.n, self.n))

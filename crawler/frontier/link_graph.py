"""The graph of known pages: who links to whom. It grows during a crawl and is read-only for strategies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from crawler.model import Floats, Ids


class LinkGraph:
    """Directed links between page ids, each (source, target) once, in the order of discovery."""

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
        """Number of known pages and links."""
        return len(self._parents)

    def grow(self, n: int) -> None:
        """Know of ids 0 .. n-1."""
        while len(self._parents) < n:
            self._parents.append([])
            self._out_degree.append(0)
        if n > len(self._in_degree):
            longer = np.zeros(max(n, 2 * len(self._in_degree)), dtype=np.int64)
            longer[: len(self._in_degree)] = self._in_degree
            self._in_degree = longer

    def add(self, source: int, targets: Sequence[int]) -> None:
        """The distinct out-links of a page, added once, when it is fetched."""
        self._source.extend([source] * len(targets))
        self._target.extend(targets)
        self._out_degree[source] = len(targets)
        for target in targets:
            self._parents[target].append(source)
        self._in_degree[np.asarray(targets, dtype=np.int64)] += 1

    def parents(self, link: int) -> Sequence[int]:
        """Ids of the fetched pages that contain the link, in the order of fetching."""
        return self._parents[link]

    def in_degree(self, links: Ids) -> Ids:
        """m of Eq. (12): the number of fetched pages that contain each link; 0 for a seed. Shape of ``links``: (m,)."""
        return self._in_degree[links]

    @property
    def source(self) -> Ids:
        """Shape (links,)."""
        return np.asarray(self._source, dtype=np.int64)

    @property
    def target(self) -> Ids:
        """Shape (links,)."""
        return np.asarray(self._target, dtype=np.int64)

    @property
    def out_degree(self) -> Ids:
        """C(P) of every id: the number of its distinct out-links, 0 for a page that is not fetched; shape (n,)."""
        return np.asarray(self._out_degree, dtype=np.int64)

    def matrix(self) -> sparse.csr_array:
        """Adjacency as CSR, shape (n, n), entry 1 for a link from row to column."""
        ones: Floats = np.ones(len(self._source))
        return sparse.csr_array((ones, (self.source, self.target)), shape=(self.n, self.n))

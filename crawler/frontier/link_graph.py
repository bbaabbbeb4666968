"""The graph of links between known pages. It grows during a crawl and is read-only for strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from crawler.frontier.growable import Patch, with_room
from crawler.model import Floats, Ids

Numbers = NDArray[np.int32]


class LinkGraph:
    """Directed links between page ids, each (source, target) once, in the order of discovery.

    The pages that contain a link stand side by side in one array with room for a power of two of them; a link that
    outgrows its place moves to the end, so that a link takes a few bytes for each of its parents.

    >>> graph = LinkGraph()
    >>> graph.grow(3)
    >>> graph.add(0, [1, 2])
    >>> graph.add(1, [2])
    >>> graph.in_degree(np.array([0, 1, 2])).tolist(), graph.out_degree.tolist(), graph.parents(2)
    ([0, 1, 2], [2, 1, 0], [0, 1])
    """

    def __init__(self) -> None:
        self._n = 0
        self._pages: Numbers = np.zeros(64, dtype=np.int32)
        """The fetched pages in the order of fetching."""
        self._fetched = 0
        self._target: Numbers = np.zeros(64, dtype=np.int32)
        """The links of the fetched pages, page by page."""
        self._links = 0
        self._out_degree: Numbers = np.zeros(64, dtype=np.int32)
        self._in_degree: Numbers = np.zeros(64, dtype=np.int32)
        self._first: Numbers = np.zeros(64, dtype=np.int32)
        """Place of the first parent of each link in ``_parent``."""
        self._parent: Numbers = np.zeros(64, dtype=np.int32)
        self._used = 0
        self._start: Numbers = np.zeros(64, dtype=np.int32)
        """Place of the first link of each page in ``_target``, as far as ``links_of`` needed it."""
        self._placed = (0, 0)
        """Number of the fetched pages and of their links in ``_start``."""
        self._saved = (0, 0)
        """Number of the fetched pages and of the links at the last snapshot."""

    def __len__(self) -> int:
        """Number of links."""
        return self._links

    @property
    def n(self) -> int:
        """Number of known pages, fetched or not."""
        return self._n

    def grow(self, n: int) -> None:
        """Add pages without links, up to id n-1."""
        self._n = max(self._n, n)
        self._out_degree = with_room(self._out_degree, n)
        self._in_degree = with_room(self._in_degree, n)
        self._first = with_room(self._first, n)

    def add(self, source: int, targets: Sequence[int] | Ids) -> None:
        """Add the distinct out-links of a page; call it once for each fetched page."""
        self.extend(np.array([source], dtype=np.int32), np.asarray(targets, dtype=np.int32), np.array([len(targets)]))

    def extend(self, pages: NDArray[Any], targets: NDArray[Any], counts: NDArray[Any]) -> None:
        """Add the out-links of several pages.

        Args:
            pages: ids of fetched pages, in the order of fetching, shape (k,).
            targets: their out-links page by page, shape (links,); those of a page are distinct.
            counts: number of out-links of each page, shape (k,).
        """
        more = self._fetched + len(pages)
        self._pages = with_room(self._pages, more)
        self._pages[self._fetched : more] = pages
        self._fetched = more
        self._target = with_room(self._target, self._links + len(targets))
        self._target[self._links : self._links + len(targets)] = targets
        self._links += len(targets)
        self._out_degree[pages] = counts
        if len(pages) == 1:
            self._add_parent(int(pages[0]), targets)
        else:
            self._add_parents(np.repeat(pages, counts), targets)

    def _add_parent(self, source: int, targets: Numbers) -> None:
        """Append a page to the parents of its links, after moving the lists that are full."""
        m = self._in_degree[targets]
        full = (m & (m - 1)) == 0  # 0, 1, 2, 4 .. parents fill their place
        if full.any():
            self._move(targets[full], m[full])
        self._parent[self._first[targets] + m] = source
        self._in_degree[targets] = m + 1

    def _move(self, links: Numbers, m: Numbers) -> None:
        """Move the parents of links to the end, with twice the room."""
        room = np.maximum(2 * m, 1)
        ends = self._used + np.cumsum(room)
        self._parent = with_room(self._parent, int(ends[-1]))
        old, new = self._first[links], (ends - room).astype(np.int32)
        within = np.arange(int(m.sum()), dtype=np.int32) - np.repeat(np.cumsum(m) - m, m)
        self._parent[np.repeat(new, m) + within] = self._parent[np.repeat(old, m) + within]
        self._first[links] = new
        self._used = int(ends[-1])

    def _add_parents(self, sources: Numbers, targets: Numbers) -> None:
        """Place the parents of an empty graph at once. Shapes (links,)."""
        if self._used:
            raise ValueError("several pages can be added to a graph without links only")
        m = np.bincount(targets, minlength=self._n)
        room = np.where(m > 0, 2 ** np.ceil(np.log2(np.maximum(m, 1))).astype(np.int64), 0)
        first = np.cumsum(room) - room
        self._used = int(room.sum())
        self._parent = with_room(self._parent, self._used)
        order = np.argsort(targets, kind="stable")
        within = np.arange(len(order)) - np.repeat(np.cumsum(m) - m, m)
        self._parent[np.repeat(first, m) + within] = sources[order]
        self._first[: self._n], self._in_degree[: self._n] = first, m

    def parents(self, link: int) -> list[int]:
        """Return the ids of the fetched pages that contain the link, in the order of fetching."""
        first = int(self._first[link])
        parents: list[int] = self._parent[first : first + int(self._in_degree[link])].tolist()
        return parents

    def parents_of(self, links: Ids) -> Ids:
        """Return the parents of several links, one link after the other, shape (sum of their in-degrees,)."""
        m = self._in_degree[links].astype(np.int64)
        within = np.arange(int(m.sum())) - np.repeat(np.cumsum(m) - m, m)
        parents: Ids = self._parent[np.repeat(self._first[links], m) + within].astype(np.int64)
        return parents

    def links_of(self, pages: Ids) -> tuple[Ids, Ids]:
        """Return the links of fetched pages: source and target of each, page by page, both of shape (m,)."""
        placed, links = self._placed
        if placed < self._fetched:
            fresh = self._pages[placed : self._fetched]
            counts = self._out_degree[fresh]
            self._start = with_room(self._start, self._n)
            self._start[fresh] = links + np.cumsum(counts) - counts
            self._placed = (self._fetched, self._links)
        m = self._out_degree[pages].astype(np.int64)
        within = np.arange(int(m.sum())) - np.repeat(np.cumsum(m) - m, m)
        return np.repeat(pages, m), self._target[np.repeat(self._start[pages], m) + within].astype(np.int64)

    def in_degree(self, links: Ids) -> Ids:
        """Return m of Eq. (12), the number of fetched pages that contain each link (0 for a seed), shape (links,)."""
        return self._in_degree[links].astype(np.int64)

    @property
    def pages(self) -> Ids:
        """Ids of the fetched pages, in the order of fetching, shape (pages,)."""
        return self._pages[: self._fetched].astype(np.int64)

    @property
    def source(self) -> Ids:
        """Source id of each link, shape (links,)."""
        return np.repeat(self.pages, self._out_degree[self.pages])

    @property
    def target(self) -> Ids:
        """Target id of each link, shape (links,)."""
        return self._target[: self._links].astype(np.int64)

    @property
    def out_degree(self) -> Ids:
        """C(P) of every page: the number of its distinct out-links, 0 for a page that is not fetched; shape (n,)."""
        return self._out_degree[: self._n].astype(np.int64)

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return the arrays from which ``restore`` rebuilds the graph."""
        return {name: patch.values for name, patch in self._since(0, 0).items()} | {"n": self._n}

    def changes(self) -> dict[str, Any]:
        """Return ``state`` with the changes since the last snapshot in place of arrays."""
        return {**self._since(*self._saved), "n": self._n}

    def saved(self) -> None:
        """Continue after a snapshot."""
        self._saved = (self._fetched, self._links)

    def targets_since_saved(self) -> Ids:
        """Return the target of each link that was added since the last snapshot, shape (m,)."""
        return self._target[self._saved[1] : self._links].astype(np.int64)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned; the graph must be new."""
        self.grow(int(state["n"]))
        self.extend(state["pages"], state["target"], state["count"])

    def _since(self, page: int, link: int) -> dict[str, Patch]:
        pages = self._pages[page : self._fetched].copy()
        return {
            "pages": Patch(self._fetched, None, pages),
            "count": Patch(self._fetched, None, self._out_degree[pages]),
            "target": Patch(self._links, None, self._target[link : self._links].copy()),
        }

    def matrix(self) -> scipy.sparse.csr_array:
        """Return the adjacency matrix, shape (n, n), entry 1 for a link from row to column."""
        ones: Floats = np.ones(self._links)
        return scipy.sparse.csr_array((ones, (self.source, self.target)), shape=(self.n, self.n))

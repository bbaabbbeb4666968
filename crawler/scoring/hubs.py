"""Hubs and authorities of a growing graph: Kleinberg's iteration at intervals, one step of it for each new page.

Source: J. M. Kleinberg, Authoritative sources in a hyperlinked environment, J. ACM 46 (1999): a = A^T h, h = A a on
the base set of a query (the iteration: kg.ranking.hits, golden numbers G4). Which links are used is a choice [R]:

    root       those of the pages in the root set, which are the relevant fetched pages
    kleinberg  those within the base set: the root set, the pages that it links to, and the pages that link to it
    all        all links

and ``transverse`` leaves out links within a host, as Kleinberg does, because they often serve only navigation.

An iteration costs O(links). It is run when the graph has grown by a tenth, starting from the previous hub weights; a
page added in between has h = (sum of a over its links) / |A a|, one step of h = A a [R].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from crawler.frontier import Column
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Bools, Floats, Ids
from kg.ranking.hits import hits

Hosts = Callable[[Ids], Ids]
"""Returns the host number of each id, shape (m,)."""
BASES = ("root", "kleinberg", "all")
_GROWTH = 1.1
"""Factor by which the links must grow before the iteration is repeated."""
TOLERANCE = 1e-6


def _base_links(source: Ids, target: Ids, root: Bools, base_set: str) -> Bools:
    """Return a mask of the links that are used.

    Args:
        source: page of each link, shape (links,).
        target: page that each link points to, shape (links,).
        root: whether each of the n pages is in the root set, shape (n,).
        base_set: one of BASES.

    Returns:
        Shape (links,).

    >>> source, target, root = np.array([0, 1, 3]), np.array([1, 2, 0]), np.array([True, False, False, False])
    >>> [_base_links(source, target, root, base).tolist() for base in BASES]
    [[True, False, False], [True, False, True], [True, True, True]]
    """
    if base_set == "all":
        return np.ones(len(source), dtype=np.bool_)
    if base_set == "root":
        return root[source]
    base = root.copy()
    base[target[root[source]]] = True
    base[source[root[target]]] = True
    inside: Bools = base[source] & base[target]
    return inside


class GrowingHubs:
    """Hub weights of pages, and authority weights of pages and links. Mutable."""

    def __init__(self, base_set: str, transverse: bool) -> None:
        self._base_set, self._transverse = base_set, transverse
        self._n = 0
        self._root, self._hub, self._authority = Column(), Column(), Column()
        self._norm = 1.0
        """|A^T h| = |A a| of the last iteration: the largest singular value of A."""
        self._links = 0

    def add_page(self, page: int, links: Ids, in_root: bool, host: Hosts) -> None:
        """Add a fetched page.

        Args:
            page: its id.
            links: its distinct out-links, shape (m,).
            in_root: whether it is in the root set.
            host: function from ids to host numbers.
        """
        self._grow(int(links.max(initial=page)) + 1)
        row = np.array([page])
        links = links[self._counted(row, links, host)]
        self._root.set(row, np.array([float(in_root)]))
        in_base = in_root or self._base_set == "all"
        if self._base_set == "kleinberg":
            in_base |= bool(self._root.get(links).any() or self._authority.get(row)[0] > 0.0)
        h = self._authority.get(links).sum() / self._norm if in_base else 0.0  # h = A a
        self._hub.set(row, np.array([h]))

    def follow(self, graph: LinkGraph, host: Hosts) -> None:
        """Repeat the iteration if the graph has grown by a tenth since the last one."""
        if len(graph) == 0 or len(graph) < _GROWTH * self._links:
            return
        n, source, target = graph.n, graph.source, graph.target
        self._grow(n)
        self._links = len(graph)
        counted = self._counted(source, target, host)
        source, target = source[counted], target[counted]
        inside = _base_links(source, target, self._root.dump(n) > 0.0, self._base_set)
        source, target = source[inside], target[inside]
        # every page starts with a little weight, or a part of the graph without any could never gain some
        weights = hits(n, source, target, start=self._hub.dump(n) + 0.1 / np.sqrt(n), tolerance=TOLERANCE)
        pages = np.arange(n, dtype=np.int64)
        self._hub.set(pages, weights.hub)
        self._authority.set(pages, weights.authority)
        self._norm = float(np.linalg.norm(np.bincount(target, weights.hub[source], n))) or 1.0

    def authority(self, graph: LinkGraph, links: Ids, host: Hosts) -> Floats:
        """Compute a = A^T h of links from the hub weights of the pages that contain them.

        Args:
            graph: link graph of the crawl.
            links: ids, shape (m,).
            host: function from ids to host numbers.

        Returns:
            Shape (m,), at least 0.
        """
        self._grow(graph.n)
        parents = graph.parents_of(links)
        rows = np.repeat(np.arange(len(links)), graph.in_degree(links))
        h = np.where(self._counted(parents, links[rows], host), self._hub.get(parents), 0.0)
        return np.bincount(rows, h, len(links)) / self._norm  # a = A^T h

    def _counted(self, source: Ids, target: Ids, host: Hosts) -> Bools:
        """Return a mask of the links that count, all or those between hosts; shape (links,)."""
        different: Bools = host(source) != host(target)
        return different if self._transverse else np.ones_like(different)

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        columns = {"root": self._root, "hub": self._hub, "authority": self._authority}
        saved: dict[str, Any] = {name: column.dump(self._n) for name, column in columns.items()}
        return {**saved, "norm": self._norm, "links": self._links}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned; the object must be new."""
        rows = np.arange(len(state["hub"]), dtype=np.int64)
        self._grow(len(rows))
        for name, column in (("root", self._root), ("hub", self._hub), ("authority", self._authority)):
            column.set(rows, np.asarray(state[name], dtype=np.float64))
        self._norm = float(state["norm"])
        self._links = int(state["links"])

    def _grow(self, n: int) -> None:
        self._n = max(self._n, n)
        for column in (self._root, self._hub, self._authority):
            column.grow(self._n)

"""Figures of a crawl's links that queries would otherwise count anew: computed from arrays, stored with the crawl.

All links of a crawl are counted at once, which a query over the property graph does in 3 to 30 seconds per million.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kg.ranking.link_graph import Flags, LinkGraph
from kg.ranking.link_matrix import Ids


@dataclass(frozen=True, slots=True, eq=False)
class HostLinks:
    """The links between pairs of different hosts, sorted by source, then target; all arrays have one length."""

    source: Ids
    """Position of the host in `LinkGraph.hosts`."""
    target: Ids
    links: Ids
    to_relevant: Ids
    """How many of the links lead to a relevant page."""


def tree_depths(n: int, source: ArrayLike, target: ArrayLike, roots: ArrayLike) -> tuple[Ids, Ids]:
    """Return the distance of each node of a forest from its root, and the root.

    Args:
        n: number of nodes.
        source: parents, shape (m,).
        target: children, shape (m,).
        roots: nodes to begin at, shape (r,).

    Returns:
        Distance and root, each (n,); -1 for a node that no path from a root reaches.

    >>> depth, root = tree_depths(4, [0, 1], [1, 2], [0])
    >>> depth.tolist(), root.tolist()
    ([0, 1, 2, -1], [0, 0, 0, -1])
    """
    parent, child = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    order = np.argsort(parent, kind="stable")
    child, first = child[order], np.searchsorted(parent[order], np.arange(n + 1))
    depth, root = np.full(n, -1), np.full(n, -1)
    level = np.unique(np.asarray(roots, dtype=np.int64))
    depth[level], root[level] = 0, level
    while level.size:
        count = first[level + 1] - first[level]
        place = np.repeat(first[level] - np.concatenate(([0], np.cumsum(count)[:-1])), count) + np.arange(count.sum())
        below, their_root, distance = child[place], np.repeat(root[level], count), depth[level[0]] + 1
        new = depth[below] < 0
        depth[below[new]], root[below[new]] = distance, their_root[new]
        level = below[new]
    return depth, root


def out_links(graph: LinkGraph) -> dict[str, Ids]:
    """Count the links of each page, (n,): all, those to fetched pages with a relevance, those to relevant pages.

    Args:
        graph: a link graph.

    Returns:
        ``links``, ``links_to_fetched`` and ``links_to_relevant``.
    """
    n, source, target = graph.nodes, graph.source, graph.target
    return {
        "links": np.bincount(source, minlength=n),
        "links_to_fetched": np.bincount(source[graph.judged[target]], minlength=n),
        "links_to_relevant": np.bincount(source[graph.relevant[target]], minlength=n),
    }


def cited_by(graph: LinkGraph) -> dict[str, Ids]:
    """Count the relevant pages on other hosts that link to each page, and these hosts, (n,) each.

    Args:
        graph: a link graph.

    Returns:
        ``cited_by_pages`` and ``cited_by_hosts``.
    """
    across = _between_hosts(graph) & graph.relevant[graph.source]
    target, host = graph.target[across], graph.host[graph.source[across]]
    hosts = max(len(graph.hosts), 1)
    different = np.unique(target * hosts + host) // hosts
    return {
        "cited_by_pages": np.bincount(target, minlength=graph.nodes),
        "cited_by_hosts": np.bincount(different, minlength=graph.nodes),
    }


def host_links(graph: LinkGraph) -> HostLinks:
    """Count the links between pairs of different hosts.

    Args:
        graph: a link graph.
    """
    across = _between_hosts(graph)
    target, hosts = graph.target[across], max(len(graph.hosts), 1)
    pairs, pair, links = np.unique(
        graph.host[graph.source[across]] * hosts + graph.host[target], return_inverse=True, return_counts=True
    )
    to_relevant = np.bincount(pair, weights=graph.relevant[target], minlength=len(pairs)).astype(np.int64)
    return HostLinks(pairs // hosts, pairs % hosts, links, to_relevant)


def strongest_group(graph: LinkGraph, group: Ids) -> Ids:
    """Return for each page the group from which most links lead to it, (n,); the smallest of equals, 0 without any.

    Args:
        graph: a link graph.
        group: number of the group of each page, (n,), 1 or more; 0 for pages without one.
    """
    known = group[graph.source] > 0
    ends = (graph.target[known], group[graph.source[known]])
    shape = (graph.nodes, int(group.max(initial=0)) + 1)
    count = sparse.coo_array((np.ones(len(ends[0])), ends), shape=shape)
    count.sum_duplicates()
    target, number = count.coords
    order = np.lexsort((number, -count.data, target))
    pages, first = np.unique(target[order], return_index=True)
    strongest = np.zeros(graph.nodes, dtype=np.int64)
    strongest[pages] = number[order][first]
    return strongest


def _between_hosts(graph: LinkGraph) -> Flags:
    """Return which links lead from one host to another, (m,)."""
    a, b = graph.host[graph.source], graph.host[graph.target]
    across: Flags = (a != b) & (a >= 0) & (b >= 0)
    return across

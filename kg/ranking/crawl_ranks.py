"""What is computed of a crawl's link graph and stored with the crawl: ranks, communities, components, link figures.

The graph is read once. FETCHED and KNOWS get the values of the pages, LINKS_TO_HOST those of pairs of hosts, and at
last the crawl gets the version of the figures: a crawl without it was not written to the end (kg/ranking/stored.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import graspologic_native
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse import csgraph

import queries
from kg.ranking import stored
from kg.ranking.hits import HitsScores, hits
from kg.ranking.link_graph import Flags, LinkGraph, read_link_graph
from kg.ranking.link_matrix import OMEGA, D, Floats, Ids, RankError, Reading, link_ends
from kg.ranking.pagerank import PageRank, pagerank
from kg.store import GraphStore, Row

# ---- figures of a crawl's links that queries would otherwise count anew: computed from arrays, stored with the crawl
#
# All links of a crawl are counted at once, which a query over the property graph does in 3 to 30 seconds per million.


@dataclass(frozen=True, slots=True, eq=False)
class _HostLinks:
    """The links between pairs of different hosts, sorted by source, then target; all arrays have one length."""

    source: Ids
    """Position of the host in `LinkGraph.hosts`."""
    target: Ids
    links: Ids
    to_relevant: Ids
    """How many of the links lead to a relevant page."""


def _tree_depths(n: int, source: ArrayLike, target: ArrayLike, roots: ArrayLike) -> tuple[Ids, Ids]:
    """Return the distance of each node of a forest from its root, and the root.

    Args:
        n: number of nodes.
        source: parents, shape (m,).
        target: children, shape (m,).
        roots: nodes to begin at, shape (r,).

    Returns:
        Distance and root, each (n,); -1 for a node that no path from a root reaches.

    >>> depth, root = _tree_depths(4, [0, 1], [1, 2], [0])
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


def _out_links(graph: LinkGraph) -> dict[str, Ids]:
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


def _cited_by(graph: LinkGraph) -> dict[str, Ids]:
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


def _host_links(graph: LinkGraph) -> _HostLinks:
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
    return _HostLinks(pairs // hosts, pairs % hosts, links, to_relevant)


def _strongest_group(graph: LinkGraph, group: Ids) -> Ids:
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


# ---- communities and strongly connected components of a link graph given as arrays
#
# Communities maximise the modularity Q (M. E. J. Newman and M. Girvan, Finding and evaluating community structure in
# networks, Phys. Rev. E 69, 2004) of the undirected graph whose edges weigh as many links as join their ends:
#
#     Q = 1 / (2 m) * sum_ij (A_ij - k_i k_j / (2 m)) [c_i = c_j]
#
# by the Leiden algorithm (V. A. Traag, L. Waltman and N. J. van Eck, From Louvain to Leiden: guaranteeing
# well-connected communities, Sci. Rep. 9, 2019), as the library graspologic-native implements it. Every community is
# connected.


SEED = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Communities:
    """A partition of the nodes, and its modularity."""

    number: Ids
    """Number of each node's community, (n,): 1 is the largest; of equal ones that with the smallest node is first."""
    modularity: float
    """In [-1/2, 1]; 0 without links."""


def _communities(n: int, source: ArrayLike, target: ArrayLike, *, seed: int = SEED) -> _Communities:
    """Divide the nodes of a link graph into communities; a node without links is one of its own.

    Args:
        n: number of nodes.
        source: node number at the start of each of m links, shape (m,); parallel links count separately.
        target: node number at the end of each link, shape (m,); links from a node to itself are left out.
        seed: seed of the random order of moves; equal arguments give equal communities.

    Raises:
        RankError: the ends are out of range.

    >>> found = _communities(7, [0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3])
    >>> found.number.tolist(), round(found.modularity, 3)
    ([1, 1, 1, 2, 2, 2, 3], 0.357)
    """
    i, j = link_ends(n, source, target)
    A = _undirected(n, i[i != j], j[i != j])
    if A.nnz == 0:
        return _Communities(np.arange(1, n + 1), 0.0)
    _, label_of = graspologic_native.leiden_csr(
        A.indptr.astype(np.int64), A.indices.astype(np.int32), A.data, n, seed=seed
    )
    number = _numbered(np.array([label_of[node] for node in range(n)], dtype=np.int64))
    return _Communities(number, modularity(A, number))


def modularity(A: sparse.csr_array, number: Ids) -> float:
    """Return Q of a partition.

    Args:
        A: symmetric matrix of the weights of edges, (n, n), with at least one entry.
        number: number of each node's community, (n,).
    """
    total = float(A.sum())  # 2 m
    degree = np.asarray(A.sum(axis=1), dtype=np.float64).reshape(-1)
    edges = A.tocoo()
    inside = float(edges.data[number[edges.coords[0]] == number[edges.coords[1]]].sum())
    return inside / total - float(np.square(np.bincount(number, weights=degree) / total).sum())


def _components(n: int, source: ArrayLike, target: ArrayLike) -> Ids:
    """Return the number of each node's strongly connected component, (n,), numbered as communities are.

    Two nodes are in one component if links lead from each to the other.

    Args:
        n: number of nodes.
        source: node number at the start of each of m links, shape (m,).
        target: node number at the end of each link, shape (m,).

    Raises:
        RankError: the ends are out of range.

    >>> _components(4, [1, 2, 3, 0], [2, 3, 1, 1]).tolist()
    [2, 1, 1, 1]
    """
    i, j = link_ends(n, source, target)
    A = sparse.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    _, label = csgraph.connected_components(A, directed=True, connection="strong")
    return _numbered(np.asarray(label, dtype=np.int64))


def _undirected(n: int, i: Ids, j: Ids) -> sparse.csr_array:
    """Return the symmetric matrix of the number of links between two nodes, (n, n)."""
    A = sparse.csr_array((np.ones(2 * len(i)), (np.concatenate((i, j)), np.concatenate((j, i)))), shape=(n, n))
    A.sum_duplicates()
    A.sort_indices()
    return A


def _numbered(label: Ids) -> Ids:
    """Number labels from 1 by decreasing size; of equal ones that with the smallest node comes first."""
    _, first, label_of, size = np.unique(label, return_index=True, return_inverse=True, return_counts=True)
    number = np.empty(len(size), dtype=np.int64)
    number[np.lexsort((first, -size))] = np.arange(1, len(size) + 1)
    return number[label_of]


# ---- what is computed of a crawl's link graph and stored with the crawl: ranks, communities, components, link
# figures


_PAIRS_PER_WRITE = 2_000
PAIRS = 2_000
"""Largest number of pairs of communities whose links are stored, those with most."""
_Column = NDArray[Any]
"""A figure of each node, (n,)."""


@dataclass(frozen=True, slots=True)
class RankReport:
    """Counts and convergence of `rank_crawl`."""

    pages: int
    links: int
    iterations: int
    residual: float
    diverges: bool
    hits_iterations: int
    hits_residual: float
    """Near 0 if hubs and authorities have converged; larger if parts of the graph are nearly equally dense."""
    communities: int
    modularity: float
    """Q of the communities, in [-1/2, 1]."""
    components: int
    """Number of strongly connected components of two or more pages."""
    host_pairs: int
    """Number of pairs of hosts with links from the first to the second."""


@dataclass(frozen=True, slots=True, eq=False)
class CrawlFigures:
    """What is computed of a link graph of n nodes.

    Attributes:
        of_all: figures of each node, (n,) each, for all pages.
        of_fetched: those that fetched pages have, the former among them.
        host_links: links between pairs of hosts.
        ranks, scores, groups: PageRank, weights of HITS and communities.
        community_links: links between communities, the pairs with most links first (`stored.complete`).
    """

    of_all: Mapping[str, _Column]
    of_fetched: Mapping[str, _Column]
    host_links: _HostLinks
    ranks: PageRank
    scores: HitsScores
    groups: _Communities
    community_links: Sequence[str]

    @property
    def of_crawl(self) -> dict[str, Any]:
        """Figures of the crawl: ``modularity``, and ``community_links``, None where there are none."""
        return {"modularity": self.groups.modularity, "community_links": list(self.community_links) or None}


def rank_crawl(
    store: GraphStore,
    crawl_id: str,
    *,
    topic_biased: bool = False,
    personalised: bool = False,
    omega: float = OMEGA,
    d: float = D,
    reading: Reading = "repaired",
    warm: bool = False,
) -> RankReport:
    """Compute what is stored of a crawl's link graph, and write it to FETCHED, KNOWS and LINKS_TO_HOST.

    These are PageRank, authority and hub of all pages, the community and strongly connected component of the fetched
    ones, and the figures of links that queries read instead of counting. The links are the LINKS_TO of this crawl;
    known, unfetched pages are nodes without out-links (T3). An interrupted call is repaired by another one.

    Args:
        store: an open graph.
        crawl_id: id of a crawl in the graph.
        topic_biased: use Eq. (8) instead of Eq. (7).
        personalised: distribute the constant term by the relevance of the fetched pages.
        omega: weight of the anchor relevance, 0 or more.
        d: damping factor in [0, 1).
        reading: "repaired" or "printed" form of Eq. (8).
        warm: start from the values in the graph, which is faster and equal only within the tolerance.

    Raises:
        RankError: the graph has no such crawl, or no page is relevant and the ranks are to be personalised.
    """
    graph = read_link_graph(store, crawl_id)
    ranks = pagerank(
        graph.nodes,
        graph.source,
        graph.target,
        anchor_relevance=graph.anchor_relevance if topic_biased else None,
        personalisation=_relevance(graph) if personalised else None,
        omega=omega,
        d=d,
        reading=reading,
        start=graph.ranks["pagerank"] if warm else None,
    )
    scores = hits(graph.nodes, graph.source, graph.target, start=graph.ranks["hub"] if warm else None)
    figures = crawl_figures(graph, ranks, scores)
    stored.forget(store, crawl_id)
    _write_pages(store, graph, figures)
    _write_hosts(store, graph, figures.host_links)
    stored.complete(store, crawl_id, figures.of_crawl)
    return _report(graph, figures)


def crawl_figures(graph: LinkGraph, ranks: PageRank, scores: HitsScores) -> CrawlFigures:
    """Compute what is stored of a link graph.

    Args:
        graph: a link graph of n nodes.
        ranks: PageRank of its nodes, (n,).
        scores: authorities and hubs of its nodes, (n,).
    """
    groups, component = _page_communities(graph), _page_components(graph)
    of_all = {
        "pagerank": ranks.values,
        "authority": scores.authority,
        "hub": scores.hub,
        "community": _or_none(groups.number, groups.number == 0),
        **_cited_by(graph),
    }
    of_fetched = {**of_all, "component": component, **_tree(graph), **_out_links(graph)}
    return CrawlFigures(of_all, of_fetched, _host_links(graph), ranks, scores, groups, _community_links(graph, groups))


def _page_communities(graph: LinkGraph) -> _Communities:
    """Return the communities of the fetched pages by the links between them, (n,).

    A known, unfetched page has the number of the community from which most links lead to it, and does not count
    otherwise: its own links are unknown. 0 stands for pages without a community.

    Args:
        graph: a link graph.
    """
    fetched, *links = _between_fetched(graph)
    found = _communities(len(fetched), *links)
    number = np.zeros(graph.nodes, dtype=np.int64)
    number[fetched] = found.number
    return _Communities(np.where(graph.fetched, number, _strongest_group(graph, number)), found.modularity)


def _community_links(graph: LinkGraph, groups: _Communities) -> list[str]:
    """Return "SOURCE TARGET LINKS" of pairs of communities of fetched pages, at most `PAIRS`, most links first."""
    between = graph.fetched[graph.source] & graph.fetched[graph.target]
    s, t = groups.number[graph.source[between]], groups.number[graph.target[between]]
    pairs, links = np.unique(np.stack([s, t])[:, (s != t) & (s > 0) & (t > 0)], axis=1, return_counts=True)
    order = np.argsort(-links, kind="stable")[:PAIRS]
    return [f"{i} {j} {n}" for i, j, n in np.stack([*pairs, links])[:, order].T.tolist()]


def _page_components(graph: LinkGraph) -> Ids:
    """Return the strongly connected component of each fetched page, (n,); the links of the others are unknown: 0."""
    fetched, *links = _between_fetched(graph)
    number = np.zeros(graph.nodes, dtype=np.int64)
    number[fetched] = _components(len(fetched), *links)
    return number


def _between_fetched(graph: LinkGraph) -> tuple[Ids, Ids, Ids]:
    """Return the fetched nodes, (k,), and the ends of the links between them as positions in that array."""
    fetched = np.flatnonzero(graph.fetched)
    position = np.full(graph.nodes, -1)
    position[fetched] = np.arange(len(fetched))
    between = graph.fetched[graph.source] & graph.fetched[graph.target]
    return fetched, position[graph.source[between]], position[graph.target[between]]


def _tree(graph: LinkGraph) -> dict[str, _Column]:
    """Return the distance of each page from its seed over LED_TO, and the seed's URL; None where there is no way."""
    url_of = dict(graph.seeds)
    depth, root = _tree_depths(graph.nodes, *graph.led_to, list(url_of))
    seed = np.array([url_of.get(node) for node in root.tolist()], dtype=object)
    return {"depth": _or_none(depth, depth < 0), "seed": seed}


def _or_none(values: Ids, missing: Flags) -> _Column:
    """Return values with None where they are missing: the property is then removed."""
    column = values.astype(object)
    column[missing] = None
    return column


def _relevance(graph: LinkGraph) -> Floats:
    """Return R of the pages, (n,), 0 for those not fetched; raise RankError if no page has any."""
    if not graph.relevance.any():
        raise RankError("ranking.no_page_crawl_fetched", crawl=graph.crawl)
    return graph.relevance


def _write_pages(store: GraphStore, graph: LinkGraph, figures: CrawlFigures) -> None:
    known = np.arange(graph.nodes) < len(graph.urls)
    for kind, chosen, values in (
        ("fetched", graph.fetched, figures.of_fetched),
        ("knows", known & ~graph.fetched, figures.of_all),
    ):
        numbers = np.flatnonzero(chosen)
        lists = {name: values[name][numbers].tolist() for name in values}
        rows = [
            {"url": graph.urls[number], "figures": dict(zip(lists, figures, strict=True))}
            for number, figures in zip(numbers.tolist(), zip(*lists.values(), strict=True), strict=True)
        ]
        store.write(queries.get(f"rank/{kind}").text, rows, crawl=graph.crawl)


def _write_hosts(store: GraphStore, graph: LinkGraph, found: _HostLinks) -> None:
    """Replace the LINKS_TO_HOST of the crawl; those of some hosts are written together."""
    targets: dict[str, list[Row]] = {name: [] for name in graph.hosts}
    columns = (found.source.tolist(), found.target.tolist(), found.links.tolist(), found.to_relevant.tolist())
    for source, target, links, to_relevant in zip(*columns, strict=True):
        row = {"host": graph.hosts[target], "links": links, "to_relevant": to_relevant}
        targets[graph.hosts[source]].append(row)
    for some in _host_batches(targets):
        with store.transaction() as transaction:
            transaction.write(queries.get("remove/host_links").text, some, crawl=graph.crawl)
            transaction.write(queries.get("rank/host_links").text, some, crawl=graph.crawl)


def _host_batches(targets: Mapping[str, list[Row]]) -> Iterator[list[Row]]:
    """Yield rows {host, targets} in batches; a host counts as much as a target."""
    batch, size = list[Row](), 0
    for host, rows in targets.items():
        batch.append({"host": host, "targets": rows})
        size += 1 + len(rows)
        if size >= _PAIRS_PER_WRITE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _report(graph: LinkGraph, figures: CrawlFigures) -> RankReport:
    ranks, scores, groups = figures.ranks, figures.scores, figures.groups
    return RankReport(
        pages=graph.nodes,
        links=len(graph.source),
        iterations=ranks.iterations,
        residual=ranks.residual,
        diverges=ranks.diverges,
        hits_iterations=scores.iterations,
        hits_residual=scores.residual,
        communities=int(groups.number.max(initial=0)),
        modularity=groups.modularity,
        components=int((np.bincount(figures.of_fetched["component"])[1:] > 1).sum()),
        host_pairs=len(figures.host_links.links),
    )

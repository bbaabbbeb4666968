"""What is computed of a crawl's link graph and stored with the crawl: ranks, communities, components, link figures.

The graph is read once. FETCHED and KNOWS get the values of the pages, LINKS_TO_HOST those of pairs of hosts, and at
last the crawl gets the version of the figures: a crawl without it was not written to the end (kg/ranking/stored.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import queries
from kg.ranking import stored
from kg.ranking.communities import Communities, communities, components
from kg.ranking.hits import HitsScores, hits
from kg.ranking.link_figures import HostLinks, cited_by, host_links, out_links, strongest_group, tree_depths
from kg.ranking.link_graph import Flags, LinkGraph, read_link_graph
from kg.ranking.link_matrix import OMEGA, D, Floats, Ids, RankError, Reading
from kg.ranking.pagerank import PageRank, pagerank
from kg.store import GraphStore, Row

_PAIRS_PER_WRITE = 2_000
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
    """

    of_all: Mapping[str, _Column]
    of_fetched: Mapping[str, _Column]
    host_links: HostLinks
    ranks: PageRank
    scores: HitsScores
    groups: Communities


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
    stored.complete(store, crawl_id, modularity=figures.groups.modularity)
    return _report(graph, figures)


def crawl_figures(graph: LinkGraph, ranks: PageRank, scores: HitsScores) -> CrawlFigures:
    """Compute what is stored of a link graph.

    Args:
        graph: a link graph of n nodes.
        ranks: PageRank of its nodes, (n,).
        scores: authorities and hubs of its nodes, (n,).
    """
    groups, component = page_communities(graph), _page_components(graph)
    of_all = {
        "pagerank": ranks.values,
        "authority": scores.authority,
        "hub": scores.hub,
        "community": _or_none(groups.number, groups.number == 0),
        **cited_by(graph),
    }
    of_fetched = {**of_all, "component": component, **_tree(graph), **out_links(graph)}
    return CrawlFigures(of_all, of_fetched, host_links(graph), ranks, scores, groups)


def page_communities(graph: LinkGraph) -> Communities:
    """Return the communities of the fetched pages by the links between them, (n,).

    A known, unfetched page has the number of the community from which most links lead to it, and does not count
    otherwise: its own links are unknown. 0 stands for pages without a community.

    Args:
        graph: a link graph.
    """
    fetched, *links = _between_fetched(graph)
    found = communities(len(fetched), *links)
    number = np.zeros(graph.nodes, dtype=np.int64)
    number[fetched] = found.number
    return Communities(np.where(graph.fetched, number, strongest_group(graph, number)), found.modularity)


def _page_components(graph: LinkGraph) -> Ids:
    """Return the strongly connected component of each fetched page, (n,); the links of the others are unknown: 0."""
    fetched, *links = _between_fetched(graph)
    number = np.zeros(graph.nodes, dtype=np.int64)
    number[fetched] = components(len(fetched), *links)
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
    depth, root = tree_depths(graph.nodes, *graph.led_to, list(url_of))
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
        raise RankError(
            f"no page that the crawl {graph.crawl!r} fetched has a relevance over 0, so its ranks cannot be"
            " personalised; rank it without"
        )
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


def _write_hosts(store: GraphStore, graph: LinkGraph, found: HostLinks) -> None:
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

"""The link graph of a crawl, read once from the property graph into arrays.

Nodes are numbered: the pages that the crawl fetched or knows, in order of their URLs, then pages that only links
mention. PageRank, HITS, communities, components and the stored figures of links are computed from these arrays.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

import queries
from kg.batches import batches
from kg.ranking.link_matrix import Floats, Ids, RankError
from kg.store import GraphStore, Row, sorted_by

_PAGES_PER_READ = 1_000
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class LinkGraph:
    """The pages and links of a crawl: n nodes, of which the first k are fetched or known, m links and h hosts."""

    crawl: str
    urls: tuple[str, ...]
    """URLs of the k fetched or known pages, sorted."""
    host: Ids
    """Host of each node, (n,), as a position in ``hosts``; -1 where the graph has none."""
    hosts: tuple[str, ...]
    fetched: Flags
    """Shape (n,)."""
    judged: Flags
    """Fetched pages that have a relevance, (n,)."""
    relevant: Flags
    """Shape (n,)."""
    relevance: Floats
    """Relevance in [0, 1], (n,); 0 for pages without one."""
    source: Ids
    """Node at the start of each link, (m,); links are sorted by source, then target."""
    target: Ids
    """Node at the end of each link, (m,)."""
    anchor_relevance: Floats
    """R of each link in [0, 1], (m,); 0 for links without one."""
    led_to: tuple[Ids, Ids]
    """Sources and targets of the LED_TO relationships, which form a forest."""
    seeds: tuple[tuple[int, str], ...]
    """Node and URL of each seed of the crawl that is a node."""
    ranks: Mapping[str, Floats]
    """PageRank ("pagerank") and hub weights ("hub") that the graph has, (n,); 1 for pages without."""

    @property
    def nodes(self) -> int:
        """Number of nodes n."""
        return len(self.host)


def read_link_graph(store: GraphStore, crawl_id: str) -> LinkGraph:
    """Read the pages and links of a crawl.

    Args:
        store: an open graph.
        crawl_id: id of a crawl in the graph.

    Raises:
        RankError: the graph has no such crawl.
    """
    crawls = store.read(queries.get("rank/crawl").text, crawl=crawl_id)
    if not crawls:
        raise RankError("ranking.graph_no_crawl_project", crawl_id=crawl_id)
    pages = sorted_by(store.read(queries.get("rank/nodes").text, crawl=crawl_id), "url")
    links, led_to, R, others = _read_links(store, crawl_id, [str(row["node"]) for row in pages])
    urls = tuple(str(row["url"]) for row in pages)
    node = {url: number for number, url in enumerate(urls)}
    n = len(pages) + len(others)
    host_names = [row["host"] for row in (*pages, *others)]
    hosts = tuple(sorted({name for name in host_names if name is not None}))
    number_of = {name: number for number, name in enumerate(hosts)}
    order = np.lexsort((links[1], links[0]))
    return LinkGraph(
        crawl=crawl_id,
        urls=urls,
        host=np.array([number_of.get(name, -1) for name in host_names], dtype=np.int64),
        hosts=hosts,
        fetched=_column(pages, "fetched", n, 0.0) > 0,
        judged=~np.isnan(_column(pages, "relevance", n, np.nan)),
        relevant=_column(pages, "relevant", n, 0.0) > 0,
        relevance=_column(pages, "relevance", n, 0.0),
        source=links[0][order],
        target=links[1][order],
        anchor_relevance=R[order],
        led_to=led_to,
        seeds=tuple((node[url], url) for url in dict.fromkeys(crawls[0]["seeds"] or ()) if url in node),
        ranks={name: _column(pages, name, n, 1.0) for name in ("pagerank", "hub")},
    )


_Ends = tuple[Ids, Ids]


def _read_links(store: GraphStore, crawl_id: str, nodes: Sequence[str]) -> tuple[_Ends, _Ends, Floats, list[Row]]:
    """Return the ends of LINKS_TO and of LED_TO, R of the former, and the pages that only links mention.

    The latter are numbered after the others, in order of their URLs.

    Args:
        store: an open graph.
        crawl_id: id of the crawl.
        nodes: element ids of the pages that it fetched or knows.
    """
    text = queries.get("rank/links").text
    number = {node: i for i, node in enumerate(nodes)}
    ends = {kind: (array("q"), array("q")) for kind in ("LINKS_TO", "LED_TO")}
    R = array("d")
    for some in batches(nodes, _PAGES_PER_READ):
        for row in store.read(text, crawl=crawl_id, nodes=some):
            sources, targets = ends[row["kind"]]
            targets.extend(number.setdefault(node, len(number)) for node in row["targets"])
            sources.extend(repeat(number[row["source"]], len(row["targets"])))
            if row["kind"] == "LINKS_TO":
                R.extend(row["relevances"])
    others = list[Row]()
    for some in batches(list(number)[len(nodes) :], _PAGES_PER_READ):
        others += store.read(queries.get("rank/pages_of_nodes").text, nodes=some)
    others = sorted_by(others, "url")
    new = np.arange(len(number), dtype=np.int64)
    new[[number[row["node"]] for row in others]] = np.arange(len(nodes), len(number))
    links, led_to = ((new[np.array(i)], new[np.array(j)]) for i, j in ends.values())
    return links, led_to, np.array(R, dtype=np.float64), others


def _column(rows: Sequence[Row], name: str, n: int, missing: float) -> Floats:
    """Return a property of the pages, (n,); ``missing`` for pages without it and for pages that only links mention."""
    values = np.full(n, missing)
    for i, row in enumerate(rows):
        if row[name] is not None:
            values[i] = row[name]
    return values


def anchors_of_pages(store: GraphStore, crawl: str) -> list[Row]:
    """Return the pages that a crawl read, with ``url``, ``relevant`` and the ``anchors`` of the links to each.

    Args:
        store: an open graph.
        crawl: id of the crawl.
    """
    return store.read(queries.get("rank/anchors").text, crawl=crawl)

"""Maps of the web that a crawl saw: pages and links around a page, a host, a concept or in a community.

Hosts with their links, and communities with theirs, are maps too, of all pages of a large crawl.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from kg import networks
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import query_parameters
from ontology.errors import Message

MOST = 2_000
"""Maximum number of nodes of a map."""
_EXPANDED = 60
"""Maximum number of neighbours that an expanded page adds."""
_PAIRS = 50_000
"""Maximum number of pairs of hosts that are read, those with most links."""


@dataclass(frozen=True)
class Around:
    """What a map shows: ``pages``, or what is around its centre, the first of page, host and concept that is given.

    Without a centre a map has the pages with the highest PageRank.
    """

    page: str = ""
    host: str = ""
    concept: str = ""
    expanded: Sequence[str] = ()
    """URLs of pages whose neighbours are shown too."""
    also: Sequence[str] = ()
    """URLs of pages that are shown too, such as those of a path."""
    limit: int = 300
    """Maximum number of pages, those of ``expanded`` and ``also`` not counted; at most `MOST`."""
    pages: Sequence[str] = ()
    """URLs of the pages that are shown alone, in place of a centre and what is beside it."""
    community: int = 0
    """Number of the community whose pages are shown alone; 0 for none."""


@dataclass(frozen=True)
class WebMap:
    """Nodes with positions, and links between them."""

    nodes: Sequence[Mapping[str, Any]]
    """``id``, a URL, the name of a host or the number of a community; ``x`` and ``y`` in [-1, 1]; and figures, None
    where there is none."""
    links: Sequence[Mapping[str, Any]]
    """``source`` and ``target``, positions in ``nodes``; between hosts also ``links`` and ``to_relevant``, between
    communities ``links``."""
    reasons: Sequence[str] = field(default=())
    """Why there are no nodes, or no links, where that is known."""

    def as_json(self) -> dict[str, Any]:
        """Return the map as values of JSON."""
        return {"nodes": list(self.nodes), "links": list(self.links), "reasons": list(self.reasons)}


def pages_around(space: Workspace, graph: GraphStore, run: str, around: Around) -> WebMap:
    """Return the pages of a crawl around something, with the links between them.

    Pages are added along links in both directions, fetched pages and high PageRanks first, until there are as many as
    allowed: two links away from a page, one from those of a host or a concept.

    Args:
        space: the workspace.
        graph: its open graph.
        run: the crawl.
        around: what is shown.

    Returns:
        The map; nodes have the columns of the query ``network/pages``, and ``concept``, the one named most often.
    """
    centred = bool(around.pages or around.page or around.host or around.concept or around.community)
    known = {} if centred else {row["url"]: row for row in networks.favoured_pages(graph, run, around.limit)}
    centre, reasons = (list(known), ()) if known else _centre(space, graph, run, around)
    rings = 2 if around.page else 1 if around.host or around.concept else int(len(centre) < around.limit)
    alone = around.pages or around.community
    urls = centre[:MOST] if alone else _grown(graph, run, centre, rings, min(around.limit, MOST))
    for url in around.expanded:
        urls = _grown(graph, run, urls, 1, min(len(urls) + _EXPANDED, MOST), [url])
    urls = list(dict.fromkeys([*urls, *around.also]))[:MOST]
    rows = known | {row["url"]: row for row in networks.pages_of(graph, run, [u for u in urls if u not in known])}
    urls = [url for url in urls if url in rows]
    fetched = [url for url in urls if rows[url]["fetched"]]
    links = networks.links_between(graph, run, urls, fetched)
    concepts = networks.concept_named_most(graph, run, fetched)
    nodes = [{"id": url, **rows[url], "concept": concepts.get(url)} for url in urls]
    return _laid_out(nodes, [{"source": i, "target": j} for i, j in links], reasons if not nodes else ())


def hosts_of(space: Workspace, graph: GraphStore, run: str, limit: int = MOST) -> WebMap:
    """Return the hosts of a crawl with the links between them.

    Args:
        space: the workspace.
        graph: its open graph.
        run: the crawl.
        limit: maximum number of hosts: those with most relevant pages, then those with most links.

    Returns:
        The map; nodes have the columns of the query ``hosts/that_pay`` where pages of the host were fetched.
    """
    paying = query_parameters.ask(space, graph, "hosts/that_pay", {"crawl": run, "limit": limit})[0]
    pairs = query_parameters.ask(space, graph, "links/between_hosts", {"crawl": run, "least": 1, "limit": _PAIRS})[0]
    figures = {row["host"]: row for row in paying.records()}
    linked = [host for source, target, *_ in pairs.rows for host in (source, target)]
    names = list(dict.fromkeys([*figures, *linked]))[: min(limit, MOST)]
    at = {name: position for position, name in enumerate(names)}
    empty = dict.fromkeys(paying.columns)
    nodes = [{**empty, **figures.get(name, {}), "host": name, "id": name} for name in names]
    links = [
        {"source": at[source], "target": at[target], "links": number, "to_relevant": to_relevant}
        for source, target, number, to_relevant in pairs.rows
        if source in at and target in at
    ]
    return _laid_out(nodes, links, paying.reasons if not nodes else ())


def communities_of(space: Workspace, graph: GraphStore, run: str, limit: int = MOST) -> WebMap:
    """Return the communities of a crawl with the links between them: all its pages, however many there are.

    Args:
        space: the workspace.
        graph: its open graph.
        run: the crawl.
        limit: maximum number of communities, the largest first.

    Returns:
        The map; nodes have the columns of the query ``links/communities``, and the labels of ``characteristic`` in both
        languages as ``concepts``.
    """
    given = {"crawl": run, "least": 1, "limit": min(limit, MOST)}
    found = query_parameters.ask(space, graph, "links/communities", given)[0]
    rows = found.records()
    at = {row["community"]: position for position, row in enumerate(rows)}
    between = networks.links_between_communities(graph, run)
    links = [
        {"source": at[source], "target": at[target], "links": number}
        for (source, target), number in (between or {}).items()
        if source in at and target in at
    ]
    unknown = between is None and len(rows) > 1
    reasons = found.reasons if not rows else [Message("graph.community_links", run=run)] * unknown
    names = {name for row in rows for name in row["characteristic"]}
    english = {row["zh"]: row["en"] for row in graph.read(_ENGLISH, names=sorted(names))}
    nodes = [
        {**row, "id": str(row["community"]), "concepts": [_labels(name, english) for name in row["characteristic"]]}
        for row in rows
    ]
    return _laid_out(nodes, links, reasons)


_ENGLISH = (
    "MATCH (k:Concept) WHERE k.label_zh IN $names AND k.label_en IS NOT NULL "
    "RETURN k.label_zh AS zh, min(k.label_en) AS en"
)


def _labels(name: str, english: Mapping[str, str]) -> dict[str, str]:
    return {"zh": name, "en": english.get(name, name)}


def page_of(space: Workspace, graph: GraphStore, run: str, url: str) -> dict[str, Any]:
    """Return what a crawl knows of a page.

    Args:
        space: the workspace.
        graph: its open graph.
        run: the crawl.
        url: URL of the page.

    Returns:
        ``page``: the row of the query ``pages/page``, None if the crawl does not know the page; ``path``: those of
        ``crawl/why_fetched``, from the seed to the page.
    """
    known = _rows(space, graph, "pages/page", url=url)
    path = _rows(space, graph, "crawl/why_fetched", url=url, crawl=run)
    return {"page": next((row for row in known if row["crawl"] == run), None), "path": path}


def _rows(space: Workspace, graph: GraphStore, query: str, **given: Any) -> list[dict[str, Any]]:
    return query_parameters.ask(space, graph, query, given)[0].records()


def _centre(space: Workspace, graph: GraphStore, run: str, around: Around) -> tuple[list[str], Sequence[str]]:
    """Return the URLs that a map begins with; the page itself, or what a query of the library finds."""
    if around.pages:
        return list(around.pages), [Message("graph.map_none", run=run)]
    given: dict[str, Any] = {"crawl": run, "limit": min(around.limit, MOST)}
    if around.page:
        query, given = "pages/page", {"url": around.page}
    elif around.host:
        query, given = "hosts/pages", {**given, "host": around.host}
    elif around.concept:
        query, given = "pages/under_concept", {**given, "concept": around.concept}
    elif around.community:
        query, given = "pages/in_community", {**given, "community": around.community}
    else:
        query, given = "pages/top_by_pagerank", {**given, "fetched": True}
    found, unknown = query_parameters.ask(space, graph, query, given)
    reasons = found.reasons or [error.message for error in unknown]
    if not around.page:
        return [row[found.columns.index("url")] for row in found.rows], reasons
    url = query_parameters.canonical_url(around.page)
    return ([url] if any(row[0] == run for row in found.rows) else []), reasons or [f"crawl {run} does not know {url}"]


def _grown(
    graph: GraphStore, run: str, urls: Sequence[str], rings: int, limit: int, edge: Sequence[str] = ()
) -> list[str]:
    """Return the pages with those beside them, ring by ring, at most ``limit``; rings begin at ``edge``, or all."""
    seen, edge = dict.fromkeys(urls), edge or urls
    for _ in range(rings):
        if not edge or len(seen) >= limit:
            break
        beside = [url for url in networks.beside(graph, run, edge, limit) if url not in seen]
        edge = beside[: limit - len(seen)]
        seen |= dict.fromkeys(edge)
    return list(seen)[:limit]


def _laid_out(
    nodes: Sequence[dict[str, Any]], links: Sequence[Mapping[str, Any]], reasons: Sequence[str]
) -> WebMap:  # fmt: skip
    ends = np.array([(link["source"], link["target"]) for link in links], dtype=np.int64).reshape(-1, 2)
    positions = _force_layout(len(nodes), ends[:, 0], ends[:, 1]).tolist()
    placed = [{**node, "x": round(x, 4), "y": round(y, 4)} for node, (x, y) in zip(nodes, positions, strict=True)]
    return WebMap(placed, links, reasons)


# ---- positions of the nodes of a graph by forces: linked nodes attract, all nodes repel each other
#
# Source: M. Jacomy, T. Venturini, S. Heymann and M. Bastian, ForceAtlas2, a continuous graph layout algorithm for
# handy network visualization, PLoS ONE 9, 2014:
#
#     F_a(i, j) = d(i, j)                                 (1)  attraction along a link
#     F_r(i, j) = k_r (deg_i + 1) (deg_j + 1) / d(i, j)   (4)  repulsion
#     F_g(i)    = k_g (deg_i + 1) d(i)                    (6)  gravity, the strong one
#
# Two things differ from the source, to lay out 2,000 nodes in a second with arrays. Repulsion from afar is that of
# the centres of cells, as in Barnes and Hut 1986, but with one level of about sqrt(n) cells that hold equally many
# nodes: the nodes are cut by x into columns, these by y into cells. Movements are limited by a temperature that
# falls, as in T. M. J. Fruchterman and E. M. Reingold, Graph drawing by force-directed placement, 1991.


Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
STEPS = 150
SEED = 0
_K_R = 1.0
_K_G = 0.02
_HOTTEST = 0.2
"""Longest movement at the beginning, in standard deviations of the positions."""
_ALONE = 1.1
"""Largest distance from the middle of a node without a link, in those of the farthest linked node: nothing holds it."""
_NEAREST = np.float32(1e-3)
"""Least squared distance at which repulsion grows no more."""


def _force_layout(n: int, source: ArrayLike, target: ArrayLike) -> Floats:
    """Return positions of the nodes of a graph; equal graphs have equal positions.

    Args:
        n: number of nodes.
        source: node at the start of each of m links, shape (m,).
        target: node at the end of each link, shape (m,); directions and parallel links do not count.

    Returns:
        Positions in [-1, 1], shape (n, 2).

    >>> x = _force_layout(4, [0, 1, 2], [1, 2, 3])
    >>> ends, linked = np.linalg.norm(x[0] - x[3]), np.linalg.norm(x[0] - x[1])
    >>> bool(ends > 2 * linked)
    True
    """
    if n == 0:
        return np.zeros((0, 2), dtype=np.float32)
    A = _adjacency(n, np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64))
    degree = np.asarray(A.sum(axis=1), dtype=np.float32).ravel()
    mass = degree + 1
    x = np.random.default_rng(SEED).standard_normal((n, 2)).astype(np.float32) * np.sqrt(np.float32(n))
    for step in range(STEPS):
        F = A @ x - degree[:, None] * x
        F += repulsion(x, mass) - _K_G * mass[:, None] * x
        move = F / (2 * mass[:, None])
        length = np.sqrt(np.square(move).sum(axis=1, keepdims=True))
        hottest = _HOTTEST * float(x.std()) * (1 - step / STEPS)
        x += move * np.minimum(1, hottest / np.maximum(length, 1e-9))
    if (linked := degree > 0).any():
        x -= (x[linked].max(axis=0) + x[linked].min(axis=0)) / 2
        far = np.linalg.norm(x, axis=1, keepdims=True)
        edge = _ALONE * far[linked].max()
        x = np.where(linked[:, None], x, x * np.minimum(1, edge / np.maximum(far, 1e-9)))
    x -= (x.max(axis=0) + x.min(axis=0)) / 2
    return np.asarray(x / max(float(np.abs(x).max()), 1e-9), dtype=np.float32)


def repulsion(x: Floats, mass: Floats) -> Floats:
    """Return F_r of each node: exact within its cell, and from the centres of the other cells.

    Args:
        x: positions, shape (n, 2).
        mass: deg + 1 of each node, shape (n,).

    Returns:
        Forces, shape (n, 2).
    """
    n, members = len(x), _cells(x)
    m = np.append(mass, np.float32(0))[members]  # 0 for places that no node has
    p = np.append(x.T, np.zeros((2, 1), dtype=np.float32), axis=1)[:, members]
    of_cell = m.sum(axis=1)
    centre = (p * m).sum(axis=2) / np.maximum(of_cell, 1)
    near = _pulled(p, p[:, :, None, :], m[:, None, :])
    weight = np.where(np.eye(len(members), dtype=bool), np.float32(0), of_cell)[:, None, :]  # the own cell is near
    far = _pulled(p, centre[:, None, None, :], weight)
    F = np.zeros((2, n + 1), dtype=np.float32)
    F[:, members] = near + far
    return np.asarray(_K_R * mass[:, None] * F[:, :n].T, dtype=np.float32)


def _pulled(p: Floats, q: Floats, weight: Floats) -> Floats:
    """Return the sum over points q of weight (p - q) / d(p, q)^2 for each p, shape (2, cells, places).

    Args:
        p: nodes by cell, shape (2, cells, places).
        q: what repels them, shape (2, cells or 1, 1, k).
        weight: mass of each q, shape (cells, 1, k).
    """
    dx, dy = p[0][:, :, None] - q[0], p[1][:, :, None] - q[1]
    squared = dx * dx
    squared += dy * dy
    np.maximum(squared, _NEAREST, out=squared)
    np.divide(weight, squared, out=squared)
    return np.stack([np.einsum("cpk,cpk->cp", d, squared) for d in (dx, dy)])


def _cells(x: Floats) -> Ids:
    """Return the nodes of each cell, shape (c c, places); n stands at places that no node has."""
    n = len(x)
    c = max(1, round(n**0.25))
    places = -(-n // (c * c))
    order = np.append(np.argsort(x[:, 0], kind="stable"), np.full(c * c * places - n, n))
    columns = order.reshape(c, c * places)
    y = np.append(x[:, 1], np.float32(np.inf))[columns]
    return np.take_along_axis(columns, np.argsort(y, axis=1, kind="stable"), axis=1).reshape(c * c, places)


def _adjacency(n: int, i: Ids, j: Ids) -> sparse.csr_array:
    """Return the undirected graph without loops, 1 for each pair of linked nodes."""
    i, j = i[i != j], j[i != j]
    ones = np.ones(2 * len(i), dtype=np.float32)
    A = sparse.csr_array((ones, (np.append(i, j), np.append(j, i))), shape=(n, n))
    A.sum_duplicates()
    A.data[:] = 1
    return A

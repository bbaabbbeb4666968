"""PageRank and HITS over a link graph given as arrays, and the ranks of a crawl that stands in the graph.

Source: paper 000 (FCOSA), Eq. (7), the same as paper 002, Eq. (6):

    PR(P) = (1 - d) + d * sum_i PR(P_i) / C(P_i)

un-normalised, with C(P_i) = all out-links of the page P_i, fetched or not (algorithms.md, T3); and paper 000, Eq. (8),
biased by the relevance R(A_i) of the anchors:

    PR(P) = (1 - d) + d * sum_i PR(P_i) / C(P_i) * (1 + omega * R(A_i))

Eq. (8) diverges as soon as the mean anchor relevance exceeds (1/d - 1) / omega = .294 (T1). ``reading="printed"`` is
that equation with a fixed number of iterations and a spectral check; ``reading="repaired"``, the default, normalises
by row: (1 + omega * R_i) / sum over the page's out-links of (1 + omega * R_k) in place of (1 + omega * R_i) / C.
HITS is the standard iteration (Kleinberg 1999): a = A^T h, h = A a, both of L2 norm 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import ArpackNoConvergence, eigs

import queries
from kg.store import GraphStore

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Reading = Literal["repaired", "printed"]

_DENSE = 300
"""Strongly connected parts up to this size get all their eigenvalues; larger ones only the largest."""
_PAGES_PER_READ = 1_000


class RankError(ValueError):
    """Arguments that describe no link graph, a crawl that the graph lacks, or values beyond the floating point."""


@dataclass(frozen=True, slots=True, eq=False)
class PageRank:
    """Ranks by node with the course of the iteration."""

    values: Floats
    """(n,), at least 1 - d each; no upper bound and no fixed sum."""
    iterations: int
    residual: float
    """Largest change of a value in the last iteration, relative to the largest value."""
    diverges: bool = False
    """Whether the spectral radius is 1 or more; the values then only tell how far the iteration came."""


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Authority and hub weights by node, each (n,) with L2 norm 1, or all 0 where there is no link."""

    authority: Floats
    hub: Floats
    iterations: int
    residual: float


def pagerank(
    n: int,
    source: ArrayLike,
    target: ArrayLike,
    *,
    out_degree: ArrayLike | None = None,
    anchor_relevance: ArrayLike | None = None,
    omega: float = 0.6,
    d: float = 0.85,
    reading: Reading = "repaired",
    start: ArrayLike | None = None,
    tolerance: float = 1e-9,
    max_iterations: int = 200,
) -> PageRank:
    """PageRank of n nodes: Eq. (7) without ``anchor_relevance``, Eq. (8) with it (paper 000).

    ``source`` and ``target`` are the ends of m links as node numbers; ``out_degree`` (n,) is C of each node where it
    has more out-links than those listed (default: the listed ones); ``anchor_relevance`` (m,) is R(A_i) in [0, 1].
    ``start`` (n,) is a warm start (default: ones). The iteration ends when no value changes by more than
    ``tolerance`` times the largest one; Eq. (8) as printed always makes ``max_iterations`` steps (T1).

    Raises RankError for arrays that do not fit together and for values that leave the floating point.
    """
    M = link_matrix(
        n, source, target, out_degree=out_degree, anchor_relevance=anchor_relevance, omega=omega, d=d, reading=reading
    )
    fixed = reading == "printed" and anchor_relevance is not None
    PR = np.ones(n) if start is None else _vector("start", start, n).copy()
    residual, iterations = 0.0, 0
    while iterations < max_iterations and n:
        following = (1 - d) + M @ PR  # Eq. (7), Eq. (8)
        largest = float(np.abs(following).max())
        if not np.isfinite(largest):
            raise RankError(
                f"PageRank left the floating point after {iterations} iterations: Eq. (8) as printed diverges on this "
                'graph (T1); use reading="repaired" or fewer iterations'
            )
        residual = float(np.abs(following - PR).max()) / largest
        PR, iterations = following, iterations + 1
        if not fixed and residual <= tolerance:
            break
    return PageRank(PR, iterations, residual, diverges=fixed and spectral_radius(M) >= 1)


def link_matrix(
    n: int,
    source: ArrayLike,
    target: ArrayLike,
    *,
    out_degree: ArrayLike | None = None,
    anchor_relevance: ArrayLike | None = None,
    omega: float = 0.6,
    d: float = 0.85,
    reading: Reading = "repaired",
) -> sparse.csr_array:
    """The (n, n) matrix M of PR = (1 - d) + M PR; row: the page linked to, column: the page with the link.

    Where a page has more out-links than those listed, the unlisted ones count in the repaired Eq. (8) with the mean
    relevance of the listed ones, so that constant R gives Eq. (7) there too.
    """
    i, j = _ends(n, source, target)
    listed = np.bincount(i, minlength=n).astype(np.float64)
    C = listed if out_degree is None else _vector("out_degree", out_degree, n)
    if np.any(listed > C):
        worst = int(np.argmax(listed - C))
        raise RankError(f"out_degree of node {worst} is {C[worst]:g}, but {listed[worst]:g} of its links are listed")
    if not 0 <= d < 1:
        raise RankError(f"d must be in [0, 1), found {d}")
    if anchor_relevance is None:
        weight = 1 / C[i]  # Eq. (7)
    else:
        R = _vector("anchor_relevance", anchor_relevance, len(i))
        if R.size and (R.min() < 0 or R.max() > 1):
            raise RankError(f"anchor_relevance must be in [0, 1], found values from {R.min()} to {R.max()}")
        biased = 1 + omega * R
        if reading == "printed":
            weight = biased / C[i]  # Eq. (8)
        else:
            row_sum = np.bincount(i, weights=biased, minlength=n)
            weight = biased / row_sum[i] * (listed[i] / C[i])  # T1
    return sparse.csr_array((d * weight, (j, i)), shape=(n, n))


def spectral_radius(matrix: sparse.csr_array) -> float:
    """Largest absolute eigenvalue of a square matrix without negative entries; below 1 exactly where PR converges.

    It is the largest of its strongly connected parts; in such a part it is the eigenvalue with the largest real
    part (Perron and Frobenius). Raises RankError where that one cannot be found.
    """
    n = matrix.shape[0]
    if n == 0 or matrix.nnz == 0:
        return 0.0
    count, part = csgraph.connected_components(matrix, directed=True, connection="strong")
    size = np.bincount(part, minlength=count)
    loops = matrix.diagonal()
    radius = float(loops.max())
    order = np.argsort(part, kind="stable")
    starts = np.concatenate(([0], np.cumsum(size)))
    for p in np.flatnonzero(size > 1):
        rows = order[starts[p] : starts[p + 1]]
        radius = max(radius, _perron_root(sparse.csr_array(matrix[rows][:, rows])))
    return radius


def _perron_root(irreducible: sparse.csr_array) -> float:
    if irreducible.shape[0] <= _DENSE:
        return float(np.abs(np.linalg.eigvals(irreducible.toarray())).max())
    try:
        found = eigs(irreducible, k=1, which="LR", v0=np.ones(irreducible.shape[0]), return_eigenvectors=False)
    except ArpackNoConvergence as failure:
        raise RankError(
            f"the spectral radius of a part of {irreducible.shape[0]} nodes was not found ({failure}); "
            'use reading="repaired", which always converges'
        ) from failure
    return float(np.abs(found[0]))


def hits(n: int, source: ArrayLike, target: ArrayLike, *, tolerance: float = 1e-9, max_iterations: int = 200) -> Hits:
    """Hubs and authorities of n nodes from ones: a = A^T h, h = A a, each scaled to L2 norm 1 [standard].

    ``source`` and ``target`` are the ends of the links as node numbers. Raises RankError for ends out of range.
    """
    i, j = _ends(n, source, target)
    A = sparse.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    AT = A.T.tocsr()
    a, h = np.zeros(n), np.ones(n)
    residual, iterations = 0.0, 0
    while iterations < max_iterations and n:
        authority = _unit(_floats(AT @ h))
        hub = _unit(_floats(A @ authority))
        residual = float(max(np.abs(authority - a).max(), np.abs(hub - h).max()))
        a, h, iterations = authority, hub, iterations + 1
        if residual <= tolerance:
            break
    return Hits(a, h, iterations, residual)


def _floats(x: object) -> Floats:
    return np.asarray(x, dtype=np.float64)


def _unit(x: Floats) -> Floats:
    norm = float(np.linalg.norm(x))
    return x / norm if norm > 0 else x


def _ends(n: int, source: ArrayLike, target: ArrayLike) -> tuple[Ids, Ids]:
    i = np.asarray(source, dtype=np.int64).reshape(-1)
    j = np.asarray(target, dtype=np.int64).reshape(-1)
    if len(i) != len(j):
        raise RankError(f"source has {len(i)} links and target {len(j)}; give one of each per link")
    for name, ends in (("source", i), ("target", j)):
        if ends.size and (ends.min() < 0 or ends.max() >= n):
            raise RankError(f"{name} names nodes from {ends.min()} to {ends.max()}; with n={n} they are 0 to {n - 1}")
    return i, j


def _vector(name: str, values: ArrayLike, length: int) -> Floats:
    vector = np.asarray(values, dtype=np.float64).reshape(-1)
    if len(vector) != length:
        raise RankError(f"{name} has {len(vector)} values, expected {length}")
    if not np.isfinite(vector).all():
        raise RankError(f"{name} holds values that are not finite")
    return vector


@dataclass(frozen=True, slots=True)
class RankReport:
    """What ``rank_crawl`` did."""

    pages: int
    links: int
    iterations: int
    residual: float
    diverges: bool


def rank_crawl(
    store: GraphStore,
    crawl_id: str,
    *,
    topic_biased: bool = False,
    omega: float = 0.6,
    d: float = 0.85,
    reading: Reading = "repaired",
) -> RankReport:
    """PageRank of all pages that a crawl fetched or knows, written to its FETCHED and KNOWS relationships.

    Eq. (7), or Eq. (8) with ``topic_biased``, over the LINKS_TO of this crawl; known, unfetched pages are nodes
    without out-links (T3). Raises RankError where the graph has no such crawl.
    """
    if not store.read(queries.get("rank/crawl").text, crawl=crawl_id):
        raise RankError(f"the graph has no crawl {crawl_id!r}; project it first (graph rebuild)")
    urls = [row["url"] for row in store.read(queries.get("rank/pages").text, crawl=crawl_id)]
    node = {url: number for number, url in enumerate(urls)}
    source: list[int] = []
    target: list[int] = []
    R: list[float] = []
    for row in _links(store, crawl_id, urls):
        source.append(node.setdefault(row["source"], len(node)))
        target.append(node.setdefault(row["target"], len(node)))
        R.append(row["relevance"] or 0.0)
    ranks = pagerank(
        len(node),
        source,
        target,
        anchor_relevance=R if topic_biased else None,
        omega=omega,
        d=d,
        reading=reading,
    )
    rows = [{"url": url, "pagerank": float(ranks.values[node[url]])} for url in urls]
    for kind in ("fetched", "knows"):
        store.write(queries.get(f"rank/{kind}").text, rows, crawl=crawl_id)
    return RankReport(len(node), len(source), ranks.iterations, ranks.residual, ranks.diverges)


def _links(store: GraphStore, crawl_id: str, urls: Sequence[str]) -> Iterator[dict[str, Any]]:
    text = queries.get("rank/links").text
    for first in range(0, len(urls), _PAGES_PER_READ):
        yield from store.read(text, crawl=crawl_id, urls=list(urls[first : first + _PAGES_PER_READ]))

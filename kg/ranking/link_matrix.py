"""The link matrix of Eqs. (7) and (8) of paper 000: the share of its rank that each page passes to each other page.

PR = (1 - d) + M PR. By Eq. (7) the entry of M for a link from page i is d / C_i, with C_i all out-links of the page,
fetched or not (algorithms.md, T3). By Eq. (8) as printed it is d (1 + omega R) / C_i with R the relevance of the
link's anchor; a column of M may then sum to more than 1, and the iteration diverges as soon as the mean R exceeds
(1/d - 1) / omega = .294 (T1). The repaired Eq. (8) has d (1 + omega R) / sum over the page's links of (1 + omega R_k):
every column sums to d at most, so the spectral radius is d at most.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ontology.errors import OntocrawlError

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Reading = Literal["repaired", "printed"]

OMEGA, D = 0.6, 0.85
"""The published values of paper 000, section 4.2."""
_DENSE = 300
"""Strongly connected parts up to this size get all their eigenvalues; larger ones only the largest."""


class RankError(OntocrawlError, ValueError):
    """Arguments that describe no link graph, a crawl that the graph lacks, or a floating point overflow."""


def link_matrix(
    n: int,
    source: ArrayLike,
    target: ArrayLike,
    *,
    out_degree: ArrayLike | None = None,
    anchor_relevance: ArrayLike | None = None,
    omega: float = OMEGA,
    d: float = D,
    reading: Reading = "repaired",
) -> scipy.sparse.csr_array:
    """Return the matrix M of PR = (1 - d) + M PR; row: the page linked to, column: the page with the link.

    Args:
        n: number of nodes.
        source: node number at the start of each of m links, shape (m,); parallel links count separately.
        target: node number at the end of each link, shape (m,).
        out_degree: number of out-links of each node, shape (n,), where it has more than those listed; the listed ones
            by default. In the repaired Eq. (8) the unlisted links count with the mean relevance of the listed ones, so
            that a constant R gives Eq. (7) there too.
        anchor_relevance: R of each link in [0, 1], shape (m,), for Eq. (8); Eq. (7) by default.
        omega: weight of the anchor relevance, 0 or more.
        d: damping factor in [0, 1).
        reading: "repaired" or "printed" form of Eq. (8).

    Returns:
        Sparse matrix of shape (n, n).

    Raises:
        RankError: the arrays do not fit together, or d, omega or R is out of range.

    >>> link_matrix(3, [0, 0, 1], [1, 2, 2]).toarray().tolist()
    [[0.0, 0.0, 0.0], [0.425, 0.0, 0.0], [0.425, 0.85, 0.0]]
    """
    i, j = link_ends(n, source, target)
    check_damping(d, omega)
    listed = np.bincount(i, minlength=n).astype(np.float64)
    C = listed if out_degree is None else vector("out_degree", out_degree, n)
    if np.any(listed > C):
        worst = int(np.argmax(listed - C))
        raise RankError("ranking.out_degree_node_but", worst=worst, c=C[worst], listed=listed[worst])
    per_link = d / np.maximum(C, 1)  # the value of a page without links is not used
    if anchor_relevance is None:
        weight = per_link[i]  # Eq. (7)
    else:
        biased = 1 + omega * relevances(anchor_relevance, len(i))
        if reading == "repaired":  # T1: the mean of (1 + omega R) over the page's links becomes 1
            row_sum = np.bincount(i, weights=biased, minlength=n)
            per_link *= listed / np.where(row_sum > 0, row_sum, 1)
        weight = biased * per_link[i]  # Eq. (8)
    return scipy.sparse.csr_array((weight, (j, i)), shape=(n, n))


def spectral_radius(matrix: scipy.sparse.csr_array) -> float:
    """Compute the largest absolute eigenvalue of a non-negative square matrix; PR converges only if it is below 1.

    It is the largest of its strongly connected parts; in such a part it is the eigenvalue with the largest real part
    (Perron and Frobenius).

    Raises:
        RankError: the eigenvalue iteration does not converge.

    >>> round(spectral_radius(link_matrix(2, [0, 1], [1, 0])), 2)
    0.85
    """
    n = matrix.shape[0]
    if n == 0 or matrix.nnz == 0:
        return 0.0
    count, part = scipy.sparse.csgraph.connected_components(matrix, directed=True, connection="strong")
    size = np.bincount(part, minlength=count)
    loops = matrix.diagonal()
    radius = float(loops.max())
    order = np.argsort(part, kind="stable")
    starts = np.concatenate(([0], np.cumsum(size)))
    for p in np.flatnonzero(size > 1):
        rows = order[starts[p] : starts[p + 1]]
        radius = max(radius, _perron_root(scipy.sparse.csr_array(matrix[rows][:, rows])))
    return radius


def _perron_root(irreducible: scipy.sparse.csr_array) -> float:
    if irreducible.shape[0] <= _DENSE:
        return float(np.abs(np.linalg.eigvals(irreducible.toarray())).max())
    try:
        eigenvalues = scipy.sparse.linalg.eigs(
            irreducible, k=1, which="LR", v0=np.ones(irreducible.shape[0]), return_eigenvectors=False
        )
    except scipy.sparse.linalg.ArpackNoConvergence as failure:
        raise RankError("ranking.spectral_radius_part_nodes", shape=irreducible.shape[0], failure=failure) from failure
    return float(np.abs(eigenvalues[0]))


def link_ends(n: int, source: ArrayLike, target: ArrayLike) -> tuple[Ids, Ids]:
    """Return the ends of m links as arrays of node numbers, each (m,); numbers of 32 bits are left as they are.

    Args:
        n: number of nodes.
        source: node number at the start of each link.
        target: node number at the end of each link.

    Raises:
        RankError: the lengths differ, or a node number is not in 0 .. n-1.
    """
    i, j = (_numbers(ends) for ends in (source, target))
    if len(i) != len(j):
        raise RankError("ranking.source_links_target_give", n_i=len(i), n_j=len(j))
    for name, ends in (("source", i), ("target", j)):
        if ends.size and (ends.min() < 0 or ends.max() >= n):
            raise RankError("ranking.names_nodes_n", name=name, least=ends.min(), most=ends.max(), n=n, last=n - 1)
    return i, j


def _numbers(ends: ArrayLike) -> Ids:
    array = np.asarray(ends).reshape(-1)
    return array if array.dtype == np.int32 else array.astype(np.int64, copy=False)


def relevances(values: ArrayLike, m: int) -> Floats:
    """Return R of the anchors as an array.

    Args:
        values: relevances in [0, 1].
        m: number of links.

    Raises:
        RankError: a value is outside [0, 1], or the number of values is not m.
    """
    R = vector("anchor_relevance", values, m)
    if R.size and (R.min() < 0 or R.max() > 1):
        raise RankError("ranking.anchor_relevance_must_found", least=R.min(), most=R.max())
    return R


def check_damping(d: float, omega: float) -> None:
    """Check the range of the parameters.

    Args:
        d: damping factor.
        omega: weight of the anchor relevance.

    Raises:
        RankError: not 0 <= d < 1, or not 0 <= omega < infinity.
    """
    if not 0 <= d < 1:
        raise RankError("ranking.d_must_found", d=d)
    if not 0 <= omega < np.inf:
        raise RankError("ranking.omega_must_more_found", omega=omega)


def vector(name: str, values: ArrayLike, length: int) -> Floats:
    """Return values as a finite float64 array of the expected length.

    Args:
        name: name of the argument, for the error message.
        values: array-like.
        length: expected number of values.

    Raises:
        RankError: the length is another, or a value is not finite.
    """
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    if len(array) != length:
        raise RankError("ranking.values_expected", name=name, n_array=len(array), length=length)
    if not np.isfinite(array).all():
        raise RankError("ranking.holds_values_not_finite", name=name)
    return array

"""HITS: hubs and authorities of a link graph given as arrays.

Source: J. M. Kleinberg, Authoritative sources in a hyperlinked environment, J. ACM 46 (1999), the iterative algorithm
of section 3: a = A^T h, h = A a, both of L2 norm 1 (algorithms.md, 3 and G4). A page is a good authority where good
hubs link to it, and a good hub where it links to good authorities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kg.ranking.link_matrix import Floats, RankError, link_ends, vector


@dataclass(frozen=True, slots=True, eq=False)
class HitsScores:
    """Authority and hub weights by node, each (n,) with L2 norm 1, or all 0 if there is no link."""

    authority: Floats
    hub: Floats
    iterations: int
    residual: float
    """Largest change of a weight in the last iteration."""


def hits(
    n: int,
    source: ArrayLike,
    target: ArrayLike,
    *,
    start: ArrayLike | None = None,
    tolerance: float = 1e-9,
    max_iterations: int = 200,
) -> HitsScores:
    """Compute hub and authority weights: a = A^T h, h = A a, each scaled to L2 norm 1.

    Parallel links count separately. If two unconnected parts of the graph are equally dense, the ratio of the weights
    between them depends on the start.

    Args:
        n: number of nodes.
        source: node number at the start of each of m links, shape (m,).
        target: node number at the end of each link, shape (m,).
        start: initial hub weights, shape (n,), none negative; ones by default. The weights of a slightly smaller graph
            save iterations.
        tolerance: the iteration ends when no weight changes by more than this.
        max_iterations: the iteration ends after this many steps in any case.

    Returns:
        Authority and hub weights, with the number of iterations and the last change.

    Raises:
        RankError: the ends are out of range, or the start is negative or all 0.

    >>> scores = hits(3, [0, 0, 1], [1, 2, 2])
    >>> scores.authority.round(3).tolist(), scores.hub.round(3).tolist()
    ([0.0, 0.526, 0.851], [0.851, 0.526, 0.0])
    """
    i, j = link_ends(n, source, target)
    AT = sparse.csr_array((np.ones(len(i)), (j, i)), shape=(n, n))
    A = AT.T.tocsr()
    a, h = np.zeros(n), _start(start, n)
    residual, iterations = 0.0, 0
    while iterations < max_iterations and n:
        authority = _unit(_floats(AT @ h))
        hub = _unit(_floats(A @ authority))
        residual = float(max(np.abs(authority - a).max(), np.abs(hub - h).max()))
        a, h, iterations = authority, hub, iterations + 1
        if residual <= tolerance:
            break
    return HitsScores(a, h, iterations, residual)


def _start(initial: ArrayLike | None, n: int) -> Floats:
    if initial is None:
        return np.ones(n)
    h = vector("start", initial, n)
    if n and (h.min() < 0 or h.max() == 0):
        raise RankError("ranking.start_must_more_not", least=h.min(), most=h.max())
    return h


def _floats(x: object) -> Floats:
    return np.asarray(x, dtype=np.float64)


def _unit(x: Floats) -> Floats:
    norm = float(np.sqrt(np.square(x).sum()))
    return x / norm if norm > 0 else x

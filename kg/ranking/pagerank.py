"""PageRank of a link graph given as arrays.

Source: paper 000 (FCOSA), Eq. (7), the same as paper 002, Eq. (6):

    PR(P) = (1 - d) + d * sum_i PR(P_i) / C(P_i)

un-normalised, with C(P_i) = all out-links of the page P_i, fetched or not (algorithms.md, T3); and paper 000, Eq. (8),
biased by the relevance R(A_i) of the anchors:

    PR(P) = (1 - d) + d * sum_i PR(P_i) / C(P_i) * (1 + omega * R(A_i))

Eq. (8) diverges as soon as the mean anchor relevance exceeds (1/d - 1) / omega = .294 (T1). ``reading="printed"`` is
that equation with a fixed number of iterations and a spectral check; ``reading="repaired"``, the default, normalises
by row: (1 + omega * R_i) / sum over the page's out-links of (1 + omega * R_k) in place of (1 + omega * R_i) / C.

Personalised by topic (T. H. Haveliwala, Topic-sensitive PageRank, WWW 2002), the constant term (1 - d) is not equal
for all pages but proportional to the relevance of each; its sum remains n (1 - d), so that equal shares give Eq. (7)
or Eq. (8).

The matrix is computed in link_matrix.py. incremental_pagerank.py updates the ranks of a growing graph, and
crawl_ranks.py stores those of a crawl in the property graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kg.ranking.link_matrix import OMEGA, D, Floats, RankError, Reading, link_matrix, spectral_radius, vector


@dataclass(frozen=True, slots=True, eq=False)
class PageRank:
    """Ranks by node, with the number of iterations and the last change."""

    values: Floats
    """Shape (n,); at least the page's constant term, which is 1 - d without personalisation; no upper bound."""
    iterations: int
    residual: float
    """Largest change of a value in the last iteration, relative to the largest value."""
    diverges: bool = False
    """Whether the spectral radius is 1 or more; the values are then those of an unfinished, diverging iteration."""


def pagerank(
    n: int,
    source: ArrayLike,
    target: ArrayLike,
    *,
    out_degree: ArrayLike | None = None,
    anchor_relevance: ArrayLike | None = None,
    personalisation: ArrayLike | None = None,
    omega: float = OMEGA,
    d: float = D,
    reading: Reading = "repaired",
    start: ArrayLike | None = None,
    tolerance: float = 1e-9,
    max_iterations: int = 200,
) -> PageRank:
    """Compute the PageRank of n nodes: Eq. (7) without ``anchor_relevance``, Eq. (8) with it (paper 000).

    Args:
        n: number of nodes.
        source: node number at the start of each of m links, shape (m,).
        target: node number at the end of each link, shape (m,).
        out_degree: C of each node, shape (n,), where it has more out-links than those listed; the listed ones by
            default.
        anchor_relevance: R(A_i) of each link in [0, 1], shape (m,).
        personalisation: shares of the constant term, shape (n,), none negative, of any sum but 0; equal ones by
            default.
        omega: weight of the anchor relevance, 0 or more.
        d: damping factor in [0, 1).
        reading: "repaired" or "printed" form of Eq. (8).
        start: initial ranks, shape (n,); ones by default.
        tolerance: the iteration ends when no value changes by more than this times the largest one.
        max_iterations: maximum number of steps; Eq. (8) as printed always takes all of them (T1).

    Raises:
        RankError: the arrays do not fit together, or a value overflows.

    >>> pagerank(3, [0, 0, 1], [1, 2, 2]).values.round(3).tolist()
    [0.15, 0.214, 0.395]
    """
    M = link_matrix(
        n, source, target, out_degree=out_degree, anchor_relevance=anchor_relevance, omega=omega, d=d, reading=reading
    )
    constant = _constant_term(n, d, personalisation)
    fixed = reading == "printed" and anchor_relevance is not None
    PR = np.ones(n) if start is None else vector("start", start, n).copy()
    residual, iterations = 0.0, 0
    while iterations < max_iterations and n:
        passed = M @ PR
        following = constant + (1.0 if fixed else _scale(n * (1 - d), PR, passed)) * passed  # Eq. (7), Eq. (8)
        largest = float(np.abs(following).max())
        if not np.isfinite(largest):
            raise RankError("ranking.pagerank_left_floating_point", iterations=iterations)
        residual = float(np.abs(following - PR).max()) / (largest or 1.0)
        PR, iterations = following, iterations + 1
        if not fixed and residual <= tolerance:
            break
    return PageRank(PR, iterations, residual, diverges=fixed and spectral_radius(M) >= 1)


def _scale(total: float, PR: Floats, passed: Floats) -> float:
    """Return the factor that corrects the sum of PR, given the sum n (1 - d) of the constant term; 1 at the end.

    With it a step is one of the power method for M plus the constant term as the part that its columns lack of 1: a
    stochastic matrix, whose second eigenvalue is d at most. Without it a warm start with a wrong sum converges slowly.
    """
    lost = float(PR.sum() - passed.sum())
    return total / lost if lost > 0 else 1.0


def _constant_term(n: int, d: float, personalisation: ArrayLike | None) -> Floats | float:
    if personalisation is None:
        return 1 - d
    share = vector("personalisation", personalisation, n)
    if n and (share.min() < 0 or share.max() == 0):
        raise RankError("ranking.personalisation_must_more_not", least=share.min(), most=share.max())
    return (1 - d) * share / share.mean() if n else share

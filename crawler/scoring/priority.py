"""The comprehensive priority of a link: paper 000 (FCOSA), section 4.3, Eq. (12).

    Priority(l) = alpha R(A_l) + beta sum_i R(P_i) + gamma PR(P_l) + theta R(P_l),   alpha + beta + gamma + theta = 1

Its four weights are not published (trap T2). The index of PR is read as the page that the link points to (trap T3).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from crawler.model import Floats
from crawler.parameters import check_sum

Weights = tuple[float, float, float, float]
WEIGHTS: Weights = (0.3, 0.2, 0.1, 0.4)
"""alpha, beta, gamma, theta: a reconstruction, because the paper does not print them (trap T2)."""


def comprehensive_priority(
    R_A: Floats, R_parents: Floats, PR: Floats, R_target: Floats, weights: Weights = WEIGHTS
) -> Floats:
    """Eq. (12) for m links.

    Args:
        R_A: relevance of the links' anchors, Eq. (10), in [0, 1].
        R_parents: relevance of the fetched pages that contain each link, by ``parents_part``.
        PR: importance of the page that each link points to, by ``pagerank_part``.
        R_target: relevance of that page, Eq. (11), looked up or predicted (trap T4), in [0, 1].
        weights: alpha, beta, gamma, theta.

    Returns:
        Shape (m,); in [0, 1] under the default readings of the parts.

    Raises:
        ValueError: the weights are not numbers >= 0 of sum 1.
    """
    alpha, beta, gamma, theta = weights
    check_sum(alpha=alpha, beta=beta, gamma=gamma, theta=theta)
    return alpha * R_A + beta * R_parents + gamma * PR + theta * R_target  # Eq. (12)


def parents_part(total: Floats, m: Floats, reading: Literal["mean", "sum"] = "mean") -> Floats:
    """The second part of Eq. (12) from sum_i R(P_i) and the number m of parents, both of shape (links,).

    "sum" is printed and unbounded: links that stand on every page of a site win. "mean" is in [0, 1] (trap T2); 0 for
    a link without a parent, that is a seed.
    """
    return total if reading == "sum" else total / np.maximum(m, 1.0)


def pagerank_part(PR: Floats, largest: float, reading: Literal["scaled", "raw"] = "scaled") -> Floats:
    """The third part of Eq. (12): PR is at least 1 - d and has no upper bound ("raw"); "scaled" is PR / max PR (T2)."""
    return PR if reading == "raw" else PR / max(largest, np.finfo(np.float64).tiny)

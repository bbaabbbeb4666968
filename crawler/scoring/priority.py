"""Comprehensive priority of links: paper 000 (FCOSA), section 4.3, Eq. (12).

    Priority(l) = alpha R(A_l) + beta sum_i R(P_i) + gamma PR(P_l) + theta R(P_l),   alpha + beta + gamma + theta = 1

The four weights are not published (trap T2). PR is read as that of the page that the link points to (trap T3).
"""

from __future__ import annotations

from crawler.model import Floats
from crawler.parameters import check_sum

Weights = tuple[float, float, float, float]
WEIGHTS: Weights = (0.3, 0.2, 0.1, 0.4)
"""alpha, beta, gamma, theta: a reconstruction, as the paper does not print them (trap T2)."""


def comprehensive_priority(
    R_A: Floats, R_parents: Floats, PR: Floats, R_target: Floats, weights: Weights = WEIGHTS
) -> Floats:
    """Compute Eq. (12), the weighted sum of four parts, for m links.

    Args:
        R_A: relevance of the links' anchors, Eq. (10), in [0, 1], shape (m,), as all parts.
        R_parents: relevance of the fetched pages that contain each link: printed is the sum, which has no bound and
            favours links that are on every page of a site; the mean is in [0, 1] (trap T2).
        PR: importance of the page that each link points to: printed is PageRank, which has no bound; PR / max PR is
            in [0, 1] (trap T2).
        R_target: relevance of that page, Eq. (11), looked up or predicted (trap T4), in [0, 1].
        weights: alpha, beta, gamma, theta.

    Returns:
        Shape (m,); in [0, 1] if all parts are.

    Raises:
        ValueError: the weights are not numbers >= 0 of sum 1.

    >>> import numpy as np
    >>> parts = np.array([[1.0, 0.0], [0.5, 0.0], [0.2, 0.2], [0.75, 0.0]])
    >>> comprehensive_priority(*parts).round(3).tolist()
    [0.72, 0.02]
    """
    alpha, beta, gamma, theta = weights
    check_sum(alpha=alpha, beta=beta, gamma=gamma, theta=theta)
    return alpha * R_A + beta * R_parents + gamma * PR + theta * R_target  # Eq. (12)

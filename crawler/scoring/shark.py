"""Potential of a link in Shark-Search, from the page that contains it, its anchor, and the text around it.

Source: M. Hersovici, M. Jacovi, Y. S. Maarek, D. Pelleg, M. Shtalhaim, S. Ur, The shark-search algorithm, WWW7, 1998,
as given in algorithms.md 3.15 (golden numbers G15). With sim in [0, 1] against the topic q:

    inherited(child) = delta sim(q, p)                 if sim(q, p) > 0, else delta inherited(p)
    anchor_context   = 1 if anchor > 0 else sim(q, context)
    neighbourhood    = beta anchor + (1 - beta) anchor_context
    potential        = gamma inherited + (1 - gamma) neighbourhood
"""

from __future__ import annotations

import numpy as np

from crawler.model import Floats


def inherited(sim: float, of_parent: float, delta: float) -> float:
    """Compute the score that the links of a page inherit, in [0, 1].

    Args:
        sim: similarity of the page to the topic, in [0, 1].
        of_parent: score that the page itself inherited, in [0, 1].
        delta: decay, in [0, 1].

    >>> inherited(0.8, 0.5, 0.5), inherited(0.0, 0.5, 0.5)
    (0.4, 0.25)
    """
    return delta * (sim if sim > 0.0 else of_parent)


def potential(of_page: Floats, anchor: Floats, context: Floats, beta: float, gamma: float) -> Floats:
    """Compute the potential of m links.

    Args:
        of_page: inherited score of each link, in [0, 1], shape (m,).
        anchor: similarity of its anchor, in [0, 1], shape (m,).
        context: similarity of the text around it, in [0, 1], shape (m,).
        beta: weight of the anchor against its context, in [0, 1].
        gamma: weight of the inherited score, in [0, 1].

    Returns:
        Shape (m,), in [0, 1].

    >>> potential(np.array([0.4, 0.4]), np.array([0.5, 0.0]), np.array([0.2, 0.2]), 0.8, 0.8).round(3).tolist()
    [0.44, 0.328]
    """
    anchor_context = np.where(anchor > 0.0, 1.0, context)
    neighbourhood = beta * anchor + (1.0 - beta) * anchor_context
    score: Floats = gamma * of_page + (1.0 - gamma) * neighbourhood
    return score

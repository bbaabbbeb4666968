"""What Shark-Search expects of a link: the page that contains it, its anchor, and the text around it.

Source: M. Hersovici, M. Jacovi, Y. S. Maarek, D. Pelleg, M. Shtalhaim, S. Ur, The shark-search algorithm, WWW7, 1998,
in the form of algorithms.md 3.15 (golden numbers G15). With sim in [0, 1] against the topic q:

    inherited(child) = delta sim(q, p)                 if sim(q, p) > 0, else delta inherited(p)
    anchor_context   = 1 if anchor > 0 else sim(q, context)
    neighbourhood    = beta anchor + (1 - beta) anchor_context
    potential        = gamma inherited + (1 - gamma) neighbourhood
"""

from __future__ import annotations

import numpy as np

from crawler.model import Floats


def inherited(sim: float, of_parent: float, delta: float) -> float:
    """What the links of a page inherit, in [0, 1].

    Args:
        sim: similarity of the page to the topic.
        of_parent: what the page itself inherited.
        delta: decay in [0, 1].
    """
    return delta * (sim if sim > 0.0 else of_parent)


def potential(of_page: Floats, anchor: Floats, context: Floats, beta: float, gamma: float) -> Floats:
    """The potential of m links in [0, 1], shape (m,), from what they inherited and the similarities of their texts."""
    anchor_context = np.where(anchor > 0.0, 1.0, context)
    neighbourhood = beta * anchor + (1.0 - beta) * anchor_context
    score: Floats = gamma * of_page + (1.0 - gamma) * neighbourhood
    return score

"""The priority of crawlers that were published without Eq. (12): the anchor of a link and the pages that contain it.

    P(l) = a R(A_l) + (1 - a) mean_i R(P_i),   a = 1/2

It is the reconstruction [R] that stands for OPS in crawler.strategies.best_first (algorithms.md 3.2). Table 3 of paper
000 marks ITS and On-ITS as crawlers without the comprehensive priority evaluation, and of He, Cheng and Cai 2009 paper
002 tells a weaker description of the topic.
"""

from __future__ import annotations

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids


def two_columns(V: str) -> tuple[str, ...]:
    """The feature columns of P(l) under vocabulary ``V``."""
    return (f"anchor:{V}", f"parents:{V}")


def link_relevance(view: FrontierView, links: Ids, V: str, a: float) -> Floats:
    """P(l) under vocabulary ``V`` with weight ``a`` in [0, 1] of the anchor; in [0, 1], shape (m,)."""
    return a * view.feature(f"anchor:{V}", links) + (1.0 - a) * view.feature(f"parents:{V}", links)

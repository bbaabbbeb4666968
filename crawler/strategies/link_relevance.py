"""Priority of the crawlers published without Eq. (12): the anchor of a link and the pages that contain it.

    P(l) = a R(A_l) + (1 - a) mean_i R(P_i),   a = 1/2

It is the reconstruction [R] of OPS in crawler.strategies.best_first (algorithms.md 3.2). Table 3 of paper 000 lists ITS
and On-ITS as crawlers without the comprehensive priority evaluation, and according to paper 002 He, Cheng and Cai 2009
have a weaker description of the topic.
"""

from __future__ import annotations

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids


def two_columns(V: str) -> tuple[str, ...]:
    """Return the feature columns of P(l) under vocabulary ``V``.

    >>> two_columns("TK")
    ('anchor:TK', 'parents:TK')
    """
    return (f"anchor:{V}", f"parents:{V}")


def link_relevance(view: FrontierView, links: Ids, V: str, a: float) -> Floats:
    """Compute P(l).

    Args:
        view: the crawl as the strategy sees it.
        links: ids, shape (m,).
        V: vocabulary of the columns.
        a: weight of the anchor, in [0, 1].

    Returns:
        Shape (m,), in [0, 1].
    """
    return a * view.feature(f"anchor:{V}", links) + (1.0 - a) * view.feature(f"parents:{V}", links)

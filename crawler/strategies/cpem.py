"""Comprehensive priority evaluation of a link (CPEM): Eq. (12) of paper 000, section 4.3.

    Priority(l) = alpha R(A_l) + beta sum_{i=1..m} R(P_i) + gamma PR(P_l) + theta R(P_l)

A_l is the anchor of link l, P_1 .. P_m are the fetched pages that contain it, P_l is the page that it points to. The
four weights sum to 1; they are not published, and the defaults are a reconstruction (trap T2).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.parameters import CheckedParameters, Choice, Weight, parameter
from crawler.scoring.priority import comprehensive_priority

CPEM_READINGS = MappingProxyType(
    {
        "T1": "PageRank is the repaired Eq. (8), biased by anchors under TK; as printed it diverges.",
        "T2": "Eq. (12) takes the mean over the m pages that contain the link (parents=sum: as printed) and PageRank "
        "over its maximum (pagerank=raw: as printed); its weights (.3, .2, .1, .4) are a reconstruction.",
        "T3": "PR is the PageRank of the page that the link points to; R(P_i) are the pages that contain the link.",
        "T4": "R(P_l) is the column of the target: predicted by default, real with --target cached or oracle.",
    }
)


@dataclass(frozen=True)
class CpemParameters(CheckedParameters):
    """Weights of Eq. (12), each in [0, 1], and the readings of trap T2."""

    alpha: float = parameter(0.3, "Weight of the anchor.", Weight())
    beta: float = parameter(0.2, "Weight of the pages that contain the link.", Weight())
    gamma: float = parameter(0.1, "Weight of PageRank.", Weight())
    theta: float = parameter(0.4, "Weight of the page that the link points to.", Weight())
    parents: str = parameter("mean", "``mean``, or ``sum`` as printed, which has no bound.", Choice("mean", "sum"))
    pagerank: str = parameter(
        "scaled", "``scaled`` by the maximum, or ``raw`` as printed, which has no bound.", Choice("scaled", "raw")
    )


def columns(V: str) -> tuple[str, ...]:
    """Return the feature columns of Eq. (12) under vocabulary ``V``, for all readings.

    >>> columns("TK")
    ('anchor:TK', 'parents:TK', 'parents_sum:TK', 'pagerank', 'pagerank_raw', 'target:TK')
    """
    return (f"anchor:{V}", f"parents:{V}", f"parents_sum:{V}", "pagerank", "pagerank_raw", f"target:{V}")


def link_priority(view: FrontierView, links: Ids, V: str, p: CpemParameters) -> Floats:
    """Compute Priority(l) of Eq. (12).

    Args:
        view: the crawl as the strategy sees it.
        links: ids, shape (m,).
        V: vocabulary of the columns.
        p: weights and readings.

    Returns:
        Shape (m,); in [0, 1] unless a printed reading is chosen.
    """
    R_A = view.feature(f"anchor:{V}", links)
    R_P = view.feature(f"parents_sum:{V}" if p.parents == "sum" else f"parents:{V}", links)
    PR = view.feature("pagerank_raw" if p.pagerank == "raw" else "pagerank", links)
    R_target = view.feature(f"target:{V}", links)
    return comprehensive_priority(R_A, R_P, PR, R_target, (p.alpha, p.beta, p.gamma, p.theta))  # Eq. (12)

"""Best-first search (OPS, optimal priority search), the greedy baseline of all papers.

Steps (algorithms.md 3.2): 1 seeds with priority 1; 2 take the link of the highest priority, the oldest among equals;
3 fetch and score it; 4 score and queue its unseen links; 5 until the limit is reached or the queue is empty.

The papers define three different priorities under this name; the parameter ``formula`` selects one:
    paper_000   P(l) = 1/2 R(A_l) + 1/2 mean_i R(P_i)   a reconstruction: 000, 002 and 003 print no formula for OPS
    paper_001   P(l) = .4 sim(D, T) + .6 sim_anchor     Eq. (13) of paper 001, theta = .4, gamma = .6
    paper_004   P(l) = R(P)                             paper 004, section II.B: the crawled page alone
each with the relevance of its paper, unless another guide is set. P_i (D, P) are the fetched pages that contain the
link; of several the mean is taken (trap T2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from crawler.frontier import FrontierView
from crawler.frontier.rescoring import Refresh
from crawler.kernels.tunnels import Tunnels
from crawler.model import Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Choice, Range, parameter
from crawler.strategies.base import with_seeds
from crawler.strategies.numbered_picks import TopOfQueue

WEIGHTS = MappingProxyType({"paper_000": (0.5, 0.5), "paper_001": (0.6, 0.4), "paper_004": (0.0, 1.0)})
"""Formula -> weight of the anchor and of the pages that contain the link."""


@dataclass(frozen=True)
class BestFirstParameters(CheckedParameters):
    """The formula of the priority.

    Raises:
        ValueError: ``formula`` is not in WEIGHTS.
    """

    formula: str = parameter(
        "paper_000",
        "Formula and relevance function: those of papers 000, 002 and 003 [R], of 001, or of 004.",
        Choice(*WEIGHTS),
    )
    tunnel: str = parameter(
        "none",
        '"budget": P is divided by its mean behind as many irrelevant pages in a row, and multiplied by the gain that '
        "the crawl had behind so many [R].",
        Choice("none", "budget"),
    )
    prior: float = parameter(
        10.0, "For tunnel=budget: pages by which the gain is shrunk to that of all pages.", Range(0.01, 1e6)
    )


class BestFirst(TopOfQueue):
    """Chooses the queued link of the highest priority."""

    name = "best_first"
    title = "Best-first search (optimal priority search)"
    paper = "Baseline OPS of papers 000, 002 and 003 (Rawat and Patil 2013), best-first of 001 (Eq. 13) and of 004"
    Parameters = BestFirstParameters
    readings: ClassVar = {
        "T2": "The mean over the pages that contain the link; their sum would favour menu links.",
        "T11": "Seeds have priority 1; a queued link that gains a parent is scored again.",
    }
    features = ("anchor:TK", "parents:TK")
    parameters: BestFirstParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.guide = self.parameters.formula  # the relevance function of that paper
        self._tunnels: Tunnels | None = None
        if self.parameters.tunnel == "budget":
            self._tunnels = self.keeps(Tunnels(self.parameters.prior))
            self.refresh = Refresh()  # gains, and the pages before a queued link, change with each page

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Count what was found behind irrelevant pages, where tunnels have a budget."""
        if self._tunnels is not None:
            self._tunnels.tell(outcomes)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return P(l), in [0, 1], shape (m,)."""
        P = self._formula(view, links)
        if self._tunnels is not None:
            P = self._tunnels.value(view.graph, links, P)
        return with_seeds(view, links, P)

    def _formula(self, view: FrontierView, links: Ids) -> Floats:
        anchor_weight, page_weight = WEIGHTS[self.parameters.formula]
        return anchor_weight * view.feature("anchor:TK", links) + page_weight * view.feature("parents:TK", links)

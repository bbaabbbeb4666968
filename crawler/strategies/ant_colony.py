"""Crawlers by multi-objective ant colony optimisation, MOACO and OLMOACO.

Sources: Dong, Liu, Liu 2020, Comput. Eng. 46(9):274-282 (MOACO) and Liu, Dong, Liu et al. 2022, Expert Syst. Appl. 198,
116741 (OLMOACO), of which abstracts were read: an ontology and a topic vector describe the topic; the objectives are
the relevance of the anchor, of the pages that contain the link, and of the page that it points to; an ant colony finds
the Pareto-optimal links. OLMOACO learns its ontology. Steps reconstructed [R] (algorithms.md 3.9):
    1  pheromone tau(l) = tau_0 on queued links.   2  n_a ants each draw a link with p(l) in proportion to
    tau(l)^a eta(l)^b, eta = (f1 + f2 + f3) / 3.   3  the non-dominated links of those drawn.   4  NFCS takes K of them,
    which are fetched.   5  tau <- (1 - rho) tau, and R of a fetched page is deposited on its child-links.   6  go to 2.
The priority in the queue is tau^a eta^b at the last scoring of a link. Since then tau has only evaporated, as a deposit
comes with a new parent, and then the link is scored. So a draw from the queue's roulette that is accepted with
probability (weight now) / (weight then) has the p(l) of step 2; the bound tau_min [R] keeps rejections rare, and an ant
has at most ``tries`` draws. A choice costs O(tries n_a log n).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.pareto import pareto_picks
from crawler.kernels.pheromone import Pheromone
from crawler.model import Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import with_seeds
from crawler.strategies.generations import Generations, objectives, top_part
from crawler.strategies.one_by_one import Chosen


@dataclass(frozen=True)
class MoacoParameters(CheckedParameters):
    """Reconstructed values [R]."""

    n_a: int = parameter(20, "Ants of a generation.", Range(1, 10_000))
    a: float = parameter(1.0, "Exponent of the pheromone.", Range(0.0, 10.0))
    b: float = parameter(2.0, "Exponent of eta.", Range(0.0, 10.0))
    rho: float = parameter(0.1, "Share of the pheromone that evaporates in each generation.", Range(0.0, 1.0))
    tau_0: float = parameter(1.0, "Pheromone of a new link.", Range(1e-6, 1e6))
    tau_min: float = parameter(0.1, "Lower bound of evaporation.", Range(0.0, 1e6))
    K: int = parameter(5, "Links that a generation fetches.", Range(1, 10_000))
    tries: int = parameter(10, "Draws for each ant, at most.", Range(1, 1000))


class Moaco(Generations):
    """Ants draw links by pheromone and relevance; the Pareto-optimal ones are fetched."""

    name = "moaco"
    title = "Multi-objective ant colony optimisation (MOACO)"
    paper = "Dong, Liu, Liu 2020, Comput. Eng. 46(9):274-282 (abstract); steps [R]"
    Parameters = MoacoParameters
    readings: ClassVar = {
        "T2": "f2 is the mean over the pages that contain the link.",
        "T4": "f3 is the column of the target, predicted by default.",
        "T11": "Seeds have priority 1 regardless of pheromone; if all weights are 0, ants draw uniformly.",
    }
    vocabularies = ("GTK",)
    features = ("anchor:GTK", "parents:GTK", "target:GTK")
    V: ClassVar[str] = "GTK"
    parameters: MoacoParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        p = self.parameters
        self._pheromone = self.keeps(Pheromone(p.tau_0, p.rho, p.tau_min))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return tau(l)^a eta(l)^b of step 2, at least 0, shape (m,)."""
        p, eta = self.parameters, objectives(view, links, self.features).mean(axis=1)
        weight = self._pheromone.level(links, self._generation) ** p.a * eta**p.b
        return with_seeds(view, links, weight)

    def form(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> list[Chosen]:
        """Form a generation of Pareto-optimal links that ants drew (steps 2 to 4)."""
        drawn = self._ants(view, rng, taken)
        rows = pareto_picks(objectives(view, drawn, self.features), self.parameters.K)  # steps 3 and 4
        tau = self._pheromone.level(drawn[rows], self._generation)
        members = zip(drawn[rows].tolist(), tau.tolist(), strict=True)
        return [(link, {"pheromone": level, "drawn": len(drawn)}) for link, level in members]

    def _ants(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> Ids:
        """Return the distinct links that ``n_a`` ants draw (step 2), or the best link not taken if they draw none."""
        p = self.parameters
        drawn = view.draw(rng, p.n_a * p.tries)
        weight_then, weight_now = view.priority(drawn), self.priority(view, drawn)
        free = ~np.isin(drawn, taken)
        accepted = drawn[free & (rng.random(len(drawn)) * weight_then < weight_now)][: p.n_a]
        if len(accepted) == 0:  # all weights are 0: every draw was uniform
            accepted = drawn[free][: p.n_a]
        return np.unique(accepted) if len(accepted) else top_part(view, 1, taken)

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Deposit pheromone on the links of fetched pages (step 5); evaporation follows from the generation number."""
        for outcome in outcomes:
            if outcome.page_score is not None:
                R = outcome.page_score.relevance[self.V]
                self._pheromone.deposit(outcome.out_links, R, self._generation)


class Olmoaco(Moaco):
    """MOACO on a topic whose ontology was learned by FCA, LDA and Apriori (`ontology build --evidence`)."""

    name = "olmoaco"
    title = "Ontology learning and multi-objective ant colony optimisation (OLMOACO)"
    paper = "Liu, Dong, Liu et al. 2022, Expert Syst. Appl. 198, 116741 (abstract); steps [R]"

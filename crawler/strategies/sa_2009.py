"""Crawler by simulated annealing, SA, the first of its kind.

Source: He, Cheng, Cai 2009, Comput. Technol. Dev. 19(12):55-58, known from the papers that cite it: it accepts
sub-optimal links by Metropolis sampling (paper 000, section 1) and its description of the topic is weaker than that of
later crawlers (paper 002). The steps are a reconstruction [R] (algorithms.md 3.3):
    1  seeds to the queue, which is ordered by R; T = T0.   2  current = the head of the queue.
    3  candidate = a link of the queue by the roulette.
    4  current = candidate if R(candidate) >= R(current) or u < exp((R(candidate) - R(current)) / T).
    5  current is fetched, and its links enter the queue.   6  T falls once a page.   7  go to step 2.
Unlike SA(Qw) of paper 000 it makes one proposal per page and cools once over the whole crawl.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.cooling import CoolingParameters, PageByPage
from crawler.model import Floats, Ids
from crawler.parameters import Range, parameter
from crawler.strategies.annealing import acceptance
from crawler.strategies.base import with_seeds
from crawler.strategies.link_relevance import link_relevance, two_columns
from crawler.strategies.one_by_one import Chosen, OneByOne, untaken


@dataclass(frozen=True)
class Sa2009Parameters(CoolingParameters):
    """T0, C and T_min of paper 000 [R]; no value of 2009 was read."""

    a: float = parameter(0.5, "Weight of the anchor in R(l) [R]; in [0, 1].", Range(0.0, 1.0))


class Sa2009(OneByOne):
    """Best-first search that accepts a random link instead of the best one while the temperature is high."""

    name = "sa_2009"
    title = "Focused crawler based on simulated annealing (SA)"
    paper = "He, Cheng, Cai 2009, Comput. Technol. Dev. 19(12):55-58 (as papers 000 and 002 cite it); steps [R]"
    Parameters = Sa2009Parameters
    readings: ClassVar = {"T11": "Seeds have priority 1; the head is the best link; zero weights draw uniformly."}
    features = two_columns("TK")
    parameters: Sa2009Parameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._temperature = self.keeps(PageByPage(self.parameters))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return R(l) from the anchor and the pages that contain the link [R], in [0, 1], shape (m,)."""
        return with_seeds(view, links, link_relevance(view, links, "TK", self.parameters.a))

    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Choose the best link or a random one by the Metropolis rule (steps 2 to 6)."""
        T, candidate = self._temperature.T, view.draw(rng, 1)  # step 3
        R = float(untaken(view.priority(candidate), candidate, taken)[0])
        current = float(view.priority(np.array([header]))[0])  # step 2
        accepted = bool(rng.random() < acceptance(R, current, T))  # step 4
        self._temperature.cool(R if accepted else current)  # step 6
        return int(candidate[0]) if accepted else header, {"temperature": T, "accepted": accepted}

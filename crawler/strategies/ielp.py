"""Crawler by improved energy landscape paving, IELP.

Source: the IELP crawler of 2020 (doi 10.3233/faia200731), of which the abstract was read: links have a comprehensive
evaluation of relevance, an improved energy landscape paving selects among them, and the domain is rainstorm disasters.
The improvement was not read. Landscape paving itself is in crawler.kernels.landscape. Its use by the crawler is a
reconstruction [R] after the Wang-Landau crawler of paper 002, Algorithm 1, with E(l) = 1 - Priority(l):
    1  seeds to Qw; X1 = the first link that is fetched.   2  X2 = a link of Qw by the roulette.
    3  X1 = X2 if random[0, 1) < exp(-(E~(X2) - E~(X1)) / T); H([E(X1)]) + 1 for the resulting X1.
    4  accepted: X2 is fetched.   5  after m_max rejections the header of Qw is X1, is fetched, and counts in H.
    6  its children enter Qw, with Priority by Eq. (12) of paper 000 [R].   7  T is constant, or falls once a page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.cooling import CoolingParameters, PageByPage
from crawler.kernels.landscape import PAVINGS, Landscape
from crawler.model import Floats, Ids
from crawler.parameters import Choice, Range, parameter
from crawler.strategies.base import with_seeds
from crawler.strategies.cpem import CPEM_READINGS, CpemParameters, columns, link_priority
from crawler.strategies.one_by_one import Chosen, OneByOne, untaken


@dataclass(frozen=True)
class IelpParameters(CoolingParameters, CpemParameters):
    """Reconstructed values [R], with the weights of Eq. (12)."""

    T: float = 0.1
    cooling: str = "constant"
    c: float = parameter(1.0, "Height of the paving, in units of energy.", Range(0.0, 1e9))
    paving: str = parameter(
        "share",
        "Height by the ``share`` of steps at an energy of the same bin, or by their ``count``.",
        Choice(*PAVINGS),
    )
    m_max: int = parameter(5, "Rejections after which the best link is chosen.", Range(1, 10**6))


class Ielp(OneByOne):
    """A Metropolis walk over the queue that avoids energies it has visited often."""

    name = "ielp"
    title = "Improved energy landscape paving (IELP)"
    paper = "IELP crawler 2020, doi 10.3233/faia200731 (abstract), after Hansmann and Wille 2002; steps [R]"
    Parameters = IelpParameters
    readings: ClassVar = {**CPEM_READINGS, "T11": "Seeds have priority 1; zero weights draw uniformly."}
    features = columns("TK")
    parameters: IelpParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._land = self.keeps(Landscape(self.parameters.paving, self.parameters.c))
        self._temperature = self.keeps(PageByPage(self.parameters))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return Eq. (12) under TK, shape (m,)."""
        return with_seeds(view, links, link_priority(view, links, "TK", self.parameters))

    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Choose a link by the walk (steps 2 to 5 and 7)."""
        T, land = self._temperature.T, self._land
        drawn = view.draw(rng, self.parameters.m_max)  # step 2
        u = rng.random(self.parameters.m_max)
        link, rejected, accepted = header, 0, False
        for X2, Priority, u_q in zip(drawn.tolist(), untaken(view.priority(drawn), drawn, taken), u, strict=True):
            accepted = math.isfinite(Priority) and land.step(_energy(Priority), T, float(u_q))  # step 3
            if accepted:
                link = X2  # step 4
                break
            rejected += 1
        Priority = float(view.priority(np.array([link]))[0])
        if not accepted:
            land.stand_at(_energy(Priority))  # step 5
        self._temperature.cool(Priority)  # step 7
        return link, {"energy": land.E, "temperature": T, "accepted": accepted, "rejected": rejected}


def _energy(Priority: float) -> float:
    """Return E(l) = 1 - Priority(l), clipped to [0, 1], as printed readings have no bound."""
    return min(1.0, max(0.0, 1.0 - Priority))

"""Crawler by an adaptive genetic algorithm.

Source: Jing, Wang, Dong 2016, Comput. Sci. 43(8):254-257, of which no text was read. According to paper 002 a time
factor adapts the fitness function and the genetic operators, which to some degree keeps the crawler from going round in
cycles. Reconstructed [R] on the basis of GAFC (crawler.strategies.genetic), with t = fetched / limit in [0, 1]
and the age of a link, the share of the fetched pages that were fetched since it was found:

    fitness = S (1 - decay age),   pc(t) = pc - (pc - pc_end) t,   pm(t) = pm + (pm_end - pm) t

so that links which were not chosen for long lose fitness, and the crawl changes from depth to breadth. Without a limit
t is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.parameters import Range, parameter
from crawler.strategies.base import with_seeds
from crawler.strategies.genetic import Gafc, GafcParameters


@dataclass(frozen=True)
class AdaptiveParameters(GafcParameters):
    """Parameters of GAFC, and reconstructed ones [R]."""

    pc_end: float = parameter(0.4, "Crossover probability at the limit.", Range(0.0, 1.0))
    pm_end: float = parameter(0.6, "Mutation probability at the limit.", Range(0.0, 1.0))
    decay: float = parameter(0.3, "Share of fitness lost by a link as old as the crawl, in [0, 1].", Range(0.0, 1.0))


def between(start: float, end: float, t: float) -> float:
    """Interpolate linearly between ``start`` and ``end`` at time ``t`` in [0, 1].

    >>> between(0.6, 0.4, 0.5)
    0.5
    """
    return start + (end - start) * t


def aged(S: Floats, found_at: Ids, fetched: int, decay: float) -> Floats:
    """Compute the fitness S (1 - decay age) of links.

    Args:
        S: relevance, in [0, 1], shape (m,).
        found_at: number of pages fetched when each link was found, shape (m,).
        fetched: number of pages fetched now.
        decay: share of fitness lost by a link as old as the crawl, in [0, 1].

    Returns:
        Shape (m,), in [0, 1].

    >>> aged(np.array([0.8, 0.8]), np.array([0, 100]), 100, 0.5).tolist()
    [0.4, 0.8]
    """
    age = np.clip(1.0 - found_at / max(fetched, 1), 0.0, 1.0)
    fitness: Floats = S * (1.0 - decay * age)
    return fitness


class AdaptiveGa(Gafc):
    """The niche genetic algorithm with rates and a fitness that change with time."""

    name = "adaptive_ga"
    title = "Adaptive genetic algorithm with a time factor"
    paper = "Jing, Wang, Dong 2016, Comput. Sci. 43(8):254-257 (known by one sentence of paper 002); steps [R]"
    Parameters = AdaptiveParameters
    readings: ClassVar = {**Gafc.readings, "T11": "Seeds have priority 1 at any time."}
    parameters: AdaptiveParameters

    def rates(self, view: FrontierView) -> tuple[float, float]:
        """Return pc(t) and pm(t)."""
        p, t = self.parameters, view.budget.complete_rate
        return between(p.pc, p.pc_end, t), between(p.pm, p.pm_end, t)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the fitness, in [0, 1], shape (m,); queued links keep that of their last scoring."""
        S = view.feature("target:TK", links)
        return with_seeds(view, links, aged(S, view.step(links), view.budget.fetched, self.parameters.decay))

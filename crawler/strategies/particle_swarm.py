"""Crawler by particle swarm optimisation, FCPSO.

Source: Liu, Yang, Yan, Chen 2024 (as paper 003 cites it; preprint FCMOPSO, Research Square rs-2209988), of which the
abstract was read: an ontology describes the topic; a comprehensive priority evaluates content and structure; a particle
swarm updates the weights of that priority at every crawling step; links are chosen by a model of several objectives
with non-dominated sorting and the nearest-farthest candidate solution. Steps reconstructed [R] (algorithms.md 3.14):
    1  a particle = the weights (alpha, beta, gamma, theta) of Eq. (12) of paper 000, on the simplex.
    2  (f1 .. f4) of each fetched link and R of its page enter a window.
    3  some iterations of a swarm around the last weights; error = root mean square of predicted against observed R
       (that of CMCFC).
    4  Priority with the best weights g; a link is queued if Priority > eta.
    5  non-dominated links of the queue's top part of a fixed size on (f1 .. f4), K of them by NFCS, best first.
    6  they are fetched; go to 2.
The queue is ordered by g at the last scoring of each link; step 5 uses the current one. A choice costs
O(particles x iterations x window + pool^2 + pool log n).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.pareto import pareto_picks
from crawler.kernels.swarm import Flight, fly
from crawler.kernels.window import LearnedWeights, Window
from crawler.model import Bools, Floats, Ids, Outcome, Picks
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.scoring.priority import WEIGHTS
from crawler.strategies.base import with_seeds
from crawler.strategies.generations import Generations, objectives, top_part
from crawler.strategies.one_by_one import Chosen

LEAST = 10
"""Observations before the swarm runs for the first time."""


@dataclass(frozen=True)
class FcpsoParameters(CheckedParameters):
    """Reconstructed values [R]."""

    particles: int = parameter(20, "Weight vectors of the swarm.", Range(1, 10_000))
    w: float = parameter(0.7, "Inertia weight.", Range(0.0, 1.0))
    c1: float = parameter(1.5, "Weight of a particle's best position.", Range(0.0, 4.0))
    c2: float = parameter(1.5, "Weight of the swarm's best position.", Range(0.0, 4.0))
    iterations: int = parameter(10, "Moves of the swarm in a crawling step.", Range(0, 10_000))
    window: int = parameter(200, "Latest pages over which the error is computed.", Range(1, 10**6))
    eta: float = parameter(
        0.15, "Links are queued if their priority is greater; the value of paper 000, Table 3.", Range(-1.0, 1.0)
    )
    pool: int = parameter(50, "Best queued links that are sorted.", Range(1, 10_000))
    K: int = parameter(5, "Links that a generation fetches.", Range(1, 10_000))


class Fcpso(Generations):
    """Pareto-optimal links of a queue ordered by weights that a particle swarm learns during the crawl."""

    name = "fcpso"
    title = "Particle swarm optimisation of the comprehensive priority (FCPSO)"
    paper = "Liu, Yang, Yan, Chen 2024 (abstract of the preprint FCMOPSO, rs-2209988, and paper 003); steps [R]"
    Parameters = FcpsoParameters
    readings: ClassVar = {
        "T1": "PageRank is the repaired Eq. (8), biased by anchors under TK.",
        "T3": "PR is the PageRank of the page that the link points to.",
        "T2": "Eq. (12) takes the mean over the pages that contain the link, and PageRank over its maximum.",
        "T4": "f3 is the column of the target, predicted by default.",
        "T10": "Queued if Priority > eta, strictly.",
        "T11": "Seeds have priority 1, and nothing is learned from them.",
    }
    vocabularies = ("GTK",)
    features = ("anchor:GTK", "parents:GTK", "pagerank", "target:GTK")
    parameters: FcpsoParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._window = self.keeps(Window(self.parameters.window, len(self.features)))
        self._learned = self.keeps(LearnedWeights("g", np.array(WEIGHTS)))

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Admit links with Priority > eta (step 4)."""
        return objectives(view, links, self.features) @ self._learned.w > self.parameters.eta

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return Eq. (12) with the weights g (step 4), in [0, 1], shape (m,)."""
        return with_seeds(view, links, objectives(view, links, self.features) @ self._learned.w)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Run the swarm (step 3) and choose the members of the generation."""
        p = self.parameters
        if self._window.seen > max(self._learned.seen, LEAST - 1):
            flight = Flight(p.particles, p.iterations, p.w, p.c1, p.c2)
            self._learned.learn(fly(rng, self._window.error, self._learned.w, flight), self._window.seen)
        picks = super().choose(view, rng, n)
        known = view.graph.in_degree(picks.link) > 0
        F = objectives(view, picks.link, self.features)
        for tag, parts, is_known in zip(picks.tag, F, known.tolist(), strict=True):
            if is_known:
                self._window.sent(tag, parts)
        return picks

    def form(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> list[Chosen]:
        """Form a generation of Pareto-optimal links (step 5)."""
        pool = top_part(view, self.parameters.pool, taken)
        F = objectives(view, pool, self.features)
        rows = pareto_picks(F, self.parameters.K)
        rows = rows[np.argsort(-(F[rows] @ self._learned.w), kind="stable")]
        move = dict(zip(("alpha", "beta", "gamma", "theta"), self._learned.w.tolist(), strict=True))
        return [(link, move) for link in pool[rows].tolist()]

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Add outcomes to the window (step 2)."""
        self._window.tell(outcomes, "GTK")

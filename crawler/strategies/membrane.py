"""Crawler by cell-like membrane computing, CMCFC.

Sources: Liu, Du 2014, Neurocomputing 123:266-280 (CMCFC) and Liu, Gan et al. 2022, Appl. Intell. 53:7390-7407
(SVSM-MCOA), of which abstracts were read: the priority of a link is the weighted sum of the topic similarities of four
texts; membrane computing finds the four weights of the smallest root mean square error between training values and
estimates. The texts and the rules were not read; steps reconstructed [R]:
    1  texts: the pages that contain the link, its anchor, the anchor's context, and the page that it points to.
    2  Priority(l) = sum_k w_k sim_k; the weights are equal until there are observations.
    3  training values: R of the latest fetched pages and the similarities of their links, in a window.
    4  after every ``every`` new ones the membranes evolve (crawler.kernels.membrane_system); w = the best object.
    5  the link of the highest priority is fetched.
In 2022 the similarities are those of a semantic vector model, here with the guide ssvsm (crawler.scoring.relevance).
The queue is ordered by w at the last scoring of each link; step 5 re-scores a top part of a fixed size. A choice costs
O(pool log n), plus the evolution of the membranes when it is due.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.membrane_system import MembraneSystem
from crawler.kernels.window import LearnedWeights, Window
from crawler.model import Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import with_seeds
from crawler.strategies.generations import objectives, top_part
from crawler.strategies.one_by_one import Chosen, OneByOne


@dataclass(frozen=True)
class CmcfcParameters(CheckedParameters):
    """Reconstructed values [R]."""

    membranes: int = parameter(4, "Elementary membranes within the skin.", Range(1, 1000))
    objects: int = parameter(10, "Weight vectors in each membrane.", Range(2, 1000))
    s: float = parameter(0.1, "Standard deviation of mutation.", Range(0.0, 1.0))
    steps: int = parameter(20, "Applications of all rules in one evolution.", Range(1, 10_000))
    every: int = parameter(25, "Observations between two evolutions.", Range(1, 10**6))
    window: int = parameter(200, "Latest pages over which the error is computed.", Range(1, 10**6))
    pool: int = parameter(50, "Best queued links that are re-scored for a choice.", Range(1, 10_000))


class Cmcfc(OneByOne):
    """Best-first search with weights of four texts that a membrane system learns during the crawl."""

    name = "cmcfc"
    title = "Cell-like membrane computing optimisation (CMCFC)"
    paper = (
        "Liu, Du 2014, Neurocomputing 123:266-280, and Liu, Gan et al. 2022, Appl. Intell. 53 (abstracts); steps [R]"
    )
    Parameters = CmcfcParameters
    readings: ClassVar = {
        "T2": "The mean over the pages that contain the link.",
        "T4": "The fourth text is the column of the target, predicted by default.",
        "T11": "Seeds have priority 1, and nothing is learned from them.",
    }
    features = ("parents:TK", "anchor:TK", "context:TK", "target:TK")
    parameters: CmcfcParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._cells = self.keeps(MembraneSystem(self.parameters.s))
        self._window = self.keeps(Window(self.parameters.window, 4))
        self._learned = self.keeps(LearnedWeights("weights", np.full(4, 0.25)))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return Priority(l) of step 2, in [0, 1], shape (m,)."""
        return with_seeds(view, links, objectives(view, links, self.features) @ self._learned.w)

    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Evolve the weights if due, and choose the best link (steps 4 and 5)."""
        self._evolve(rng)
        pool = top_part(view, self.parameters.pool, taken)
        best = int(np.argmax(self.priority(view, pool)))
        link = pool[best : best + 1]
        if view.graph.in_degree(link)[0] > 0:
            self._window.sent(self._picked, objectives(view, link, self.features)[0])
        move: Mapping[str, Any] = dict(
            zip(("page", "anchor", "context", "target"), self._learned.w.tolist(), strict=True)
        )
        return int(link[0]), move

    def _evolve(self, rng: np.random.Generator) -> None:
        p = self.parameters
        if self._window.seen - self._learned.seen < p.every:
            return
        if len(self._cells.objects) == 0:
            self._cells.begin(rng, p.membranes, p.objects, self._learned.w)
        self._learned.learn(self._cells.evolve(rng, self._window.error, p.steps), self._window.seen)

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Add outcomes to the window (step 3)."""
        self._window.tell(outcomes, "TK")

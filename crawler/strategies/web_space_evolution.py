"""Crawlers by web space evolution, WSE and FCWSEO.

Sources: Liu, Li, Jiang 2019, Comput. Eng. 45(2):184-190 (WSE) and Liu, Li, Zhang, Zhong 2022, Knowl.-Based Syst. 243,
108495 (FCWSEO), of which abstracts were read: several objectives instead of weighting factors; a library of seed links
to which test links are added; Pareto-optimal links by the nearest-farthest candidate solution. FCWSEO has a domain
ontology as its topic and a model of text and link structure. Steps reconstructed [R] (algorithms.md 3.8):
    1  library B = the seeds; f = (R(A_l), mean R(P_i), R(P_l)), FCWSEO with PR(P_l) / max PR as a fourth objective.
    2  D_avg = mean distance within B.   3  fetch the links that entered B, and score them.
    4  objectives of the queue's top part of a fixed size, ordered by their mean; its non-dominated links.
    5  test set = K of them by NFCS.   6  each test link enters B, or does not (crawler.kernels.seed_library).
    7  go to step 2. If no test link enters, the test set is fetched, so that the crawl continues.
A seed enters B when it is fetched, with R(P) as every objective, as no page contains it; R(P_l) of a member is updated
when its page is fetched. A choice costs O(pool log n + pool^2 + K^2 pool + K size^2), O(log n) in the queue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.pareto import pareto_picks
from crawler.kernels.seed_library import SeedLibrary
from crawler.model import Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import State, with_seeds
from crawler.strategies.generations import Generations, objectives, top_part
from crawler.strategies.one_by_one import Chosen

TARGET = 2
"""Column of R(P_l) in the objectives."""


@dataclass(frozen=True)
class WseParameters(CheckedParameters):
    """Reconstructed values [R]."""

    size: int = parameter(20, "Largest number of links in the library.", Range(1, 10_000))
    K: int = parameter(5, "Links of a test set.", Range(1, 10_000))
    pool: int = parameter(100, "Best queued links that are sorted.", Range(1, 10_000))


class Wse(Generations):
    """Web space evolution with the plain topic words."""

    name = "wse"
    title = "Web space evolution (WSE)"
    paper = "Liu, Li, Jiang 2019, Comput. Eng. 45(2):184-190 (abstract); steps [R]"
    Parameters = WseParameters
    readings: ClassVar = {
        "T2": "f2 is the mean over the pages that contain the link.",
        "T4": "f3 is the column of the target, predicted by default; after the fetch it is R of the page.",
        "T11": "Seeds have priority 1 and are fetched first.",
    }
    features: tuple[str, ...] = ("anchor:TK", "parents:TK", "target:TK")
    V: ClassVar[str] = "TK"
    parameters: WseParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._library = self.keeps(SeedLibrary(self.parameters.size, len(self.features)))
        self._seeds: list[int] = []
        """Seeds in flight."""

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the mean of the objectives, in [0, 1], shape (m,), which orders the queue for step 4 only."""
        mean: Floats = objectives(view, links, self.features).mean(axis=1)
        return with_seeds(view, links, mean)

    def form(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> list[Chosen]:
        """Form a generation of test links (steps 4 to 6), the seeds first (step 1)."""
        pool = top_part(view, self.parameters.pool, taken)
        seeds = pool[view.graph.in_degree(pool) == 0].tolist()
        if seeds:
            self._seeds += seeds
            return [(seed, {"test": False, "entered": False}) for seed in seeds]
        F = objectives(view, pool, self.features)
        test = pareto_picks(F, self.parameters.K)  # step 5
        entered = [row for row in test.tolist() if self._library.offer(int(pool[row]), F[row])]  # step 6
        D_avg = self._library.mean_distance()
        move = {"test": True, "entered": bool(entered), "D_avg": D_avg}
        return [(int(pool[row]), move) for row in entered or test.tolist()]  # steps 3 and 7

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Add fetched seeds to the library (step 1), and update R(P_l) of its members."""
        for outcome in outcomes:
            seed = outcome.link in self._seeds
            if seed:
                self._seeds.remove(outcome.link)
            if outcome.page_score is None:
                continue
            R = outcome.page_score.relevance[self.V]
            if seed:
                self._library.plant(outcome.link, np.full(len(self.features), R))
            self._library.learn(outcome.link, TARGET, R)

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {**super().state(), "seeds": list(self._seeds)}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._seeds = [int(seed) for seed in state["seeds"]]


class Fcwseo(Wse):
    """Web space evolution with a domain ontology as the topic, and PageRank as a fourth objective."""

    name = "fcwseo"
    title = "Web space evolution with domain ontology (FCWSEO)"
    paper = "Liu, Li, Zhang, Zhong 2022, Knowl.-Based Syst. 243, 108495 (abstract); steps [R]"
    readings: ClassVar = {
        **Wse.readings,
        "T1": "PageRank is the repaired Eq. (8), biased by anchors under TK.",
        "T2": "f2 is the mean over the pages that contain the link, f4 PageRank over its maximum.",
        "T3": "PR is the PageRank of the page that the link points to.",
    }
    vocabularies = ("GTK",)
    features = ("anchor:GTK", "parents:GTK", "target:GTK", "pagerank")
    V = "GTK"

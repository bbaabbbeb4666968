"""Crawler by a niche genetic algorithm, GAFC.

Source: Fan, Zeng, Li (paper 004), section III.C. A link is an individual, the relevance S of its page its fitness:
    1  the seeds V to wait_queue.   2  visit all of wait_queue.
    3  selection: pages with S > S0 are hubs if they have more than URL_NUMBER links, else authorities.
    4  V1 = unvisited links, with S of the pages they lead to: those on hubs, as step 4 is printed; with
       breeders=relevant those on all relevant pages, as in section III.A and Fig. 1 (S1"), for pages of few links.
    5  crossover: Vc = the best floor(|V1| pc) of V1.
    6  mutation: V2 = unvisited links on pages that point to authorities; Vm = floor(|V2| pm) of them at random.
    7  Vn = Vc and Vm.   8  the worst 10 % of each niche are knocked out, the rest is the next wait_queue.
    9  the sets of steps 3 to 7 are emptied.   10  until wait_queue is empty or a limit is reached.
S of a link in steps 4 to 8 is the column of the target: predicted, or fetched ahead as printed (trap T4). If no page
has offspring, the best queued links enter as immigrants [R], as many as the paper has seeds; printed is the end (step
10). A generation costs O(log n) for each of its links and for each link on a page that links to an authority.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.genetic_operators import crossover, mutation
from crawler.kernels.niches import ROUNDINGS, survivors
from crawler.kernels.page_links import PageLinks
from crawler.model import Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Choice, Range, parameter
from crawler.strategies.base import State, with_seeds
from crawler.strategies.generations import Generations, queued_of, seeds_of, top_part
from crawler.strategies.one_by_one import Chosen


@dataclass(frozen=True)
class GafcParameters(CheckedParameters):
    """Values of section IV and readings of its traps."""

    pc: float = parameter(0.6, "Crossover probability.", Range(0.0, 1.0))
    pm: float = parameter(
        0.4, 'Mutation probability; printed as "mutation probability pc" (trap T29).', Range(0.0, 1.0)
    )
    pn: float = parameter(0.1, "Share of a niche that is removed.", Range(0.0, 1.0))
    S0: float = parameter(0.05, "Threshold of relevance, which hardly filters (trap T28).", Range(0.0, 1.0))
    url_number: int = parameter(15, "A page with more links than URL_NUMBER is a hub.", Range(0, 10**6))
    immigrants: int = parameter(
        20, "Links that enter if no page has offspring; the number of seeds in the paper.", Range(1, 10_000)
    )
    breeders: str = parameter(
        "hubs",
        "Pages whose links are used by crossover: ``hubs``, as step 4 is printed, or all ``relevant`` ones (Fig. 1).",
        Choice("hubs", "relevant"),
    )
    niche: str = parameter(
        "host",
        "Links of one niche share the ``host``, or the ``directory``, the path of the URL without its last part.",
        Choice("host", "directory"),
    )
    rounding: str = parameter(
        "floor", "Rounding of the share of a niche that is removed (trap T32).", Choice(*ROUNDINGS)
    )
    extinction: str = parameter(
        "immigrants",
        "If no page has offspring: ``immigrants``, or the end of the crawl (``printed``).",
        Choice("immigrants", "printed"),
    )


class Gafc(Generations):
    """Generations of links from hubs (crossover) and from pages near authorities (mutation), with niches."""

    name = "gafc"
    title = "Niche genetic algorithm (GAFC)"
    paper = "Fan, Zeng, Li, Focused Crawler Based on Niche Genetic Algorithm (paper 004), III.C; immigrants [R]"
    Parameters = GafcParameters
    guide = "paper_004"
    rules: ClassVar = {
        "hub": "A relevant page has more than URL_NUMBER links (step 3).",
        "crossover": "A link enters a generation by crossover (step 5).",
        "mutation": "A link enters a generation by mutation (step 6).",
        "knocked_out": "A link is removed as one of the worst of its niche (step 8).",
        "immigrants": "No page has offspring, and the best queued links enter [R].",
    }
    readings: ClassVar = {
        "T4": "S of an unvisited link is the column of the target, predicted by default.",
        "T11": "Seeds have priority 1; a generation is visited best first.",
        "T28": "S0 = .05 as printed: one topic word is enough.",
        "T29": "The second probability is pm.",
        "T30": "A hub counts as any page; relevant pages are those of the judge.",
        "T31": "V2 are the other links of pages that point to authorities; Vm is scored before step 8.",
        "T32": "Shares are rounded down (rounding=ceil: at least the worst link of every niche is removed).",
        "T33": "A page is fetched once.",
        "T34": "A word in several tags has the largest of their weights (the guide paper_004_sum adds them).",
    }
    features = ("target:TK",)
    parameters: GafcParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._page_links = self.keeps(PageLinks())
        self._offspring, self._authorities = np.empty((2, 0), dtype=np.int64)

    def rates(self, view: FrontierView) -> tuple[float, float]:
        """Return pc and pm."""
        return self.parameters.pc, self.parameters.pm

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return S of the link's page, in [0, 1], shape (m,)."""
        return with_seeds(view, links, view.feature("target:TK", links))

    def form(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> list[Chosen]:
        """Form a generation: the seeds first (steps 1 and 2), then the offspring (steps 4 to 9)."""
        p, (pc, pm) = self.parameters, self.rates(view)
        if self._generation == 0 and len(V := seeds_of(view, taken)):
            return [(link, {"seed": True}) for link in V.tolist()]
        V1 = queued_of(view, self._offspring, taken)  # step 4
        Vc = V1[crossover(self.priority(view, V1), pc)]  # step 5
        V2 = queued_of(view, self._page_links.siblings(view.graph, self._authorities), taken)
        Vm = mutation(rng, V2, pm)  # step 6
        Vn = np.union1d(Vc, Vm)  # step 7
        Vn = Vn[np.argsort(-self.priority(view, Vn), kind="stable")]
        niche = view.host(Vn) if p.niche == "host" else view.directory(Vn)
        formed = len(Vn)
        Vn = Vn[survivors(niche, self.priority(view, Vn), p.pn, p.rounding)]  # step 8
        for rule, times in (("crossover", len(Vc)), ("mutation", len(Vm)), ("knocked_out", formed - len(Vn))):
            self.count(rule, times)
        move = {"crossover": len(Vc), "mutation": len(Vm), "pc": pc, "pm": pm, "immigrants": False}
        self._offspring, self._authorities = np.empty((2, 0), dtype=np.int64)  # step 9
        if len(Vn) == 0 and (p.extinction == "immigrants" or self._generation == 0):
            self.count("immigrants")
            Vn, move["immigrants"] = top_part(view, p.immigrants, taken), True
        return [(link, move) for link in Vn.tolist()]

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Select hubs and authorities among the fetched pages (step 3)."""
        for outcome in outcomes:
            if outcome.page_score is None:
                continue
            self._page_links.add(outcome.link, outcome.out_links)
            relevant = outcome.page_score.relevance["TK"] > self.parameters.S0
            hub = len(outcome.out_links) > self.parameters.url_number
            self.count("hub", relevant and hub)
            if relevant and (hub or self.parameters.breeders == "relevant"):
                self._offspring = np.union1d(self._offspring, outcome.out_links)
            if relevant and not hub:
                self._authorities = np.append(self._authorities, np.int64(outcome.link))

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {**super().state(), "offspring": self._offspring, "authorities": self._authorities}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._offspring = np.array(state["offspring"], dtype=np.int64)
        self._authorities = np.array(state["authorities"], dtype=np.int64)

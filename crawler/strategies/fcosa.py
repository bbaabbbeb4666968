"""Annealing crawlers FCSA, FCOSA_G and FCOSA_LG.

Source: Liu, Li, Ding, Liu 2022 (paper 000), sections 5.2 and 5.3, Algorithms 2 and 3, Table 3. Algorithm 3, by step:
    1-8  (the loop) seeds to Qw; the header-link leaves Qw and is fetched, DP + 1; the page is scored; its child-links
         are extracted, from irrelevant pages too, so that the crawl can pass a tunnel
    9    ``admit``, first filter: for j = 1 .. k_2, R_ij = Sim(LTK_j, UK); child i is kept at the first R_ij >= phi
    10   ``admit``, second filter: Priority(l) by Eq. (12) with GTK in the place of TK; it is queued if that is > eta
    11   ``priority``, called by the loop: PageRank and the priorities of all links in Qw are computed again
    12   ``choose``: l = ISA(Qw) becomes the head of Qw, which step 2 takes
    13   (the loop) until DP reaches its limit or Qw is empty
FCOSA_G is Algorithm 3 without step 9. FCSA is Algorithm 2: without step 9, with TK, and with SA in the place of ISA.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids
from crawler.parameters import Range, parameter
from crawler.strategies.annealing import ANNEALING_READINGS, AnnealingParameters, anneal, start_temperature
from crawler.strategies.base import State, with_seeds
from crawler.strategies.cpem import CPEM_READINGS, CpemParameters, columns, link_priority
from crawler.strategies.one_by_one import Chosen, OneByOne
from ontology.errors import Message

PAPER = "Liu, Li, Ding, Liu 2022, Front. Inform. Technol. Electron. Eng. 23(8):1189-1205 (paper 000)"


@dataclass(frozen=True)
class FcosaParameters(AnnealingParameters, CpemParameters):
    """Parameters of Table 3, column FCOSA_G."""

    eta: float = parameter(0.15, "Links are queued if their priority is greater.", Range(-1.0, 1e9))


@dataclass(frozen=True)
class FcosaLgParameters(FcosaParameters):
    """Parameters of Table 3, column FCOSA_LG."""

    phi: float = parameter(0.15, "Links are kept if some local relevance is at least this; in [0, 1].", Range(0.0, 1.0))


@dataclass(frozen=True)
class FcsaParameters(FcosaParameters):
    """Parameters of Table 3, column FCSA: plain SA, and no eta (a negative one filters nothing)."""

    eta: float = -1.0
    schedule: str = "fixed"


class AnnealingCrawler(OneByOne):
    """Simulated annealing on links that are ordered and filtered by Eq. (12)."""

    Parameters = FcosaParameters
    rules: ClassVar = {
        "filtered": "A link is rejected, because its Priority is at most eta (step 10).",
        "uphill": "Annealing accepts a link of lower Priority (step 12).",
        "tunnel": "The link that annealing chooses is not the head of the queue (step 12).",
    }
    readings: ClassVar = {**CPEM_READINGS, **ANNEALING_READINGS, "T10": "Queued if Priority > eta, strictly."}
    vocabularies: tuple[str, ...] = ("GTK",)
    features = columns("GTK")
    V: ClassVar[str] = "GTK"
    """The vocabulary of Eq. (12)."""
    parameters: FcosaParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._T = self.parameters.T

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Admit links with Priority(l) > eta (step 10)."""
        return self._filter(view, links, np.ones(len(links), dtype=np.bool_))

    def _filter(self, view: FrontierView, links: Ids, kept: Bools) -> Bools:
        """Return which of the links that other filters kept pass step 10; shape (m,)."""
        admitted: Bools = kept & (link_priority(view, links, self.V, self.parameters) > self.parameters.eta)
        self.count("filtered", (kept & ~admitted).sum())
        return admitted

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return Eq. (12), shape (m,)."""
        return with_seeds(view, links, link_priority(view, links, self.V, self.parameters))

    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Choose a link by annealing (step 12); the first link of the crawl is the header of the seeds (step 2)."""
        if self._picked == 0:
            return header, {}
        self._T = start_temperature(self.parameters, view.budget.complete_rate, self._T)
        move = asdict(anneal(view, rng, header, self._T, self.parameters, taken, partial(self.value, view)))
        link = int(move.pop("link"))
        self.count("uphill", move["uphill"])
        self.count("tunnel", link != header)
        return link, move

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {**super().state(), "T": self._T}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._T = float(state["T"])


class FcosaG(AnnealingCrawler):
    """Simulated annealing with the filter by the global ontology: Algorithm 3 without its first filter."""

    name = "fcosa_g"
    title = "Focused crawling by ontology and simulated annealing, global ontology (FCOSA_G)"
    paper = f"{PAPER}, Algorithm 3 without step 9"


class FcosaLg(AnnealingCrawler):
    """Algorithm 3: simulated annealing with two filters, by the local ontologies and then by the global one."""

    name = "fcosa_lg"
    title = "Focused crawling by ontology and simulated annealing, local and global ontologies (FCOSA_LG)"
    paper = f"{PAPER}, Algorithm 3"
    Parameters = FcosaLgParameters
    rules: ClassVar = {
        "filtered_locally": "A link is rejected, because its R of each local ontology is below phi (step 9).",
        **AnnealingCrawler.rules,
    }
    readings: ClassVar = {
        **AnnealingCrawler.readings,
        "T10": "Kept if some local R >= phi, then queued if Priority > eta.",
    }
    vocabularies = ("GTK", "LTK_*")
    features = (*columns("GTK"), "target:LTK_*")
    parameters: FcosaLgParameters

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Admit links that pass both filters (steps 9 and 10).

        Raises:
            ValueError: the crawl has no local ontology.
        """
        R = view.features("target:LTK_*", links)  # R_ij, shape (k_1, k_2)
        if R.shape[1] == 0:
            raise ValueError(Message("strategies.fcosa_lg_needs_local"))
        relevant: Bools = R.max(axis=1) >= self.parameters.phi
        self.count("filtered_locally", (~relevant).sum())
        return self._filter(view, links, relevant)


class Fcsa(AnnealingCrawler):
    """Algorithm 2: plain topic words and plain simulated annealing."""

    name = "fcsa"
    title = "Focused crawling by simulated annealing (FCSA)"
    paper = f"{PAPER}, Algorithm 2"
    Parameters = FcsaParameters
    readings: ClassVar = {
        **AnnealingCrawler.readings,
        "T5": "Plain SA: every call starts at T = 1 (Table 3); schedule=described, printed or persistent is ISA.",
        "T10": "Table 3 has no eta for FCSA, Algorithm 2 has a filter Priority > eta; a negative eta filters nothing.",
    }
    vocabularies = ("TK",)
    features = columns("TK")
    V = "TK"

"""Annealing crawler with memory of historical host information, FCSA-host.

Source: Liu, Li, Jiang 2019, Computer Science 46(2):215-222, of which the abstract was read: the priority has four parts
(relevance of the anchor, of all pages that contain the link, of the page that it points to, and its PageRank), which is
Eq. (12) of paper 000; links are selected by simulated annealing; hosts are remembered. The rule of the memory, and how
it enters the annealing, are reconstructions [R] (algorithms.md 3.5), by step:
    1-11  those of FCSA (Algorithm 2 of paper 000)
    12    l = SA(Qw), where SA works on Priority(l) hp_h, h the host of l; a link of a suspended host is not accepted
    13    when its page is scored, rel_h, cr_h and the suspension of h are updated (crawler.scoring.host_memory)
In the roulette (step 4 of SA) a link has hp_h of its last scoring; step 5 of SA uses the current one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import with_seeds
from crawler.strategies.cpem import link_priority
from crawler.strategies.fcosa import Fcsa, FcsaParameters
from crawler.strategies.one_by_one import Chosen
from crawler.strategies.remembers_hosts import RemembersHosts


@dataclass(frozen=True)
class HostParameters(CheckedParameters):
    """Parameters of the host memory [R]."""

    w: int = parameter(10, "Irrelevant pages in a row that suspend a host.", Range(1, 10**9))
    v: int = parameter(50, "Selections for which a host is suspended.", Range(1, 10**9))
    sigma: float = parameter(0.7, "A page is relevant if its R under TK is greater; in [0, 1].", Range(0.0, 1.0))


@dataclass(frozen=True)
class FcsaHostParameters(HostParameters, FcsaParameters):
    """Parameters of FCSA in Table 3 of paper 000, and of the host memory."""


class FcsaHost(RemembersHosts, Fcsa):
    """FCSA on priorities multiplied by the share of relevant pages on the link's host."""

    name = "fcsa_host"
    title = "Focused crawling by simulated annealing with memory of hosts (FCSA-host)"
    paper = (
        "Liu, Li, Jiang 2019, Computer Science 46(2):215-222 (abstract); priority as paper 000, Eq. (12); host rule [R]"
    )
    Parameters = FcsaHostParameters
    readings: ClassVar = {**Fcsa.readings, "T10": "A page is relevant if R > sigma; no eta was read, so none filters."}
    parameters: FcsaHostParameters

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return Priority(l) hp_h, shape (m,)."""
        Priority = link_priority(view, links, self.V, self.parameters)  # Eq. (12)
        return with_seeds(view, links, Priority * self.merit(view, links))

    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Choose a link by annealing (step 12), the header if the roulette draws suspended hosts only."""
        return self.sent(view, super().next_link(view, rng, header, taken))  # step 13 finds the host by the pick's tag

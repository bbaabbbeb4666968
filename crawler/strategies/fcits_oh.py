"""Tabu search crawler with ontology and host information, FCITS_OH.

Source: Liu, Wang, Zhong et al. 2023, Front. Inform. Technol. Electron. Eng. 24(6):859-875, of which the abstract was
read: the topic is a domain ontology by formal concept analysis; a comprehensive priority evaluates web text and link
structure; an improved tabu search does not visit links again and widens the search; hosts are remembered.
Reconstructed [R] (algorithms.md 3.7): the steps of On-ITS (crawler.strategies.tabu) with the priority of Eq. (12)
of paper 000 under GTK, times hp_h of the link's host (crawler.scoring.host_memory), whose rule is that of FCSA-host: a
link of a suspended host is no candidate in step 3, unless the whole top part of the queue is of such hosts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.strategies.base import with_seeds
from crawler.strategies.cpem import CPEM_READINGS, CpemParameters, columns, link_priority
from crawler.strategies.fcsa_host import HostParameters
from crawler.strategies.one_by_one import Chosen
from crawler.strategies.remembers_hosts import RemembersHosts
from crawler.strategies.tabu import OnIts, OnItsParameters


@dataclass(frozen=True)
class FcitsOhParameters(HostParameters, CpemParameters, OnItsParameters):
    """Parameters of On-ITS, Eq. (12) and the host memory; no value of 2023 was read [R]."""


class FcitsOh(RemembersHosts, OnIts):
    """Tabu search by ontology on priorities multiplied by the share of relevant pages on the link's host."""

    name = "fcits_oh"
    title = "Focused crawling by improved tabu search with ontology and host information (FCITS_OH)"
    paper = "Liu, Wang, Zhong et al. 2023, Front. Inform. Technol. Electron. Eng. 24(6):859-875 (abstract); steps [R]"
    Parameters = FcitsOhParameters
    readings: ClassVar = {
        **OnIts.readings,
        **CPEM_READINGS,
        "T10": "Queued if Eq. (12) without hp > eta; a page is relevant if R > sigma.",
    }
    features = columns("GTK")
    parameters: FcitsOhParameters

    def link_value(self, view: FrontierView, links: Ids) -> Floats:
        """Return Eq. (12), by which links are admitted; shape (m,)."""
        return link_priority(view, links, self.V, self.parameters)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return Priority(l) hp_h, shape (m,)."""
        return with_seeds(view, links, self.link_value(view, links) * self.merit(view, links))

    def next_link(self, view: FrontierView, rng: np.random.Generator, header: int, taken: Ids) -> Chosen:
        """Run the steps of On-ITS and remember the host of the pick."""
        return self.sent(view, super().next_link(view, rng, header, taken))

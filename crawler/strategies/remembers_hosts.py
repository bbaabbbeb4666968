"""Base class of the crawlers with a memory of hosts (crawler/scoring/host_memory.py), crediting outcomes to hosts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Outcome
from crawler.scoring.host_memory import HostMemory
from crawler.strategies.one_by_one import Chosen, OneByOne


class RemembersHosts(OneByOne):
    """A strategy whose parameters include w, v and sigma of the host memory; hp_h is ``merit``."""

    prior = ("hosts",)

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._memory = self.keeps(HostMemory(self.parameters.w, self.parameters.v))

    def merit(self, view: FrontierView, links: Ids) -> Floats:
        """Return hp_h of the hosts of links, with the pages of earlier crawls (crawler.frontier.prior); shape (m,)."""
        hosts = view.host(links)
        return self._memory.merit(hosts, *view.prior.hosts(hosts))

    def value(self, view: FrontierView, links: Ids) -> Floats:
        """Return the priority with the current hp_h, -inf for a link of a suspended host; shape (k,)."""
        suspended = self._memory.suspended(view.host(links), self._picked)
        return np.where(suspended, -np.inf, self.priority(view, links))

    def sent(self, view: FrontierView, chosen: Chosen) -> Chosen:
        """Remember the host of a chosen link, and return the choice with the host added to its move."""
        link, move = chosen
        host = int(view.host(np.array([link]))[0])
        self._memory.sent(self._picked, host)
        return link, {**move, "host": host}

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Credit each outcome to the host of its pick, found by the tag."""
        self._memory.tell(outcomes, self.parameters.sigma, self._picked)

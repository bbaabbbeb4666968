"""What the crawlers with a memory of hosts share: which pick went to which host, and what came of it.

It holds the memory of crawler/scoring/host_memory.py and no rule of choice; hp_h of a link's host is in
``self._memory``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Outcome
from crawler.scoring.host_memory import HostMemory
from crawler.strategies.one_by_one import Chosen, OneByOne


class RemembersHosts(OneByOne):
    """A strategy whose parameters have w, v and sigma of the host memory."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._memory = self.keeps(HostMemory(self.parameters.w, self.parameters.v))

    def value(self, view: FrontierView, links: Ids) -> Floats:
        """The priority with what is known of the hosts by now; a suspended host is no candidate."""
        rests = self._memory.suspended(view.host(links), self._picked)
        return np.where(rests, -np.inf, self.priority(view, links))

    def sent(self, view: FrontierView, chosen: Chosen) -> Chosen:
        """The choice, whose host is remembered and stands in the move."""
        link, move = chosen
        host = int(view.host(np.array([link]))[0])
        self._memory.sent(self._picked, host)
        return link, {**move, "host": host}

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """The host of each pick is found by its tag."""
        self._memory.tell(outcomes, self.parameters.sigma, self._picked)

"""Crawler by hubs and authorities, HITS.

Source: J. M. Kleinberg, Authoritative sources in a hyperlinked environment, J. ACM 46 (1999); a baseline of paper 004
(section 4) and named in paper 002, neither of which says how it crawls. Paper 004: HITS "determines two values for a
page: its authority, which estimates the value of the content of the page, and its hub value, which estimates the value
of its links to other pages". The steps are a reconstruction [R] (algorithms.md 3.15):
    1  seeds to the queue with priority 1.   2  the link of the highest priority is fetched.
    3  its page is in the root set if R(P) > sigma.
    4  a = A^T h, h = A a over the links of the root set (crawler.scoring.hubs); with Kleinberg's base set, which can
       be chosen too, the crawl drifts off the topic, as paper 004 reports of HITS.
    5  priority(l) = the sum of h over the pages that contain l, scaled as a: the authority that l would have.
If the root set is empty, all priorities are 0 and the oldest link is first. Step 4 costs O(links), so it is repeated
only when the graph has grown by a tenth; queued links get the current h when they are re-scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Choice, Range, parameter
from crawler.scoring.hubs import BASES, GrowingHubs
from crawler.strategies.base import State, with_seeds
from crawler.strategies.numbered_picks import TopOfQueue


@dataclass(frozen=True)
class HitsParameters(CheckedParameters):
    """Choice of the base set."""

    base: str = parameter(
        "root",
        "Links that are used: those of the ``root`` set, of the base set of ``kleinberg``, or ``all``.",
        Choice(*BASES),
    )
    sigma: float = parameter(0.7, "A page is in the root set if its R under TK is greater; in [0, 1].", Range(0.0, 1.0))
    links: str = parameter(
        "all", "``transverse`` leaves out links within a host, as Kleinberg does.", Choice("all", "transverse")
    )


class Hits(TopOfQueue):
    """Chooses the queued link of the highest authority by the hubs that contain it."""

    name = "hits"
    title = "Hubs and authorities (HITS)"
    paper = "Kleinberg 1999, J. ACM 46(5):604-632; a baseline of paper 004; its use by a crawler [R]"
    Parameters = HitsParameters
    readings: ClassVar = {
        "T11": "Seeds have priority 1; among links of equal priority the oldest is first.",
    }
    parameters: HitsParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._hubs = self.keeps(GrowingHubs(self.parameters.base, self.parameters.links == "transverse"))
        self._new = list[tuple[int, bool, list[int]]]()
        """Fetched pages that are not yet added to the hubs: id, whether in the root set, out-links."""

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Decide which pages belong to the root set (step 3)."""
        for outcome in outcomes:
            if outcome.page_score is not None:
                in_root = outcome.page_score.relevance["TK"] > self.parameters.sigma
                self._new.append((outcome.link, in_root, outcome.out_links.tolist()))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the sum of hub weights of the pages that contain each link (steps 4 and 5), shape (m,)."""
        for page, in_root, out in self._new:
            self._hubs.add_page(page, np.array(out, dtype=np.int64), in_root, view.host)
        self._new.clear()
        self._hubs.follow(view.graph, view.host)
        return with_seeds(view, links, self._hubs.authority(view.graph, links, view.host))

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {**super().state(), "new": [list(page) for page in self._new]}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._new = [(int(page), bool(in_root), [int(i) for i in out]) for page, in_root, out in state["new"]]

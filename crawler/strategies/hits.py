"""The crawler by hubs and authorities, HITS.

Source: J. M. Kleinberg, Authoritative sources in a hyperlinked environment, J. ACM 46 (1999); a baseline of paper 004
(section 4) and named in paper 002, neither of which prints how it crawls. Paper 004: HITS "determines two values for a
page: its authority, which estimates the value of the content of the page, and its hub value, which estimates the value
of its links to other pages". The steps are a reconstruction [R] (algorithms.md 3.15):
    1  seeds to the queue with priority 1.   2  the link of the highest priority is fetched.
    3  its page is in the root set if R(P) > sigma.
    4  a = A^T h, h = A a over the links of the root set (crawler.scoring.hubs); on Kleinberg's own base set, which is
       a choice too, the crawl drifts off the topic, as paper 004 says that HITS does.
    5  priority(l) = the sum of h over the pages that contain l, scaled as a is: the authority that l would have.
Where nothing is in the root set all priorities are 0, and the first come is first. Step 4 for every page would cost the
whole graph; it follows the growth of the graph instead, and queued links have the newest h when they are re-scored.
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
    """Which pages make the base set.

    Raises:
        ValueError: a value out of its range, or an unknown reading.
    """

    base: str = parameter(
        "root",
        "Whose links take part: those of the ``root`` set, of the base set of ``kleinberg``, or ``all``.",
        Choice(*BASES),
    )
    sigma: float = parameter(0.7, "A page is in the root set if its R under TK is greater; in [0, 1].", Range(0.0, 1.0))
    links: str = parameter(
        "all", "``transverse`` leaves out links within a host, as Kleinberg does.", Choice("all", "transverse")
    )


class Hits(TopOfQueue):
    """The head of a queue that is ordered by the hubs that point to its links."""

    name = "hits"
    title = "Hubs and authorities (HITS)"
    paper = "Kleinberg 1999, J. ACM 46(5):604-632; a baseline of paper 004; its use by a crawler [R]"
    Parameters = HitsParameters
    readings: ClassVar = {
        "T11": "Seeds have priority 1; among links of equal priority the first come is first.",
    }
    parameters: HitsParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._hubs = self.keeps(GrowingHubs(self.parameters.base, self.parameters.links == "transverse"))
        self._new = list[tuple[int, bool, list[int]]]()
        """Fetched pages that are not yet among the hubs: id, whether in the root set, out-links."""

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Step 3."""
        for outcome in outcomes:
            if outcome.page_score is not None:
                in_root = outcome.page_score.relevance["TK"] > self.parameters.sigma
                self._new.append((outcome.link, in_root, outcome.out_links.tolist()))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Steps 4 and 5; at least 0, shape (m,)."""
        for page, in_root, out in self._new:
            self._hubs.add_page(page, np.array(out, dtype=np.int64), in_root, view.host)
        self._new.clear()
        self._hubs.follow(view.graph, view.host)
        return with_seeds(view, links, self._hubs.authority(view.graph, links, view.host))

    def state(self) -> State:
        return {**super().state(), "new": [list(page) for page in self._new]}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._new = [(int(page), bool(in_root), [int(i) for i in out]) for page, in_root, out in state["new"]]

"""Breadth-first search, the baseline of papers 000, 002 and 003.

Steps (algorithms.md 3.1): 1 seeds to a queue; 2 take its head; 3 fetch it; 4 append its unseen links in page order;
5 until the limit is reached or the queue is empty. Ids count links in the order of discovery, so a queue in which all
priorities are equal is first in, first out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Outcome, Picks
from crawler.strategies.base import SEED_PRIORITY, State, Strategy


class BreadthFirst(Strategy):
    """First in, first out."""

    name = "breadth_first"
    title = "Breadth-first search"
    paper = "Standard method; the baseline BFS of papers 000 (Table 4), 002 (Table 1) and 003 (Table 3)"
    readings: ClassVar = {
        "T11": "A link is queued once: known, queued and fetched links are not queued again.",
    }

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._picked = 0

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """One for all, so that the order of discovery decides."""
        return np.full(len(links), SEED_PRIORITY)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """The heads of the queue."""
        heads = view.top(n)
        tag = tuple(range(self._picked, self._picked + len(heads)))
        move = [{"queued": len(view), "priority": p} for p in view.priority(heads).tolist()]
        self._picked += len(heads)
        return Picks(heads, tag, tuple(move))

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Nothing is learned."""

    def state(self) -> State:
        return {"picked": self._picked}

    def restore(self, state: State) -> None:
        self._picked = int(state["picked"])

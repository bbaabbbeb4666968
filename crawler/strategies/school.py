"""A school of fish: what Fish-Search and Shark-Search have in common, a depth and a score of each link.

Sources as in crawler.strategies.fish_shark, whose step numbers stand here too. The pages that contain a link tell both,
before the link is fetched; a link keeps the larger of each (step 5).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from crawler.frontier import Column, FrontierView
from crawler.model import Bools, Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import State
from crawler.strategies.breadth_first import BreadthFirst

UNTOLD = -1.0
"""Depth of a link that no page has told of."""


@dataclass(frozen=True)
class SchoolParameters(CheckedParameters):
    """Common to both. Raises ValueError for a value out of its range."""

    D: int = parameter(3, "Links that may be followed from the last relevant page on [R].", Range(1, 10**6))


class School(BreadthFirst):
    """What both have: a depth and a score of each link, told by the pages that contain it."""

    parameters: SchoolParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._depth, self._score, self._n = Column(UNTOLD), Column(), 0

    @abstractmethod
    def school(self, page: int, R: float, links: int) -> tuple[bool, Floats]:
        """Step 4: whether a page of relevance R is relevant, and the score of each of its links, shape (links,)."""

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Step 3: a link of depth 0 is not listed."""
        self._grow(links)
        return self._depth.get(links) > 0.0

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Steps 3 to 5; a page that nothing was told of is a seed."""
        for outcome in outcomes:
            if outcome.page_score is None:
                continue
            page, links = np.array([outcome.link]), outcome.out_links
            self._grow(np.append(links, page))
            relevant, score = self.school(outcome.link, outcome.page_score.relevance["TK"], len(links))
            own = float(self._depth.get(page)[0])
            own = self.parameters.D if own == UNTOLD else own
            depth = float(self.parameters.D if relevant else max(own - 1, 0))  # others may fetch a page of depth 0
            self._depth.set(links, np.maximum(self._depth.get(links), depth))
            self._score.set(links, np.maximum(self._score.get(links), score))

    def score(self, links: Ids) -> Floats:
        """Score of each link, 0 where nothing was told of it; shape (m,)."""
        self._grow(links)
        return self._score.get(links)

    def _grow(self, links: Ids) -> None:
        self._n = max(self._n, int(links.max(initial=-1)) + 1)
        self._depth.grow(self._n)
        self._score.grow(self._n)

    def state(self) -> State:
        return {**super().state(), "depth": self._depth.dump(self._n), "score": self._score.dump(self._n)}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._n = 0
        rows = np.arange(len(state["depth"]), dtype=np.int64)
        self._grow(rows)
        self._depth.set(rows, np.asarray(state["depth"]))
        self._score.set(rows, np.asarray(state["score"]))

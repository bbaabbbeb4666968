"""What Fish-Search and Shark-Search have in common: a depth and a score for each link.

Sources as in crawler.strategies.fish_shark, whose step numbers stand here too. The pages that contain a link give it
both, before it is fetched; a link keeps the larger of each (step 5).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.link_marks import LinkMarks
from crawler.strategies.numbered_picks import TopOfQueue

NO_DEPTH = -1.0
"""Depth of a link that no page contains."""


@dataclass(frozen=True)
class SchoolParameters(CheckedParameters):
    """Common to both. Raises ValueError for a value out of its range."""

    D: int = parameter(3, "Links that may be followed from the last relevant page on [R].", Range(1, 10**6))


class School(TopOfQueue):
    """A queue of links with a depth and a score, both given by the pages that contain a link."""

    parameters: SchoolParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._depth = self.keeps(LinkMarks("depth", NO_DEPTH))
        self._score = self.keeps(LinkMarks("score"))

    @abstractmethod
    def school(self, page: int, R: float, links: int) -> tuple[bool, Floats]:
        """Step 4: return whether a page of relevance R is relevant, and the scores of its links, shape (links,)."""

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Step 3: a link of depth 0 is not listed."""
        return self._depth.get(links) > 0.0

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Steps 3 to 5; a page without depth is a seed."""
        for outcome in outcomes:
            if outcome.page_score is None:
                continue
            links, D = outcome.out_links, self.parameters.D
            relevant, score = self.school(outcome.link, outcome.page_score.relevance["TK"], len(links))
            depth = float(self._depth.get(np.array([outcome.link]))[0])
            below = (D if depth == NO_DEPTH else depth) - 1
            self._depth.raise_to(links, float(D if relevant else max(below, 0)))  # others may fetch a page of depth 0
            self._score.raise_to(links, score)

    def score(self, links: Ids) -> Floats:
        """Return the score of each link, 0 where no page gave one; shape (m,)."""
        return self._score.get(links)

"""Base class of Fish-Search and Shark-Search: a depth and a score for each link.

Sources and step numbers are those of crawler.strategies.fish_shark. Both are set by the pages that contain a link,
before it is fetched; a link keeps the larger value of each (step 5).
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

_NO_DEPTH = -1.0
"""Depth of a link that no page contains."""


@dataclass(frozen=True)
class SchoolParameters(CheckedParameters):
    """Parameters of both."""

    D: int = parameter(3, "Largest number of links followed in a row away from a relevant page [R].", Range(1, 10**6))


class School(TopOfQueue):
    """A queue of links with a depth and a score, both set by the pages that contain a link."""

    parameters: SchoolParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._depth = self.keeps(LinkMarks("depth", _NO_DEPTH))
        self._score = self.keeps(LinkMarks("score"))

    @abstractmethod
    def school(self, page: int, R: float, links: int) -> tuple[bool, Floats]:
        """Judge a page and score its links (step 4).

        Args:
            page: its id.
            R: its relevance, in [0, 1].
            links: number of its links.

        Returns:
            Whether it is relevant, and the scores of its links, shape (links,).
        """

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Reject links of depth 0 (step 3)."""
        return self._depth.get(links) > 0.0

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Set depth and score of the links of each page (steps 3 to 5); a page without depth is a seed."""
        for outcome in outcomes:
            if outcome.page_score is None:
                continue
            links, D = outcome.out_links, self.parameters.D
            relevant, score = self.school(outcome.link, outcome.page_score.relevance["TK"], len(links))
            depth = float(self._depth.get(np.array([outcome.link]))[0])
            depth_below = (D if depth == _NO_DEPTH else depth) - 1
            # not below 0: another member of a mixture may fetch a page of depth 0
            self._depth.raise_to(links, float(D if relevant else max(depth_below, 0)))
            self._score.raise_to(links, score)

    def score(self, links: Ids) -> Floats:
        """Return the score of each link, 0 without one; shape (m,)."""
        return self._score.get(links)

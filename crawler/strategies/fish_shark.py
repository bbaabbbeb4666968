"""Fish-Search and Shark-Search: search that goes deeper near relevant pages and stops away from them.

Sources: P. De Bra, G.-J. Houben, Y. Kornatzky, R. Post, Information retrieval in distributed hypertexts, RIAO 1994;
M. Hersovici et al., The shark-search algorithm, WWW7, 1998. As in algorithms.md 3.15, by step:
    1  seeds to the list, with depth D.   2  take the first link of the list, fetch it.
    3  depth of its links = D if the page is relevant, else its depth - 1; links of depth 0 are not listed.
    4  Fish: relevance is yes or no; the first floor(a width) links of a relevant page score 1, the first width links of
       one that is not score 1/2, all others 0. The numbers represent "front", "middle" and "end" of the list [R].
       Shark: the score is the potential of crawler.scoring.shark, and a page is relevant if its R > 0.
    5  a link that is listed keeps the larger score and depth.   6  the list is ordered by score.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.parameters import Range, parameter
from crawler.scoring.shark import inherited, potential
from crawler.strategies.base import with_seeds
from crawler.strategies.school import School, SchoolParameters


@dataclass(frozen=True)
class FishParameters(SchoolParameters):
    """Parameters of Fish-Search: the number of links of a page that are followed soon."""

    width: int = parameter(5, "Links of a page that are followed soon [R].", Range(0, 10**6))
    a: float = parameter(
        1.5, "Links of a relevant page that are followed at once, as a multiple of the width.", Range(0.0, 10**6)
    )
    sigma: float = parameter(0.7, "A page is relevant if its R is greater [R]; in [0, 1].", Range(0.0, 1.0))


@dataclass(frozen=True)
class SharkParameters(SchoolParameters):
    """Parameters of Shark-Search with their usual values.

    Raises:
        ValueError: a value is not in [0, 1].
    """

    delta: float = parameter(0.5, "Decay of the inherited score.", Range(0.0, 1.0))
    beta: float = parameter(0.8, "Weight of the anchor against its context.", Range(0.0, 1.0))
    gamma: float = parameter(0.8, "Weight of the inherited score against anchor and context.", Range(0.0, 1.0))


class Fish(School):
    """Links of relevant pages first, as many per page as the width allows."""

    name = "fish"
    title = "Fish-Search"
    paper = "De Bra, Houben, Kornatzky, Post 1994, RIAO"
    Parameters = FishParameters
    readings: ClassVar = {
        "T10": "A page is relevant if R > sigma under TK by the guide of the strategy.",
        "T11": "Seeds have priority 1; among equal scores the oldest link is first.",
    }
    parameters: FishParameters

    def school(self, page: int, R: float, links: int) -> tuple[bool, Floats]:
        """Judge a page and score its links 1, 1/2 or 0 (step 4)."""
        p, relevant = self.parameters, self.parameters.sigma < R
        first = np.arange(links) < (math.floor(p.a * p.width) if relevant else p.width)
        return relevant, np.where(first, 1.0 if relevant else 0.5, 0.0)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the score 1, 1/2 or 0, shape (m,)."""
        return with_seeds(view, links, self.score(links))


class Shark(School):
    """Links ordered by the relevance of the pages that contain them, of their anchors, and of the text around them."""

    name = "shark"
    title = "Shark-Search"
    paper = "Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim, Ur 1998, WWW7"
    Parameters = SharkParameters
    readings: ClassVar = {"T11": "Seeds have priority 1 and inherit nothing; anchors are pooled over all parents."}
    features = ("anchor:TK", "context:TK")
    parameters: SharkParameters

    def school(self, page: int, R: float, links: int) -> tuple[bool, Floats]:
        """Judge a page and compute the score that its links inherit (step 4)."""
        of_parent = float(self.score(np.array([page]))[0])
        return R > 0.0, np.full(links, inherited(R, of_parent, self.parameters.delta))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the potential, in [0, 1], shape (m,)."""
        anchor, context = view.feature("anchor:TK", links), view.feature("context:TK", links)
        p = self.parameters
        return with_seeds(view, links, potential(self.score(links), anchor, context, p.beta, p.gamma))

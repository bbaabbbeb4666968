"""Fish-Search and Shark-Search: schools that thrive near relevant pages and die out away from them.

Sources: P. De Bra, G.-J. Houben, Y. Kornatzky, R. Post, Information retrieval in distributed hypertexts, RIAO 1994;
M. Hersovici et al., The shark-search algorithm, WWW7, 1998. As algorithms.md 3.15 has them, by step:
    1  seeds to the list, with depth D.   2  take the first link of the list, fetch it.
    3  depth of its links = D if the page is relevant, else one less than its own; at 0 they are not listed.
    4  Fish: relevance is yes or no; the first floor(a width) links of a relevant page score 1, the first width links of
       one that is not score 1/2, all others 0. The numbers stand for "to the front", "in between" and "behind" [R].
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
    """Fish-Search: how many links of a page are followed soon."""

    width: int = parameter(5, "Links of a page that are followed soon [R].", Range(0, 10**6))
    a: float = parameter(
        1.5, "Links of a relevant page are followed at once up to a times the width.", Range(0.0, 10**6)
    )
    sigma: float = parameter(0.7, "A page is relevant if its R is greater [R]; in [0, 1].", Range(0.0, 1.0))


@dataclass(frozen=True)
class SharkParameters(SchoolParameters):
    """Usual values, each in [0, 1]. Raises ValueError for one that is not."""

    delta: float = parameter(0.5, "Decay of what is inherited.", Range(0.0, 1.0))
    beta: float = parameter(0.8, "Weight of the anchor against its context.", Range(0.0, 1.0))
    gamma: float = parameter(0.8, "Weight of what is inherited against anchor and context.", Range(0.0, 1.0))


class Fish(School):
    """The list is ordered by what the pages that contain a link are: relevant or not."""

    name = "fish"
    title = "Fish-Search"
    paper = "De Bra, Houben, Kornatzky, Post 1994, RIAO"
    Parameters = FishParameters
    readings: ClassVar = {
        "T10": "Relevant means R > sigma under TK, the judgement of the strategy's own guide.",
        "T11": "Seeds have priority 1; among equal scores the first come is first.",
    }
    parameters: FishParameters

    def school(self, page: int, R: float, links: int) -> tuple[bool, Floats]:
        """Step 4."""
        p, relevant = self.parameters, self.parameters.sigma < R
        first = np.arange(links) < (math.floor(p.a * p.width) if relevant else p.width)
        return relevant, np.where(first, 1.0 if relevant else 0.5, 0.0)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """1, 1/2 or 0, shape (m,)."""
        return with_seeds(view, links, self.score(links))


class Shark(School):
    """The list is ordered by how relevant the pages that contain a link are, its anchor, and the text around it."""

    name = "shark"
    title = "Shark-Search"
    paper = "Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim, Ur 1998, WWW7"
    Parameters = SharkParameters
    readings: ClassVar = {"T11": "Seeds have priority 1 and inherit nothing; anchors are pooled over all parents."}
    features = ("anchor:TK", "context:TK")
    parameters: SharkParameters

    def school(self, page: int, R: float, links: int) -> tuple[bool, Floats]:
        """Step 4: the score kept of a link is what it inherits, the largest over the pages that contain it."""
        of_parent = float(self.score(np.array([page]))[0])
        return R > 0.0, np.full(links, inherited(R, of_parent, self.parameters.delta))

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """The potential in [0, 1], shape (m,)."""
        anchor, context = view.feature("anchor:TK", links), view.feature("context:TK", links)
        p = self.parameters
        return with_seeds(view, links, potential(self.score(links), anchor, context, p.beta, p.gamma))

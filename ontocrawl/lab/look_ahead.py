"""Best first by the relevance of the target itself: what a strategy would find if its guesses were always right.

The page behind each link is fetched and scored before the link is chosen, by look-ahead ``oracle``. A lab counts the
chosen pages only, so that the order shows the limit of the relevance function, whatever a strategy learns about links.
"""

from __future__ import annotations

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.strategies.base import with_seeds
from crawler.strategies.numbered_picks import TopOfQueue


class JudgeLookAhead(TopOfQueue):
    """Chooses the queued link whose target has the highest relevance R(P_l)."""

    name = "judge_look_ahead"
    title = "Look-ahead by the relevance function, free of cost"
    paper = "Not published: a reference for labs"
    features = ("target:TK",)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return R(P_l) of the target of each link, in [0, 1], shape (m,)."""
        return with_seeds(view, links, view.feature("target:TK", links))


PLACE = f"{__name__}:{JudgeLookAhead.__name__}"
"""The class by a name that `crawler.strategies.get` understands."""

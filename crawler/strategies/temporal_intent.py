"""Crawlers for events: by temporal intent (paper 001) and by an event model (Farag, Lee and Fox 2018).

temporal_intent, paper 001, sections 4.2 and 4.3, by step (algorithms.md 3.13):
    3  the link of the highest P_T.   4  a page that was published before t_ST is abandoned with its links, Eq. (11).
    5  P = theta sim(V_D, V_T) + gamma sim_anchor, Eq. (13); P_T by the interest at the link's date, Eq. (14): the date
       in its URL, else that of the newest page that contains it, which may have it from its own parent.
event_model, Farag, Lee and Fox 2018, of which the abstract was read: topic and date of an event have one score. Its
    weights, the decay and P of Eq. (13) as its topic part are reconstructions [R]. Its third part, the location, is
    left out: a topic's words name places, and are not parted into what and where.

Without its dates, which a topic or `topic intent` gives, either is best-first search by Eq. (13).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome
from crawler.scoring import temporal
from crawler.strategies.base import with_seeds
from crawler.strategies.event_parameters import EventParameters, IntentParameters
from crawler.strategies.link_marks import LinkMarks
from crawler.strategies.numbered_picks import TopOfQueue

OPEN = 1.0
"""Mark of a link that a page in time contains."""


def topic_part(view: FrontierView, links: Ids, p: IntentParameters | EventParameters) -> Floats:
    """P(URL) of Eq. (13), shape (m,), in [0, 1]; of several pages that contain the link the mean."""
    R_page, R_anchor = view.feature("parents:TK", links), view.feature("anchor:TK", links)
    return temporal.url_priority(R_page, R_anchor, p.theta, p.gamma)


class TemporalIntentCrawler(TopOfQueue):
    """The head of a queue that is ordered by topic and by how much the event was searched for when a link is from."""

    name = "temporal_intent"
    title = "Focused event crawler with temporal intent"
    paper = "Wu, Hou 2023, Appl. Sci. 13, 4149 (paper 001), sections 3 and 4"
    Parameters = IntentParameters
    readings: ClassVar = {
        "T2": "sim(V_D, V_T) is the mean over the pages that contain the link.",
        "T36": "Printed: a link whose anchor has no topic word is raised only if its page is a perfect one.",
        "T37": "Printed: P_T jumps at delta and reaches e.",
        "T38": "A page or link without date has its newest parent's; none or no interval: lambda = 0, in time; no "
        "interest at all: factor 1.",
        "T39": "The sums of Eq. (12) run over the n topic words.",
        "T41": "Relevant is what the judge of the topic finds; the paper names no threshold.",
        "T42": "A page from before t_ST is left with its links, and the judge counts it all the same, by R alone; "
        "early=link does not fetch such links at all.",
    }
    guide = "paper_001"
    features = ("parents:TK", "anchor:TK")
    parameters: IntentParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._intent = self.parameters.intent()
        self._marks = self.keeps(LinkMarks())

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Step 4: the links of a page in time are open."""
        for outcome in outcomes:
            day = temporal.read_day(outcome.published or "")
            days = np.array([np.nan if day is None else float(day.toordinal())])
            if temporal.in_time(days, self._intent.start)[0]:  # Eq. (11)
                self._marks.raise_to(outcome.out_links, OPEN)

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """A link that only abandoned pages contain is left out; it is offered again with its next parent."""
        is_open: Bools = self._marks.get(links) == OPEN
        if self.parameters.early == "link":
            is_open = is_open & temporal.in_time(view.date(links), self._intent.start)
        return is_open

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """P_T of Eq. (14), shape (m,), in [0, e]."""
        P = topic_part(view, links, self.parameters)  # Eq. (13)
        interest = self._intent.interest(view.date(links))
        P_T = temporal.temporal_priority(P, interest, self._intent.largest, self.parameters.delta)
        return with_seeds(view, links, P_T)


class EventModel(TopOfQueue):
    """The head of a queue that is ordered by topic and by nearness to the day of the event."""

    name = "event_model"
    title = "Focused crawler for events by topic and date (event model)"
    paper = (
        "Farag, Lee, Fox 2018, Int. J. Digit. Libr. 19:3-19 (abstract; paper 001, section 2.2); weights and decay [R]"
    )
    Parameters = EventParameters
    readings: ClassVar = {
        "T2": "The mean over the pages that contain the link.",
        "T38": "A link without date, or an event without day, is judged by its topic alone.",
    }
    guide = "paper_001"
    features = ("parents:TK", "anchor:TK")
    parameters: EventParameters

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """topic P + date s, shape (m,), in [0, 1]."""
        p, P = self.parameters, topic_part(view, links, self.parameters)
        event = temporal.read_day(p.start)
        if event is not None:
            s = temporal.date_score(view.date(links), event, p.half_life)
            P = np.where(np.isnan(s), P, p.topic * P + p.date * s)
        return with_seeds(view, links, P)

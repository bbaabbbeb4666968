"""Crawlers for events: by temporal intent (paper 001) and by an event model (Farag, Lee and Fox 2018).

temporal_intent, paper 001, sections 4.2 and 4.3, by step (algorithms.md 3.13):
    3  the link of the highest P_T.   4  a page published before t_ST is abandoned with its links, Eq. (11).
    5  P = theta sim(V_D, V_T) + gamma sim_anchor, Eq. (13); P_T by the interest at the link's date, Eq. (14): the date
       in its URL, else that of the newest page that contains it, possibly inherited from a parent in turn.
    interest=pages takes lambda from the dates of the relevant pages found so far, the feedback of its section 6 [R].
event_model, Farag, Lee and Fox 2018, of which the abstract was read: topic and date of an event form one score. Its
    weights, the decay and P of Eq. (13) as its topic part are reconstructions [R]. Its third part, the location, is
    left out, as the words of a topic are not separated into event and place.

Without dates, from the topic or `topic intent`, both are best-first search by Eq. (13).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.frontier.rescoring import Refresh
from crawler.model import Bools, Floats, Ids, Outcome
from crawler.scoring import temporal
from crawler.strategies.base import with_seeds
from crawler.strategies.event_parameters import EventParameters, IntentParameters
from crawler.strategies.link_marks import LinkMarks
from crawler.strategies.numbered_picks import TopOfQueue

OPEN = 1.0
"""Mark of a link on a page that is not from before the event."""


def _topic_part(view: FrontierView, links: Ids, p: IntentParameters | EventParameters) -> Floats:
    """Compute P(URL) of Eq. (13), with the mean over the pages that contain the link.

    Args:
        view: the crawl as the strategy sees it.
        links: ids, shape (m,).
        p: the weights.

    Returns:
        Shape (m,), in [0, 1].
    """
    R_page, R_anchor = view.feature("parents:TK", links), view.feature("anchor:TK", links)
    return temporal.url_priority(R_page, R_anchor, p.theta, p.gamma)


class TemporalIntentCrawler(TopOfQueue):
    """Best-first search by topic and by search interest in the event at the date of a link."""

    name = "temporal_intent"
    title = "Focused event crawler with temporal intent"
    paper = "Wu, Hou 2023, Appl. Sci. 13, 4149 (paper 001), sections 3 and 4"
    Parameters = IntentParameters
    rules: ClassVar = {
        "abandoned": "A page from before the event is abandoned with its links (step 4).",
        "raised": "A link is scored with a P_T above its P, by the interest at its date (step 5).",
    }
    readings: ClassVar = {
        "T2": "sim(V_D, V_T) is the mean over the pages that contain the link.",
        "T36": "Printed: a link whose anchor has no topic word is raised only if R of its page is 1.",
        "T37": "Printed: P_T jumps at delta and reaches e.",
        "T38": "A page or link without a date has that of its newest parent; without any date or interval lambda = 0, "
        "and it is in time; without any interest the factor is 1.",
        "T39": "The sums of Eq. (12) run over the n topic words.",
        "T41": "A page is relevant by the judge of the topic; the paper has no threshold.",
        "T42": "The links of a page from before t_ST are dropped; the judge counts the page by R; early=link does not "
        "fetch such pages.",
    }
    guide = "paper_001"
    features = ("parents:TK", "anchor:TK")
    parameters: IntentParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._intent = self.parameters.intent()
        self._marks = self.keeps(LinkMarks())
        self._found: temporal.PagesByMonth | None = None
        if self.parameters.interest == "pages":
            self._found = self.keeps(temporal.PagesByMonth(self.parameters.prior))
            self.refresh = Refresh()  # the priorities of queued links change with the pages

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Mark the links of pages that are not from before the event (step 4)."""
        for outcome in outcomes:
            day = temporal.read_day(outcome.published or "")
            days = np.array([np.nan if day is None else float(day.toordinal())])
            in_time = bool(temporal.in_time(days, self._intent.start)[0])  # Eq. (11)
            self.count("abandoned", outcome.page_score is not None and not in_time)
            if in_time:
                self._marks.raise_to(outcome.out_links, OPEN)
            if self._found is not None and outcome.page_score is not None:
                self._found.add(day, outcome.page_score.relevant)

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Reject links that only abandoned pages contain; they are offered again with their next parent."""
        is_open: Bools = self._marks.get(links) == OPEN
        if self.parameters.early == "link":
            is_open = is_open & temporal.in_time(view.date(links), self._intent.start)
        return is_open

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return P_T of Eq. (14), shape (m,), in [0, e]."""
        P = _topic_part(view, links, self.parameters)  # Eq. (13)
        by = self._intent if self._found is None else self._found
        P_T = temporal.temporal_priority(P, by.interest(view.date(links)), by.largest, self.parameters.delta)
        self.count("raised", (P < P_T).sum())
        return with_seeds(view, links, P_T)


class EventModel(TopOfQueue):
    """Best-first search by topic and by nearness to the day of the event."""

    name = "event_model"
    title = "Focused crawler for events by topic and date (event model)"
    paper = (
        "Farag, Lee, Fox 2018, Int. J. Digit. Libr. 19:3-19 (abstract; paper 001, section 2.2); weights and decay [R]"
    )
    Parameters = EventParameters
    readings: ClassVar = {
        "T2": "The mean over the pages that contain the link.",
        "T38": "A link without a date, or an event without a day, is scored by the topic only.",
    }
    guide = "paper_001"
    features = ("parents:TK", "anchor:TK")
    parameters: EventParameters

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the score topic P + date s, shape (m,), in [0, 1]."""
        p, P = self.parameters, _topic_part(view, links, self.parameters)
        event = temporal.read_day(p.start)
        if event is not None:
            s = temporal.date_score(view.date(links), event, p.half_life)
            P = np.where(np.isnan(s), P, p.topic * P + p.date * s)
        return with_seeds(view, links, P)

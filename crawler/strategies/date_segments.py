"""Time-aware crawling by date segments.

Source: Pereira, Macedo, Craveiro, Madeira 2014, Time-Aware Focused Web Crawling, ECIR, of which the abstract was read:
    1  a page is segmented by the dates that it names.
    2  links in segments whose date is inside of the temporal focus are followed, all with one priority.
How segments are cut was not read [R]: a segment is the text around a link, 250
characters on each side within its block, dated by the first day that it names; where
it names none, the link's own date counts, and links of no date at all come behind. Without a focus all dates are inside
of it: links of any date, first come first served, before those of none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome
from crawler.strategies.base import with_seeds
from crawler.strategies.event_parameters import FocusParameters
from crawler.strategies.link_marks import LinkMarks
from crawler.strategies.numbered_picks import TopOfQueue

OUTSIDE, INSIDE = 1.0, 2.0
UNDATED = 0.5
"""Priority of a link that nothing dates [R]."""


class DateSegments(TopOfQueue):
    """First in, first out, of the links that stand in segments whose date is in the focus."""

    name = "date_segments"
    title = "Time-aware focused crawling by date segments"
    paper = "Pereira, Macedo, Craveiro, Madeira 2014, ECIR (abstract; paper 001, section 2.2); segments [R]"
    Parameters = FocusParameters
    readings: ClassVar = {
        "T38": "Where a segment names no date, that of the link counts; links of no date at all come behind [R].",
    }
    page_parts = ("segment_dates",)
    parameters: FocusParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._marks = self.keeps(LinkMarks())

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Segments date the links in them; one that is inside on any page stays so."""
        for outcome in outcomes:
            if outcome.segment_dates is not None:
                self._marks.raise_to(outcome.out_links, self._place(outcome.segment_dates))

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Links outside of the focus are not followed."""
        followed: Bools = self._focused(view, links) != OUTSIDE
        return followed

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """1 inside, less for a link that nothing dates, least for one outside (a seed has 1); shape (m,)."""
        place = self._focused(view, links)
        value = np.where(place == INSIDE, 1.0, np.where(place == OUTSIDE, 0.0, UNDATED))
        return with_seeds(view, links, value)

    def _focused(self, view: FrontierView, links: Ids) -> Floats:
        mark = self._marks.get(links)
        return np.where(mark > 0.0, mark, self._place(view.date(links)))

    def _place(self, days: Floats) -> Floats:
        """INSIDE or OUTSIDE of the focus, 0 for an unknown day; all days are inside where there is no focus. (m,)."""
        first, last = self.parameters.focus()
        inside = (first <= days) & (days <= last)
        return np.where(np.isnan(days), 0.0, np.where(inside, INSIDE, OUTSIDE))

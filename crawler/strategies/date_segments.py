"""Time-aware crawling by date segments.

Source: Pereira, Macedo, Craveiro, Madeira 2014, Time-Aware Focused Web Crawling, ECIR, of which the abstract was read:
    1  a page is segmented by the dates in it.
    2  links in segments whose date is in the temporal focus are followed, all with the same priority.
The segmentation is reconstructed [R]: a segment is the text around a link, 250 characters on each side in its block,
dated by the first day in it, else by the date of the link; links without any date come last. Without a focus all dates
are inside.
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
_UNDATED = 0.5
"""Priority of a link without a date [R]."""


class DateSegments(TopOfQueue):
    """Chooses links in segments whose date is in the temporal focus, first in, first out."""

    name = "date_segments"
    title = "Time-aware focused crawling by date segments"
    paper = "Pereira, Macedo, Craveiro, Madeira 2014, ECIR (abstract; paper 001, section 2.2); segments [R]"
    Parameters = FocusParameters
    readings: ClassVar = {
        "T38": "A segment without a date has that of the link; links without any date come last [R].",
    }
    page_parts = ("segment_dates",)
    parameters: FocusParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._marks = self.keeps(LinkMarks())

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Mark the links by the dates of their segments; inside the focus on one page is enough."""
        for outcome in outcomes:
            if outcome.segment_dates is not None:
                self._marks.raise_to(outcome.out_links, self._place(outcome.segment_dates))

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Reject links outside of the focus."""
        admitted: Bools = self._focused(view, links) != OUTSIDE
        return admitted

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return 1 for links inside the focus and seeds, 1/2 without a date, 0 outside; shape (m,)."""
        place = self._focused(view, links)
        value = np.where(place == INSIDE, 1.0, np.where(place == OUTSIDE, 0.0, _UNDATED))
        return with_seeds(view, links, value)

    def _focused(self, view: FrontierView, links: Ids) -> Floats:
        mark = self._marks.get(links)
        return np.where(mark > 0.0, mark, self._place(view.date(links)))

    def _place(self, days: Floats) -> Floats:
        """Return INSIDE or OUTSIDE for each day, 0 for an unknown one; without a focus all are inside; shape (m,)."""
        first, last = self.parameters.focus()
        inside = (first <= days) & (days <= last)
        return np.where(np.isnan(days), 0.0, np.where(inside, INSIDE, OUTSIDE))

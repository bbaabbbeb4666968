"""Parameters of the crawlers for events; dates are texts, because parameters are plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from crawler.parameters import CheckedParameters, Choice, Form, Range, Weight, parameter
from crawler.scoring.temporal import IntentError, TemporalIntent, read_day, read_intervals
from ontology.errors import Message

DAY = Form("nothing, a day YYYY-MM-DD", read_day)
_INTERVALS = Form("nothing, a list of intervals; an interval is written 2013-11-01..2013-11-30=100")


@dataclass(frozen=True)
class IntentParameters(CheckedParameters):
    """Parameters of paper 001, section 4.

    Raises:
        ValueError: a value is not allowed, or intervals overlap or cannot be parsed.
    """

    theta: float = parameter(0.4, "Weight of the pages that contain the link.", Weight())
    gamma: float = parameter(0.6, "Weight of the anchor.", Weight())
    delta: float = parameter(0.4, "Smallest priority that is raised by search interest, in [0, 1].", Range(0.0, 1.0))
    start: str = parameter("", "Start of the event, t_ST, as YYYY-MM-DD; empty if unknown.", DAY)
    intervals: str = parameter(
        "", "Search interest, for example 2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6.", _INTERVALS
    )
    interest: str = parameter(
        "series",
        'Of search interest, or of the dates of the relevant pages found so far ("pages"), which needs no intervals.',
        Choice("series", "pages"),
    )
    prior: float = parameter(
        10.0, "For interest=pages: pages found, before there were any, by the dates of all pages.", Range(0.01, 1e6)
    )
    early: str = parameter(
        "page",
        'Before t_ST: "page" fetches a page and drops its links (printed), "link" does not fetch it (T42).',
        Choice("page", "link"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            self.intent()
        except IntentError as error:
            raise ValueError(Message("strategies.parameter_intervals_must_nothing", error=error)) from error

    def intent(self) -> TemporalIntent:
        """Return T of Eq. (6) without its words. Raises IntentError."""
        return TemporalIntent(read_day(self.start), read_intervals(self.intervals))


@dataclass(frozen=True)
class EventParameters(CheckedParameters):
    """Parameters of the event model [R]."""

    topic: float = parameter(0.8, "Weight of the topic.", Weight("parts"))
    date: float = parameter(0.2, "Weight of the date.", Weight("parts"))
    theta: float = parameter(0.4, "Weight of the pages that contain the link, within the topic.", Weight())
    gamma: float = parameter(0.6, "Weight of the anchor, within the topic.", Weight())
    start: str = parameter("", "Day of the event as YYYY-MM-DD.", DAY)
    half_life: float = parameter(
        30.0, "Days before or after the event at which the score of a date is one half.", Range(0.01, 1e6)
    )


@dataclass(frozen=True)
class FocusParameters(CheckedParameters):
    """The temporal focus.

    Raises:
        ValueError: a text is not a day, or the end is before the start.
    """

    start: str = parameter("", "First day of the temporal focus as YYYY-MM-DD; empty for no bound.", DAY)
    end: str = parameter("", "Last day of the temporal focus; empty for no bound.", DAY)

    def __post_init__(self) -> None:
        super().__post_init__()
        first, last = self.focus()
        if last < first:
            raise ValueError(Message("strategies.parameter_end_must_lie", start=self.start, end=self.end))

    def focus(self) -> tuple[float, float]:
        """Return first and last day as ordinals; infinite for no bound."""
        return _ordinal(read_day(self.start), -math.inf), _ordinal(read_day(self.end), math.inf)


def _ordinal(day: date | None, otherwise: float) -> float:
    return otherwise if day is None else float(day.toordinal())

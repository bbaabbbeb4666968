"""Parameters of the crawlers for events: dates as texts, because parameters are plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from crawler.parameters import CheckedParameters, Choice, Form, Range, Weight, parameter
from crawler.scoring.temporal import IntentError, TemporalIntent, read_day, read_intervals

DAY = Form("nothing, a day YYYY-MM-DD", read_day)
INTERVALS = Form("nothing, a list of intervals; an interval is written 2013-11-01..2013-11-30=100")


@dataclass(frozen=True)
class IntentParameters(CheckedParameters):
    """Paper 001, section 4. Raises ValueError for intervals that overlap or cannot be read, too."""

    theta: float = parameter(0.4, "Weight of the pages that contain the link.", Weight())
    gamma: float = parameter(0.6, "Weight of the anchor.", Weight())
    delta: float = parameter(0.4, "Priority from which interest in the event counts, in [0, 1].", Range(0.0, 1.0))
    start: str = parameter("", "t_ST as YYYY-MM-DD; nothing where it is not known.", DAY)
    intervals: str = parameter(
        "", "Search interest, for example 2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6.", INTERVALS
    )
    early: str = parameter(
        "page",
        'What is left out of before t_ST: "page" its links once it is fetched (printed), "link" the link too (T42).',
        Choice("page", "link"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            self.intent()
        except IntentError as error:
            raise ValueError(f"parameter intervals must be one of: nothing, a list of intervals; {error}") from error

    def intent(self) -> TemporalIntent:
        """T of Eq. (6) without its words. Raises IntentError."""
        return TemporalIntent(read_day(self.start), read_intervals(self.intervals))


@dataclass(frozen=True)
class EventParameters(CheckedParameters):
    """The event model [R]."""

    topic: float = parameter(0.8, "Weight of the topic.", Weight("parts"))
    date: float = parameter(0.2, "Weight of the date.", Weight("parts"))
    theta: float = parameter(0.4, "Weight of the pages that contain the link, within the topic.", Weight())
    gamma: float = parameter(0.6, "Weight of the anchor, within the topic.", Weight())
    start: str = parameter("", "Day of the event as YYYY-MM-DD.", DAY)
    half_life: float = parameter(
        30.0, "Days from the event after which its date scores half, above 0.", Range(0.01, 1e6)
    )


@dataclass(frozen=True)
class FocusParameters(CheckedParameters):
    """The temporal focus. Raises ValueError for an end before the start, too."""

    start: str = parameter("", "Its first day as YYYY-MM-DD; nothing for no bound.", DAY)
    end: str = parameter("", "Its last day.", DAY)

    def __post_init__(self) -> None:
        super().__post_init__()
        first, last = self.focus()
        if last < first:
            raise ValueError(f"parameter end must lie in [{self.start}, ..), not {self.end!r}")

    def focus(self) -> tuple[float, float]:
        """First and last day as ordinals; infinite where there is no bound."""
        return _ordinal(read_day(self.start), -math.inf), _ordinal(read_day(self.end), math.inf)


def _ordinal(day: date | None, otherwise: float) -> float:
    return otherwise if day is None else float(day.toordinal())

"""Parameters of the crawlers for events: dates as texts, because parameters are plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from crawler.parameters import check_sum, require_choice, require_range
from crawler.scoring.temporal import IntentError, TemporalIntent, read_day, read_intervals


def check_day(name: str, text: str) -> None:
    """Raises ValueError where the value of a parameter is neither nothing nor a day."""
    try:
        read_day(text)
    except IntentError as error:
        raise ValueError(f"parameter {name} must be one of: nothing, a day YYYY-MM-DD, not {text!r}") from error


@dataclass(frozen=True)
class IntentParameters:
    """Paper 001, section 4. Raises ValueError for a value out of its range, or weights whose sum is not 1."""

    theta: float = 0.4
    """Weight of the pages that contain the link."""
    gamma: float = 0.6
    """Weight of the anchor."""
    delta: float = 0.4
    """Priority from which interest in the event counts, in [0, 1]."""
    start: str = ""
    """t_ST as YYYY-MM-DD; nothing where it is not known."""
    intervals: str = ""
    """Search interest, for example 2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6."""
    early: str = "page"
    """What is left out of before t_ST: "page" its links once it is fetched (printed), "link" the link too (T42)."""

    def __post_init__(self) -> None:
        check_sum(theta=self.theta, gamma=self.gamma)
        require_range("delta", self.delta, 0.0, 1.0)
        check_day("start", self.start)
        try:
            self.intent()
        except IntentError as error:
            raise ValueError(f"parameter intervals must be one of: nothing, a list of intervals; {error}") from error
        require_choice("early", self.early, ("page", "link"))

    def intent(self) -> TemporalIntent:
        """T of Eq. (6) without its words. Raises IntentError."""
        return TemporalIntent(read_day(self.start), read_intervals(self.intervals))


@dataclass(frozen=True)
class EventParameters:
    """The event model [R]. Raises ValueError for a value out of its range, or weights whose sum is not 1."""

    topic: float = 0.8
    """Weight of the topic."""
    date: float = 0.2
    """Weight of the date."""
    theta: float = 0.4
    """Weight of the pages that contain the link, within the topic."""
    gamma: float = 0.6
    """Weight of the anchor, within the topic."""
    start: str = ""
    """Day of the event as YYYY-MM-DD."""
    half_life: float = 30.0
    """Days from the event after which its date scores half, above 0."""

    def __post_init__(self) -> None:
        check_sum(topic=self.topic, date=self.date)
        check_sum(theta=self.theta, gamma=self.gamma)
        check_day("start", self.start)
        require_range("half_life", self.half_life, 0.01, 1e6)


@dataclass(frozen=True)
class FocusParameters:
    """The temporal focus. Raises ValueError for a text that is no day, or an end before the start."""

    start: str = ""
    """Its first day as YYYY-MM-DD; nothing for no bound."""
    end: str = ""
    """Its last day."""

    def __post_init__(self) -> None:
        check_day("start", self.start)
        check_day("end", self.end)
        first, last = self.focus()
        if last < first:
            raise ValueError(f"parameter end must lie in [{self.start}, ..), not {self.end!r}")

    def focus(self) -> tuple[float, float]:
        """First and last day as ordinals; infinite where there is no bound."""
        return _ordinal(read_day(self.start), -math.inf), _ordinal(read_day(self.end), math.inf)


def _ordinal(day: date | None, otherwise: float) -> float:
    return otherwise if day is None else float(day.toordinal())

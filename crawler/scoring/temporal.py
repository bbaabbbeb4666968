"""The temporal intent of an event: paper 001, sections 3 and 4, Eqs. (1) to (5), (11), (13) and (14).

    T = <V_T, t_ST, {<[s_r, e_r], lambda_r>}>    topic words, start time, search interest by interval, Eqs. (6) to (8)

lambda_r is how often the event was searched for in the interval (Google Trends, 0 to 100). By Bayes' rule the
probability that a page on the event is of time t is the share of that time in all pages on the event, Eqs. (2) to (5);
the paper takes lambda for that share. Days are proleptic Gregorian ordinals, NaN where a date is not known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import numpy as np

from crawler.model import Bools, Floats

_ITEM = re.compile(r"\s*(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)=(\d+(?:\.\d+)?)\s*")


class IntentError(ValueError):
    """A temporal intent that cannot be; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Interval:
    """<[s_r, e_r], lambda_r> of Eq. (8). Raises IntentError where it ends before it begins, or lambda_r is below 0."""

    first: date
    last: date
    interest: float

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise IntentError(f"the interval {self.first}..{self.last} ends before it begins")
        if not (math.isfinite(self.interest) and self.interest >= 0.0):
            raise IntentError(f"the interest of {self.first}..{self.last} must be a number >= 0, not {self.interest!r}")

    def __str__(self) -> str:
        interest = np.format_float_positional(self.interest, 6, trim="-")  # no exponent: the Baidu index has millions
        return f"{self.first}..{self.last}={interest}"


@dataclass(frozen=True)
class TemporalIntent:
    """t_ST, None where it is not known, and the intervals in order of time.

    Raises:
        IntentError: intervals overlap.
    """

    start: date | None = None
    intervals: tuple[Interval, ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.intervals, key=lambda interval: interval.first))
        for one, next_ in pairwise(ordered):
            if next_.first <= one.last:
                raise IntentError(f"the intervals {one} and {next_} overlap: a day has one interest")
        object.__setattr__(self, "intervals", ordered)

    @property
    def largest(self) -> float:
        """max lambda_r, 0 without intervals."""
        return max((interval.interest for interval in self.intervals), default=0.0)

    def interest(self, days: Floats) -> Floats:
        """lambda of the interval that each day is in; 0 in none of them, and for an unknown day (trap T38). (m,)."""
        if not self.intervals:
            return np.zeros(len(days))
        firsts = np.array([float(interval.first.toordinal()) for interval in self.intervals])
        lasts = np.array([float(interval.last.toordinal()) for interval in self.intervals])
        values = np.array([interval.interest for interval in self.intervals])
        at = np.maximum(np.searchsorted(firsts, days, side="right") - 1, 0)
        inside = (firsts[at] <= days) & (days <= lasts[at])  # False for NaN
        return np.where(inside, values[at], 0.0)


# ---- from search interest to intent, section 3 ------------------------------------------------------------------


def intent_of(series: Sequence[Interval], quiet: float = 0.0) -> TemporalIntent:
    """Start time and distribution of an event from a series of search interest, section 3.2.

    The event starts where the series rises from zero for the first time. A series that does not begin with zero has
    no known start (trap T40). Intervals of no interest are left out.

    Args:
        series: intervals without gaps, in order of time.
        quiet: interest up to this counts as zero, for series with noise; the paper's is 0.

    Raises:
        IntentError: the series is empty, or never rises above ``quiet``.
    """
    loud = [interval for interval in series if interval.interest > quiet]
    if not loud:
        raise IntentError(f"none of {len(series)} values of search interest is above {quiet:g}: there is no event")
    start = None if loud[0] == series[0] else loud[0].first
    return TemporalIntent(start, tuple(interval for interval in series if interval.interest > 0.0))


def time_given_event(in_time: Floats) -> Floats:
    """Pr(t | T) = Num(R_T, t) / Num(R_T), Eq. (5), of r times; lambda may stand for the numbers. Shape (r,)."""
    total = in_time.sum()
    return in_time / total if total > 0 else np.zeros_like(in_time)


def time_given_event_by_bayes(in_time: Floats, of_time: Floats) -> Floats:
    """The same by Eqs. (2) to (4), from all pages of each time, Num(WP, t) > 0. Shape (r,); of sum 1 if any is on T."""
    Pr_t = of_time / of_time.sum()  # Eq. (3)
    Pr_T_t = in_time / of_time  # Eq. (4)
    Pr_T = float(Pr_T_t @ Pr_t)
    return Pr_T_t * Pr_t / Pr_T if Pr_T > 0 else np.zeros_like(in_time)  # Eq. (2)


# ---- relevance in time and priority, section 4 ------------------------------------------------------------------


def in_time(days: Floats, start: date | None) -> Bools:
    """sim(t_PT, t_ST) of Eq. (11): not before the start. True for an unknown day (T38) or start. Shape (m,)."""
    if start is None:
        return np.ones(len(days), dtype=np.bool_)
    late: Bools = ~(days < float(start.toordinal()))
    return late


def url_priority(R_page: Floats, R_anchor: Floats, theta: float, gamma: float) -> Floats:
    """P(URL), Eq. (13): theta sim(V_D, V_T) + gamma sim_anchor. Shape (m,)."""
    return theta * R_page + gamma * R_anchor  # Eq. (13)


def temporal_priority(P: Floats, interest: Floats, largest: float, delta: float) -> Floats:
    """P_T(URL), Eq. (14): e^(lambda / max lambda) P from delta on, P below it.

    It jumps at delta and reaches e; it is not clamped (trap T37). Where no interval has any interest the factor is 1
    (trap T38). Shape (m,), in [0, e] for P in [0, 1].
    """
    factor = np.exp(interest / largest) if largest > 0.0 else np.ones_like(P)
    return np.where(delta <= P, factor * P, P)  # Eq. (14)


def date_score(days: Floats, event: date, half_life: float) -> Floats:
    """How near days are to that of an event: 1 on the day itself, half after ``half_life`` > 0 days before or after it.

    Farag, Lee and Fox 2018 let the score decay with the distance of both dates, as paper 001 tells (section 2.2); the
    form of the decay is a reconstruction [R]. NaN for an unknown day. Shape (m,), in (0, 1].
    """
    score: Floats = np.exp2(-np.abs(days - float(event.toordinal())) / half_life)
    return score


# ---- as text, for parameters ------------------------------------------------------------------------------------


def read_day(text: str) -> date | None:
    """A day from YYYY-MM-DD, None from nothing. Raises IntentError for anything else."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise IntentError(f"a day is written YYYY-MM-DD, for example 2013-11-01, not {text!r}") from error


def read_intervals(text: str) -> tuple[Interval, ...]:
    """Intervals from FIRST..LAST=INTEREST items between commas. Raises IntentError for another form.

    For example, Eq. (20) of the paper: 2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6
    """
    found = []
    for item in text.split(",") if text.strip() else ():
        match = _ITEM.fullmatch(item)
        if match is None:
            raise IntentError(f"an interval is written 2013-11-01..2013-11-30=100, not {item.strip()!r}")
        try:
            first, last = date.fromisoformat(match[1]), date.fromisoformat(match[2])
        except ValueError as error:
            raise IntentError(f"the interval {item.strip()!r} names a day that is none: {error}") from error
        found.append(Interval(first, last, float(match[3])))
    return tuple(found)


def write_intervals(intervals: Sequence[Interval]) -> str:
    """What ``read_intervals`` takes."""
    return ",".join(map(str, intervals))

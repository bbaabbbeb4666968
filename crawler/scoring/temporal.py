"""Temporal intent of an event: paper 001, sections 3 and 4, Eqs. (1) to (5), (11), (13) and (14).

    T = <V_T, t_ST, {<[s_r, e_r], lambda_r>}>    topic words, start time, search interest by interval, Eqs. (6) to (8)

lambda_r is how often the event was searched for in the interval (Google Trends, 0 to 100). By Bayes' rule the
probability that a page on the event is of time t is the share of that time in all pages on the event, Eqs. (2) to (5);
the paper uses lambda as that share. Days are proleptic Gregorian ordinals, NaN where a date is not known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np

from crawler.model import Bools, Floats
from ontology.errors import OntocrawlError

_ITEM = re.compile(r"\s*(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)=(\d+(?:\.\d+)?)\s*")


class IntentError(OntocrawlError, ValueError):
    """An invalid temporal intent; the message names what was expected."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Search interest in an interval of days, <[s_r, e_r], lambda_r> of Eq. (8).

    Raises:
        IntentError: it ends before it begins, or lambda_r is negative or not finite.
    """

    first: date
    last: date
    interest: float

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise IntentError("scoring.interval_ends_before_begins", first=self.first, last=self.last)
        if not (math.isfinite(self.interest) and self.interest >= 0.0):
            raise IntentError(
                "scoring.interest_must_number_not", first=self.first, last=self.last, interest=self.interest
            )

    def __str__(self) -> str:
        interest = np.format_float_positional(self.interest, 6, trim="-")  # no exponent: the Baidu index has millions
        return f"{self.first}..{self.last}={interest}"


@dataclass(frozen=True)
class TemporalIntent:
    """Start time t_ST of an event, None if unknown, and its intervals in order of time.

    Raises:
        IntentError: intervals overlap.
    """

    start: date | None = None
    intervals: tuple[Interval, ...] = ()

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.intervals, key=lambda interval: interval.first))
        for one, next_ in pairwise(ordered):
            if next_.first <= one.last:
                raise IntentError("scoring.intervals_overlap_day_interest", one=one, next=next_)
        object.__setattr__(self, "intervals", ordered)

    @property
    def largest(self) -> float:
        """The largest lambda_r, 0 without intervals."""
        return max((interval.interest for interval in self.intervals), default=0.0)

    def interest(self, days: Floats) -> Floats:
        """Return lambda of the interval of each day; 0 outside of all intervals and for an unknown day (trap T38).

        Args:
            days: ordinals, NaN for an unknown day, shape (m,).

        >>> intent = TemporalIntent(intervals=read_intervals("2013-11-01..2013-11-30=100"))
        >>> intent.interest(np.array([date(2013, 11, 8).toordinal(), date(2014, 1, 1).toordinal(), np.nan])).tolist()
        [100.0, 0.0, 0.0]
        """
        if not self.intervals:
            return np.zeros(len(days))
        firsts = np.array([float(interval.first.toordinal()) for interval in self.intervals])
        lasts = np.array([float(interval.last.toordinal()) for interval in self.intervals])
        values = np.array([interval.interest for interval in self.intervals])
        row = np.maximum(np.searchsorted(firsts, days, side="right") - 1, 0)
        inside = (firsts[row] <= days) & (days <= lasts[row])  # False for NaN
        return np.where(inside, values[row], 0.0)


# ---- from search interest to intent, section 3 ------------------------------------------------------------------


def intent_of(series: Sequence[Interval], quiet: float = 0.0) -> TemporalIntent:
    """Derive the start time and distribution of an event from a series of search interest, section 3.2.

    The event starts where the series first rises from zero. The start is unknown if the series does not begin with
    zero (trap T40). Intervals without interest are left out.

    Args:
        series: intervals without gaps, in order of time.
        quiet: interest up to this counts as zero, for noisy series; 0 in the paper.

    Raises:
        IntentError: the series is empty, or never rises above ``quiet``.

    >>> series = read_intervals("2013-10-01..2013-10-31=0,2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6")
    >>> intent_of(series).start, len(intent_of(series).intervals)
    (datetime.date(2013, 11, 1), 2)
    """
    loud = [interval for interval in series if interval.interest > quiet]
    if not loud:
        raise IntentError("scoring.none_values_search_interest", n_series=len(series), quiet=quiet)
    start = None if loud[0] == series[0] else loud[0].first
    return TemporalIntent(start, tuple(interval for interval in series if interval.interest > 0.0))


def time_given_event(in_time: Floats) -> Floats:
    """Compute Pr(t | T) = Num(R_T, t) / Num(R_T), Eq. (5), from the pages on the event of each time, or from lambda.

    Args:
        in_time: numbers for r times, at least 0, shape (r,).

    Returns:
        Shape (r,), of sum 1, or zeros if all numbers are 0.

    >>> time_given_event(np.array([3.0, 1.0])).tolist()
    [0.75, 0.25]
    """
    total = in_time.sum()
    return in_time / total if total > 0 else np.zeros_like(in_time)


_FIRST_DAY = np.datetime64("0001-01-01")
"""Day of the ordinal 1."""


class PagesByMonth:
    """Temporal intent from the pages that a crawl has found, in place of search interest; a part of a strategy.

    lambda_t is Pr(t | T) of Eq. (5) over the relevant pages R_T, with ``prior`` pages of which nothing is known: for
    these Pr(T | t) of Eq. (2) is Pr(T) in every month, so that Pr(t | T) is Pr(t) of Eq. (3) over all fetched pages WP,

        lambda_t = (Num(R_T, t) + prior Num(WP, t) / Num(WP)) / (Num(R_T) + prior)

    The prior is ours [R]. Pages without a date are in neither number.

    >>> pages = PagesByMonth(prior=2.0)
    >>> for day, relevant in (("2013-11-08", True), ("2013-11-09", True), ("2014-01-01", False)):
    ...     pages.add(read_day(day), relevant)
    >>> days = np.array([float(date(y, m, 1).toordinal()) for y, m in ((2013, 11), (2014, 1), (2014, 2))] + [np.nan])
    >>> pages.interest(days).round(3).tolist(), round(pages.largest, 3)
    ([0.833, 0.167, 0.0, 0.0], 0.833)
    """

    def __init__(self, prior: float) -> None:
        """Create the part; ``prior`` is a number of pages, above 0."""
        self._prior = prior
        self._pages: dict[int, list[int]] = {}  # month, counted from 1970 -> fetched pages and relevant ones

    def add(self, day: date | None, relevant: bool) -> None:
        """Count a fetched page of a day."""
        if day is not None:
            month = self._pages.setdefault(12 * (day.year - 1970) + day.month - 1, [0, 0])
            month[0] += 1
            month[1] += relevant

    @property
    def largest(self) -> float:
        """The largest lambda_t, 0 without pages."""
        return float(self._by_month().max(initial=0.0))

    def interest(self, days: Floats) -> Floats:
        """Return lambda of the month of each day; 0 for a month without a page, and for an unknown day.

        Args:
            days: ordinals, NaN for an unknown day, shape (m,).
        """
        known = ~np.isnan(days)
        months = np.full(len(days), np.iinfo(np.int64).min)
        dates = _FIRST_DAY + (days[known].astype(np.int64) - 1).astype("timedelta64[D]")
        months[known] = dates.astype("datetime64[M]").astype(np.int64)
        names, values = np.array([*self._pages], dtype=np.int64), self._by_month()
        found: Floats = (months[:, None] == names).astype(np.float64) @ values
        return found

    def _by_month(self) -> Floats:
        counts = np.array([*self._pages.values()], dtype=np.float64).reshape(-1, 2)
        fetched, relevant = counts.T
        return time_given_event(relevant + self._prior * time_given_event(fetched))

    def state(self) -> dict[str, list[list[int]]]:
        """Return everything that ``restore`` needs."""
        return {"months": [[month, *counts] for month, counts in self._pages.items()]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self._pages = {month: [fetched, relevant] for month, fetched, relevant in state["months"]}


# ---- relevance in time and priority, section 4 ------------------------------------------------------------------


def in_time(days: Floats, start: date | None) -> Bools:
    """Evaluate sim(t_PT, t_ST) of Eq. (11): whether each day is not before the start of the event.

    Args:
        days: ordinals, NaN for an unknown day, shape (m,).
        start: t_ST, None if unknown.

    Returns:
        Shape (m,); True for an unknown day (trap T38) or an unknown start.

    >>> in_time(np.array([1.0, 2.0, np.nan]), date.fromordinal(2)).tolist()
    [False, True, True]
    """
    if start is None:
        return np.ones(len(days), dtype=np.bool_)
    not_before: Bools = ~(days < float(start.toordinal()))
    return not_before


def url_priority(R_page: Floats, R_anchor: Floats, theta: float, gamma: float) -> Floats:
    """Compute P(URL), Eq. (13): theta sim(V_D, V_T) + gamma sim_anchor.

    Args:
        R_page: relevance of the page that contains each link, in [0, 1], shape (m,).
        R_anchor: relevance of its anchor, in [0, 1], shape (m,).
        theta: weight of the page.
        gamma: weight of the anchor.

    >>> url_priority(np.array([1.0, 0.0]), np.array([0.5, 0.0]), 0.4, 0.6).tolist()
    [0.7, 0.0]
    """
    return theta * R_page + gamma * R_anchor  # Eq. (13)


def temporal_priority(P: Floats, interest: Floats, largest: float, delta: float) -> Floats:
    """Compute P_T(URL), Eq. (14): e^(lambda / max lambda) P for P >= delta, else P.

    It jumps at delta and reaches e; it is not clipped (trap T37).

    Args:
        P: priority by topic, in [0, 1], shape (m,).
        interest: lambda at the date of each link, at least 0, shape (m,).
        largest: max lambda; where it is 0 the factor is 1 (trap T38).
        delta: threshold, in [0, 1].

    Returns:
        Shape (m,), in [0, e].

    >>> temporal_priority(np.array([0.5, 0.5, 0.3]), np.array([100.0, 0.0, 100.0]), 100.0, 0.4).round(3).tolist()
    [1.359, 0.5, 0.3]
    """
    factor = np.exp(interest / largest) if largest > 0.0 else np.ones_like(P)
    return np.where(delta <= P, factor * P, P)  # Eq. (14)


def date_score(days: Floats, event: date, half_life: float) -> Floats:
    """Compute how near days are to an event: 2^(-|days - event| / half_life).

    In Farag, Lee and Fox 2018 the score decays with the distance of the dates, according to paper 001 (section 2.2);
    the form of the decay is a reconstruction [R].

    Args:
        days: ordinals, NaN for an unknown day, shape (m,).
        event: day of the event.
        half_life: days after which the score is one half, above 0.

    Returns:
        Shape (m,), in (0, 1]; NaN for an unknown day.

    >>> date_score(np.array([100.0, 130.0, 70.0, np.nan]), date.fromordinal(100), 30.0).tolist()
    [1.0, 0.5, 0.5, nan]
    """
    score: Floats = np.exp2(-np.abs(days - float(event.toordinal())) / half_life)
    return score


# ---- as text, for parameters ------------------------------------------------------------------------------------


def read_day(text: str) -> date | None:
    """Parse a day YYYY-MM-DD; the empty text is None.

    Raises:
        IntentError: the text is neither.

    >>> read_day("2013-11-01"), read_day("")
    (datetime.date(2013, 11, 1), None)
    """
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise IntentError("scoring.day_written_yyyy_mm", text=text) from error


def read_intervals(text: str) -> tuple[Interval, ...]:
    """Parse intervals FIRST..LAST=INTEREST, separated by commas.

    Raises:
        IntentError: an item of another form, or with a day that does not exist.

    >>> read_intervals("2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6")[1]  # Eq. (20) of the paper
    Interval(first=datetime.date(2013, 12, 1), last=datetime.date(2013, 12, 31), interest=6.0)
    """
    intervals = []
    for item in text.split(",") if text.strip() else ():
        match = _ITEM.fullmatch(item)
        if match is None:
            raise IntentError("scoring.interval_written_not", item=item.strip())
        try:
            first, last = date.fromisoformat(match[1]), date.fromisoformat(match[2])
        except ValueError as error:
            raise IntentError("scoring.interval_invalid_day", item=item.strip(), error=error) from error
        intervals.append(Interval(first, last, float(match[3])))
    return tuple(intervals)


def write_intervals(intervals: Sequence[Interval]) -> str:
    """Format intervals for ``read_intervals``.

    >>> write_intervals([Interval(date(2013, 11, 1), date(2013, 11, 30), 100.0)])
    '2013-11-01..2013-11-30=100'
    """
    return ",".join(map(str, intervals))

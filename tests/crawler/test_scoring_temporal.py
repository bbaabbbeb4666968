"""Temporal intent of paper 001: golden numbers G12, traps T37 to T40, Bayes' rule, intervals as text."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.scoring.temporal import (
    IntentError,
    Interval,
    TemporalIntent,
    date_score,
    in_time,
    intent_of,
    read_day,
    read_intervals,
    temporal_priority,
    time_given_event,
    url_priority,
    write_intervals,
)
from crawler.scoring.vsm import cosine
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.topics import topics

HAIYAN = TemporalIntent(
    date(2013, 11, 1),
    (Interval(date(2013, 11, 1), date(2013, 11, 30), 100.0), Interval(date(2013, 12, 1), date(2013, 12, 31), 6.0)),
)


def days(*texts: str) -> np.ndarray:
    return np.array([float(date.fromisoformat(t).toordinal()) if t else math.nan for t in texts])


# ---- G12


def test_g12_similarity_and_priority() -> None:
    w = topics.load("haiyan", Workspace(Path("nowhere"), Settings())).file.vocabulary().weights
    assert np.linalg.norm(w) == pytest.approx(1.668263, abs=5e-7)
    page = np.zeros((3, 12))
    page[0, 0] = 1
    page[1, :2] = 1
    page[2, [0, 1, 2, 7]] = 5, 3, 2, 1
    typhoon, anchor, sim = cosine(w, page)
    assert (typhoon, anchor, sim) == pytest.approx((0.599426, 0.813808, 0.873463), abs=5e-7)
    P = url_priority(np.array([sim] * 3), np.array([anchor] * 3), 0.4, 0.6)
    assert pytest.approx([0.837670] * 3, abs=5e-7) == P
    interest = HAIYAN.interest(days("2013-11-08", "2013-12-24", "2014-01-01"))
    assert temporal_priority(P, interest, HAIYAN.largest, 0.4) == pytest.approx(
        [2.277023, 0.889469, 0.837670], abs=1e-6
    )


def test_t37_the_priority_jumps_and_is_not_clamped() -> None:
    P = np.array([0.3999, 0.4, 1.0])
    full = temporal_priority(P, np.full(3, 100.0), 100.0, 0.4)
    assert full == pytest.approx([0.3999, 0.4 * math.e, math.e])
    december = temporal_priority(np.ones(1), np.array([6.0]), 100.0, 0.4)
    assert full[1] > december[0]


def test_t38_no_date_no_interval_no_interest() -> None:
    assert HAIYAN.interest(days("", "2012-01-01", "2013-11-01", "2013-11-30", "2013-12-31", "2014-01-01")).tolist() == [
        0, 0, 100, 100, 6, 0,
    ]  # fmt: skip
    assert TemporalIntent().interest(days("2013-11-08", "")).tolist() == [0, 0]
    P = np.array([0.2, 0.9])
    assert temporal_priority(P, np.zeros(2), 0.0, 0.4).tolist() == P.tolist()


def test_eq_11_a_page_without_date_is_in_time() -> None:
    found = in_time(days("2013-10-31", "2013-11-01", "2014-01-01", ""), HAIYAN.start)
    assert found.tolist() == [False, True, True, True]
    assert in_time(days("1999-01-01"), None).tolist() == [True]


# ---- Eqs. (1) to (5)


numbers = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=1, max_size=8)


@given(numbers)
def test_eq_5_is_what_bayes_rule_gives(pairs: list[tuple[int, int]]) -> None:
    """Pages on the event are some of all pages of a time; the prior of the time cancels."""
    on_event = np.array([float(on) for on, _ in pairs])
    of_time = on_event + np.array([float(off) for _, off in pairs])
    direct = time_given_event(on_event)
    Pr_t, Pr_T_t = of_time / of_time.sum(), on_event / of_time  # Eqs. (3) and (4)
    Pr_T = float(Pr_T_t @ Pr_t)
    assert direct == pytest.approx(Pr_T_t * Pr_t / Pr_T if Pr_T > 0 else np.zeros_like(Pr_t))  # Eq. (2)
    assert direct.sum() == pytest.approx(1.0 if on_event.any() else 0.0)


def month(m: int, value: float, year: int = 2013) -> Interval:
    return Interval(date(year, m, 1), date(year, m, 28), value)


def test_the_start_is_the_first_rise_from_zero() -> None:
    found = intent_of([month(9, 0), month(10, 0), month(11, 100), month(12, 6)])
    assert found.start == date(2013, 11, 1)
    assert [i.interest for i in found.intervals] == [100, 6]
    assert intent_of([month(9, 1), month(10, 0), month(11, 100)], quiet=1.0).start == date(2013, 11, 1)


def test_t40_a_series_that_begins_loud_has_no_start() -> None:
    assert intent_of([month(9, 3), month(10, 0), month(11, 100)]).start is None


def test_a_series_without_interest_is_no_event() -> None:
    with pytest.raises(IntentError, match="none of 2 values of search interest is above 0"):
        intent_of([month(9, 0), month(10, 0)])


# ---- the event model


def test_the_date_score_halves() -> None:
    event = date(2013, 11, 8)
    score = date_score(days("2013-11-08", "2013-11-18", "2013-10-29", "2013-11-28", ""), event, 10.0)
    assert score[:4] == pytest.approx([1.0, 0.5, 0.5, 0.25])
    assert math.isnan(score[4])


# ---- as text


day = st.dates(date(1990, 1, 1), date(2090, 1, 1))


@given(st.sets(day, min_size=2, max_size=10), st.integers(0, 100))
def test_intervals_come_back_from_text(ends: set[date], interest: int) -> None:
    ordered = sorted(ends)
    pairs = zip(ordered[::2], ordered[1::2], strict=False)
    intervals = tuple(Interval(first, last, float(interest)) for first, last in pairs)
    assert read_intervals(write_intervals(intervals)) == intervals
    assert TemporalIntent(None, tuple(reversed(intervals))).intervals == intervals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2013-11-01", "is written 2013-11-01..2013-11-30=100"),
        ("2013-11-01..2013-11-31=3", "has an invalid day"),
        ("2013-11-02..2013-11-01=3", "ends before it begins"),
        ("2013-11-02..2013-11-03=-1", "is written"),
    ],
)
def test_texts_that_are_no_intervals(text: str, message: str) -> None:
    with pytest.raises(IntentError, match=message):
        read_intervals(text)


def test_a_day_has_one_interest() -> None:
    with pytest.raises(IntentError, match="overlap"):
        TemporalIntent(None, (month(11, 1), month(11, 2)))
    with pytest.raises(IntentError, match="YYYY-MM-DD"):
        read_day("8 November 2013")
    assert read_day("") is None and read_intervals(" ") == ()

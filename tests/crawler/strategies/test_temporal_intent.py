"""Crawlers for events: temporal intent (paper 001, traps T38 and T42), the event model, date segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Budget, Outcome, PageScore
from crawler.pages.dates import date_in_text
from crawler.strategies import create
from crawler.strategies.best_first import BestFirst, BestFirstParameters
from crawler.strategies.date_segments import DateSegments
from crawler.strategies.temporal_intent import EventModel, TemporalIntentCrawler
from tests.crawler import webs

HAIYAN = {"start": "2013-11-01", "intervals": "2013-11-01..2013-11-30=100,2013-12-01..2013-12-31=6"}


def ordinal(day: str) -> float:
    return float(date.fromisoformat(day).toordinal()) if day else math.nan


def links(dates: Sequence[str], parents: float = 0.873463, anchor: float = 0.813808) -> FrontierView:
    """Links of these dates, which one page contains."""
    n = len(dates)
    frontier, graph = Frontier(("parents:TK", "anchor:TK")), LinkGraph()
    ids = frontier.discover(host=[0.0] * n, date=[ordinal(day) for day in dates])
    graph.grow(n + 1)
    graph.add(n, ids.tolist())
    frontier.set_feature("parents:TK", ids, np.full(n, parents))
    frontier.set_feature("anchor:TK", ids, np.full(n, anchor))
    frontier.put(ids, np.zeros(n))
    return FrontierView(frontier, graph, Budget(1, 100))


def page(link: int, out: Sequence[int], published: str | None, dates: Sequence[str] | None = None) -> Outcome:
    told = None if dates is None else np.array([ordinal(day) for day in dates])
    score = PageScore({"TK": 0.9}, 0.9, True)
    return Outcome(link, score, np.array(out, dtype=np.int64), published=published, segment_dates=told)


# ---- temporal intent


def test_g12_priorities() -> None:
    view = links(["2013-11-08", "2013-12-24", "2014-01-01", ""])
    P_T = create("temporal_intent", HAIYAN).priority(view, view.links)
    assert pytest.approx([2.277023, 0.889469, 0.837670, 0.837670], abs=1e-6) == P_T


def test_t38_without_intent_it_is_best_first_by_eq_13() -> None:
    view = links(["2013-11-08", ""])
    base = BestFirst(BestFirstParameters("paper_001"))
    for name in ("temporal_intent", "event_model"):
        assert create(name).priority(view, view.links).tolist() == base.priority(view, view.links).tolist()
    strategy = TemporalIntentCrawler()
    strategy.tell([page(9, [0, 1], "1999-01-01")])
    assert strategy.admit(view, view.links).tolist() == [True, True]


def test_eq_11_an_early_page_is_abandoned_with_its_links() -> None:
    view = links(["", "2013-11-08", "2013-10-01"])
    strategy = create("temporal_intent", HAIYAN)
    strategy.tell([page(9, [0, 1, 2], "2013-10-31")])
    assert strategy.admit(view, view.links).tolist() == [False, False, False]
    strategy.tell([page(8, [1], "2013-11-01"), page(7, [2], None)])
    assert strategy.admit(view, view.links).tolist() == [False, True, True]


def test_t42_early_links_may_be_left_unfetched() -> None:
    view = links(["2013-10-31", "2013-11-01", ""])
    for early, expected in (("page", [True, True, True]), ("link", [False, True, True])):
        strategy = create("temporal_intent", {**HAIYAN, "early": early})
        strategy.tell([page(9, [0, 1, 2], "2013-11-08")])
        assert strategy.admit(view, view.links).tolist() == expected


def test_eq_5_interest_by_the_pages_found() -> None:
    """Two of three relevant pages are of November: Pr(t | T) with one page of the prior, by the dates of all pages."""
    view = links(["2013-11-30", "2014-01-01", "2014-02-01", ""])
    strategy = create("temporal_intent", {"interest": "pages", "prior": 1.0})
    P = strategy.priority(view, view.links)[0]
    assert strategy.priority(view, view.links).tolist() == [P] * 4  # nothing is known yet
    wrong = Outcome(6, PageScore({"TK": 0.0}, 0.0, False), np.array([], dtype=np.int64), published="2014-01-01")
    strategy.tell([page(9, [], "2013-11-08"), page(8, [], "2013-11-09"), page(7, [], "2014-01-05"), wrong])
    november, january = (2 + 2 / 4) / 4, (1 + 2 / 4) / 4
    expected = [math.e * P, math.exp(january / november) * P, P, P]
    assert strategy.priority(view, view.links) == pytest.approx(expected)
    again = create("temporal_intent", {"interest": "pages", "prior": 1.0})
    again.restore(strategy.state())
    assert again.priority(view, view.links).tolist() == strategy.priority(view, view.links).tolist()
    assert strategy.refresh is not None and TemporalIntentCrawler().refresh is None


# ---- the event model


def test_the_event_model_prefers_links_near_the_event() -> None:
    view = links(["2013-11-08", "2013-12-08", "2003-11-08", ""], 0.5, 0.5)
    found = create("event_model", {"start": "2013-11-08"}).priority(view, view.links)
    assert found == pytest.approx([0.6, 0.5, 0.4, 0.5], abs=1e-6)
    assert isinstance(create("event_model"), EventModel)


# ---- date segments


def test_links_of_segments_inside_the_focus_are_followed_with_one_priority() -> None:
    strategy = create("date_segments", {"start": "2013-11-01", "end": "2013-11-30"})
    view = links(["", "2013-11-08", "2013-12-08", "2013-11-08", ""])
    strategy.tell([page(9, [0, 1, 2, 3, 4], "2013-11-08", ["2013-11-01", "", "", "2013-12-01", ""])])
    assert strategy.admit(view, view.links).tolist() == [True, True, False, False, True]
    assert strategy.priority(view, view.links).tolist() == [1.0, 1.0, 0.0, 0.0, 0.5]
    strategy.tell([page(8, [3], None, ["2013-11-30"]), page(7, [0], None, ["1999-01-01"])])
    assert strategy.admit(view, view.links).tolist() == [True, True, False, True, True]


def test_without_a_focus_all_dated_links_are_inside() -> None:
    view = links(["1999-01-01", "2030-01-01"])
    assert DateSegments().priority(view, view.links).tolist() == [1.0, 1.0]
    bounded = create("date_segments", {"end": "2013-11-30"})
    assert bounded.admit(view, view.links).tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2013-11-08 10:23 来源：新华网", "2013-11-08"),
        ("台风于2013年11月8日登陆，2013年11月10日减弱", "2013-11-08"),
        ("On November 8, 2013 the storm made landfall", "2013-11-08"),
        ("on 8th Nov. 2013, and 2013-11-10", "2013-11-08"),
        ("in November 2013", None),
        ("2013-02-30", None),
        ("11月8日", None),
    ],
)
def test_dates_in_text(text: str, expected: str | None) -> None:
    assert date_in_text(text) == expected


def test_segment_dates_reach_the_strategy(tmp_path: Path) -> None:
    crawl = webs.make("date_segments", tmp_path / "j", pages=30)
    crawl.begin({})
    told = [step.outcome for step in crawl.steps() if step.outcome.failure is None]
    crawl.journal.close()
    assert told
    assert all(o.segment_dates is not None and o.segment_dates.shape == o.out_links.shape for o in told)


# ---- parameters


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("temporal_intent", {"theta": 0.5}, "theta, gamma must be 2 numbers >= 0 of sum 1"),
        ("temporal_intent", {"delta": 1.5}, r"delta must lie in \[0, 1\]"),
        ("temporal_intent", {"start": "2013-13-01"}, "start must be one of: nothing, a day YYYY-MM-DD"),
        ("temporal_intent", {"intervals": "2013=5"}, "intervals must be one of: nothing, a list of intervals"),
        ("event_model", {"topic": 0.5}, "topic, date must be 2 numbers >= 0 of sum 1"),
        ("event_model", {"half_life": 0.0}, r"half_life must lie in \[0.01"),
        ("date_segments", {"start": "2013-12-01", "end": "2013-11-01"}, "end must lie in"),
    ],
)
def test_parameters_that_are_refused(name: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        create(name, given)

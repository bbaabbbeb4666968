"""Metrics of algorithms.md 1.6: by hand, against the law of total variance, and for crawls that fetched nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler import metrics
from crawler.metrics import FetchedPages, Metrics, MetricsError, _evaluate

CRAWLS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def crawl(R: Sequence[float], relevant: Sequence[bool], targets: Collection[str] | None = None) -> FetchedPages:
    """A crawl whose pages are called 0, 1, 2 .."""
    return FetchedPages(R, relevant, [(str(at),) for at in range(len(R))], targets)


def test_a_crawl_by_hand() -> None:
    m = _evaluate(crawl([0.9, 0.2, 0.7, 0.0], [True, False, True, False], [*"0123", "w", "x", "y", "z"]))
    assert (m.fetched, m.relevant, m.relevant_by_label, m.accuracy, m.rc) == (4, 2, 4, 0.5, 0.5)
    assert pytest.approx([0.8, 0.1]) == [m.ar_lp, m.sd_lp]
    assert pytest.approx([0.45, np.sqrt(0.1325)]) == [m.ar, m.sd]
    assert metrics.harvest_curve([True, False, True, False]).tolist() == [1, 1, 2, 2]


def test_nothing_fetched_is_none_and_not_zero() -> None:
    assert _evaluate(crawl([], [])) == Metrics(0, 0, None, None, None, None, None, None, None)
    m = _evaluate(crawl([0.1, 0.3], [False, False], []))
    assert (m.accuracy, m.ar_lp, m.sd_lp, m.relevant_by_label, m.rc) == (0.0, None, None, 0, None)
    assert metrics.milestones(crawl([], [])) == {"end": _evaluate(crawl([], []))}
    assert metrics.harvest_curve([]).tolist() == []
    assert metrics._recall([], ["a"]) is None
    assert metrics.superposition([], []) is None


def test_judge_and_labels_are_reported_apart() -> None:
    m = _evaluate(crawl([0.9, 0.8, 0.1], [True, True, False], ["1", "2", "y", "z"]))
    assert (m.relevant, m.relevant_by_label, m.rc) == (2, 2, 0.5)
    assert pytest.approx(0.85) == m.ar_lp
    without = _evaluate(crawl([0.9], [True]))
    assert (without.relevant, without.relevant_by_label, without.rc) == (1, None, None)


def test_a_page_that_was_reached_twice_is_recalled_once() -> None:
    pages = FetchedPages([0.5, 0.5, 0.5], [True] * 3, [("old", "new"), ("new",), ("x",)], ["new", "y"])
    assert pages.labelled == [True, True, False]
    m = _evaluate(pages)
    assert (m.relevant_by_label, m.rc) == (2, 0.5)


def test_recall_is_a_share_of_the_targets() -> None:
    assert metrics._recall(["a", "b", "c", "d"], ["d", "x"]) == 0.25
    assert metrics._recall(["d", "x"], ["a", "b", "c", "d"]) == 0.5


def test_superposition_is_over_the_union() -> None:
    """Trap T35."""
    assert metrics.superposition("abcd", "dx") == pytest.approx(0.2)
    assert metrics.superposition(["a", "b", "c"], ["b", "c", "d"]) == 0.5


def test_milestones_are_those_of_a_table() -> None:
    pages = crawl([0.9, 0.1, 0.9], [True, False, True], ["1", "2"])
    at = metrics.milestones(pages, (1, 2, 1000))
    assert {name: (m.fetched, m.relevant, m.relevant_by_label) for name, m in at.items()} == {
        "1": (1, 1, 0), "2": (2, 1, 1), "end": (3, 2, 2),
    }  # fmt: skip
    assert at["2"] == _evaluate(pages.first(2)) and at["end"].rc == 1.0
    assert list(metrics.milestones(crawl([0.5] * 300, [True] * 300))) == ["100", "300", "end"]


def test_t45_a_crawl_of_irrelevant_pages_has_no_spread() -> None:
    assert _evaluate(crawl([0.0] * 5, [False] * 5)).sd == 0.0


def test_what_is_no_record_of_a_crawl() -> None:
    with pytest.raises(MetricsError, match=r"not \(2, 1, 2\) of them"):
        crawl([0.1, 0.2], [True])
    for wrong in (1.5, -0.1, float("nan")):
        with pytest.raises(MetricsError, match=r"lies in \[0, 1\]"):
            crawl([wrong], [True])


@given(CRAWLS)
def test_t43_law_of_total_variance(pages: list[tuple[float, bool]]) -> None:
    R, relevant = [r for r, _ in pages], [label for _, label in pages]
    m = _evaluate(crawl(R, relevant))
    rest = _evaluate(crawl(R, [not label for label in relevant]))
    assert m.sd is not None and m.ar is not None and m.accuracy is not None
    parts = 0.0
    for share, part in ((m.accuracy, m), (1.0 - m.accuracy, rest)):
        if part.ar_lp is not None and part.sd_lp is not None:
            parts += share * (part.sd_lp**2 + (part.ar_lp - m.ar) ** 2)
    assert abs(m.sd**2 - parts) < 1e-12
    assert metrics.harvest_curve(relevant)[-1] == m.relevant


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=12))
def test_no_other_threshold_agrees_better_with_the_labels(pages: list[tuple[int, bool]]) -> None:
    R, labelled = [r / 8 for r, _ in pages], [label for _, label in pages]
    if not any(labelled):
        return

    def f1(threshold: float) -> float:
        judged = [r > threshold for r in R]
        both = sum(a and b for a, b in zip(judged, labelled, strict=True))
        return 2 * both / (sum(judged) + sum(labelled))

    found = metrics.agreeing_threshold(R, labelled)
    assert 0.0 <= found < 1.0 and (found not in R or not found)
    assert f1(found) == pytest.approx(max(map(f1, (*R, 0.0))))

"""Metrics of algorithms.md 1.6: by hand, against the law of total variance, and for crawls that fetched nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler import metrics
from crawler.metrics import Metrics, MetricsError, evaluate

CRAWLS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def test_a_crawl_by_hand() -> None:
    R = [0.9, 0.2, 0.7, 0.0]
    m = evaluate(R, [True, False, True, False], existing=8)
    assert (m.DP, m.LP, m.accuracy, m.recall) == (4, 2, 0.5, 0.25)
    assert pytest.approx([0.8, 0.1]) == [m.AR_LP, m.SD_LP]
    assert pytest.approx([0.45, np.sqrt(0.1325)]) == [m.AR_DP, m.SD_DP]
    assert metrics.harvest_curve([True, False, True, False]).tolist() == [1, 1, 2, 2]
    assert metrics.accuracy_curve([True, False, True, False]).tolist() == [1.0, 0.5, pytest.approx(2 / 3), 0.5]


def test_nothing_fetched_is_none_and_not_zero() -> None:
    assert evaluate([], []) == Metrics(0, 0, None, None, None, None, None)
    m = evaluate([0.1, 0.3], [False, False], existing=0)
    assert (m.accuracy, m.AR_LP, m.SD_LP, m.recall) == (0.0, None, None, None)
    assert metrics.harvest_curve([]).tolist() == []
    assert metrics.accuracy_curve([]).tolist() == []
    assert metrics.overlap([], ["a"]) is None
    assert metrics.superposition([], []) is None
    assert metrics.accuracy([]) is None


def test_judge_and_labels_are_reported_apart() -> None:
    by = metrics.evaluate_by([0.9, 0.8, 0.1], [True, True, False], [False, True, True], existing=4)
    assert (by["judge"].LP, by["judge"].recall) == (2, None)
    assert (by["label"].LP, by["label"].recall) == (2, 0.5)
    assert pytest.approx(0.45) == by["label"].AR_LP
    assert set(metrics.evaluate_by([0.9], [True])) == {"judge"}


def test_overlap_is_a_share_of_the_first() -> None:
    assert metrics.overlap(["a", "b", "c", "d"], ["d", "x"]) == 0.25
    assert metrics.overlap(["d", "x"], ["a", "b", "c", "d"]) == 0.5
    assert metrics.superposition("abcd", "dx") == pytest.approx(0.2)


def test_metrics_at_the_moments_of_a_table() -> None:
    at = metrics.at([0.9, 0.1, 0.9], [True, False, True], [1, 2, 1000])
    assert {DP: m.LP for DP, m in at.items()} == {1: 1, 2: 1}
    with pytest.raises(MetricsError, match="at least 1"):
        metrics.at([0.9], [True], [0])


def test_t45_a_crawl_of_irrelevant_pages_has_no_spread() -> None:
    assert evaluate([0.0] * 5, [False] * 5).SD_DP == 0.0


def test_what_is_no_record_of_a_crawl() -> None:
    with pytest.raises(MetricsError, match=r"shapes \(2,\) and \(1,\)"):
        evaluate([0.1, 0.2], [True])
    for wrong in (1.5, -0.1, float("nan")):
        with pytest.raises(MetricsError, match=r"lies in \[0, 1\]"):
            evaluate([wrong], [True])
    with pytest.raises(MetricsError, match="3 found of 2"):
        metrics.recall(3, 2)


@given(CRAWLS)
def test_t43_law_of_total_variance(crawl: list[tuple[float, bool]]) -> None:
    R, relevant = [r for r, _ in crawl], [label for _, label in crawl]
    m = evaluate(R, relevant)
    rest = evaluate(R, [not label for label in relevant])
    assert m.SD_DP is not None and m.AR_DP is not None and m.accuracy is not None
    parts = 0.0
    for share, part in ((m.accuracy, m), (1.0 - m.accuracy, rest)):
        if part.AR_LP is not None and part.SD_LP is not None:
            parts += share * (part.SD_LP**2 + (part.AR_LP - m.AR_DP) ** 2)
    assert abs(m.SD_DP**2 - parts) < 1e-12
    assert metrics.harvest_curve(relevant)[-1] == m.LP

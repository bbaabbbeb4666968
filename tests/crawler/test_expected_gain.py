"""The expected gain of a crawl: its range, its calibration, and what clusters and falling harvests do to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.expected_gain import AHEAD, EVERY, ExpectedGain, Harvest, expected_gain
from crawler.model import Bools, Floats


def forecast(relevant: Bools | list[bool]) -> ExpectedGain:
    """Return the expected gain of a crawl that is long enough."""
    gain = expected_gain(relevant)
    assert gain is not None
    return gain


def drawn(rate: Floats, seed: int) -> Bools:
    """Return verdicts of pages that are relevant with given probabilities."""
    return np.random.default_rng(seed).random(len(rate)) < rate


@given(st.lists(st.booleans(), max_size=400))
def test_a_forecast_is_about_the_next_pages(relevant: list[bool]) -> None:
    gain = expected_gain(relevant)
    if len(relevant) < AHEAD:
        assert gain is None
    else:
        assert gain is not None and gain.pages == AHEAD
        assert 0 <= gain.low <= gain.high <= AHEAD and 0.0 < gain.mean < AHEAD
        assert gain.low - 1 <= gain.mean <= gain.high + 1


@given(st.integers(100, 700), st.integers(0, 2**32 - 1))
def test_one_more_relevant_page_never_lowers_the_mean_of_a_crawl_that_ends_with_it(k: int, seed: int) -> None:
    relevant = drawn(np.full(k, 0.2), seed)
    relevant[-1] = False
    less = forecast(relevant).mean
    relevant[-1] = True
    assert forecast(relevant).mean > less


@pytest.mark.parametrize(
    "rate",
    [np.full(700, 0.3), np.full(700, 0.02), 1.0 / (1.0 + np.arange(700) / 40.0)],
    ids=["constant", "rare", "falling"],
)
def test_the_interval_contains_what_comes_as_often_as_it_says(rate: Floats) -> None:
    inside, errors = [], []
    for seed in range(80):
        relevant = drawn(rate, seed)
        for k in (200, 400, 600):
            gain, came = forecast(relevant[:k]), int(relevant[k : k + AHEAD].sum())
            inside.append(gain.low <= came <= gain.high)
            errors.append(gain.mean - rate[k : k + AHEAD].sum())
    assert np.mean(inside) >= 0.93
    assert abs(np.mean(errors)) < 0.15 * AHEAD * rate[200:].mean() + 0.5


def test_a_falling_harvest_is_expected_to_fall_further() -> None:
    relevant = drawn(1.0 / (1.0 + np.arange(600) / 40.0), 1)
    gain = forecast(relevant)
    assert gain.mean < relevant.sum() / 6 / 2
    assert forecast(relevant[:300]).mean > gain.mean


def test_the_longer_nothing_is_found_the_less_is_expected() -> None:
    highs = [forecast(np.zeros(k, dtype=np.bool_)).high for k in (100, 200, 400, 800, 1600, 6400)]
    assert highs == sorted(highs, reverse=True)
    assert highs[0] > 3 and highs[-1] == 0


def test_all_pages_relevant_is_a_forecast_too() -> None:
    gain = forecast(np.ones(300, dtype=np.bool_))
    assert gain.mean > 98.0 and gain.high == AHEAD and gain.low > 90


def test_clusters_widen_the_interval() -> None:
    clustered = np.repeat(drawn(np.full(30, 0.3), 3), 20)
    scattered = np.random.default_rng(0).permutation(clustered)
    wide, narrow = forecast(clustered), forecast(scattered)
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_a_harvest_that_is_read_again_expects_the_same() -> None:
    relevant = drawn(np.full(234, 0.2), 5)
    grown = Harvest()
    for number, verdict in enumerate(relevant.tolist(), start=1):
        grown.add(verdict)
        assert (grown.gain is None) == (number < AHEAD)
    assert grown.gain == Harvest(relevant.tolist()).gain == expected_gain(relevant[: 234 - 234 % EVERY])
    assert (len(grown), grown.relevant) == (234, relevant.sum())

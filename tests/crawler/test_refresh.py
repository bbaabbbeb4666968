"""Estimated rates of change and the policies of visiting again, against brute force and printed examples."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.freshness import ARMS, Web, freshness, optimal_intervals, revisit
from crawler.kernels.refresh import POLICIES, change_rates, gain, page_rates


def test_the_estimate_maximises_the_likelihood_at_irregular_intervals() -> None:
    draw = np.random.default_rng(0)
    interval, rate = draw.uniform(0.2, 5.0, 40), 0.4
    changed = draw.uniform(size=40) < -np.expm1(-rate * interval)
    (found,) = change_rates(np.zeros(40, dtype=np.int64), interval, changed, 1)
    candidates = np.geomspace(1e-3, 10.0, 20_001)
    of_changed = np.log(-np.expm1(-np.outer(candidates, interval[changed]))).sum(axis=1)
    half = 0.5 * interval.mean()
    likelihood = of_changed - candidates * (interval[~changed].sum() + half)
    assert found == pytest.approx(candidates[likelihood.argmax()], rel=1e-3)


@pytest.mark.parametrize("unchanged", [0, 1, 5, 9, 10])
def test_at_regular_intervals_it_is_the_estimator_without_bias(unchanged: int) -> None:
    changed = np.arange(10) >= unchanged
    (found,) = change_rates(np.zeros(10, dtype=np.int64), np.full(10, 3.0), changed, 1)
    assert found == pytest.approx(-np.log((unchanged + 0.5) / 10.5) / 3.0, abs=1e-9)


def test_many_visits_find_the_rates_of_all_pages() -> None:
    draw = np.random.default_rng(1)
    rates, visits = np.array([0.02, 0.2, 1.0]), 4_000
    page = np.repeat(np.arange(3), visits)
    interval = draw.uniform(0.5, 1.5, 3 * visits)
    changed = draw.uniform(size=3 * visits) < -np.expm1(-rates[page] * interval)
    assert change_rates(page, interval, changed, 3) == pytest.approx(rates, rel=0.15)
    assert page_rates(page, interval, changed, np.zeros(3, dtype=np.int64), 0.1) == pytest.approx(rates, rel=0.15)


def test_a_page_without_visits_has_the_rate_of_its_host_and_one_without_changes_a_low_one() -> None:
    page, changed = np.array([0, 0, 2, 2, 2]), np.array([True, True, False, False, False])
    rates = page_rates(page, np.ones(5), changed, np.array([0, 0, 1, 1]), 0.1)
    assert rates[0] > rates[1] > rates[3] > rates[2] > 0.0
    assert page_rates(page[:0], np.ones(0), changed[:0], np.array([0, 1]), 0.1).tolist() == [0.1, 0.1]


def test_pages_that_never_changed_keep_a_rate() -> None:
    rates = page_rates(np.array([0, 1]), np.ones(2), np.zeros(2, dtype=bool), np.array([0, 0]), 0.1)
    assert (rates > 0.0).all() and (rates < 0.5).all()


def test_the_printed_example_of_five_pages() -> None:
    """Pages that change 1 to 5 times a day, with five visits a day: the last one is not worth a visit."""
    rates = np.arange(1.0, 6.0)
    found = optimal_intervals(rates, np.ones(5), 5.0)
    assert (1.0 / found).round(2).tolist() == [1.15, 1.36, 1.35, 1.14, 0.0]
    best = freshness(rates, found).mean()
    assert best > freshness(rates, np.ones(5)).mean() > freshness(rates, 3.0 / rates).mean()


def test_the_largest_gain_first_is_as_fresh_as_the_optimal_intervals() -> None:
    """Without knowing the multiplier, at random times, so that pages and visits do not fall into step."""
    draw = np.random.default_rng(2)
    rates, last, visits, now = np.geomspace(0.05, 8.0, 40), np.zeros(40), np.zeros(40), 0.0
    for pause in draw.exponential(1.0 / 40.0, 20_000):
        now += pause
        chosen = int(gain(rates, now - last, np.ones(40)).argmax())
        last[chosen], visits[chosen] = now, visits[chosen] + 1
    best = optimal_intervals(rates, np.ones(40), 40.0)
    found = np.where(visits > 0.0, now / np.maximum(visits, 1.0), np.inf)
    assert np.isinf(best).any() and np.isfinite(best).sum() > 30
    assert freshness(rates, found).mean() == pytest.approx(freshness(rates, best).mean(), abs=0.005)
    assert freshness(rates, np.ones(40)).mean() < freshness(rates, found).mean() - 0.02


def test_what_each_policy_visits_first() -> None:
    rate, since, weight = np.array([0.1, 50.0, 0.1]), np.array([5.0, 4.0, 4.0]), np.array([1.0, 1.0, 3.0])
    assert {name: int(of(rate, since, weight).argmax()) for name, of in POLICIES.items()} == {
        "uniform": 0, "proportional": 1, "optimal": 2,
    }  # fmt: skip


@pytest.mark.slow
def test_on_a_changing_web_the_optimal_policy_is_the_freshest() -> None:
    web = Web(3, 120, 80.0)
    found = {arm: revisit(web, arm, 6, 80.0) for arm in ARMS}
    best = found["optimal"]["freshness"]
    assert best > found["uniform"]["freshness"] and best > found["proportional"]["freshness"]
    assert found["optimal, weighted"]["weighted"] > found["uniform"]["weighted"]

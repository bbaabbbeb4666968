"""The first annealing crawler: one proposal and one step of the schedule for each page."""

from __future__ import annotations

import math

import numpy as np
import pytest

from crawler.strategies.sa_2009 import Sa2009, Sa2009Parameters
from crawler.testing import view_of

COLUMNS = {"anchor:TK": [0.0] * 5, "parents:TK": [0.0] * 5}
VIEW = view_of(COLUMNS, [0.8, 0.4, 0.4, 0.4, 0.4])


@pytest.mark.slow
def test_a_worse_candidate_is_taken_by_metropolis() -> None:
    """The roulette offers a worse link in two of three draws, which is taken with exp(-.4 / T)."""
    for T in (0.2, 0.5):
        strategy = Sa2009(Sa2009Parameters(T=T, cooling="constant"))
        rng = np.random.default_rng(0)
        worse = np.mean([strategy.choose(VIEW, rng, 1).link[0] != 0 for _ in range(3000)])
        expected = 2 / 3 * math.exp(-0.4 / T)
        assert worse == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 3000))


def test_it_cools_once_a_page_to_best_first() -> None:
    strategy, rng = Sa2009(), np.random.default_rng(1)
    picks = [strategy.choose(VIEW, rng, 1) for _ in range(300)]
    assert [p.move[0]["temperature"] for p in picks[:3]] == pytest.approx([1.0, 0.9, 0.81])
    hot, cold = ([bool(p.link[0] == 0) for p in part] for part in (picks[:20], picks[60:]))
    assert np.mean(hot) < 0.9
    assert all(cold)


def test_n_picks_cool_n_times() -> None:
    one, many = Sa2009(), Sa2009()
    rng = np.random.default_rng(2)
    many.choose(VIEW, rng, 3)
    for _ in range(3):
        one.choose(VIEW, rng, 1)
    assert one.state() == many.state()


def test_the_priority_is_half_anchor_and_half_parents() -> None:
    view = view_of({"anchor:TK": [0.5], "parents:TK": [0.8]}, [0.0])
    assert Sa2009().priority(view, view.links)[0] == pytest.approx(0.65)
    assert Sa2009(Sa2009Parameters(a=0.0)).priority(view, view.links)[0] == pytest.approx(0.8)


def test_a_state_goes_on_as_if_nothing_had_happened() -> None:
    for cooling in ("geometric", "adaptive"):
        p = Sa2009Parameters(cooling=cooling)
        whole, resumed = Sa2009(p), Sa2009(p)
        whole.choose(VIEW, np.random.default_rng(3), 4)
        resumed.restore(whole.state())
        one, two = (s.choose(VIEW, np.random.default_rng(4), 5) for s in (whole, resumed))
        assert (one.link.tolist(), one.tag, one.move) == (two.link.tolist(), two.tag, two.move)

"""Energy landscape paving apart from any crawl, and the crawler that walks on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import chisquare

from crawler.frontier import FrontierView
from crawler.kernels.density import energy_bin
from crawler.kernels.landscape import Landscape
from crawler.strategies.cpem import columns
from crawler.strategies.ielp import Ielp, IelpParameters
from crawler.testing import view_of

TWO_WELLS = np.array([0.3, 0.05, 0.45, 0.7, 0.9, 0.7, 0.45, 0.1, 0.35])
"""Energies on a path: the walk begins in the left well, and .9 stands between the wells."""


def queue(Priority: Sequence[float], *, seeds: bool = False) -> FrontierView:
    zero = [0.0] * len(Priority)
    return view_of(dict.fromkeys(columns("TK"), zero), Priority, seeds=seeds)


def walk(land: Landscape, T: float, steps: int, seed: int = 0) -> list[int]:
    """States that the walk stood in on the path of the two wells."""
    rng, state, seen = np.random.default_rng(seed), 1, list[int]()
    land.stand_at(float(TWO_WELLS[state]))
    for _ in range(steps):
        next_ = state + (1 if rng.random() < 0.5 else -1)
        if 0 <= next_ < len(TWO_WELLS) and land.step(float(TWO_WELLS[next_]), T, rng.random()):
            state = next_
        seen.append(state)
    return seen


def test_without_paving_it_is_a_metropolis_walk() -> None:
    land = Landscape("share", 0.0)
    land.stand_at(0.3)
    assert land.acceptance(0.2, 0.1) == 1.0
    assert land.acceptance(0.45, 0.1) == pytest.approx(np.exp(-1.5))
    assert land.acceptance(0.45, 0.0) == 0.0


def test_without_paving_it_is_boltzmann() -> None:
    counts = np.bincount(walk(Landscape("count", 0.0), 0.4, 120_000)[::80], minlength=9)
    weights = np.exp(-TWO_WELLS / 0.4)
    assert chisquare(counts, counts.sum() * weights / weights.sum()).pvalue > 0.001


def test_paving_by_hand() -> None:
    land, share = Landscape("count", 0.1), Landscape("share", 0.1)
    for each in (land, share):
        for E in (0.5, 0.5, 0.5, 0.9):
            each.stand_at(E)
    assert land.paved(0.5) == pytest.approx(0.5 + 0.1 * 3)
    assert share.paved(0.5) == pytest.approx(0.5 + 0.1 * 3 / 4)
    assert land.paved(0.7) == 0.7
    assert land.acceptance(0.5, 0.2) == 1.0  # falls from .9 + .1 to .5 + .3
    land.stand_at(0.5)
    assert land.acceptance(0.9, 0.2) == pytest.approx(np.exp(-0.5))  # rises from .5 + .4 to .9 + .1
    assert land.acceptance(0.7, 0.2) == 1.0  # where the walk never was
    assert Landscape("count", 0.1).acceptance(0.9, 0.2) == 1.0  # the first state of all


def test_a_rejected_step_raises_where_the_walk_stands() -> None:
    land = Landscape("count", 0.1)
    land.stand_at(0.1)
    assert not land.step(0.9, 0.05, 0.5)
    assert (land.H[energy_bin(0.1)], land.H[energy_bin(0.9)], land.E) == (2, 0, 0.1)
    assert land.step(0.9, 1.0, 0.0)
    assert (land.H[energy_bin(0.9)], land.E) == (1, 0.9)


@pytest.mark.parametrize(("paving", "c"), [("count", 0.05), ("share", 3.0)])
def test_a_paved_walk_leaves_the_well_in_which_metropolis_stays(paving: str, c: float) -> None:
    T = 0.05
    assert max(walk(Landscape(paving, 0.0), T, 3000)) < 4
    paved = walk(Landscape(paving, c), T, 3000)
    assert {1, 7} <= set(paved)


def test_the_walk_prefers_good_links_and_is_not_bound_to_the_best() -> None:
    view, rng, strategy = queue(np.linspace(0.0, 1.0, 101).tolist()), np.random.default_rng(0), Ielp()
    links = [int(strategy.choose(view, rng, 1).link[0]) for _ in range(300)]
    assert 80 < np.mean(links) < 100
    assert len(set(links)) > 20


def test_after_m_max_rejections_the_header_is_taken() -> None:
    strategy, view = Ielp(IelpParameters(T=1e-6, c=0.0, m_max=3)), queue([0.9, *[0.2] * 50])
    rng = np.random.default_rng(1)
    strategy._land.stand_at(0.05)  # better than anything in the queue
    picks = strategy.choose(view, rng, 1)
    assert picks.link[0] == 0
    assert {key: picks.move[0][key] for key in ("accepted", "rejected", "energy")} == {
        "accepted": False,
        "rejected": 3,
        "energy": pytest.approx(0.1),
    }
    assert strategy._land.H.sum() == 1 + 3 + 1


def test_a_cooling_schedule_may_be_chosen() -> None:
    view, rng = queue([0.5] * 10), np.random.default_rng(0)
    strategy = Ielp(IelpParameters(T=1.0, C=0.5, cooling="geometric"))
    moves = [strategy.choose(view, rng, 1).move[0]["temperature"] for _ in range(3)]
    assert moves == [1.0, 0.5, 0.25]
    assert [Ielp().choose(view, rng, 1).move[0]["temperature"] for _ in range(2)] == [0.1, 0.1]


def test_a_state_goes_on_as_if_nothing_had_happened() -> None:
    view = queue(np.random.default_rng(1).random(40).tolist())
    whole, resumed = Ielp(), Ielp()
    whole.choose(view, np.random.default_rng(2), 15)
    resumed.restore(whole.state())
    one, two = (s.choose(view, np.random.default_rng(3), 15) for s in (whole, resumed))
    assert (one.link.tolist(), one.tag, one.move) == (two.link.tolist(), two.tag, two.move)

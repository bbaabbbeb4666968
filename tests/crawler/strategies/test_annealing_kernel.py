"""The acceptance rule and the schedules apart from any crawl: Boltzmann, the roulette, and temperatures by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chisquare

from crawler.kernels.cooling import COOLINGS, CoolingParameters, PageByPage, adapted, temperatures
from crawler.model import Floats
from crawler.strategies import annealing
from crawler.strategies.annealing import AnnealingParameters, acceptance, anneal
from crawler.testing import view_of

NONE_TAKEN = np.empty(0, dtype=np.int64)


def shares(weights: Floats) -> Floats:
    found: Floats = weights / weights.sum()
    return found


@pytest.mark.parametrize("T", [0.3, 0.8, 3.0])
def test_metropolis_visits_a_small_graph_as_boltzmann_says(T: float) -> None:
    """A ring of six states of which each proposes its two neighbours: states in proportion to exp(Priority / T)."""
    Priority = np.array([0.1, 0.9, 0.4, 0.0, 0.7, 0.65])
    rng = np.random.default_rng(1)
    counts, state = np.zeros(6), 0
    apart = 80  # steps between two counted states, which are then nearly independent
    for _ in range(1500):
        for side, u in zip(rng.integers(0, 2, apart).tolist(), rng.random(apart).tolist(), strict=True):
            next_ = (state + 2 * side - 1) % 6
            if u < acceptance(Priority[next_], Priority[state], T):
                state = next_
        counts[state] += 1
    assert chisquare(counts, 1500 * shares(np.exp(Priority / T))).pvalue > 0.001
    assert chisquare(counts, np.full(6, 250.0)).pvalue < (0.001 if T < 1.0 else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("T", [0.1, 0.4])
def test_annealing_at_a_constant_temperature_is_boltzmann_on_the_roulette(T: float) -> None:
    """Proposals in proportion to w, accepted by Metropolis: links in proportion to w exp(w / T), w = Priority."""
    Priority = [0.2, 0.5, 0.3, 0.8, 0.65]
    view, rng = view_of({}, Priority), np.random.default_rng(2)
    p = AnnealingParameters(T=T, cooling="constant", schedule="fixed")
    counts = np.bincount([anneal(view, rng, 3, T, p, NONE_TAKEN).link for _ in range(2000)], minlength=5)
    P = np.array(Priority)
    assert chisquare(counts, 2000 * shares(P * np.exp(P / T))).pvalue > 0.001


def test_the_roulette_draws_in_proportion_to_priority() -> None:
    Priority = np.array([0.05, 0.3, 0.0, 0.9, 0.15, -0.4])
    drawn = view_of({}, Priority.tolist()).draw(np.random.default_rng(3), 20_000)
    counts = np.bincount(drawn, minlength=6)
    assert counts[[2, 5]].tolist() == [0, 0]  # a negative one counts as 0
    inside = [0, 1, 3, 4]
    assert chisquare(counts[inside], 20_000 * shares(Priority[inside])).pvalue > 0.001


def test_a_value_that_is_not_the_queue_s_decides_step_5() -> None:
    """Links are proposed by the queue and compared by ``value``; -inf is never accepted, even from -inf."""
    view = view_of({}, [0.9, 0.8, 0.1])
    p, rng = AnnealingParameters(), np.random.default_rng(4)
    best = [anneal(view, rng, 0, 1.0, p, NONE_TAKEN, lambda links: 1.0 * links).link for _ in range(40)]
    assert set(best) == {2}
    for _ in range(40):
        none = anneal(view, rng, 0, 1.0, p, NONE_TAKEN, lambda links: np.full(len(links), -np.inf))
        assert (none.link, none.accepted) == (0, 0)
        only = anneal(view, rng, 0, 1.0, p, np.array([1]), lambda links: np.where(links == 2, 0.1, -np.inf))
        assert only.link == 2


# ---- schedules


def test_published_cooling_is_the_default() -> None:
    assert temperatures(AnnealingParameters(), 1.0) == pytest.approx([0.9**k for k in range(44)])


def test_all_schedules_cost_the_same_and_fall() -> None:
    for start in (1.0, 0.3, 0.01, 0.0):
        plans = {cooling: temperatures(CoolingParameters(cooling=cooling), start) for cooling in COOLINGS}
        assert len({len(plan) for plan in plans.values()}) == 1
        for cooling, plan in plans.items():
            assert plan[0] == start
            steps = np.diff(plan)
            assert (steps == 0.0).all() if cooling == "constant" or start == 0.0 else (steps < 0.0).all()


def test_schedules_by_hand() -> None:
    def plan(cooling: str) -> list[float]:
        return temperatures(CoolingParameters(T=1.0, C=0.5, T_min=0.1, cooling=cooling), 1.0)

    assert plan("geometric") == [1.0, 0.5, 0.25, 0.125]
    assert plan("linear") == [1.0, 0.75, 0.5, 0.25]
    assert plan("logarithmic") == pytest.approx([1.0, math.log(2) / math.log(3), 0.5, math.log(2) / math.log(5)])
    assert plan("constant") == [1.0] * 4


def test_every_schedule_ends_above_the_last_temperature() -> None:
    for cooling in COOLINGS:
        p = CoolingParameters(C=0.5, T_min=0.25, cooling=cooling)
        assert len(temperatures(p, 1.0)) == 2  # 1 and .5 by the geometric schedule, which is .25 next
    pages = PageByPage(CoolingParameters(C=0.5, T_min=0.25, cooling="adaptive"))
    for _ in range(3):
        pages.cool(0.4)  # no spread: C T
    assert pages.T == 0.5


@pytest.mark.parametrize("constant", [{"T_min": 0.0}, {"T_min": -0.1}, {"T": 0.0}, {"C": 1.0}])
def test_a_schedule_without_an_end_is_refused(constant: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(constant))):
        CoolingParameters(**constant)  # type: ignore[arg-type]


def test_adaptive_cooling_is_slow_where_the_values_are_close() -> None:
    """1 / T grows by ln(1 + delta) / (3 s): from T = .5 by .3177 for s = .1, by .6354 for s = .05."""
    assert 1.0 / adapted(0.5, 0.1, 0.9) == pytest.approx(2.0 + math.log(1.1) / 0.3)
    assert adapted(0.5, 0.05, 0.9) < adapted(0.5, 0.1, 0.9) < 0.5
    assert adapted(0.5, 0.0, 0.9) == 0.45


def test_adaptive_annealing_ends_early_on_a_flat_queue_and_never_late() -> None:
    """Nearly equal values of spread s freeze at once: 1 / T grows by .03 / s a level."""
    p, rng = AnnealingParameters(cooling="adaptive"), np.random.default_rng(5)
    flat = view_of({}, np.linspace(0.5, 0.501, 50).tolist())
    rough = view_of({}, np.linspace(0.0, 1.0, 50).tolist())
    assert anneal(flat, rng, 0, 1.0, p, NONE_TAKEN).proposals < 100
    assert 200 < anneal(rough, rng, 0, 1.0, p, NONE_TAKEN).proposals <= 440
    assert anneal(view_of({}, [0.4]), rng, 0, 1.0, p, NONE_TAKEN).proposals == 440  # no spread at all: C T


def test_adaptive_cooling_looks_at_the_values_where_the_walk_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at those that it was offered: a walk that never leaves the best link has no spread."""
    spreads = list[float]()
    monkeypatch.setattr(annealing, "adapted", lambda T, spread, C: (spreads.append(spread), C * T)[1])
    view, p = view_of({}, [1.0, 0.4, 0.5, 0.6]), AnnealingParameters(cooling="adaptive")
    anneal(view, np.random.default_rng(7), 0, 0.02, p, NONE_TAKEN)
    assert spreads == [0.0] * 7


@pytest.mark.parametrize("cooling", COOLINGS)
def test_every_schedule_prefers_good_links(cooling: str) -> None:
    """Of a queue that is uniform on [0, 1] the roulette alone has mean 2/3."""
    view = view_of({}, np.linspace(0.0, 1.0, 200).tolist())
    p, rng = AnnealingParameters(T=0.1, cooling=cooling), np.random.default_rng(6)
    links = [anneal(view, rng, 0, p.T, p, NONE_TAKEN).link for _ in range(60)]
    assert float(view.priority(np.array(links)).mean()) > 0.8


@pytest.mark.parametrize("cooling", COOLINGS)
def test_one_step_a_page(cooling: str) -> None:
    p = CoolingParameters(C=0.5, T_min=0.1, cooling=cooling)
    plan, pages = temperatures(p, 1.0), PageByPage(p)
    found = []
    for value in [0.2, 0.8, 0.5, 0.6, 0.3, 0.7]:
        found.append(pages.T)
        pages.cool(value)
    if cooling == "adaptive":
        assert found[1] == 0.5  # one value has no spread
        assert found[2] == pytest.approx(adapted(0.5, float(np.std([0.2, 0.8])), 0.5))
    else:
        assert found == [*plan, plan[-1], plan[-1]]  # the last temperature stays
    again = PageByPage(p)
    again.restore(pages.state())
    pages.cool(0.9)
    again.cool(0.9)
    assert again.state() == pages.state()


def test_adaptive_pages_do_not_fall_below_the_last_temperature() -> None:
    pages = PageByPage(CoolingParameters(cooling="adaptive"))
    for _ in range(500):
        pages.cool(0.5)
    assert 0.01 < pages.T < 0.012
    assert len(pages.state()["cooling_recent"]) == 10

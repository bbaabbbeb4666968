"""Algorithm 1 and ISA: golden numbers, schedules, and the walk against the steps as they are printed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ks_2samp

from crawler.frontier import FrontierView
from crawler.kernels.cooling import temperatures
from crawler.model import Budget, Floats, Ids
from crawler.strategies.annealing import (
    Annealed,
    AnnealingParameters,
    acceptance,
    anneal,
    start_temperature,
)
from crawler.strategies.fcosa import FcosaG, FcosaParameters, Fcsa, FcsaParameters
from crawler.strategies.fcsa_host import FcsaHost, FcsaHostParameters
from crawler.testing import view_of

NONE_TAKEN = np.empty(0, dtype=np.int64)
P = AnnealingParameters()
EQ12 = ("anchor:GTK", "parents:GTK", "parents_sum:GTK", "pagerank", "pagerank_raw", "target:GTK")


def queue(n: int, low: float = 0.15, high: float = 1.0, seed: int = 0) -> FrontierView:
    return view_of({}, np.random.default_rng(seed).uniform(low, high, n).tolist())


def rank(view: FrontierView, rng: np.random.Generator, start: float, p: AnnealingParameters = P) -> int:
    """Rank of the chosen link, 1 for the best."""
    link = anneal(view, rng, view.best(), start, p, NONE_TAKEN).link
    return 1 + int((view.priority(view.links) > view.priority(np.array([link]))).sum())


@pytest.mark.parametrize(
    ("T", "expected"), [(1, 0.860708), (0.9, 0.846482), (0.5, 0.740818), (0.1, 0.223130), (0.05, 0.049787)]
)
def test_g9_acceptance(T: float, expected: float) -> None:
    assert acceptance(0.40, 0.55, T) == pytest.approx(expected, abs=5e-7)
    assert acceptance(0.55, 0.40, T) == acceptance(0.4, 0.4, T) == 1.0


def test_g9_temperatures_and_proposals() -> None:
    levels = temperatures(P, 1.0)
    assert len(levels) == 44
    assert levels[-1] == pytest.approx(0.0107753, abs=5e-8)
    view = queue(5)
    assert anneal(view, np.random.default_rng(0), view.best(), 1.0, P, NONE_TAKEN).proposals == 440
    printed = AnnealingParameters(inner_loop="printed")
    assert anneal(view, np.random.default_rng(0), view.best(), 1.0, printed, NONE_TAKEN).proposals == 484


def test_acceptance_at_the_last_temperature_of_all() -> None:
    assert acceptance(0.3, 0.3, 0.0) == 1.0
    assert acceptance(0.3, 0.4, 0.0) == 0.0
    assert acceptance(-math.inf, 0.4, 1.0) == 0.0


@pytest.mark.parametrize(
    ("schedule", "levels"),
    [("described", [44, 44, 44, 40, 34, 19, 1]), ("printed", [1, 12, 19, 34, 40, 44, 44]), ("fixed", [44] * 7)],
)
def test_t5_levels(schedule: str, levels: list[int]) -> None:
    p = AnnealingParameters(schedule=schedule)
    moments = [150, 500, 1000, 5000, 10_000, 14_000, 14_850]
    assert [len(temperatures(p, start_temperature(p, DP / 15_000, 1.0))) for DP in moments] == levels


def test_t5_a_temperature_that_is_carried_over_vanishes() -> None:
    p = AnnealingParameters(schedule="persistent")
    T = start_temperature(p, 0.0, p.T)
    assert T == 1.0
    T = start_temperature(p, 1 / 15_000, T)
    T = start_temperature(p, 2 / 15_000, T)
    assert pytest.approx(8.9e-9, rel=0.01) == T


@pytest.mark.slow
@pytest.mark.parametrize(("n", "low", "high"), [(300, 3.7, 4.9), (3000, 39.0, 45.0)])
def test_t8_rank_hardly_depends_on_the_start_temperature(n: int, low: float, high: float) -> None:
    """T8 gives these mean ranks; the tolerance is three standard errors of 300 runs on queues of their own."""
    rng = np.random.default_rng(99)
    for start in (0.02, 0.2, 1.0):
        ranks = [rank(queue(n, seed=seed), rng, start) for seed in range(300)]
        error = np.std(ranks) / np.sqrt(300)
        assert low - 3 * error < np.mean(ranks) < high + 3 * error


def test_t8_printed_isa_returns_the_header_at_first() -> None:
    rng = np.random.default_rng(99)
    assert np.mean([rank(queue(300, seed=seed), rng, 1e-4) == 1 for seed in range(200)]) >= 0.95


@pytest.mark.slow
def test_proposals_at_once_are_the_printed_steps() -> None:
    """All proposals of a call are drawn at once; here is Algorithm 1 word by word beside it."""
    p = AnnealingParameters(T=0.3, C=0.5, M=3, T_min=0.02)
    view = queue(30, seed=5)
    ranks = view.top(30).tolist()
    rng = np.random.default_rng(7)

    def priority(link: int) -> float:
        return float(view.priority(np.array([link]))[0])

    def step_by_step() -> int:
        T, current = p.T, view.best()
        while True:
            for _ in range(p.M):
                next_ = int(view.draw(rng, 1)[0])
                if rng.random() < math.exp(min(0.0, (priority(next_) - priority(current)) / T)):
                    current = next_
            T = p.C * T
            if p.T_min >= T:
                return current

    literal = [ranks.index(step_by_step()) + 1 for _ in range(1200)]
    at_once = [rank(view, rng, p.T, p) for _ in range(1200)]
    assert ks_2samp(literal, at_once).pvalue > 0.01


def test_what_a_call_reports() -> None:
    view = view_of({}, [0.2, 0.9])
    answer = anneal(view, np.random.default_rng(3), 1, 1.0, P, NONE_TAKEN)
    assert isinstance(answer, Annealed)
    assert answer.temperature == 1.0
    assert 0 < answer.uphill < answer.accepted <= answer.proposals == 440
    assert answer.link == 1  # at the last temperatures .9 is never left for .2


def test_taken_links_are_not_chosen_again() -> None:
    view = view_of({}, [0.9, 0.8, 0.1])
    for seed in range(50):
        answer = anneal(view, np.random.default_rng(seed), 2, 1.0, P, np.array([0, 1]))
        assert answer.link == 2


def test_the_first_choice_is_the_header_and_later_ones_are_annealed() -> None:
    view = view_of({name: [0.0] * 4 for name in EQ12}, [1.0] * 4, seeds=True, budget=Budget(0, 100))
    strategy = FcosaG()
    first = strategy.choose(view, np.random.default_rng(0), 3)
    assert first.link[0] == 0
    assert first.tag == (0, 1, 2)
    assert first.move[0] == {"header": True, "queued": 4}
    assert [move["proposals"] for move in first.move[1:]] == [440, 440]
    assert strategy.choose(view, np.random.default_rng(0), 1).tag == (3,)


def test_isa_cools_with_the_budget_and_sa_does_not() -> None:
    def temperature(strategy: FcosaG, fetched: int) -> float:
        names = [*strategy.features, "target:LTK_1"]
        view = view_of({name: [0.0] * 4 for name in names}, [0.5] * 4, budget=Budget(fetched, 100))
        strategy.choose(view, np.random.default_rng(0), 1)
        return float(strategy.choose(view, np.random.default_rng(0), 1).move[0]["temperature"])

    assert temperature(FcosaG(), 75) == 0.25
    assert temperature(FcosaG(FcosaParameters(schedule="printed")), 75) == 0.75
    assert temperature(Fcsa(), 75) == 1.0
    assert temperature(FcosaG(), 100) == 0.0


def test_the_carried_temperature_survives_a_restart() -> None:
    p = FcosaParameters(schedule="persistent")
    view = view_of({name: [0.0] * 4 for name in EQ12}, [0.5] * 4, budget=Budget(50, 100))
    whole, killed, resumed = FcosaG(p), FcosaG(p), FcosaG(p)
    rng = np.random.default_rng(0)
    for strategy in (whole, killed):
        strategy.choose(view, rng, 3)
    resumed.restore(killed.state())
    expected = whole.choose(view, rng, 1).move[0]["temperature"]
    assert resumed.choose(view, rng, 1).move[0]["temperature"] == expected == 0.125


@pytest.mark.parametrize(
    "wrong", [{"T": 0.0}, {"C": 1.0}, {"M": 0}, {"T_min": 0.0}, {"schedule": "linear"}, {"inner_loop": "eleven"}]
)
def test_parameters_that_are_refused(wrong: dict[str, float | str]) -> None:
    with pytest.raises(ValueError, match=f"parameter {next(iter(wrong))} must"):
        AnnealingParameters(**wrong)  # type: ignore[arg-type]


def test_a_header_that_may_not_be_taken_says_nothing_of_the_spread() -> None:
    """As where its host is suspended; the adaptive schedule cools by the values of the links that were accepted."""
    view, p = queue(20), AnnealingParameters(cooling="adaptive")
    header = view.best()

    def value(links: Ids) -> Floats:
        return np.where(links == header, -np.inf, view.priority(links))

    uphill = 0
    for seed in range(20):
        found = anneal(view, np.random.default_rng(seed), header, 1.0, p, NONE_TAKEN, value)
        assert found.link != header
        uphill += found.uphill
    assert uphill > 0


def test_t5_a_crawl_with_memory_of_hosts_carries_its_temperature_too() -> None:
    names = ("anchor:TK", "parents:TK", "parents_sum:TK", "pagerank", "pagerank_raw", "target:TK")
    view = view_of(dict.fromkeys(names, [0.5] * 9), [0.5] * 9, budget=Budget(50, 100))
    started = []
    for cls, parameters in ((Fcsa, FcsaParameters), (FcsaHost, FcsaHostParameters)):
        strategy, rng = cls(parameters(schedule="persistent")), np.random.default_rng(0)
        strategy.choose(view, rng, 1)
        started.append([strategy.choose(view, rng, 1).move[0]["temperature"] for _ in range(3)])
    assert started == [[0.5, 0.25, 0.125]] * 2

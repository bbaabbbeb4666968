"""The Wang-Landau walk and crawler: golden numbers and the readings of traps T21 to T27."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import chisquare

from crawler.frontier import FrontierView
from crawler.kernels.density import BINS, Walk, WalkParameters, energy_bin, energy_bins
from crawler.model import Budget, Outcome, PageScore
from crawler.strategies.wang_landau import WangLandau, WangLandauParameters
from crawler.testing import view_of


def links(
    anchor: Sequence[float], target: Sequence[float], pagerank: Sequence[float], priority: Sequence[float] | None = None
) -> FrontierView:
    columns = {"anchor:TK": anchor, "target:TK": target, "pagerank_crawled": pagerank}
    return view_of(columns, priority if priority is not None else [0.0] * len(anchor))


def hosts(host: Sequence[int], R: Sequence[float], *, seeds: bool = False) -> FrontierView:
    zero = [0.0] * len(R)
    columns = {"anchor:TK": zero, "target:TK": zero, "pagerank_crawled": zero}
    return view_of(columns, R, host, seeds=seeds, budget=Budget(0, 100))


def walk(E1: float, **parameters: int | float | str | bool) -> Walk:
    new = Walk(WalkParameters(**parameters))  # type: ignore[arg-type]
    new.stand_at(E1)
    return new


def test_g10_walk() -> None:
    w = walk(0.621)
    assert w.ln_f == 1.0
    accepted = [w.step(E2, 0.5) for E2 in (0.453, 0.81, 0.625, 0.81, 0.815, 0.44)]
    assert accepted == [True] * 6
    assert energy_bin(w.E1) == 22
    assert w.acceptance(0.80) == pytest.approx(0.367879, abs=5e-7)
    assert not w.step(0.80, 0.5)
    assert w.acceptance(0.80) == 1.0
    assert w.step(0.80, 0.5)
    assert {int(b): w.ln_g[b] for b in np.flatnonzero(w.S)} == {31: 1.0, 22: 3.0, 40: 4.0}
    assert {int(b): int(w.H[b]) for b in np.flatnonzero(w.S)} == {31: 2, 22: 4, 40: 5}
    assert w.L == 8


def test_g10_region_competition() -> None:
    a_cn, b_cn = 3, 7
    view = hosts([a_cn, b_cn, a_cn, b_cn, b_cn], [0.9, 0.62, 0.3, 0.61, 0.60])
    assert view.winning_host() == b_cn
    drawn = view.draw_within(b_cn, np.random.default_rng(0), 20_000)
    expected = [20_000 * share for share in (0.338798, 0.333333, 0.327869)]
    assert chisquare([int((drawn == link).sum()) for link in (1, 3, 4)], expected).pvalue > 1e-3


def test_g10_energy_of_a_link() -> None:
    view = links([0.5], [0.8], [0.0])
    assert WangLandau().priority(view, view.links)[0] == pytest.approx(0.71)


def test_rules_are_counted_by_what_they_decide() -> None:
    """A link that is relevant does not need its PageRank; one above R_min is not counted as valuable."""
    strategy = WangLandau()
    view = links([0.5, 0.0, 0.0, 0.5], [0.5, 0.0, 0.0, 0.5], [0.2, 2.0, 1.99, 3.0])
    assert strategy.admit(view, view.links).tolist() == [True, True, False, True]
    assert (strategy.fired()["relevant"], strategy.fired()["valuable"]) == (2, 1)
    with pytest.raises(KeyError):
        strategy.count("unknown")


def test_roulette_without_weights_is_uniform() -> None:
    drawn = hosts([2] * 4, [0.0] * 4).draw_within(2, np.random.default_rng(0), 8000)
    assert chisquare(np.bincount(drawn, minlength=4)).pvalue > 1e-3
    assert set(hosts([2] * 3, [0.0, 1.0, 0.0]).draw_within(2, np.random.default_rng(0), 100).tolist()) == {1}


def test_t27_bins() -> None:
    E = [0.0, 0.019999, 0.02, 0.58, 0.621, 0.94, 0.98, 1.0]
    expected = [0, 0, 1, 29, 31, 47, 49, 49]
    assert [energy_bin(e) for e in E] == expected
    assert energy_bins(np.array(E)).tolist() == expected
    assert [energy_bin(i / 50) for i in range(50)] == list(range(BINS))


def test_t27_potential_value_is_admitted() -> None:
    view = links([0.0, 0.5, 0.0, 0.0], [0.3, 0.1, 0.1, 0.1], [0.2, 0.2, 2.0, 1.99])
    assert WangLandau().admit(view, view.links).tolist() == [True, True, True, False]


def test_step_8_children_at_the_threshold_are_admitted() -> None:
    view = links([0.0, 0.0], [0.2, 0.19], [0.0, 0.0])
    strategy = WangLandau(WangLandauParameters(delta=0.0))
    assert strategy.admit(view, view.links).tolist() == [True, False]


def test_t20_relevance_is_clamped() -> None:
    view = links([1.0, -0.9], [1.2, -0.2], [0.0, 0.0])
    assert WangLandau().priority(view, view.links).tolist() == [1.0, 0.0]


def test_t24_a_new_bin() -> None:
    for histogram, H in (("paper", 1), ("clean", 0)):
        w = walk(0.5, histogram=histogram)
        assert (w.H[25], w.ln_g[25]) == (H, 0.0)
        w.step(0.9, 0.0)
        assert (w.H[45], w.ln_g[45]) == (H + 1, 1.0)


def test_t25_f_shrinks_when_the_box_rule_is_met() -> None:
    w = walk(0.5, T=10)
    for _ in range(9):
        w.step(0.5, 0.0)
    w.refine(0, np.empty(0))
    assert w.ln_f == 1.0  # L = 9: no multiple of T was passed
    w.step(0.5, 0.0)
    w.refine(9, np.empty(0))
    assert (w.ln_f, w.i, int(w.H.sum()), int(w.S.sum())) == (0.5, 1, 0, 1)
    assert w.ln_g[25] == 10.0  # kept
    w.step(0.9, 0.0)
    assert w.ln_g[45] == 0.5
    assert not w.is_flat(np.empty(0))  # ln 2 / ln f_1 = 1.386 > 0 in bin 25


def test_t25_box_rule_grows_by_two() -> None:
    w = walk(0.5)
    for i, visits in [(0, 1), (1, 2), (2, 3), (3, 6), (4, 12), (10, 710)]:
        w.i = i
        w.H[25] = visits
        assert w.is_flat(np.empty(0))
        w.H[25] = visits - 1
        assert not w.is_flat(np.empty(0))


def test_t25_alternatives() -> None:
    mean = walk(0.5, flatness="mean", k=0.8)
    mean.step(0.9, 0.0)
    mean.H[[25, 45]] = 8, 12
    assert mean.is_flat(np.empty(0))  # 8 >= .8 * 10
    mean.H[25] = 7
    assert not mean.is_flat(np.empty(0))
    reachable = walk(0.5, reachable=True)
    reachable.step(0.9, 0.0)
    reachable.i, reachable.H[25], reachable.H[45] = 3, 0, 6
    assert reachable.is_flat(np.array([0.91]))
    assert not reachable.is_flat(np.array([0.91, 0.51]))


def test_steps_10_and_11_end_the_walk() -> None:
    p = WangLandauParameters(T=1, L_max=3)
    strategy, rng = WangLandau(p), np.random.default_rng(0)
    view = hosts([0] * 6, [0.5] * 6)
    assert len(strategy.choose(view, rng, 6)) == 3
    assert len(strategy.choose(view, rng, 6)) == 0
    assert strategy.state()["finished"]


def test_t23_the_chance_is_computed_for_a_bin_that_is_not_new() -> None:
    w = walk(0.5)
    w.step(0.9, 0.0)
    w.step(0.91, 0.0)
    w.step(0.92, 0.0)
    w.stand_at(0.5)
    assert w.acceptance(0.9) == pytest.approx(math.exp(-2.0))  # bin 45 was visited twice, bin 46 once


def test_t26_after_five_rejections_the_best_link_is_taken() -> None:
    strategy = WangLandau()
    view = hosts([0, 0, 1], [0.5, 0.52, 0.9])
    state = dict(strategy.state())
    ln_g = np.zeros(BINS)
    ln_g[45] = 1000.0  # the winner's energy was visited too often
    state |= {"ln_g": ln_g, "S": np.isin(np.arange(BINS), [45, 10]), "E1": 0.21}
    strategy.restore(state)
    picks = strategy.choose(view, np.random.default_rng(0), 1)
    assert picks.link.tolist() == [2]
    assert picks.move[0]["accepted"] is False
    assert picks.move[0]["rejected"] == 5
    after = strategy.state()
    assert (after["E1"], after["L"], after["ln_g"][10]) == (0.9, 5, 5.0)


def test_t26_seeds_are_fetched_before_the_walk_which_begins_at_their_relevance() -> None:
    strategy, view = WangLandau(), hosts([0, 1], [1.0, 1.0], seeds=True)
    picks = strategy.choose(view, np.random.default_rng(0), 2)
    assert picks.link.tolist() == [0, 1]
    assert [move["seed"] for move in picks.move] == [True, True]
    assert (strategy.state()["L"], strategy.state()["E1"]) == (0, -1.0)
    assert not strategy.state()["S"].any()
    strategy.tell([Outcome(1, PageScore({"TK": 0.9}, 0.9, True), tag=1)])
    strategy.tell([Outcome(0, PageScore({"TK": 0.37}, 0.37, False), tag=0)])
    assert strategy.state()["E1"] == 0.37
    assert np.flatnonzero(strategy.state()["S"]).tolist() == [energy_bin(0.37), energy_bin(0.9)]


def test_t26_a_seed_that_comes_in_late_or_fails_moves_nothing() -> None:
    strategy, score = WangLandau(), PageScore({"TK": 0.37}, 0.37, False)
    strategy.choose(hosts([0, 1, 2], [1.0] * 3, seeds=True), np.random.default_rng(0), 3)
    strategy.tell([Outcome(0, None, failure="timeout"), Outcome(1, score)])
    strategy.choose(hosts([0, 0, 0, 0], [0.0, 0.0, 0.0, 0.6]), np.random.default_rng(0), 1)  # the walk has begun
    E1 = strategy.state()["E1"]
    strategy.tell([Outcome(2, PageScore({"TK": 0.01}, 0.01, False))])
    assert strategy.state()["E1"] == E1 != 0.01


def test_the_first_link_stays_in_the_queue() -> None:
    strategy = WangLandau()
    picks = strategy.choose(hosts([0], [0.5]), np.random.default_rng(0), 1)
    assert picks.link.tolist() == [0]
    assert picks.move[0]["accepted"] is True


def test_region_competition_prefers_the_host_of_the_highest_mean() -> None:
    view = hosts([0, 0, 1, 1], [0.95, 0.05, 0.6, 0.6])
    for seed in range(20):
        picks = WangLandau().choose(view, np.random.default_rng(seed), 1)
        assert picks.link[0] in (2, 3)
        assert picks.move[0]["host"] == 1


def test_a_state_goes_on_as_if_nothing_had_happened() -> None:
    view = hosts([0, 0, 1, 1, 2] * 8, np.random.default_rng(1).random(40).tolist())
    whole = WangLandau()
    whole.choose(view, np.random.default_rng(2), 15)
    resumed = WangLandau()
    resumed.restore(whole.state())
    one, two = (s.choose(view, np.random.default_rng(3), 15) for s in (whole, resumed))
    assert one.link.tolist() == two.link.tolist()
    assert (one.tag, one.move) == (two.tag, two.move)


@pytest.mark.parametrize(
    "wrong", [{"T": 0}, {"m_max": 0}, {"delta": 1.5}, {"k": -0.1}, {"histogram": "new"}, {"flatness": "flat"}]
)
def test_parameters_that_are_refused(wrong: dict[str, float | str]) -> None:
    with pytest.raises(ValueError, match=f"parameter {next(iter(wrong))} must"):
        WangLandauParameters(**wrong)  # type: ignore[arg-type]


def test_t26_a_seed_that_is_out_while_the_crawl_is_killed_still_counts() -> None:
    killed, resumed = WangLandau(), WangLandau()
    picks = killed.choose(hosts([0, 1], [1.0, 1.0], seeds=True), np.random.default_rng(0), 1)
    resumed.restore(killed.state())
    resumed.tell([Outcome(int(picks.link[0]), PageScore({"TK": 0.37}, 0.37, False), tag=picks.tag[0])])
    assert resumed.state()["E1"] == 0.37

"""The tabu list, the choice of a move, and the tabu crawlers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from crawler.frontier import FrontierView
from crawler.kernels.tabu_list import TabuList, best_move
from crawler.model import Outcome, PageScore
from crawler.strategies.fcits_oh import FcitsOh, FcitsOhParameters
from crawler.strategies.tabu import Its, ItsParameters, OnIts
from crawler.testing import view_of


def queue(V: str, Priority: Sequence[float], host: Sequence[int] | None = None, *, seeds: bool = False) -> FrontierView:
    """Links whose anchor and parents both have the given relevance."""
    names = ("anchor", "parents", "parents_sum", "target")
    columns = {f"{name}:{V}": Priority for name in names}
    zero = [0.0] * len(Priority)
    return view_of({**columns, "pagerank": zero, "pagerank_raw": zero}, Priority, host, seeds=seeds)


def best(value: Sequence[float], tenure: Sequence[int], so_far: float) -> int:
    return best_move(np.array(value, dtype=np.float64), np.array(tenure, dtype=np.int64), so_far)


# ---- the list


def test_first_in_first_out() -> None:
    tabu = TabuList(3)
    for attribute in (7, 8, 9, 10):
        tabu.add(attribute)
    assert len(tabu) == 3
    assert tabu.tenure(np.array([7, 8, 9, 10, 11])).tolist() == [0, 1, 2, 3, 0]


def test_an_attribute_that_comes_again_stays_for_its_last_move() -> None:
    tabu = TabuList(3)
    for attribute in (5, 6, 5):
        tabu.add(attribute)
    assert tabu.tenure(np.array([5, 6])).tolist() == [3, 2]
    tabu.add(1)
    tabu.add(2)
    assert tabu.tenure(np.array([5, 6])).tolist() == [1, 0]


def test_a_move_is_tabu_for_as_many_moves_as_the_list_is_long() -> None:
    tabu = TabuList(4)
    tabu.add(1)
    seen = []
    for other in (10, 11, 12, 13):
        seen.append(int(tabu.tenure(np.array([1]))[0]))
        tabu.add(other)
    assert seen == [4, 3, 2, 1]
    assert tabu.tenure(np.array([1])).tolist() == [0]


def test_a_list_of_length_0_forbids_nothing() -> None:
    tabu = TabuList(0)
    tabu.add(1)
    assert len(tabu) == 0 and tabu.tenure(np.array([1])).tolist() == [0]


# ---- the move


def test_the_best_move_that_is_not_tabu() -> None:
    assert best([0.9, 0.5, 0.7, 0.7], [2, 0, 0, 0], 1.0) == 2


def test_aspiration_admits_a_tabu_move_only_over_the_best() -> None:
    assert best([0.9, 0.5], [2, 0], 0.89) == 0
    assert best([0.9, 0.5], [2, 0], 0.9) == 1


def test_aspiration_by_default_takes_the_least_tabu() -> None:
    assert best([0.9, 0.5, 0.6], [3, 1, 1], 1.0) == 2


def test_a_move_that_cannot_be_made_is_never_made() -> None:
    assert best([-np.inf, 0.1, -np.inf], [0, 5, 1], 1.0) == 1
    assert best([-np.inf, 0.1, 0.2], [0, 5, 5], 0.0) == 2


# ---- the crawlers


def test_a_host_that_was_just_visited_is_left() -> None:
    view = queue("TK", [0.6, 0.59, 0.58, 0.3], [1, 1, 1, 2])
    strategy = Its(ItsParameters(k=200))
    picks = strategy.choose(view, np.random.default_rng(0), 3)
    assert picks.link.tolist() == [0, 3, 1]  # then both hosts are tabu, and 1 has been so for longer
    assert [move["tabu"] for move in picks.move] == [False, False, True]


def test_aspiration_by_priority() -> None:
    strategy, rng = Its(ItsParameters(k=200)), np.random.default_rng(0)
    strategy.choose(queue("TK", [0.6, 0.5], [1, 2]), rng, 1)
    picks = strategy.choose(queue("TK", [0.5, 0.7], [2, 1]), rng, 1)
    assert (picks.link[0], picks.move[0]["tabu"], picks.move[0]["best"]) == (1, True, 0.7)


def test_a_seed_is_never_best() -> None:
    strategy = Its()
    picks = strategy.choose(queue("TK", [1.0, 1.0], seeds=True), np.random.default_rng(0), 1)
    assert picks.move[0]["best"] == 0.0


@pytest.mark.slow
def test_without_improvement_a_link_is_drawn_uniformly() -> None:
    """Priorities that the roulette would hardly ever draw come as often as any, once in s + 1 picks."""
    view, rng = queue("TK", [0.9, *[0.001] * 9], list(range(10))), np.random.default_rng(1)
    counts = np.zeros(10)
    for _ in range(1000):
        strategy = Its(ItsParameters(s=2, host_length=0, length=0))
        picks = [strategy.choose(view, rng, 1) for _ in range(7)]
        assert [p.move[0]["diversified"] for p in picks] == [False, False, False, True, False, False, True]
        assert picks[0].link[0] == 0
        counts[picks[3].link[0]] += 1
    assert chisquare(counts).pvalue > 0.001


def test_eta() -> None:
    for cls, V, admitted in ((Its, "TK", [True] * 3), (OnIts, "GTK", [False, False, True])):
        view = queue(V, [0.0, 0.15, 0.16])
        assert cls().admit(view, view.links).tolist() == admitted
    fcits = queue("GTK", [0.0, 0.15 / 0.9, 0.17])  # Eq. (12) without its PageRank part
    assert FcitsOh().admit(fcits, fcits.links).tolist() == [False, False, True]


def test_the_host_s_merit_scales_the_priority_of_fcits_oh() -> None:
    view = queue("GTK", [0.5, 0.5], [3, 4])
    assert FcitsOh().priority(view, view.links).tolist() == pytest.approx([0.225, 0.225])  # 1/2 for an unknown host


def test_a_suspended_host_is_no_candidate_of_fcits_oh() -> None:
    view, rng = queue("GTK", [0.9, 0.9, 0.3], [1, 1, 2]), np.random.default_rng(5)
    strategy = FcitsOh(FcitsOhParameters(w=1, v=3, k=100, host_length=0, length=0))
    first = strategy.choose(view, rng, 1)
    assert first.move[0]["host"] == 1
    strategy.tell([Outcome(int(first.link[0]), PageScore({"TK": 0.1}, 0.1, False), tag=first.tag[0])])
    assert [strategy.choose(view, rng, 1).move[0]["host"] for _ in range(4)] == [2, 2, 2, 1]


def test_a_state_goes_on_as_if_nothing_had_happened() -> None:
    view = queue("TK", np.random.default_rng(2).random(40).tolist(), [1, 2, 3, 4] * 10)
    whole, resumed = Its(), Its()
    whole.choose(view, np.random.default_rng(3), 15)
    resumed.restore(whole.state())
    one, two = (s.choose(view, np.random.default_rng(4), 15) for s in (whole, resumed))
    assert (one.link.tolist(), one.tag, one.move) == (two.link.tolist(), two.tag, two.move)


def test_parameters_of_table_3() -> None:
    assert (ItsParameters().eta, OnIts.Parameters().eta, FcitsOhParameters().eta) == (-1.0, 0.15, 0.15)


def test_a_uniform_draw_is_one_however_few_of_the_known_links_wait() -> None:
    view, rng = queue("TK", [0.9] * 5 + [0.01] * 45 + [0.5] * 4000), np.random.default_rng(3)
    frontier = view._frontier
    frontier.take(np.arange(50, 4050))
    strategy, best_five = Its(ItsParameters(s=1, length=0, host_length=0)), 0
    diversified = 0
    for _ in range(1500):
        picks = strategy.choose(view, rng, 1)
        if picks.move[0]["diversified"]:
            diversified += 1
            best_five += int(picks.link[0] < 5)
    assert diversified > 500
    assert binomtest(best_five, diversified, 0.1).pvalue > 0.001


def test_fcits_oh_looks_beyond_a_neighbourhood_of_suspended_hosts() -> None:
    """Of 60 links ten are of a host that is free, and the roulette hardly ever draws them."""
    view, rng = queue("GTK", [0.9] * 50 + [0.02] * 10, [1] * 50 + [2] * 10), np.random.default_rng(5)
    strategy = FcitsOh(FcitsOhParameters(w=1, v=1000, k=2, host_length=0, length=0))
    first = strategy.choose(view, rng, 1)
    assert first.move[0]["host"] == 1
    strategy.tell([Outcome(int(first.link[0]), PageScore({"TK": 0.1}, 0.1, False), tag=first.tag[0])])
    assert {strategy.choose(view, rng, 1).move[0]["host"] for _ in range(50)} == {2}

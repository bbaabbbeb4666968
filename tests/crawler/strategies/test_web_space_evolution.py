"""The seed-link library, and the crawlers WSE and FCWSEO."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from crawler.frontier import FrontierView
from crawler.kernels.seed_library import SeedLibrary
from crawler.model import Outcome, PageScore
from crawler.strategies.web_space_evolution import Fcwseo, Wse, WseParameters
from crawler.testing import view_of


def library(*members: tuple[float, ...], size: int = 4) -> SeedLibrary:
    found = SeedLibrary(size, len(members[0]))
    found.links = np.arange(100, 100 + len(members))
    found.F = np.array(members, dtype=np.float64)
    return found


def test_mean_distance_is_over_all_pairs() -> None:
    assert library((0, 0), (3, 4), (0, 4)).mean_distance() == pytest.approx((5 + 4 + 3) / 3)
    assert library((0.5, 0.5)).mean_distance() == 0.0


def test_a_near_link_enters_only_for_a_member_that_it_dominates() -> None:
    B = library((0.2, 0.2), (0.9, 0.9))  # D_avg = .99
    assert not B.offer(1, np.array([0.3, 0.1]))  # near the first, not better in all
    assert not B.offer(1, np.array([0.2, 0.2]))  # the same
    assert B.offer(1, np.array([0.3, 0.2]))
    assert B.links.tolist() == [1, 101]
    assert B.F.tolist() == [[0.3, 0.2], [0.9, 0.9]]


def test_a_link_of_a_new_region_joins_and_then_replaces_the_most_dominated() -> None:
    B = library((0.5, 0.5), (0.5, 0.4), (0.4, 0.4), size=4)
    assert B.offer(1, np.array([0.0, 1.0]))
    assert B.links.tolist() == [100, 101, 102, 1]
    assert B.offer(2, np.array([1.0, 0.0]))  # 102 is dominated by two others, 101 by one
    assert B.links.tolist() == [100, 101, 2, 1]


def test_where_none_is_dominated_the_smallest_sum_goes() -> None:
    B = library((0.5, 0.5), (0.45, 0.54), (0.4, 0.61), size=3)
    assert B.offer(1, np.array([1.0, 0.0]))
    assert B.links.tolist() == [100, 1, 102]


def test_a_member_does_not_enter_again() -> None:
    B = library((0.5, 0.5), (0.1, 0.1))
    assert not B.offer(100, np.array([1.0, 1.0]))


def test_seeds_join_while_there_is_room() -> None:
    B = library((0.5, 0.5), size=2)
    B.plant(1, np.array([0.5, 0.5]))
    assert B.links.tolist() == [100, 1]
    B.plant(2, np.array([0.5, 0.5]))
    assert B.links.tolist() == [100, 1]
    B.plant(3, np.array([0.6, 0.6]))  # D_avg = 0: a new region
    assert B.links.tolist() == [3, 1]


def test_what_is_learned_of_a_member() -> None:
    B = library((0.5, 0.5), (0.1, 0.1))
    B.learn(101, 1, 0.9)
    B.learn(7, 1, 0.0)
    assert B.F.tolist() == [[0.5, 0.5], [0.1, 0.9]]


# ---- the crawlers


def queue(f1: Sequence[float], f2: Sequence[float], f3: Sequence[float], *, seeds: bool = False) -> FrontierView:
    F = np.column_stack([f1, f2, f3])
    columns = {f"{name}:TK": F[:, j].tolist() for j, name in enumerate(("anchor", "parents", "target"))}
    return view_of(columns, [1.0] * len(F) if seeds else F.mean(axis=1).tolist(), seeds=seeds)


def told(link: int, R: float, tag: int) -> Outcome:
    return Outcome(link, PageScore({"TK": R, "GTK": R}, R, True), tag=tag)


def test_seeds_are_fetched_first_and_enter_with_what_their_pages_have() -> None:
    strategy, view = Wse(), queue([0.0] * 3, [0.0] * 3, [0.0] * 3, seeds=True)
    picks = strategy.choose(view, np.random.default_rng(0), 3)
    assert picks.link.tolist() == [0, 1, 2]
    strategy.tell([told(2, 0.8, 2), Outcome(0, None, failure="timeout", tag=0), told(1, 0.1, 1)])
    state = strategy.state()
    assert state["library"].tolist() == [2, 1]
    assert state["library_F"].tolist() == [[0.8] * 3, [0.1] * 3]
    assert state["seeds"] == []


def test_pareto_optimal_links_are_fetched_before_better_sums() -> None:
    """Link 1 has the second best mean but is dominated by link 0; links 2 and 3 are extreme."""
    view = queue([0.8, 0.79, 0.9, 0.0], [0.8, 0.79, 0.1, 0.95], [0.8, 0.79, 0.1, 0.1])
    picks = Wse(WseParameters(K=4)).choose(view, np.random.default_rng(0), 3)
    assert sorted(picks.link.tolist()) == [0, 2, 3]


def test_links_that_do_not_enter_wait_while_others_do() -> None:
    strategy = Wse(WseParameters(K=2))
    strategy._library.links, strategy._library.F = np.array([90, 91]), np.array([[0.9, 0.2, 0.5], [0.0, 0.0, 0.0]])
    view = queue([0.85, 0.1], [0.2, 0.9], [0.5, 0.6])  # 0 is near 90 and does not dominate it; 1 is a new region
    picks = strategy.choose(view, np.random.default_rng(0), 1)
    assert picks.link.tolist() == [1] and picks.move[0]["entered"]
    picks = strategy.choose(queue([0.85], [0.2], [0.5]), np.random.default_rng(0), 1)
    assert picks.link.tolist() == [0] and not picks.move[0]["entered"]  # nothing enters: the test set is fetched


def test_a_member_s_prediction_gives_way_to_its_page() -> None:
    strategy, view = Wse(), queue([0.5], [0.5], [0.5])
    strategy.choose(view, np.random.default_rng(0), 1)
    strategy.tell([told(0, 0.9, 0)])
    assert strategy.state()["library_F"].tolist() == [[0.5, 0.5, 0.9]]


def test_objectives_and_vocabularies() -> None:
    assert Wse.features == ("anchor:TK", "parents:TK", "target:TK")
    assert Fcwseo.features == ("anchor:GTK", "parents:GTK", "target:GTK", "pagerank")
    columns = {"anchor:GTK": [0.4], "parents:GTK": [0.2], "target:GTK": [0.6], "pagerank": [1.0]}
    view = view_of(columns, [0.5])
    assert Fcwseo().priority(view, view.links).tolist() == pytest.approx([0.55])

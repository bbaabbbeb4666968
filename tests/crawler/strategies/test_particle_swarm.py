"""The swarm on the simplex, the window of observations, and the crawler FCPSO."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from crawler.kernels.swarm import Flight, fly, onto_simplex
from crawler.kernels.window import Window, rmse
from crawler.model import Floats, Outcome, PageScore
from crawler.scoring.priority import WEIGHTS
from crawler.strategies.particle_swarm import Fcpso, FcpsoParameters
from crawler.testing import Conditions, PlantedWeb, Rehearsal, view_of

PLANTED = np.array([0.1, 0.2, 0.05, 0.65])


def on_simplex(X: Floats) -> bool:
    return bool((X >= 0.0).all() and np.allclose(X.sum(axis=1), 1.0))


@given(arrays(np.float64, (3, 4), elements=st.floats(-5.0, 5.0)))
def test_onto_the_simplex(X: Floats) -> None:
    Y = onto_simplex(X)
    assert on_simplex(Y)
    assert np.allclose(onto_simplex(Y), Y)
    assert (Y[(X <= 0.0) & (X > 0.0).any(axis=1, keepdims=True)] == 0.0).all()


def test_a_row_of_which_nothing_is_left_becomes_uniform() -> None:
    assert onto_simplex(np.array([[-1.0, 0.0, -2.0, -0.1]])).tolist() == [[0.25] * 4]


def test_the_swarm_stays_on_the_simplex() -> None:
    places = list[Floats]()

    def error(X: Floats) -> Floats:
        places.append(X.copy())
        return np.asarray(np.linalg.norm(X - PLANTED, axis=1))

    violent = Flight(15, 60, 0.9, 4.0, 4.0)
    g = fly(np.random.default_rng(0), error, np.array(WEIGHTS), violent)
    assert len(places) == 61
    assert all(on_simplex(X) for X in [*places, g[np.newaxis]])
    assert len(np.unique(places[-1], axis=0)) > 5  # and it has not come to rest
    seen = np.linalg.norm(np.concatenate(places) - PLANTED, axis=1)
    assert np.linalg.norm(g - PLANTED) == pytest.approx(seen.min())  # the best place of all is remembered


def test_it_finds_nothing_worse_than_where_it_begins() -> None:
    rng, start = np.random.default_rng(1), PLANTED + np.array([0.001, -0.001, 0.0, 0.0])
    for moves in (0, 1, 5):
        g = fly(rng, lambda X: np.abs(X - PLANTED).sum(axis=1), start, Flight(5, moves))
        assert np.abs(g - PLANTED).sum() <= np.abs(start - PLANTED).sum()


def test_planted_weights_are_recovered() -> None:
    rng = np.random.default_rng(2)
    F = rng.random((200, 4))
    R = F @ PLANTED + 0.01 * rng.standard_normal(200)
    g = fly(rng, lambda X: rmse(X, F, R), np.array(WEIGHTS), Flight(20, 100))
    assert g == pytest.approx(PLANTED, abs=0.02)


def test_searches_of_ten_moves_that_go_on_follow_an_error_that_changes() -> None:
    rng, g = np.random.default_rng(3), np.array(WEIGHTS)
    for place in (PLANTED, PLANTED[::-1]):
        for _ in range(40):
            g = fly(rng, lambda X, to=place: np.linalg.norm(X - to, axis=1), g, Flight())  # type: ignore[misc]
        assert g == pytest.approx(place, abs=0.01)


# ---- the window


def told(tag: int, R: float | None) -> Outcome:
    score = None if R is None else PageScore({"GTK": R}, R, False)
    return Outcome(0, score, failure="timeout" if R is None else None, tag=tag)


def test_rmse_by_hand() -> None:
    F, R = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.5, 1.0])
    assert rmse(np.array([[0.5, 0.5], [1.0, 0.0]]), F, R) == pytest.approx([np.sqrt(0.125), np.sqrt(0.625)])


def test_late_outcomes_are_credited_to_their_picks_and_failures_to_none() -> None:
    window = Window(10, 1)
    for tag in range(4):
        window.sent(tag, np.array([tag / 10]))
    window.tell([told(3, 0.9), told(1, None), told(0, 0.1), told(77, 0.5), told(3, 0.8)], "GTK")
    assert (window.F[:, 0].tolist(), window.R.tolist(), window.seen) == ([0.3, 0.0], [0.9, 0.1], 2)
    assert window.state()["out_tags"].tolist() == [2]


def test_the_window_forgets_the_oldest() -> None:
    window = Window(3, 1)
    for tag in range(5):
        window.sent(tag, np.array([float(tag)]))
        window.tell([told(tag, tag / 10)], "GTK")
    assert (window.F[:, 0].tolist(), window.R.tolist(), window.seen) == ([2, 3, 4], [0.2, 0.3, 0.4], 5)


# ---- the crawler


def test_links_are_queued_over_eta_with_the_weights_of_eq_12() -> None:
    names = ("anchor:GTK", "parents:GTK", "pagerank", "target:GTK")
    rows = np.array([[0.5, 0.0, 0.0, 0.0], [0.5, 0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 0.5]])
    view = view_of({name: rows[:, j].tolist() for j, name in enumerate(names)}, [0.5] * 3)
    strategy = Fcpso()
    assert strategy.priority(view, view.links) == pytest.approx([0.15, 0.16, 0.2])
    assert strategy.admit(view, view.links).tolist() == [False, True, True]


def test_weights_are_learned_in_a_crawl() -> None:
    """They leave their start, stay on the simplex, and predict what the crawl saw better than the start does."""
    crawl = Rehearsal(Fcpso(), PlantedWeb.plant(4), 0, 150, Conditions(in_flight=16, reorder=True, failures=0.1)).run()
    strategy = crawl.strategy
    assert isinstance(strategy, Fcpso)
    g, start = strategy._learned.w, np.array(WEIGHTS)
    assert on_simplex(g[np.newaxis])
    at_g, at_start = strategy._window.error(np.stack([g, start]))
    assert at_g < at_start
    assert 100 < strategy._window.seen <= 150


def test_nothing_is_learned_from_seeds() -> None:
    view = view_of({name: [0.0] * 3 for name in Fcpso.features}, [1.0] * 3, seeds=True)
    strategy = Fcpso()
    picks = strategy.choose(view, np.random.default_rng(0), 3)
    strategy.tell(
        [Outcome(int(link), PageScore({"GTK": 0.9}, 0.9, True), tag=tag) for tag, link in enumerate(picks.link)]
    )
    assert strategy._window.seen == 0


def test_a_generation_is_pareto_optimal_and_ordered_by_the_weights() -> None:
    rows = np.array([[0.9, 0.1, 0.0, 0.5], [0.2, 0.9, 0.0, 0.9], [0.1, 0.05, 0.0, 0.4], [0.0, 0.0, 1.0, 0.0]])
    view = view_of({name: rows[:, j].tolist() for j, name in enumerate(Fcpso.features)}, [0.5, 0.6, 0.2, 0.1])
    picks = Fcpso(FcpsoParameters(K=5)).choose(view, np.random.default_rng(0), 3)
    assert picks.link.tolist() == [1, 0, 3]

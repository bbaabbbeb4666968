"""The membrane system against theory, and the crawler CMCFC."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.kernels.membrane_system import MembraneSystem
from crawler.kernels.window import rmse
from crawler.model import Floats, Outcome, PageScore
from crawler.strategies.membrane import Cmcfc, CmcfcParameters
from crawler.testing import Conditions, PlantedWeb, Rehearsal, view_of

PLANTED = np.array([0.15, 0.5, 0.05, 0.3])
EQUAL = np.full(4, 0.25)


def begun(seed: int = 0, s: float = 0.1) -> tuple[np.random.Generator, MembraneSystem]:
    rng, system = np.random.default_rng(seed), MembraneSystem(s)
    system.begin(rng, 4, 10, EQUAL)
    return rng, system


def distance(X: Floats) -> Floats:
    return np.asarray(np.abs(X - PLANTED).sum(axis=1))


def test_objects_stay_on_the_simplex() -> None:
    rng, system = begun(s=1.0)
    for _ in range(30):
        best = system.evolve(rng, distance, 1)
        assert (system.objects >= 0.0).all()
        assert np.allclose(system.objects.sum(axis=2), 1.0)
        assert best.sum() == pytest.approx(1.0)


def test_the_object_in_the_skin_is_never_worse_than_before() -> None:
    rng, system = begun()
    errors = [float(distance(system.evolve(rng, distance, 1)[np.newaxis])[0]) for _ in range(40)]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] <= distance(EQUAL[np.newaxis])[0]


def test_planted_weights_are_recovered() -> None:
    rng, system = begun()
    F = rng.random((200, 4))
    R = F @ PLANTED + 0.01 * rng.standard_normal(200)
    assert system.evolve(rng, lambda X: rmse(X, F, R), 60) == pytest.approx(PLANTED, abs=0.04)


def test_the_best_object_comes_into_every_membrane_once() -> None:
    rng, system = begun()
    best = system.evolve(rng, distance, 3)
    same = (system.objects == best).all(axis=2)
    assert same[:, 0].all()
    for _ in range(20):
        system.evolve(rng, distance, 1)
    assert all(len(np.unique(membrane, axis=0)) >= 9 for membrane in system.objects)


def test_without_mutation_objects_stay_between_those_of_the_beginning() -> None:
    """Crossover alone is convex: it does not leave the hull, so it cannot reach a corner that no object is near."""
    rng, system = begun(s=0.0)
    largest = system.objects.reshape(-1, 4).max(axis=0)
    best = system.evolve(rng, lambda X: 1.0 - X[:, 2], 30)
    assert best[2] <= largest[2] + 1e-12


# ---- the crawler


def told(link: int, tag: int, R: float) -> Outcome:
    return Outcome(link, PageScore({"TK": R}, R, True), tag=tag)


def test_before_anything_is_learned_the_four_texts_count_equally() -> None:
    columns = {name: [0.1 * (j + 1)] for j, name in enumerate(Cmcfc.features)}
    view = view_of(columns, [0.5])
    assert Cmcfc().priority(view, view.links).tolist() == pytest.approx([0.25])


def test_the_text_that_tells_wins() -> None:
    """R of the pages follows the anchors only; after 25 of them the anchor has nearly all the weight."""
    rng = np.random.default_rng(0)
    F = rng.random((30, 4))
    view = view_of({name: F[:, j].tolist() for j, name in enumerate(Cmcfc.features)}, F.mean(axis=1).tolist())
    strategy = Cmcfc(CmcfcParameters(every=25, steps=60))
    picks = strategy.choose(view, rng, 30)
    outcomes = [told(link, tag, float(F[link, 1])) for tag, link in enumerate(picks.link.tolist())]
    strategy.tell(outcomes[::-1])  # whatever the order
    strategy.choose(view, rng, 1)
    assert strategy._learned.w[1] > 0.9


def test_the_top_part_is_scored_anew_with_the_newest_weights() -> None:
    columns = {name: [0.0, 0.0] for name in Cmcfc.features}
    columns["anchor:TK"], columns["parents:TK"] = [0.8, 0.1], [0.0, 0.9]
    view = view_of(columns, [0.2, 0.25])  # as of equal weights
    strategy = Cmcfc()
    assert strategy.choose(view, np.random.default_rng(0), 1).link.tolist() == [1]
    strategy._learned.w = np.array([0.1, 0.9, 0.0, 0.0])
    assert strategy.choose(view, np.random.default_rng(0), 1).link.tolist() == [0]


def test_weights_are_learned_in_a_crawl_with_16_in_flight() -> None:
    crawl = Rehearsal(Cmcfc(), PlantedWeb.plant(2), 0, 120, Conditions(in_flight=16, reorder=True, failures=0.1)).run()
    strategy = crawl.strategy
    assert isinstance(strategy, Cmcfc)
    learned, equal = strategy._window.error(np.stack([strategy._learned.w, EQUAL]))
    assert learned < equal
    assert strategy._learned.w.sum() == pytest.approx(1.0)

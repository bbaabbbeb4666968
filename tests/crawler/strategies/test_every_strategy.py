"""What every registered strategy must bear: one link, no scores, parameters out of range, many fetches in flight."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from crawler.frontier import FrontierView
from crawler.model import Budget
from crawler.strategies import STRATEGIES, create
from crawler.strategies.ensemble import Ensemble
from crawler.testing import Conditions, PlantedWeb, Rehearsal, view_of

NUMBERS = [
    (name, field.name, type(field.default))
    for name, cls in STRATEGIES.items()
    for field in fields(cls.Parameters)
    if isinstance(field.default, int | float) and not isinstance(field.default, bool)
]
CHOICES = [
    (name, field.name)
    for name, cls in STRATEGIES.items()
    for field in fields(cls.Parameters)
    if isinstance(field.default, str) and not issubclass(cls, Ensemble)
]


def without_scores(name: str, n: int, *, seeds: bool = False) -> FrontierView:
    columns = {feature.replace("*", "1"): [0.0] * n for feature in create(name).features}
    return view_of(columns, [1.0 if seeds else 0.0] * n, list(range(n)), seeds=seeds, budget=Budget(5, 100))


@pytest.mark.parametrize("name", STRATEGIES)
def test_where_all_scores_are_zero_every_link_is_still_chosen(name: str) -> None:
    view = without_scores(name, 6)
    strategy, rng = create(name), np.random.default_rng(0)
    assert len(set(strategy.priority(view, view.links).tolist())) == 1
    assert sorted(strategy.choose(view, rng, 6).link.tolist()) == list(range(6))


@pytest.mark.parametrize("name", STRATEGIES)
def test_one_link_is_chosen_again_and_again(name: str) -> None:
    """A walk on a queue of one link is not stuck and does not divide by zero."""
    for seeds in (True, False):
        view, strategy, rng = without_scores(name, 1, seeds=seeds), create(name), np.random.default_rng(0)
        tags = [strategy.choose(view, rng, 3).tag for _ in range(60)]
        assert tags == [(number,) for number in range(60)]


@pytest.mark.parametrize(("name", "parameter", "kind"), NUMBERS)
def test_a_number_out_of_range_is_refused_by_name(name: str, parameter: str, kind: type) -> None:
    wrong: list[Any] = [-(10**15)] if kind is int else [-1e300, math.inf]
    for value in wrong:
        with pytest.raises(ValueError, match=rf"\b{parameter}\b"):
            STRATEGIES[name].Parameters(**{parameter: value})
    with pytest.raises(ValueError, match=f"parameter {parameter} must be"):
        create(name, {parameter: math.nan})


@pytest.mark.parametrize(("name", "parameter"), CHOICES)
def test_an_unknown_reading_is_refused_by_name(name: str, parameter: str) -> None:
    with pytest.raises(ValueError, match=f"parameter {parameter} must be one of"):
        create(name, {parameter: "no such reading"})


@pytest.mark.parametrize("name", STRATEGIES)
def test_with_16_in_flight_a_killed_crawl_goes_on_exactly(name: str) -> None:
    """Late, reordered and failed outcomes, and a state that is saved while 16 picks are out."""
    web, conditions = PlantedWeb.plant(3), Conditions(in_flight=16, reorder=True, failures=0.2)
    whole = Rehearsal(create(name), web, 0, 70, conditions).run()
    parts = Rehearsal(create(name), web, 0, 70, conditions)
    for steps in (9, 20):
        parts = parts.run(steps).reborn()
    assert parts.run().trace == whole.trace
    assert len(whole.fetched) == 70

"""What every registered strategy must bear: one link, no scores, and parameters or features that cannot be."""

from __future__ import annotations

import math
import re
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from crawler.frontier import FrontierView
from crawler.model import Budget
from crawler.strategies import STRATEGIES, create
from crawler.strategies.ensemble import Ensemble
from crawler.testing import view_of

NUMBERS = [
    (name, field.name, type(field.default))
    for name, cls in STRATEGIES.items()
    for field in fields(cls.Parameters)
    if isinstance(field.default, int | float) and not isinstance(field.default, bool)
]
TEXTS = [
    (name, field.name)
    for name, cls in STRATEGIES.items()
    for field in fields(cls.Parameters)
    if isinstance(field.default, str)
]
WEIGHTS = {
    (name, weight)
    for names, weights in {
        ("fcsa", "fcosa_g", "fcosa_lg", "fcsa_host", "fcits_oh", "ielp"): ("alpha", "beta", "gamma", "theta"),
        ("bcw_cc", "fcbcw", "fccbs"): ("alpha", "beta", "gamma"),
        ("temporal_intent",): ("theta", "gamma"),
        ("event_model",): ("topic", "date", "theta", "gamma"),
    }.items()
    for name in names
    for weight in weights
}
"""Parameters that are weights of sum 1; those of shark are not."""


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
def test_a_number_out_of_range_is_refused_by_name_and_range(name: str, parameter: str, kind: type) -> None:
    """And the range that the message states is the one that holds, at both of its ends."""
    Parameters = STRATEGIES[name].Parameters
    low, high = stated_range(name, parameter, kind)
    step = 1 if kind is int else 1e-6
    for wrong in (low - step, high + step * max(1.0, abs(high)), math.inf, math.nan):
        with pytest.raises(ValueError, match=rf"\b{parameter}\b.* must (lie in \[|be \d numbers >= 0 of sum 1)"):
            Parameters(**{parameter: wrong})
    if (name, parameter) not in WEIGHTS:
        for right in (low, high):
            assert getattr(Parameters(**{parameter: kind(right)}), parameter) == right


def stated_range(name: str, parameter: str, kind: type) -> tuple[float, float]:
    """The range in the message that refuses a number which is too small; [0, 1] of a weight."""
    with pytest.raises(ValueError, match=rf"\b{parameter}\b") as refused:
        STRATEGIES[name].Parameters(**{parameter: -(10**15)})
    if (name, parameter) in WEIGHTS:
        return 0.0, 1.0
    found = re.search(
        rf"parameter {parameter} must lie in \[(\S+), (\S+)\], not -1000000000000000$", str(refused.value)
    )
    assert found is not None, refused.value
    return float(found[1]), float(found[2])


@pytest.mark.parametrize(("name", "parameter", "kind"), NUMBERS)
def test_what_is_no_number_is_refused_by_name(name: str, parameter: str, kind: type) -> None:
    wrong: list[Any] = [math.nan, math.inf, True, "1"] + ([2.5] if kind is int else [])
    for value in wrong:
        with pytest.raises(ValueError, match=f"parameter {parameter} must be a (whole|finite) number"):
            create(name, {parameter: value})


@pytest.mark.parametrize(("name", "parameter"), sorted(WEIGHTS))
def test_weights_that_do_not_sum_to_one_are_refused_by_their_names(name: str, parameter: str) -> None:
    value = getattr(STRATEGIES[name].Parameters(), parameter)
    for wrong in (value + 0.01, value - 0.01, value / 2):
        with pytest.raises(
            ValueError, match=rf"parameters .*\b{parameter}\b.* must be \d numbers >= 0 of sum 1, not \("
        ):
            create(name, {parameter: wrong})


@pytest.mark.parametrize(("name", "parameter"), TEXTS)
def test_an_unknown_reading_is_refused_by_name(name: str, parameter: str) -> None:
    """The message names the choices, or the form that the text should have."""
    if issubclass(STRATEGIES[name], Ensemble):
        says = (
            f"parameter {parameter} (must be (two names|a number of at least 0|JSON)|is given, and none of best_first)"
        )
    else:
        says = f"parameter {parameter} must be one of:? \\w+"
    with pytest.raises(ValueError, match=says):
        create(name, {parameter: "no such reading"})


@pytest.mark.parametrize(
    ("settings", "says"),
    [("[]", "parameter settings must be JSON"), ('{"best_first": 3}', "parameter settings must be")],
)
def test_settings_of_members_that_have_not_their_form(settings: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        create("mixture", {"settings": settings})


# ---- what is no number on the way into the queue


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_feature_that_is_no_number_is_an_error_and_no_silent_choice(value: float) -> None:
    """A filter would leave the link out without a word; so no column has such a value."""
    with pytest.raises(ValueError, match=f"feature target:TK of link 1 is {value}: it must be a finite number"):
        view_of({"anchor:TK": [0.2] * 3, "target:TK": [0.2, value, 0.2]}, [0.5] * 3)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_the_queue_takes_no_priority_that_is_no_number(value: float) -> None:
    with pytest.raises(ValueError, match=f"priority of link 1 is {value}: it must be a finite number"):
        view_of({}, [0.5, value])

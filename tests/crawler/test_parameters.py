"""Declared parameters: checked when an instance is created, and listed with their meaning and limits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pytest

from crawler import strategies
from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Picks
from crawler.parameters import (
    CheckedParameters,
    Choice,
    Form,
    Range,
    Weight,
    about,
    parameter,
    require_choice,
    require_range,
)
from crawler.strategies.base import Strategy


@dataclass(frozen=True)
class Base(CheckedParameters):
    share: float = parameter(0.5, "A share.", Range(0, 1))
    mode: str = parameter("mean", "How several count.", Choice("mean", "sum"))
    first: float = parameter(0.4, "Weight of the first.", Weight())
    second: float = parameter(0.6, "Weight of the second.", Weight())
    left: float = parameter(1.0, "Weight on the left.", Weight("sides"))
    day: str = parameter("2013-11-08", "A day.", Form("a day", date.fromisoformat))
    once: bool = parameter(False, "Whether it is done once.")
    name: str = parameter("", "Any text.")


@dataclass(frozen=True)
class Derived(Base):
    share: float = 0.9
    steps: int = parameter(3, "Steps.", Range(1, 10))


@dataclass(frozen=True)
class Both(Derived, CheckedParameters):
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps > 5 and self.once:
            raise ValueError("parameter steps must be at most 5 where once is set")


@pytest.mark.parametrize("cls", [Base, Derived, Both])
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"share": 1.5}, r"parameter share must lie in \[0, 1\], not 1.5"),
        ({"share": float("nan")}, "parameter share must lie in"),
        ({"mode": "max"}, "parameter mode must be one of mean, sum, not 'max'"),
        ({"first": 0.5}, r"parameters first, second must be 2 numbers >= 0 of sum 1, not \(0.5, 0.6\)"),
        ({"first": -0.4, "second": 1.4}, "parameters first, second must be"),
        ({"left": 0.5}, "parameters left must be 1 numbers >= 0 of sum 1"),
        ({"day": "yesterday"}, "parameter day must be one of: a day, not 'yesterday'"),
    ],
)
def test_a_value_outside_its_limits_is_refused_in_subclasses_too(
    cls: type[Base], given: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        cls(**given)


def test_values_within_their_limits_are_kept() -> None:
    made = Derived(share=0.0, mode="sum", first=1.0, second=0.0, day="2020-02-29", once=True, name="x", steps=10)
    assert (made.share, made.mode, made.first, made.second, made.steps) == (0.0, "sum", 1.0, 0.0, 10)


def test_a_check_over_several_parameters_comes_after_the_declared_ones() -> None:
    assert Both(steps=6).steps == 6
    with pytest.raises(ValueError, match="where once is set"):
        Both(steps=6, once=True)
    with pytest.raises(ValueError, match=r"parameter steps must lie in \[1, 10\]"):
        Both(steps=11, once=True)


def test_a_new_default_keeps_meaning_and_limits() -> None:
    assert Derived().share == 0.9
    assert about(Derived)["share"] == about(Base)["share"] == {"meaning": "A share.", "allowed": "[0, 1]"}


def test_what_users_read_comes_from_the_declarations() -> None:
    allowed = {name: entry["allowed"] for name, entry in about(Derived).items()}
    assert allowed == {
        "share": "[0, 1]",
        "mode": "mean, sum",
        "first": "2 numbers >= 0 of sum 1",
        "second": "2 numbers >= 0 of sum 1",
        "left": "1 numbers >= 0 of sum 1",
        "day": "a day",
        "once": "true, false",
        "name": "",
        "steps": "[1, 10]",
    }


@dataclass(frozen=True)
class Plain:
    """Parameters as version 0.1 taught to write them."""

    patience: float = 0.5
    mode: str = "mean"

    def __post_init__(self) -> None:
        require_range("patience", self.patience, 0.0, 1.0)
        require_choice("mode", self.mode, ("mean", "sum"))


class Own(Strategy):
    name = "own"
    title = "A strategy with plain parameters"
    paper = "Written for a test"
    Parameters = Plain

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        return np.zeros(len(links))

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return Picks(view.top(n))


def test_a_plain_dataclass_with_checks_of_its_own_still_works() -> None:
    name = f"{__name__}:Own"
    assert strategies.create(name, {"patience": 0.1}).parameters == Plain(0.1)
    for given, says in (
        ({"patience": 2.0}, "must lie in"),
        ({"mode": "x"}, "must be one of"),
        ({"p": 1}, "has no"),
    ):
        with pytest.raises(ValueError, match=says):
            strategies.create(name, given)
    [described] = strategies.describe([strategies.get(name)])
    assert described["parameters"] == {"patience": 0.5, "mode": "mean"}
    assert described["about"] == {name: {"meaning": "", "allowed": ""} for name in ("patience", "mode")}

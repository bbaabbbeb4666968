"""Crawlers with a classifier, blocks or dates over a planted web that has them: they go on exactly, and they gain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from crawler.strategies import create
from crawler.testing import Conditions, PlantedWeb, Rehearsal

EVENT = "2013-11-08..2014-01-06=100"
GIVEN = [
    ("bcw_cc", {"classifier": "m.json", "S": "topic"}),
    ("bcw_cc", {"classifier": "m.json", "S": "topic", "tunnel": "literal"}),
    ("fcbcw", {"classifier": "m.json", "S": "topic", "discarded": "last"}),
    ("fccbs", {"tunnel": "literal", "blocks": "innermost"}),
    ("temporal_intent", {"start": "2013-11-08", "intervals": EVENT}),
    ("temporal_intent", {"interest": "pages"}),
    ("best_first", {"tunnel": "budget"}),
    ("event_model", {"start": "2013-11-08"}),
    ("date_segments", {"start": "2013-11-08", "end": "2014-01-06"}),
]


@pytest.mark.parametrize(("name", "given"), GIVEN)
def test_a_killed_crawl_goes_on_exactly(name: str, given: dict[str, Any]) -> None:
    """Late, reordered and failed outcomes, with classes, blocks and dates that matter."""
    web, conditions = PlantedWeb.plant(1), Conditions(in_flight=4, reorder=True, failures=0.2)
    whole = Rehearsal(create(name, given), web, 0, 60, conditions).run()
    parts = Rehearsal(create(name, given), web, 0, 60, conditions)
    for steps in (7, 15):
        parts = parts.run(steps).reborn()
    assert parts.run().trace == whole.trace
    assert len(whole.fetched) >= 20


def harvest(name: str, given: dict[str, Any]) -> float:
    return float(
        np.mean([Rehearsal(create(name, given), PlantedWeb.plant(s), s, 120).run().harvest() for s in range(5)])
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("event_model", {"start": "2013-11-08"}),
        ("date_segments", {"start": "2013-11-08", "end": "2014-01-06"}),
    ],
)
def test_dates_that_tell_are_worth_something(name: str, given: dict[str, Any]) -> None:
    """Relevant pages are from two months, others from ten years: with the date more of them are found than without."""
    assert harvest(name, given) > 1.05 * harvest(name, {})

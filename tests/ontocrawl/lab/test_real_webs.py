"""Figures of the calibrated webs lie in the ranges of real webs, and one out of range is noticed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crawler.worlds.synthetic import CALIBRATED, CalibratedWorld
from crawler.worlds.synthetic.calibrated.parameters import Parameters
from ontocrawl.base.workspace import Workspace
from ontocrawl.lab import web, web_figures
from ontocrawl.runs import page_scoring
from ontocrawl.topics import topics
from tests.ontocrawl.conftest import Command

PAGES, JUDGED = 8_000, 20_000
"""Pages of a web whose shape is measured, and of one whose pages are judged."""


@cache
def figures(preset: str, pages: int = PAGES, **parameters: float) -> dict[str, Any]:
    world = CalibratedWorld(preset, pages, 3, parameters)
    return web_figures.figures(web.read(world, world.seeds, set(world.relevant_urls()), user_agent="test"))


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(CALIBRATED))
def test_a_preset_lies_in_the_ranges_of_real_webs(preset: str) -> None:
    measured = figures(preset)
    assert web_figures.outside(measured) == {}
    assert len(web_figures.known(measured)) >= 18


@pytest.mark.slow
def test_a_web_out_of_range_is_noticed() -> None:
    odd = figures("rainstorm", 1_000, base_rate=0.15, reciprocity=0.0, generic=0.4, naming=0.2)
    noticed = web_figures.outside(odd)
    assert {"base_rate", "reciprocity", "anchors.shared"} <= set(noticed)
    value, low, high = noticed["base_rate"]
    assert value > high > low


def test_every_parameter_names_a_measured_figure_or_says_that_there_is_none() -> None:
    for name, field in Parameters.__dataclass_fields__.items():
        figure = field.metadata["figure"]
        assert figure in web_figures.ranges() or figure.startswith("none: "), (name, figure)


def test_the_ranges_are_those_of_a_program() -> None:
    stored = json.loads(web_figures.FILE.read_text(encoding="utf-8"))
    assert stored["written_by"] == "python -m tools.real_webs"
    assert {"wikispeedia", "zh_news_html"} <= set(stored["webs"])
    assert all(low <= high for low, high in web_figures.ranges().values())


@pytest.mark.slow
def test_the_judge_accepts_as_many_pages_as_on_real_webs(space: Workspace) -> None:
    world, topic = CalibratedWorld("rainstorm", JUDGED, 3), topics.load("rainstorm", space)
    groups: dict[str, list[bool]] = {"relevant": [], "near": [], "other": []}
    for index in [*range(0, JUDGED, 20), *world.relevant_pages()]:
        plan = world.plan(index)
        if plan.role not in ("hub", "home"):
            group = "relevant" if plan.relevant else "near" if plan.kind_row <= world.kinds.near else "other"
            body = world._page(plan, world.host(plan))
            kind = f"text/html; charset={world.host(plan).encoding}"
            groups[group].append(page_scoring.score_body(topic, body, source="", content_type=kind).relevant)
    accepted = {name: sum(found) / len(found) for name, found in groups.items()}
    low, high = web_figures.ranges()["accepted.near"]
    assert low <= accepted["near"] <= high
    assert (
        accepted["other"] <= web_figures.ranges()["accepted.other"][1]
    )  # a single web was judged, which gives no range
    assert accepted["other"] < accepted["near"] < accepted["relevant"] < 0.8


@pytest.mark.slow
def test_the_command_shows_both(command: Command, space: Workspace) -> None:
    spec = "synthetic:rainstorm?pages=1000&seed=3"
    found = command("world", "stats", spec, "--workspace", space.root, "--json").json
    assert found["real"]["base_rate"] == list(web_figures.ranges()["base_rate"]) and "out_degree.p50" in found["real"]
    shown = command("world", "stats", spec, "--workspace", space.root)
    assert shown.code == 0 and "on real webs" in " ".join(shown.out.split())
    plain = command("world", "stats", "synthetic:planted?pages=300", "--workspace", space.root, "--json").json
    assert "real" not in plain and plain["islands"]["largest"] > 0


@pytest.mark.slow
def test_the_program_measures_what_the_file_has() -> None:
    data = Path(__file__).resolve().parents[4] / "shared" / "data" / "wikispeedia"
    if not data.is_dir():
        pytest.skip("the real webs are not on this machine: put them into ../shared/data")
    from tools.real_webs import categories, titles_in_text

    assert len(categories(data)) > 40
    assert titles_in_text(data) == web_figures.ranges()["anchors.named"][1]


def test_the_page_of_parameters_is_up_to_date() -> None:
    from tools import world_parameters

    assert world_parameters.main(["--check"]) == 0

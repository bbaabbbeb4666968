"""Crawls that end by relevant pages, expected gain or generations, alone, resumed, in flight and in a lab."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from crawler.crawl import Step
from crawler.expected_gain import EVERY, Harvest
from crawler.strategies import STRATEGIES
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawl_setup, runs
from tests.ontocrawl.conftest import Command

ASKED = ("--world", "synthetic:planted?pages=400&seed=2", "--no-graph")
GENERATIONS = sorted(name for name, cls in STRATEGIES.items() if hasattr(cls, "form"))
WORDS_ONLY = [name for name in GENERATIONS if set(STRATEGIES[name].vocabularies) == {"TK"}]


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


def picks(space: Workspace, run: str) -> list[tuple[str, int]]:
    """URL and generation of each pick of a run, in order; a strategy without generations has -1."""
    with runs.open_journal(space, run) as journal:
        urls = journal.urls()
        rows = journal.query("SELECT link, json_extract(move, '$.generation') FROM pick ORDER BY number")
        return [(urls[link], -1 if generation is None else generation) for link, generation in rows]


def trace(space: Workspace, run: str) -> list[tuple[str, bool]]:
    """URL and the judge's decision of each fetched page of a run."""
    with runs.open_journal(space, run) as journal:
        pages = runs.fetched_pages(journal)
    return [(urls[0], relevant) for (urls, *_), relevant in zip(pages.addresses, pages.relevant, strict=True)]


@pytest.mark.parametrize("in_flight", ["1", "8"])
def test_a_crawl_ends_with_the_page_that_reaches_the_limit(command: Command, empty: Workspace, in_flight: str) -> None:
    where = ("--strategy", "best_first", "--in-flight", in_flight, "--workspace", empty.root, "--json", *ASKED)
    found = command("crawl", "run", *where, "--limit-relevant", "15", "--limit-pages", "300", "--run", "few").json
    assert (found["stop_reason"], found["relevant"]) == ("limit_relevant", 15)
    assert found["fetched"] < 300
    assert trace(empty, "few")[-1][1]
    again = command("crawl", "resume", "few", "--workspace", empty.root, "--json")
    assert (again.json["stop_reason"], again.json["fetched"]) == ("limit_relevant", found["fetched"])
    more = command("crawl", "resume", "few", "--limit-relevant", "25", "--workspace", empty.root, "--json")
    assert (more.json["stop_reason"], more.json["relevant"]) == ("limit_relevant", 25)
    assert runs.config_of(empty, "few").crawl.limit_relevant == 25
    if in_flight == "1":
        command("crawl", "run", *where, "--limit-relevant", "25", "--limit-pages", "300", "--run", "whole")
        assert trace(empty, "few") == trace(empty, "whole")
    else:
        assert "the limit of 15 relevant pages is reached; --limit-relevant extends it" in again.err


class Killed(Exception):
    """The end of a process."""


def _killed(space: Workspace, like: str, run: str, pages: int) -> None:
    """Crawl as another run did, until a number of pages; snapshots are taken on the way."""
    config = runs.config_of(space, like)
    crawl = config.crawl.model_copy(update={"snapshot_every": 40})
    config = config.model_copy(update={"run": run, "crawl": crawl})

    def on_step(step: Step) -> None:
        if step.fetched == pages:
            raise Killed

    with closing(crawl_setup.world_of(config)) as world, pytest.raises(Killed):
        runs.begin(space, config, world, on_step)


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "in_flight"), [("best_first", "1"), ("best_first", "8"), ("mixture", "8")])
def test_a_crawl_ends_when_too_little_is_expected(
    command: Command, empty: Workspace, strategy: str, in_flight: str
) -> None:
    where = ("--strategy", strategy, "--in-flight", in_flight, "--reproducible", "--workspace", empty.root, "--json")
    limits = ("--limit-gain", "60", "--limit-pages")
    whole = command("crawl", "run", *where, *ASKED, *limits, "350", "--run", "whole").json
    gain = whole["expected_gain"]
    assert (whole["stop_reason"], gain["pages"]) == ("limit_gain", 100)
    assert gain["low"] <= gain["mean"] <= gain["high"] < 60
    pages = trace(empty, "whole")
    verdicts = [relevant for _, relevant in pages]
    earlier = [Harvest(verdicts[:k]).gain for k in range(0, len(pages), EVERY)]
    assert all(one is None or one.high >= 60 for one in earlier)  # it ended at the first such forecast
    _killed(empty, "whole", "part", 104)
    resume = ("--workspace", empty.root, "--json")
    resumed = command("crawl", "resume", "part", *resume).json
    assert (resumed["stop_reason"], resumed["expected_gain"]) == ("limit_gain", gain)
    assert trace(empty, "part") == pages
    again = command("crawl", "resume", "part", *resume)
    assert (again.json["stop_reason"], again.json["fetched"]) == ("limit_gain", len(pages))
    if in_flight == "8":
        assert "the limit of 60 relevant pages to be expected is reached; --limit-gain extends it" in again.err
    more = ("--limit-gain", "0", "--limit-pages", str(len(pages) + 5))
    assert command("crawl", "resume", "part", *more, *resume).json["stop_reason"] == "limit_pages"
    shown = command("crawl", "status", "whole", "--workspace", empty.root)
    assert f"{gain['mean']:.1f} [{gain['low']}, {gain['high']}] of the next 100 pages" in shown.out


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "in_flight"), [("gafc", "1"), *((name, "8") for name in WORDS_ONLY)])
def test_a_crawl_ends_with_its_last_generation(
    command: Command, empty: Workspace, strategy: str, in_flight: str
) -> None:
    where = ("--strategy", strategy, "--in-flight", in_flight, "--workspace", empty.root, "--json", *ASKED)
    limits = ("--limit-pages", "0", "--limit-generations")
    found = command("crawl", "run", *where, *limits, "2", "--run", "some").json
    assert (found["stop_reason"], found["in_flight"]) == ("limit_generations", 0)
    two = picks(empty, "some")
    assert {generation for _, generation in two} == {1, 2}
    more = command("crawl", "resume", "some", "--limit-generations", "3", "--workspace", empty.root, "--json").json
    assert more["stop_reason"] == "limit_generations"
    three = picks(empty, "some")
    assert three[: len(two)] == two
    assert {generation for _, generation in three[len(two) :]} == {3}
    repeated = command("crawl", "resume", "some", "--workspace", empty.root, "--json").json  # replays all choices
    assert (repeated["stop_reason"], repeated["fetched"]) == ("limit_generations", more["fetched"])
    if in_flight == "1":
        command("crawl", "run", *where, "--limit-pages", str(more["fetched"]), "--run", "unlimited")
        assert picks(empty, "unlimited") == three


def test_a_strategy_without_generations_refuses_their_limit(command: Command, empty: Workspace) -> None:
    where = ("--strategy", "best_first", "--workspace", empty.root, *ASKED)
    found = command("crawl", "run", *where, "--limit-generations", "3")
    assert found.code == 2
    assert "--limit-generations: best_first has no generations" in found.err
    assert command("crawl", "run", *where, "--limit-pages", "5", "--run", "short").code == 0
    found = command("crawl", "resume", "short", "--limit-generations", "3", "--workspace", empty.root)
    assert found.code == 2
    assert runs.config_of(empty, "short").crawl.limit_generations == 0


@pytest.mark.slow
def test_an_early_end_is_a_value_in_a_lab(command: Command, tmp_path: Path) -> None:
    text = """
title = "ends"
fetches = 200
at = [100]
seeds = 1

[[worlds]]
name = "w"
world = "synthetic:planted?pages=400"
settings = { limit_relevant = 20 }

[[worlds]]
name = "gain"
world = "synthetic:planted?pages=400&seed=2"
settings = { limit_gain = 60 }

[axes]
strategy = ["best_first", "gafc"]
ontology = ["none"]
limit_generations = [0, 1]
"""
    (tmp_path / "ends.toml").write_text(text, encoding="utf-8")
    summary = command("lab", "run", tmp_path / "ends.toml", "--out", tmp_path / "out", "--jobs", "1", "--json").json
    refused = [(one["world"], one["strategy"], "no generations" in one["error"]) for one in summary["failed"]]
    assert refused == [("w", "best_first", True), ("gain", "best_first", True)]
    lines = (tmp_path / "out" / "results.csv").read_text(encoding="utf-8").splitlines()
    rows = [line.split(",") for line in lines[1:]]
    at_end = {
        (strategy, limit): float(value)
        for world, _, strategy, _, _, _, metric, at, value, limit in rows
        if (world, metric, at) == ("w", "relevant_by_judge", "200") and strategy != "oracle"
    }
    assert at_end["best_first", "0"] == at_end["gafc", "0"] == 20
    assert at_end["gafc", "1"] < 20  # the seeds only
    pages = [float(row[8]) for row in rows if [row[0], row[2], *row[6:8]] == ["gain", "best_first", "dp", "200"]]
    assert len(pages) == 1 and 100 <= pages[0] < 200

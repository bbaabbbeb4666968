"""Judges by name: what a crawl counts as relevant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontocrawl
from benchmarks import judge
from crawler.scoring.logistic_weights import INTERCEPT, WEIGHTS
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import crawl_setup, page_scoring, runs
from ontocrawl.topics import topics
from tests.ontocrawl.conftest import Command

CRAWL = ("crawl", "run", "--world", "synthetic:planted?pages=600", "--strategy", "breadth_first", "--no-graph")


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


def test_the_judge_of_the_topic_is_that_of_its_file(empty: Workspace) -> None:
    file = topics.load("rainstorm", empty).file
    judge = crawl_setup.judge_of("topic", file)
    assert (judge.relevance.name, judge.threshold, judge.strict) == (file.relevance, file.sigma, file.strict)


def test_a_judge_has_its_own_threshold_or_that_of_the_topic(empty: Workspace) -> None:
    file = topics.load("rainstorm", empty).file
    assert crawl_setup.judge_of("density", file).threshold == crawl_setup.THRESHOLDS["density"] != file.sigma
    assert crawl_setup.judge_of("paper_002", file).threshold == file.sigma


@pytest.mark.parametrize("name", ["topic", "density", "paper_002"])
def test_a_given_threshold_is_before_those_of_topic_and_judge(empty: Workspace, name: str) -> None:
    file = topics.load("rainstorm", empty).file
    usual, lower = crawl_setup.judge_of(name, file), crawl_setup.judge_of(name, file, 0.0)
    assert usual.verdict(0.1) is False
    assert (lower.threshold, lower.relevance, lower.strict) == (0.0, usual.relevance, usual.strict)


@pytest.mark.slow
def test_a_crawl_counts_by_its_threshold_and_keeps_it(empty: Workspace, command: Command) -> None:
    relevant = {}
    for value in ("0.3", "0.7", "0.95"):
        run = ("--threshold", value, "--run", f"above-{value}", "--workspace", empty.root)
        assert command(*CRAWL, "--limit-pages", "40", *run).code == 0
        command("crawl", "resume", f"above-{value}", "--limit-pages", "120", "--no-graph", "--workspace", empty.root)
        assert runs.config_of(empty, f"above-{value}").sigma == float(value)
        with runs.open_journal(empty, f"above-{value}") as journal:
            pages = runs.fetched_pages(journal)
        relevant[value] = sum(pages.relevant)
        assert all(float(value) < R for R, counts in zip(pages.R, pages.relevant, strict=True) if counts)
    assert relevant["0.3"] > relevant["0.7"] > relevant["0.95"]
    assert command(*CRAWL, "--threshold", "1.5", "--workspace", empty.root).code == 2


def test_pages_about_calls_for_papers_are_judged_by_the_function_of_their_paper(empty: Workspace) -> None:
    topic = topics.load("call_for_papers", empty)
    judge = crawl_setup.judge_of("topic", topic.file)
    assert (judge.relevance.name, judge.threshold, judge.strict) == ("paper_004", 0.05, True)
    body = b"<title>Call for papers</title><p>computer</p><p>2009 2009</p>"
    scored = page_scoring.score_body(topic, body, source="page")
    beta = np.array([2.5, 0.5, 1.0])  # x_i W(i): 1/2 in the title, 1/2 and 2/2 in other tags
    S = float(beta @ [5.0, 3.0, 1.0]) / np.sqrt(98.0 * float(beta @ beta))
    assert (scored.R, scored.relevant) == (pytest.approx(S), True)


def test_an_unknown_judge_is_refused_with_the_nearest(empty: Workspace, command: Command) -> None:
    with pytest.raises(UsageError, match="density"):
        crawl_setup.judge_of("densty", topics.load("rainstorm", empty).file)
    result = command(*CRAWL, "--judge", "densty", "--workspace", empty.root)
    assert result.code == 2
    assert "did you mean 'density'" in result.err


@pytest.mark.slow
def test_a_crawl_counts_by_its_judge_and_keeps_it(empty: Workspace, command: Command) -> None:
    found = {}
    for name in ("topic", "density"):
        command(*CRAWL, "--limit-pages", "40", "--judge", name, "--run", f"judged-{name}", "--workspace", empty.root)
        command("crawl", "resume", f"judged-{name}", "--limit-pages", "80", "--no-graph", "--workspace", empty.root)
        config = runs.config_of(empty, f"judged-{name}")
        with runs.open_journal(empty, f"judged-{name}") as journal:
            pages = runs.fetched_pages(journal)
        threshold = 0.7 if name == "topic" else crawl_setup.THRESHOLDS["density"]
        assert (config.relevance, config.sigma) == ("paper_000" if name == "topic" else "density", threshold)
        above = [threshold < R for R in pages.R]
        assert all(above[i] for i, relevant in enumerate(pages.relevant) if relevant)
        assert sum(above) - sum(pages.relevant) <= 3  # a copy of a page that was read does not count again
        assert len(pages.R) == 80
        found[name] = pages
    assert [urls for urls, *_ in found["topic"].addresses] == [urls for urls, *_ in found["density"].addresses]
    assert list(found["topic"].R) != list(found["density"].R)


@pytest.mark.parametrize("strategy", ["best_first", "mixture"])
def test_a_crawl_is_guided_and_judged_by_evidence(empty: Workspace, command: Command, strategy: str) -> None:
    how = ("--judge", "evidence", "--guide", "evidence", "--limit-pages", "25", "--run", "mine")
    crawl = (*CRAWL, "--strategy", strategy)
    assert command(*crawl, *how, "--workspace", empty.root).code == 0
    with runs.open_journal(empty, "mine") as journal:
        pages = runs.fetched_pages(journal)
        ((url,),) = journal.query("SELECT final_url FROM page WHERE relevant = 1 ORDER BY seq LIMIT 1")
    assert 0 < sum(pages.relevant) < len(pages.R) == 25
    assert all(
        crawl_setup.THRESHOLDS["evidence"] < R for R, relevant in zip(pages.R, pages.relevant, strict=True) if relevant
    )
    scored = command("crawl", "score", url, "--run", "mine", "--json", "--workspace", empty.root)
    assert (scored.json["function"], scored.json["relevant"]) == ("evidence", True)


def test_a_file_is_scored_by_evidence(empty: Workspace, command: Command, tmp_path: Path) -> None:
    found = {}
    for name, text in (
        ("on", "Heavy rainstorm: flood warning. " * 5),
        ("off", "One flood in a long story. " + "Tea. " * 500),
    ):
        file = tmp_path / f"{name}.txt"
        file.write_text(text, encoding="utf-8")
        asked = command("crawl", "score", file, "--judge", "evidence", "--json", "--workspace", empty.root)
        found[name] = asked.json["R"]
    assert found["off"] < 0.1
    assert found["on"] > crawl_setup.THRESHOLDS["evidence"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [{}, {"judge": "density"}, {"judge": "paper_002"}, {"threshold": 0.3}])
def test_a_page_is_judged_alike_by_a_crawl_and_alone(empty: Workspace, command: Command, how: dict[str, Any]) -> None:
    """Settings of the workspace count for both; a judge with a threshold of its own has that one."""
    here = ("--workspace", empty.root)
    options = [str(part) for name, value in how.items() for part in (f"--{name}", value)]
    assert command(*CRAWL, "--limit-pages", "30", "--run", "mine", *options, *here).code == 0
    settings = empty.root / "ontocrawl.toml"
    lines = "".join(f"{name} = {value!r}\n" for name, value in how.items())
    settings.write_text(settings.read_text("utf-8").replace("[crawl]\n", f"[crawl]\n{lines}"), encoding="utf-8")
    config = runs.config_of(empty, "mine")
    with runs.open_journal(empty, "mine") as journal:
        query = "SELECT final_url FROM page WHERE relevant = ? ORDER BY seq LIMIT 1"
        on, off = (next(journal.query(query, (flag,)))[0] for flag in (True, False))
    for url in (on, off):
        of_run = command("crawl", "score", url, "--run", "mine", "--json", *here).json
        assert of_run["relevant"] is (url == on)
        for given in (options, ()):
            asked = ("crawl", "score", url, "--topic", "rainstorm", "--world", CRAWL[3], "--json", *given, *here)
            scored = command(*asked).json
            assert (scored["function"], scored["sigma"]) == (config.relevance, config.sigma)
            if config.relevance != "paper_002":  # which uses document frequencies
                assert (scored["R"], scored["relevant"]) == (of_run["R"], of_run["relevant"])


def test_the_old_name_of_the_judge_is_deprecated(empty: Workspace, command: Command, tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text("Heavy rainstorm: flood warning. " * 5, encoding="utf-8")
    asked = ("crawl", "score", file, "--json", "--workspace", empty.root)
    old, new = command(*asked, "--relevance", "density"), command(*asked, "--judge", "density")
    assert old.json == new.json and old.json["sigma"] == crawl_setup.THRESHOLDS["density"]
    assert "use --judge" in old.err and "deprecated" not in new.err
    assert command(*asked, "--relevance", "density", "--judge", "saturated").code == 2
    topic = ontocrawl.Topic("rainstorm", workspace=empty.root)
    with pytest.warns(DeprecationWarning, match="use judge"):
        scored = topic.score(file, relevance="density")
    assert scored == topic.score(file, judge="density")
    assert topic.score(file, threshold=1.0).relevant is False


def test_the_published_page_is_that_of_its_result() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "benchmarks"
    result = json.loads((folder / "judge.json").read_text(encoding="utf-8"))
    assert judge.page(result) == (folder / "judge.md").read_text(encoding="utf-8")
    assert (result["intercept"], tuple(result["weights"])) == (INTERCEPT, WEIGHTS)
    assert {row["web"] for row in result["rows"]} >= {"wikispeedia", "emergencies", "disciplines", "synthetic"}

"""Labs by the command: files, cache, failures, processes, kills, and labels that no strategy sees."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from crawler.crawl import Crawl
from crawler.fetching.fetch import Fetched
from crawler.journal import Journal
from crawler.model import Response
from crawler.pages.page import Extras, page_record
from crawler.strategies import STRATEGIES
from crawler.text import Matcher, Vocabulary, Word
from crawler.worlds.synthetic import CalibratedWorld
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.lab import crawling, loading, running, summaries, trace
from ontocrawl.lab.crawling import Webs
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.kept_pages import KeptPages, KeptWorld
from ontocrawl.lab.results import COLUMNS
from ontocrawl.lab.running import _Steering
from ontocrawl.lab.summaries import _printed_measures
from ontocrawl.lab.trace import ARRAYS
from ontocrawl.runs import crawl_setup, runs
from tests.ontocrawl.conftest import Command

SMALL = """
title = "Small 小"
fetches = 40
at = [20]
seeds = 2

[[worlds]]
name = "planted"
world = "synthetic:planted?pages=300"

[axes]
strategy = ["breadth_first", "best_first", "shark?gamma=0.5", "fcosa_g"]
ontology = ["none"]
"""
TIMES = {"choice_us", "seconds", "choice_us_at_dp"}


def rows(out: Path) -> list[dict[str, str]]:
    with (out / "results.csv").open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["metric"] not in TIMES]


def report(out: Path) -> list[str]:
    """Return the lines of report.md without its date and command, and without the times of choices."""
    lines, timed = [], False
    for line in (out / "report.md").read_text(encoding="utf-8").splitlines()[3:]:
        timed = line.startswith("|") and (timed or line.endswith("| choice us |"))
        lines.append(line.rpartition(" | ")[0] if timed else line)
    return lines


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_lab_writes_its_files_and_names_what_failed(command: Command, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    summary = command("lab", "run", small, "--out", out, "--jobs", "1", "--json").json
    assert summary["cells"] == 2 * 4 + 2
    assert [one["strategy"] for one in summary["failed"]] == ["fcosa_g"] * 2
    assert "GTK" in summary["failed"][0]["error"]
    values = rows(out)
    assert list(values[0]) == list(COLUMNS)
    found = {
        (row["strategy"], row["at"]): float(row["value"])
        for row in values
        if row["metric"] == "relevant_by_label" and row["seed"] == "0"
    }
    assert found["oracle", "40"] >= found["best_first", "40"] > found["breadth_first", "40"] > 0
    assert found["best_first", "20"] <= found["best_first", "40"] <= 40
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Small 小" in page
    _loads_nothing(page)
    assert "prefers-color-scheme: dark" in page and "@media print" in page
    pictures = {path.name: path.read_text(encoding="utf-8") for path in (out / "plots").iterdir()}
    assert pictures.keys() == {"cd-planted.svg", "harvest-planted-label.svg", "harvest-planted-judge.svg"}
    for name, svg in pictures.items():
        _loads_nothing(svg)
        assert ElementTree.fromstring(svg).find("{http://www.w3.org/2000/svg}style") is not None
        assert f"(plots/{name})" in (out / "report.md").read_text(encoding="utf-8")
    assert 'class="band s0"' in pictures["harvest-planted-label.svg"]
    for name in ("report.html", "report.md", "report.tex"):
        text = (out / name).read_text(encoding="utf-8")
        assert "GTK" in text or name == "report.tex"
        assert "best" in text
    assert (out / "lab.toml").read_text(encoding="utf-8") == SMALL


def _loads_nothing(page: str) -> None:
    """Check that a page or picture has no script, and names no address from which something could be loaded."""
    rest = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"<script|https?://|@import|\bsrc=|url\(|<link", rest, re.IGNORECASE)


@pytest.mark.slow
def test_the_report_has_both_judges_both_bases_and_superposition(command: Command, small: Path, tmp_path: Path) -> None:
    command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    tables = (tmp_path / "out" / "report.md").read_text(encoding="utf-8").split("\n\n")
    heads = {table.splitlines()[0] for table in tables if table.startswith("|")}
    assert "| system | 20 label | 20 judge | 40 label | 40 judge | DP at the last |" in heads
    assert "| system | DP 20 label | DP 20 judge | DP 40 label | DP 40 judge | requests at the last |" in heads
    assert "| system | 20 AR | 20 SD | 20 RC | 40 AR | 40 SD | 40 RC | DP at the last |" in heads
    effects = next(line for line in heads if "effect" in line)
    assert effects.endswith("| difference from best_first | effect | p (Wilcoxon, Holm) |")
    shared = next(table for table in tables if table.startswith("| system | 1 | 2 | 3 |")).splitlines()[2:]
    ratios = [[float(cell) for cell in line.strip("| ").split(" | ")[1:]] for line in shared]
    assert ratios == [list(column) for column in zip(*ratios, strict=True)]
    assert [ratios[i][i] for i in range(3)] == [1.0, 1.0, 1.0]
    assert all(0 < ratio < 1 for i in range(3) for ratio in ratios[i][:i])
    values = {
        (row["strategy"], row["metric"]): float(row["value"])
        for row in rows(tmp_path / "out")
        if row["at"] == "40" and row["seed"] == "1" and row["metric"].startswith("relevant_by")
    }
    main = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["worlds"][0]
    best = main["systems"][0]
    seeds = [
        float(row["value"])
        for row in rows(tmp_path / "out")
        if (row["strategy"], row["metric"], row["at"]) == (best["system"], "relevant_by_label", "40")
    ]
    assert best["means"][-1] == pytest.approx(sum(seeds) / 2)
    assert values[best["system"], "relevant_by_label"] > values["breadth_first", "relevant_by_label"]


@pytest.mark.slow
def test_two_processes_give_the_same_values_and_nothing_is_crawled_twice(
    command: Command, small: Path, tmp_path: Path
) -> None:
    command("lab", "run", small, "--out", tmp_path / "one", "--jobs", "1")
    command("lab", "run", small, "--out", tmp_path / "two", "--jobs", "2")
    assert rows(tmp_path / "one") == rows(tmp_path / "two")
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "one" / "cells").iterdir()}
    again = command("lab", "run", small, "--out", tmp_path / "one")
    assert "8 of 10 cells were there already" in again.err
    assert stamps == {path: path.stat().st_mtime_ns for path in (tmp_path / "one" / "cells").iterdir()}


@pytest.mark.slow
def test_a_lab_goes_on_from_finished_cells_in_another_folder(command: Command, small: Path, tmp_path: Path) -> None:
    file = tmp_path / "finished.jsonl.xz"
    none = command("lab", "run", small, "--out", tmp_path / "none", "--finished", file, "--minutes", "0")
    assert none.code == 0 and "crawls are left" in none.err and not (tmp_path / "none" / "cells").exists()
    assert "crawls for another sitting" in (tmp_path / "none" / "report.md").read_text(encoding="utf-8")
    command("lab", "run", small, "--out", tmp_path / "one", "--finished", file, "--jobs", "1")
    again = command("lab", "run", small, "--out", tmp_path / "two", "--finished", file, "--minutes", "0")
    assert "8 of 10 cells were there already" in again.err and not (tmp_path / "two" / "cells").exists()
    one, two = (
        (tmp_path / name / "report.md").read_text(encoding="utf-8").partition("## ")[2] for name in ("one", "two")
    )
    assert one == two
    other = command(
        "lab", "run", small, "--out", tmp_path / "other", "--finished", file, "--minutes", "0", "--fetches", "20"
    )
    assert "8 crawls of" in other.err and "are made again" in other.err


@pytest.mark.slow
def test_the_published_finished_cells_are_those_of_the_lab(command: Command, tmp_path: Path) -> None:
    file = shutil.copy(Path(__file__).parents[3] / "docs" / "labs" / "papers.jsonl.xz", tmp_path)
    asked = ("--only", "haiyan-001", "--minutes", "0", "--finished", file)
    found = command("lab", "run", "papers", "--out", tmp_path / "papers", *asked)
    assert found.code == 0 and "are left" not in found.err and "made again" not in found.err


def test_a_new_option_leaves_the_setup_of_a_cell_as_it_is(empty: Workspace) -> None:
    lab = loading.parsed(SMALL, "small")
    job = running._job_of(lab, next(lab.cells()), _Steering(lab, empty), empty)
    assert "user_agent" not in running._content(job)["config"]["crawl"]
    other = job.config.model_copy(update={"crawl": job.config.crawl.model_copy(update={"delay": 2.0})})
    setups = [running._setup_of(one, ([10], []), empty) for one in (job, replace(job, config=other))]
    assert setups[0] != setups[1]


def test_the_setup_of_a_cell_is_the_same_in_every_folder(
    empty: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = loading.parsed(SMALL, "small")
    job = running._job_of(lab, next(lab.cells()), _Steering(lab, empty), empty)
    monkeypatch.chdir(tmp_path)
    found = []
    for name in ("one", "two"):
        file = tmp_path / name / "classifiers" / "c" / "classifier.json"
        config = job.config.model_copy(update={"parameters": {"classifier": str(file)}})
        found.append(running._setup_of(replace(job, config=config), ([10], []), replace(empty, root=Path(name))))
    assert found[0] == found[1] != running._setup_of(job, ([10], []), empty)


@pytest.mark.slow
def test_cells_of_an_earlier_program_are_named_and_crawled_again_on_demand(
    command: Command, small: Path, tmp_path: Path
) -> None:
    file = tmp_path / "finished.jsonl.xz"
    command("lab", "run", small, "--out", tmp_path / "one", "--finished", file, "--jobs", "1")
    rows = [replace(row, program="earlier") for row in summaries.read(file).values()]
    summaries.write(file, rows)
    found = command("lab", "run", small, "--out", tmp_path / "two", "--finished", file, "--jobs", "1")
    assert "8 cells were crawled by an earlier program" in found.err
    assert "8 by earlier" in (tmp_path / "two" / "report.md").read_text(encoding="utf-8")
    assert {row.program for row in summaries.read(file).values()} == {"earlier"}
    command("lab", "run", small, "--out", tmp_path / "two", "--finished", file, "--jobs", "1", "--again")
    assert "earlier" not in {row.program for row in summaries.read(file).values()}
    refused = command("lab", "run", small, "--out", tmp_path / "two", "--again")
    assert refused.code == 2 and "--finished" in refused.err


@pytest.mark.slow
def test_a_damaged_cell_is_crawled_again(command: Command, small: Path, tmp_path: Path) -> None:
    command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    before = rows(tmp_path / "out")
    damaged = min((tmp_path / "out" / "cells").iterdir())
    damaged.write_bytes(damaged.read_bytes()[:100])
    again = command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    assert "7 of 10 cells were there already" in again.err
    assert rows(tmp_path / "out") == before


def test_a_cell_with_a_wrong_byte_anywhere_ends_no_lab(empty: Workspace, tmp_path: Path) -> None:
    lab = loading.parsed(SMALL, "small")
    cell = next(lab.cells())
    found = crawling.run(running._job_of(lab, cell, _Steering(lab, empty), empty), Webs())
    path = tmp_path / "cell.npz"
    trace.write(path, found)
    whole = path.read_bytes()
    for place in range(0, len(whole) - 30, 7):
        path.write_bytes(whole[:place] + bytes(byte ^ 0xFF for byte in whole[place : place + 30]) + whole[place + 30 :])
        known = running._known(path)
        assert path.exists() == (known is not None)
        assert known is None or all(np.array_equal(getattr(known, a), getattr(found, a)) for a in ARRAYS)


@pytest.mark.slow
def test_labels_that_match_no_page_are_named(command: Command, small: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text('{"a": ["http://nowhere.example/"]}', encoding="utf-8")
    small.write_text(SMALL.replace("[axes]", 'labels = "labels.json#a"\n\n[axes]'), encoding="utf-8")
    result = command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    said = "world planted: no labelled page can be reached (seeds 0, 1)"
    assert said in result.err
    assert said in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    told = command("--lang", "zh", "lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    assert "网络 planted：无法到达任何已标注的网页（种子 0, 1）" in told.err


@pytest.mark.slow
def test_a_lab_without_a_crawl_is_an_error(command: Command, small: Path, tmp_path: Path) -> None:
    text = SMALL.replace('["breadth_first", "best_first", "shark?gamma=0.5", "fcosa_g"]', '["fcosa_g"]')
    small.write_text(text, encoding="utf-8")
    result = command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    assert result.code == 1
    assert "GTK" in result.err and "no crawl of the lab" in result.err


@pytest.mark.slow
def test_another_setting_is_another_cell(command: Command, small: Path, tmp_path: Path) -> None:
    command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    small.write_text(SMALL.replace("gamma=0.5", "gamma=0.4"), encoding="utf-8")
    again = command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    assert "6 of 10 cells were there already" in again.err


def _wait_until_the_group_is_empty(group: int) -> None:
    """The processes of a lab end by themselves when the one that the user started was killed."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    pytest.fail("a process of the killed lab is still there")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_lab_goes_on_with_what_is_missing(command: Command, small: Path, tmp_path: Path, jobs: str) -> None:
    small.write_text(SMALL.replace("seeds = 2", "seeds = 4").replace("fetches = 40", "fetches = 150"), encoding="utf-8")
    out, cells = tmp_path / "out", tmp_path / "out" / "cells"
    arguments = [sys.executable, "-m", "ontocrawl", "lab", "run", str(small), "--out", str(out), "--jobs", jobs]
    process = subprocess.Popen(arguments, start_new_session=True, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(list(cells.glob("*.npz"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    _wait_until_the_group_is_empty(process.pid)
    kept = {path: path.stat().st_mtime_ns for path in cells.glob("*.npz")}
    assert 3 <= len(kept) < 16
    assert not (out / "results.csv").exists()
    command("lab", "run", small, "--out", out, "--jobs", "1")
    assert kept == {path: path.stat().st_mtime_ns for path in kept}
    command("lab", "run", small, "--out", tmp_path / "whole", "--jobs", "1")
    assert rows(out) == rows(tmp_path / "whole")
    assert report(out) == report(tmp_path / "whole")
    for plot in sorted((tmp_path / "whole" / "plots").iterdir()):
        assert (out / "plots" / plot.name).read_bytes() == plot.read_bytes()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('strategy = ["breadth_first",', 'stratgy = ["breadth_first",'), "strategy"),
        (("seeds = 2", "seeds = 0"), "seeds"),
        (("seeds = 2", 'seeds = 2\nbaseline = "best_frist"'), "'best_frist' is not in the axis strategy"),
        (("[axes]", '[axes]\ncolour = ["red"]'), "no axis 'colour'"),
        (('"none"', '"unknown"'), "no ontology 'unknown'"),
        (('synthetic:planted?pages=300"', 'live"'), "cannot be repeated"),
        (('synthetic:planted?pages=300"', 'corpus:nowhere"'), "does not exist"),
        (("seeds = 2", "seeds = "), "is not TOML"),
        (("[[worlds]]", "[[worlds]]\ncolour = 1"), "colour"),
        (("[[worlds]]", "[[worlds]]\nsettings = { treshold = 0.6 }"), "did you mean 'threshold'"),
        (("[[worlds]]", "[[worlds]]\nsettings = { threshold = 6 }"), "less than or equal to 1"),
        (("[[worlds]]", "[[worlds]]\nsettings = { limit_pages = 6 }"), "no setting 'limit_pages'"),
        (
            ("[axes]", "settings = { target = 'oracle' }\n\n[axes]\ntarget = ['predict']"),
            "'target' is an axis and a setting of world planted",
        ),
    ],
)
def test_an_invalid_lab_is_refused(
    command: Command, small: Path, tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    small.write_text(SMALL.replace(*change), encoding="utf-8")
    result = command("lab", "run", small, "--out", tmp_path / "out")
    assert result.code == 2
    assert said in result.err and "Value error" not in result.err and "found {" not in result.err
    assert not (tmp_path / "out").exists()


def test_an_invalid_lab_is_refused_in_chinese(command: Command, small: Path, tmp_path: Path) -> None:
    small.write_text(SMALL.replace("seeds = 2", 'seeds = 2\nbaseline = "best_frist"'), encoding="utf-8")
    told = command("--lang", "zh", "lab", "run", small, "--out", tmp_path / "out").err
    assert told == f"ontocrawl: {small}：baseline：轴 strategy 中没有 'best_frist'\n"


@pytest.mark.slow
def test_a_world_has_settings_of_its_own(command: Command, small: Path, tmp_path: Path) -> None:
    again = (
        '[[worlds]]\nname = "lower"\nworld = "synthetic:planted?pages=300"\nsettings = { threshold = 0.3 }\n\n[axes]'
    )
    text = SMALL.replace("[axes]", again).replace("seeds = 2", "seeds = 1")
    small.write_text(text, encoding="utf-8")
    command("lab", "run", small, "--out", tmp_path / "out", "--jobs", "1")
    found = {
        (row["world"], row["metric"]): float(row["value"])
        for row in rows(tmp_path / "out")
        if row["strategy"] == "breadth_first" and row["at"] == "40"
    }
    assert found["lower", "relevant_by_judge"] > found["planted", "relevant_by_judge"]
    assert found["lower", "relevant_by_label"] == found["planted", "relevant_by_label"]
    assert found["lower", "ar"] == found["planted", "ar"]


def test_an_unknown_lab_is_refused_with_the_known_ones(command: Command, tmp_path: Path) -> None:
    result = command("lab", "run", "quik", "--out", tmp_path / "out")
    assert result.code == 2
    assert "quick" in result.err


def test_shipped_labs_are_valid_and_listed(command: Command) -> None:
    listed = {one["lab"]: one for one in command("lab", "list", "--json").json}
    assert {"quick", "hard", "wikispeedia", "papers"} <= listed.keys()
    for name, text in loading.shipped().items():
        lab = loading.parsed(text, name)
        assert {cell.strategy.partition("?")[0] for cell in lab.cells()} <= STRATEGIES.keys(), name


def test_a_crawl_sees_answers_only() -> None:
    from crawler.worlds import SyntheticWorld

    world = KeptWorld(KeptPages(SyntheticWorld("planted", 300)))
    shown = {name for name in dir(world) if not name.startswith("_")}
    assert shown == {"name", "fetch", "close", "requests"}


def _traces(lab: Lab, where: Workspace, strategy: str) -> list[crawling.Trace]:
    cell = next(cell for cell in lab.cells() if cell.strategy == strategy)
    return [crawling.run(running._job_of(lab, cell, _Steering(lab, where), where), Webs())]


CHEAT = """
from crawler.strategies.best_first import BestFirst
import json, os
from pathlib import Path

class Cheat(BestFirst):
    name = "cheat"
    def choose(self, view, rng, n):
        labels = len(json.loads(Path(os.environ["CHEAT"]).read_text())["x"])
        return super().choose(view, rng, n if labels > 1 else 0)
"""


def _pages_by_labels(tmp_path: Path, where: Workspace, strategy: str, labels: list[str]) -> list[int]:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps({"x": labels}), encoding="utf-8")
    text = {
        "title": "leaks", "fetches": 30, "seeds": 1, "axes": {"strategy": [strategy], "ontology": ["none"]},
        "worlds": [{"name": "w", "world": "synthetic:planted?pages=300", "labels": f"{file}#x"}],
    }  # fmt: skip
    [trace] = _traces(Lab.model_validate(text), where, strategy)
    return [int(page) for page in trace.pages]


WITHOUT_ONTOLOGY = [name for name, cls in STRATEGIES.items() if set(cls.vocabularies) <= {"TK"}]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", WITHOUT_ONTOLOGY)
def test_other_labels_change_no_crawl(tmp_path: Path, empty: Workspace, strategy: str) -> None:
    from crawler.worlds import SyntheticWorld

    world = SyntheticWorld("planted", 300)
    right = list(world.relevant_urls())
    wrong = [url for url in world.labels() if url not in set(right)][:1]
    assert _pages_by_labels(tmp_path, empty, strategy, right) == _pages_by_labels(tmp_path, empty, strategy, wrong)


def test_a_strategy_that_reads_labels_is_found_by_this(
    tmp_path: Path, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHEAT", str(tmp_path / "labels.json"))
    (tmp_path / "cheat.py").write_text(CHEAT, encoding="utf-8")
    name = f"{tmp_path / 'cheat.py'}:Cheat"
    many, one = ["http://a.example/", "http://b.example/"], ["http://a.example/"]
    assert _pages_by_labels(tmp_path, empty, name, many) != _pages_by_labels(tmp_path, empty, name, one)


def test_labels_are_read_after_the_crawl(tmp_path: Path, empty: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    fetch, seen = KeptWorld.fetch, crawl_setup.labels_seen
    monkeypatch.setattr(KeptWorld, "fetch", lambda world, url: order.append("fetch") or fetch(world, url))
    monkeypatch.setattr(crawl_setup, "labels_seen", lambda *given: order.append("labels") or seen(*given))
    _pages_by_labels(tmp_path, empty, "best_first", ["http://a.example/"])
    assert order.count("labels") == 1
    assert order[-1] == "labels"


def test_the_cache_knows_labels_and_program(tmp_path: Path, empty: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = Lab.model_validate(tomllib.loads(SMALL))
    cell = next(lab.cells())
    job = running._job_of(lab, cell, _Steering(lab, empty), empty)
    key = running._key_of(job)
    assert key == running._key_of(job)
    asked = list[str]()

    def another(strategy: str) -> str:
        asked.append(strategy)
        return "another"

    monkeypatch.setattr(running, "program", another)
    assert running._key_of(job) != key
    assert asked == [job.config.strategy] and job.config.strategy_file is None
    assert asked != [job.config.crawl.strategy], "the setting of the workspace is not what is crawled"
    assert job.config.crawl.strict_filter, "labs crawl as the papers do"


def test_a_lab_without_seeds_on_a_corpus_fails_its_cells(empty: Workspace, tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text('{"name": "a", "title": "a", "text": "rain"}\n', encoding="utf-8")
    text = {
        "title": "x", "fetches": 5, "seeds": 1, "axes": {"strategy": ["best_first"], "ontology": ["none"]},
        "worlds": [{"name": "w", "world": f"corpus:{tmp_path}"}],
    }  # fmt: skip
    with pytest.raises(UsageError, match="starts"):
        _traces(Lab.model_validate(text), empty, "best_first")
    misspelt = {**text, "worlds": [{"name": "w", "world": f"corpus:{tmp_path}", "starts": ["A"]}]}
    with pytest.raises(UsageError, match="has no page http://corpus/A"):
        _traces(Lab.model_validate(misspelt), empty, "best_first")


def test_a_crawl_makes_no_more_requests_than_its_budget(empty: Workspace) -> None:
    lab = Lab.model_validate(tomllib.loads(SMALL))
    [trace] = _traces(lab, empty, "best_first")
    assert trace.facts["requests"] <= 40
    assert len(trace) <= 40
    assert np.all(np.diff(trace.requests) > 0)


@pytest.mark.slow
def test_a_lab_can_be_run_smaller(command: Command, small: Path, tmp_path: Path) -> None:
    command("lab", "run", small, "--out", tmp_path / "out", "--fetches", "10", "--seeds", "1", "--jobs", "1")
    assert {(row["seed"], row["at"]) for row in rows(tmp_path / "out")} == {("0", "10")}


WALK = ("wang_landau", "planted?pages=300&seed=0")


def _walk(where: Workspace, target: str) -> crawling.Trace:
    """A crawl by Wang-Landau sampling of 20 pages."""
    strategy, web = WALK
    text = {
        "title": "walk", "fetches": 20, "seeds": 1, "axes": {"strategy": [strategy], "target": [target]},
        "worlds": [{"name": "w", "world": f"synthetic:{web}"}],
    }  # fmt: skip
    lab = Lab.model_validate(text)
    job = running._job_of(lab, next(lab.cells()), _Steering(lab, where), where)
    return crawling.run(replace(job, requests=10_000), Webs())


@pytest.mark.slow
def test_the_printed_count_of_wang_landau_is_that_of_admitted_links(command: Command, empty: Workspace) -> None:
    trace = _walk(empty, "oracle")
    printed, fetched = trace.printed, trace
    assert printed is not None
    strategy, web = WALK
    run = ("--strategy", strategy, "--world", f"synthetic:{web}", "--target", "oracle", "--guide", "published")
    command("crawl", "run", *run, "--limit-pages", "20", "--run", "walk", "--no-graph", "--workspace", empty.root)
    with runs.open_journal(empty, "walk") as journal:
        query = (
            "SELECT DISTINCT u.final_url FROM link l JOIN page u ON u.link = l.target JOIN event e ON e.seq = u.seq "
        )
        looked = journal.query(query + "WHERE l.reason = 'admitted' AND e.kind = 'look' AND u.failure IS NULL")
        admitted = {crawling.hash_of(url) for (url,) in looked}
    assert set(printed.pages.tolist()) == admitted
    assert len(printed) == len(admitted) > len(fetched)
    R = dict(zip(fetched.pages.tolist(), fetched.R.tolist(), strict=True))
    both = zip(printed.pages.tolist(), printed.R.tolist(), strict=True)
    again = [(R[page], value) for page, value in both if page in R]
    assert len(again) > 5
    assert all(one == pytest.approx(other) for one, other in again)
    assert np.all(np.diff(printed.requests) >= 0)
    assert np.all(printed.judged == (printed.R > 0.7))
    assert _printed_measures(trace, 30)["dp"] == 30
    assert _printed_measures(trace, 30)["relevant_by_judge"] == int(printed.judged[:30].sum())


@pytest.mark.slow
def test_a_predicted_look_ahead_has_no_printed_count(empty: Workspace) -> None:
    trace = _walk(empty, "predict")
    assert trace.printed is None
    assert set(_printed_measures(trace, 10).values()) == {None}


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"target": "oracle"}])
def test_a_crawl_without_a_journal_has_the_trace_of_one_with_it(
    empty: Workspace, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]
) -> None:
    lab = Lab.model_validate(tomllib.loads(SMALL.replace("breadth_first", "wang_landau")))
    cell = replace(next(lab.cells()), settings=tuple(settings.items()))
    job = running._job_of(lab, cell, _Steering(lab, empty), empty)
    brief = crawling.run(job, Webs())
    monkeypatch.setattr(crawling, "BriefJournal", Journal)
    monkeypatch.setattr(crawling, "BriefCrawl", Crawl)
    whole = crawling.run(job, Webs())
    for name in ARRAYS:
        assert getattr(brief, name).tolist() == getattr(whole, name).tolist(), name
    assert brief.facts["stop"] == whole.facts["stop"]


def test_kept_pages_are_the_pages_and_few_are_kept() -> None:
    world = CalibratedWorld("rainstorm", 1000)
    pages = KeptPages(world, most=2)
    matcher = Matcher(
        [Vocabulary("TK", (Word("雨", 1.0, (("zh", "雨"), ("en", "rain"))), Word("x", 1.0, (("en", "x"),))))]
    )
    urls, words = world.relevant_urls()[:3], 0
    classified = Extras(classify=lambda segments: f"{len(segments)} segments")
    for url, extras in product([*urls, *urls, urls[2]], (Extras(), classified)):
        answer = pages.response(url)
        assert isinstance(answer, Response)
        kept = pages.record("words", url, Fetched(answer, url, ()), matcher, extras)
        made = page_record(url, Fetched(answer, url, ()), matcher, extras)
        assert replace(kept, counts={}) == replace(made, counts={})
        assert kept.counts["TK"].dtype == made.counts["TK"].dtype
        assert kept.counts["TK"].tolist() == made.counts["TK"].tolist()
        words += int(kept.counts["TK"].sum())
    assert len(pages._records) == len(pages._responses) == 2
    assert words > 0


def test_a_pool_whose_process_was_killed_fails_its_cells(empty: Workspace, tmp_path: Path) -> None:
    lab = Lab.model_validate(tomllib.loads(SMALL))
    cell = next(lab.cells())
    job = running._job_of(lab, cell, _Steering(lab, empty), empty)
    with ProcessPoolExecutor(1) as pool:
        with pytest.raises(BrokenExecutor):
            pool.submit(os._exit, 1).result()
        failed = running._submitted(pool, job, tmp_path / "x.npz")
    assert isinstance(failed.exception(), BrokenExecutor)
    assert running._outcome(cell, running._result(failed), ([10], [])).found is None
    assert not running._outcome(cell, running._result(failed), ([10], [])).expected


@pytest.mark.slow
def test_the_quick_lab_takes_less_than_three_minutes(command: Command, tmp_path: Path) -> None:
    began = time.process_time()
    summary = command("lab", "run", "quick", "--out", tmp_path / "quick", "--jobs", "1", "--json").json
    assert time.process_time() - began < 180
    assert summary["failed"] == []
    _loads_nothing((tmp_path / "quick" / "report.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"best_first"', '"best_frist"', "no strategy is called 'best_frist'; did you mean best_first?"),
        ('"best_first"', '"best_first?depth=3"', "has no parameter 'depth'"),
        ("gamma=0.5", "gamma=-1", "gamma"),
        ('ontology = ["none"]', 'guide = ["denisty"]', "did you mean density?"),
        ("fetches = 40", "fetches = 10", "at = 20 is above fetches = 10"),
    ],
)
def test_wrong_names_are_found_before_a_crawl(command: Command, small: Path, old: str, new: str, says: str) -> None:
    small.write_text(SMALL.replace(old, new), encoding="utf-8")
    result = command("lab", "run", small, "--out", small.parent / "out")
    assert result.code == 2
    assert says in result.err
    assert not (small.parent / "out" / "cells").exists()

"""Ontologies of a lab: what steers a cell, which cells there are, and what an ontology adds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.lab import definition, loading, ontology_comparison, own_comparison, results, running
from ontocrawl.lab.definition import Cell, Lab
from ontocrawl.lab.lab_ontologies import name_and_settings
from ontocrawl.lab.running import Outcome, _Steering
from ontocrawl.lab.summaries import summary
from ontocrawl.lab.trace import Trace
from ontocrawl.runs.run_config import RunConfig
from tests.ontocrawl.conftest import Command
from tools import ontologies_lab, own_lab

LAB = """
title = "With and without"
fetches = 40
at = [20]
seeds = 2

[compare]
own = "shark"

[[worlds]]
name = "one"
world = "synthetic:planted?pages=300"

[[worlds]]
name = "two"
world = "synthetic:tangled?pages=300"

[axes]
strategy = ["shark", "best_first", "fcosa_g"]
guide = ["saturated"]
ontology = ["none", "curated", "curated?join=0.5"]

[[leave_out]]
strategy = ["shark", "best_first"]
ontology = ["curated"]

[[leave_out]]
strategy = ["fcosa_g"]
ontology = ["none", "curated?join=0.5"]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written = tmp_path / "lab.toml"
    written.write_text(LAB, encoding="utf-8")
    return written


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


def config_of(lab: Lab, space: Workspace, cell: Cell) -> RunConfig:
    return running._job_of(lab, cell, _Steering(lab, space), space).config


def test_an_ontology_has_settings_behind_its_name() -> None:
    assert name_and_settings("learned?join=0.5&weights=key") == ("learned", {"join": "0.5", "weights": "key"})
    assert name_and_settings("none") == ("none", {})


def test_combinations_that_are_left_out_are_no_cells(path: Path) -> None:
    lab = loading.load(str(path))[0]
    found = [(cell.strategy, cell.ontology) for cell in lab.cells() if cell.world == "one" and cell.seed == 0]
    assert found == [
        ("shark", "none"), ("shark", "curated?join=0.5"), ("best_first", "none"), ("best_first", "curated?join=0.5"),
        ("fcosa_g", "curated"),
    ]  # fmt: skip


@pytest.mark.slow
def test_the_words_of_a_joined_ontology_steer(path: Path, empty: Workspace) -> None:
    lab = loading.load(str(path))[0]
    shark = [config_of(lab, empty, cell) for cell in lab.cells() if cell.strategy == "shark"][:2]
    words, joined = (config.vocabularies["TK"].words for config in shark)
    more = [word for word in joined if word.label not in {one.label for one in words}]
    assert [config.crawl.join for config in shark] == [0.0, 0.5]
    assert len(joined) > len(words) == 5
    assert more and max(word.weight for word in more) <= 0.5


@pytest.mark.slow
def test_an_ontology_of_others_is_converted_once(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    empty = workspace.init(Path("ws"))  # as a lab has it whose folder of results is relative
    foreign = tmp_path / "hail.obo"
    foreign.write_text(
        "format-version: 1.2\nontology: hail\n\n[Term]\nid: H:1\nname: precipitation\n\n"
        "[Term]\nid: H:2\nname: graupel\nis_a: H:1\n\n[Term]\nid: H:3\nis_a: H:1\n",
        encoding="utf-8",
    )
    text = LAB.replace('"curated?join=0.5"', '"foreign?join=0.5"') + '\n[ontologies.foreign]\nfile = "hail.obo"\n'
    path.write_text(text, encoding="utf-8")
    lab = loading.load(str(path))[0]
    cell = next(cell for cell in lab.cells() if cell.ontology.startswith("foreign"))
    words = [word.label for word in config_of(lab, empty, cell).vocabularies["TK"].words]
    assert {"precipitation", "graupel"} <= set(words)
    assert not any("H_3" in word for word in words)  # it has no label, so no text can name it
    (written,) = (empty.root / "converted").iterdir()
    before = written.stat().st_mtime_ns
    config_of(lab, empty, cell)
    assert written.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"curated?join=0.5"]', '"curated?joins=0.5"]'), "no setting 'joins' of an ontology; did you mean 'join'"),
        (('"curated?join=0.5"]', '"curated?join=2"]'), "join"),
        (('"curated?join=0.5"]', '"none?join=0.5"]'), "sets join of no ontology"),
        (('"curated?join=0.5"]', '"sweet?join=0.5"]'), "no ontology 'sweet'"),
        (("[axes]", "[axes]\njoin = [0.25]"), "'join' is an axis and a setting of the ontology curated"),
        (('strategy = ["fcosa_g"]\n', 'strategy = ["fcosa"]\n'), "leave_out: 'fcosa' is not in the axis strategy"),
        (("[axes]", "[ontologies.both]\ntopic = 'typhoon'\nfile = 'a.obo'\n[axes]"), "one of `topic`"),
    ],
)
def test_a_wrong_ontology_is_an_error(path: Path, change: tuple[str, str], said: str) -> None:
    assert change[0] in LAB
    path.write_text(LAB.replace(*change), encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        loading.load(str(path))


def test_a_lab_can_be_run_on_some_of_its_worlds(ten: Lab) -> None:
    smaller = definition.smaller(ten, None, None, ["two"])
    assert {cell.world for cell in smaller.cells()} == {"two"}
    with pytest.raises(UsageError, match="no world 'three'"):
        definition.smaller(ten, None, None, ["two", "three"])


# ---- what an ontology adds --------------------------------------------------------------------------------------

FOUND = {("shark", "none"): 3, ("shark", "curated?join=0.5"): 4, ("best_first", "none"): 3, ("fcosa_g", "curated"): 1}
"""Labelled pages that a crawler finds within ten requests from the first start; from the second one more."""


def outcomes_of(lab: Lab) -> list[Outcome]:
    """Return crawls as in `FOUND`, of webs with ten labelled pages; on the web `two` an ontology adds nothing."""
    found = []
    for cell in lab.cells():
        n = FOUND.get((cell.strategy, cell.ontology), 2) + cell.seed
        n -= cell.world == "two" and cell.ontology == "curated?join=0.5" and cell.strategy == "shark"
        facts = {"targets": 10, "requests": 10, "stop": "", "seconds": 0.0, "choice_us": 0.0, "counts": "fetched"}
        trace = Trace(
            np.arange(1, 11), np.zeros(10), np.zeros(10, dtype=np.bool_), np.arange(10) < n,
            np.full(10, -1), np.arange(10, dtype=np.uint64), facts,
        )  # fmt: skip
        found.append(Outcome(cell, summary(trace, lab.milestones_of(cell.world))))
    return found


@pytest.fixture
def ten(path: Path) -> Lab:
    return definition.smaller(loading.load(str(path))[0], 10, None)


def test_gains_are_paired_and_their_intervals_are_over_webs(ten: Lab) -> None:
    outcomes = outcomes_of(ten)
    at = results.compare(ten, results.measured(outcomes), own_comparison.METRIC, 10)
    systems = {results.label_of(ten, cell): cell for cell in ten.cells()}
    most = own_comparison.targets(outcomes)
    gains = {one.system: one for one in ontology_comparison._with_and_without(at, systems, most)}
    assert set(gains) == {"shark, curated?join=0.5", "best_first, curated?join=0.5"}
    shark = gains["shark, curated?join=0.5"]
    assert shark.more.tolist() == [40, 50, 30, 40]
    assert shark.by_web() == {"one": 10.0, "two": 0.0}
    assert shark.interval() == own_comparison.interval(shark.difference, ["one", "one", "two", "two"])
    assert gains["best_first, curated?join=0.5"].interval() == (-10.0, -10.0)
    others = {one.system: one for one in ontology_comparison._against_words(at, systems, most, "shark")}
    assert set(others) == {"best_first, curated?join=0.5", "fcosa_g, curated"}
    assert others["fcosa_g, curated"].difference.tolist() == [20, 20, 20, 20]


def test_own_has_the_first_ontology_against_the_best_of_the_others(ten: Lab) -> None:
    outcomes = outcomes_of(ten)
    at = [results.compare(ten, results.measured(outcomes), own_comparison.METRIC, 10)]
    most = own_comparison.targets(outcomes)
    (one,) = own_comparison._against(ten, "shark", at, "saturated", most, any_guide=False)
    assert one.best == "best_first, none"
    assert one.difference.tolist() == [0, 0, 0, 0]


@pytest.mark.slow
def test_the_report_says_what_an_ontology_adds(command: Command, path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    summary = command("lab", "run", path, "--out", out, "--jobs", "1", "--seeds", "1", "--json").json
    assert summary["failed"] == []
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "## With and without an ontology" in report
    found = json.loads((out / "summary.json").read_text(encoding="utf-8"))["ontology"]
    assert [row[0] for row in found["rows"]] == ["shark, curated?join=0.5", "best_first, curated?join=0.5"]
    assert all(line in report for line in found["told"])
    assert f"| {' | '.join(found['rows'][0])} |" in report


# ---- the lab `ontologies` ---------------------------------------------------------------------------------------


def test_the_lab_has_each_strategy_that_needs_an_ontology_and_own_with_and_without() -> None:
    lab = loading.parsed(loading.shipped()["ontologies"], "ontologies")
    cells = {(cell.strategy, cell.ontology) for cell in lab.cells()}
    for name in own_lab.need_ontology():
        assert {ontology for strategy, ontology in cells if strategy == name} == {"curated", "learned"}
    mine = {ontology for strategy, ontology in cells if strategy == own_lab.OWN}
    assert mine == set(ontologies_lab.ontologies()) - {"curated", "learned"}
    assert {world.topic for world in lab.worlds} == {"rainstorm", "typhoon"}


@pytest.mark.slow
def test_the_lab_is_what_its_generator_writes() -> None:
    data = own_lab.ROOT / ".." / "shared" / "data"
    if not (data / "wikispeedia").is_dir():
        pytest.skip("needs the data set wikispeedia in ../shared/data")
    assert ontologies_lab.main(["--check"]) == 0

"""Folders of fields in a lab: what the worlds are, what steers, and recall with differences in the report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ontocrawl.base import workspace
from ontocrawl.errors import UsageError
from ontocrawl.lab import definition, loading, own_comparison, references, results, running
from ontocrawl.lab.definition import Cell, Lab
from ontocrawl.lab.running import Outcome, _Steering
from ontocrawl.lab.summaries import summary
from ontocrawl.lab.trace import Trace
from tests.ontocrawl.conftest import Command

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "ontocrawl" / "sample" / "abstracts.txt"
RAIN = "连日暴雨引发洪水和内涝，水位超过警戒线，气象部门发布暴雨预警，群众转移避险，防汛抢险队伍连夜加固堤防。"
OTHER = "博物馆展出绘画、家具和乐器，周末有音乐会，门票在网上预订，孩子们在草坪上画画。"


def write_fields(folder: Path, names: tuple[str, ...] = ("rain", "water")) -> Path:
    """Write a web of 30 pages, of which every third one is on rain, and a folder of fields beside it."""
    web, fields = folder / "web", folder / "fields"
    web.mkdir()
    fields.mkdir()
    pages = [
        {
            "name": f"p{n}",
            "title": f"Page {n}",
            "text": RAIN if n % 3 == 0 else OTHER,
            "outlinks": [f"p{(n * k + 1) % 30}" for k in (1, 2, 7)] + [f"p{(n + 3) % 30}"],
        }
        for n in range(30)
    ]
    (web / "pages.jsonl").write_text("\n".join(map(json.dumps, pages)), encoding="utf-8")
    labels = {"wet": [f"p{n}" for n in range(0, 30, 3)]}
    (fields / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    of_field = {
        "label": {"zh": "暴雨灾害"},
        "abstracts": str(SAMPLE),
        "labels": "wet",
        "starts": ["p0", "p1"],
        "hand": {"暴雨": 1.0, "洪水": 0.9, "抢险队": 0.5},
    }
    written = {"web": "../web", **dict.fromkeys(names, of_field)}
    (fields / "fields.json").write_text(json.dumps(written), encoding="utf-8")
    return fields


@pytest.fixture
def fields(tmp_path: Path) -> Path:
    return write_fields(tmp_path)


@pytest.fixture
def claim(fields: Path) -> Lab:
    """The shipped lab on the folder, with few requests."""
    return definition.smaller(loading.load("claim", fields=[fields])[0], 10, None)


def words_of(lab: Lab, tmp_path: Path, ontology: str) -> dict[str, float]:
    """Return the words that steer the first world by an ontology of the lab."""
    topic = _Steering(lab, workspace.init(tmp_path / "ws")).topic("rain", ontology)
    return {word.label: word.weight for word in topic.vocabulary.words}


def test_a_world_is_made_of_each_field(claim: Lab, fields: Path) -> None:
    rain, water = claim.worlds
    assert (rain.name, rain.topic, rain.group, water.name) == ("rain", "rain", "fields", "water")
    assert rain.world == f"corpus:{fields.parent / 'web'}"
    assert rain.labels == f"{fields / 'labels.json'}#wet"
    assert [rain.start(seed) for seed in range(2)] == [("p0",), ("p1",)]
    assert rain.field is not None and rain.field.abstracts == str(SAMPLE)


def test_the_words_of_a_field_that_are_not_learned(claim: Lab, tmp_path: Path) -> None:
    steering = _Steering(claim, workspace.init(tmp_path / "ws"))
    of = {
        name: {word.label: word.weight for word in steering.topic("rain", name).vocabulary.words}
        for name in ("name", "none", "hand", "tf_idf")
    }
    assert of["name"] == of["none"] == {"暴雨灾害": 1.0, "暴雨": 1.0, "灾害": 1.0}
    assert of["hand"] == {"暴雨": 1.0, "洪水": 0.9, "抢险队": 0.5}
    assert max(of["tf_idf"].values()) == 1.0 and "预警" in of["tf_idf"]
    assert not {"进行", "以及", "通过"} & of["tf_idf"].keys()
    assert len(of["tf_idf"]) == 20


@pytest.mark.slow
def test_a_field_is_learned_once_and_not_beside_what_was_learned_before(claim: Lab, tmp_path: Path) -> None:
    notes: list[str] = []
    steering = _Steering(claim, workspace.init(tmp_path / "ws"), notes.append)
    learned = {word.word: word for word in steering.topic("rain", "learned").words}
    typed = {word.word: word for word in steering.topic("rain", "learned_five").words}
    assert learned["预警"].source == "corpus" and learned["暴雨灾害"].source == "label"
    assert typed["抢险队"].weight > 0 and "抢险队" not in learned
    assert learned["预警"].o == typed["预警"].o, "the first build is no other field of the second one"
    assert sum("learning from abstracts.txt" in note for note in notes) == 2
    again = _Steering(claim, steering.space, notes.append)
    assert {word.word: word for word in again.topic("rain", "learned").words} == learned
    assert sum("learning from abstracts.txt" in note for note in notes) == 2


def test_a_field_may_be_a_part_of_a_file(claim: Lab, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    rows = [{"title": f"T{n}", "abstract": RAIN, "discipline": ("rain", "art", "snow")[n % 3]} for n in range(6)]
    records.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    steering = _Steering(claim, workspace.init(tmp_path / "ws"))
    assert claim.worlds[0].field is not None
    of = claim.worlds[0].field.model_copy(update={"abstracts": str(records), "where": {"discipline": ("rain", "snow")}})
    found = steering._records(of).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["title"] for line in found] == ["T0", "T2", "T3", "T5"]
    with pytest.raises(UsageError, match="has no record where"):
        steering._records(of.model_copy(update={"where": {"discipline": ("fire",)}}))


@pytest.mark.slow
def test_what_is_learned_has_the_guide_of_its_table(claim: Lab, tmp_path: Path) -> None:
    steering = _Steering(claim, workspace.init(tmp_path / "ws"))
    guides = {
        cell.ontology: running._job_of(claim, cell, steering, steering.space).config.crawl.guide
        for cell in claim.cells()
        if cell.ontology in ("learned", "hand")
    }
    assert guides == {"learned": "word_density", "hand": "density"}


def test_words_of_a_field_need_a_field(tmp_path: Path) -> None:
    text = (
        'title = "x"\n[[worlds]]\nname = "a"\nworld = "synthetic:planted?pages=60"\n[axes]\nstrategy = ["best_first"]\n'
        'ontology = ["hand"]\n[ontologies.hand]\nwords = "hand"\n'
    )
    (tmp_path / "lab.toml").write_text(text, encoding="utf-8")
    lab, _ = loading.load(str(tmp_path / "lab.toml"))
    steering = _Steering(lab, workspace.init(tmp_path / "ws"))
    with pytest.raises(UsageError, match="of no folder of fields, so it has no words 'hand'"):
        running._job_of(lab, next(lab.cells()), steering, steering.space)
    with pytest.raises(UsageError, match="compares no fields"):
        loading.load(str(tmp_path / "lab.toml"), fields=[tmp_path])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"hand": {"\\u66b4\\u96e8": 1.0', '"hand": {"\\u66b4\\u96e8": 2.0', "field rain"),
        ('"labels": "wet"', '"labels": "wet", "color": "blue"', "color"),
        ('"web": "../web"', '"web": "../gone"', "gone does not exist"),
        ('"rain": ', '"r n": ', "a topic's name begins with a Latin letter"),
        ('{"web"', '["web"', "cannot be read as JSON"),
    ],
)
def test_an_invalid_folder_of_fields_is_refused(fields: Path, old: str, new: str, told: str) -> None:
    file = fields / "fields.json"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        loading.load("claim", fields=[fields])


def test_a_folder_without_fields_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"fields\.json could not be read: there is no such file"):
        loading.load("claim", fields=[tmp_path])


def test_two_fields_of_one_name_are_refused(fields: Path) -> None:
    with pytest.raises(UsageError, match="two fields or worlds have the same name"):
        loading.load("claim", fields=[fields, fields])


FOUND = {"learned": 6, "learned_five": 7, "name": 2, "tf_idf": 3, "hand": 5}
"""Labelled pages of ten that `evidence_sum` finds by each list of words on the field rain; one more on water."""


def trace_of(cell: Cell) -> Trace:
    n = FOUND[cell.ontology] + (cell.world == "water") * (cell.ontology == "learned") - (cell.strategy == "best_first")
    facts = {"targets": 10, "requests": 10, "stop": "", "seconds": 0.0, "choice_us": 0.0, "counts": "fetched"}
    none = np.zeros(10, dtype=np.bool_)
    where = np.arange(10)
    return Trace(where + 1, np.zeros(10), none, where < n, np.full(10, -1), where.astype(np.uint64), facts)


def test_recall_and_differences_are_those_of_the_groups(claim: Lab) -> None:
    outcomes = [Outcome(cell, summary(trace_of(cell), claim.milestones_of(cell.world))) for cell in claim.cells()]
    (section,) = own_comparison.sections(claim, outcomes, results.measured(outcomes))
    recall, differences = section.parts[1:]
    assert isinstance(recall, own_comparison.Grid) and isinstance(differences, own_comparison.Grid)
    assert recall.title == "Recall on fields: rain, water."
    assert recall.columns == ("system", "recall at 10")
    assert dict(recall.rows)["evidence_sum, learned"] == "0.650"
    assert dict(recall.rows)["best_first, hand"] == "0.400"
    told = dict(differences.rows)
    assert told["evidence_sum, learned less evidence_sum, hand"] == "+0.150 [+0.100, +0.200]"
    assert told["evidence_sum, learned_five less evidence_sum, hand"] == "+0.200 [+0.200, +0.200]"
    assert len(told) == 5 and "–" not in told.values()


@pytest.mark.slow
def test_the_lab_runs_on_a_folder_of_fields(command: Command, tmp_path: Path) -> None:
    fields = write_fields(tmp_path, ("rain",))
    out = tmp_path / "out"
    written = command(
        "lab", "run", "claim", "--fields", fields, "--out", out, "--fetches", "12", "--jobs", "1", "--json"
    )
    assert written.json["failed"] == []
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    recall, differences = (table["rows"] for table in summary["recall"])
    of = {name: float(value) for name, value in recall}
    assert of[references.TITLES[references.LABEL_ORACLE]] >= of["evidence_sum, hand"] > 0.4
    assert of["evidence_sum, learned"] > 0.4
    assert len(differences) == 5
    report = (out / "report.md").read_text(encoding="utf-8")
    assert f"--fields {fields}" in report and "Recall on fields: rain." in report

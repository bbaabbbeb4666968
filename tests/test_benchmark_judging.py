"""Drawing, blind sheets, verdicts of two judges, and the figures made of them, on made data."""

from __future__ import annotations

import csv
import doctest
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import agreement, disasters, field_pages, fields, judging, learning
from benchmarks.agreement import draw
from benchmarks.judging import Judged, Sample
from ontology.build import Learned, TopicSpec, learn
from ontology.compare.agreement import kappa
from ontology.model import Concept, Document, Ontology, Relation
from ontology.shares import wilson

ROOT = Path(__file__).resolve().parent.parent


def documents() -> list[Document]:
    """Papers on rivers: three kinds of 灾害 by name, a term beside them, and one that nothing places."""
    texts = ["洪水灾害和地震灾害造成损失。", "地震灾害和干旱灾害的灾害管理。", "干旱灾害与洪水灾害，都是灾害。"] * 4
    keywords = [("洪水灾害", "灾害"), ("地震灾害", "水库"), ("干旱灾害", "灾害")] * 4
    return [
        Document(f"d{i}", f"研究之{i}", text, words)
        for i, (text, words) in enumerate(zip(texts, keywords, strict=True))
    ]


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learn(documents(), TopicSpec("hazards", "灾害学", "hazard science"), fields.without_lists())


def test_wilson_and_kappa() -> None:
    assert doctest.testmod(agreement).failed == 0
    low, high = wilson(51, 60)
    assert low == pytest.approx(0.7388, abs=1e-3)
    assert high == pytest.approx(0.9190, abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)
    assert kappa([("right", "right")] * 5) is None
    assert kappa([("right", "wrong"), ("wrong", "right")]) == -1
    assert kappa([]) is None


def test_a_draw_keeps_what_is_still_there() -> None:
    items = [("field", f"term {i}", "class") for i in range(200)]
    before = draw(items, 60, 16)
    assert len(set(before)) == 60
    assert draw(reversed(items), 60, 16) == before
    changed = [item for i, item in enumerate(items) if i % 10] + [("field", f"new {i}", "class") for i in range(20)]
    after = draw(changed, 60, 16)
    assert len({*before} & {*changed} & {*after}) >= len({*before} & {*changed}) - 10
    assert {*before} & {*changed} <= {*draw(changed, 80, 16)}
    assert draw(items, 60, 17) != before


def test_verdicts_are_kept_and_halved(tmp_path: Path) -> None:
    judged = Judged("edges")
    keys = [("f", f"c{i}", "p") for i in range(5)]
    said = {
        "a": ["right", "right", "wrong", "bucket", "right"],
        "b": ["right", "wrong", "wrong", "bucket"],
    }
    for judge, verdicts in said.items():
        for key, verdict in zip(keys, verdicts, strict=False):
            judged.add(judge, key, verdict, tmp_path)
    told = judged.outcome(keys)
    assert (told["drawn"], told["judged"], told["agreed"]) == (5, 4, 3)
    assert [told[verdict]["count"] for verdict in ("right", "bucket", "wrong")] == [1.5, 1, 1.5]
    assert told["right"]["share"] == 0.375
    assert told["right"]["interval"] == [round(bound, 3) for bound in wilson(1.5, 4)]
    assert told["kappa"] == kappa([*zip(said["a"], said["b"], strict=False)])
    judged.notes[keys[0]] = "a: clear"
    judged.save(tmp_path / "judged.tsv")
    again = Judged.load("edges", tmp_path / "judged.tsv")
    assert again.verdicts == judged.verdicts
    assert again.notes[keys[0]] == "a: clear"
    assert Judged("terms").outcome([("f", "t")])["none"]["share"] is None


def test_sheets_are_blind_shuffled_and_complete(tmp_path: Path) -> None:
    edges = tuple(("sports", f"kind {i}", "class") for i in range(20))
    rules = dict.fromkeys(edges, "head noun")
    samples = [
        Sample("sports", "development", "zh", edges, (("sports", "term"),), rules),
        Sample("food", "checking", "zh", (("food", "apple", "fruit"),), (), {("food", "apple", "fruit"): "pattern"}),
        Sample("biology", "development", "en", (), (("biology", "cell"),)),
    ]
    tables = {kind: tmp_path / f"{kind}.tsv" for kind in judging.KINDS}
    judged = judging.verdicts(tables)
    judged["edges"].add("a", edges[0], "right", tmp_path)
    written = dict(judging.write_sheets(samples, judged, tmp_path))
    assert {path.parent.name + "/" + path.name: count for path, count in written.items()} == {
        "a/edges-zh.tsv": 20, "a/edges-en.tsv": 0, "a/terms-zh.tsv": 1, "a/terms-en.tsv": 1,
        "b/edges-zh.tsv": 21, "b/edges-en.tsv": 0, "b/terms-zh.tsv": 1, "b/terms-en.tsv": 1,
    }  # fmt: skip
    texts = [(tmp_path / judge / "edges-zh.tsv").read_text(encoding="utf-8") for judge in "ab"]
    assert not any(word in text for text in texts for word in ("head noun", "pattern", "development", "checking"))
    assert [line for line in texts[0].splitlines() if line in texts[1]] != texts[1].splitlines()
    assert texts[1].splitlines()[1:] != sorted(texts[1].splitlines()[1:])


def filled(path: Path, verdict: str, note: str = "") -> None:
    """Give every row of a sheet the same verdict."""
    rows = disasters.table(path)
    columns = list(rows[0])
    judging.write_table(path, columns, [[*(row | {"verdict": verdict, "note": note}).values()] for row in rows])


def test_filled_sheets_are_read_once(tmp_path: Path) -> None:
    tables = {kind: tmp_path / f"{kind}.tsv" for kind in judging.KINDS}
    sample = Sample("sports", "development", "zh", (("sports", "足球", "球类"), ("sports", "跑步", "运动")))
    judging.write_sheets([sample], judging.verdicts(tables), tmp_path)
    sheet = tmp_path / "a" / "edges-zh.tsv"
    assert judging.read_sheets("a", [sheet], tables) == {"edges open": 2}
    filled(sheet, " Right ", "sure")
    assert judging.read_sheets("a", [tmp_path / "a"], tables) == {"edges": 2}
    assert judging.read_sheets("a", [sheet], tables) == {"edges": 2}, "the same verdicts again change nothing"
    judged = judging.verdicts(tables)["edges"]
    assert judged.verdicts["a"] == dict.fromkeys(sample.edges, "right")
    assert judged.verdicts["b"] == {}
    assert set(judged.notes.values()) == {"a: sure"}
    assert dict(judging.write_sheets([sample], judging.verdicts(tables), tmp_path))[sheet] == 0
    other = tmp_path / "b" / "edges-zh.tsv"
    filled(other, "wrong")
    with pytest.raises(SystemExit, match=r"has judged .* 'right' before"):
        judging.read_sheets("a", [other], tables)
    filled(other, "maybe")
    with pytest.raises(SystemExit, match="expected one of right, bucket, wrong"):
        judging.read_sheets("b", [other], tables)
    other.write_text("child\tparent\n足球\t球类\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="expected the columns of a sheet"):
        judging.read_sheets("b", [other], tables)


def test_figures_of_a_learned_ontology(learned: Learned) -> None:
    told = fields.figures(learned, documents())
    placed = fields.placed_terms(learned)
    assert {"洪水灾害", "地震灾害", "干旱灾害"} <= placed
    assert not {"灾害", "水库"} & placed
    assert told["documents"] == 12
    assert told["placed"] == len(placed)
    assert told["placed_share"] == round(len(placed) / told["terms"], 3)
    assert fields.repeated_keywords(documents()) == {"洪水灾害", "地震灾害", "干旱灾害", "灾害", "水库"}
    assert told["keywords_placed"] == round(len(placed & fields.repeated_keywords(documents())) / told["keywords"], 3)
    assert told["largest_class"] == "灾害"
    assert told["multiword"] == 0
    assert told["multiword_placed"] is None
    assert sum(told["edges_by_rule"].values()) == len(fields.placed_edges(learned))
    assert told["classes"] == len(learned.global_ontology.concepts)
    edges = judging.edges_with_rules("hazards", learned)
    assert ("hazards", "洪水灾害", "灾害") in edges
    outline = fields.two_levels(learned.global_ontology, most=2)
    assert outline.splitlines()[0].startswith("灾害 (")
    assert "and 1 more" in outline


def test_two_levels_and_the_page_of_learned_ontologies(learned: Learned) -> None:
    names = ("field", "flood", "flash flood", "urban flood", "river flood", "rain", "heavy rain", "dam")
    concepts = tuple(Concept(f"x:{name.replace(' ', '-')}", "", name) for name in names)
    edges = [(name, name.split()[1]) for name in names if " " in name]
    edges += [(name, "field") for name in ("flood", "rain", "dam")]
    iri = {c.label: c.iri for c in concepts}
    relations = tuple(Relation(iri[child], "subclass_of", iri[parent]) for child, parent in edges)
    text = fields.two_levels(Ontology("x:o", "global", "t", "1", iri["field"], concepts, relations), most=2)
    assert text.splitlines() == [
        "flood (3): flash flood, river flood, and 1 more", "(one below) rain > heavy rain", "(none below) dam"
    ]  # fmt: skip
    told = fields.figures(learned, documents()) | {"left_out": 3, "one_below": 1, "label": "hazard science"}
    other = told | {"left_out": told["terms"], "children_of_root": 40}
    page = learning.page({"corpora": {}, "fields": {"hazards": told, "other": other}}, {}, {"hazards": text}, [])
    assert f"{told['children_of_root']} to 40 classes are directly below" in page
    assert f"* {3 / told['terms']:.0%} to 100% of the terms have no broader class" in page
    assert "### hazards\n\nHazard science: 12 documents" in page
    assert "(one below) rain > heavy rain" in page
    assert "siblings" not in page
    assert "(a beside b)" in learning.weaknesses({"hazards": told}, ["a beside b"])


def test_edges_to_the_root_place_nothing() -> None:
    rooted = learn(documents(), TopicSpec("hazards", "灾害", "hazard"), fields.without_lists())
    assert fields.root_of(rooted) is not None
    assert "洪水灾害" not in fields.placed_terms(rooted)
    assert all(parent != "灾害" for _, _, parent in judging.edges_with_rules("hazards", rooted))


def test_records_are_chosen_by_discipline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    paper = {"id": "1", "title": "体育", "abstract": "足球。", "keywords": ["足球"], "discipline": "Sports"}
    page = {"name": "Cell", "title": "Cell", "text": "Cell\n\n" + "   A cell is small. " * 3, "categories": ["x"]}
    prose = "   A cell is the smallest unit of life, and all living things are made of\n   cells, be it one or many."
    other = {
        "name": "Leaf",
        "title": "Leaf",
        "text": f"Leaf\n\n{prose}",
        "categories": ["subject.Science.Biology.Plants"],
    }
    sources: dict[Path, Any] = {
        fields.ABSTRACTS: (
            paper,
            paper | {"id": "2", "discipline": "Economy"},
            paper | {"id": "3", "discipline": None},
        ),
        fields.PAGES: (page, other),
    }
    monkeypatch.setattr(fields, "_records", sources.__getitem__)
    assert [r["id"] for r in fields.records(fields.BY_NAME["sports"])] == ["1"]
    (leaf,) = fields.documents(fields.BY_NAME["biology"])
    assert (leaf.id, leaf.keywords) == ("Leaf", ())
    assert leaf.abstract.startswith("A cell is the smallest unit of life")
    path = fields.write_corpus(fields.BY_NAME["sports"], tmp_path)
    assert json.loads(path.read_text(encoding="utf-8")) == {k: v for k, v in paper.items() if k != "discipline"}


def test_fields_for_checking_are_others_than_those_for_development() -> None:
    sources = {purpose: Counter(s for f in fields.FIELDS if f.purpose == purpose for s in f.sources) for purpose in
               ("development", "checking")}  # fmt: skip
    assert not sources["development"] & sources["checking"]
    assert {f.language for f in fields.FIELDS if f.purpose == "checking"} == {"zh", "en"}
    assert len(fields.BY_NAME) == len(fields.FIELDS)


def test_two_judges_add_verdicts_on_disaster_edges_where_they_agree() -> None:
    judged = Judged("edges")
    pairs = {
        ("甲灾", "灾"): ("right", "bucket"),
        ("乙灾", "灾"): ("right", "wrong"),
        ("丙灾", "灾"): ("wrong", "wrong"),
    }
    for pair, said in pairs.items():
        for judge, verdict in zip(judging.JUDGES, said, strict=True):
            judged.add(judge, ("disaster_core", *pair), verdict, ROOT)
    judged.add("a", ("disaster_core", "戊灾", "灾"), "right", ROOT)
    known = judging.known_pairs(judged)
    assert [known[pair] for pair in pairs] == ["right", "disputed", "wrong"]
    assert ("戊灾", "灾") not in known
    one = next(iter(disasters.judged().items()))
    assert known[one[0]] == one[1]["verdict"]


@pytest.fixture
def result(learned: Learned) -> dict[str, Any]:
    """The part of the page about fields, from one made field of each language and made verdicts."""
    rules = {("sports", "洪水灾害", "灾害"): "head noun", ("sports", "水库", "灾害"): "pattern"}
    told = fields.figures(learned, documents())
    terms, rare = (("sports", "灾害"),), (("sports", "水库"),)
    chinese = Sample(
        "sports", "development", "zh", tuple(rules), terms, rules, told, rare=rare, placed=frozenset(rare)
    )  # fmt: skip
    samples = [
        chinese,
        replace(chinese, name="biology", language="en"),
    ]
    judged = {kind: Judged(kind) for kind in judging.KINDS}
    for judge, second in (("a", "wrong"), ("b", "bucket")):
        judged["edges"].add(judge, ("sports", "洪水灾害", "灾害"), "right", ROOT)
        judged["edges"].add(judge, ("sports", "水库", "灾害"), second, ROOT)
        judged["edges"].add(judge, ("sports", "水库", "洪水灾害"), "wrong", ROOT)
        judged["terms"].add(judge, ("sports", "灾害"), "class", ROOT)
        judged["terms"].add(judge, ("sports", "水库"), "none", ROOT)
    made = field_pages.measure(judged, samples)
    made["page"] = field_pages.judged_page(judged)
    return made


def test_figures_and_pages_of_made_verdicts(result: dict[str, Any]) -> None:
    row = result["samples"][0]
    assert row["edges"]["bucket"]["share"] == 0.25
    assert row["placed_with_content"] == round(row["figures"]["placed_share"] * 0.75, 3)
    rules = {(r["language"], r["rule"]): r for r in result["rules"]}
    assert rules["zh", "head noun"]["right"]["count"] == 1
    assert rules["zh", "pattern"]["wrong"]["count"] == 0.5
    page = "\n".join(field_pages.lines(result))
    half, all_, no = "50% (6% to 94%)", "100% (21% to 100%)", "0% (0% to 79%)"
    assert f"| Chinese | for development | placed | 1 of 1 | {no} | {no} | {all_} |" in page
    assert f"| Chinese | for development | not placed | 1 of 1 | {all_} | {no} | {no} |" in page
    assert row["rare"]["none"]["count"] == 1 and row["terms"]["none"]["count"] == 0
    assert f"| Chinese | for development | pattern | 1 | 1 | 0% (0% to 79%) | {half} | {half} |" in page
    assert "| sports | 水库 | 灾害 | wrong | bucket | |" in result["page"]
    assert "* sports: 水库 < 洪水灾害" in result["page"]
    assert "| Chinese | edges | 3 | 2 |" in result["page"]
    assert "| English | edges | 0 | 0 | – |" in result["page"]


def test_nothing_is_claimed_before_anything_is_judged(learned: Learned) -> None:
    told = fields.figures(learned, documents())
    sample = Sample("sports", "development", "zh", (("sports", "洪水灾害", "灾害"),), (("sports", "灾害"),), {}, told)
    (row,) = field_pages.measure({kind: Judged(kind) for kind in judging.KINDS}, [sample])["samples"]
    assert row["edges"]["right"]["share"] is None
    assert row["placed_with_content"] is None


def test_committed_verdicts_are_whole() -> None:
    for kind in judging.KINDS:
        path = judging.FILES[kind]
        judged = Judged.load(kind, path)
        assert set(judged.verdicts["a"]) == set(judged.verdicts["b"]), "each is judged twice"
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        assert len({tuple(row[: len(judging.COLUMNS[kind])]) for row in rows}) == len(rows)

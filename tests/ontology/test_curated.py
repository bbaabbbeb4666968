"""The curated ontologies: their outline format, and the files that ship."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path

import owlready2
import pytest

from ontology.iris import IriRegister, namespace
from ontology.model import Ontology
from ontology.owl import read
from tools.curated import OutlineError, main, ontologies, outdated, parse

FOLDER = Path(str(files("ontologies")))
LOCALS = {"rainstorm": ("monitoring", "secondary", "management"), "typhoon": ("monitoring", "secondary", "defence")}
STEMS = tuple(stem for topic, names in LOCALS.items() for stem in (topic, *(f"{topic}-{name}" for name in names)))
HEAD = "topic: test\nversion: 1\ntitle: 测试 | Test\n"


@pytest.fixture(scope="module")
def shipped() -> dict[str, Ontology]:
    return {stem: read(FOLDER / f"{stem}.ttl") for stem in STEMS}


def test_shipped_files_are_up_to_date() -> None:
    assert outdated(FOLDER) == []


def test_shipped_ontologies_are_rich_and_bilingual(shipped: dict[str, Ontology]) -> None:
    least = {"rainstorm": 60, "typhoon": 45}
    for stem, ontology in shipped.items():
        assert len(ontology.concepts) >= least.get(stem, 25), stem
        assert ontology == read(FOLDER / f"{stem}.rdf")
        assert all(c.label_zh and c.label_en for c in ontology.concepts)
        labels = Counter(label for c in ontology.concepts for label in (c.label_zh, (c.label_en or "").casefold()))
        assert max(labels.values()) == 1, stem
        forms = Counter((language, form.casefold()) for c in ontology.concepts for language, form in c.forms())
        assert [f for f, n in forms.items() if n > 1] == [], stem
        rootless = [c.label_zh for c in ontology.concepts if not ontology.parents[c.iri] and c.iri != ontology.root]
        assert rootless == [], stem


def test_the_vocabulary_of_the_papers_is_there(shipped: dict[str, Ontology]) -> None:
    rainstorm = {c.label_en: c.label_zh for c in shipped["rainstorm"].concepts}
    for label in (
        "rainstorm disaster",
        "disaster management",
        "emergency alert level",
        "weather monitoring",
        "hydraulic engineering",
        "city waterlogging",
        "floodwater",
        "landslide",
    ):
        assert label in rainstorm
    typhoon = {c.label_zh for c in shipped["typhoon"].concepts}
    assert {"气压", "风力", "风暴潮", "暴雨", "热带低压", "超强台风", "船只回港"} <= typhoon


@pytest.mark.parametrize("topic", LOCALS)
def test_one_concept_has_one_iri_in_global_and_local(shipped: dict[str, Ontology], topic: str) -> None:
    whole = {c.label_zh: c.iri for c in shipped[topic].concepts}
    for name in LOCALS[topic]:
        local = shipped[f"{topic}-{name}"]
        assert local.kind == "local"
        assert whole[local.by_iri[local.root].label_zh] == local.root
        assert all(whole.get(c.label_zh, c.iri) == c.iri for c in local.concepts)
        assert any(c.label_zh not in whole for c in local.concepts)


@pytest.mark.parametrize("stem", STEMS)
def test_owlready2_opens_the_shipped_rdf_xml(stem: str, shipped: dict[str, Ontology]) -> None:
    opened = owlready2.World().get_ontology((FOLDER / f"{stem}.rdf").as_uri()).load(only_local=True)
    assert {c.iri for c in opened.classes()} == {c.iri for c in shipped[stem].concepts}


def test_topics_name_files_that_exist_and_words_with_forms() -> None:
    topics = {p.stem: tomllib.loads(p.read_text(encoding="utf-8")) for p in (FOLDER / "topics").glob("*.toml")}
    assert set(topics) == {"rainstorm", "typhoon", "haiyan", "call_for_papers", "fcosa_lattice_terms", "sports"}
    for name, topic in topics.items():
        assert topic["name"] == name
        assert all((FOLDER / file).exists() for file in topic["ontologies"])
        assert all(word["zh"] or word["en"] for word in topic["words"])
    weights = {name: [word["weight"] for word in topic["words"]] for name, topic in topics.items()}
    assert weights["rainstorm"] == [0.8, 0.1, 0.1, 0.5, 0.3]
    assert weights["typhoon"] == [0.8, 0.5, 0.3, 0.2, 0.2]
    assert sum(w * w for w in weights["haiyan"]) == pytest.approx(2.7831)
    assert sum(w * w for w in weights["call_for_papers"]) == pytest.approx(98)
    for topic, names in LOCALS.items():
        assert [local["name"] for local in topics[topic]["local"]] == list(names)
        assert topics[topic]["ontologies"] == [f"{topic}.ttl", *(f"{topic}-{name}.ttl" for name in names)]


def test_an_outline_becomes_ontologies() -> None:
    text = (
        HEAD
        + "local part: 部分 | Part\n\n根 | root\n  = 别名; 又名 | alias\n  : 定义。 | Definition.\n"
        + "  甲 | A\n    > local part\n    丙 | C\n      > also 乙\n      > causes 乙\n      > part-of 丁\n"
        + "    + 丁 | D\n      戊 | E\n  乙 | B\n    > same-as 甲\n"
    )
    made = ontologies(parse(text, "test"), IriRegister(namespace("test")))
    whole, part = made["test"], made["test-part"]
    label = {c.iri: c.label_zh for c in (*whole.concepts, *part.concepts)}
    edges = {(label[r.source], r.kind, label[r.target]) for r in whole.relations}
    assert {c.label_zh for c in whole.concepts} == {"根", "甲", "乙", "丙"}
    assert {c.label_zh for c in part.concepts} == {"甲", "丙", "丁", "戊"}
    assert edges == {
        ("甲", "subclass_of", "根"),
        ("乙", "subclass_of", "根"),
        ("丙", "subclass_of", "甲"),
        ("丙", "subclass_of", "乙"),
        ("丙", "causes", "乙"),
        ("甲", "equivalent_to", "乙"),
    }
    assert ("丙", "part_of", "丁") in {(label[r.source], r.kind, label[r.target]) for r in part.relations}
    root = whole.by_iri[whole.root]
    assert (root.alt_zh, root.alt_en) == (("别名", "又名"), ("alias",))
    assert (root.definition, root.definition_en) == ("定义。", "Definition.")
    assert (part.title_zh, part.root) == ("部分", whole.root.replace("Root", "A"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no header\n", "line 1"),
        ("topic: test\n\n根 | root\n", "lacks version, title"),
        (HEAD + "\n", "no concept"),
        (HEAD + "\n根\n", "line 5: expected 中文 | English"),
        (HEAD + "\n根 | root\n   甲 | A\n", "line 6: indent"),
        (HEAD + "\n根 | root\n    甲 | A\n", "line 6: indent"),
        (HEAD + "\n根 | root\n根二 | root two\n", "line 6: indent"),
        (HEAD + "\n根 | root\n  甲 | root\n", "line 6: label 'root' stands in line 5"),
        (HEAD + "\n根 | root\n  > causes 无\n", "line 6: > causes names '无'"),
        (HEAD + "\n根 | root\n  > likes 根\n", "line 6: expected >"),
        (HEAD + "\n根 | root\n  > local part\n", "declared in the header"),
        (HEAD + "\n: x\n", "line 5"),
    ],
)
def test_a_broken_outline_names_the_line(text: str, says: str) -> None:
    with pytest.raises(OutlineError, match=says):
        parse(text, "test")


def test_the_command_writes_checks_and_keeps_iris(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outline = tmp_path / "test.outline"
    outline.write_text(HEAD + "\n根 | root\n  甲 | A\n", encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    assert main([str(tmp_path), "--check"]) == 0
    before = {c.label_zh: c.iri for c in read(tmp_path / "test.ttl").concepts}
    outline.write_text(HEAD + "\n根 | root\n  甲 | renamed\n", encoding="utf-8")
    assert main([str(tmp_path), "--check"]) == 1
    assert "out of date: test.ttl" in capsys.readouterr().out
    assert main([str(tmp_path)]) == 0
    assert {c.label_zh: c.iri for c in read(tmp_path / "test.ttl").concepts} == before
    outline.write_text("?", encoding="utf-8")
    assert main([str(tmp_path)]) == 2
    assert "line 1" in capsys.readouterr().err
    assert main([str(tmp_path / "none")]) == 2


PLANTED = ("海绵城市", "列车效应", "堰塞湖", "雨岛效应", "龙舟水", "龙吸水车", "叫应机制", "内涝点地图")


def test_terms_that_enrichment_must_find_are_nowhere_in_our_data() -> None:
    data = [
        *FOLDER.glob("*.outline"),
        *FOLDER.glob("topics/*.toml"),
        *(Path(str(files("ontology"))) / "data").iterdir(),
    ]
    data.append(Path(str(files("ontocrawl"))) / "sample" / "abstracts.txt")
    plain = (p for p in data if p.is_file() and p.suffix != ".gz")  # enrichment reads no counts of the background
    texts = {p.name: p.read_text(encoding="utf-8") for p in plain}
    assert len(texts) >= 12
    assert [(name, term) for name, text in texts.items() for term in PLANTED if term in text] == []

"""Language tags stay as they are written; Chinese and English labels are views of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import rdflib

from ontology import lint, owl
from ontology.decisions import Decision
from ontology.decisions.edits import edits
from ontology.decisions.facts import Verdict
from ontology.decisions.texts import defined, labelled, scoped
from ontology.model import Concept, Ontology, OtherText, language_tag
from tests.ontology.owl.samples import BASE, FORMATS, OBO_FORMATS

HEAD = """@prefix : <http://x.org/z#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://x.org/z> a owl:Ontology . :R a owl:Class ; """
NAMES = {
    ("hazard", "en"), ("灾害", "zh-Hans"), ("災害", "zh-Hant"), ("aléa", "fr"), ("peril", "en-GB"), ("danger", ""),
}  # fmt: skip


def opened(folder: Path, said: str) -> owl.Loaded:
    (folder / "a.ttl").write_text(f"{HEAD}{said} .", encoding="utf-8")
    return owl.load(folder / "a.ttl")


def labels(path: Path) -> set[tuple[str, str]]:
    triples = owl.reader.parse(path)
    return {(o.value, o.language) for s, o in triples.pairs("http://www.w3.org/2000/01/rdf-schema#label")
            if s == "http://x.org/z#R" and not isinstance(o, str)}  # fmt: skip


def said_of(names: set[tuple[str, str]]) -> str:
    return "rdfs:label " + ", ".join(f'"{name}"' + f"@{tag}" * bool(tag) for name, tag in sorted(names))


@pytest.mark.parametrize("suffix", (*FORMATS, *OBO_FORMATS))
def test_tags_are_kept_in_every_format(tmp_path: Path, suffix: str) -> None:
    found = opened(tmp_path, said_of(NAMES))
    (concept,) = found.ontology.concepts
    assert (concept.label_zh, concept.label_en) == ("灾害", "hazard")
    assert (concept.alt_zh, set(concept.alt_en)) == (("災害",), {"peril", "danger"})
    assert ("fr", "aléa") in concept.names()
    assert len(concept.names()) == len(NAMES)
    path = tmp_path / f"b{suffix}"
    owl.write(found.ontology, path)
    assert labels(path) == NAMES
    assert owl.load(path).ontology == found.ontology


@pytest.mark.parametrize(
    ("tags", "label"),
    [
        (("zh-Hant", "zh-Hans"), "乙"), (("zh-TW", "zh-CN"), "乙"), (("zh-Hant-HK", "cmn-Hans"), "乙"),
        (("zh-Hans", "zh"), "乙"), (("zh", "zh-Hant"), "甲"),
    ],
)  # fmt: skip
def test_the_chinese_label_is_the_simplified_one_where_both_exist(
    tmp_path: Path, tags: tuple[str, str], label: str
) -> None:
    found = opened(tmp_path, said_of({("甲", tags[0]), ("乙", tags[1])}))
    assert found.ontology.concepts[0].label_zh == label
    owl.write(found.ontology, tmp_path / "b.ttl")
    assert labels(tmp_path / "b.ttl") == {("甲", language_tag(tags[0])), ("乙", language_tag(tags[1]))}
    assert owl.read(tmp_path / "b.ttl") == found.ontology


def test_the_same_words_under_two_tags_are_written_twice(tmp_path: Path) -> None:
    names = {("暴雨", "zh"), ("暴雨", "zh-Hans"), ("暴雨", "zh-Hant"), ("rain", "en"), ("rain", "")}
    found = opened(tmp_path, said_of(names))
    assert found.ontology.concepts[0].forms() == (("zh", "暴雨"), ("en", "rain"))
    owl.write(found.ontology, tmp_path / "b.ttl")
    assert labels(tmp_path / "b.ttl") == names
    assert owl.read(tmp_path / "b.ttl") == found.ontology


def test_lint_finds_nothing_in_a_valid_file_with_tags(tmp_path: Path) -> None:
    opened(tmp_path, said_of(NAMES - {("danger", "")}) + ' ; skos:definition "害"@zh-Hant')
    found = lint.lint_file(tmp_path / "a.ttl", select=("OC004", "OC005", "OC007", "OC008", "OC009"))
    assert not found
    opened(tmp_path, said_of({("灾害", "zh-Hans"), ("災害", "zh-Hant"), ("禍", "zh-Hant"), ("hazard", "en")}))
    (finding,) = lint.lint_file(tmp_path / "a.ttl", select=("OC005",))
    assert finding.reason == "2 labels in zh-Hant: 災害, 禍"


ROOT = Concept(
    BASE + "R", "", "root",
    texts=(
        OtherText("label", "zh-hans", "灾害"), OtherText("label", "ZH-Hant", "災害"),
        OtherText("definition", "zh-Hant", "害。"),
    ),
).with_views()  # fmt: skip


def test_a_decision_about_chinese_takes_the_tagged_text_with_it() -> None:
    assert (ROOT.label_zh, ROOT.alt_zh, ROOT.definition) == ("灾害", ("災害",), "害。")
    renamed = labelled(ROOT, language="zh", text="祸").with_views()
    assert (renamed.label_zh, set(renamed.alt_zh)) == ("祸", {"災害", "灾害"})
    assert OtherText("label", "zh-Hans", "灾害") not in renamed.texts
    gone = Verdict("", False, Decision("reject", "R", "災害", "synonym", language="zh"))
    assert scoped(ROOT, language="zh", text="災害", verdict=gone).with_views().alt_zh == ()
    assert scoped(ROOT, language="zh-Hant", text="災害", verdict=gone).with_views().alt_zh == ()
    assert defined(ROOT, language="zh", text="").with_views().definition == ""
    assert labelled(ROOT, language="zh-hant", text="禍").texts[-1] == OtherText("label", "zh-Hant", "禍")


def test_an_edited_traditional_label_is_one_decision_with_its_tag() -> None:
    before = Ontology(BASE[:-1], "global", "t", "1", ROOT.iri, (ROOT,), ())
    after = replace(
        before,
        concepts=(replace(ROOT, alt_zh=(), texts=(ROOT.texts[0], OtherText("label", "zh-Hant", "禍"))).with_views(),),
    )
    found = edits(before, after, lambda concept: "R").decisions
    assert {(d.action, d.value, d.language) for d in found} == {
        ("translate", "禍", "zh-Hant"), ("define", "", "zh-Hant"),
    }  # fmt: skip


def test_a_file_saved_by_rdflib_has_the_same_graph(tmp_path: Path) -> None:
    found = opened(tmp_path, said_of(NAMES))
    owl.write(found.ontology, tmp_path / "b.ttl")
    graph = rdflib.Graph().parse(tmp_path / "a.ttl")
    ours = rdflib.Graph().parse(tmp_path / "b.ttl")
    assert set(graph) <= set(ours)

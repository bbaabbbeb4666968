"""Differences: every kind of change is found, told once, and enough to make the new ontology of the old one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.compare import Difference, diff, diff_files, markdown, plain, rows
from ontology.compare.diff import DETAILS, LABELS
from ontology.model import Concept, Ontology, Relation
from ontology.owl import load
from ontology.owl.contents import Loaded

KINDS = ("subclass_of", "part_of", "equivalent_to", "causes", "measured_by")


def concept(iri: str, zh: str = "", en: str | None = None, **more: Any) -> Concept:
    return Concept(iri, zh or iri, en, **more)


def edge(source: str, target: str, kind: Any = "subclass_of", **more: Any) -> Relation:
    return Relation(source, kind, target, **more)


OLD = Ontology(
    "o", "global", "rain", "1", "R",
    (
        concept("R", "灾害", "disaster"), concept("F", "洪水", "flood", alt_zh=("洪涝", "大水")),
        concept("L", "滑坡", "landslide"), concept("T", "山洪", "torrent"),
    ),
    (
        edge("F", "R", support=5, confidence=0.5, evidence="head noun", documents=("d1", "d2")), edge("L", "R"),
        edge("T", "R"), edge("F", "L", "causes", sentence="洪水引发滑坡。"),
    ),
    title_zh="本体",
)  # fmt: skip


def changed(iri: str, **fields: Any) -> Ontology:
    return replace(OLD, concepts=tuple(replace(c, **fields) if c.iri == iri else c for c in OLD.concepts))


def only(found: Difference, **expected: int) -> None:
    """Exactly these numbers of differences, and no others."""
    assert {name: number for name, number in found.counts().items() if number} == expected
    assert found.equal is not bool(expected)


def test_an_ontology_equals_itself_in_any_order() -> None:
    draw = random.Random(0)
    concepts, relations = list(OLD.concepts), list(OLD.relations)
    draw.shuffle(concepts)
    draw.shuffle(relations)
    shuffled = replace(
        OLD,
        concepts=tuple(replace(c, alt_zh=tuple(reversed(c.alt_zh))) for c in concepts),
        relations=tuple(replace(r, documents=tuple(reversed(r.documents))) for r in relations),
    )
    assert shuffled != OLD
    only(diff(OLD, shuffled))
    assert "No difference" in markdown(diff(OLD, shuffled))
    assert list(rows(diff(OLD, shuffled))) == []


def test_equivalence_has_no_direction_and_a_missing_label_is_an_empty_one() -> None:
    one = replace(OLD, relations=(edge("F", "T", "equivalent_to"),))
    only(diff(one, replace(OLD, relations=(edge("T", "F", "equivalent_to"),))))
    only(diff(replace(OLD, relations=(edge("F", "L", "causes"),)), replace(OLD, relations=(edge("L", "F", "causes"),))),
         relations_added=1, relations_removed=1)  # fmt: skip
    only(diff(changed("F", label_en=None), changed("F", label_en="")))


def test_a_new_concept_with_its_place() -> None:
    new = replace(OLD, concepts=(*OLD.concepts, concept("S", "雪", "snow")), relations=(*OLD.relations, edge("S", "R")))
    found = diff(OLD, new)
    only(found, added=1, relations_added=1)
    assert [c.iri for c in found.added] == ["S"]
    only(diff(new, OLD), removed=1, relations_removed=1)


def test_another_label() -> None:
    found = diff(OLD, changed("F", label_zh="洪涝灾害", label_en=None))
    only(found, renamed=1)
    assert [(c.field, c.old, c.new) for c in found.renamed[0].changes] == [
        ("label_zh", "洪水", "洪涝灾害"),
        ("label_en", "flood", None),
    ]


def test_other_names_and_definitions() -> None:
    found = diff(OLD, changed("F", alt_zh=("洪涝", "涝"), definition="水多。"))
    only(found, described=1)
    assert [(c.field, c.old, c.new) for c in found.described[0].changes] == [
        ("alt_zh", ("大水", "洪涝"), ("洪涝", "涝")),
        ("definition", None, "水多。"),
    ]


def with_iri(old: str, new: str, **fields: Any) -> Ontology:
    named = {old: new}
    return replace(
        OLD,
        concepts=tuple(replace(c, iri=new, **fields) if c.iri == old else c for c in OLD.concepts),
        relations=tuple(
            replace(r, source=named.get(r.source, r.source), target=named.get(r.target, r.target))
            for r in OLD.relations
        ),
    )


def test_another_iri_with_the_same_labels_keeps_its_relations() -> None:
    found = diff(OLD, with_iri("F", "Flood"))
    only(found, reidentified=1)
    assert (found.reidentified[0].old.iri, found.reidentified[0].new.iri) == ("F", "Flood")
    found = diff(OLD, with_iri("F", "Flood", label_en="FLOODS"))
    only(found, reidentified=1, renamed=1)  # by the Chinese label alone
    found = diff(OLD, with_iri("F", "Flood", label_zh="水灾", label_en="Flood"))
    only(found, reidentified=1, renamed=1)  # by the English one, whatever its case


def test_a_label_that_two_concepts_have_identifies_none() -> None:
    old = replace(OLD, concepts=(*OLD.concepts, concept("A", "雨"), concept("B", "雨")))
    new = replace(OLD, concepts=(*OLD.concepts, concept("C", "雨")))
    only(diff(old, new), added=1, removed=2)


def test_a_concept_that_moves() -> None:
    new = replace(OLD, relations=(*(r for r in OLD.relations if r.source != "T"), edge("T", "F")))
    found = diff(OLD, new)
    only(found, moved=1, relations_added=1, relations_removed=1)
    assert (found.moved[0].concept.iri, found.moved[0].lost, found.moved[0].gained) == ("T", ("R",), ("F",))


def test_a_part_is_not_moved() -> None:
    only(diff(OLD, replace(OLD, relations=(*OLD.relations, edge("T", "F", "part_of")))), relations_added=1)


@pytest.mark.parametrize(
    "fields", [{"support": 6}, {"confidence": 0.4}, {"evidence": ""}, {"documents": ("d1",)}, {"sentence": "x"}]
)
def test_other_evidence(fields: dict[str, Any]) -> None:
    new = replace(OLD, relations=(replace(OLD.relations[0], **fields), *OLD.relations[1:]))
    found = diff(OLD, new)
    only(found, relations_changed=1)
    row = next(iter(rows(found)))
    assert next(iter(fields)) in row.before + row.after
    assert "support" in fields or "support" not in row.before, "only what changed is shown"


def test_header() -> None:
    found = diff(OLD, replace(OLD, version="2", title_zh="新本体", licence="CC0"))
    only(found, header=3)
    assert [(c.field, c.old, c.new) for c in found.header] == [
        ("version", "1", "2"),
        ("title_zh", "本体", "新本体"),
        ("licence", None, "CC0"),
    ]


def test_markdown_and_json_tell_every_difference() -> None:
    new = replace(with_iri("F", "Flood", alt_zh=("a|b", "c\nd")), version="2")
    found = diff(OLD, new)
    text = markdown(found)
    assert "a\\|b, c d" in text
    table = text[text.index("| difference") :].splitlines()
    assert len(table) == 2 + len(list(rows(found)))
    assert all(line.replace("\\|", "").count("|") == 5 for line in table)
    told = json.loads(json.dumps(plain(found), ensure_ascii=False))
    assert told["equal"] is False
    assert told["reidentified"] == [{"iri": "Flood", "zh": "洪水", "en": "flood", "old_iri": "F"}]
    assert {name: len(told[name]) for name in told["counts"]} == told["counts"] == found.counts()


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Ontologies over few IRIs and labels, so that two of them have much in common."""
    iris = ["r", *draw(st.sets(st.sampled_from("abcde")))]
    label = st.sampled_from(["雨", "雪", "水", "风"])
    text = st.sampled_from(["", "甲", "乙"])
    concepts = [
        Concept(
            iri, draw(label), draw(st.sampled_from([None, "rain", "snow"])), tuple(draw(st.sets(label))),
            definition=draw(text),
        )
        for iri in draw(st.permutations(iris))
    ]  # fmt: skip
    ends = st.tuples(st.sampled_from(iris), st.sampled_from(KINDS), st.sampled_from(iris))
    relations = [
        Relation(s, k, t, draw(st.sampled_from([None, 1, 2])), evidence=draw(text))  # type: ignore[arg-type]
        for s, k, t in draw(st.sets(ends, max_size=6))
    ]
    return Ontology("o", "global", "t", draw(st.sampled_from("12")), "r", tuple(concepts), tuple(relations))


def applied(old: Ontology, found: Difference) -> Ontology:
    """The new ontology, made of the old one and the difference alone."""
    named = {pair.old.iri: pair.new.iri for pair in found.reidentified}
    concepts = {c.iri: c for c in old.concepts if c not in found.removed}
    concepts = {named.get(iri, iri): replace(c, iri=named.get(iri, iri)) for iri, c in concepts.items()}
    concepts |= {c.iri: c for c in found.added}
    for change in (*found.renamed, *found.described):
        fields: dict[str, Any] = {c.field: c.new for c in change.changes}
        blank: dict[str, Callable[[], Any]] = {"label_zh": str, "alt_zh": tuple, "alt_en": tuple, "definition": str}
        fields = {name: blank[name]() if value is None and name in blank else value for name, value in fields.items()}
        concepts[change.concept.iri] = replace(concepts[change.concept.iri], **fields)
    gone = {*found.relations_removed, *(r for change in found.relations_changed for r in change.old)}
    relations = {_plain(replace(r, source=named.get(r.source, r.source), target=named.get(r.target, r.target)))
                 for r in old.relations} - gone  # fmt: skip
    relations |= {*found.relations_added, *(r for change in found.relations_changed for r in change.new)}
    header: dict[str, Any] = {c.field: c.new or "" for c in found.header}
    return replace(old, concepts=tuple(concepts.values()), relations=tuple(relations), **header)


def _plain(r: Relation) -> Relation:
    source, target = sorted((r.source, r.target)) if r.kind == "equivalent_to" else (r.source, r.target)
    return replace(r, source=source, target=target)


def canonical(o: Ontology) -> tuple[Any, ...]:
    concepts = {
        c.iri: [sorted(v) if isinstance(v, tuple) else v or "" for v in (getattr(c, f) for f in (*LABELS, *DETAILS))]
        for c in o.concepts
    }
    return o.version, concepts, {_plain(r) for r in o.relations}


@pytest.mark.slow
@given(ontologies(), ontologies())
@settings(deadline=None, max_examples=120)
def test_the_difference_is_all_there_is(old: Ontology, new: Ontology) -> None:
    found = diff(old, new)
    assert canonical(applied(old, found)) == canonical(new)
    assert found.equal == (canonical(old) == canonical(new))


@pytest.mark.slow
@given(ontologies(), ontologies())
@settings(deadline=None, max_examples=100)
def test_backwards_it_is_mirrored(old: Ontology, new: Ontology) -> None:
    forth, back = diff(old, new).counts(), diff(new, old).counts()
    mirror = {"added": "removed", "relations_added": "relations_removed"}
    mirror |= {there: here for here, there in mirror.items()}
    assert forth == {name: back[mirror.get(name, name)] for name in forth}
    shown = list(rows(diff(old, new)))
    assert bool(shown) == any(forth.values())


@pytest.mark.slow
@given(ontologies())
@settings(deadline=None, max_examples=100)
def test_nothing_differs_from_itself(o: Ontology) -> None:
    assert diff(o, o).equal


# ---- files are compared by their statements


NAMES = """@prefix : <http://a.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
<http://a.org/o> a owl:Ontology . :p a owl:ObjectProperty . :q a owl:ObjectProperty .
:R a owl:Class ; rdfs:label "root"@en . :B a owl:Class ; rdfs:label "storm"@en ; rdfs:subClassOf :R .
:A a owl:Class ; rdfs:label "flood"@en ; rdfs:subClassOf :R .
"""
BEYOND = {
    "restriction": (
        ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :B ] .",
        ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:allValuesFrom :B ] .",
    ),
    "the property of a restriction": (
        ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :B ] .",
        ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :q ; owl:someValuesFrom :B ] .",
    ),
    "a list": (":A owl:disjointUnionOf ( :B :R ) .", ":A owl:disjointUnionOf ( :R :B ) ."),
    "general axiom": (
        "[ a owl:Class ; owl:complementOf :A ] rdfs:subClassOf :B .",
        "[ a owl:Class ; owl:complementOf :A ] rdfs:subClassOf :R .",
    ),
    "label in German": (':A rdfs:label "Flut"@de .', ':A rdfs:label "Hochwasser"@de .'),
    "definition in French": (':A skos:definition "x"@fr .', ':A skos:definition "y"@fr .'),
    "scope": (':A oio:hasExactSynonym "deluge"@en .', ':A oio:hasBroadSynonym "deluge"@en .'),
    "what replaces a class": (
        ":D a owl:Class ; owl:deprecated true ; <http://purl.obolibrary.org/obo/IAO_0100001> :A .",
        ":D a owl:Class ; owl:deprecated true ; <http://purl.obolibrary.org/obo/IAO_0100001> :B .",
    ),
    "property of a label": (':A skos:prefLabel "flood"@en .', ':A skos:altLabel "flood"@en .'),
    "individual": (":x a :A .", ":x a :B ."),
    "annotation of an axiom": tuple(
        "[] a owl:Axiom ; owl:annotatedSource :A ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :R ; "
        f'rdfs:comment "{said}" .'
        for said in ("agreed", "doubtful")
    ),
    "annotation of an axiom with a restriction": tuple(
        ":B rdfs:subClassOf _:r . _:r a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :A . "
        "[] a owl:Axiom ; owl:annotatedSource :B ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget _:r ; "
        f'rdfs:comment "{said}" .'
        for said in ("agreed", "doubtful")
    ),
}  # fmt: skip


def written(folder: Path, name: str, text: str) -> Loaded:
    (folder / name).write_text(NAMES + text, encoding="utf-8")
    return load(folder / name)


@pytest.mark.parametrize("kind", BEYOND)
def test_what_classes_and_relations_do_not_hold_is_listed_as_statements(tmp_path: Path, kind: str) -> None:
    old, new = BEYOND[kind]
    before, after, without = (
        written(tmp_path, f"{name}.ttl", text) for name, text in (("old", old), ("new", new), ("without", ""))
    )
    only(diff_files(before, after), axioms_added=1, axioms_removed=1)
    assert diff_files(without, after).axioms_added
    assert not diff_files(before, without).equal
    only(diff_files(before, before))


def test_a_disjoint_class_that_is_gone_is_named_in_turtle(tmp_path: Path) -> None:
    before, after = written(tmp_path, "a.ttl", ":B owl:disjointWith :A ."), written(tmp_path, "b.ttl", "")
    found = diff_files(before, after)
    assert [s.statement for s in found.axioms_removed] == ["<http://a.org/o#B> owl:disjointWith <http://a.org/o#A> ."]
    assert plain(found)["axioms_removed"][0]["subject"] == "http://a.org/o#B"
    assert [(row.kind, row.what) for row in rows(found)] == [("statement removed", "storm")]


def test_a_change_that_classes_hold_is_listed_once(tmp_path: Path) -> None:
    before = written(tmp_path, "a.ttl", ':A skos:altLabel "deluge"@en .')
    after = written(tmp_path, "b.ttl", ':A skos:altLabel "inundation"@en ; rdfs:subClassOf :B .')
    only(diff_files(before, after), described=1, moved=1, relations_added=1)


def test_order_syntax_and_names_of_blank_nodes_make_no_difference(tmp_path: Path) -> None:
    text = "".join(old for old, _ in BEYOND.values())
    before = written(tmp_path, "a.ttl", text)
    graph = rdflib.Graph().parse(tmp_path / "a.ttl")
    graph.serialize(tmp_path / "b.rdf", format="xml", encoding="utf-8")
    only(diff_files(before, load(tmp_path / "b.rdf")))

"""Deprecated classes: kept in files as deprecated, with what replaces them, and live nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib

from kg.load import digest
from ontology import lint
from ontology.joining import join
from ontology.model import Concept, Ontology, OtherText, Relation
from ontology.owl import Loaded, OwlError, load, read, write, write_skos
from tests.ontology.owl.samples import BASE, FORMATS, ontology

HEAD = """\
@prefix : <http://x.org/hazards#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
"""
FILE = (
    HEAD
    + """\
:Hazard a owl:Class ; rdfs:label "hazard", "Gefahr"@de, "aléa"@fr, "Risiko"@de ; skos:altLabel "Naturgefahr"@de ;
    oio:hasDbXref "MESH:D1", "https://x.org/a b" .
:Flood a owl:Class ; rdfs:label "flood" ; rdfs:subClassOf :Inundation .
:Inundation a owl:Class ; rdfs:label "obsolete inundation", "Überflutung"@de ; owl:deprecated true ;
    obo:IAO_0100001 :Flood ; oio:hasDbXref "A:1" ; rdfs:subClassOf :Water .
:Water a owl:DeprecatedClass ; dcterms:isReplacedBy :Flood ; rdfs:subClassOf :Hazard .
:Older a owl:Class ; rdfs:subClassOf oio:ObsoleteClass .
oio:ObsoleteClass a owl:Class ; rdfs:label "Obsolete Class" .
:Kept a owl:Class ; owl:deprecated false ; rdfs:subClassOf :Hazard .
"""
)
SPACE = "http://x.org/hazards#"


def opened(tmp_path: Path, text: str = FILE) -> Loaded:
    path = tmp_path / "a.ttl"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_what_is_deprecated_is_no_live_class(tmp_path: Path) -> None:
    found = opened(tmp_path)
    whole = found.ontology
    assert [c.iri.removeprefix(SPACE) for c in whole.concepts] == ["Flood", "Hazard", "Kept"]
    assert [c.iri.removeprefix(SPACE) for c in whole.deprecated] == ["Inundation", "Older", "Water"]
    assert whole.root == SPACE + "Hazard"
    assert whole.parents[SPACE + "Flood"] == (SPACE + "Hazard",)
    assert [r.evidence for r in whole.relations if r.source == SPACE + "Flood"] == ["imported: over a deprecated class"]
    assert found.report.skipped == {"relation of a deprecated class": 3, "owl:deprecated": 1}
    assert any("3 classes are deprecated" in note for note in found.report.notes)


@pytest.mark.parametrize("suffix", FORMATS)
def test_everything_survives_a_round_trip(tmp_path: Path, suffix: str) -> None:
    first = opened(tmp_path)
    write(first.ontology, tmp_path / f"ours{suffix}", first.header)
    again = load(tmp_path / f"ours{suffix}")
    assert again.ontology == first.ontology
    assert (again.report.skipped, again.report.notes) == ({}, ())
    hazard, gone = again.ontology.by_iri[SPACE + "Hazard"], {c.iri: c for c in again.ontology.deprecated}
    assert hazard.xrefs == ("MESH:D1", "https://x.org/a b")
    assert tuple(text for text in hazard.texts if not text.view) == (
        OtherText("label", "de", "Gefahr"), OtherText("label", "fr", "aléa"), OtherText("synonym", "de", "Naturgefahr"),
        OtherText("synonym", "de", "Risiko"),
    )  # fmt: skip
    assert gone[SPACE + "Inundation"].replaced_by == gone[SPACE + "Water"].replaced_by == (SPACE + "Flood",)
    assert tuple(text for text in gone[SPACE + "Inundation"].texts if not text.view) == (
        OtherText("label", "de", "Überflutung"),
    )


@pytest.mark.parametrize("suffix", [".ttl", ".rdf", ".nt"])
def test_other_tools_see_the_properties_that_they_know(tmp_path: Path, suffix: str) -> None:
    write(opened(tmp_path).ontology, tmp_path / f"ours{suffix}")
    write_skos(opened(tmp_path).ontology, tmp_path / f"skos{suffix}")
    space, obo = rdflib.Namespace(SPACE), rdflib.Namespace("http://purl.obolibrary.org/obo/")
    syntax = {".ttl": "turtle", ".rdf": "xml", ".nt": "nt"}[suffix]
    for name in ("ours", "skos"):
        graph = rdflib.Graph().parse(tmp_path / f"{name}{suffix}", format=syntax)
        true = rdflib.Literal(True)
        assert set(graph.subjects(rdflib.OWL.deprecated, true)) == {space.Inundation, space.Older, space.Water}
        for property_ in (obo.IAO_0100001, rdflib.DCTERMS.isReplacedBy):
            assert set(graph.subjects(property_, space.Flood)) == {space.Inundation, space.Water}


def test_a_file_without_them_declares_nothing_more(tmp_path: Path) -> None:
    plain = Ontology("http://x.org/p", "global", "p", "1", SPACE + "A", (Concept(SPACE + "A", "", "a"),), ())
    write(plain, tmp_path / "a.ttl")
    text = (tmp_path / "a.ttl").read_text(encoding="utf-8")
    assert "obo" not in text and "deprecated" not in text and "isReplacedBy" not in text


def test_a_class_of_ours_that_people_deprecate(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path)
    path.write_text(path.read_text(encoding="utf-8") + ":Flood owl:deprecated true .\n", encoding="utf-8")
    found = load(path)
    assert BASE + "Flood" in {c.iri for c in found.ontology.deprecated}
    assert (
        Relation(BASE + "FlashFlood", "subclass_of", BASE + "Root", evidence="over a deprecated class")
        in found.ontology.relations
    )
    assert found.report.skipped == {"relation of a deprecated class": 5}
    path.write_text(path.read_text(encoding="utf-8") + ":Root owl:deprecated true .\n", encoding="utf-8")
    with pytest.raises(OwlError, match=r"root .* is deprecated"):
        read(path)


def test_a_file_of_deprecated_classes_only_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OwlError, match="all its 1 classes are deprecated"):
        opened(tmp_path, HEAD + ":A a owl:Class ; owl:deprecated true .")


def test_the_linter_leaves_them_out(tmp_path: Path) -> None:
    opened(tmp_path)
    findings = lint.lint_file(tmp_path / "a.ttl")
    assert not [f for f in findings if any(name in f.place for name in ("Inundation", "Older", "Obsolete"))]


def test_joining_keeps_them_and_prefers_what_is_live() -> None:
    def made(iri: str, live: str, *gone: str) -> Ontology:
        concepts = (Concept(f"http://x.org/{live}", "", live),)
        deprecated = tuple(Concept(f"http://x.org/{name}", "", name) for name in gone)
        return Ontology(iri, "global", "t", "1", concepts[0].iri, concepts, (), deprecated=deprecated)

    whole = join(
        [made("http://a.org", "rain", "snow", "hail"), made("http://b.org", "snow", "fog")], iri="http://j.org"
    ).ontology
    assert {c.label_en for c in whole.deprecated} == {"hail", "fog"}
    assert {"rain", "snow"} <= {c.label_en for c in whole.concepts}


def test_a_class_is_live_or_deprecated() -> None:
    a = Concept("a", "甲")
    with pytest.raises(ValueError, match="same IRI: a"):
        Ontology("o", "global", "t", "1", "a", (a,), (), deprecated=(a,))


def test_what_is_for_files_only_does_not_make_an_old_graph_another() -> None:
    a = Ontology("o", "global", "t", "1", "a", (Concept("a", "甲"),), ())
    gone = Ontology("o", "global", "t", "1", "a", (Concept("a", "甲"),), (), deprecated=(Concept("b", "乙"),))
    assert digest(a) == digest(gone)

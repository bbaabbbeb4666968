"""Digests of files, which editing changes and saving does not; and statements beyond the model, which are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, BNode, Literal, URIRef

from ontology.owl import load, reader, write
from ontology.owl.additions import digest, readable, stated_digest
from tests.ontology.owl.samples import BASE, HEADER, ontology

NAMES = {".ttl": "turtle", ".rdf": "xml"}
FLOOD, STORM = URIRef(f"{BASE}Flood"), URIRef(f"{BASE}Storm")


def saved_anew(path: Path, *added: tuple[rdflib.term.Node, URIRef, rdflib.term.Node]) -> None:
    """Save a file as another program does, with further statements."""
    name = NAMES[path.suffix]
    graph = rdflib.Graph().parse(path, format=name)
    for triple in added:
        graph.add(triple)
    graph.serialize(path, format=name, encoding="utf-8")


@pytest.mark.parametrize("suffix", NAMES)
def test_a_file_saved_by_another_program_has_its_digest(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    write(ontology(), path, HEADER, sealed=True)
    before = path.read_bytes()
    saved_anew(path)
    assert path.read_bytes() != before
    triples = reader.parse(path)
    assert digest(triples) == stated_digest(triples) != ""
    saved_anew(path, (FLOOD, RDFS.comment, Literal("seen")))
    triples = reader.parse(path)
    assert digest(triples) != stated_digest(triples)


@pytest.mark.parametrize("suffix", NAMES)
def test_statements_beyond_the_model_go_into_the_next_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    write(ontology(), path, HEADER, sealed=True)
    node, own = BNode(), URIRef("https://example.org/own#affects")
    axiom = BNode()
    added = [
        (FLOOD, RDFS.comment, Literal("looked at")),
        (FLOOD, OWL.disjointWith, STORM),
        (own, RDF.type, OWL.ObjectProperty),
        (FLOOD, RDFS.subClassOf, node),
        (node, RDF.type, OWL.Restriction),
        (node, OWL.onProperty, own),
        (node, OWL.allValuesFrom, STORM),
        (FLOOD, own, Literal("近海", "zh")),
        (axiom, RDF.type, OWL.Axiom),
        (axiom, OWL.annotatedSource, FLOOD),
        (axiom, OWL.annotatedProperty, RDFS.subClassOf),
        (axiom, OWL.annotatedTarget, URIRef(f"{BASE}Root")),
        (axiom, RDFS.comment, Literal("agreed in May")),
    ]
    saved_anew(path, *added)
    loaded = load(path)
    for other in NAMES:
        again = tmp_path / f"b{other}"
        write(loaded.ontology, again, loaded.header, additions=loaded.additions, sealed=True)
        wanted = rdflib.Graph().parse(path, format=NAMES[suffix])
        found = rdflib.Graph().parse(again, format=NAMES[other])
        missing = [t for t in added if not any(isinstance(n, BNode) for n in t) and t not in found]
        assert not missing
        (restriction,) = found.subjects(OWL.onProperty, own)
        assert (FLOOD, RDFS.subClassOf, restriction) in found
        assert list(found.subjects(RDFS.comment, Literal("agreed in May")))
        assert len(found) >= len(wanted) - 1
        assert set(load(again).additions) == set(loaded.additions)
        assert load(again).ontology == loaded.ontology


def test_annotations_of_an_axiom_that_was_struck_out_are_no_additions(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path, sealed=True)
    text = path.read_text(encoding="utf-8")
    line = "    rdfs:subClassOf :Root ;\n"
    start = text.index(":Flood a owl:Class")
    path.write_text(text[:start] + text[start:].replace(line, "", 1), encoding="utf-8")
    loaded = load(path)
    assert not any((r.source, r.target) == (str(FLOOD), f"{BASE}Root") for r in loaded.ontology.relations)
    assert len(loaded.additions) == 0


def test_a_second_label_is_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path, sealed=True)
    built = reader.parse(path)
    saved_anew(path, (FLOOD, RDFS.label, Literal("flooding", "en")))
    labels = {
        str(getattr(o, "value", o)) for o in readable(reader.parse(path), built).objects(str(FLOOD), str(RDFS.label))
    }
    assert "flooding" in labels
    assert "flood" not in labels

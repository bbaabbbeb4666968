"""The SKOS view: what it keeps, what it says that it leaves out, and SKOS's own integrity conditions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import SKOS

from ontology.model import Concept, Ontology
from ontology.owl import Header, OwlError, canonical, load, read, skos, write_skos
from ontology.owl.foreign import cuts
from tests.ontology.owl.samples import BASE, HEADER, RDF_FORMATS, headers, ontologies, ontology


def viewed(value: Ontology) -> Ontology:
    """What the view can keep of an ontology."""
    bare = {
        replace(r, support=None, confidence=None, evidence="", documents=(), sentence="")
        for r in canonical(value).relations
    }
    concepts, deprecated = (tuple(map(_viewed, part)) for part in (value.concepts, value.deprecated))
    return canonical(replace(value, concepts=concepts, deprecated=deprecated, relations=tuple(bare)))


def _viewed(concept: Concept) -> Concept:
    """SKOS has no alternative label that is the preferred one, in any language."""
    labels = {(text.language, text.text) for text in concept.texts if text.role == "label"}
    return replace(
        concept,
        texts=tuple(t for t in concept.texts if t.role != "synonym" or (t.language, t.text) not in labels),
        alt_zh=tuple(a for a in concept.alt_zh if a != concept.label_zh),
        alt_en=tuple(a for a in concept.alt_en if a != concept.label_en),
        candidates=(),
    )


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(ontologies(), headers, st.sampled_from(RDF_FORMATS))
def test_any_view_comes_back(
    tmp_path_factory: pytest.TempPathFactory, value: Ontology, header: Header, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("skos") / f"a{suffix}"
    write_skos(value, path, header)
    found = load(path)
    cut = on_cycles(value)
    kept = tuple(r for r in value.relations if r.kind != "subclass_of" or (r.source, r.target) not in cut)
    assert found.ontology == viewed(replace(value, relations=kept)) == read(path)
    assert found.header == header
    assert found.own and (cut or found.report.skipped == {})


def on_cycles(value: Ontology) -> set[tuple[str, str]]:
    """The broader concepts that would close a cycle, which the hierarchy of a thesaurus leaves out."""
    same = [pair for r in value.edges("equivalent_to") for pair in ((r.source, r.target), (r.target, r.source))]
    return cuts([(r.source, r.target) for r in value.edges("subclass_of")], same)


def test_what_a_thesaurus_tool_sees(tmp_path: Path) -> None:
    write_skos(ontology(), tmp_path / "a.ttl", HEADER)
    graph = rdflib.Graph().parse(tmp_path / "a.ttl")
    scheme, root, flood = (rdflib.URIRef(iri) for iri in (ontology().iri, BASE + "Root", BASE + "Flood"))
    assert set(graph.objects(scheme, SKOS.hasTopConcept)) == {root}
    every = (*ontology().concepts, *ontology().deprecated)
    assert set(graph.subjects(SKOS.inScheme, scheme)) == {rdflib.URIRef(c.iri) for c in every}
    assert set(graph.objects(flood, SKOS.broader)) == {root}
    assert {(s, o) for s, o in graph.subject_objects(SKOS.broader)} == {
        (o, s) for s, o in graph.subject_objects(SKOS.narrower)
    }
    assert str(graph.value(flood, SKOS.prefLabel)) in ("概念Flood", "flood", "Flut", "enchente")
    assert {str(o) for o in graph.objects(flood, SKOS.altLabel)} == {"水灾", "洪灾", "floods", "Überschwemmung"}


def test_what_it_leaves_out_is_counted_and_s13_holds(tmp_path: Path) -> None:
    concepts = [replace(c, alt_zh=(*c.alt_zh, c.label_zh)) for c in ontology().concepts if c.label_zh]
    value = replace(ontology(), concepts=(*concepts, ontology().concepts[5]))
    assert skos.left_out(value) == {
        "evidence of a relation": 6, "other name that equals the label": 5, "candidate of a definition": 3,
    }  # fmt: skip
    write_skos(value, tmp_path / "a.nt")
    graph = rdflib.Graph().parse(tmp_path / "a.nt", format="nt")
    labels = set(graph.subject_objects(SKOS.prefLabel))
    assert labels and labels.isdisjoint(graph.subject_objects(SKOS.altLabel))


@pytest.mark.parametrize("suffix", [".ofn", ".owx"])
def test_owl_syntaxes_have_no_place_for_it(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(OwlError, match="SKOS is RDF: write it as one of turtle"):
        write_skos(ontology(), tmp_path / f"a{suffix}")
    assert list(tmp_path.iterdir()) == []

"""Other tools open what we write: rdflib all four RDF formats, owlready2 two, py-horned-owl the other two."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import owlready2
import pyhornedowl
import pytest
import rdflib
from rdflib.compare import isomorphic

from ontology.owl import OwlError, canonical, load, reader, write
from ontology.owl.shacl import check
from tests.ontology.owl.samples import BASE, RDF_FORMATS, ontology

_OC = "https://w3id.org/ontocrawl/vocabulary#"


def test_rdflib_reads_the_same_graph_from_all_four(tmp_path: Path) -> None:
    graphs = []
    for suffix, name in zip(RDF_FORMATS, ("turtle", "xml", "nt", "json-ld"), strict=True):
        write(ontology(), tmp_path / f"a{suffix}")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("warnings.warn", lambda *a, **k: None)  # rdflib's JSON-LD parser warns of rdflib
            graphs.append(rdflib.Graph().parse(tmp_path / f"a{suffix}", format=name))
    assert len(graphs[0]) > 100
    assert all(isomorphic(graphs[0], other) for other in graphs[1:])
    flood = rdflib.URIRef(BASE + "Flood")
    assert (flood, rdflib.SKOS.altLabel, rdflib.Literal("水灾", lang="zh")) in graphs[3]


@pytest.mark.parametrize("suffix", [".rdf", ".nt"])
def test_owlready2_opens_them(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"test{suffix}"
    write(ontology(), path)
    world = owlready2.World()
    opened = world.get_ontology(path.as_uri()).load(only_local=True)
    classes = {c.iri: c for c in opened.classes()}
    assert set(classes) == {c.iri for c in (*ontology().concepts, *ontology().deprecated)}
    flood, rainstorm, root = classes[BASE + "Flood"], classes[BASE + "Rainstorm"], classes[BASE + "Root"]
    assert root in flood.is_a
    assert sorted(map(str, flood.label)) == ["Flut", "enchente", "flood", "概念Flood"]
    assert world[_OC + "causes"].some(flood) in rainstorm.is_a
    assert classes[BASE + "Deluge"] in flood.INDIRECT_equivalent_to

    def said(name: str) -> list[Any]:
        return sorted(world[_OC + name][flood, owlready2.rdfs_subclassof, root])

    assert said("support") == [12]
    assert said("confidence") == [2 / 3]
    assert said("evidence") == ['documents "a" & <b>\n第二行']
    assert said("document") == ["d1", "d2"]
    assert said("sentence") == ["洪水是一种“灾害”。"]


@pytest.mark.parametrize(("suffix", "name"), [(".ofn", "ofn"), (".owx", "owx")])
def test_py_horned_owl_opens_the_others(tmp_path: Path, suffix: str, name: str) -> None:
    path = tmp_path / f"test{suffix}"
    write(ontology(), path)
    opened = pyhornedowl.open_ontology_from_file(str(path), name)
    assert opened.get_classes() == {c.iri for c in (*ontology().concepts, *ontology().deprecated)}
    assert str(opened.get_iri()) == ontology().iri
    assert str(opened.get_version_iri()) == f"{ontology().iri}/1.2.0"
    assert set(opened.get_superclasses(BASE + "Flood")) == {BASE + "Root"}
    assert opened.get_object_properties() == {_OC + "partOf", _OC + "causes", _OC + "measuredBy"}


def test_functional_syntax_is_short(tmp_path: Path) -> None:
    write(ontology(), tmp_path / "a.ofn")
    text = (tmp_path / "a.ofn").read_text(encoding="utf-8")
    assert "SubClassOf(:Rainstorm ObjectSomeValuesFrom(oc:causes :FlashFlood))" in text


def test_no_reader_of_ours_opens_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something tried to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    turtle = tmp_path / "a.ttl"
    write(ontology(), turtle)
    said = "<https://w3id.org/ontocrawl/test> owl:imports <http://nowhere.invalid/other> ."
    turtle.write_text(turtle.read_text(encoding="utf-8") + said, encoding="utf-8")
    remote = tmp_path / "a.jsonld"
    remote.write_text('{"@context": "http://nowhere.invalid/c.jsonld", "@id": "http://x"}', encoding="utf-8")
    for library in ("pyoxigraph", "rdflib"):
        if library == "rdflib":
            monkeypatch.setattr(reader, "find_spec", lambda name: None)
        found = load(turtle)
        assert found.ontology == canonical(ontology())
        assert found.report.imports == ("http://nowhere.invalid/other",)
        assert [f.message for f in check(turtle)] == ["our ontologies import nothing"]
        with pytest.raises(OwlError, match=r"nowhere\.invalid.* never fetched"):
            load(remote)

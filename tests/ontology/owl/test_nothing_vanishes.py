"""Every statement of a file is used, carried or counted: round trips of random statements in each format."""

from __future__ import annotations

import os
from collections.abc import Set
from pathlib import Path

import pytest
from hypothesis import given, settings

from ontology import owl
from ontology.owl import formats, horned, plain_formats, reader
from ontology.owl.triples import Triple, Triples, canonical_names, renamed
from tests.ontology.owl.statements import obo_files, owl_files, skos_files

EXAMPLES = int(os.environ.get("ONTOCRAWL_RANDOM_ONTOLOGIES", "12"))
"""Number of random ontologies of each format; set it to 1700 or more after a change of a reader or writer."""
random_files = settings(max_examples=EXAMPLES, deadline=None)


def graph(triples: Triples) -> Set[Triple]:
    return set(renamed(triples, canonical_names(triples)))


def lost(loaded: owl.Loaded, text: str, name: str) -> Set[Triple]:
    """Statements that a conversion lacks, without those in whose place others are written, and notes on these."""
    names = canonical_names(loaded.source)
    source = renamed(loaded.source, names)
    replaced = set(renamed(loaded.replaced, names))
    notes = {node for ends, nodes in source.annotated().items() if ends in replaced for node in nodes}
    gone = set(source) - graph(reader.parse_bytes(text.encode(), Path(name))) - replaced
    return {triple for triple in gone if triple[0] not in notes}


def of_text(text: str, name: str, folder: Path) -> owl.Loaded:
    (folder / name).write_text(text, encoding="utf-8")
    return owl.load(folder / name)


def check(text: str, name: str, folder: Path, *, as_skos: bool = False) -> owl.Converted:
    """Read a file, write it in its own format, twice; what is lost is counted, and the second time nothing is."""
    loaded = of_text(text, name, folder)
    format_ = formats.of_path(Path(name))
    first = owl.convert(loaded, format_.name, as_skos=as_skos)
    gone = lost(loaded, first.text, name)
    assert not gone or sum(first.left_out.values()), gone
    assert not gone or format_.name not in formats.RDF, gone
    again = of_text(first.text, name, folder)
    second = owl.convert(again, format_.name, as_skos=as_skos)
    gone = lost(again, second.text, name)
    assert not gone, gone
    come = graph(reader.parse_bytes(second.text.encode(), Path(name))) - graph(again.source)
    assert not come, come
    assert owl.convert(of_text(second.text, name, folder), format_.name, as_skos=as_skos).text == second.text
    return first


@random_files
@given(owl_files())
def test_turtle(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    check(text, "a.ttl", tmp_path_factory.mktemp("a"))


@random_files
@given(owl_files())
def test_rdf_xml(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    said = plain_formats.rdf_xml(reader.parse_bytes(text.encode(), Path("a.ttl")))
    check(said, "a.rdf", tmp_path_factory.mktemp("a"))


@random_files
@given(skos_files())
def test_skos(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    check(text, "a.ttl", tmp_path_factory.mktemp("a"), as_skos=True)


@random_files
@given(owl_files())
def test_owl_xml(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    said = horned.serialise(reader.parse_bytes(text.encode(), Path("a.ttl")), horned.OWL_XML)
    check(said, "a.owx", tmp_path_factory.mktemp("a"))


@random_files
@given(obo_files())
def test_obo(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    check(text, "a.obo", tmp_path_factory.mktemp("a"))


@random_files
@given(obo_files())
def test_obo_graphs(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    triples = reader.parse_bytes(text.encode(), Path("a.obo"))
    check(formats.BY_NAME[formats.OBO_GRAPHS].write(triples), "a.json", tmp_path_factory.mktemp("a"))

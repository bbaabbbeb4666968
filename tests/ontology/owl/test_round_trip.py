"""OWL files: nothing is lost, in any format and between them; files are byte-equal whenever they are written."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.model import Concept, Ontology, Relation
from ontology.owl import SUFFIXES, Header, canonical, load, read, reader, write
from tests.ontology.owl.samples import (
    BASE,
    FORMATS,
    HEADER,
    OBO_FORMATS,
    RDF_FORMATS,
    headers,
    of_obo,
    ontologies,
    ontology,
)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_round_trip_loses_nothing(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"test{suffix}"
    write(ontology(), path, HEADER)
    found = load(path)
    of_file = suffix in OBO_FORMATS
    assert found.ontology == canonical(of_obo(ontology()) if of_file else ontology()) == read(path)
    assert found.own and found.header == (replace(HEADER, documents={}) if of_file else HEADER)
    assert (found.report.skipped, found.report.notes) == ({}, ())
    write(found.ontology, tmp_path / f"again{suffix}", found.header)
    assert (tmp_path / f"again{suffix}").read_bytes() == path.read_bytes()


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(ontologies(), headers, st.permutations(FORMATS))
def test_any_ontology_goes_through_all_formats(
    tmp_path_factory: pytest.TempPathFactory, value: Ontology, header: Header, order: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("owl")
    now, people = value, header
    for suffix in order:
        write(now, folder / f"any{suffix}", people)
        found = load(folder / f"any{suffix}")
        assert found.ontology == canonical(value), suffix
        assert found.header == header, suffix
        assert found.report.skipped == {}, suffix
        now, people = found.ontology, found.header


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(ontologies(), headers, st.sampled_from(RDF_FORMATS))
def test_the_same_without_pyoxigraph(
    tmp_path_factory: pytest.TempPathFactory, value: Ontology, header: Header, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("owl") / f"any{suffix}"
    write(value, path, header)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "find_spec", lambda name: None)
        patch.setattr(reader, "_by_pyoxigraph", None)
        found = load(path)
    assert (found.ontology, found.header) == (canonical(value), header)


def test_canonical_is_one_form() -> None:
    value = ontology()
    mixed = replace(value, concepts=value.concepts[::-1], relations=value.relations[::-1])
    assert canonical(mixed) == canonical(value)
    assert canonical(canonical(value)) == canonical(value)
    turned = [replace(r, source=r.target, target=r.source) if r.kind == "equivalent_to" else r for r in value.relations]
    assert canonical(replace(value, relations=tuple(turned))) == canonical(value)


def test_a_doubled_edge_keeps_each_evidence_and_drops_the_bare_one(tmp_path: Path) -> None:
    ends = (BASE + "Flood", "subclass_of", BASE + "Root")
    bare, counted, told = Relation(*ends), Relation(*ends, support=3), Relation(*ends, evidence="pattern")  # type: ignore[arg-type]
    value = replace(ontology(), relations=(told, bare, counted))
    assert set(canonical(value).relations) == {counted, told}
    for suffix in FORMATS:
        write(value, tmp_path / f"a{suffix}")
        assert set(read(tmp_path / f"a{suffix}").relations) == {counted, told}, suffix


def test_a_class_may_lack_either_label_or_both(tmp_path: Path) -> None:
    named = Concept(BASE + "Root", "", "root"), Concept(BASE + "A", "", None), Concept(BASE + "B", "乙", "")
    value = replace(ontology(), concepts=named, relations=())
    for suffix in FORMATS:
        write(value, tmp_path / f"a{suffix}")
        found = {c.iri: (c.label_zh, c.label_en) for c in read(tmp_path / f"a{suffix}").concepts}
        assert found == {BASE + "Root": ("", "root"), BASE + "A": ("", None), BASE + "B": ("乙", None)}


@pytest.mark.slow
def test_files_are_byte_equal_in_another_process(tmp_path: Path) -> None:
    for suffix in FORMATS:
        write(ontology(), tmp_path / f"a{suffix}")
    code = (
        "import sys; from pathlib import Path; from ontology.owl import read, write\n"
        "folder = Path(sys.argv[1])\n"
        "for path in list(folder.glob('a.*')): write(read(path), folder / f'b{path.suffix}')"
    )
    root = Path(__file__).parents[3]
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": str(root)}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=environment, cwd=root)
    for suffix in FORMATS:
        assert (tmp_path / f"b{suffix}").read_bytes() == (tmp_path / f"a{suffix}").read_bytes(), suffix


def _lines(value: Ontology, path: Path) -> list[str]:
    write(value, path)
    return path.read_text(encoding="utf-8").splitlines()


def test_a_small_change_is_a_small_difference(tmp_path: Path) -> None:
    before = _lines(ontology(), tmp_path / "a.ttl")
    concepts = list(ontology().concepts)
    concepts[1] = replace(concepts[1], alt_zh=(*concepts[1].alt_zh, "大水"))
    after = _lines(replace(ontology(), concepts=tuple(concepts)), tmp_path / "a.ttl")
    assert [line for line in after if line not in before] == ['    skos:altLabel "大水"@zh ;']
    assert len(after) == len(before) + 1
    relations = (*ontology().relations, Relation(BASE + "Storm", "part_of", BASE + "Rainstorm"))
    after = _lines(replace(ontology(), relations=relations), tmp_path / "a.ttl")
    said = "    rdfs:subClassOf [ a owl:Restriction ; owl:onProperty oc:partOf ; owl:someValuesFrom :Rainstorm ] ;"
    assert [line for line in after if line not in before] == [said]
    assert len(after) == len(before) + 1


def test_what_people_added_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path)
    added = (
        ":Flood rdfs:seeAlso <http://x/> ; owl:disjointWith :Storm .\n"
        ":Storm rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :hasWind ; owl:allValuesFrom :Root ] .\n"
        ":hasWind a owl:ObjectProperty . :haiyan a owl:NamedIndividual, :Storm .\n"
        "<https://w3id.org/ontocrawl/test> owl:imports <http://nowhere.invalid/other> ; rdfs:seeAlso <http://x/> .\n"
    )
    path.write_text(path.read_text(encoding="utf-8") + added, encoding="utf-8")
    found = load(path)
    assert found.ontology == canonical(ontology()) == read(path)
    assert found.report.skipped == {
        "header: rdfs:seeAlso": 1,
        "individual": 1,
        "object property": 1,
        "owl:disjointWith": 1,
        "rdfs:seeAlso": 1,
        "rdfs:subClassOf only test:hasWind": 1,
    }
    assert found.report.examples["owl:disjointWith"] == (BASE + "Flood",)
    assert found.report.imports == ("http://nowhere.invalid/other",)

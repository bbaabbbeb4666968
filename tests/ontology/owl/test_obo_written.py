"""OBO flat files and OBO graphs that we write: they hold everything, and other tools find the texts where they look."""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from ontology.model import Concept, Ontology, OtherText, Relation, ScopedName
from ontology.owl import Header, OwlError, canonical, left_out, load, text, write
from tests.ontology.owl.samples import BASE, HEADER, headers, of_obo, ontologies, ontology, without_returns

LANGUAGE = "http://purl.org/dc/terms/language"


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(ontologies(), headers)
def test_any_ontology_survives_a_flat_file(
    tmp_path_factory: pytest.TempPathFactory, value: Ontology, header: Header
) -> None:
    path = tmp_path_factory.mktemp("obo") / "any.obo"
    write(value, path, header)
    found = load(path)
    assert found.ontology == canonical(of_obo(without_returns(value)))
    assert found.header == replace(without_returns(header), documents={})
    assert (found.report.skipped, found.own) == ({}, True)
    held = "carriage return in a text, written as a line feed"
    said = [*texts_of(value), *texts_of(header)]
    assert (held in left_out(value, "obo", header)) is any("\r" in text for text in said)


def texts_of(value: object) -> list[str]:
    """All texts in a value of the model."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple | list):
        return [text for part in value for text in texts_of(part)]
    if isinstance(value, dict):
        return texts_of([*value.values()])
    return texts_of(asdict(value)) if is_dataclass(value) and not isinstance(value, type) else []


def test_one_label_in_two_languages_stays_in_both(tmp_path: Path) -> None:
    concept = Concept(f"{BASE}a", "GIS", "GIS")
    value = Ontology(BASE[:-1], "global", "t", "1", concept.iri, (concept,), ())
    for suffix in (".obo", ".json"):
        write(value, tmp_path / f"a{suffix}")
        assert load(tmp_path / f"a{suffix}").ontology.concepts == (concept,)


def test_a_flat_file_as_people_read_it() -> None:
    said = text(ontology(), "obo", HEADER)
    assert said.startswith(
        "format-version: 1.4\ndata-version: 1.2.0\n"
        'idspace: dcterms http://purl.org/dc/terms/ ""\n'
        'idspace: oc https://w3id.org/ontocrawl/vocabulary# ""\n'
        'idspace: test https://w3id.org/ontocrawl/test# ""\n'
        "ontology: https://w3id.org/ontocrawl/test\n"
    )
    flood = said[said.index("id: test:Flood\n") :]
    assert flood[: flood.index("\n\n")].splitlines() == [
        "id: test:Flood",
        "name: flood",
        'def: "Water." []',
        'synonym: "floods" NARROW []',
        'synonym: "floods" RELATED []',
        'synonym: "Überschwemmung" RELATED [] {dcterms:language="de"}',
        'synonym: "水灾" BROAD [] {dcterms:language="zh"}',
        'synonym: "洪灾" EXACT [] {dcterms:language="zh"}',
        "xref: MESH:D055868",
        "xref: https://example.org/a\\Wflood",
        'property_value: rdfs:label "Flut" xsd:string {dcterms:language="de"}',
        'property_value: rdfs:label "enchente" xsd:string {dcterms:language="pt-BR"}',
        'property_value: rdfs:label "概念Flood" xsd:string {dcterms:language="zh"}',
        'property_value: IAO:0000115 "Wasser, wo keins sein soll." xsd:string {dcterms:language="de"}',
        'property_value: IAO:0000115 "水。" xsd:string {dcterms:language="zh"}',
        ('is_a: test:Root {oc:support="12", oc:confidence="0.6666666666666666", '
        'oc:evidence="documents \\"a\\" & <b>\\n第二行", oc:document="d1", oc:document="d2", '
        'oc:sentence="洪水是一种“灾害”。"}'),
        ('relationship: oc:measuredBy test:Storm {oc:support="1", oc:evidence="cue 测量", oc:document="d1", '
        'oc:sentence="洪水由其测量。"}'),
    ]  # fmt: skip
    gone = said[said.index("id: test:Inundation\n") :]
    assert "\nis_obsolete: true\nreplaced_by: test:Flood\n" in gone[: gone.index("\n\n") + 1]
    assert 'property_value: IAO:0100001 "TEST:7" xsd:string' in gone[: gone.index("\n\n")]


def test_a_graph_as_programs_read_it() -> None:
    (graph,) = json.loads(text(ontology(), "obographs", HEADER))["graphs"]
    assert (graph["id"], graph["meta"]["version"]) == (ontology().iri, f"{ontology().iri}/1.2.0")
    nodes = {node["id"]: node for node in graph["nodes"]}
    flood, storm = nodes[BASE + "Flood"], nodes[BASE + "Storm"]
    assert (flood["lbl"], flood["type"], flood["meta"]["definition"]) == ("flood", "CLASS", {"val": "Water."})
    chinese = {"basicPropertyValues": [{"pred": LANGUAGE, "val": "zh"}]}
    assert {"pred": "hasExactSynonym", "val": "洪灾", "meta": chinese} in flood["meta"]["synonyms"]
    assert {"pred": "hasNarrowSynonym", "val": "floods"} in flood["meta"]["synonyms"]
    label = {"pred": "http://www.w3.org/2000/01/rdf-schema#label", "val": "概念Flood", "meta": chinese}
    assert label in flood["meta"]["basicPropertyValues"]
    assert storm == {"id": BASE + "Storm", "lbl": "storm", "type": "CLASS"}
    assert nodes["https://w3id.org/ontocrawl/vocabulary#causes"]["propertyType"] == "OBJECT"
    assert {"sub": BASE + "Storm", "pred": "is_a", "obj": BASE + "Root"} in graph["edges"]
    assert [row["nodeIds"] for row in graph["equivalentNodesSets"]] == [[BASE + "Deluge", BASE + "Flood"]]
    assert nodes[BASE + "Tide"]["meta"] == {"deprecated": True}


OBO = "http://purl.obolibrary.org/obo/"


@pytest.mark.parametrize("suffix", [".obo", ".json"])
def test_identifiers_of_obo_and_texts_that_their_letters_mislead(tmp_path: Path, suffix: str) -> None:
    gps = Concept(OBO + "X_1", "GPS", "雨 gauge", ("WWW",), ("台 fung",), texts=(OtherText("label", "ja", "台風"),))
    gps = replace(gps, scopes=(ScopedName("related", "zh", "WWW"),), definition="GNSS", definition_en="定位 system")
    named = (
        gps,
        Concept(OBO + "X_2", "", None),
        Concept(OBO + "a_b_1", "", " x"),
        Concept("http://y.org/X_1", "", "y"),
    )
    edges = tuple(Relation(c.iri, "subclass_of", gps.iri) for c in named[1:])
    value = Ontology(OBO + "x.owl", "global", "x", "2024", gps.iri, named, edges)
    write(value, tmp_path / f"a{suffix}")
    assert load(tmp_path / f"a{suffix}").ontology == canonical(value)
    if suffix == ".obo":
        said = (tmp_path / "a.obo").read_text(encoding="utf-8")
        assert "ontology: x\n" in said and "id: X:2\nis_a: X:1\n" in said


def test_an_iri_that_obo_takes_for_an_identifier_is_refused() -> None:
    root = Concept("tag:x.org,2024:a", "", "a")
    value = Ontology("http://x.org/x", "global", "x", "1", root.iri, (root,), ())
    with pytest.raises(OwlError, match="identifier with a prefix in OBO"):
        text(value, "obo")


def test_a_name_that_people_changed_is_read(tmp_path: Path) -> None:
    said = text(ontology(), "obo").replace("name: rainstorm\n", "name: heavy rain\n")
    (tmp_path / "a.obo").write_text(said, encoding="utf-8")
    assert load(tmp_path / "a.obo").ontology.by_iri[BASE + "Rainstorm"].label_en == "heavy rain"


def test_a_file_that_another_program_made_of_ours(tmp_path: Path) -> None:
    """OBO tools write the language of a text as what it is to them, an annotation of the statement."""
    write(ontology(), tmp_path / "a.ttl", HEADER)
    said = (tmp_path / "a.ttl").read_text(encoding="utf-8")
    marks = []
    rows = (("rdfs:label", "Flut", "de"), ("rdfs:label", "概念Flood", "zh"), ("dcterms:title", "测试本体", "zh"))
    for property_, words, tag in rows:
        subject = f"<{ontology().iri}>" if tag == "zh" and property_ == "dcterms:title" else ":Flood"
        assert f'{property_} "{words}"@{tag}' in said
        said = said.replace(f'{property_} "{words}"@{tag}', f'{property_} "{words}"')
        marks.append(
            f"[] a owl:Axiom ; owl:annotatedSource {subject} ; owl:annotatedProperty {property_} ;\n"
            f'    owl:annotatedTarget "{words}" ; dcterms:language "{tag}" .\n'
        )
    said = said.replace('rdfs:label "flood"@en', 'rdfs:label "flood"') + "".join(marks)
    (tmp_path / "b.ttl").write_text(said, encoding="utf-8")
    found = load(tmp_path / "b.ttl")
    assert (found.ontology, found.header) == (canonical(ontology()), HEADER)
    assert found.report.skipped == {}

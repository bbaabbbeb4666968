"""Foreign ontologies: labels, hierarchy, one root, no cycles, and a report of what was left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.concept_graph import ConceptGraph
from ontology.model import OtherText
from ontology.owl import Loaded, OwlError, load, read, write
from ontology.owl.foreign import _Edge, _rooted, _without_cycles

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "ontologies"
HEAD = """\
@prefix : <http://x.org/hazards#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
"""


def opened(tmp_path: Path, text: str, name: str = "a.ttl") -> Loaded:
    path = tmp_path / name
    path.write_text(HEAD + text, encoding="utf-8")
    return load(path)


def edges(found: Loaded) -> set[tuple[str, str, str]]:
    ends = found.ontology.relations
    return {(r.source.rsplit("#", 1)[1], r.kind, r.target.rsplit("#", 1)[1]) for r in ends}


def test_names_in_two_languages_others_reported(tmp_path: Path) -> None:
    found = opened(
        tmp_path,
        ':Flood a owl:Class ; rdfs:label "flood", "inundation  of\\nland", "洪水" ; skos:prefLabel "Flut"@de ;\n'
        ' rdfs:label "水灾"@zh-Hans ; oio:hasExactSynonym "deluge"@en-GB ; skos:altLabel "大水"@zh ;\n'
        ' rdfs:comment "Water where it should not be." ; skos:definition "水。"@zh-CN, "Wasser."@de .',
    )
    (flood,) = found.ontology.concepts
    assert (flood.label_en, flood.alt_en) == ("flood", ("deluge", "inundation of land"))
    assert (flood.label_zh, flood.alt_zh) == ("水灾", ("大水", "洪水"))
    assert (flood.definition, flood.definition_en) == ("水。", "Water where it should not be.")
    assert found.report.skipped == {}
    assert tuple(text for text in flood.texts if not text.view) == (
        OtherText("definition", "de", "Wasser."), OtherText("label", "de", "Flut"),
    )  # fmt: skip
    assert not found.own
    assert found.ontology.iri == "http://x.org/hazards"
    assert any("no header" in said for said in found.report.notes)


def test_several_roots_get_a_virtual_one_and_imports_are_named(tmp_path: Path) -> None:
    found = opened(
        tmp_path,
        '<http://x.org/hazards> a owl:Ontology ; owl:imports <http://nowhere.invalid/a> ; dcterms:title "Hazards" ;\n'
        ' owl:versionInfo "2" ; dcterms:license <http://x.org/by> ; dcterms:created "04-24-2024" ;\n'
        ' dcterms:creator [ rdfs:label "A. Person" ], [ ] .\n'
        ":A a owl:Class . :B a owl:Class ; rdfs:subClassOf :Elsewhere, owl:Thing .",
    )
    assert edges(found) == {
        ("A", "subclass_of", "virtual-root"),
        ("B", "subclass_of", "Elsewhere"),
        ("Elsewhere", "subclass_of", "virtual-root"),
    }
    whole = found.ontology
    assert whole.by_iri[whole.root].label_en == "Hazards"
    assert (whole.title_en, whole.version, whole.licence, whole.topic) == ("Hazards", "2", "http://x.org/by", "hazards")
    assert found.header.creators == ("A. Person",)
    assert found.report.imports == ("http://nowhere.invalid/a",)
    assert found.report.skipped == {
        "creator without a name": 1, "header: dcterms:created": 1, "rdfs:subClassOf owl:Thing": 1,
    }  # fmt: skip
    said = " ".join(found.report.notes)
    assert "2 classes have no superclass" in said and "1 class is named here and declared elsewhere" in said


def test_expressions_give_what_we_have_a_relation_for(tmp_path: Path) -> None:
    some = "[ a owl:Restriction ; owl:onProperty {} ; owl:someValuesFrom :B ]"
    found = opened(
        tmp_path,
        ":broader rdfs:subPropertyOf skos:broader . :Top a owl:Class . :B a owl:Class ; rdfs:subClassOf :Top .\n"
        f":Whole a owl:Class ; rdfs:subClassOf :Top, {some.format(':partOf')}, {some.format(':causes')}, "
        f"{some.format(':isMeasuredBy')} .\n"
        f":Below a owl:Class ; rdfs:subClassOf {some.format(':broader')} .\n"
        f":Defined a owl:Class ; owl:equivalentClass [ owl:intersectionOf ( :B :Top {some.format(':near')} ) ] .\n"
        f":Other a owl:Class ; rdfs:subClassOf :Top, {some.format(':near')}, [ owl:unionOf ( :B :Top ) ] .\n"
        ":i a :B, owl:NamedIndividual . [] a owl:AllDisjointClasses ; owl:members ( :B :Below ) .",
    )
    assert edges(found) == {
        ("B", "subclass_of", "Top"),
        ("Whole", "subclass_of", "Top"),
        ("Whole", "part_of", "B"),
        ("Whole", "causes", "B"),
        ("Whole", "measured_by", "B"),
        ("Below", "subclass_of", "B"),
        ("Defined", "subclass_of", "B"),
        ("Defined", "subclass_of", "Top"),
        ("Other", "subclass_of", "Top"),
    }
    assert found.report.skipped == {
        "individual": 1,
        "owl:AllDisjointClasses without a name": 1,
        "part of an intersection without a name": 1,
        "rdfs:subClassOf by owl:unionOf": 1,
        "rdfs:subClassOf some hazards:near": 1,
        "statement about something that is declared nowhere": 1,
    }
    evidence = {r.source.rsplit("#", 1)[1]: r.evidence for r in found.ontology.relations if r.kind == "subclass_of"}
    assert evidence["Below"] == "imported: some hazards:broader"
    assert evidence["Defined"] == "imported: intersection"


def test_a_cycle_becomes_equivalence_and_is_told(tmp_path: Path) -> None:
    found = opened(
        tmp_path,
        ":A a owl:Class ; rdfs:subClassOf :B, :A . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A, :Top .\n"
        ":Top a owl:Class . :D a owl:Class ; rdfs:subClassOf :B .",
    )
    assert edges(found) == {
        ("A", "equivalent_to", "B"),
        ("A", "equivalent_to", "C"),
        ("C", "subclass_of", "Top"),
        ("D", "subclass_of", "B"),
    }
    assert any("hazards:A -> hazards:B -> hazards:C -> hazards:A" in said for said in found.report.notes)
    assert found.ontology.root == "http://x.org/hazards#Top"
    ConceptGraph.of(found.ontology)  # no OntologyCycle


def test_a_thesaurus(tmp_path: Path) -> None:
    found = opened(
        tmp_path,
        '<http://x.org/hazards> a skos:ConceptScheme ; skos:prefLabel "灾害表"@zh ; skos:hasTopConcept :Top .\n'
        ':Top a skos:Concept ; skos:prefLabel "灾害"@zh ; skos:narrower :A ; skos:inScheme <http://x.org/hazards> .\n'
        ':A a skos:Concept ; skos:prefLabel "洪水"@zh . :B a skos:Concept ; skos:broader :Top ; skos:exactMatch :A ;\n'
        " skos:related :A .",
    )
    assert edges(found) == {("A", "subclass_of", "Top"), ("B", "subclass_of", "Top"), ("A", "equivalent_to", "B")}
    assert found.ontology.title_zh == "灾害表"
    assert found.report.skipped == {"skos:related": 1}


def test_names_of_another_kind_are_other_names_and_counted(tmp_path: Path) -> None:
    found = opened(
        tmp_path,
        """@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
        :flood a skos:Concept ; skos:prefLabel "flood"@en ; skos:altLabel "deluge"@en ; oio:hasExactSynonym "spate"@en ;
          skos:hiddenLabel "flod"@en , "floood"@en ; xl:hiddenLabel [ xl:literalForm "fludd"@en ] .
        :rain a skos:Concept ; skos:broader :flood ; skos:hiddenLabel "rian"@en .""",
    )
    assert {*found.ontology.by_iri["http://x.org/hazards#flood"].alt_en} == {
        "deluge",
        "spate",
        "flod",
        "floood",
        "fludd",
    }
    assert found.report.notes[-2:] == (
        "1 x skos-xl:hiddenLabel, read as another name", "3 x skos:hiddenLabel, read as another name",
    )  # fmt: skip


def test_odd_iris_are_mended_and_told(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    path.write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:owl="http://www.w3.org/2002/07/owl#"><owl:Class rdf:about="http://x.org/a b#100%"/></rdf:RDF>',
        encoding="utf-8",
    )
    found = load(path)
    assert [c.iri for c in found.ontology.concepts] == ["http://x.org/a%20b#100%25"]
    assert any("1 IRI holds what no IRI may hold" in said for said in found.report.notes)
    write(found.ontology, tmp_path / "b.ofn")
    assert read(tmp_path / "b.ofn") == found.ontology


@pytest.mark.parametrize("base", ['xml:base="/imports/a.owl"', ""])
def test_relative_iris_are_completed_by_the_place_of_the_file_and_told(tmp_path: Path, base: str) -> None:
    path = tmp_path / "a.rdf"
    path.write_text(
        f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#" '
        f'{base}><owl:Ontology rdf:about=""/><owl:Class rdf:ID="Flood"/></rdf:RDF>',
        encoding="utf-8",
    )
    found = load(path)
    place = "file:///imports/a.owl" if base else path.as_uri()
    assert [c.iri for c in found.ontology.concepts] == [f"{place}#Flood"]
    assert any(said.startswith("the IRIs of 1 class are relative") for said in found.report.notes)


MANCHESTER = """\
# as Protégé saves it
Prefix: : <http://x.org/h#>
Prefix: xsd: <http://www.w3.org/2001/XMLSchema#>
Prefix: rdfs: <http://www.w3.org/2000/01/rdf-schema#>
Ontology: <http://x.org/h>
ObjectProperty: partOf
Class: Hazard
Class: Storm
    SubClassOf: Hazard
Class: Flood
    Annotations: rdfs:label "flood"@en, rdfs:label "洪水"@zh, rdfs:comment "Water."^^xsd:string
    SubClassOf: Hazard, partOf some Storm
"""


@pytest.mark.parametrize("name", ["a.omn", "a.owl"])
def test_manchester_syntax(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(MANCHESTER, encoding="utf-8")
    found = load(tmp_path / name)
    assert edges(found) == {
        ("Flood", "subclass_of", "Hazard"), ("Storm", "subclass_of", "Hazard"), ("Flood", "part_of", "Storm"),
    }  # fmt: skip
    flood = found.ontology.by_iri["http://x.org/h#Flood"]
    assert (flood.label_en, flood.label_zh, flood.definition_en) == ("flood", "洪水", "Water.")
    assert found.report.skipped == {"object property": 1}
    (tmp_path / name).write_text(MANCHESTER + "Class: :\n", encoding="utf-8")
    with pytest.raises(OwlError, match="not Manchester syntax that can be read"):
        load(tmp_path / name)


def test_turtle_without_prefixes_under_another_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.rdf").write_text("<http://x.org/h#Flood> a <http://www.w3.org/2002/07/owl#Class> .", "utf-8")
    assert [c.iri for c in load(tmp_path / "a.rdf").ontology.concepts] == ["http://x.org/h#Flood"]


def test_a_file_without_classes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OwlError, match="found 1 headers and no class"):
        opened(tmp_path, "<http://x.org/h> a owl:Ontology ; owl:imports <http://nowhere.invalid/a> .")


names = st.sampled_from("abcdef")
some_edges = st.lists(
    st.tuples(names, st.sampled_from(["subclass_of", "equivalent_to"]), names, st.just("")).filter(
        lambda e: e[0] != e[2]
    ),
    max_size=10,
    unique=True,
)


@given(some_edges)
def test_any_graph_is_made_rooted_and_acyclic_without_losing_a_way_up(given_edges: list[_Edge]) -> None:
    kept, cycles = _without_cycles(given_edges)
    assert _above(kept) == _above(given_edges)
    assert all(way[0] == way[-1] and len(set(way)) > 1 for way in cycles)
    above = _above([e for e in kept if e[1] == "subclass_of"])
    assert not any(name in above[name] for name in above)
    root, added = _rooted(sorted("abcdef"), kept, "virtual")
    reached = _above([*kept, *added])
    assert all(root in reached[name] or name == root for name in "abcdef")


def _above(found: list[_Edge]) -> dict[str, set[str]]:
    """Everything that can be reached going up, equivalence going both ways; by brute force."""
    steps = {(e[0], e[2]) for e in found} | {(e[2], e[0]) for e in found if e[1] == "equivalent_to"}
    above = {name: {t for s, t in steps if s == name} for name in "abcdef"}
    for _ in above:
        above = {name: up | {t for u in up if u in above for t in above[u]} for name, up in above.items()}
    return above


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not here")
class TestRealOntologies:
    """SWEET, the hazard profiles of UNDRR, the disaster modules and empathi."""

    def test_all_load_and_become_ours(self, tmp_path: Path) -> None:
        seen = 0
        for path in sorted(DATA.glob("*/*.ttl")):
            if path.stem in ("sweetAll", "matrMineral"):
                continue
            found = load(path)
            declared = path.read_text(encoding="utf-8").count("owl:imports")
            assert bool(found.report.imports) == bool(declared), path.name
            ConceptGraph.of(found.ontology)
            write(found.ontology, tmp_path / "ours.ttl", found.header)
            assert read(tmp_path / "ours.ttl") == found.ontology
            seen += 1
        assert seen >= 20

    def test_fog(self) -> None:
        found = load(DATA / "sweet" / "phenAtmoFog.ttl")
        space = "http://sweetontology.net/phenAtmoFog/"
        labels = {c.iri: c.label_en for c in found.ontology.concepts}
        assert labels[space + "AdvectionFog"] == "advection fog"
        assert found.ontology.parents[space + "Garua"] == (space + "Fog",)
        assert found.ontology.parents[space + "Fog"] == ("http://sweetontology.net/phenAtmoCloud/Stratiform",)
        assert len(found.report.imports) == 18
        assert found.report.skipped["rdfs:subClassOf only rela:hasPhenomena"] == 6
        assert found.ontology.licence == "https://creativecommons.org/publicdomain/zero/1.0/"

    def test_hazard_profiles(self) -> None:
        found = load(DATA / "dmdo" / "undrr-isc-hazard-classification.ttl")
        whole = found.ontology
        downburst = whole.by_iri["https://undrr-hip.org/MH0001"]
        assert downburst.label_en == "Downburst"
        assert downburst.definition_en.startswith("A downburst is")
        assert "https://undrr-hip.org/MH" in whole.parents[downburst.iri]
        assert len(whole.concepts) == 367
        assert sum(bool(c.label_en) for c in whole.concepts) >= 360
        assert found.report.skipped["rdfs:subClassOf some undrr-hip.org:isMemberOf"] == 295

    def test_empathi(self) -> None:
        found = load(DATA / "empathi" / "empathi.owl")
        assert len(found.report.imports) == 9
        assert found.header.creators == ("Manas Gaur", "Saeedah Shekharpour")
        assert found.ontology.version == "1.0"
        whole, space = found.ontology, "https://w3id.org/empathi/"
        assert whole.by_iri[space + "Flood"].label_en == "flood"
        assert "coastal flood" in whole.by_iri[space + "Flood"].alt_en
        assert whole.parents[space + "#Airport_Damage"] == (space + "Infrastructure_Damage",)
        assert found.report.skipped["individual"] == 10

    def test_a_file_that_only_imports(self) -> None:
        with pytest.raises(OwlError, match="only imports others"):
            load(DATA / "sweet" / "sweetAll.ttl")

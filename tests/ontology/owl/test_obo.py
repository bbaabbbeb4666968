"""OBO flat files and OBO graphs: what they say is what OWL says; damage is told with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.model import ScopedName
from ontology.owl import Loaded, OwlError, load, write

FILE = r"""format-version: 1.2
data-version: releases/2024-05-01
ontology: demo
idspace: HZ http://x.org/hz# "hazards"
property_value: dcterms-license https://example.org/by
property_value: http://purl.org/dc/terms/title "Demo hazards" xsd:string
remark: made for a test ! not said

! a comment of its own
[Term]
id: DEMO:0000001 ! the root
name: hazard
def: "What may do harm, \"now\" or later." [http://example.org/1, DEMO:abc "a, source"]
xref: MESH:D001 "from a list"
xref: https://example.org/a\:b

[Term]
id: DEMO:0000002
name: flood {source="x"}
namespace: demo
synonym: "inundation" EXACT [DEMO:me]
synonym: "high \
water" BROAD UK []
exact_synonym: "洪水" []
is_a: DEMO:0000001 {source="y"} ! hazard
is_a: DEMO:0000003 ! obsolete water hazard
relationship: part_of HZ:Storm ! storm
relationship: near HZ:Storm

[Term]
id: DEMO:0000003
name: obsolete water hazard
is_obsolete: true
replaced_by: DEMO:0000002
consider: DEMO:0000001
is_a: DEMO:0000001

[Term]
id: HZ:Storm
name: storm
is_a: DEMO:0000001

[Term]
id: DEMO:0000004
name: flash flood
intersection_of: DEMO:0000002
intersection_of: near HZ:Storm

[Typedef]
id: part_of
name: part of
xref: BFO:0000050
is_transitive: true

[Instance]
id: DEMO:i
name: the flood of May
instance_of: DEMO:0000002
"""
OBO = "http://purl.obolibrary.org/obo/"


def opened(tmp_path: Path, text: str, name: str = "a.obo") -> Loaded:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load(path)


def edges(found: Loaded) -> set[tuple[str, str, str]]:
    return {
        (r.source.removeprefix(OBO), r.kind, r.target.removeprefix(OBO)) for r in found.ontology.relations
    }  # fmt: skip


def test_a_flat_file(tmp_path: Path) -> None:
    found = opened(tmp_path, FILE)
    whole, storm = found.ontology, "http://x.org/hz#Storm"
    assert (whole.iri, whole.version, whole.title_en) == (OBO + "demo.owl", "releases/2024-05-01", "Demo hazards")
    assert (whole.licence, whole.comment) == ("https://example.org/by", "made for a test")
    assert edges(found) == {
        ("DEMO_0000002", "subclass_of", "DEMO_0000001"),
        ("DEMO_0000002", "part_of", storm),
        ("DEMO_0000004", "subclass_of", "DEMO_0000002"),
        (storm, "subclass_of", "DEMO_0000001"),
    }
    root, flood = whole.by_iri[OBO + "DEMO_0000001"], whole.by_iri[OBO + "DEMO_0000002"]
    assert flood.scopes == (ScopedName("broad", "en", "high water"),)
    assert whole.root == root.iri
    assert root.definition_en == 'What may do harm, "now" or later.'
    assert root.xrefs == ("MESH:D001", "https://example.org/a:b")
    assert (flood.label_en, flood.alt_en, flood.alt_zh) == ("flood", ("high water", "inundation"), ("洪水",))
    (gone,) = whole.deprecated
    assert (gone.iri, gone.label_en, gone.replaced_by) == (
        OBO + "DEMO_0000003", "obsolete water hazard", (flood.iri,),
    )  # fmt: skip
    assert found.report.skipped == {
        "annotation of an axiom": 6,
        "individual": 1,
        "object property": 1,
        "oboInOwl:consider": 1,
        "oboInOwl:hasOBONamespace": 1,
        "part of an intersection without a name": 1,
        "rdfs:subClassOf some demo:near": 1,
        "relation of a deprecated class": 2,
        "text of a source of def": 1,
    }


def test_it_is_converted_and_comes_back(tmp_path: Path) -> None:
    first = opened(tmp_path, FILE)
    for suffix in (".ttl", ".owl", ".ofn"):
        write(first.ontology, tmp_path / f"b{suffix}", first.header)
        assert load(tmp_path / f"b{suffix}").ontology == first.ontology
    assert opened(tmp_path, FILE, "saved-as.owl").ontology == first.ontology
    assert opened(tmp_path, FILE.replace("\n", "\r\n")).ontology == first.ontology


TERM = "format-version: 1.4\n\n[Term]\nid: A:1\nname: a\n"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (TERM + 'def: "no end [A:2]\n', 6, "closing quotation mark"),
        (TERM + "def: no quotation marks []\n", 6, "begins with a text in quotation marks"),
        (TERM + 'synonym: "b" EXACT [A:2\n', 6, "closing ]"),
        (TERM + "is_a:\n", 6, "is_a has no value"),
        (TERM + "is_a: ! a comment\n", 6, "expected 1 identifiers"),
        (TERM + "relationship: part_of\n", 6, "expected 2 identifiers"),
        (TERM + "is_obsolete: perhaps\n", 6, "true or false"),
        (TERM + "property_value: dc-title\n", 6, "a property and a value"),
        (TERM + "\nthis is no tag\n", 7, "expected a tag, a colon and a value"),
        (TERM + "\n[Term\nid: A:2\n", 7, r"a stanza such as \[Term\]"),
        (TERM + "\n[Term]\nname: b\n", 7, r"one id in \[Term\], found 0"),
        (TERM + "id: A:2\n", 6, r"one id in \[Term\], found 2"),
        (TERM + "name: cut \\", 6, "ends within a line"),
        ("\x89PNG\n", 1, "expected a tag"),
    ],
)  # fmt: skip
def test_damage_is_told_with_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    with pytest.raises(OwlError, match=rf"a\.obo, line {line}: .*{says}"):
        opened(tmp_path, text)


def test_a_file_without_terms_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OwlError, match="no class"):
        opened(tmp_path, "format-version: 1.4\nontology: none\n")


def graphs(**more: Any) -> dict[str, Any]:
    terms: list[dict[str, Any]] = [
        {"id": OBO + "D_1", "lbl": "hazard", "type": "CLASS", "meta": {
            "definition": {"val": "What may do harm.", "xrefs": ["D:me"]}, "xrefs": [{"val": "MESH:D1"}]}},
        {"id": OBO + "D_2", "lbl": "flood", "type": "CLASS", "meta": {
            "synonyms": [{"pred": "hasExactSynonym", "val": "inundation"}], "subsets": [OBO + "D#slim"]}},
        {"id": OBO + "D_3", "type": "CLASS", "lbl": "obsolete water hazard", "meta": {
            "deprecated": True, "basicPropertyValues": [{"pred": OBO + "IAO_0100001", "val": OBO + "D_2"}]}},
        {"id": OBO + "D_4", "lbl": "flash flood"},
        {"id": OBO + "BFO_0000050", "lbl": "part of", "type": "PROPERTY"},
    ]  # fmt: skip
    graph = {
        "id": OBO + "d.owl", "meta": {"version": OBO + "d/2024/d.owl", "comments": ["A comment."]}, "nodes": terms,
        "edges": [
            {"sub": OBO + "D_2", "pred": "is_a", "obj": OBO + "D_1"},
            {"sub": OBO + "D_2", "pred": OBO + "BFO_0000050", "obj": OBO + "D_1"},
        ],
        "equivalentNodesSets": [], "logicalDefinitionAxioms": [None, {
            "definedClassId": OBO + "D_4", "genusIds": [OBO + "D_2"],
            "restrictions": [{"propertyId": OBO + "RO_1", "fillerId": OBO + "D_1"}]}],
    }  # fmt: skip
    return {"graphs": [graph | more]}


def test_obo_graphs(tmp_path: Path) -> None:
    found = opened(tmp_path, json.dumps(graphs(), indent=1), "a.json")
    assert edges(found) == {
        ("D_2", "subclass_of", "D_1"), ("D_2", "part_of", "D_1"), ("D_4", "subclass_of", "D_2"),
    }  # fmt: skip
    whole = found.ontology
    assert (whole.iri, whole.version, whole.comment) == (OBO + "d.owl", "d.owl", "A comment.")
    assert whole.by_iri[OBO + "D_1"].definition_en == "What may do harm."
    assert whole.by_iri[OBO + "D_1"].xrefs == ("MESH:D1",)
    assert whole.by_iri[OBO + "D_2"].alt_en == ("inundation",)
    assert [(c.iri, c.replaced_by) for c in whole.deprecated] == [(OBO + "D_3", (OBO + "D_2",))]
    write(whole, tmp_path / "b.ttl", found.header)
    assert load(tmp_path / "b.ttl").ontology == whole


def test_edges_of_properties_and_individuals_are_no_relations_of_classes(tmp_path: Path) -> None:
    nodes = [
        {"id": OBO + "D_1", "type": "CLASS", "lbl": "hazard"}, {"id": OBO + "D_2", "type": "CLASS", "lbl": "flood"},
        {"id": OBO + "P_1", "type": "PROPERTY"}, {"id": OBO + "P_2", "type": "PROPERTY"},
        {"id": OBO + "I_1", "type": "INDIVIDUAL"}, {"id": OBO + "I_2", "type": "INDIVIDUAL"},
    ]  # fmt: skip
    pairs = ("D_2 is_a D_1", "P_1 inverseOf P_2", "P_1 subPropertyOf P_2", f"I_1 {OBO}P_1 I_2", "I_1 type D_2")
    ends = [pair.split() for pair in pairs]
    edges_ = [{"sub": OBO + sub, "pred": pred, "obj": OBO + obj} for sub, pred, obj in ends]
    found = opened(tmp_path, json.dumps(graphs(nodes=nodes, edges=edges_, logicalDefinitionAxioms=[])), "a.json")
    assert {c.iri for c in found.ontology.concepts} == {OBO + "D_1", OBO + "D_2"}
    assert edges(found) == {("D_2", "subclass_of", "D_1")}


def test_damaged_graphs_are_told_with_their_place(tmp_path: Path) -> None:
    text = json.dumps(graphs(), indent=1)
    with pytest.raises(OwlError, match=r"a\.json, line \d+: not JSON"):
        opened(tmp_path, text[: len(text) // 2], "a.json")
    with pytest.raises(OwlError, match=r"a text at graphs\[0\]\.nodes\[0\]\.id"):
        opened(tmp_path, json.dumps(graphs(nodes=[{"lbl": "x"}])), "a.json")
    with pytest.raises(OwlError, match=r"a list at graphs\[0\]\.edges"):
        opened(tmp_path, json.dumps(graphs(edges="none")), "a.json")
    with pytest.raises(OwlError, match="an object at graphs"):
        opened(tmp_path, '{"graphs": [1]}', "a.json")


def test_other_json_is_read_as_json_ld(tmp_path: Path) -> None:
    first = opened(tmp_path, FILE)
    write(first.ontology, tmp_path / "b.jsonld", first.header)
    text = (tmp_path / "b.jsonld").read_text(encoding="utf-8")
    assert opened(tmp_path, text, "c.json").ontology == first.ontology


_words = st.lists(
    st.sampled_from(["rain", "storm", '"', "\\", "!", "[", "]", "{", "}", ":", ",", "é", "a=b"]), min_size=1, max_size=5
).map(lambda parts: "x " + " ".join(parts))


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in '"\\![]{}:,' else c for c in text)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_words, _words, _words, st.booleans()), min_size=1, max_size=5), st.data())
def test_any_text_survives_flat_file_and_graph(
    tmp_path_factory: pytest.TempPathFactory, terms: list[tuple[str, str, str, bool]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("obo")
    lines, nodes, links = ["format-version: 1.4", "ontology: p"], [{"id": OBO + "P_0", "lbl": "top"}], []
    lines += ["[Term]", "id: P:0", "name: top"]
    for i, (name, said, synonym, dead) in enumerate(terms, 1):
        lines += ["", "[Term]", f"id: P:{i}", f"name: {_escaped(name)}", f'def: "{_escaped(said)}" []']
        lines += [f'synonym: "{_escaped(synonym)}" RELATED []', f"xref: {_escaped(f'X:{i}')}"]
        meta: dict[str, Any] = {"definition": {"val": said}, "xrefs": [{"val": f"X:{i}"}]}
        meta["synonyms"] = [{"pred": "hasRelatedSynonym", "val": synonym}]
        if dead:
            lines += ["is_obsolete: true", "replaced_by: P:0"]
            meta |= {"deprecated": True, "basicPropertyValues": [{"pred": OBO + "IAO_0100001", "val": OBO + "P_0"}]}
        else:
            above = data.draw(st.integers(0, i - 1))
            lines.append(f"is_a: P:{above} ! top")
            links.append({"sub": f"{OBO}P_{i}", "pred": "is_a", "obj": f"{OBO}P_{above}"})
        nodes.append({"id": f"{OBO}P_{i}", "lbl": name, "meta": meta})  # type: ignore[dict-item]
    flat = opened(folder, "\n".join(lines))
    document = {"graphs": [{"id": OBO + "p.owl", "nodes": nodes, "edges": links}]}
    assert opened(folder, json.dumps(document), "a.json").ontology == flat.ontology
    everything = {c.iri: c for c in (*flat.ontology.concepts, *flat.ontology.deprecated)}
    for i, (name, said, synonym, dead) in enumerate(terms, 1):
        concept = everything[f"{OBO}P_{i}"]
        assert {concept.label_en, *concept.alt_en} == {name, synonym}
        assert (concept.definition_en, concept.xrefs) == (said, (f"X:{i}",))
        assert (concept in flat.ontology.deprecated) is dead
    write(flat.ontology, folder / "b.ttl", flat.header)
    assert load(folder / "b.ttl").ontology == flat.ontology

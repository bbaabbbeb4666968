"""ROBOT templates: a column for each language, scope and relation; what they leave out is counted."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.model import Concept, Ontology, Relation
from ontology.owl import OwlError, left_out, load, text, write
from tests.ontology.owl.samples import BASE, HEADER, ontology


def rows(value: Ontology) -> list[list[str]]:
    """The cells, read as ROBOT reads them: a backslash escapes."""
    lines = io.StringIO(text(value, "robot"))
    return list(csv.reader(lines, delimiter="\t", escapechar="\\", strict=True))


def by_iri(value: Ontology) -> dict[str, dict[str, str]]:
    names, _, *others = rows(value)
    return {row[0]: dict(zip(names, row, strict=True)) for row in reversed(others)}


def test_a_column_for_each_language_scope_and_relation() -> None:
    names, templates, *_ = rows(ontology())
    oc = "https://w3id.org/ontocrawl/vocabulary#"
    assert dict(zip(names, templates, strict=True)) == {
        "ID": "ID", "Type": "TYPE",
        "Label (de)": "AL rdfs:label@de", "Label (en)": "AL rdfs:label@en", "Label (pt-BR)": "AL rdfs:label@pt-BR",
        "Label (zh)": "AL rdfs:label@zh", "Exact synonyms (zh)": "AL oboInOwl:hasExactSynonym@zh SPLIT=|",
        "Broad synonyms (zh)": "AL oboInOwl:hasBroadSynonym@zh SPLIT=|",
        "Narrow synonyms (en)": "AL oboInOwl:hasNarrowSynonym@en SPLIT=|",
        "Related synonyms (de)": "AL oboInOwl:hasRelatedSynonym@de SPLIT=|",
        "Related synonyms (en)": "AL oboInOwl:hasRelatedSynonym@en SPLIT=|",
        "Definition (de)": "AL IAO:0000115@de", "Definition (en)": "AL IAO:0000115@en",
        "Definition (zh)": "AL IAO:0000115@zh", "Cross-references": "A oboInOwl:hasDbXref SPLIT=|",
        "Parents": "SC % SPLIT=|", "Equivalent class": "EC %",
        "May cause": f"SC ('{oc}causes' some '%') SPLIT=|", "Measured by": f"SC ('{oc}measuredBy' some '%') SPLIT=|",
        "Part of": f"SC ('{oc}partOf' some '%') SPLIT=|", "Deprecated": "AT owl:deprecated^^xsd:boolean",
        "Replaced by": "AI IAO:0100001 SPLIT=|", "Replaced by (name)": "A IAO:0100001 SPLIT=|",
    }  # fmt: skip


def test_the_cells_of_a_class() -> None:
    found = by_iri(ontology())
    flood = {name: cell for name, cell in found[BASE + "Flood"].items() if cell}
    assert flood == {
        "ID": BASE + "Flood", "Type": "owl:Class", "Label (de)": "Flut", "Label (en)": "flood",
        "Label (zh)": "概念Flood", "Label (pt-BR)": "enchente", "Exact synonyms (zh)": "洪灾",
        "Broad synonyms (zh)": "水灾", "Narrow synonyms (en)": "floods",
        "Related synonyms (en)": "floods", "Related synonyms (de)": "Überschwemmung",
        "Definition (de)": "Wasser, wo keins sein soll.", "Definition (en)": "Water.", "Definition (zh)": "水。",
        "Cross-references": "MESH:D055868|https://example.org/a flood", "Parents": BASE + "Root",
        "Measured by": BASE + "Storm",
    }  # fmt: skip
    assert found[BASE + "Rainstorm"]["May cause"] == f"{BASE}FlashFlood|{BASE}Flood"
    assert found[BASE + "Deluge"]["Equivalent class"] == BASE + "Flood"
    gone = found[BASE + "Inundation"]
    assert (gone["Deprecated"], gone["Replaced by"], gone["Replaced by (name)"]) == ("true", BASE + "Flood", "TEST:7")


def test_signs_of_the_table_in_texts() -> None:
    odd = 'a "b"\t\\c|\nd'
    concepts = (Concept(BASE + "A", "", odd, alt_en=("x", "y", odd)), Concept(BASE + "B", "", "b"))
    edges = tuple(Relation(BASE + "A", "equivalent_to", BASE + end) for end in "BC")
    value = replace(
        ontology(), root=BASE + "A", concepts=(*concepts, Concept(BASE + "C", "丙")), relations=edges, deprecated=()
    )
    names, templates, *others = rows(value)
    cells = dict(zip(names, others[3], strict=True))
    assert (cells["Label (en)"], cells["Exact synonyms (en)"]) == (odd, f"{odd}¦x¦y")
    assert templates[names.index("Exact synonyms (en)")].endswith(" SPLIT=¦")
    same = [row for row in others if row[0] == BASE + "A"]
    assert [row[names.index("Equivalent class")] for row in same] == [BASE + "B", BASE + "C"]


def test_what_it_leaves_out_is_counted() -> None:
    spaced = replace(ontology().concepts[5], alt_en=(" gale", "storm\r"))
    value = replace(ontology(), concepts=(*ontology().concepts[:5], spaced))
    assert left_out(value, "robot", HEADER) == {
        "evidence of a relation": 6, "statement of the header": 14,
        "origin of an axiom (PROV-O)": 6, "candidate of a definition": 2,
        "white space around a text, which ROBOT cuts off": 2,
    }  # fmt: skip


def test_it_is_not_read(tmp_path: Path) -> None:
    write(ontology(), tmp_path / "a.robot.tsv", HEADER)
    with pytest.raises(OwlError, match=r"written, not read; .*robot template"):
        load(tmp_path / "a.robot.tsv")

"""The SHACL shapes: nothing to find in what we write, each planted fault found where it is."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import pytest

from ontology.extras import MissingExtra
from ontology.owl import SUFFIXES, write
from ontology.owl.shacl import Finding, check
from tests.ontology.owl.samples import BASE, HEADER, ontology

HERE = "https://w3id.org/ontocrawl/test"
OC = "https://w3id.org/ontocrawl/vocabulary#"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_we_write_has_no_findings(tmp_path: Path, suffix: str) -> None:
    write(ontology(), tmp_path / f"a{suffix}", HEADER)
    assert check(tmp_path / f"a{suffix}") == []


@pytest.mark.slow
def test_the_shipped_ontologies_have_no_findings() -> None:
    for stem in ("rainstorm-monitoring", "typhoon"):
        assert check(Path(str(files("ontologies"))) / f"{stem}.ttl") == []


def mended(tmp_path: Path, before: str, after: str) -> list[Finding]:
    path = tmp_path / "a.ttl"
    write(ontology(), path, HEADER)
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    return check(path)


LABEL = '    rdfs:label "概念Flood"@zh ;\n'


@pytest.mark.parametrize(
    ("before", "after", "node", "says", "severity"),
    [
        ('oc:kind "global"', 'oc:kind "regional"', HERE, "one oc:kind, global or local", "error"),
        ('    owl:versionInfo "1.2.0" ;\n', "", HERE, "one owl:versionInfo", "error"),
        ("oc:root :Root", "oc:root :Nowhere", HERE, "oc:root that is a class", "error"),
        ('    oc:topic "test" ;\n', "", HERE, "one oc:topic", "error"),
        ("    dcterms:license <https://www.apache.org/licenses/LICENSE-2.0> ;\n", "", HERE, "license", "warning"),
        ('"2024-05-01"^^xsd:date', '"May"', HERE, "dcterms:created must be", "error"),
        (LABEL, LABEL + '    rdfs:label "水患"@zh ;\n', BASE + "Flood", "at most one rdfs:label a language", "error"),
        ('"概念Flood"@zh', '"Flut"', BASE + "Flood", "rdfs:label has a language", "error"),
        ('    rdfs:label "概念Deluge"@zh ;\n', "", BASE + "Deluge", "should have an rdfs:label", "warning"),
        ('"水灾"@zh', '"水灾"', BASE + "Flood", "skos:altLabel has a language", "error"),
        ("oc:support 12", "oc:support -1", BASE + "Flood", "0 or more", "error"),
        ('oc:confidence "0.6666666666666666"', 'oc:confidence "1.5"', BASE + "Flood", "from 0 to 1", "error"),
        ("    rdfs:subClassOf :Root ;\n", "    rdfs:subClassOf :Nowhere ;\n", BASE + "Flood", "superclass is", "error"),
    ],
)  # fmt: skip
def test_each_fault_is_found_where_it_is(
    tmp_path: Path, before: str, after: str, node: str, says: str, severity: str
) -> None:
    found = mended(tmp_path, before, after)
    assert [(f.node, f.severity) for f in found if says in f.message] == [(node, severity)], found


def test_a_property_of_others_in_a_restriction(tmp_path: Path) -> None:
    found = mended(tmp_path, "owl:onProperty oc:causes", "owl:onProperty :near")
    assert any("oc:partOf, oc:causes or oc:measuredBy" in f.message and f.value == BASE + "near" for f in found)


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(ontology(), tmp_path / "a.ttl")
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    with pytest.raises(MissingExtra, match="pyshacl"):
        check(tmp_path / "a.ttl")

"""Lint on files: formats, damage, lines, real ontologies; the findings as text, JSON and SARIF."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rdflib import Graph

from ontology.lint import Finding, lint_file, lint_graph, rules
from ontology.lint.report import Linted, as_json, as_sarif, as_text, lines_of
from ontology.owl import OwlError, load
from tests.ontology.contexts import data
from tests.ontology.lint.test_rules import CLEAN, SPACE, put

FAULTY = CLEAN + ':Flood rdfs:subClassOf :FlashFlood, :Nowhere ; skos:altLabel "旱灾 \\n"@zh, "a\\tb"@en .\n'
ONTOLOGIES = Path(__file__).resolve().parents[3] / "ontologies"


@pytest.mark.parametrize(("suffix", "form"), [(".rdf", "xml"), (".owl", "xml"), (".nt", "nt"), (".jsonld", "json-ld")])
def test_the_same_findings_in_every_syntax(tmp_path: Path, suffix: str, form: str) -> None:
    turtle = put(tmp_path, FAULTY)
    other = tmp_path / f"t{suffix}"
    graph = Graph().parse(turtle)
    graph.serialize(other, format=form, encoding="utf-8")
    found = lint_file(turtle)
    assert {f.code for f in found} == {"OC001", "OC020", "OC042"}
    assert lint_file(other) == found == lint_graph(graph, "g")


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(ONTOLOGIES.glob("*.ttl")), ids=lambda p: p.name)
def test_shipped_ontologies_have_no_error(path: Path) -> None:
    assert not [f for f in lint_file(path) if f.severity == "error"]
    assert {(f.code, f.place) for f in lint_file(path)} == {
        (f.code, f.place) for f in lint_file(path.with_suffix(".rdf"))
    }


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.ttl", CLEAN + ":Flood rdfs:subClassOf\n\n [ .\n", r"a\.ttl, line \d+: not Turtle"),
        ("a.rdf", "<r xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n<a>", r"a\.rdf, line 2, column 4"),
        ("a.nt", "<a b> <c>", r"a\.nt, line 1: not N-Triples"),
        ("a.jsonld", "{", r"a\.jsonld, line 1: not JSON"),
        ("a.jsonld", '[{"@context": ["https://example.org/c"]}]', r"'https://example\.org/c', which is never fetched"),
        ("a.jsonld", '{"@context": {"@import": "http://x/c"}}', "'http://x/c', which is never fetched"),
    ],
)  # fmt: skip
def test_files_that_are_no_rdf(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(OwlError, match=said):
        lint_file(put(tmp_path, text, name))


def test_a_file_that_one_parser_refuses_is_still_checked(tmp_path: Path) -> None:
    """RDF/XML of 1999 without namespaces, literals as subjects, half a character: rdflib reads them."""
    old = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:owl="http://www.w3.org/2002/07/owl#"><owl:Class about="http://x/A"/></rdf:RDF>"""
    refused = {"old.xml": old, "subject.ttl": CLEAN + '"a" :b :c .\n', "half.ttl": CLEAN + ':Flood :b "\\uD83D" .\n'}
    codes = {}
    for name, text in refused.items():
        path = put(tmp_path, text, name)
        with pytest.raises(OwlError):
            load(path)
        codes[name] = {f.code for f in lint_file(path)}
    assert codes == {"old.xml": {"OC004", "OC030", "OC050"}, "subject.ttl": set(), "half.ttl": set()}


def test_an_illegal_iri_is_named_as_the_file_has_it(tmp_path: Path) -> None:
    path = put(tmp_path, CLEAN + "<http://x/a b> a owl:Class .\n")
    places = {f.place for f in lint_file(path)}
    assert places == {"http://x/a b"}
    assert lines_of(path, places) == {"http://x/a b": len((CLEAN + "x").splitlines())}


def test_n3_with_a_rule(tmp_path: Path) -> None:
    """Formulas and variables are no statements about classes; what stands beside them is checked."""
    rule = "{ ?a rdfs:subClassOf ?b . } => { ?b a owl:Class . } .\n:Flood rdfs:subClassOf :Flood .\n"
    assert {f.code for f in lint_file(put(tmp_path, CLEAN + rule, "t.n3"))} == {"OC022"}


def test_an_entity_bomb_does_not_go_off(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    bomb = (f'<!DOCTYPE r [<!ENTITY a0 "boom boom boom">{levels}]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-'
            'syntax-ns#" xmlns:l="http://x/"><rdf:Description rdf:about="http://x/a"><l:b>&a11;</l:b>'
            "</rdf:Description></rdf:RDF>")  # fmt: skip
    with pytest.raises(OwlError, match="entity &a1; is made of other entities; refused"):
        lint_file(put(tmp_path, bomb, "bomb.rdf"))
    (tmp_path / "wide.owl").write_bytes(bomb.encode("utf-16"))
    with pytest.raises(OwlError, match="entity &a1; is made of other entities; refused"):
        lint_file(tmp_path / "wide.owl")


def test_entities_for_namespaces_are_read(tmp_path: Path) -> None:
    text = """<!DOCTYPE rdf:RDF [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="&owl;">
        <owl:Class rdf:about="http://x/A"/><rdf:Description rdf:about="http://x/B"><rdf:type
        rdf:resource="&owl;Class"/></rdf:Description></rdf:RDF>"""
    assert {f.place for f in lint_file(put(tmp_path, text, "e.owl")) if f.code == "OC002"} == {
        "http://x/A",
        "http://x/B",
    }
    outside = text.replace('owl "http://www.w3.org/2002/07/owl#"', 'owl SYSTEM "/etc/passwd"')
    with pytest.raises(OwlError, match=r"entity &owl; is in another file \(/etc/passwd\); refused"):
        lint_file(put(tmp_path, outside, "o.owl"))


def test_a_file_without_ontology_and_skos(tmp_path: Path) -> None:
    empty = lint_file(put(tmp_path, "", "e.ttl"))
    assert {f.code for f in empty} == {"OC050", "OC054"}
    skos = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://x/> .
        :Flood a skos:Concept ; skos:prefLabel "flood"@en ; skos:broader :Disaster . :Disaster a skos:Concept ;
        skos:prefLabel "disaster"@en-GB ; skos:narrower :Flood ; skos:broader :Flood ."""
    found = lint_file(put(tmp_path, skos, "s.ttl"))
    assert {f.code for f in found} == {"OC001", "OC004", "OC030", "OC050"}
    assert [f.reason for f in found if f.code == "OC001"] == [
        "cycle of skos:broader edges: disaster > flood > disaster"
    ]
    with pytest.raises(OwlError, match="could not be read"):
        lint_file(tmp_path / "none.ttl")


def test_lines(tmp_path: Path) -> None:
    lines = FAULTY.splitlines()
    path = put(tmp_path, FAULTY)
    found = lines_of(path, [f"{SPACE}Flood", f"{SPACE}Nowhere", SPACE.removesuffix("#")])
    assert lines[found[f"{SPACE}Flood"] - 1].startswith(":Flood a owl:Class")
    assert lines[found[SPACE.removesuffix("#")] - 1].startswith("<https://w3id.org/ontocrawl/t> a")
    assert f"{SPACE}Nowhere" not in found
    Graph().parse(path).serialize(tmp_path / "t.rdf", format="xml")
    place = lines_of(tmp_path / "t.rdf", [f"{SPACE}Flood"])[f"{SPACE}Flood"]
    assert f'"{SPACE}Flood"' in (tmp_path / "t.rdf").read_text(encoding="utf-8").splitlines()[place - 1]


def linted(tmp_path: Path) -> Linted:
    path = put(tmp_path, FAULTY)
    found = lint_file(path)
    return Linted(str(path), found, str(path), lines_of(path, {f.place for f in found}))


def test_text(tmp_path: Path) -> None:
    one = linted(tmp_path)
    lines = as_text([one]).splitlines()
    assert len(lines) == 2 * len(one.findings), "a label with a line break must not break the line"
    assert lines[0].startswith(f"{one.file}:12: error OC001 山洪 <{SPACE}FlashFlood>: cycle of subclass_of edges")
    assert any("'旱灾 \\n'" in line for line in lines)
    odd = Finding("OC004", "info", "http://x/a", "a\nb\u202e", "r\x1b[31m", "m")
    assert as_text([Linted("n", (odd,))]) == "n: info OC004 a\\nb\\u202e <http://x/a>: r\\x1b[31m\n    m"
    assert as_text([Linted("n", ())]) == ""


def test_json(tmp_path: Path) -> None:
    one = linted(tmp_path)
    found = json.loads(json.dumps(as_json([one], one.findings)))
    assert found["counts"] == {"error": 2, "warning": 2, "info": 0}
    keys = {"file", "line", "code", "severity", "place", "label", "reason", "mend"}
    assert all(set(f) == keys for f in found["findings"])


def test_sarif(tmp_path: Path) -> None:
    """The properties that SARIF 2.1.0 requires (its schema), and those that code hosts demand."""
    one = linted(tmp_path)
    log = json.loads(json.dumps(as_sarif([one, Linted("topic", one.findings[:1])], "9.9")))
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("ontocrawl", "9.9")
    ids = [r["id"] for r in driver["rules"]]
    assert ids == [r.code for r in rules()]
    assert all(r["shortDescription"]["text"] and r["help"]["text"] and r["name"].isalnum() for r in driver["rules"])
    assert len(run["results"]) == len(one.findings) + 1
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note", "none"}
        assert result["message"]["text"] and result["partialFingerprints"]
    place = run["results"][0]["locations"][0]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == (tmp_path / "t.ttl").as_uri()
    assert place["physicalLocation"]["region"] == {"startLine": 12}
    assert place["logicalLocations"][0]["fullyQualifiedName"] == f"{SPACE}FlashFlood"
    assert "physicalLocation" not in run["results"][-1]["locations"][0]
    relative = as_sarif([Linted("o n.ttl", one.findings[:1], "a b/o n.ttl")], "1")["runs"][0]["results"][0]
    assert relative["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/o%20n.ttl"


def test_owl_xml() -> None:
    """empathi: OWL/XML in a file called .owl; its header and imports are those of the file."""
    pytest.importorskip("pyhornedowl", reason="extra owl")
    found = lint_file(data("ontologies/empathi/empathi.owl"))
    assert "OC053" in {f.code for f in found} and "OC050" not in {f.code for f in found}


def test_foreign_ontologies() -> None:
    """Facts that were looked up in the files by hand: UNDRR's two labels of HC01, SWEET's own shortcut."""
    undrr = lint_file(data("ontologies/dmdo/undrr-isc-hazard-classification.ttl"))
    assert "https://undrr-hip.org/HC01" in {f.place for f in undrr if f.code == "OC005"}
    wind = lint_file(data("ontologies/sweet/phenAtmoWindMesoscale.ttl"))
    assert "http://sweetontology.net/phenAtmoWindMesoscale/FallWind" in {f.place for f in wind if f.code == "OC021"}
    assert {f.severity for f in wind if f.code == "OC020"} == {"info"}, "what an import may declare is only a hint"
    assert {f.code for f in lint_file(data("ontologies/sweet/sweetAll.ttl"))} == {"OC053", "OC054"}

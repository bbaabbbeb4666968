"""Every rule finds its fault in a file that is clean but for that fault, and nothing in the clean one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.errors import Message, recognised
from ontology.lint import Limits, LintError, lint, lint_file, rules
from ontology.lint.facts import Class, Edge, Facts, facts_of, folded
from ontology.lint.finding import SEVERITIES, at_least, counts, rank
from ontology.lint.registry import Spot, chosen, rule
from ontology.model import Concept, Ontology, Relation
from tools.lint_rules import BEGIN, END, handbook, inserted

PREFIXES = """@prefix : <https://w3id.org/ontocrawl/t#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix oc: <https://w3id.org/ontocrawl/vocabulary#> .
"""
HEADER = """<https://w3id.org/ontocrawl/t> a owl:Ontology ; dcterms:title "t"@en ; owl:versionInfo "1" ;
  dcterms:license <https://www.apache.org/licenses/LICENSE-2.0> ; oc:root :Disaster .
oc:partOf a owl:ObjectProperty .
"""
SPACE = "https://w3id.org/ontocrawl/t#"


def a_class(name: str, zh: str, en: str, parent: str = "", more: str = "") -> str:
    above = f"rdfs:subClassOf {parent} ; " if parent else ""
    return f':{name} a owl:Class ; {above}rdfs:label "{zh}"@zh, "{en}"@en ; skos:definition "{zh}的定义"@zh {more}.\n'


CLASSES = (
    a_class("Disaster", "灾害", "disaster")
    + a_class("Flood", "洪水", "flood", ":Disaster")
    + a_class("FlashFlood", "山洪", "flash flood", ":Flood")
    + a_class("RiverFlood", "河洪", "river flood", ":Flood")
    + a_class("StormSurge", "风暴潮", "storm surge", ":Disaster")
    + a_class("Drought", "干旱", "drought", ":Disaster")
)
CLEAN = PREFIXES + HEADER + CLASSES
FIGURES = "[] a owl:Axiom ; owl:annotatedSource :Flood ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget "
PART = "rdfs:subClassOf [ a owl:Restriction ; owl:onProperty oc:partOf ; owl:someValuesFrom "
WIDE = "".join(a_class(f"Kind{i}", f"种类{i}", f"kind {i}", ":Drought") for i in range(31))
MANY = "".join(a_class(f"Kind{c}", f"种类{c}", f"kind {c.lower()}", ":Disaster") for c in "ABCDE")

# code, what is added to the clean file, the place, words of the reason
FAULTS = [
    ("OC001", ":Flood rdfs:subClassOf :FlashFlood .", "FlashFlood", "山洪 > 洪水 > 山洪"),
    ("OC001", f":Flood {PART}:StormSurge ] . :StormSurge {PART}:Flood ] .", "Flood", "cycle of part_of"),
    ("OC002", a_class("Hail", "冰雹", "hail"), "Hail", "no superclass"),
    ("OC003", a_class("Wind", "风", "wind") + a_class("Gale", "大风", "gale", ":Wind"), "Wind", "1 classes are below"),
    ("OC004", ':Hail a owl:Class ; rdfs:subClassOf :Disaster ; rdfs:label "冰雹"@zh ; skos:definition "定义"@zh .',
     "Hail", "no label in en"),
    ("OC005", ':Flood rdfs:label "水灾"@zh .', "Flood", "2 labels in zh: 水灾, 洪水"),
    ("OC006", ':StormSurge skos:altLabel "洪　水"@zh .'.replace("洪　水", "洪水"), "StormSurge", "also a name of 洪水"),
    ("OC007", ':Flood skos:altLabel "FLOOD"@en .', "Flood", "'FLOOD' repeats"),
    ("OC008", ':Flood skos:altLabel "deluge" .', "Flood", "no language at 'deluge'"),
    ("OC009", ':Flood skos:altLabel "水灾"@en .', "Flood", "'水灾' is tagged en"),
    ("OC009", ':Flood skos:altLabel "the deluge"@zh .', "Flood", "has no Chinese character"),
    ("OC010", a_class("A", "甲", "a", ":Drought") + a_class("B", "乙", "b", ":A"), "Drought", "干旱 > 甲 > 乙"),
    ("OC011", WIDE, "Drought", "31 direct subclasses, the limit is 30"),
    ("OC012", MANY + a_class("X", "叉", "x", ":KindA, :KindB, :KindC, :KindD, :KindE"), "X", "5 direct superclasses"),
    ("OC013", a_class("Wind", "风", "wind", more=f"; {PART}:Gale ]") + a_class("Gale", "大风", "gale"), "Gale",
     "2 classes without any relation"),
    ("OC020", ":Flood rdfs:subClassOf :Disastre .", "Disastre", "named by 1 edge of 洪水"),
    ("OC021", ":FlashFlood rdfs:subClassOf :Disaster .", "FlashFlood", "below 灾害 anyway, by 洪水"),
    ("OC022", ":Flood rdfs:subClassOf :Flood .", "Flood", "subclass of itself"),
    ("OC023", f'{FIGURES}:Disaster ; oc:support 3 . {FIGURES}:Disaster ; oc:support 4 .', "Flood", "stated 2 times"),
    ("OC023", ":Flood owl:equivalentClass :StormSurge . :StormSurge owl:equivalentClass :Flood .", "Flood", "2 times"),
    ("OC024", f":StormSurge {PART}:Disaster ] .", "StormSurge", "part of 灾害"),
    ("OC025", ":Flood rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :near ; owl:someValuesFrom :Drought ] .",
     "near", "used by 洪水"),
    ("OC026", f"{FIGURES}:Drought ; oc:support 3 .", "Flood", "a note on 洪水 subClassOf 干旱"),
    ("OC027", f':Flood rdfs:subClassOf :Drought . {FIGURES}:Drought ; oc:confidence "0.31" ; oc:support 4 .', "Flood",
     "confidence 0.31 (support 4)"),
    ("OC030", ':Hail a owl:Class ; rdfs:subClassOf :Disaster ; rdfs:label "冰雹"@zh, "hail"@en .', "Hail", "no def"),
    ("OC031", ':Flood skos:definition "干旱的定义"@zh .', "Flood", "the same definition as 干旱"),
    ("OC032", ':Flood skos:definition "洪水。"@zh .', "Flood", "is only the name"),
    ("OC040", a_class("mud_flow", "泥流", "mud flow", ":Disaster"), "mud_flow", "not CamelCase"),
    ("OC041", a_class("Thunder", "冰雹", "hail", ":Disaster"), "Thunder", "none of the names hail, 冰雹"),
    ("OC042", ':Flood skos:altLabel "the  deluge"@en .', "Flood", "stray white space"),
    ("OC042", ':Flood skos:altLabel "大\u200b水"@zh .', "Flood", "\\u200b"),
    ("OC043", ':Flood skos:altLabel "洪水Ａ１"@zh .', "Flood", "better '洪水A1'"),
    ("OC044", a_class("MudFlowOfMountains", "泥流", "Mud Flow of Mountains", ":Disaster"), "MudFlowOfMountains",
     "title case"),
    ("OC045", a_class("MudFlow", "泥流", "mud_flow", ":Disaster"), "MudFlow", "identifier"),
    ("OC046", ':Flood skos:altLabel "洪\ufffd"@zh .', "Flood", "U+FFFD"),
    ("OC050", "<https://w3id.org/ontocrawl/u> a owl:Ontology ; dcterms:title 'u' .", "", "2 headers"),
    ("OC051", ":Disaster rdfs:subClassOf :Event . " + a_class("Event", "事件", "event"), "Disaster", "yet subclass_of"),
    ("OC053", "<https://w3id.org/ontocrawl/t> owl:imports <http://sweetontology.net/phen> .", "", "imports were not"),
]  # fmt: skip


def put(tmp_path: Path, text: str, name: str = "t.ttl") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_clean_file_is_clean(tmp_path: Path) -> None:
    assert lint_file(put(tmp_path, CLEAN)) == ()


@pytest.mark.parametrize(("code", "added", "place", "reason"), FAULTS, ids=lambda x: x if str(x)[:2] == "OC" else "")
def test_each_fault_is_found_at_its_place(tmp_path: Path, code: str, added: str, place: str, reason: str) -> None:
    found = [f for f in lint_file(put(tmp_path, CLEAN + added)) if f.code == code]
    expected = SPACE + place if place else SPACE.removesuffix("#")
    assert [f.place for f in found] == [expected], found
    assert reason in found[0].reason
    assert found[0].mend and found[0].label
    told = recognised(found[0].reason, "lint.reason_"), recognised(found[0].mend, "lint.mend_")
    assert all(isinstance(text, Message) for text in told), "no sentence says it in Chinese"


def test_names_that_a_reason_only_counts_are_counted_in_chinese() -> None:
    told = recognised("63 direct subclasses, the limit is 30: 保护, 测定 and 57 more", "lint.reason_")
    assert isinstance(told, Message) and told.said("zh").endswith("保护, 测定 等，另有 57 个")


OTHERS_TOO = {"OC001", "OC003", "OC013", "OC020", "OC024", "OC027", "OC040", "OC041", "OC045", "OC051"}
"""Faults that are, by their nature, faults in a second respect."""


@pytest.mark.parametrize(
    ("code", "added"), [f[:2] for f in FAULTS if f[0] not in OTHERS_TOO], ids=lambda x: x if x[:2] == "OC" else ""
)
def test_a_fault_is_told_once(tmp_path: Path, code: str, added: str) -> None:
    assert {f.code for f in lint_file(put(tmp_path, CLEAN + added))} == {code}


def test_faults_of_whole_files(tmp_path: Path) -> None:
    def codes(text: str) -> set[str]:
        return {f.code for f in lint_file(put(tmp_path, text))}

    assert codes(PREFIXES + CLASSES) == {"OC050"}
    assert codes(PREFIXES + HEADER) == {"OC051", "OC054"}
    assert codes(CLEAN.replace("dcterms:license <https://www.apache.org/licenses/LICENSE-2.0> ; ", "")) == {"OC052"}
    tested = {code for code, *_ in FAULTS} | {"OC052", "OC054"}
    assert tested == {r.code for r in rules()}, "every rule has a fault that shows it"


def test_a_label_that_is_missing_everywhere_is_told_once(tmp_path: Path) -> None:
    found = lint_file(put(tmp_path, re.sub(r', "[a-z ]+"@en', "", CLEAN)))
    assert [(f.code, f.reason) for f in found] == [("OC004", "none of 6 classes has a label in en")]
    assert lint_file(tmp_path / "t.ttl", limits=Limits(languages=("zh",))) == ()


def test_no_label_at_all_is_an_error_unless_an_import_may_have_it(tmp_path: Path) -> None:
    bare = CLEAN + ":Hail a owl:Class ; rdfs:subClassOf :Disaster ."
    imports = " <https://w3id.org/ontocrawl/t> owl:imports <http://example.org/x> ."
    for text, severity in ((bare, "error"), (bare + imports, "info")):
        found = lint_file(put(tmp_path, text))
        assert {f.severity for f in found if f.code == "OC004"} == {severity}


def test_things_that_are_right(tmp_path: Path) -> None:
    right = [
        ":Flood owl:equivalentClass :Deluge . " + a_class("Deluge", "洪水", "deluge"),  # a shared name of equivalents
        ':Flood skos:altLabel "WRF"@zh, "洪水（大）"@zh .',  # short forms, full-width brackets
        a_class("DopplerRadar", "雷达", "Doppler radar", ":Disaster"),  # a proper name
        a_class("Flood-0a1b2c", "洪涝", "flood", ":Disaster").replace('"flood"@en', '"flooding"@en, "x"@fr'),
        ":RiverFlood rdfs:subClassOf :StormSurge .",  # two parents, a diamond
        ":StormSurge rdfs:subClassOf [ a owl:Restriction ; owl:onProperty oc:partOf ; owl:someValuesFrom :Flood ] .",
        ":Disaster rdfs:subClassOf owl:Thing .",
    ]
    for added in right:
        assert not [f for f in lint_file(put(tmp_path, CLEAN + added)) if f.code != "OC041"], added


def ontology(relations: tuple[Relation, ...], names: str = "rabc", **more: str) -> Ontology:
    concepts = tuple(
        Concept(f"{SPACE}{n.upper()}", f"类{n}", f"{n} class", (), (n,), definition=f"定义{n}") for n in names
    )
    return Ontology("https://w3id.org/ontocrawl/t", "global", "t", "1", f"{SPACE}R", concepts, relations,
                    title_zh="题", licence="CC0", **more)  # fmt: skip


def up(source: str, target: str, kind: str = "subclass_of", **more: object) -> Relation:
    return Relation(SPACE + source, kind, SPACE + target, **more)  # type: ignore[arg-type]


def test_ontologies_of_the_model() -> None:
    tree = (up("A", "R"), up("B", "R"), up("C", "A"))
    assert lint(ontology(tree)) == ()
    doubled = lint(ontology((*tree, up("C", "A", support=3))))
    assert [(f.code, f.label) for f in doubled] == [("OC023", "类c")]
    tangle = lint(ontology((*tree, up("A", "C"), up("C", "R"))))
    assert {f.code for f in tangle} == {"OC001"}
    alone = lint(ontology(tree[:2]))
    assert [(f.code, f.severity, f.place) for f in alone] == [("OC002", "warning", f"{SPACE}C")]
    assert "OC011" in {f.code for f in lint(ontology(tree), limits=Limits(siblings=1))}


def test_edges_to_the_root_and_from_word_forms_may_be_weak() -> None:
    edges = (up("A", "R", confidence=0.1), up("B", "A", confidence=0.1, evidence="head noun"),
             up("C", "A", confidence=0.1, evidence="documents", support=2))  # fmt: skip
    assert [f.place for f in lint(ontology(edges)) if f.code == "OC027"] == [f"{SPACE}C"]


def test_order_selection_and_severity(tmp_path: Path) -> None:
    path = put(tmp_path, CLEAN + FAULTS[0][1] + ':Flood skos:altLabel "FLOOD"@en, "大 水 "@zh .')
    found = lint_file(path)
    assert [rank(f.severity) for f in found] == sorted(rank(f.severity) for f in found)
    assert {f.code for f in found} == {"OC001", "OC007", "OC042"}
    assert {f.code for f in lint_file(path, select=["oc00"])} == {"OC001", "OC007"}
    assert {f.code for f in lint_file(path, select=["OC001", "white-space"])} == {"OC001", "OC042"}
    assert {f.code for f in lint_file(path, ignore=["OC001"])} == {"OC007", "OC042"}
    assert {f.code for f in at_least(found, "warning")} == {"OC001", "OC042"}
    assert counts(found) == {"error": 1, "warning": 1, "info": 1}
    for wrong in ("OC9", "", "nonsense"):
        with pytest.raises(LintError, match="no lint rule"):
            lint_file(path, select=[wrong])
    with pytest.raises(LintError, match="severity 'bad'"):
        rank("bad")  # type: ignore[arg-type]
    with pytest.raises(LintError, match="siblings"):
        Limits(siblings=0)


def test_rules_are_registered_once_and_say_what_they_are() -> None:
    assert len({r.name for r in rules()}) == len(rules()) > 30
    assert all(r.title and r.why.endswith(".") and r.example and r.mend and r.severity in SEVERITIES for r in rules())
    assert chosen(["OC001"]) == (rules()[0],)
    for code in ("OC001", "X1"):
        with pytest.raises(LintError, match=code):
            rule(code, "x", "info")(lambda _f, _l: [Spot("", "")])


def test_the_document_lists_the_rules_as_they_are(tmp_path: Path) -> None:
    path = Path(__file__).resolve().parents[3] / "docs" / "lint.md"
    assert inserted(path) == path.read_text(encoding="utf-8"), "run: python -m tools.lint_rules docs/lint.md"
    assert all(f"### {r.code} {r.name}" in handbook() for r in rules())
    (tmp_path / "page.md").write_text(f"{END} {BEGIN}")
    with pytest.raises(SystemExit, match="marks"):
        inserted(tmp_path / "page.md")


IRIS = st.sampled_from(["R", "a", "b", "洪", "x y", "", "#"])
KINDS = st.sampled_from(["subclass_of", "part_of", "equivalent_to", "causes", "http://p"])
EDGES = st.lists(st.builds(Edge, IRIS, KINDS, IRIS, confidence=st.none() | st.floats(0, 1)), max_size=12)


@pytest.mark.slow
@given(st.sets(IRIS), EDGES, st.none() | IRIS)
@settings(deadline=None, max_examples=150)
def test_any_graph_can_be_looked_at(names: set[str], edges: list[Edge], root: str | None) -> None:
    facts = Facts("f", "o", ("o",), root, tuple(Class(n) for n in sorted(names)), tuple(edges))
    found = [f for r in rules() for f in r.findings(facts, Limits())]
    cyclic = {f.place for f in found if f.code == "OC001"}
    above = {n: {e.target for e in edges if e.source == n and e.kind == "subclass_of" and e.target in names} - {n}
             for n in names}  # fmt: skip
    reach = {n: set(above[n]) for n in names}
    for _ in names:
        reach = {n: reach[n].union(*(reach[m] for m in reach[n])) for n in names}
    by_hand = any(n in reach[n] for n in names)
    subclass = [f for f in found if f.code == "OC001" and "subclass_of" in f.reason]
    assert bool(subclass) == by_hand
    assert cyclic <= names


def test_folding() -> None:
    assert folded(" ＷＲＦ  模式 ") == "wrf 模式"
    assert facts_of(ontology(())).label(f"{SPACE}A") == "类a"
    assert facts_of(ontology(())).label("http://x/y#Z") == "Z"

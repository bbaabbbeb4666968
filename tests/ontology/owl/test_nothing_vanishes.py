"""Every statement of a file is used, carried or counted: round trips of random statements in each format."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Set
from pathlib import Path

import pytest
from hypothesis import example, given, settings

from ontology import lint, owl
from ontology.owl import formats, horned, plain_formats, reader
from ontology.owl.naming import language_of
from ontology.owl.triples import Text, Triple, Triples, canonical_names, is_blank, legible, renamed
from ontology.owl.vocabulary import OWL
from tests.ontology.owl.statements import OWL_HEAD, PREFIXES, obo_files, owl_files, owl_statements, skos_files

EXAMPLES = int(os.environ.get("ONTOCRAWL_RANDOM_ONTOLOGIES", "12"))
"""Number of random ontologies of each format; set it to 1700 or more after a change of a reader or writer."""
random_files = settings(max_examples=EXAMPLES, deadline=None)
pytestmark = pytest.mark.timeout(300 + EXAMPLES)


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


def of_text(text: str, name: str) -> owl.Loaded:
    return owl.of_triples(reader.parse_bytes(text.encode(), Path(name)), Path(name))


def check(text: str, name: str, *, as_skos: bool = False) -> owl.Converted:
    """Read a file, write it in its own format, twice; what is lost is counted, and the second time nothing is."""
    loaded = of_text(text, name)
    format_ = formats.of_path(Path(name))
    first = owl.convert(loaded, format_.name, as_skos=as_skos)
    gone = lost(loaded, first.text, name)
    assert not gone or sum(first.left_out.values()), gone
    assert not gone or format_.name not in formats.RDF, gone
    again = of_text(first.text, name)
    second = owl.convert(again, format_.name, as_skos=as_skos)
    gone = lost(again, second.text, name)
    assert not gone, gone
    come = graph(reader.parse_bytes(second.text.encode(), Path(name))) - graph(again.source)
    assert not come, come
    third = owl.convert(of_text(second.text, name), format_.name, as_skos=as_skos)
    # The library of OWL/XML has an order of its own for individuals without names.
    assert third.text == second.text or (name.endswith(".owx") and "<AnonymousIndividual" in third.text)
    return first


OVER_A_DEPRECATED_CLASS = OWL_HEAD + (
    ":C1 rdfs:subClassOf :C0 . :C0 rdfs:subClassOf :C3 . :C3 rdfs:subClassOf :C1 ; owl:deprecated true .\n"
)
"""A cycle that leads over a deprecated class: its live classes are equivalent, now and in the file that is written."""


@random_files
@given(owl_files())
@example(OVER_A_DEPRECATED_CLASS)
def test_turtle(text: str) -> None:
    check(text, "a.ttl")


@random_files
@given(owl_files())
@example(OVER_A_DEPRECATED_CLASS)
@example(OWL_HEAD + '<http://x.org/o> dcterms:creator "two  blanks"@en ; dcterms:license "two  blanks"@en .\n')
def test_rdf_xml(text: str) -> None:
    said = plain_formats.rdf_xml(reader.parse_bytes(text.encode(), Path("a.ttl")))
    check(said, "a.rdf")


@random_files
@given(skos_files())
def test_skos(text: str) -> None:
    check(text, "a.ttl", as_skos=True)


@pytest.mark.slow
@random_files
@given(owl_files())
def test_owl_xml(text: str) -> None:
    said = horned.serialise(reader.parse_bytes(text.encode(), Path("a.ttl")), horned.OWL_XML)
    check(said, "a.owx")


@random_files
@given(obo_files())
def test_obo(text: str) -> None:
    check(text, "a.obo")


@random_files
@given(obo_files())
def test_obo_graphs(text: str) -> None:
    triples = reader.parse_bytes(text.encode(), Path("a.obo"))
    check(formats.BY_NAME[formats.OBO_GRAPHS].write(triples), "a.json")


# ---- the kinds, one by one


def said(triples: Triples) -> Set[tuple[object, ...]]:
    """Return what a graph says, once where two nodes say the same, two properties a text, two ends an equivalence."""
    found: set[tuple[object, ...]] = set()
    for triple in graph(triples):
        subject, predicate, value = (re.sub(r"^(_:n.{16})x.*", r"\1", t) if isinstance(t, str) else t for t in triple)
        if isinstance(value, Text) and not is_blank(str(subject)):
            found.add((subject, legible(value.value), language_of(value)))
        elif predicate == OWL.equivalentClass:
            found.add((predicate, frozenset((subject, value))))
        else:
            found.add((subject, predicate, value))
    return found


@random_files
@given(owl_files(), owl_statements())
@example(OWL_HEAD, ":C0 rdfs:subClassOf owl:Thing .")
@example(
    OWL_HEAD + '<http://x.org/o> dcterms:creator "flood" .\n',
    '<http://x.org/o> dcterms:creator [ foaf:name "flood" ] .',
)
@example(OWL_HEAD + "<http://x.org/o> dcterms:license <urn:x:y> .\n", "<http://x.org/o> dcterms:license <urn:x:z> .")
@example(
    OWL_HEAD + '<http://x.org/o> dcterms:created "2024-05-01" .\n', '<http://x.org/o> dcterms:created "2024-05-02" .'
)
@example(*[OWL_HEAD + '<http://x.org/o> dcterms:creator [ foaf:name "flood" ] .\n'] * 2)
@example(OWL_HEAD + ":C0 owl:equivalentClass :C1 .\n", ":C1 owl:equivalentClass :C0 .")
@example(OWL_HEAD + ':C0 rdfs:label "flood"@en .\n', ':C0 skos:prefLabel "flood"@en .')
def test_one_statement_more_is_used_or_counted(text: str, statement: str) -> None:
    before, after = of_text(text, "a.ttl"), of_text(f"{text}{statement}\n", "b.ttl")
    if said(after.source) <= said(before.source):
        return

    def told(loaded: owl.Loaded) -> tuple[object, ...]:
        return (
            loaded.ontology,
            loaded.header,
            dict(loaded.report.skipped),
            dict(loaded.report.changed),
            loaded.report.imports,
        )

    again = set(after.unused) - set(before.unused)  # of a thing that is counted once, whatever is said of it
    assert told(before) != told(after) or again


KINDS = {
    "general class axiom": "[ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :C1 ] rdfs:subClassOf :C0 .",
    "owl:AllDisjointClasses without a name": "[] a owl:AllDisjointClasses ; owl:members ( :C1 :C2 :C3 ) .",
    "rdfs:subClassOf only o:p":
    ":C1 rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:allValuesFrom :C2 ] .",
    "rdfs:subClassOf owl:Thing": ":C1 rdfs:subClassOf owl:Thing .",
    "rdfs:subClassOf by owl:intersectionOf":
    ":C1 rdfs:subClassOf [ a owl:Class ; owl:intersectionOf ( :C1 :C1 ) ] .",
    "rdfs:subClassOf some o:partOf":
    ":C1 rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :partOf ; owl:someValuesFrom :C1 ] .",
    "owl:disjointWith": ":C1 owl:disjointWith :C2 .",
    "annotation of an axiom": ":C1 rdfs:subClassOf :C0 . [] a owl:Axiom ; owl:annotatedSource :C1 ; "
    'owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :C0 ; rdfs:comment "agreed" .',
    "individual": ":i a owl:NamedIndividual, :C1 .",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_model_does_not_hold_is_counted_and_carried(kind: str) -> None:
    loaded = of_text(OWL_HEAD + KINDS[kind], "a.ttl")
    assert loaded.report.skipped[kind] == 1
    for name in (*formats.RDF, horned.FUNCTIONAL, horned.OWL_XML):
        converted = owl.convert(loaded, name)
        assert (converted.carried[kind], converted.left_out) == (1, {}), name
        suffix = formats.BY_NAME[name].suffixes[0]
        assert of_text(converted.text, f"b{suffix}").report.skipped.get(kind) == 1, name
    obo = owl.convert(loaded, formats.OBO)
    assert kind in {*obo.carried, *obo.left_out}


def test_texts_and_qualifiers_of_cross_references() -> None:
    text = (
        "format-version: 1.2\nontology: t\nsaved-by: someone\n\n[Term]\nid: T:1\nname: root\n\n"
        "[Term]\nid: T:2\nname: leaf\n"
        'is_a: T:1 {source="s"}\nxref: EX:1 "spoken form"\nxref: EX:2 {source="s"}\ncomment: seen {by="x"}\n'
        'synonym: "sheet" RELATED LAY [PMID:1]\ndef: "A leaf." [PMID:2 "who said it"]\n'
    )
    loaded = of_text(text, "a.obo")
    assert loaded.report.skipped["text of a source of def"] == 1
    assert loaded.report.skipped["annotation of an axiom"] == 6
    written = owl.convert(loaded, formats.OBO).text
    for line in ('xref: EX:1 "spoken form"', 'xref: EX:2 {oboInOwl:source="s"}', 'is_a: T:1 {', "saved-by: someone",
                 'synonym: "sheet" RELATED LAY [PMID:1]', 'def: "A leaf." [PMID:2]'):  # fmt: skip
        assert line in written
    turtle = of_text(owl.convert(loaded, formats.TURTLE).text, "b.ttl")
    assert 'xref: EX:1 "spoken form"' in owl.convert(turtle, formats.OBO).text


def test_keys_of_obo_graphs_that_are_not_known_are_counted() -> None:
    node = {"id": "http://x.org/T_1", "lbl": "root", "type": "CLASS", "rank": 3, "meta": {"seen": "yes"}}
    document = {"graphs": [{"id": "http://x.org/t", "nodes": [node], "domainRangeAxioms": [{"predicateId": "p"}]}]}
    skipped = of_text(json.dumps(document), "a.json").report.skipped
    assert skipped == {"rank of a node": 1, "seen of a node": 1, "domainRangeAxioms of a graph": 1}


def test_a_cycle_of_broader_is_no_equivalence() -> None:
    head = PREFIXES + ":S a skos:ConceptScheme .\n" + "".join(
        f':{n} a skos:Concept ; skos:prefLabel "{n}"@en .\n' for n in "abcde"
    )  # fmt: skip
    text = (
        head
        + ":a skos:broader :b . :b skos:broader :c . :a skos:narrower :c . :d skos:broader :b . :b skos:broader :e ."
    )
    loaded = of_text(text, "a.ttl")
    edges = {(r.source[-1], r.kind, r.target[-1]) for r in loaded.ontology.relations}
    assert edges == {(s, "subclass_of", t) for s, t in ("ab", "ca", "db", "be")}
    assert loaded.report.skipped == {"skos:broader on a cycle": 1}
    assert any("cycle of skos:broader: o:b -> o:c" in note for note in loaded.report.notes)
    thesaurus = owl.convert(loaded, formats.TURTLE, as_skos=True)
    again = of_text(thesaurus.text, "b.ttl")
    assert {(r.source[-1], r.kind, r.target[-1]) for r in again.ontology.relations} == edges
    assert not lost(loaded, thesaurus.text, "a.ttl")


def test_a_cycle_of_broader_over_a_deprecated_concept_is_left_out_there() -> None:
    text = PREFIXES + ":S a skos:ConceptScheme .\n" + "".join(f":{n} a skos:Concept .\n" for n in "abcd")
    text += ":a skos:broader :b . :b skos:broader :c . :c skos:broader :d . :d skos:broader :a ; owl:deprecated true ."
    loaded = of_text(text, "a.ttl")
    edges = {(r.source[-1], r.kind, r.target[-1]) for r in loaded.ontology.relations}
    assert edges == {("b", "subclass_of", "c"), ("c", "subclass_of", "a")}
    assert loaded.report.skipped["skos:broader on a cycle"] == 1
    check(text, "a.ttl", as_skos=True)


def test_labels_of_skos_xl_are_read(tmp_path: Path) -> None:
    text = PREFIXES + (
        ':S a skos:ConceptScheme . :a a skos:Concept ; xl:prefLabel [ a xl:Label ; xl:literalForm "flood"@en ] ;\n'
        'xl:altLabel :l . :l a xl:Label ; xl:literalForm "洪水"@zh-Hans .\n'
    )
    loaded = of_text(text, "a.ttl")
    (concept,) = loaded.ontology.concepts
    assert (concept.label_en, concept.alt_zh, loaded.report.skipped) == ("flood", ("洪水",), {})
    (tmp_path / "a.ttl").write_text(text, encoding="utf-8")
    assert not lint.lint_file(tmp_path / "a.ttl", select=("OC004",), limits=lint.Limits(languages=("en",)))

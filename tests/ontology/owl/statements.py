"""Random statements of ontologies, as Turtle and as OBO: whatever people and programs say about classes."""

from __future__ import annotations

from hypothesis import strategies as st

PREFIXES = """@prefix : <http://x.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix dc: <http://purl.org/dc/elements/1.1/> . @prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix obo: <http://purl.obolibrary.org/obo/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
"""
CLASSES = tuple(f":C{n}" for n in range(5))
_class = st.sampled_from(CLASSES)
_words = st.sampled_from((
    "flood", "heavy rain", "two  blanks", " edge ", "a\\nb", "暴雨", "災害", "灾害", "Überflutung",
    'a \\"b\\" \\\\ c', "<x> & y", "C1",
    "events", "event", "a|b", '{x=\\"y\\"}', "! no comment", "[1]", "e: f", "😀",
))  # fmt: skip
_tag = st.sampled_from(
    ("", "", "@en", "@zh", "@zh-Hans", "@zh-Hant", "@en-GB", "@fr", "@de", "^^xsd:date", "^^xsd:anyURI")
)
_literal = st.builds(lambda words, tag: f'"{words}"{tag}', _words, _tag)
_number = st.sampled_from(('"1"^^xsd:integer', '"2.50"^^xsd:decimal', "true", '"2024-05-01"^^xsd:date'))
_address = st.sampled_from(("<http://y.org/a>", "<https://y.org/b#c>", "<urn:x:y>", "<http://y.org/a%20b>"))
_annotation = st.sampled_from((
    "rdfs:label", "rdfs:comment", "rdfs:seeAlso", "skos:prefLabel", "skos:altLabel", "skos:hiddenLabel",
    "skos:definition", "skos:note", "obo:IAO_0000115", "obo:IAO_0000116", "oio:hasExactSynonym", "oio:hasBroadSynonym",
    "oio:hasRelatedSynonym", "oio:hasDbXref", "oio:inSubset", "oio:hasOBONamespace", "oio:id", "dcterms:description",
    "dcterms:title", "dcterms:source", "dcterms:creator", "dc:title", "owl:versionInfo", ":a",
))  # fmt: skip
_value = st.one_of(_literal, _literal, _number, _address)
_property = st.sampled_from((":p", ":q", ":partOf"))


def expressions(named: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return class expressions of OWL 2 with named classes at their ends."""
    quantifier = st.sampled_from(("owl:someValuesFrom", "owl:allValuesFrom"))
    restriction = st.builds(
        lambda p, q, c: f"[ a owl:Restriction ; owl:onProperty {p} ; {q} {c} ]", _property, quantifier, named
    )
    at_least = st.builds(
        lambda p, c: f'[ a owl:Restriction ; owl:onProperty {p} ; owl:onClass {c} ; '
        'owl:minQualifiedCardinality "2"^^xsd:nonNegativeInteger ]', _property, named,
    )  # fmt: skip
    part = st.one_of(named, restriction)
    combined = st.builds(
        lambda by, one, other: f"[ a owl:Class ; {by} ( {one} {other} ) ]",
        st.sampled_from(("owl:intersectionOf", "owl:unionOf")), part, part,
    )  # fmt: skip
    complement = st.builds(lambda c: f"[ a owl:Class ; owl:complementOf {c} ]", named)
    return st.one_of(restriction, at_least, combined, complement)


def owl_statements() -> st.SearchStrategy[str]:
    """Return statements of OWL 2 DL in Turtle."""
    s = st.builds
    is_a = st.sampled_from(("rdfs:subClassOf", "rdfs:subClassOf", "rdfs:subClassOf", "owl:equivalentClass"))
    expression = expressions(_class)
    about_axiom = s(
        lambda a, b, v: f"{a} rdfs:subClassOf {b} . [] a owl:Axiom ; owl:annotatedSource {a} ; "
        f"owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget {b} ; rdfs:comment {v} .", _class, _class, _value,
    )  # fmt: skip
    about_text = s(
        lambda a, p, v: f"{a} {p} {v} . [] a owl:Axiom ; owl:annotatedSource {a} ; owl:annotatedProperty {p} ; "
        f'owl:annotatedTarget {v} ; oio:hasDbXref "X:1" .', _class, _annotation, _value,
    )  # fmt: skip
    return st.one_of(
        s(lambda a, p, b: f"{a} {p} {b} .", _class, is_a, _class),
        s(lambda a, p, b: f"{a} {p} {b} .", _class, is_a, expression),
        s(lambda e, b: f"{e} rdfs:subClassOf {b} .", expression, _class),
        s(lambda a, p, v: f"{a} {p} {v} .", _class, _annotation, _value),
        s(lambda a, p, v: f"{a} {p} {v} .", _class, _annotation, _value),
        s(lambda p, v: f"<http://x.org/o> {p} {v} .", _annotation, _value),
        s(lambda a, b: f"{a} owl:disjointWith {b} .", _class, _class),
        s(lambda a, b, c: f"[] a owl:AllDisjointClasses ; owl:members ( {a} {b} {c} ) .", _class, _class, _class),
        s(lambda a, b, c: f"{a} owl:disjointUnionOf ( {b} {c} ) .", _class, _class, _class),
        s(lambda a, n: f":i{n} a owl:NamedIndividual, {a} .", _class, st.integers(0, 2)),
        s(lambda n, m: f":i{n} a owl:NamedIndividual . :i{m} a owl:NamedIndividual . :i{n} :p :i{m} .",
          st.integers(0, 2), st.integers(0, 2)),
        s(lambda n, v: f":i{n} a owl:NamedIndividual ; rdfs:label {v} .", st.integers(0, 2), _literal),
        s(lambda p, v: f"{p} rdfs:label {v} .", _property, _literal),
        s(lambda p, c: f"{p} rdfs:domain {c} ; rdfs:range {c} .", _property, _class),
        s(lambda a: f"{a} owl:deprecated true .", st.sampled_from(CLASSES[3:])),
        s(lambda a, b: f"{a} obo:IAO_0100001 {b} .", st.sampled_from(CLASSES[3:]), _class),
        s(lambda v: f"<http://x.org/o> dcterms:creator [ foaf:name {v} ] .", _literal),
        st.just("<http://x.org/o> owl:imports <http://nowhere.invalid/o> ."),
        st.just("<http://x.org/o> owl:versionIRI <http://x.org/o/2> ."),
        st.just(":C0 rdfs:subClassOf owl:Thing ."),
        st.just(":p a owl:TransitiveProperty ; rdfs:subPropertyOf :q ."),
        about_axiom, about_text,
    )  # fmt: skip


OWL_HEAD = PREFIXES + "<http://x.org/o> a owl:Ontology .\n" + "".join(
    [f"{c} a owl:Class .\n" for c in CLASSES]
    + [f"{p} a owl:ObjectProperty .\n" for p in (":p", ":q", ":partOf")]
    + [f"{p} a owl:AnnotationProperty .\n" for p in (
        ":a", "skos:prefLabel", "skos:altLabel", "skos:hiddenLabel", "skos:definition", "skos:note", "obo:IAO_0000115",
        "obo:IAO_0000116", "obo:IAO_0100001", "oio:hasExactSynonym", "oio:hasBroadSynonym", "oio:hasRelatedSynonym",
        "oio:hasDbXref", "oio:inSubset", "oio:hasOBONamespace", "oio:id", "dcterms:description", "dcterms:title",
        "dcterms:source",
        "dcterms:creator", "dc:title", "foaf:name",
    )]
)  # fmt: skip


def owl_files() -> st.SearchStrategy[str]:
    """Return ontologies in Turtle."""
    return st.lists(owl_statements(), max_size=12).map(lambda rows: OWL_HEAD + "\n".join(rows) + "\n")


def skos_files() -> st.SearchStrategy[str]:
    """Return thesauri in Turtle."""
    s = st.builds
    relation = st.sampled_from((
        "skos:broader", "skos:broader", "skos:narrower", "skos:related", "skos:exactMatch", "skos:closeMatch",
        "skos:broadMatch", "skos:broaderTransitive",
    ))  # fmt: skip
    xl = st.sampled_from(("xl:prefLabel", "xl:altLabel", "xl:hiddenLabel"))
    statement = st.one_of(
        s(lambda a, p, b: f"{a} {p} {b} .", _class, relation, _class),
        s(lambda a, p, v: f"{a} {p} {v} .", _class, _annotation, _value),
        s(lambda a, p, v: f'{a} {p} [ a xl:Label ; xl:literalForm {v} ; rdfs:comment "x" ] .', _class, xl, _literal),
        s(lambda a: f'{a} skos:notation "A.1" ; skos:inScheme :S .', _class),
        s(lambda a, b: f":K a skos:Collection ; skos:member {a}, {b} .", _class, _class),
        s(lambda a, b: f":L a skos:OrderedCollection ; skos:memberList ( {a} {b} ) .", _class, _class),
        s(lambda a: f":S skos:hasTopConcept {a} . {a} skos:topConceptOf :S .", _class),
        s(lambda a, v: f"{a} skos:definition [ rdf:value {v} ] .", _class, _literal),
        s(lambda p, v: f":S {p} {v} .", _annotation, _value),
        s(lambda a: f"{a} skos:exactMatch <http://y.org/other> .", _class),
        s(lambda a: f"{a} owl:deprecated true .", st.sampled_from(CLASSES[3:])),
    )  # fmt: skip
    head = PREFIXES + ":S a skos:ConceptScheme .\n" + "".join(f"{c} a skos:Concept .\n" for c in CLASSES)
    return st.lists(statement, max_size=12).map(lambda rows: head + "\n".join(rows) + "\n")


_id = st.sampled_from(("T:1", "T:2", "T:3", "X:4", "http://y.org/o#Z"))
_text = st.sampled_from(
    ("flood", "heavy rain", 'a \\"b\\" \\\\ c', "暴雨", "災害", "x {y} ! z", "a, b: c", "[1]", "😀")
)
_word = st.sampled_from(("PMID:1", "EX:2", "https://y.org/a?b=c", "GOC:x\\,y", "a-b"))
_marks = st.sampled_from(("", "", "", ' {source="PMID:2"}', ' {oc="1", other="a b"}'))
_sources = st.lists(_word, max_size=2).map(lambda found: f"[{', '.join(found)}]")


def obo_files() -> st.SearchStrategy[str]:
    """Return OBO flat files."""
    s = st.builds
    link = st.sampled_from(("part_of", "near"))
    tag = st.sampled_from(("namespace", "subset", "created_by", "creation_date", "alt_id", "builtin", "own_tag"))
    plain = st.sampled_from(("a comment", "with \\{braces\\}", "暴雨", "1"))
    row = st.one_of(
        s(lambda t, x, m: f'def: "{t}" {x}{m}', _text, _sources, _marks),
        s(lambda t, k, w, x, m: f'synonym: "{t}" {k}{w} {x}{m}', _text,
          st.sampled_from(("EXACT", "BROAD", "NARROW", "RELATED")), st.sampled_from(("", "", " LAY", " UK")), _sources,
          _marks),
        s(lambda w, m: f"xref: {w}{m}", _word, _marks),
        s(lambda w, t, m: f'xref: {w} "{t}"{m}', _word, _text, _marks),
        s(lambda i, m: f"is_a: {i}{m}", _id, _marks),
        s(lambda p, i, m: f"relationship: {p} {i}{m}", st.sampled_from(("part_of", "near")), _id, _marks),
        s(lambda i, p, j: f"intersection_of: {i}\nintersection_of: {p} {j}", _id, link, _id),
        s(lambda i, j: f"union_of: {i}\nunion_of: {j}", _id, _id),
        s(lambda i, m: f"disjoint_from: {i}{m}", _id, _marks),
        s(lambda i: f"equivalent_to: {i}", _id),
        s(lambda p, m: f"comment: {p}{m}", plain, _marks),
        s(lambda name, p, m: f"{name}: {p}{m}", tag, plain, _marks),
        s(lambda i: f"consider: {i}", _id),
        s(lambda t, m: f'property_value: EX:p "{t}" xsd:string{m}', _text, _marks),
        s(lambda i: f"property_value: EX:p {i}", _id),
        st.just("is_obsolete: true"),
    )  # fmt: skip
    stanza = s(
        lambda i, rows: "\n".join([f"[Term]\nid: {i}", f"name: name {i[-1]}", *rows]), _id, st.lists(row, max_size=4)
    )
    typedefs = (
        "[Typedef]\nid: near\nname: near\nis_transitive: true\ndomain: T:1\n\n"
        "[Typedef]\nid: part_of\nxref: BFO:0000050\n\n"
        '[Instance]\nid: I:1\nname: one\ninstance_of: T:1\nproperty_value: EX:p "v" xsd:string\n'
    )
    head = st.sampled_from((
        "", "data-version: 2\n", "default-namespace: x\nsubsetdef: a \"b\"\nsaved-by: someone\nremark: made\n",
        "import: http://nowhere.invalid/o\nproperty_value: dcterms:title \"T\" xsd:string\n",
    ))  # fmt: skip
    return s(
        lambda h, stanzas: f"format-version: 1.4\n{h}ontology: t\n\n[Term]\nid: T:0\nname: root\n\n"
        + "\n\n".join(stanzas) + f"\n\n{typedefs}",
        head, st.lists(stanza, max_size=4, unique_by=lambda t: t.split("\n")[1]),
    )  # fmt: skip

"""Facts from triples: OWL classes, or SKOS concepts, as stated, even if they form no valid `Ontology`.

Source: W3C, OWL 2 Mapping to RDF Graphs (2012): rdfs:subClassOf, owl:equivalentClass, existential restrictions, and
owl:Axiom for annotated axioms. Deprecated classes and their edges are left out. Imports are reported, never fetched.
`ontology.owl.reader` reads the files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TypeVar

from ontology.lint.facts import Class, Edge, Facts, Text
from ontology.owl.deprecation import OBSOLETE, deprecated
from ontology.owl.naming import stated_texts
from ontology.owl.triples import Term, Triple, Triples, is_blank, is_iri, lexical
from ontology.owl.triples import Text as Literal
from ontology.owl.vocabulary import AXIOM_ENDS, DC, DCTERMS, OC, OWL, RDF, RDFS, RESTRICTED, SKOS, SKOS_XL

_Number = TypeVar("_Number", int, float)
_KINDS: Mapping[str, str] = {property_: kind for kind, property_ in RESTRICTED.items()}
_HEADER = {
    "title": (DCTERMS.title, DC.title, RDFS.label),
    "version": (OWL.versionInfo, OWL.versionIRI),
    "licence": (DCTERMS.license, DCTERMS.rights, DC.rights, "http://creativecommons.org/ns#license"),
}
_LABELS, _OTHERS, _DEFINITIONS = (
    (RDFS.label, SKOS.prefLabel, SKOS_XL.prefLabel),
    (SKOS.altLabel, SKOS.hiddenLabel, SKOS_XL.altLabel, SKOS_XL.hiddenLabel), (SKOS.definition, DCTERMS.description)
)  # fmt: skip
_BROADER = (SKOS.broader, SKOS.narrower)
_PROPERTIES = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, RDF.Property)


def facts_of_triples(triples: Triples, name: str) -> Facts:
    """Collect the facts that triples state.

    Args:
        triples: content of one file; classes and properties without an IRI are left out.
        name: the file, for messages; it replaces the IRI of an ontology without a header.
    """
    named = (list(filter(is_iri, triples.of_type(kind))) for kind in (OWL.Ontology, SKOS.ConceptScheme))
    headers = tuple(next(filter(None, named), ()))
    main_header = headers[0] if headers else None
    missing = [
        n
        for n, ps in _HEADER.items()
        if main_header is not None and not any(triples.objects(main_header, p) for p in ps)
    ]
    root = triples.objects(main_header, OC.root) if main_header is not None else ()
    return Facts(
        name=name,
        iri=main_header or name,
        headers=headers,
        root=lexical(root[0]) if root else None,
        classes=tuple(_class(triples, iri) for iri in _classes(triples)),
        edges=tuple(_edges(triples)),
        missing=tuple(missing),
        imports=tuple(sorted(lexical(o) for header in headers for o in triples.objects(header, OWL.imports))),
        undeclared_properties=_undeclared_properties(triples),
        loose_notes=tuple(_loose_notes(triples)),
    )


def _classes(triples: Triples) -> list[str]:
    classes = triples.of_type(OWL.Class, RDFS.Class, SKOS.Concept)
    left_out = {OWL.Thing, OWL.Nothing, OBSOLETE} | deprecated(triples)
    return [iri for iri in classes if is_iri(iri) and iri not in left_out]


def _class(triples: Triples, iri: str) -> Class:
    def texts(properties: tuple[str, ...]) -> tuple[Text, ...]:
        values = (text for p in properties for _, _, text in stated_texts(triples, iri, p))
        return tuple(sorted({Text(v.language, v.value) for v in values}, key=lambda t: (t.language, t.value)))

    return Class(iri, texts(_LABELS), texts(_OTHERS), texts(_DEFINITIONS))


def _edges(triples: Triples) -> Iterator[Edge]:
    notes: dict[Triple, list[str]] = defaultdict(list)
    for axiom, triple in _notes(triples):
        notes[triple].append(axiom)
    dead = deprecated(triples)
    for source, kind, target, triple in sorted(_stated(triples), key=lambda e: e[:3]):
        if source in dead or target in dead:
            continue
        if triple not in notes:
            yield Edge(source, kind, target, broader=triple[1] in _BROADER)
        for axiom in sorted(notes[triple]):  # an axiom that is annotated twice is a doubled edge
            yield _edge(triples, source, kind, target, axiom, broader=triple[1] in _BROADER)


def _stated(triples: Triples) -> Iterator[tuple[str, str, str, Triple]]:
    for predicate, kind in ((RDFS.subClassOf, "subclass_of"), (OWL.equivalentClass, "equivalent_to"),
                            (SKOS.broader, "subclass_of")):  # fmt: skip
        for source, value in triples.pairs(predicate):
            if is_blank(source) or isinstance(value, Literal) or value in (OWL.Thing, OWL.Nothing):
                continue
            if is_iri(value):
                yield source, kind, value, (source, predicate, value)
            elif predicate == RDFS.subClassOf:
                property_, target = triples.node(value, OWL.onProperty), triples.node(value, OWL.someValuesFrom)
                if property_ and target and is_iri(property_) and is_iri(target):
                    yield source, _KINDS.get(property_, property_), target, (source, predicate, value)
    for narrower, value in triples.pairs(SKOS.narrower):
        if is_iri(value) and narrower not in triples.objects(str(value), SKOS.broader):
            yield str(value), "subclass_of", narrower, (narrower, SKOS.narrower, value)


def _edge(triples: Triples, source: str, kind: str, target: str, axiom: str, *, broader: bool) -> Edge:
    evidence = triples.objects(axiom, OC.evidence)
    return Edge(
        source, kind, target,
        support=_number(triples, axiom, OC.support, int),
        confidence=_number(triples, axiom, OC.confidence, float),
        evidence=lexical(evidence[0]) if evidence else "",
        broader=broader,
    )  # fmt: skip


def _number(triples: Triples, axiom: str, property_: str, kind: type[_Number]) -> _Number | None:
    values = triples.objects(axiom, property_)
    try:
        return kind(lexical(values[0])) if values else None
    except ValueError:
        return None


def _notes(triples: Triples) -> Iterator[tuple[str, Triple]]:
    """Yield annotated axioms that have all three parts of their triple."""
    for axiom in triples.of_type(OWL.Axiom):
        ends: list[Term] = [o for end in AXIOM_ENDS for o in triples.objects(axiom, end)[:1]]
        if len(ends) == len(AXIOM_ENDS):
            yield axiom, (lexical(ends[0]), lexical(ends[1]), ends[2])


def _loose_notes(triples: Triples) -> Iterator[tuple[str, str, str]]:
    for _, (source, property_, target) in sorted(_notes(triples), key=lambda note: [lexical(end) for end in note[1]]):
        named = not is_blank(source) and not is_blank(target)
        if named and target not in triples.objects(source, property_):
            yield source, property_, lexical(target)


def _undeclared_properties(triples: Triples) -> Mapping[str, tuple[str, ...]]:
    users_of: dict[str, set[str]] = defaultdict(set)
    users: dict[Term, set[str]] = defaultdict(set)
    for source, value in triples.pairs(RDFS.subClassOf):
        users[value].add(source)
    declared = set(triples.of_type(*_PROPERTIES))
    for restriction, property_ in triples.pairs(OWL.onProperty):
        if is_iri(property_) and property_ not in declared:
            users_of[str(property_)] |= {user for user in users[restriction] if is_iri(user)}
    return {property_: tuple(sorted(by)) for property_, by in sorted(users_of.items())}

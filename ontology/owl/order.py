"""The order in which files state things, so that a change of the ontology is a small change of the file.

The header stands first, then properties, then classes by IRI. A blank node that nothing else needs follows the class
that it is about, so that an edge and what speaks for it stand together.
"""

from __future__ import annotations

from collections.abc import Iterator

from ontology.owl.triples import Term, Text, Triples, is_blank
from ontology.owl.vocabulary import DCTERMS, OC, OWL, RDFS, SKOS, TYPE

_FIRST = (OWL.Ontology, SKOS.ConceptScheme)
_SECOND = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
_PREDICATES = (
    TYPE, OWL.versionIRI, OWL.versionInfo, DCTERMS.title, RDFS.label, SKOS.prefLabel, SKOS.altLabel, SKOS.definition,
    SKOS.inScheme, SKOS.topConceptOf, SKOS.broader, SKOS.narrower, OWL.equivalentClass, RDFS.subClassOf,
    OWL.annotatedSource, OWL.annotatedProperty, OWL.annotatedTarget, OWL.onProperty, OWL.someValuesFrom,
    OC.support, OC.confidence, OC.evidence, OC.document, OC.sentence,
)  # fmt: skip
_RANK = {predicate: rank for rank, predicate in enumerate(_PREDICATES)}
Key = tuple[object, ...]


def subjects(triples: Triples) -> list[str]:
    """All subjects in file order; a blank node stands behind the one that it is about."""
    owners = _owners(triples)
    keys: dict[str, Key] = {}
    for subject in triples.subjects():
        if is_blank(subject):
            owner = owners.get(subject, subject)
            keys[subject] = (*_rank(triples, owner), 1, *_about(triples, subject))
        else:
            keys[subject] = (*_rank(triples, subject), 0)
    return sorted(keys, key=keys.__getitem__)


def statements(triples: Triples, subject: str) -> Iterator[tuple[str, Term]]:
    """Predicates and objects of a subject in file order."""
    for predicate in sorted(triples.predicates(subject), key=lambda p: (_RANK.get(p, len(_RANK)), p)):
        for value in sorted(triples.objects(subject, predicate), key=lambda v: _value_key(triples, v)):
            yield predicate, value


def references(triples: Triples) -> dict[str, int]:
    """How often each blank node is an object."""
    found: dict[str, int] = {}
    for _, _, value in triples:
        if is_blank(value):
            found[str(value)] = found.get(str(value), 0) + 1
    return found


def _owners(triples: Triples) -> dict[str, str]:
    owners = {}
    for subject, _, value in triples:
        if is_blank(value) and not is_blank(subject):
            owners[str(value)] = subject
    for axiom in triples.of_type(OWL.Axiom):
        owners[axiom] = triples.node(axiom, OWL.annotatedSource) or axiom
    return owners


def _rank(triples: Triples, subject: str) -> tuple[int, str]:
    types = triples.objects(subject, TYPE)
    rank = 0 if any(t in types for t in _FIRST) else 1 if any(t in types for t in _SECOND) else 2
    return rank, subject


def _about(triples: Triples, blank: str) -> Key:
    """A restriction by its property and class, an axiom by what it annotates, restrictions before axioms."""
    kind = [o for o in triples.objects(blank, TYPE) if isinstance(o, str)]
    target = triples.node(blank, OWL.annotatedTarget) or blank
    parts = [triples.node(blank, OWL.annotatedProperty) or "", *_described(triples, target), blank]
    return (int(OWL.Axiom in kind), *parts)


def _described(triples: Triples, node: str) -> tuple[str, str]:
    if not is_blank(node):
        return "", node
    return triples.node(node, OWL.onProperty) or "", triples.node(node, OWL.someValuesFrom) or ""


def _value_key(triples: Triples, value: Term) -> Key:
    if isinstance(value, Text):
        return (2, value.language, value.value, value.datatype)
    if is_blank(value):
        return (1, *_described(triples, value), value)
    return (0, value)

"""Order of statements in files, chosen so that a change of the ontology is a small change of the file.

The header is first, then properties, then classes by IRI. A blank node that no other node needs follows the class that
it annotates, so that an edge and its evidence are together.
"""

from __future__ import annotations

from collections.abc import Iterator

from ontology.owl.triples import Term, Text, Triples, is_blank
from ontology.owl.vocabulary import DCTERMS, OC, OWL, PROV, RDFS, SKOS, TYPE

_FIRST = (OWL.Ontology, SKOS.ConceptScheme)
_SECOND = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
_PREDICATES = (
    TYPE, OWL.versionIRI, OWL.versionInfo, DCTERMS.title, RDFS.label, SKOS.prefLabel, SKOS.altLabel, SKOS.definition,
    SKOS.inScheme, SKOS.topConceptOf, SKOS.broader, SKOS.narrower, OWL.equivalentClass, RDFS.subClassOf,
    OWL.annotatedSource, OWL.annotatedProperty, OWL.annotatedTarget, OWL.onProperty, OWL.someValuesFrom,
    OC.support, OC.confidence, OC.evidence, OC.document, OC.sentence,
    PROV.wasGeneratedBy, PROV.wasDerivedFrom,
)  # fmt: skip
_RANK = {predicate: rank for rank, predicate in enumerate(_PREDICATES)}
Key = tuple[object, ...]


def subjects(triples: Triples) -> list[str]:
    """Return all subjects in file order; a blank node follows the one that it annotates."""
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
    """Yield predicates and objects of a subject in file order.

    Args:
        triples: the triples.
        subject: a node.
    """
    for predicate in sorted(triples.predicates(subject), key=lambda p: (_RANK.get(p, len(_RANK)), p)):
        for value in sorted(triples.objects(subject, predicate), key=lambda v: _value_key(triples, v)):
            yield predicate, value


def references(triples: Triples) -> dict[str, int]:
    """Return blank node -> number of triples with it as object."""
    counts: dict[str, int] = {}
    for _, _, value in triples:
        if is_blank(value):
            counts[str(value)] = counts.get(str(value), 0) + 1
    return counts


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
    """Return the sort key of a blank node: restrictions by property and class, then axioms by what they annotate."""
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

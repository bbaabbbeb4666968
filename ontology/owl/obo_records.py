"""What OBO formats say of an ontology, one record for each thing: the inverse of `obo_mapping`, for their writers.

A record has the statements that OBO has tags of its own for (its slots: name, definition, synonyms with their scope,
xrefs, is_obsolete, is_a, relationships, equivalent classes); everything else is a property with a value. One label and
one definition fill the slot, the English one if there is one; those in other languages are properties.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ontology.owl import order
from ontology.owl.naming import language_of
from ontology.owl.obo_mapping import Annotation, iri_of, language_mark
from ontology.owl.triples import Axioms, Term, Text, Triples, is_blank, is_iri
from ontology.owl.vocabulary import (
    AXIOM_ENDS,
    DEFINITIONS,
    OBO,
    OBO_IN_OWL,
    OC,
    OWL,
    PROV,
    RDFS,
    REPLACED_BY,
    SCOPES,
    SKOS,
    TYPE,
    XREF,
    OwlError,
)

KINDS = (OWL.Ontology, OWL.ObjectProperty, OWL.Class)
DEFINITION = OBO.IAO_0000115
_LANGUAGES = ("en", "zh")
_SLOTS = {
    TYPE, RDFS.label, SKOS.altLabel, *DEFINITIONS, *SCOPES.values(), XREF, OWL.deprecated, RDFS.subClassOf,
    OWL.equivalentClass, *REPLACED_BY,
}  # fmt: skip


_ORIGIN = (PROV.wasGeneratedBy, PROV.wasDerivedFrom)


@dataclass(frozen=True, slots=True)
class Statement:
    """A property and its value, with annotations; the language of a text is one of them."""

    property: str
    value: Term
    annotations: Sequence[Annotation] = ()


@dataclass(slots=True)
class Record:
    """One thing of an ontology; ``kind`` is one of `KINDS`."""

    iri: str
    kind: str
    name: Text | None = None
    definition: Statement | None = None
    synonyms: list[tuple[str, Statement]] = field(default_factory=list)
    """(EXACT, BROAD, NARROW or RELATED, the synonym)."""
    xrefs: list[str] = field(default_factory=list)
    is_deprecated: bool = False
    replaced_by: list[str] = field(default_factory=list)
    """IRIs only."""
    values: list[Statement] = field(default_factory=list)
    parents: list[Statement] = field(default_factory=list)
    """rdfs:subClassOf a class, or else a property and the class of its values."""
    equivalents: list[Statement] = field(default_factory=list)

    def statements(self) -> Iterator[Statement]:
        """Yield all statements that may have annotations."""
        yield from (s for s in (self.definition, *(synonym for _, synonym in self.synonyms)) if s)
        yield from (*self.values, *self.parents, *self.equivalents)


def records(triples: Triples) -> Iterator[Record]:
    """Yield the header, then object properties and classes by IRI. Declarations of annotation properties are left out.

    Args:
        triples: those of `graph.to_triples`.

    Raises:
        OwlError: an IRI cannot be told from an OBO identifier.
    """
    axioms = triples.annotated()
    for subject in order.subjects(triples):
        kind = next((kind for kind in KINDS if kind in triples.objects(subject, TYPE)), "")
        if kind and not is_blank(subject):
            if iri_of(subject, {}) != subject:
                raise OwlError(f"<{subject}> would be an identifier with a prefix in OBO; write another format")
            yield _record(triples, axioms, subject, kind)


def left_out(triples: Triples) -> dict[str, int]:
    """Count what no record holds, by reason: the build that axioms are from, and candidates of definitions."""
    counts = {
        "origin of an axiom (PROV-O)": sum(
            any(triples.objects(axiom, p) for p in _ORIGIN) for axiom in triples.of_type(OWL.Axiom)
        ),
        "candidate of a definition": sum(1 for _ in triples.pairs(OC.definitionCandidate)),
    }
    return {reason: count for reason, count in counts.items() if count}


def _record(triples: Triples, axioms: Axioms, iri: str, kind: str) -> Record:
    made = Record(iri, kind)
    _add_label(made, _texts(triples, iri, RDFS.label))
    _add_definition(made, [text for property_ in DEFINITIONS for text in _texts(triples, iri, property_)])
    made.synonyms = list(_synonyms(triples, iri))
    made.xrefs = [text.value for text in _texts(triples, iri, XREF)]
    made.is_deprecated = bool(triples.objects(iri, OWL.deprecated))
    for value in triples.objects(iri, REPLACED_BY[0]):
        if isinstance(value, Text):
            made.values.append(Statement(REPLACED_BY[0], value))
        else:
            made.replaced_by.append(value)
    for predicate, value in order.statements(triples, iri):
        if predicate in (RDFS.subClassOf, OWL.equivalentClass):
            rows = made.parents if predicate == RDFS.subClassOf else made.equivalents
            for axiom in axioms.get((iri, predicate, str(value)), [""]):
                rows.append(_link(triples, predicate, str(value), axiom))
        elif predicate not in _SLOTS and predicate != OC.definitionCandidate:
            marks = language_mark(value, is_slot=False) if isinstance(value, Text) else ()
            made.values.append(Statement(predicate, value, marks))
    return made


def _synonyms(triples: Triples, iri: str) -> Iterator[tuple[str, Statement]]:
    scopes: dict[Text, list[str]] = {}
    for scope, property_ in SCOPES.items():
        for text in _texts(triples, iri, property_):
            scopes.setdefault(text, []).append(scope.upper())
    for text in _texts(triples, iri, SKOS.altLabel):
        for name in scopes.get(text, ["EXACT"]):
            property_ = OBO_IN_OWL.iri + synonym_property(name)
            yield name, Statement(property_, text, language_mark(text, is_slot=True))


def synonym_property(scope: str) -> str:
    """Return the local part of a synonym property: EXACT is hasExactSynonym."""
    return f"has{scope.capitalize()}Synonym"


def _texts(triples: Triples, iri: str, property_: str) -> list[Text]:
    return sorted(value for value in triples.objects(iri, property_) if isinstance(value, Text))


def _first(texts: list[Text]) -> Text | None:
    rank = {language: i for i, language in enumerate(_LANGUAGES)}
    return min(texts, key=lambda text: (rank.get(text.language, len(rank)), text), default=None)


def _add_label(made: Record, labels: list[Text]) -> None:
    """Fill the slot of the name; a label whose language the name alone does not tell is a property too."""
    made.name = _first(labels)
    twice = {label.value for n, label in enumerate(labels) if label.value in {other.value for other in labels[:n]}}
    for label in labels:
        if label != made.name or label.value in twice or language_of(Text(label.value)) != label.language:
            made.values.append(Statement(RDFS.label, label, language_mark(label, is_slot=False)))


def _add_definition(made: Record, definitions: list[Text]) -> None:
    chosen = _first(definitions)
    for text in definitions:
        if text == chosen:
            made.definition = Statement(DEFINITION, text, language_mark(text, is_slot=True))
        else:
            made.values.append(Statement(DEFINITION, text, language_mark(text, is_slot=False)))


def _link(triples: Triples, predicate: str, value: str, axiom: str) -> Statement:
    annotations = [
        (p, o) for p, o in order.statements(triples, axiom) if p not in (TYPE, *AXIOM_ENDS, *_ORIGIN)
    ] if axiom else []  # fmt: skip
    if is_iri(value):
        return Statement(predicate, value, annotations)
    property_, target = triples.node(value, OWL.onProperty), triples.node(value, OWL.someValuesFrom)
    return Statement(str(property_), str(target), annotations)

"""Reading an ontology of ours back from its triples; what `graph` and `skos` say of every relation stands there.

What people added and the model has no place for (labels in a third language, disjoint classes, properties, comments on
an axiom ..) is counted in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ontology.model import Concept, Ontology, OntologyKind, Relation, RelationKind
from ontology.owl.census import Reading
from ontology.owl.contents import Header, Loaded, Report
from ontology.owl.graph import canonical
from ontology.owl.triples import Triples, is_blank, lexical
from ontology.owl.vocabulary import (
    ANNOTATIONS,
    AXIOM_ENDS,
    BORROWED,
    DCTERMS,
    OBJECT_PROPERTIES,
    OC,
    OWL,
    RDFS,
    RESTRICTED,
    SKOS,
    TYPE,
    OwlError,
    short,
)

_FIGURES = (OC.support, OC.confidence, OC.evidence, OC.document, OC.sentence)
_OWN_TERMS = (*(row[0] for row in OBJECT_PROPERTIES), *(row[0] for row in ANNOTATIONS), *BORROWED)


def headers(triples: Triples, type_: str = OWL.Ontology) -> list[str]:
    """Headers of this type that name kind, topic or root in our vocabulary."""
    marks = (OC.kind, OC.topic, OC.root)
    return [s for s in triples.of_type(type_) if any(triples.objects(s, mark) for mark in marks)]


def is_own(triples: Triples) -> bool:
    """Whether the triples have a header of ours."""
    return bool(headers(triples))


def one_header(found: list[str], name: str) -> str:
    """The only one; OwlError where there are several."""
    if len(found) != 1:
        raise OwlError(f"{name}: expected one owl:Ontology header, found {len(found)}: {', '.join(found)}")
    return found[0]


def from_triples(triples: Triples, name: str) -> Loaded:
    """The ontology in triples that `to_triples` made, in canonical order; what else is there is reported."""
    reading = Reading(triples, name)
    for term in _OWN_TERMS:
        reading.mark_all(term)
    own = one_header(headers(triples), name)
    reading.mark(own, TYPE, OWL.Ontology)
    iris = [iri for iri in triples.of_type(OWL.Class) if not is_blank(iri)]
    concepts = [read_concept(reading, iri, OWL.Class, RDFS.label) for iri in iris]
    return loaded(reading, own, concepts, _relations(reading))


def loaded(reading: Reading, own: str, concepts: list[Concept], relations: Iterable[Relation]) -> Loaded:
    """Put the parts that were read together; OwlError where they do not make an ontology."""
    kind, topic, root = (_one(reading, own, predicate) for predicate in (OC.kind, OC.topic, OC.root))
    if kind not in ("global", "local"):
        raise OwlError(f"{reading.name}: oc:kind must be global or local, found {kind!r}")
    chosen: OntologyKind = "global" if kind == "global" else "local"
    version = _one(reading, own, OWL.versionInfo)
    reading.take(own, OWL.versionIRI)
    comments = reading.texts(own, RDFS.comment, lambda text: not text.language)
    licences = reading.take(own, DCTERMS.license)
    try:
        ontology = Ontology(
            own, chosen, topic, version, root, tuple(concepts), tuple(relations),
            _first(reading, own, DCTERMS.title, "zh"), _first(reading, own, DCTERMS.title, "en"),
            comments[0] if comments else "", lexical(licences[0]) if licences else "",
        )  # fmt: skip
    except ValueError as error:
        raise OwlError(f"{reading.name}: {error}") from error
    header = Header(
        _date(reading, own, DCTERMS.created), _date(reading, own, DCTERMS.modified),
        tuple(sorted(lexical(o) for o in reading.take(own, DCTERMS.creator))),
    )  # fmt: skip
    imports = tuple(sorted(lexical(o) for o in reading.take(own, OWL.imports)))
    skipped, examples = reading.skipped({c.iri for c in concepts}, {own})
    return Loaded(canonical(ontology), header, Report(skipped, examples, imports), own=True)


def _one(reading: Reading, subject: str, predicate: str) -> str:
    found = reading.take(subject, predicate)
    if len(found) != 1:
        raise OwlError(f"{reading.name}: expected one {short(predicate)} of <{subject}>, found {len(found)}")
    return lexical(found[0])


def _date(reading: Reading, subject: str, predicate: str) -> str:
    return next(iter(reading.texts(subject, predicate, lambda text: True)), "")


def _first(reading: Reading, subject: str, predicate: str, language: str) -> str:
    found = reading.texts(subject, predicate, lambda text: text.language.lower() == language)
    for text in found[1:]:
        reading.skip(f"further {short(predicate)} @{language}", text)
    return found[0] if found else ""


def read_concept(reading: Reading, iri: str, type_: str, label: str) -> Concept:
    """A concept that `add_names` wrote. OwlError where a language has two labels."""

    def texts(predicate: str, language: str) -> tuple[str, ...]:
        return tuple(reading.texts(iri, predicate, lambda text: text.language.lower() == language))

    reading.mark(iri, TYPE, type_)
    zh, en = texts(label, "zh"), texts(label, "en")
    for language, found in (("zh", zh), ("en", en)):
        if len(found) > 1:
            named = ", ".join(repr(text) for text in found)
            raise OwlError(
                f"{reading.name}: <{iri}> must have at most one label @{language}, found {len(found)}: {named}; "
                "make the others skos:altLabel"
            )
    return Concept(
        iri, zh[0] if zh else "", en[0] if en else None, texts(SKOS.altLabel, "zh"), texts(SKOS.altLabel, "en"),
        _first(reading, iri, SKOS.definition, "zh"), _first(reading, iri, SKOS.definition, "en"),
    )  # fmt: skip


def _relations(reading: Reading) -> Iterator[Relation]:
    triples = reading.triples
    axioms = triples.annotated()
    for source in triples.subjects():
        for predicate in (RDFS.subClassOf, OWL.equivalentClass):
            for value in triples.objects(source, predicate):
                found = _edge(triples, predicate, str(value))
                if found is None:
                    continue
                reading.mark(source, predicate, value)
                if is_blank(value):
                    reading.mark_all(str(value))
                told = axioms.get((source, predicate, str(value)), [])
                for axiom in told or [""]:
                    yield _relation(reading, source, *found, axiom)


def _edge(triples: Triples, predicate: str, value: str) -> tuple[RelationKind, str] | None:
    """The relation that a superclass or an equivalent class says; None for an expression that we do not have."""
    if not is_blank(value):
        return ("subclass_of" if predicate == RDFS.subClassOf else "equivalent_to"), value
    property_, target = triples.node(value, OWL.onProperty), triples.node(value, OWL.someValuesFrom)
    kind = next((kind for kind, ours in RESTRICTED.items() if ours == property_), None)
    if kind is None or target is None or is_blank(target) or predicate != RDFS.subClassOf:
        return None
    return kind, target


def _relation(reading: Reading, source: str, kind: RelationKind, target: str, axiom: str) -> Relation:
    found = {property_: sorted(lexical(o) for o in reading.take(axiom, property_)) for property_ in _FIGURES}
    for mark in (TYPE, *AXIOM_ENDS):
        reading.take(axiom, mark)
    for property_ in (OC.support, OC.confidence, OC.evidence, OC.sentence):
        for further in found[property_][1:]:
            reading.skip(f"further {short(property_)} of one edge", further)

    def number(property_: str, parse: Callable[[str], Any]) -> Any:
        try:
            return parse(found[property_][0]) if found[property_] else None
        except ValueError:
            raise OwlError(
                f"{reading.name}: {short(property_)} of <{source}>: no number: {found[property_][0]!r}"
            ) from None

    return Relation(
        source, kind, target, number(OC.support, int), number(OC.confidence, float),
        "".join(found[OC.evidence][:1]), tuple(found[OC.document]), "".join(found[OC.sentence][:1]),
    )  # fmt: skip

"""Reading an ontology of ontocrawl from its triples, the inverse of `graph`.

Additions to the file that the model cannot represent (disjoint classes, properties, comments on an axiom ..) are
counted in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from ontology.model import (
    Concept,
    DefinitionCandidate,
    NameRole,
    Ontology,
    OntologyKind,
    OtherText,
    Relation,
    RelationKind,
)
from ontology.owl import naming
from ontology.owl.census import Reading
from ontology.owl.contents import Header, Loaded, Report
from ontology.owl.deprecation import BRIDGED, OBSOLETE, bridges, deprecated
from ontology.owl.foreign import joined
from ontology.owl.graph import NO_PROVENANCE, Provenance, canonical, read_provenance, to_triples
from ontology.owl.triples import Axioms, Term, Text, Triples, is_blank, is_iri, legible, lexical
from ontology.owl.vocabulary import (
    ANNOTATIONS,
    AXIOM_ENDS,
    BORROWED,
    BORROWED_IF_USED,
    DCTERMS,
    DEFINITIONS,
    OBJECT_PROPERTIES,
    OC,
    OTHER_NAMES,
    OWL,
    RDF,
    RDFS,
    REPLACED_BY,
    RESTRICTED,
    TYPE,
    XREF,
    XSD,
    OwlError,
    short,
)

_FIGURES = (OC.support, OC.confidence, OC.evidence, OC.document, OC.sentence)
_OWN_TERMS = (
    *(row[0] for row in OBJECT_PROPERTIES),
    *(row[0] for row in ANNOTATIONS),
    *BORROWED,
    *BORROWED_IF_USED,
    OC.digest,
)


def headers(triples: Triples, type_: str = OWL.Ontology) -> list[str]:
    """Return the headers of a type that have kind, topic or root in our vocabulary.

    Args:
        triples: content of the file.
        type_: IRI of the header's class.
    """
    marks = (OC.kind, OC.topic, OC.root)
    return [s for s in triples.of_type(type_) if any(triples.objects(s, mark) for mark in marks)]


def _is_built_in(iri: str) -> bool:
    """Return whether a class is one of OWL or RDF, or that above all obsolete ones: no class of an ontology."""
    return iri.startswith((OWL.iri, RDF.iri, RDFS.iri, XSD.iri)) or iri == OBSOLETE


def is_own(triples: Triples) -> bool:
    """Return whether the triples have a header with our vocabulary."""
    return bool(headers(triples))


def one_header(iris: list[str], name: str) -> str:
    """Return the only header.

    Args:
        iris: IRIs of headers.
        name: the file, for messages.

    Raises:
        OwlError: there is not exactly one.
    """
    if len(iris) != 1:
        raise OwlError("owl.expected_owl_ontology_header_found", name=name, n_iris=len(iris), iris=", ".join(iris))
    return iris[0]


def from_triples(triples: Triples, name: str) -> Loaded:
    """Return the ontology of triples that `to_triples` made, in canonical order; everything else is reported.

    Args:
        triples: content of the file.
        name: the file, for messages.
    """
    reading = Reading(triples, name)
    for term in _OWN_TERMS:
        reading.mark_all(term)
    ontology_iri = one_header(headers(triples), name)
    reading.mark(ontology_iri, TYPE, OWL.Ontology)
    iris = [iri for iri in triples.of_type(OWL.Class) if not is_blank(iri) and not _is_built_in(iri)]
    axioms = triples.annotated()
    concepts = [_with_candidates(reading, read_concept(reading, iri, OWL.Class, RDFS.label), axioms) for iri in iris]
    origin = read_provenance(reading, ontology_iri)
    return loaded(reading, ontology_iri, concepts, _relations(reading, axioms, origin), origin)


def loaded(
    reading: Reading,
    ontology_iri: str,
    concepts: list[Concept],
    relations: Iterable[Relation],
    origin: Provenance = NO_PROVENANCE,
    *,
    write: Callable[[Ontology, Header], Triples] = to_triples,
) -> Loaded:
    """Assemble an ontology from its parts.

    Args:
        reading: the triples of the file.
        ontology_iri: IRI of the ontology.
        concepts: its concepts.
        relations: its relations.
        origin: the build that made the axioms, with the IRIs of its documents.
        write: makes the statements of a file of this kind.

    Raises:
        OwlError: they do not form an ontology.
    """
    kind, topic, root = (_one(reading, ontology_iri, predicate) for predicate in (OC.kind, OC.topic, OC.root))
    if kind not in ("global", "local"):
        raise OwlError("owl.oc_kind_must_global", reading=reading.name, kind=kind)
    chosen: OntologyKind = "global" if kind == "global" else "local"
    version = _one(reading, ontology_iri, OWL.versionInfo)
    for written in (OWL.versionIRI, OC.digest):
        reading.take(ontology_iri, written)
    comments = reading.texts(ontology_iri, RDFS.comment, _is_untyped)
    licences = sorted(map(_named, reading.take_named(ontology_iri, DCTERMS.license)))
    dead = deprecated(reading.triples)
    live, gone = ([c for c in concepts if (c.iri in dead) == is_dead] for is_dead in (False, True))
    for concept in gone:
        reading.take(concept.iri, OWL.deprecated)
    if root in dead:
        raise OwlError("owl.root_deprecated_make_another", reading=reading.name, root=root)
    relations = _among_live(reading, list(relations), {c.iri for c in gone})
    # Files that have no build of theirs (SKOS, OBO) declare no annotation properties; in others a source is a statement
    # of a foreign ontology that was converted.
    is_corpus = bool(origin.build) or OWL.AnnotationProperty not in reading.triples.objects(OC.kind, TYPE)
    try:
        ontology = Ontology(
            ontology_iri, chosen, topic, version, root, tuple(live), tuple(relations), tuple(gone),
            title_zh=_first(reading, ontology_iri, "zh", DCTERMS.title),
            title_en=_first(reading, ontology_iri, "en", DCTERMS.title),
            comment=comments[0] if comments else "", licence=licences[0] if licences else "",
        )  # fmt: skip
    except ValueError as error:
        raise OwlError("files.about", about=reading.name, error=error) from error
    header = Header(
        _date(reading, ontology_iri, DCTERMS.created), _date(reading, ontology_iri, DCTERMS.modified),
        tuple(sorted({_named(o) for o in reading.take_named(ontology_iri, DCTERMS.creator)})),
        tuple(reading.texts(ontology_iri, DCTERMS.source, _is_untyped)) if is_corpus else (),
        origin.documents,
        prior="".join(lexical(o) for o in sorted(reading.take_named(ontology_iri, OWL.priorVersion), key=lexical)[:1]),
    )  # fmt: skip
    stated = reading.triples.node(ontology_iri, OWL.versionIRI) or ""
    if unquote(stated) != unquote(ontology.version_iri) and not origin.build:
        header = replace(header, version_iri=stated)
    imports = tuple(sorted(lexical(o) for o in reading.take(ontology_iri, OWL.imports)))
    skipped, examples = reading.skipped({c.iri for c in concepts}, {ontology_iri})
    whole = canonical(ontology)
    report = Report(skipped, examples, imports)
    return Loaded(
        whole, header, report, own=True, source=reading.triples, used=reading.used,
        thesaurus=write is not to_triples, written=lambda: write(whole, header),
    )  # fmt: skip


def _is_untyped(text: Text) -> bool:
    return not text.language and not text.datatype


def _named(term: Term) -> str:
    """Return a person or a licence; a text with a tag is a foreign one, which is written besides as it is read."""
    return lexical(term) if isinstance(term, str) or _is_untyped(term) else legible(term.value)


def _among_live(reading: Reading, relations: list[Relation], dead: set[str]) -> list[Relation]:
    """Return the relations of live classes, with what a deprecated superclass stood between."""
    if not dead:
        return relations
    kept = [r for r in relations if r.source not in dead and r.target not in dead]
    for r in relations:
        if r.source in dead or r.target in dead:
            reading.skip("relation of a deprecated class", r.source if r.source in dead else r.target)
    pairs = bridges(((r.source, r.target) for r in relations if r.kind == "subclass_of"), dead)
    stated = {(r.source, r.target) for r in kept if r.kind == "subclass_of"}
    same = joined(
        {name for pair in pairs for name in pair} | {name for r in kept for name in (r.source, r.target)},
        ((r.source, r.kind, r.target, "") for r in kept),
    )
    return kept + [
        Relation(source, "subclass_of", target, evidence=BRIDGED)
        for source, target in pairs
        if (source, target) not in stated and same[source] != same[target]  # equivalent classes need no edge
    ]


def _one(reading: Reading, subject: str, predicate: str) -> str:
    objects = reading.take(subject, predicate)
    if len(objects) != 1:
        raise OwlError(
            "owl.expected_found", reading=reading.name, short=short(predicate), subject=subject, n_objects=len(objects)
        )
    return lexical(objects[0])


def _date(reading: Reading, subject: str, predicate: str) -> str:
    return next(iter(reading.texts(subject, predicate, lambda text: True)), "")


def _first(reading: Reading, subject: str, language: str, *predicates: str) -> str:
    texts = [
        (text, predicate)
        for predicate in predicates
        for text in reading.texts(subject, predicate, lambda text_: text_.language.lower() == language)
    ]
    for text, predicate in texts[1:]:
        if text != texts[0][0]:
            reading.skip(f"further {short(predicate)} @{language}", text)
    return texts[0][0] if texts else ""


def read_concept(reading: Reading, iri: str, type_: str, label: str) -> Concept:
    """Return a concept that `add_names` wrote.

    Args:
        reading: the triples of the file.
        iri: the concept.
        type_: IRI of its class.
        label: rdfs:label or skos:prefLabel.

    Raises:
        OwlError: a language has two labels.
    """
    reading.mark(iri, TYPE, type_)
    stated = reading.triples.predicates(iri)
    roles: list[tuple[NameRole, tuple[str, ...]]] = [
        ("label", (label,)), ("synonym", OTHER_NAMES), ("definition", DEFINITIONS),
    ]  # fmt: skip
    asked = [(role, [p for p in predicates if p in stated]) for role, predicates in roles]
    texts = [text for role, predicates in asked if predicates for text in _texts(reading, iri, role, predicates)]
    for language in ("zh", "en"):
        labels = [text.text for text in texts if (text.role, text.language) == ("label", language)]
        if len(labels) > 1:
            named = ", ".join(repr(text) for text in labels)
            raise OwlError(
                "owl.must_most_label_found",
                reading=reading.name,
                iri=iri,
                language=language,
                n_labels=len(labels),
                named=named,
            )
    return naming.with_texts(
        Concept(
            iri, "", xrefs=tuple(map(lexical, reading.take_named(iri, XREF))),
            replaced_by=tuple({lexical(o) for property_ in REPLACED_BY for o in reading.take_named(iri, property_)}),
            scopes=tuple(naming.scoped(reading, iri, lambda text: (text.language, text.value))),
        ), texts,
    )  # fmt: skip


def _texts(reading: Reading, iri: str, role: NameRole, predicates: Iterable[str]) -> Iterator[OtherText]:
    """Yield the texts of a concept, each once; of the definitions the first with each tag, the others stay unused."""
    known: dict[str, set[str]] = {}
    for predicate in predicates:
        for value in sorted([o for o in reading.triples.objects(iri, predicate) if isinstance(o, Text)]):
            words = known.setdefault(value.language, set())
            if value.datatype or (role == "definition" and words and value.value not in words):
                continue
            reading.mark(iri, predicate, value)
            if value.value not in words:
                yield OtherText(role, value.language, value.value)
            words.add(value.value)


def _with_candidates(reading: Reading, concept: Concept, axioms: Axioms) -> Concept:
    found = tuple(_candidates(reading, concept.iri, axioms))
    return replace(concept, candidates=found) if found else concept


def _candidates(reading: Reading, iri: str, axioms: Axioms) -> Iterator[DefinitionCandidate]:
    """Yield the candidates of a class's definition; one without a document is no candidate of ours."""
    for value in reading.triples.objects(iri, OC.definitionCandidate):
        for axiom in axioms.get((iri, OC.definitionCandidate, value), ()) if isinstance(value, Text) else ():
            document, pattern = (reading.triples.objects(axiom, p) for p in (OC.document, OC.evidence))
            if isinstance(value, Text) and len(document) == len(pattern) == 1:
                reading.mark(iri, OC.definitionCandidate, value)
                for mark in (TYPE, *AXIOM_ENDS, OC.document, OC.evidence):
                    reading.take(axiom, mark)
                yield DefinitionCandidate(value.language, value.value, lexical(document[0]), lexical(pattern[0]))


def _relations(reading: Reading, axioms: Axioms, origin: Provenance) -> Iterator[Relation]:
    triples = reading.triples
    for source in filter(is_iri, triples.subjects()):
        for predicate in (RDFS.subClassOf, OWL.equivalentClass):
            for value in triples.objects(source, predicate):
                edge = _edge(triples, predicate, str(value))
                if edge is None:
                    continue
                reading.mark(source, predicate, value)
                if is_blank(value):
                    reading.mark_all(str(value))
                annotations = axioms.get((source, predicate, str(value)), [])
                for axiom in annotations or [""]:
                    relation = _relation(reading, source, *edge, axiom)
                    origin.take(reading, axiom, relation.documents)
                    yield relation


def _edge(triples: Triples, predicate: str, value: str) -> tuple[RelationKind, str] | None:
    """Return the relation of a superclass or an equivalent class; None for an unknown expression."""
    if _is_built_in(value):
        return None
    if not is_blank(value):
        return ("subclass_of" if predicate == RDFS.subClassOf else "equivalent_to"), value
    property_, target = triples.node(value, OWL.onProperty), triples.node(value, OWL.someValuesFrom)
    kind = next((kind for kind, ours in RESTRICTED.items() if ours == property_), None)
    if kind is None or target is None or is_blank(target) or predicate != RDFS.subClassOf:
        return None
    return kind, target


def _relation(reading: Reading, source: str, kind: RelationKind, target: str, axiom: str) -> Relation:
    if not axiom:
        return Relation(source, kind, target)
    figures = {property_: sorted(lexical(o) for o in reading.take(axiom, property_)) for property_ in _FIGURES}
    for mark in (TYPE, *AXIOM_ENDS):
        reading.take(axiom, mark)
    for property_ in (OC.support, OC.confidence, OC.evidence, OC.sentence):
        for further in figures[property_][1:]:
            reading.skip(f"further {short(property_)} of one edge", further)

    def number(property_: str, parse: Callable[[str], Any]) -> Any:
        try:
            return parse(figures[property_][0]) if figures[property_] else None
        except ValueError:
            raise OwlError(
                "owl.no_number",
                reading=reading.name,
                short=short(property_),
                source=source,
                figures=figures[property_][0],
            ) from None

    return Relation(
        source, kind, target, number(OC.support, int), number(OC.confidence, float),
        "".join(figures[OC.evidence][:1]), tuple(figures[OC.document]), "".join(figures[OC.sentence][:1]),
    )  # fmt: skip

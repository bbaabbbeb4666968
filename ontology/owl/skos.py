"""A SKOS view of an ontology (W3C, SKOS Reference, 2009), for thesaurus tools; written and read.

* concept: skos:Concept with skos:prefLabel, altLabel, definition, in the ontology's skos:ConceptScheme; the root is its
  top concept
* subclass_of: skos:broader and skos:narrower      * equivalent_to: skos:exactMatch
* part_of, causes, measured_by: oc:partOf, oc:causes, oc:measuredBy between the concepts; SKOS has none for them

A deprecated class is a skos:Concept of the scheme with owl:deprecated true and dcterms:isReplacedBy.

Left out: the evidence of an edge (support, confidence, evidence, documents, sentence), because SKOS has no annotations
of relations; candidates of definitions, which are no part of a thesaurus; and an other name that equals the label of
its language (integrity condition S13).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ontology.model import Concept, Ontology, Relation, RelationKind
from ontology.owl import formats, graph, native
from ontology.owl.census import Reading
from ontology.owl.contents import NO_HEADER, Header, Loaded
from ontology.owl.deprecation import TRUE
from ontology.owl.foreign import cuts
from ontology.owl.triples import Triples, is_iri
from ontology.owl.vocabulary import OBJECT_PROPERTIES, OC, OWL, SKOS, TYPE, OwlError

_PREDICATES: Mapping[str, RelationKind] = {
    SKOS.broader: "subclass_of",
    SKOS.exactMatch: "equivalent_to",
    OC.partOf: "part_of",
    OC.causes: "causes",
    OC.measuredBy: "measured_by",
}
_VIEW = (SKOS.narrower, SKOS.inScheme, SKOS.topConceptOf)


def to_triples(ontology: Ontology, header: Header = NO_HEADER, format_name: str = formats.TURTLE) -> Triples:
    """Return the view as triples.

    Args:
        ontology: the ontology.
        header: dates and people.
        format_name: format of the file.

    Raises:
        OwlError: the format holds OWL axioms only.
    """
    if format_name not in formats.RDF:
        raise OwlError("owl.skos_rdf_write_not", rdf=", ".join(formats.RDF), format_name=format_name)
    triples = Triples()
    triples.add(ontology.iri, TYPE, SKOS.ConceptScheme)
    graph.add_header(triples, ontology, header)
    triples.add(ontology.iri, SKOS.hasTopConcept, ontology.root)
    triples.add(ontology.root, SKOS.topConceptOf, ontology.iri)
    for concept in ontology.deprecated:
        triples.add(concept.iri, OWL.deprecated, TRUE)
    for concept in (*ontology.concepts, *ontology.deprecated):
        triples.add(concept.iri, TYPE, SKOS.Concept)
        triples.add(concept.iri, SKOS.inScheme, ontology.iri)
        graph.add_names(triples, _distinct(concept), SKOS.prefLabel)
    for relation in ontology.relations:
        predicate = next(p for p, kind in _PREDICATES.items() if kind == relation.kind)
        triples.add(relation.source, predicate, relation.target)
        if predicate == SKOS.broader:
            triples.add(relation.target, SKOS.narrower, relation.source)
    return triples


def _distinct(concept: Concept) -> Concept:
    zh = tuple(name for name in concept.alt_zh if name != concept.label_zh)
    labels = {(text.language, text.text) for text in concept.texts if text.role == "label"}
    distinct = replace(
        concept,
        alt_zh=zh,
        alt_en=tuple(name for name in concept.alt_en if name != concept.label_en),
        texts=tuple(t for t in concept.texts if t.role != "synonym" or (t.language, t.text) not in labels),
    )
    return replace(distinct, scopes=graph.known_scopes(distinct))


def left_out(ontology: Ontology) -> dict[str, int]:
    """Count what the view of an ontology leaves out, by reason; reasons with count 0 are omitted."""
    doubled = sum(concept != _distinct(concept) for concept in (*ontology.concepts, *ontology.deprecated))
    supported = sum(bool(graph.figures(relation)) for relation in ontology.relations)
    candidates = sum(len(concept.candidates) for concept in (*ontology.concepts, *ontology.deprecated))
    counts = {
        "evidence of a relation": supported, "other name that equals the label": doubled,
        "candidate of a definition": candidates,
    }  # fmt: skip
    return {reason: count for reason, count in counts.items() if count}


def is_own(triples: Triples) -> bool:
    """Return whether the triples have a concept scheme with our vocabulary."""
    return bool(native.headers(triples, SKOS.ConceptScheme))


def from_triples(triples: Triples, name: str) -> Loaded:
    """Return the ontology of a view that `to_triples` made, in canonical order.

    Args:
        triples: content of the file.
        name: the file, for messages.
    """
    reading = Reading(triples, name)
    scheme = native.one_header(native.headers(triples, SKOS.ConceptScheme), name)
    reading.mark(scheme, TYPE, SKOS.ConceptScheme)
    reading.take(scheme, SKOS.hasTopConcept)
    for property_, *_ in OBJECT_PROPERTIES:
        reading.mark_all(property_)
    iris = [iri for iri in triples.of_type(SKOS.Concept) if is_iri(iri)]
    concepts = [native.read_concept(reading, iri, SKOS.Concept, SKOS.prefLabel) for iri in iris]
    return native.loaded(reading, scheme, concepts, set(_relations(reading, iris)), write=to_triples)


def _relations(reading: Reading, iris: list[str]) -> Iterator[Relation]:
    """Yield the relations; what would close a cycle of broader concepts stays a statement beyond the model."""
    known = set(iris)
    stated = [
        (iri, predicate, str(other))
        for iri in iris for predicate in (*_PREDICATES, SKOS.narrower)
        for other in reading.triples.objects(iri, predicate) if other in known
    ]  # fmt: skip
    broader = {(s, t) for s, p, t in stated if p == SKOS.broader} | {(t, s) for s, p, t in stated if p == SKOS.narrower}
    cut = cuts(broader, [pair for s, p, t in stated if p == SKOS.exactMatch for pair in ((s, t), (t, s))])
    for source, predicate, target in stated:
        pair = (target, source) if predicate == SKOS.narrower else (source, target)
        if predicate in (SKOS.broader, SKOS.narrower) and pair in cut:
            continue
        reading.mark(source, predicate, target)
        yield Relation(pair[0], _PREDICATES.get(predicate, "subclass_of"), pair[1])
    for iri in iris:
        for predicate in _VIEW[1:]:
            reading.take(iri, predicate)

"""Ontology to RDF triples, by the patterns of OWL 2 (W3C, OWL 2 Mapping to RDF Graphs, 2012).

* concept: owl:Class with rdfs:label, skos:altLabel and skos:definition, language-tagged; oboInOwl:hasDbXref
* broad, narrow and related synonyms: oboInOwl:hasBroadSynonym and so on, besides skos:altLabel
* deprecated class: the same with owl:deprecated true; obo:IAO_0100001 and dcterms:isReplacedBy name what replaces it
* subclass_of, equivalent_to: rdfs:subClassOf, owl:equivalentClass between named classes
* part_of, causes, measured_by: subclass of an existential restriction on the object property oc:partOf, oc:causes or
  oc:measuredBy (every instance of the part is part of some instance of the whole)
* support, confidence, evidence, documents and sentence: an owl:Axiom that annotates the relation's axiom; of a learned
  ontology also its origin (provenance.py)
* candidate of a definition: oc:definitionCandidate, annotated with its document and the form of the sentence
* metadata of the ontology: its owl:Ontology header, in Dublin Core terms and in annotations of oc:

Names of blank nodes are derived from their statements, so that two graphs of one ontology are equal.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ontology.model import Concept, NameRole, Ontology, Relation, ScopedName
from ontology.owl.census import Reading
from ontology.owl.contents import NO_HEADER, Header, date_type
from ontology.owl.deprecation import TRUE
from ontology.owl.triples import Term, Text, Triples, checked_iri, checked_text, is_address, lexical
from ontology.owl.vocabulary import (
    ANNOTATIONS,
    AXIOM_ENDS,
    BORROWED,
    BORROWED_IF_USED,
    COMMENTS,
    DCTERMS,
    NAMED,
    OBJECT_PROPERTIES,
    OC,
    OWL,
    PROV,
    RDFS,
    REPLACED_BY,
    RESTRICTED,
    SCOPES,
    SKOS,
    TYPE,
    XREF,
    XSD,
    OwlError,
)


def canonical(ontology: Ontology) -> Ontology:
    """Return an ontology in the order of files: concepts by IRI, relations by kind and ends, names sorted.

    Other names and documents are without repetition, `equivalent_to` has the smaller IRI first, and a relation without
    evidence is dropped if the same relation exists with some.
    """
    by_key: dict[tuple[str, str, str], set[Relation]] = {}
    for relation in ontology.relations:
        ends = (relation.source, relation.target)
        source, target = sorted(ends) if relation.kind == "equivalent_to" else ends
        kept, documents = relation, tuple(sorted(set(relation.documents)))
        if (source, target, documents) != (*ends, relation.documents):
            kept = replace(relation, source=source, target=target, documents=documents)
        by_key.setdefault((kept.kind, source, target), set()).add(kept)
    relations: list[Relation] = []
    for _, same in sorted(by_key.items()):
        kept_ones = [r for r in same if figures(r)] or list(same)
        relations += sorted(kept_ones, key=figures) if len(kept_ones) > 1 else kept_ones
    return replace(
        ontology,
        concepts=_canonical_concepts(ontology.concepts),
        relations=tuple(relations),
        deprecated=_canonical_concepts(ontology.deprecated),
    )


def _canonical_concepts(concepts: Iterable[Concept]) -> tuple[Concept, ...]:
    return tuple(sorted((_canonical_concept(c.with_views()) for c in concepts), key=lambda c: c.iri))


def _canonical_concept(c: Concept) -> Concept:
    if c.label_en != "" and not (
        c.alt_zh or c.alt_en or c.texts or c.xrefs or c.replaced_by or c.scopes or c.candidates
    ):
        return c
    return replace(
        c, label_en=c.label_en or None, alt_zh=tuple(sorted(set(c.alt_zh) - {""})),
        alt_en=tuple(sorted(set(c.alt_en) - {""})), texts=tuple(sorted(set(c.texts))),
        xrefs=tuple(sorted(set(c.xrefs) - {""})), replaced_by=tuple(sorted(set(c.replaced_by) - {""})),
        scopes=known_scopes(c),
        candidates=tuple(sorted(set(c.candidates))),
    )  # fmt: skip


def known_scopes(concept: Concept) -> tuple[ScopedName, ...]:
    """Return the scopes of the other names that a concept has, sorted; each with the tag that its name has in files."""
    if not concept.scopes:
        return ()
    tagged = [text for text in concept.texts if text.role != "definition"]
    tags = {(t.view or t.language, t.text): t.language for t in sorted(tagged) if t.role == "synonym"}
    exact = {(t.view, t.text): t.language for t in tagged if t.role == "synonym" and t.language == t.view}
    labels = {(t.view, t.text) for t in tagged if t.role == "label"} - tags.keys()
    names = {("zh", name) for name in concept.alt_zh} | {("en", name) for name in concept.alt_en}
    names = names - labels | {(text.language, text.text) for text in tagged if text.role == "synonym"}
    known = (
        replace(s, language=(tags | exact).get((s.language, s.text), s.language)) if s.language in ("zh", "en") else s
        for s in concept.scopes if s.text and (s.language, s.text) in names
    )  # fmt: skip
    return tuple(sorted(set(known)))


def figures(relation: Relation) -> list[tuple[str, Text]]:
    """Return the evidence of a relation as annotations."""
    annotations = []
    if relation.support is not None:
        annotations.append((OC.support, Text(str(relation.support), "", XSD.integer)))
    if relation.confidence is not None:
        if not math.isfinite(relation.confidence):
            raise OwlError(
                "owl.relation_confidence_must_finite", source=relation.source, confidence=relation.confidence
            )
        annotations.append((OC.confidence, Text(repr(float(relation.confidence)), "", XSD.double)))
    if relation.evidence:
        annotations.append((OC.evidence, checked_text(relation.evidence)))
    annotations += [(OC.document, checked_text(document)) for document in relation.documents]
    if relation.sentence:
        annotations.append((OC.sentence, checked_text(relation.sentence)))
    return annotations


def to_triples(ontology: Ontology, header: Header = NO_HEADER) -> Triples:
    """Return the ontology as OWL triples.

    Args:
        ontology: the ontology.
        header: dates and people.

    Raises:
        OwlError: a text or an IRI is not allowed in files.
    """
    triples = Triples()
    triples.add(ontology.iri, TYPE, OWL.Ontology)
    add_header(triples, ontology, header)
    for property_, label_zh, label_en in (*OBJECT_PROPERTIES, *ANNOTATIONS):
        object_ = any(property_ == row[0] for row in OBJECT_PROPERTIES)
        triples.add(property_, TYPE, OWL.ObjectProperty if object_ else OWL.AnnotationProperty)
        _add_texts(triples, property_, RDFS.label, label_zh, label_en)
        _add_texts(triples, property_, RDFS.comment, *COMMENTS.get(property_, ("", "")))
    for property_ in BORROWED:
        triples.add(property_, TYPE, OWL.AnnotationProperty)
    for concept in ontology.concepts:
        triples.add(checked_iri(concept.iri), TYPE, OWL.Class)
        add_names(triples, concept, RDFS.label)
    for concept in ontology.deprecated:
        triples.add(checked_iri(concept.iri), TYPE, OWL.Class)
        triples.add(concept.iri, OWL.deprecated, TRUE)
        add_names(triples, concept, RDFS.label)
    for concept in (*ontology.concepts, *ontology.deprecated):
        _add_candidates(triples, concept)
    _add_build(triples, ontology, header)
    for relation in ontology.relations:
        axiom = _add_relation(triples, relation)
        if axiom is not None:
            _add_origin(triples, axiom, relation, ontology, header)
    for property_ in BORROWED_IF_USED:
        if any(triples.pairs(property_)):
            triples.add(property_, TYPE, OWL.AnnotationProperty)
    return triples


def add_header(triples: Triples, ontology: Ontology, header: Header) -> None:
    """Add the metadata of an ontology; the same in OWL and in SKOS.

    Args:
        triples: the triples to add to.
        ontology: the ontology.
        header: dates and people.
    """
    subject = checked_iri(ontology.iri)
    triples.add(subject, OWL.versionIRI, checked_iri(header.version_iri or ontology.version_iri))
    triples.add(subject, OWL.versionInfo, checked_text(ontology.version))
    triples.add(subject, OC.kind, Text(ontology.kind))
    triples.add(subject, OC.topic, checked_text(ontology.topic))
    triples.add(subject, OC.root, checked_iri(ontology.root))
    _add_texts(triples, subject, DCTERMS.title, ontology.title_zh, ontology.title_en)
    if ontology.comment:
        triples.add(subject, RDFS.comment, checked_text(ontology.comment))
    if ontology.licence:
        triples.add(subject, DCTERMS.license, _iri_or_text(ontology.licence))
    for name, value in (("created", header.created), ("modified", header.modified)):
        if value:
            triples.add(subject, DCTERMS.iri + name, Text(value, "", XSD.iri + date_type(value, name)))
    if header.prior:
        triples.add(subject, OWL.priorVersion, checked_iri(header.prior))
    for source in sorted(set(header.sources)):
        triples.add(subject, DCTERMS.source, checked_text(source))
    for creator in sorted(set(header.creators)):
        triples.add(subject, DCTERMS.creator, _iri_or_text(creator))


def add_names(triples: Triples, concept: Concept, label: str) -> None:
    """Add labels, other names, definitions and cross-references of a concept, and what replaces it.

    Args:
        triples: the triples to add to.
        concept: the concept.
        label: rdfs:label or skos:prefLabel.
    """
    iri = concept.iri
    properties = {"label": label, "synonym": SKOS.altLabel, "definition": SKOS.definition}
    tagged = {(text.role == "definition", text.view, text.text) for text in concept.texts if text.view}
    views: tuple[tuple[NameRole, str, tuple[str, ...]], ...] = (
        ("label", "zh", (concept.label_zh,)), ("label", "en", (concept.label_en or "",)),
        ("synonym", "zh", concept.alt_zh), ("synonym", "en", concept.alt_en),
        ("definition", "zh", (concept.definition,)), ("definition", "en", (concept.definition_en,)),
    )  # fmt: skip
    for role, language, words in views:
        for word in words:
            if word and (role == "definition", language, word) not in tagged:
                triples.add(iri, properties[role], checked_text(word, language))
    for text in concept.texts:
        triples.add(iri, properties[text.role], checked_text(text.text, text.language))
    for name in concept.scopes:
        triples.add(iri, SCOPES[name.scope], checked_text(name.text, name.language))
    for xref in concept.xrefs:
        triples.add(iri, XREF, checked_text(xref))
    for other in concept.replaced_by:
        for property_ in REPLACED_BY:
            triples.add(iri, property_, other if is_address(other) else checked_text(other))


def _add_texts(triples: Triples, subject: str, predicate: str, zh: str, en: str) -> None:
    for text, language in ((zh, "zh"), (en, "en")):
        if text:
            triples.add(subject, predicate, checked_text(text, language))


def _iri_or_text(value: str) -> str | Text:
    return checked_iri(value) if value.startswith(("http://", "https://")) else checked_text(value)


def _blank(mark: str, *parts: str) -> str:
    return f"_:{mark}{hashlib.sha256(' '.join(parts).encode()).hexdigest()[:12]}"


def _add_candidates(triples: Triples, concept: Concept) -> None:
    """Add the sentences that may define a class, each with its document and the form of the sentence."""
    for candidate in concept.candidates:
        text = checked_text(candidate.sentence, candidate.language)
        triples.add(concept.iri, OC.definitionCandidate, text)
        axiom = _blank("d", concept.iri, candidate.language, candidate.sentence, candidate.document, candidate.pattern)
        triples.add(axiom, TYPE, OWL.Axiom)
        ends: tuple[Term, ...] = (concept.iri, OC.definitionCandidate, text)
        for end, node in zip(AXIOM_ENDS, ends, strict=True):
            triples.add(axiom, end, node)
        triples.add(axiom, OC.document, checked_text(candidate.document))
        triples.add(axiom, OC.evidence, checked_text(candidate.pattern))


def _add_relation(triples: Triples, relation: Relation) -> str | None:
    """Add a relation; return the node of its annotations, None for one without evidence."""
    source, target = checked_iri(relation.source), checked_iri(relation.target)
    predicate, value = NAMED.get(relation.kind, RDFS.subClassOf), target
    if relation.kind in RESTRICTED:
        value = _blank("r", relation.kind, source, target)
        triples.add(value, TYPE, OWL.Restriction)
        triples.add(value, OWL.onProperty, RESTRICTED[relation.kind])
        triples.add(value, OWL.someValuesFrom, target)
    triples.add(source, predicate, value)
    annotations = figures(relation)
    if not annotations:
        return None
    axiom = _blank("a", relation.kind, source, target, *(f"{p} {text.value}" for p, text in annotations))
    triples.add(axiom, TYPE, OWL.Axiom)
    for end, node in zip(AXIOM_ENDS, (source, predicate, value), strict=True):
        triples.add(axiom, end, node)
    for property_, text in annotations:
        triples.add(axiom, property_, text)
    return axiom


# ---- where the axioms of a learned ontology come from, in the terms of PROV-O (W3C, PROV-O: The PROV Ontology, 2013)
#
# * Every annotated axiom: prov:wasGeneratedBy the build, prov:wasDerivedFrom each document that has an IRI.
#   oc:document
#   keeps the ids of all documents, which not every one has an IRI for.
# * The build, described once: VERSION/build, with label, prov:used VERSION/corpus and, if the header has a
#   modification
#   date, prov:endedAtTime. VERSION is the version IRI, which has a digest of the input.
# * A document with an IRI: dcterms:identifier is its id.
#
# In OWL these properties are annotations: neither the build nor a document is a thing that the ontology is about, so
# they are no individuals of it. Their classes are named by dcterms:type for the same reason.


_LABELS = (("本体学习", "zh"), ("ontology learning", "en"))
_CORPUS_LABELS = (("语料", "zh"), ("corpus", "en"))


def _build_iri(version_iri: str) -> str:
    """Return the IRI of the build that made a version of an ontology."""
    return f"{version_iri}/build"


def _add_build(triples: Triples, ontology: Ontology, header: Header) -> None:
    """Add the description of the build, and of the documents with an IRI that relations name.

    Args:
        triples: the triples to add to.
        ontology: the ontology.
        header: its sources and the IRIs of documents; without sources nothing is added.
    """
    if not header.sources:
        return
    build, corpus = _build_iri(ontology.version_iri), f"{ontology.version_iri}/corpus"
    triples.add(build, DCTERMS.type, PROV.Activity)
    triples.add(build, PROV.used, corpus)
    if header.modified:
        date = Text(header.modified, "", XSD.iri + date_type(header.modified, "modified"))
        triples.add(build, PROV.endedAtTime, date)
    triples.add(corpus, DCTERMS.type, PROV.Entity)
    for node, labels in ((build, _LABELS), (corpus, _CORPUS_LABELS)):
        for label, language in labels:
            triples.add(node, RDFS.label, Text(label, language))
    for source in sorted(set(header.sources)):
        triples.add(corpus, DCTERMS.source, checked_text(source))
    named = {document for relation in ontology.relations for document in relation.documents}
    for document in sorted(named & header.documents.keys()):
        triples.add(checked_iri(header.documents[document]), DCTERMS.identifier, checked_text(document))


def _add_origin(triples: Triples, axiom: str, relation: Relation, ontology: Ontology, header: Header) -> None:
    """Add to an axiom which build it is from, and which documents.

    Args:
        triples: the triples to add to.
        axiom: node of the axiom's annotations.
        relation: the relation.
        ontology: its ontology.
        header: as for `_add_build`.
    """
    if not header.sources:
        return
    triples.add(axiom, PROV.wasGeneratedBy, _build_iri(ontology.version_iri))
    for document in relation.documents:
        if document in header.documents:
            triples.add(axiom, PROV.wasDerivedFrom, header.documents[document])


@dataclass(frozen=True)
class Provenance:
    """What a file tells of the origin of its axioms.

    Attributes:
        build: IRI of the build; "" if the file describes none.
        documents: id of a document -> its IRI.
    """

    build: str
    documents: Mapping[str, str]

    def take(self, reading: Reading, axiom: str, documents: tuple[str, ...]) -> None:
        """Mark what the writer says of an axiom as read; anything else is left to be reported.

        Args:
            reading: the triples of the file.
            axiom: node of the axiom's annotations.
            documents: ids of the documents of its relation.
        """
        if self.build:
            reading.mark(axiom, PROV.wasGeneratedBy, self.build)
            for document in documents:
                if document in self.documents:
                    reading.mark(axiom, PROV.wasDerivedFrom, self.documents[document])


NO_PROVENANCE = Provenance("", {})


def read_provenance(reading: Reading, ontology_iri: str) -> Provenance:
    """Return what `_add_build` wrote, and mark it as read.

    Args:
        reading: the triples of the file.
        ontology_iri: IRI of the ontology.
    """
    triples = reading.triples
    version_iri = triples.node(ontology_iri, OWL.versionIRI) or ""
    build, corpus = _build_iri(version_iri), f"{version_iri}/corpus"
    if PROV.Activity not in triples.objects(build, DCTERMS.type):
        return NO_PROVENANCE
    for node in (build, corpus):
        reading.mark_all(node)
    documents = {}
    for iri, identifier in triples.pairs(DCTERMS.identifier):
        reading.mark(iri, DCTERMS.identifier, identifier)
        documents[lexical(identifier)] = iri
    return Provenance(build, dict(sorted(documents.items())))

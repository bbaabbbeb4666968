"""Where the axioms of a learned ontology come from, in the terms of PROV-O (W3C, PROV-O: The PROV Ontology, 2013).

* Every annotated axiom: prov:wasGeneratedBy the build, prov:wasDerivedFrom each document that has an IRI. oc:document
  keeps the ids of all documents, which not every one has an IRI for.
* The build, described once: VERSION/build, with label, prov:used VERSION/corpus and, if the header has a modification
  date, prov:endedAtTime. VERSION is the version IRI, which has a digest of the input.
* A document with an IRI: dcterms:identifier is its id.

In OWL these properties are annotations: neither the build nor a document is a thing that the ontology is about, so they
are no individuals of it. Their classes are named by dcterms:type for the same reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontology.model import Ontology, Relation
from ontology.owl.census import Reading
from ontology.owl.contents import Header, date_type
from ontology.owl.triples import Text, Triples, checked_iri, checked_text, lexical
from ontology.owl.vocabulary import DCTERMS, OWL, PROV, RDFS, XSD

_LABELS = (("本体学习", "zh"), ("ontology learning", "en"))
_CORPUS_LABELS = (("语料", "zh"), ("corpus", "en"))


def build_iri(version_iri: str) -> str:
    """Return the IRI of the build that made a version of an ontology."""
    return f"{version_iri}/build"


def add_build(triples: Triples, ontology: Ontology, header: Header) -> None:
    """Add the description of the build, and of the documents with an IRI that relations name.

    Args:
        triples: the triples to add to.
        ontology: the ontology.
        header: its sources and the IRIs of documents; without sources nothing is added.
    """
    if not header.sources:
        return
    build, corpus = build_iri(ontology.version_iri), f"{ontology.version_iri}/corpus"
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


def add_origin(triples: Triples, axiom: str, relation: Relation, ontology: Ontology, header: Header) -> None:
    """Add to an axiom which build it is from, and which documents.

    Args:
        triples: the triples to add to.
        axiom: node of the axiom's annotations.
        relation: the relation.
        ontology: its ontology.
        header: as for `add_build`.
    """
    if not header.sources:
        return
    triples.add(axiom, PROV.wasGeneratedBy, build_iri(ontology.version_iri))
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


def read_provenance(reading: Reading, ontology_iri: str) -> Provenance:
    """Return what `add_build` wrote, and mark it as read.

    Args:
        reading: the triples of the file.
        ontology_iri: IRI of the ontology.
    """
    triples = reading.triples
    version_iri = triples.node(ontology_iri, OWL.versionIRI) or ""
    build, corpus = build_iri(version_iri), f"{version_iri}/corpus"
    if PROV.Activity not in triples.objects(build, DCTERMS.type):
        return Provenance("", {})
    for node in (build, corpus):
        reading.mark_all(node)
    documents = {}
    for iri, identifier in triples.pairs(DCTERMS.identifier):
        reading.mark(iri, DCTERMS.identifier, identifier)
        documents[lexical(identifier)] = iri
    return Provenance(build, dict(sorted(documents.items())))

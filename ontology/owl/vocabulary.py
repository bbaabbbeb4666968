"""The vocabulary of our OWL files: namespaces, the terms of oc:, and the error of this package."""

from __future__ import annotations

from collections.abc import Mapping

from ontology.errors import OntocrawlError
from ontology.model import NameScope, RelationKind


class OwlError(OntocrawlError, ValueError):
    """A file that cannot be read or written as an ontology; the message says where and what to do."""


class Namespace:
    """A namespace: ``OWL.Class`` is the IRI of its name Class."""

    __slots__ = ("iri",)

    def __init__(self, iri: str) -> None:
        self.iri = iri

    def __getattr__(self, name: str) -> str:
        return self.iri + name


RDF = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")
RDFS = Namespace("http://www.w3.org/2000/01/rdf-schema#")
OWL = Namespace("http://www.w3.org/2002/07/owl#")
XSD = Namespace("http://www.w3.org/2001/XMLSchema#")
SKOS = Namespace("http://www.w3.org/2004/02/skos/core#")
SKOS_XL = Namespace("http://www.w3.org/2008/05/skos-xl#")
DCTERMS = Namespace("http://purl.org/dc/terms/")
DC = Namespace("http://purl.org/dc/elements/1.1/")
OC = Namespace("https://w3id.org/ontocrawl/vocabulary#")
PROV = Namespace("http://www.w3.org/ns/prov#")
OBO = Namespace("http://purl.obolibrary.org/obo/")
OBO_IN_OWL = Namespace("http://www.geneontology.org/formats/oboInOwl#")

PREFIXES: Mapping[str, str] = {
    "dcterms": DCTERMS.iri,
    "oc": OC.iri,
    "owl": OWL.iri,
    "rdf": RDF.iri,
    "rdfs": RDFS.iri,
    "skos": SKOS.iri,
    "xsd": XSD.iri,
}
EXTRA_PREFIXES: Mapping[str, str] = {"obo": OBO.iri, "oboInOwl": OBO_IN_OWL.iri, "prov": PROV.iri}
"""Prefixes of vocabularies that only files with their properties declare."""
TYPE = RDF.type
XREF = OBO_IN_OWL.hasDbXref
LANGUAGE = DCTERMS.language
SCOPES: Mapping[NameScope, str] = {
    "broad": OBO_IN_OWL.hasBroadSynonym,
    "narrow": OBO_IN_OWL.hasNarrowSynonym,
    "related": OBO_IN_OWL.hasRelatedSynonym,
}
"""Properties of the synonyms that are not exact; skos:altLabel repeats these names."""
OTHER_NAMES = (SKOS.altLabel, OBO_IN_OWL.hasExactSynonym, *SCOPES.values())
DEFINITIONS = (SKOS.definition, OBO.IAO_0000115)
REPLACED_BY = (OBO.IAO_0100001, DCTERMS.isReplacedBy)
"""What deprecated classes point with to others: the property of OBO ontologies, and that of thesauri."""

NAMED: Mapping[RelationKind, str] = {"subclass_of": RDFS.subClassOf, "equivalent_to": OWL.equivalentClass}
"""Relations that are axioms between two named classes."""
RESTRICTED: Mapping[RelationKind, str] = {
    "part_of": OC.partOf,
    "causes": OC.causes,
    "measured_by": OC.measuredBy,
}
"""Relations that are axioms of the form: subclass of some values of this object property."""

OBJECT_PROPERTIES = (
    (OC.partOf, "是…的一部分", "part of"),
    (OC.causes, "可能导致", "may cause"),
    (OC.measuredBy, "由…测量", "measured by"),
)
ANNOTATIONS = (
    (OC.support, "支持度", "support"),
    (OC.confidence, "置信度", "confidence"),
    (OC.evidence, "证据", "evidence"),
    (OC.document, "文献", "document"),
    (OC.sentence, "例句", "sentence"),
    (OC.definitionCandidate, "候选定义", "candidate of a definition"),
    (OC.kind, "本体类别", "kind of ontology"),
    (OC.topic, "主题", "topic"),
    (OC.root, "根概念", "root concept"),
)
COMMENTS: Mapping[str, tuple[str, str]] = {
    OC.support: (
        "同时含有两个词的文献数；对句子陈述的关系，为陈述它的文献数。",
        "Number of documents that contain both terms; of a relation that sentences state, the number that state it.",
    ),
    OC.confidence: (
        "下位词的文献中含有上位词的比例，0 到 1；并非该关系正确的概率。",
        "Share of the narrower term's documents that have the broader term, in [0, 1]. No probability of being right.",
    ),
    OC.evidence: ("得出该陈述的规则。", "The rules that the statement comes from."),
    OC.document: ("作为证据的文献编号。", "Id of a document that is evidence of the statement."),
    OC.sentence: ("其中陈述该关系的一个句子。", "A sentence of one of the documents that states the relation."),
    OC.definitionCandidate: (
        "文献中可能给出定义的句子，未经人工判定；选用后请写入 skos:definition。",
        "A sentence of a document that may define the class, not judged yet; make one of them the skos:definition.",
    ),
}
"""Property of oc: -> what its values say, in Chinese and in English; for rdfs:comment."""
BORROWED = (
    DCTERMS.title, DCTERMS.license, DCTERMS.creator, DCTERMS.created, DCTERMS.modified, SKOS.altLabel, SKOS.definition,
)  # fmt: skip
"""Annotation properties of other vocabularies; OWL 2 DL wants them declared."""
BORROWED_IF_USED = (
    XREF, *REPLACED_BY, *SCOPES.values(), DCTERMS.source, DCTERMS.identifier, DCTERMS.type, PROV.wasDerivedFrom,
    PROV.wasGeneratedBy, PROV.used, PROV.endedAtTime,
)  # fmt: skip
"""The same, declared only in files that use them."""


AXIOM_ENDS = (OWL.annotatedSource, OWL.annotatedProperty, OWL.annotatedTarget)
"""The three parts of an axiom that an owl:Axiom annotates."""


def namespace_of(iri: str) -> str:
    """Return the IRI up to and including its last # or /.

    >>> namespace_of("http://a.cn/o#Rain"), local_part("http://a.cn/o#Rain")
    ('http://a.cn/o#', 'Rain')
    """
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def local_part(iri: str) -> str:
    """Return the part of an IRI after the namespace."""
    return iri[len(namespace_of(iri)) :]


def short(iri: str) -> str:
    """Return an IRI for messages: with a well-known prefix, or else its local part and the end of its namespace.

    >>> short("http://www.w3.org/2002/07/owl#Class")
    'owl:Class'
    """
    space = namespace_of(iri)
    known = next((prefix for prefix, other in PREFIXES.items() if other == space), None)
    if known:
        return f"{known}:{local_part(iri)}"
    return f"{local_part(space.rstrip('#/'))}:{local_part(iri)}" if local_part(iri) else iri

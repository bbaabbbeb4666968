"""Triples to OBO graphs (github.com/geneontology/obographs), in a fixed order; `obo_graphs` reads them.

The format has one label for a node and no language tags: labels and definitions in other languages are property values,
and the language of a text is an annotation, ``meta`` with dcterms:language, as `obo_mapping` has it. The evidence of an
edge is its ``meta``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ontology.owl.obo_mapping import Annotation
from ontology.owl.obo_records import Record, Statement, records, synonym_property
from ontology.owl.triples import Triples, lexical
from ontology.owl.vocabulary import OWL, RDFS, REPLACED_BY

_TYPES = {
    OWL.Class: {"type": "CLASS"},
    OWL.ObjectProperty: {"type": "PROPERTY", "propertyType": "OBJECT"},
}
_PREDICATES = {RDFS.subClassOf: "is_a"}


def serialise(triples: Triples) -> str:
    """Return an OBO graphs document with one graph."""
    header, *others = records(triples)
    version = [str(s.value) for s in header.values if s.property == OWL.versionIRI]
    header.values = [s for s in header.values if s.property != OWL.versionIRI]
    graph: dict[str, Any] = {"id": header.iri, "meta": _meta(header) | ({"version": version[0]} if version else {})}
    graph["nodes"] = [_node(record) for record in others]
    graph["edges"] = [
        {"sub": record.iri, "pred": _PREDICATES.get(link.property, link.property), "obj": link.value} | _marks(link)
        for record in others
        for link in record.parents
    ]
    graph["equivalentNodesSets"] = [
        {"nodeIds": [record.iri, link.value]} | _marks(link) for record in others for link in record.equivalents
    ]
    return json.dumps({"graphs": [graph]}, ensure_ascii=False, indent=1) + "\n"


def _node(record: Record) -> dict[str, Any]:
    node: dict[str, Any] = {"id": record.iri}
    if record.name:
        node["lbl"] = record.name.value
    node |= _TYPES[record.kind]
    meta = _meta(record)
    return node | ({"meta": meta} if meta else {})


def _meta(record: Record) -> dict[str, Any]:
    comments = [lexical(s.value) for s in record.values if s.property == RDFS.comment]
    values = [s for s in record.values if s.property != RDFS.comment]
    values += [Statement(REPLACED_BY[0], iri) for iri in record.replaced_by]
    meta: dict[str, Any] = {}
    if record.definition:
        meta["definition"] = _value(record.definition)
    if comments:
        meta["comments"] = comments
    if record.synonyms:
        meta["synonyms"] = [
            {"pred": synonym_property(scope)} | _value(statement) for scope, statement in record.synonyms
        ]
    if record.xrefs:
        meta["xrefs"] = [{"val": xref} for xref in record.xrefs]
    if values:
        meta["basicPropertyValues"] = [{"pred": s.property} | _value(s) for s in values]
    if record.is_deprecated:
        meta["deprecated"] = True
    return meta


def _value(statement: Statement) -> dict[str, Any]:
    return {"val": lexical(statement.value)} | _marks(statement)


def _marks(statement: Statement) -> dict[str, Any]:
    annotations: Sequence[Annotation] = statement.annotations
    rows = [{"pred": property_, "val": lexical(value)} for property_, value in annotations]
    return {"meta": {"basicPropertyValues": rows}} if rows else {}

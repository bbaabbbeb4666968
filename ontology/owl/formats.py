"""The file formats of ontologies: suffixes, names and writers; `reader` reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ontology.owl import horned, obo_text, plain_formats, robot_template, turtle
from ontology.owl.obo_mapping import Annotation
from ontology.owl.obo_text import Record, Statement, records, synonym_property
from ontology.owl.triples import Triples, lexical
from ontology.owl.vocabulary import OWL, RDFS, REPLACED_BY, OwlError

# ---- triples to OBO graphs (github.com/geneontology/obographs), in a fixed order; `obo_graphs` reads them
#
# The format has one label for a node and no language tags: labels and definitions in other languages are property
# values, and the language of a text is an annotation, ``meta`` with dcterms:language, as `obo_mapping` has it. The
# evidence of an edge is its ``meta``.


_TYPES = {
    OWL.Class: {"type": "CLASS"},
    OWL.ObjectProperty: {"type": "PROPERTY", "propertyType": "OBJECT"},
    OWL.AnnotationProperty: {"type": "PROPERTY", "propertyType": "ANNOTATION"},
    OWL.NamedIndividual: {"type": "INDIVIDUAL"},
}
_PREDICATES = {RDFS.subClassOf: "is_a"}


def _serialise(triples: Triples) -> str:
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
    defined = [
        {
            "definedClassId": record.iri,
            "genusIds": [target for property_, target in parts if not property_],
            "restrictions": [{"propertyId": p, "fillerId": target} for p, target in parts if p],
        }
        for record in others
        for tag, parts in record.parts
        if tag == "intersection_of"
    ]
    if defined:
        graph["logicalDefinitionAxioms"] = defined
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
        meta["xrefs"] = [_value(xref) for xref in record.xrefs]
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


# ---- the file formats of ontologies: suffixes, names and writers; `reader` reads them


def _nothing(_: Triples) -> dict[str, int]:
    return {}


@dataclass(frozen=True, slots=True)
class OntologyFormat:
    """One file format; ``name`` is its name on the command line."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    write: Callable[[Triples], str]
    left_out: Callable[[Triples], dict[str, int]] = _nothing
    """Counts what the format cannot hold, by reason."""
    is_read: bool = True


TURTLE, RDF_XML, NTRIPLES, JSON_LD, N3 = "turtle", "rdfxml", "ntriples", "jsonld", "n3"
OBO, OBO_GRAPHS, ROBOT = "obo", "obographs", "robot"
FORMATS: tuple[OntologyFormat, ...] = (
    OntologyFormat(TURTLE, "Turtle", (".ttl",), turtle.serialise),
    OntologyFormat(RDF_XML, "RDF/XML", (".rdf", ".owl"), plain_formats.rdf_xml),
    OntologyFormat(NTRIPLES, "N-Triples", (".nt",), plain_formats.ntriples),
    OntologyFormat(JSON_LD, "JSON-LD", (".jsonld",), plain_formats.json_ld),
    OntologyFormat(
        horned.FUNCTIONAL, "OWL functional syntax", (".ofn",), lambda t: horned.serialise(t, horned.FUNCTIONAL)
    ),
    OntologyFormat(horned.OWL_XML, "OWL/XML", (".owx",), lambda t: horned.serialise(t, horned.OWL_XML)),
    OntologyFormat(OBO, "OBO", (".obo",), obo_text.serialise, obo_text.left_out),
    OntologyFormat(OBO_GRAPHS, "OBO graphs", (".json",), _serialise, obo_text.left_out_of_records),
    OntologyFormat(
        ROBOT, "ROBOT template", (".robot.tsv",), robot_template.serialise, robot_template.left_out, is_read=False
    ),
)
BY_NAME: Mapping[str, OntologyFormat] = {format_.name: format_ for format_ in FORMATS}
BY_SUFFIX: Mapping[str, OntologyFormat] = {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
SUFFIXES = tuple(suffix for suffix, format_ in BY_SUFFIX.items() if format_.is_read)
"""Suffixes of the files that are read as well as written."""
RDF = (TURTLE, RDF_XML, NTRIPLES, JSON_LD)
"""Names of the formats that hold any triples; the others hold OWL axioms only."""
TITLES: Mapping[str, str] = {N3: "N3"} | {format_.name: format_.title for format_ in FORMATS}


def of_path(path: Path, name: str = "") -> OntologyFormat:
    """Return the format of a name, or else of the file's suffix.

    Args:
        path: the file.
        name: name of a format, or "".

    Raises:
        OwlError: there is no such format; the message lists the choices.
    """
    if name:
        if name not in BY_NAME:
            raise OwlError("owl.no_format_choose", name=name, by_name=", ".join(BY_NAME))
        return BY_NAME[name]
    by_suffix = next((f for suffix, f in BY_SUFFIX.items() if path.name.lower().endswith(suffix)), None)
    if not by_suffix:
        raise OwlError("owl.no_format_suffix_use", path=path, by_suffix=", ".join(BY_SUFFIX))
    return by_suffix

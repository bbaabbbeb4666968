"""OBO graphs, JSON of OBO ontologies (github.com/geneontology/obographs), to triples and, in a fixed order, from them.

The format has one label for a node and no language tags: labels and definitions in other languages are property values,
and the language of a text is an annotation, ``meta`` with dcterms:language, as `obo_mapping` has it. The evidence of an
edge is its ``meta``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ontology.owl.deprecation import TRUE
from ontology.owl.obo_mapping import Annotation, Builder, iri_of
from ontology.owl.obo_text import Record, Statement, records, synonym_property
from ontology.owl.triples import Term, Text, Triples, is_address, lexical
from ontology.owl.vocabulary import LANGUAGE, OBO, OBO_IN_OWL, OWL, RDFS, REPLACED_BY, TYPE, XREF, OwlError

_WRITTEN_TYPES = {
    OWL.Class: {"type": "CLASS"},
    OWL.ObjectProperty: {"type": "PROPERTY", "propertyType": "OBJECT"},
    OWL.AnnotationProperty: {"type": "PROPERTY", "propertyType": "ANNOTATION"},
    OWL.NamedIndividual: {"type": "INDIVIDUAL"},
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
        {"sub": record.iri, "pred": _PREDICATES.get(link.property, link.property), "obj": link.value} | _of_marks(link)
        for record in others
        for link in record.parents
    ]
    graph["equivalentNodesSets"] = [
        {"nodeIds": [record.iri, link.value]} | _of_marks(link) for record in others for link in record.equivalents
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
    node |= _WRITTEN_TYPES[record.kind]
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
    return {"val": lexical(statement.value)} | _of_marks(statement)


def _of_marks(statement: Statement) -> dict[str, Any]:
    annotations: Sequence[Annotation] = statement.annotations
    rows = [{"pred": property_, "val": lexical(value)} for property_, value in annotations]
    return {"meta": {"basicPropertyValues": rows}} if rows else {}


# ---- OBO graphs to triples, by `obo_mapping`


_TYPES = {"CLASS": OWL.Class, "PROPERTY": OWL.ObjectProperty, "INDIVIDUAL": OWL.NamedIndividual}
_GRAPH_KEYS = ("id", "lbl", "meta", "nodes", "edges", "equivalentNodesSets", "logicalDefinitionAxioms")
_META_KEYS = ("comments", "subsets", "basicPropertyValues")
_EDGES = {
    "is_a": RDFS.subClassOf, "subPropertyOf": RDFS.subPropertyOf, "inverseOf": OWL.inverseOf, "type": TYPE,
}  # fmt: skip


def is_obo_graphs(text: str) -> bool:
    """Return whether JSON is an OBO graphs document, judged by its first key."""
    return text.lstrip("\ufeff \t\r\n{").startswith('"graphs"') or ('"graphs"' in text and '"@context"' not in text)


def triples(document: Any, name: str) -> Triples:
    """Return the triples of an OBO graphs document.

    Args:
        document: the value of its JSON.
        name: the file, for messages.

    Raises:
        OwlError: it is another JSON, with the place in it.
    """
    return _Graphs(name).read(document)


class _Graphs(Builder):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def read(self, document: Any) -> Triples:
        whole = self._mapping(document, "the document")
        self._leave(whole, "", "the document", ("graphs",))
        for place, graph in self._rows(whole, "graphs", ""):
            self._leave(graph, place, "a graph", _GRAPH_KEYS)
            self._header(graph, place)
            for where, node in self._rows(graph, "nodes", place):
                self._node(node, where)
            for where, edge in self._rows(graph, "edges", place):
                self._edge(edge, where)
            for where, same in self._rows(graph, "equivalentNodesSets", place):
                first, *others = [self._iri(str(iri)) for iri in self._list(same, "nodeIds", where)] or [""]
                for other in others:
                    self.stated(first, OWL.equivalentClass, other, self._marks(same, where))
            for where, axiom in self._rows(graph, "logicalDefinitionAxioms", place):
                self._defined(axiom, where)
        return self.triples

    def _edge(self, edge: dict[str, Any], place: str) -> None:
        source, predicate, target = (self._text(edge, key, place) for key in ("sub", "pred", "obj"))
        subject, value, property_ = self._iri(source), self._iri(target), _EDGES.get(predicate)
        if property_ is None:  # all instances of a class have some; a property or an individual has the value itself
            property_ = self._iri(predicate)
            types = self.triples.objects(subject, TYPE)
            if OWL.Class in types or not types:
                property_, value = RDFS.subClassOf, self.some(property_, value)
        self.stated(subject, property_, value, self._marks(edge, place))

    def _header(self, graph: dict[str, Any], place: str) -> None:
        if not isinstance(graph.get("id"), str):
            self._leave(graph, place, "a graph without id", tuple(graph.keys() - {"meta", "lbl"}))
            return
        subject = self._iri(graph["id"])
        if isinstance(graph.get("lbl"), str) and graph["lbl"]:
            self.triples.add(subject, RDFS.label, Text(graph["lbl"]))
        self.triples.add(subject, TYPE, OWL.Ontology)
        meta = self._mapping(graph.get("meta") or {}, f"{place}.meta")
        if isinstance(meta.get("version"), str):
            self.triples.add(subject, OWL.versionIRI, self._iri(meta["version"]))
        self._leave(meta, f"{place}.meta", "the header", ("version", *_META_KEYS))
        self._values(subject, meta, f"{place}.meta")

    def _node(self, node: dict[str, Any], place: str) -> None:
        subject = self._iri(self._text(node, "id", place))
        kind = _TYPES.get(str(node.get("type", "CLASS")), OWL.NamedIndividual)
        type_ = {"ANNOTATION": OWL.AnnotationProperty, "DATA": OWL.DatatypeProperty}.get(
            str(node.get("propertyType")), kind
        )
        self.triples.add(subject, TYPE, type_)
        self._leave(node, place, "a node", ("id", "type", "propertyType", "lbl", "meta"))
        meta = self._mapping(node.get("meta") or {}, f"{place}.meta")
        if meta.get("deprecated") is True:
            self.triples.add(subject, OWL.deprecated, TRUE)
        if meta.get("definition"):
            said = self._mapping(meta["definition"], f"{place}.meta.definition")
            self._sourced(subject, OBO.IAO_0000115, said, f"{place}.meta.definition")
        for where, synonym in self._rows(meta, "synonyms", f"{place}.meta"):
            self._sourced(subject, OBO_IN_OWL.iri + str(synonym.get("pred", "hasRelatedSynonym")), synonym, where)
        for where, xref in self._rows(meta, "xrefs", f"{place}.meta"):
            marks = self._marks(xref, where)
            if isinstance(xref.get("lbl"), str) and xref["lbl"]:
                marks.append((RDFS.label, Text(xref["lbl"])))
            self._leave(xref, where, "a cross-reference", ("val", "pred", "meta", "lbl"))
            self.stated(subject, XREF, Text(self._text(xref, "val", where)), marks)
        self._leave(meta, f"{place}.meta", "a node", ("definition", "synonyms", "xrefs", "deprecated", *_META_KEYS))
        self._values(subject, meta, f"{place}.meta")
        if node.get("lbl"):
            self.named(subject, self._text(node, "lbl", place))

    def _values(self, subject: str, meta: dict[str, Any], place: str) -> None:
        """Add comments, subsets and other properties."""
        for comment in self._list(meta, "comments", place):
            self.triples.add(subject, RDFS.comment, Text(str(comment)))
        for subset in self._list(meta, "subsets", place):
            self.triples.add(subject, OBO_IN_OWL.inSubset, self._iri(str(subset)))
        for where, row in self._rows(meta, "basicPropertyValues", place):
            text = "" if row.get("val") == "" else self._text(row, "val", where)
            marks = self._marks(row, where)
            is_link = is_address(text) and all(property_ != LANGUAGE for property_, _ in marks)
            value: Term = self._iri(text) if is_link else Text(text)
            self.stated(subject, self._iri(self._text(row, "pred", where)), value, marks)

    def _sourced(self, subject: str, property_: str, row: dict[str, Any], place: str) -> None:
        annotations: list[Annotation] = [(XREF, Text(str(xref))) for xref in self._list(row, "xrefs", place)]
        if row.get("synonymType"):
            annotations.append((OBO_IN_OWL.hasSynonymType, Text(str(row["synonymType"]))))
        annotations += self._marks(row, place)
        self._leave(row, place, "a text", ("val", "pred", "xrefs", "synonymType", "meta"))
        self.stated(subject, property_, Text(self._text(row, "val", place)), annotations, is_slot=True)

    def _marks(self, row: dict[str, Any], place: str) -> list[Annotation]:
        """Return the annotations that the ``meta`` of a statement holds."""
        meta = self._mapping(row.get("meta") or {}, f"{place}.meta")
        values = self._rows(meta, "basicPropertyValues", f"{place}.meta")
        found: list[Annotation] = [
            (self._iri(self._text(value, "pred", where)), Text(str(value.get("val", "")))) for where, value in values
        ]
        self._leave(meta, f"{place}.meta", "a statement", ("basicPropertyValues", "xrefs"))
        xrefs = self._rows(meta, "xrefs", f"{place}.meta")
        return found + [(XREF, Text(self._text(xref, "val", where))) for where, xref in xrefs]

    def _defined(self, axiom: dict[str, Any], place: str) -> None:
        parts = [self._iri(str(iri)) for iri in self._list(axiom, "genusIds", place)]
        for where, row in self._rows(axiom, "restrictions", place):
            ends = (self._iri(self._text(row, key, where)) for key in ("propertyId", "fillerId"))
            parts.append(self.some(*ends))
        if parts:
            self.combined(self._iri(self._text(axiom, "definedClassId", place)), parts)

    def _leave(self, row: dict[str, Any], place: str, what: str, known: tuple[str, ...]) -> None:
        """Count the keys of an object that the reader does not know."""
        for key in sorted(row.keys() - set(known)):
            if row[key] not in (None, "", [], {}, False):
                self.triples.left.setdefault(f"{key} of {what}", []).append(f"{place}.{key}".lstrip("."))

    def _iri(self, identifier: str) -> str:
        return self.triples.iri(iri_of(identifier, {}))

    def _broken(self, place: str, expected: str, found: object) -> OwlError:
        return OwlError(
            "owl.not_obo_graphs_expected", name=self._name, expected=expected, place=place, found=str(found)[:40]
        )

    def _mapping(self, value: Any, place: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._broken(place, "an object", value)
        return value

    def _list(self, row: dict[str, Any], key: str, place: str) -> list[Any]:
        values = row.get(key) or []
        if not isinstance(values, list):
            raise self._broken(f"{place}.{key}".lstrip("."), "a list", values)
        return values

    def _rows(self, row: dict[str, Any], key: str, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield place and content of each object of a list; null entries are left out, as some writers have them."""
        for i, value in enumerate(self._list(row, key, place)):
            where = f"{place}.{key}[{i}]".lstrip(".")
            if value is not None:
                yield where, self._mapping(value, where)

    def _text(self, row: dict[str, Any], key: str, place: str) -> str:
        value = row.get(key)
        if not isinstance(value, str) or not value:
            raise self._broken(f"{place}.{key}", "a text", value)
        return value

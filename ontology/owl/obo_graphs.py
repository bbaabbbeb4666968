"""OBO graphs to triples (the JSON of OBO ontologies, github.com/geneontology/obographs), by `obo_mapping`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ontology.owl.deprecation import TRUE
from ontology.owl.json_text import parsed_json
from ontology.owl.obo_mapping import Annotation, Builder, iri_of
from ontology.owl.triples import Term, Text, Triples, is_address
from ontology.owl.vocabulary import LANGUAGE, OBO, OBO_IN_OWL, OWL, RDFS, TYPE, XREF, OwlError

_TYPES = {"CLASS": OWL.Class, "PROPERTY": OWL.ObjectProperty, "INDIVIDUAL": OWL.NamedIndividual}
_EDGES = {"is_a": RDFS.subClassOf, "subPropertyOf": RDFS.subPropertyOf, "type": TYPE}


def is_obo_graphs(text: str) -> bool:
    """Return whether JSON is an OBO graphs document, judged by its first key."""
    return text.lstrip("\ufeff \t\r\n{").startswith('"graphs"') or ('"graphs"' in text and '"@context"' not in text)


def triples(text: str, name: str) -> Triples:
    """Return the triples of an OBO graphs document.

    Args:
        text: content of the file.
        name: the file, for messages.

    Raises:
        OwlError: the text is no JSON, with the line; or it is another JSON, with the place in it.
    """
    return _Graphs(name).read(parsed_json(text, name))


class _Graphs(Builder):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def read(self, document: Any) -> Triples:
        whole = self._mapping(document, "the document")
        for place, graph in self._rows(whole, "graphs", ""):
            self._header(graph, place)
            for where, node in self._rows(graph, "nodes", place):
                self._node(node, where)
            for where, edge in self._rows(graph, "edges", place):
                source, predicate, target = (self._text(edge, key, where) for key in ("sub", "pred", "obj"))
                value = self._iri(target)
                if predicate not in _EDGES:
                    value = self.some(self._iri(predicate), value)
                property_ = _EDGES.get(predicate, RDFS.subClassOf)
                self.stated(self._iri(source), property_, value, self._marks(edge, where))
            for where, same in self._rows(graph, "equivalentNodesSets", place):
                first, *others = [self._iri(str(iri)) for iri in self._list(same, "nodeIds", where)] or [""]
                for other in others:
                    self.stated(first, OWL.equivalentClass, other, self._marks(same, where))
            for where, axiom in self._rows(graph, "logicalDefinitionAxioms", place):
                self._defined(axiom, where)
        return self.triples

    def _header(self, graph: dict[str, Any], place: str) -> None:
        if not isinstance(graph.get("id"), str):
            return
        subject = self._iri(graph["id"])
        self.triples.add(subject, TYPE, OWL.Ontology)
        meta = self._mapping(graph.get("meta") or {}, f"{place}.meta")
        if isinstance(meta.get("version"), str):
            self.triples.add(subject, OWL.versionIRI, self._iri(meta["version"]))
        self._values(subject, meta, f"{place}.meta")

    def _node(self, node: dict[str, Any], place: str) -> None:
        subject = self._iri(self._text(node, "id", place))
        is_annotation = node.get("propertyType") == "ANNOTATION"
        type_ = _TYPES.get(str(node.get("type", "CLASS")), OWL.NamedIndividual)
        self.triples.add(subject, TYPE, OWL.AnnotationProperty if is_annotation else type_)
        meta = self._mapping(node.get("meta") or {}, f"{place}.meta")
        if meta.get("deprecated") is True:
            self.triples.add(subject, OWL.deprecated, TRUE)
        if meta.get("definition"):
            said = self._mapping(meta["definition"], f"{place}.meta.definition")
            self._sourced(subject, OBO.IAO_0000115, said, f"{place}.meta.definition")
        for where, synonym in self._rows(meta, "synonyms", f"{place}.meta"):
            self._sourced(subject, OBO_IN_OWL.iri + str(synonym.get("pred", "hasRelatedSynonym")), synonym, where)
        for where, xref in self._rows(meta, "xrefs", f"{place}.meta"):
            self.stated(subject, XREF, Text(self._text(xref, "val", where)), self._marks(xref, where))
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
        self.stated(subject, property_, Text(self._text(row, "val", place)), annotations, is_slot=True)

    def _marks(self, row: dict[str, Any], place: str) -> list[Annotation]:
        """Return the annotations that the ``meta`` of a statement holds."""
        meta = self._mapping(row.get("meta") or {}, f"{place}.meta")
        values = self._rows(meta, "basicPropertyValues", f"{place}.meta")
        found: list[Annotation] = [
            (self._iri(self._text(value, "pred", where)), Text(str(value.get("val", "")))) for where, value in values
        ]
        xrefs = self._rows(meta, "xrefs", f"{place}.meta")
        return found + [(XREF, Text(self._text(xref, "val", where))) for where, xref in xrefs]

    def _defined(self, axiom: dict[str, Any], place: str) -> None:
        parts = [self._iri(str(iri)) for iri in self._list(axiom, "genusIds", place)]
        for where, row in self._rows(axiom, "restrictions", place):
            ends = (self._iri(self._text(row, key, where)) for key in ("propertyId", "fillerId"))
            parts.append(self.some(*ends))
        if parts:
            self.combined(self._iri(self._text(axiom, "definedClassId", place)), parts)

    def _iri(self, identifier: str) -> str:
        return self.triples.iri(iri_of(identifier, {}))

    def _broken(self, place: str, expected: str, found: object) -> OwlError:
        return OwlError(f"{self._name}: not OBO graphs: expected {expected} at {place}, found {str(found)[:40]!r}")

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

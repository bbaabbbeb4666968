"""Reading of RDF that graph export wrote: a stream of statements, grouped by subject, to nodes and relationships."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from kg import schema
from kg.interchange import rdf_terms as terms
from kg.interchange.elements import LABELS, TYPES, Edge, InterchangeError, Node, checked, ends
from ontology.owl import formats, reader
from ontology.owl.reader import Statement
from ontology.owl.triples import Text, lexical
from ontology.owl.vocabulary import OwlError

_TYPE, _REIFIES = f"{terms.RDF}type", f"{terms.RDF}reifies"
_ENDS = {f"{terms.RDF}{end}": end for end in ("subject", "object")}
_SPACES = (terms.VOCABULARY, terms.N10S_VOCABULARY)


def read(path: Path, *, turtle: bool) -> Iterator[Node | Edge]:
    """Yield the nodes and relationships of a file that kg/interchange/rdf.py wrote, with or without n10s.

    Args:
        path: the file.
        turtle: whether it is Turtle instead of N-Triples.

    Raises:
        InterchangeError: the file is not such an export; with the line if the parser reports it.
        MissingExtra: pyoxigraph is not installed.
    """
    any_statement = False
    pending: Edge | None = None
    for subject, statements in groupby(_statements(path, turtle=turtle), itemgetter(0)):
        any_statement = True
        group = _Group(path, subject, statements)
        if group.annotates is not None:
            yield from group.annotated(pending)
            pending = None
            continue
        if group.is_relationship:
            yield group.edge()
            continue
        if group.label:
            yield group.node()
        for edge in group.bare_edges():  # only in the n10s form; its properties follow, if any
            if pending is not None:
                yield pending
            pending = edge
    if pending is not None:
        yield pending
    if not any_statement:
        raise InterchangeError("interchange.holds_no_triples", path=path)


def _statements(path: Path, *, turtle: bool) -> Iterator[Statement]:
    try:
        yield from reader.stream(path, formats.TURTLE if turtle else formats.NTRIPLES)
    except OwlError as error:
        raise InterchangeError(str(error)) from error


class _Group:
    """The statements about one subject: its classes, properties and links of our vocabulary; others are ignored."""

    def __init__(self, path: Path, subject: str, statements: Iterable[Statement]) -> None:
        self._path = path
        self._subject = subject
        self._classes: list[str] = []
        self._props: dict[str, Any] = {}
        self._links: list[tuple[str, str]] = []
        self._ends: dict[str, str] = {}
        self._n10s = False
        self.annotates: tuple[str, str, str] | None = None
        """Source, type and target of the triple that this subject stands for, in the n10s form."""
        for _, predicate, value in statements:
            if isinstance(value, Text):
                self._take_text(predicate, value)
            elif isinstance(value, str):
                self._take_node(predicate, value)
            elif predicate == _REIFIES:
                source, edge_type, target = value
                self.annotates = (source, edge_type.partition("#")[2], lexical(target))

    def _take_text(self, predicate: str, value: Text) -> None:
        if predicate.startswith(_SPACES):
            self._props[self._local(predicate)] = terms.value_of(value, self._where)

    def _take_node(self, predicate: str, node: str) -> None:
        if predicate == _TYPE:
            if node.startswith(_SPACES):
                self._classes.append(self._local(node))
        elif predicate in _ENDS:
            self._ends[_ENDS[predicate]] = node
        elif predicate.startswith(_SPACES):
            self._links.append((self._local(predicate), node))

    def _local(self, iri: str) -> str:
        self._n10s = self._n10s or iri.startswith(terms.N10S_VOCABULARY)
        return iri.partition("#")[2]

    @property
    def _where(self) -> str:
        return f"{self._path}, {self._subject}"

    @property
    def is_relationship(self) -> bool:
        return bool(self._ends)

    @property
    def label(self) -> str:
        """The label of a node; empty for a subject with links only."""
        schema_labels = [name for name in self._classes if name in LABELS]
        unknown = [name for name in self._classes if name not in LABELS]
        if unknown or len(schema_labels) > 1:
            raise InterchangeError(
                "interchange.expected_our_labels_found", where=self._where, classes=", ".join(self._classes)
            )
        if not schema_labels and self._props:
            raise InterchangeError("interchange.properties_without_class_order", where=self._where)
        return schema_labels[0] if schema_labels else ""

    def node(self) -> Node:
        """Return the node."""
        key = self._props.pop(schema.KEYS[self.label], None)
        if not isinstance(key, str):
            raise InterchangeError(
                "interchange.without", where=self._where, label=self.label, keys=schema.KEYS[self.label]
            )
        return Node(self.label, key, checked(self._props, self._where))

    def edge(self) -> Edge:
        """Return the relationship of a resource."""
        if len(self._classes) != 1 or set(self._ends) != {"subject", "object"}:
            raise InterchangeError("interchange.relationship_needs_type_rdf", where=self._where)
        return self._made(self._classes[0], self._ends["subject"], self._ends["object"], self._props)

    def bare_edges(self) -> Iterator[Edge]:
        """Yield the links of the n10s form; in the other form each has a resource."""
        if self._n10s:
            for edge_type, target in self._links:
                yield self._made(edge_type, self._subject, target, {})

    def annotated(self, pending: Edge | None) -> Iterator[Edge]:
        """Yield the relationship of the preceding triple with this group's annotations, and those parallel to it."""
        assert self.annotates is not None  # noqa: S101 - checked by the caller
        source, edge_type, target = self.annotates
        if pending is None or self._made(edge_type, source, target, {}) != pending:
            raise InterchangeError("interchange.annotates_triple_does_not", where=self._where)
        try:
            others = json.loads(self._props.pop("parallel", "[]"))
        except (ValueError, TypeError) as error:
            raise InterchangeError("interchange.not_json", where=self._where, error=error) from error
        for props in (self._props, *others):
            yield self._made(edge_type, source, target, props)

    def _made(self, edge_type: str, source: str, target: str, props: dict[str, Any]) -> Edge:
        if edge_type not in TYPES:
            raise InterchangeError("interchange.no_relationship_type_schema", where=self._where, edge_type=edge_type)
        labels = ends(edge_type)
        keys = terms.key_of(labels[0], source), terms.key_of(labels[1], target)
        return Edge(edge_type, keys[0], keys[1], checked(props, self._where))

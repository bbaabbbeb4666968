"""Spool of an export: the graph is read once into temporary files, so that a format can declare all columns first.

Memory holds one node or relationship at a time, and the names and kinds of properties.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import chain, groupby
from pathlib import Path
from types import TracebackType

from kg.interchange.elements import (
    LABELS,
    TYPES,
    Edge,
    InterchangeError,
    Node,
    Props,
    anchored_at_target,
    common_kind,
    kind_of,
)
from kg.interchange.reading import anchor_label, read_edges, read_nodes
from kg.store import GraphStore

Progress = Callable[[str, int], None]
"""Callback, called repeatedly with a label or relationship type and the number processed so far."""
_TELL_EVERY = 5_000


class Spool:
    """All nodes and relationships of a graph in temporary files, which are removed at the end of the ``with`` block."""

    def __init__(self) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="ontocrawl-export-")
        self.folder = Path(self._temporary.name)
        """Where its files are; others may be put there too."""
        self._kinds: dict[str, dict[str, set[str]]] = {}
        self.counts: dict[str, int] = {}
        """Label or type -> how many; those that do not occur are left out."""

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._temporary.cleanup()

    def fill(self, store: GraphStore, progress: Progress | None = None) -> None:
        """Read the whole graph.

        Args:
            store: an open graph.
            progress: callback.

        Raises:
            InterchangeError: no format can hold a value.
        """
        for label in LABELS:
            self.put_nodes(label, read_nodes(store, label), progress)
        for edge_type in TYPES:
            anchors = (node.key for node in self.nodes(anchor_label(edge_type)))
            self.put_edges(edge_type, read_edges(store, edge_type, anchors), progress)

    def put_nodes(self, label: str, nodes: Iterable[Node], progress: Progress | None = None) -> None:
        """Store all nodes of a label but those without a key.

        Args:
            label: the label.
            nodes: its nodes, in the order of writing.
            progress: callback.
        """
        self._write(label, ((node.key, None, node.props) for node in nodes if node.is_whole), progress)

    def put_edges(self, edge_type: str, edges: Iterable[Edge], progress: Progress | None = None) -> None:
        """Store all relationships of a type but those without a key of an end or their owner.

        Args:
            edge_type: the type.
            edges: its relationships, in the order of writing.
            progress: callback.
        """
        self._write(edge_type, ((e.source, e.target, e.props) for e in edges if e.is_whole), progress)

    def _write(self, name: str, rows: Iterable[tuple[str, str | None, Props]], progress: Progress | None) -> None:
        kinds = self._kinds.setdefault(name, {})
        count = 0
        with self._path(name).open("w", encoding="ascii") as stream:
            for first, second, props in rows:
                count += 1
                for prop, value in props.items():
                    kinds.setdefault(prop, set()).add(kind_of(value))
                stream.write(json.dumps([first, second, dict(props)]) + "\n")
                if progress is not None and count % _TELL_EVERY == 0:
                    progress(name, count)
        if count:
            self.counts[name] = count
            if progress is not None:
                progress(name, count)

    def labels(self) -> list[str]:
        """Return the labels that occur, in the order of the schema."""
        return [label for label in LABELS if label in self.counts]

    def types(self) -> list[str]:
        """Return the relationship types that occur, in the order of the schema."""
        return [edge_type for edge_type in TYPES if edge_type in self.counts]

    def nodes(self, label: str) -> Iterator[Node]:
        """Yield the nodes of a label, by key."""
        for key, _, props in self._rows(label):
            yield Node(label, key, props)

    def edges(self, edge_type: str) -> Iterator[Edge]:
        """Yield the relationships of a type, by the end with few relationships, the other end and the owner."""
        for source, target, props in self._rows(edge_type):
            yield Edge(edge_type, source, target, props)

    def all_nodes(self) -> Iterator[Node]:
        """Yield the nodes of all labels."""
        return (node for label in self.labels() for node in self.nodes(label))

    def all_edges(self) -> Iterator[Edge]:
        """Yield the relationships of all types."""
        return (edge for edge_type in self.types() for edge in self.edges(edge_type))

    def elements(self) -> Iterator[Node | Edge]:
        """Yield all nodes, then all relationships."""
        return chain(self.all_nodes(), self.all_edges())

    def groups(self, name: str) -> Iterator[tuple[str, bytes]]:
        """Yield key and digest of each node of a label, or of the relationships of a type at each node.

        Args:
            name: the label or type.
        """
        place = 1 if name in TYPES and anchored_at_target(name) else 0
        lines = ((json.loads(line)[place], line) for line in self._lines(name))
        for key, group in groupby(lines, lambda pair: pair[0]):
            digest = blake2b(digest_size=12)
            for _, line in group:
                digest.update(line.encode())
            yield key, digest.digest()

    def _lines(self, name: str) -> Iterator[str]:
        path = self._path(name)
        if path.exists():
            with path.open(encoding="ascii") as stream:
                yield from stream

    def _rows(self, name: str) -> Iterator[tuple[str, str, dict[str, object]]]:
        for line in self._lines(name):
            first, second, props = json.loads(line)
            yield first, second, props

    def columns(self, name: str, file_format: str) -> dict[str, str]:
        """Return the kind of each property of a label or type.

        Args:
            name: the label or type.
            file_format: the format to write, for messages.

        Raises:
            InterchangeError: the values of a property are of several kinds.
        """
        kind_by_property = {}
        for prop, kinds in sorted(self._kinds.get(name, {}).items()):
            try:
                kind_by_property[prop] = common_kind(kinds)
            except InterchangeError as error:
                raise InterchangeError(
                    "interchange.kind_each_property_use", name=name, prop=prop, error=error, file_format=file_format
                ) from None
        return kind_by_property

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"

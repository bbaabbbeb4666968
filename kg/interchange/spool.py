"""A graph on its way into a file: read once into temporary files, so that a format may know all columns beforehand.

Memory holds one node or relationship at a time, and the names and kinds of properties.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType

from kg.interchange.elements import LABELS, TYPES, Edge, InterchangeError, Node, Props, common_kind, kind_of
from kg.interchange.reading import anchor_label, read_edges, read_nodes
from kg.store import GraphStore

Progress = Callable[[str, int], None]
"""Called now and then with a label or relationship type and the number done so far."""
_TELL_EVERY = 5_000


class Spool:
    """All nodes and relationships of a graph in temporary files; removed at the end of the ``with`` block."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ontocrawl-export-")
        self._kinds: dict[str, dict[str, set[str]]] = {}
        self.counts: dict[str, int] = {}
        """Label or type -> how many; those that do not occur are left out."""

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def fill(self, store: GraphStore, progress: Progress | None = None) -> None:
        """Read the whole graph. Raises InterchangeError for values that no format can hold."""
        for label in LABELS:
            self.put_nodes(label, read_nodes(store, label), progress)
        for edge_type in TYPES:
            anchors = (node.key for node in self.nodes(anchor_label(edge_type)))
            self.put_edges(edge_type, read_edges(store, edge_type, anchors), progress)

    def put_nodes(self, label: str, nodes: Iterable[Node], progress: Progress | None = None) -> None:
        """Take all nodes of a label, in the order in which they shall be written."""
        self._write(label, ((node.key, None, node.props) for node in nodes), progress)

    def put_edges(self, edge_type: str, edges: Iterable[Edge], progress: Progress | None = None) -> None:
        """Take all relationships of a type, in the order in which they shall be written."""
        self._write(edge_type, ((edge.source, edge.target, edge.props) for edge in edges), progress)

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
        """The labels that occur, in the order of the schema."""
        return [label for label in LABELS if label in self.counts]

    def types(self) -> list[str]:
        """The relationship types that occur, in the order of the schema."""
        return [edge_type for edge_type in TYPES if edge_type in self.counts]

    def nodes(self, label: str) -> Iterator[Node]:
        """The nodes of a label, by key."""
        for key, _, props in self._rows(label):
            yield Node(label, key, props)

    def edges(self, edge_type: str) -> Iterator[Edge]:
        """The relationships of a type, by the end with few relationships, the other end and the owner."""
        for source, target, props in self._rows(edge_type):
            yield Edge(edge_type, source, target, props)

    def all_nodes(self) -> Iterator[Node]:
        """The nodes of all labels."""
        return (node for label in self.labels() for node in self.nodes(label))

    def all_edges(self) -> Iterator[Edge]:
        """The relationships of all types."""
        return (edge for edge_type in self.types() for edge in self.edges(edge_type))

    def _rows(self, name: str) -> Iterator[tuple[str, str, dict[str, object]]]:
        path = self._path(name)
        if path.exists():
            with path.open(encoding="ascii") as stream:
                for line in stream:
                    first, second, props = json.loads(line)
                    yield first, second, props

    def columns(self, name: str, file_format: str) -> dict[str, str]:
        """Property -> its one kind, of a label or type. Raises InterchangeError where values are of several kinds."""
        found = {}
        for prop, kinds in sorted(self._kinds.get(name, {}).items()):
            try:
                found[prop] = common_kind(kinds)
            except InterchangeError as error:
                raise InterchangeError(
                    f"{name}.{prop} {error}; {file_format} has one kind for each property: use turtle, nt or cypher"
                ) from None
        return found

    def _path(self, name: str) -> Path:
        return Path(self._folder.name) / f"{name}.jsonl"

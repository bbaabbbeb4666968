"""The RDF form of a graph, kept on disk for SPARQL queries and brought up to date where the graph has changed.

    FOLDER/lock             held while an export is looked up, written or removed
           current.json     which export is current, its files, and the revision of the graph that it has
           exports/NAME/    one export: a store of pyoxigraph, and digests of what it was written from
           users/NAME-..    one lock for each process that queries an export

An export is never changed once current.json names it, so that a query is not disturbed. A graph with another revision
(`kg.store.Revised`) is read again; the new export starts as a copy of the current one, whose large files are links,
and only nodes and relationships with other digests are written anew. Without a revision the graph is read each time.
An export that was not finished is not named, and one whose files were written to or cut is written anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kg.engine.files import FileLock, write_private
from kg.interchange import rdf
from kg.interchange.elements import LABELS, TYPES, Edge, Node, anchored_at_target
from kg.interchange.reading import anchor_label
from kg.interchange.spool import Progress, Spool
from kg.store import GraphStore, Revised, StoreError
from ontology.extras import require

FORMAT = 1
"""Version of this layout and of the RDF form."""
LOCK_SECONDS = 3_600.0
"""How long a command waits while another one writes the export."""
_NOT_COMPARED = ("LOG", "LOCK")
"""Files of a store that may change while it is only read."""


@dataclass(frozen=True, slots=True)
class _Export:
    """An export, as in current.json."""

    name: str
    revision: str | None
    library: str
    """Version of pyoxigraph."""
    displaced: dict[str, list[str]]
    """Label -> keys of its nodes that cannot keep their IRI (`kg.interchange.rdf.Names`)."""
    files: dict[str, list[int]]
    """File of the store -> its size in bytes and when it was written, in nanoseconds."""
    format: int = FORMAT


class KeptExport:
    """The kept export of one graph.

    Args:
        folder: where it is kept; created when it is first needed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextlib.contextmanager
    def open(self, store: GraphStore, *, fresh: bool = False, progress: Progress | None = None) -> Iterator[Any]:
        """Open the export of a graph, brought up to date.

        Args:
            store: the open graph.
            fresh: write it anew even if the graph has not changed.
            progress: callback, see `Progress`.

        Yields:
            A read-only store of pyoxigraph; one in memory where the folder cannot be written to.

        Raises:
            StoreError: another command has been writing the export for an hour.
            MissingExtra: pyoxigraph is not installed.
        """
        ox = require("pyoxigraph", "owl", "SPARQL")
        if not self._writable():
            with Spool() as graph:
                graph.fill(store, progress)
                yield write(ox, ox.Store(), graph, rdf.Names.of(graph))
            return
        with self._locked():
            path, lease = self._current(ox, store, fresh, progress)
        try:
            yield ox.Store.read_only(str(path))
        finally:
            lease.release()
            lease.path.unlink(missing_ok=True)

    def discard(self) -> None:
        """Forget the current export, which cannot be read: the next query writes a new one."""
        (self._folder / "current.json").unlink(missing_ok=True)

    def _writable(self) -> bool:
        try:
            for name in ("exports", "users"):
                (self._folder / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        return os.access(self._folder, os.W_OK)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        lock = FileLock(self._folder / "lock")
        if not lock.acquire(LOCK_SECONDS):
            raise StoreError("kg.another_command_been_writing", folder=self._folder)
        try:
            yield
        finally:
            lock.release()

    def _current(self, ox: Any, store: GraphStore, fresh: bool, progress: Progress | None) -> tuple[Path, FileLock]:
        """Return the folder of an export that is up to date, and a lease on it; within ``_locked``."""
        revision = store.revision() if isinstance(store, Revised) else None
        known = self._known(ox)
        if known is None or fresh or revision is None or known.revision != revision:
            known = self._written(ox, store, None if fresh else known, revision, progress)
            self._remove_others(known.name)
        lease = FileLock(self._folder / "users" / f"{known.name}-{os.getpid()}-{secrets.token_hex(4)}")
        if not lease.acquire(2.0):
            raise StoreError("kg.locked_another_process_run", lease_path=lease.path)
        return self._path(known.name) / "store", lease

    def _known(self, ox: Any) -> _Export | None:
        """Return the current export; None where there is none, or where it is damaged or of other versions."""
        try:
            known = _Export(**json.loads((self._folder / "current.json").read_text(encoding="utf-8")))
            whole = known.files == _files(self._path(known.name) / "store")
        except (OSError, ValueError, TypeError):
            return None
        return known if whole and (known.format, known.library) == (FORMAT, ox.__version__) else None

    def _written(
        self, ox: Any, store: GraphStore, before: _Export | None, revision: str | None, progress: Progress | None
    ) -> _Export:
        """Read the graph, write an export of it, and name it as the current one."""
        name = secrets.token_hex(8)
        path = self._path(name)
        try:
            with Spool() as graph:
                graph.fill(store, progress)
                names = rdf.Names.of(graph)
                displaced = {label: sorted(keys) for label, keys in names.displaced.items()}
                known = before if before is not None and before.displaced == displaced else None
                self._write(ox, graph, names, path, self._path(known.name) if known else None)
            export = _Export(name, revision, ox.__version__, displaced, _files(path / "store"))
            write_private(self._folder / "current.json", json.dumps(asdict(export)))
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        return export

    def _write(self, ox: Any, graph: Spool, names: rdf.Names, path: Path, before: Path | None) -> None:
        path.mkdir()
        changes = _Changes.between(graph, before / "digests" if before else None, path / "digests")
        if before is None or changes.many:
            write(ox, ox.Store(str(path / "store")), graph, names).flush()
            return
        shutil.copytree(before / "store", path / "store", copy_function=_linked)
        loaded = ox.Store(str(path / "store"))
        _apply(ox, loaded, graph, names, changes)
        loaded.flush()

    def _remove_others(self, name: str) -> None:
        """Remove all exports but one that no process queries; within ``_locked``."""
        used = {name}
        for path in (self._folder / "users").iterdir():
            if FileLock(path).is_held():
                used.add(path.name.partition("-")[0])
            else:
                path.unlink(missing_ok=True)
        for path in (self._folder / "exports").iterdir():
            if path.name not in used:
                shutil.rmtree(path, ignore_errors=True)

    def _path(self, name: str) -> Path:
        return self._folder / "exports" / name


def _linked(source: str, target: str) -> str:
    """Link a file of sorted records, which a store never changes, and copy any other one."""
    if source.endswith(".sst"):
        with contextlib.suppress(OSError):  # a file system without links
            os.link(source, target)
            return target
    return str(shutil.copy2(source, target))


def _files(store: Path) -> dict[str, list[int]]:
    """Return what shows that nobody has written to a store; a query on damaged files may not come to an end."""
    files = (path for path in sorted(store.iterdir()) if not path.name.startswith(_NOT_COMPARED))
    return {path.name: [path.stat().st_size, path.stat().st_mtime_ns] for path in files}


# ---- changes of a graph in its RDF form: which nodes and relationships have other digests, and their triples in a
# store
#
# Relationships are compared in groups, at the node by which they are read (`kg.interchange.reading.anchor_label`). No
# triple comes from two groups: each has its own node as subject, or as object of a predicate of its own type. So the
# triples of a group can be removed without a look at the others.


MOST = 0.25
"""Share of changed groups from which it is quicker to write all triples anew."""


@dataclass(frozen=True, slots=True)
class _Changes:
    """What differs between a graph and an earlier state of it."""

    gone: Mapping[str, frozenset[str]]
    """Label or type -> keys of nodes whose own triples, or those of their relationships, are to be removed."""
    new: Mapping[str, frozenset[str]]
    """Label or type -> keys of nodes whose own triples, or those of their relationships, are to be written."""
    many: bool
    """Whether so much differs that it is quicker to write all anew."""

    @classmethod
    def between(cls, graph: Spool, before: Path | None, now: Path) -> _Changes:
        """Compare a graph with the digests of an earlier state, and write its own.

        Args:
            graph: the graph.
            before: folder with the earlier digests; None without an earlier state.
            now: folder for the new ones, which is made.
        """
        now.mkdir()
        gone, new, total = {}, {}, 0
        for name in (*LABELS, *TYPES):
            earlier = _read_digests(before / name) if before is not None else {}
            other = set()
            with (now / name).open("w", encoding="ascii") as stream:
                for key, digest in graph.groups(name):
                    stream.write(f"{digest.hex()} {json.dumps(key)}\n")
                    total += 1
                    if earlier.get(key) == digest:
                        del earlier[key]
                    else:
                        other.add(key)
            gone[name], new[name] = frozenset(earlier), frozenset(other)
        changed = sum(len(gone[name] | new[name]) for name in gone)
        return cls(gone, new, changed > MOST * total)


def _read_digests(path: Path) -> dict[str, bytes]:
    with path.open(encoding="ascii") as stream:
        rows = (line.split(" ", 1) for line in stream)
        return {json.loads(key): bytes.fromhex(digest) for digest, key in rows}


def write(ox: Any, loaded: Any, graph: Spool, names: rdf.Names) -> Any:
    """Write all triples of a graph into an empty store, and return the store.

    Args:
        ox: the module pyoxigraph.
        loaded: the store.
        graph: the graph.
        names: names of its nodes.
    """
    _load(ox, loaded, graph, names, graph.elements())
    return loaded


def _apply(ox: Any, loaded: Any, graph: Spool, names: rdf.Names, changes: _Changes) -> None:
    """Bring a store with the triples of an earlier state up to date.

    Args:
        ox: the module pyoxigraph.
        loaded: the store.
        graph: the graph.
        names: names of its nodes, which are also those of the earlier state.
        changes: what differs.
    """
    for name, keys in changes.gone.items():
        for key in keys:
            for quad in _triples(ox, loaded, name, key, names):
                loaded.remove(quad)
    _load(ox, loaded, graph, names, _elements(graph, changes.new))


def _load(ox: Any, loaded: Any, graph: Spool, names: rdf.Names, elements: Iterable[Node | Edge]) -> None:
    path = graph.folder / "export.nt"
    with path.open("wb") as stream:
        rdf.write_elements(stream, names, elements)
    loaded.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
    path.unlink()


def _elements(graph: Spool, keys: Mapping[str, frozenset[str]]) -> Iterator[Node | Edge]:
    """Yield the nodes with some keys, and the relationships at some nodes."""
    for label in graph.labels():
        if keys[label]:
            yield from (node for node in graph.nodes(label) if node.key in keys[label])
    for edge_type in graph.types():
        if keys[edge_type]:
            at_target = anchored_at_target(edge_type)
            for edge in graph.edges(edge_type):
                if (edge.target if at_target else edge.source) in keys[edge_type]:
                    yield edge


def _triples(ox: Any, loaded: Any, name: str, key: str, names: rdf.Names) -> list[Any]:
    """Return the triples of a node, or of the relationships of a type at a node."""
    if name in LABELS:
        return _of_node(ox, loaded, ox.NamedNode(names(name, key)[1:-1]))
    return _of_edges(ox, loaded, name, ox.NamedNode(names(anchor_label(name), key)[1:-1]))


def _of_node(ox: Any, loaded: Any, node: Any) -> list[Any]:
    """Return the triples of a node itself: its types and texts, and not those that come from relationships."""
    kind, alternative = _named(ox, "rdf:type"), _named(ox, "skos:altLabel")
    return [
        quad
        for quad in loaded.quads_for_pattern(node, None, None)
        if quad.predicate == kind or (isinstance(quad.object, ox.Literal) and quad.predicate != alternative)
    ]


def _of_edges(ox: Any, loaded: Any, edge_type: str, node: Any) -> list[Any]:
    at_target = anchored_at_target(edge_type)
    kind, type_name = _named(ox, "rdf:type"), _named(ox, f"og:{edge_type}")
    end = _named(ox, "rdf:object" if at_target else "rdf:subject")
    resources = [quad.subject for quad in loaded.quads_for_pattern(None, end, node)]
    found = [
        quad
        for resource in resources
        if any(loaded.quads_for_pattern(resource, kind, type_name))
        for quad in loaded.quads_for_pattern(resource, None, None)
    ]
    for short in filter(None, (f"og:{edge_type}", rdf.RELATIONS.get(edge_type))):
        ends = (None, _named(ox, short), node) if at_target else (node, _named(ox, short), None)
        found += (quad for quad in loaded.quads_for_pattern(*ends) if isinstance(quad.object, ox.NamedNode))
    if edge_type == "IN_ONTOLOGY":
        found += loaded.quads_for_pattern(node, _named(ox, "skos:altLabel"), None)
    return found


def _named(ox: Any, short: str) -> Any:
    prefix, _, name = short.partition(":")
    return ox.NamedNode(f"{rdf.PREFIXES[prefix]}{name}")

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
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kg import rdf_changes
from kg.engine.files import FileLock, write_private
from kg.interchange import rdf
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
                yield rdf_changes.write(ox, ox.Store(), graph, rdf.Names.of(graph))
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
            raise StoreError(
                f"another command has been writing the export in {self._folder} for an hour: end it and try again"
            )
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
            raise StoreError(f"{lease.path} is locked by another process: run the command again")
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
        changes = rdf_changes.Changes.between(graph, before / "digests" if before else None, path / "digests")
        if before is None or changes.many:
            rdf_changes.write(ox, ox.Store(str(path / "store")), graph, names).flush()
            return
        shutil.copytree(before / "store", path / "store", copy_function=_linked)
        loaded = ox.Store(str(path / "store"))
        rdf_changes.apply(ox, loaded, graph, names, changes)
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

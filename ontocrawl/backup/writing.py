"""Write a backup of a workspace while others use it.

The graph comes first, then the runs, then the ontologies, also those in other folders: what is written into the graph
meanwhile is in files, from which `graph rebuild` writes it again. Of a run the snapshots come before the journal, since
a snapshot serves only a journal that has its events, and recordings after it, since a page is recorded before it is
journalled.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from crawler.journal.journal import copy
from kg.engine.files import EngineFolder, FileLock
from ontocrawl.backup.manifest import ENGINE, EXPORT, FORMAT, NAME, GraphPart, JournalPart, Manifest, Member
from ontocrawl.base.config import FILE
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.runs import run_stopping
from ontocrawl.runs.runs import LOCK
from ontocrawl.topics import topics
from ontocrawl.version import __version__
from ontocrawl.versions import deciding
from ontology.errors import Message
from ontology.files import open_atomically

_CHUNK = 1 << 20
_PATIENCE = 30.0
"""Seconds to wait until another command has written ontologies or decisions."""
_LISTINGS = 5
"""Number of times that the snapshots of a run are listed while a crawl replaces them."""
_ELSEWHERE = frozenset({FILE, "graph", "runs", "ontologies", "queries", "sparql"})
"""Names in a workspace that are saved in their own way, or (sparql) made again when they are needed."""


@dataclass(frozen=True, slots=True)
class Report:
    """A backup that was written."""

    path: str
    bytes: int
    files: int
    runs: tuple[str, ...]
    crawled: tuple[str, ...]
    """Runs that a process was crawling."""
    graph: str | None
    """engine, export, or None where there is no graph in it."""
    left_out: tuple[str, ...]
    """Other files and folders of the workspace."""
    not_exported: tuple[Message, ...] = ()
    """What the export of a server's graph lacks, a sentence each."""


def write(space: Workspace, path: Path, *, graph: bool = True, also: Sequence[str] = ()) -> Report:
    """Write a workspace to one file, atomically. An existing file is replaced when the new one is whole.

    Args:
        space: the workspace.
        path: the file.
        graph: whether to save the graph.
        also: further files and folders of the workspace, by their paths in it.

    Returns:
        What was saved, and what was not.

    Raises:
        UsageError: there is no workspace, no such file or folder, or ``path`` is in a folder that is saved.
        CommandError: another command is changing the ontologies.
        JournalError: a journal cannot be read.
        StoreError: the graph cannot be saved.
        OSError: the file cannot be written.
    """
    learned = _learned(space)
    _refuse(space, path, (*also, *learned))
    with (
        open_atomically(path, private=True) as stream,
        tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as scratch,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as opened,
    ):
        archive = _Archive(opened, Path(scratch))
        saved, not_exported = _graph(space, archive) if graph else (None, [])
        journals = {name: _run(space, name, archive) for name in space.run_names()}
        for place in (FILE, space.queries.name, *also):
            _tree(archive, space.root, space.root / place)
        for folder in (space.ontologies, *(space.root / name for name in learned)):
            with _unchanged(folder):
                _tree(archive, space.root, folder)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        root = str(space.root.resolve())
        archive.end(
            Manifest(
                format=FORMAT, ontocrawl=__version__, made=made, workspace=root, journals=journals, graph=saved,
                members=archive.members,
            )
        )  # fmt: skip
    crawled = tuple(name for name, part in journals.items() if part.crawled)
    kind, left_out = None if saved is None else saved.kind, _left_out(space, (*also, *learned))
    size, files = path.stat().st_size, len(archive.members)
    return Report(str(path), size, files, tuple(journals), crawled, kind, left_out, tuple(not_exported))


class _Archive:
    """The ZIP file that is being written, with the digests of its members."""

    def __init__(self, archive: zipfile.ZipFile, scratch: Path) -> None:
        self._archive = archive
        self.scratch = scratch
        """Folder for files that are made to be added."""
        self.members: dict[str, Member] = {}

    def add(self, name: str, path: Path) -> bool:
        """Add a file; return whether there is one. One that is replaced meanwhile is added as it was at first."""
        if name in self.members:
            return True
        try:
            source = path.open("rb")
        except FileNotFoundError:
            return False
        digest, size = hashlib.sha256(), 0
        with source, self._archive.open(_encodable(name, path), "w", force_zip64=True) as member:
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
                member.write(chunk)
        self.members[name] = Member(size=size, sha256=digest.hexdigest())
        return True

    def add_made(self, name: str, path: Path) -> None:
        """Add a file of ``scratch``, and remove it there."""
        self.add(name, path)
        path.unlink()

    def end(self, manifest: Manifest) -> None:
        """Write the manifest, the last member."""
        self._archive.writestr(NAME, manifest.model_dump_json(indent=1))


def _refuse(space: Workspace, path: Path, also: Sequence[str]) -> None:
    """Raise UsageError where there is nothing to save, or the file would be a part of itself."""
    root, target = space.root.resolve(), path.resolve()
    if not (root / FILE).exists() and not space.runs.is_dir():
        raise UsageError("backup.no_workspace_give", root=space.root)
    for name in also:
        place = (root / name).resolve()
        if not place.exists() or place == root or not place.is_relative_to(root):
            raise UsageError("backup.no_give_file_folder", name=name, root=root, also=_ALSO)
        if place.relative_to(root).parts[0] in _ELSEWHERE and place != space.bin.resolve():
            raise UsageError("backup.saved_already_leave_out", name=name, also=_ALSO)
    for place in (space.graph, space.runs, space.ontologies, space.queries, *(root / name for name in also)):
        if target.is_relative_to(place.resolve()):
            raise UsageError("backup.saved_give_file_elsewhere", path=path, place=place)


_ALSO = Option("--also", "also")


def _graph(space: Workspace, archive: _Archive) -> tuple[GraphPart | None, list[Message]]:
    """Save the database of the embedded engine, or an export of a server's graph; say what the export lacks."""
    if space.settings.graph.uri:
        from kg.export import export_graph
        from ontocrawl.graph import graph_store

        made = archive.scratch / EXPORT
        with graph_store.store(space, migrate=False) as store:
            exported = export_graph(store, "cypher", made)
        archive.add_made(made.name, made)
        return GraphPart(kind="export", member=made.name), exported.notes
    if not EngineFolder(space.graph).marker.exists():
        return None, []
    from kg.engine import backup

    made = archive.scratch / "engine.zip"
    origin = backup.write(space.graph, made)
    archive.add_made(ENGINE, made)
    sizes = {"unpacked": origin.unpacked, "files": origin.files}
    return GraphPart(kind="engine", member=ENGINE, layout=origin.layout, version=origin.version, **sizes), []


def _run(space: Workspace, name: str, archive: _Archive) -> JournalPart:
    """Save the snapshots, the journal and the other files of a run."""
    folder = space.run(name)
    journal = folder / JOURNAL
    crawled = FileLock(folder / LOCK).is_held()
    snapshots = journal.with_suffix(".snapshots")
    for _ in range(_LISTINGS):
        listed = sorted(path for path in snapshots.glob("*") if path.suffix != ".part")
        if all(archive.add(_name(space.root, path), path) for path in listed):
            break
    made = archive.scratch / JOURNAL
    copied = copy(journal, made)
    archive.add_made(_name(space.root, journal), made)
    _tree(archive, space.root, folder, without=snapshots)
    return JournalPart(version=copied.version, events=copied.events, crawled=crawled)


def _tree(archive: _Archive, root: Path, place: Path, without: Path | None = None) -> None:
    """Add a file, or all files of a folder but those of running processes; links to folders are not followed."""
    for path in [place] if place.is_file() else _files(place, without):
        if not _is_of_a_process(path):
            archive.add(_name(root, path), path)


def _files(folder: Path, without: Path | None) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if Path(here, name) != without)
        yield from (Path(here, name) for name in sorted(names) if Path(here, name).is_file())


def _is_of_a_process(path: Path) -> bool:
    """Return whether a file says something of a process, or belongs to an open journal, and must not be restored."""
    return (
        path.suffix == ".lock"
        or path.name in (deciding.LOCK, deciding.PID, run_stopping.FILE)
        or path.name.startswith(f"{JOURNAL}-")
        or (path.suffix == ".part" and not path.name.startswith("."))
    )


@contextmanager
def _unchanged(folder: Path) -> Iterator[None]:
    """Keep other commands from changing ontologies and decisions in the block; raise CommandError if one does."""
    with ExitStack() as held:
        for path in sorted(_files(folder, None)):
            if (path.name == deciding.LOCK or path.suffix == ".lock") and os.access(path, os.W_OK):
                lock = FileLock(path)
                if not lock.acquire(_PATIENCE):
                    raise CommandError("backup.another_command_changing_try", parent=path.parent)
                held.callback(lock.release)
        yield


def _left_out(space: Workspace, also: Sequence[str]) -> tuple[str, ...]:
    saved = {space.root / name for name in (*_ELSEWHERE, *also)}
    left = [_name(space.root, path) for path in _others(space.root, saved)]
    if space.removed_runs() and not any(space.root / name == space.bin for name in also):
        left.append(_name(space.root, space.bin))
    return tuple(sorted(left))


def _others(folder: Path, saved: Set[Path]) -> Iterator[Path]:
    """Yield what is in a folder and is not saved; a folder of which a part is saved by its entries."""
    for path in folder.iterdir():
        if path not in saved:
            yield from _others(path, saved) if any(path in one.parents for one in saved) else (path,)


def _learned(space: Workspace) -> tuple[str, ...]:
    """Return the folders of topics that were built in other folders of the workspace than ``ontologies``."""
    root = space.root.resolve()
    folders = {file.resolve().parent for file in topics.built(space).values() if file.is_file()}
    inside = (folder.relative_to(root) for folder in folders if folder != root and folder.is_relative_to(root))
    return tuple(sorted(folder.as_posix() for folder in inside if folder.parts[0] not in _ELSEWHERE))


def _name(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _encodable(name: str, path: Path) -> str:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise CommandError("backup.name_file_no_utf", fsencode=os.fsencode(path)) from error
    return name

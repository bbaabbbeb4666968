"""Restore a backup into an empty folder: all of it, or nothing."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawler.journal import Journal, JournalError
from crawler.journal.journal import VERSION, held
from kg.engine import backup as engine_backup
from kg.store import StoreError
from ontocrawl.backup.manifest import PART, Manifest, Member, damaged, read
from ontocrawl.base.config import FILE
from ontocrawl.base.workspace import JOURNAL, make_folder
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.runs.run_config import as_toml
from ontocrawl.runs.runs import CONFIG
from ontology.files import DAMAGED_ZIP
from ontology.printable import one_line

_CHUNK = 1 << 20
_PATHS = ("world", "topic_file", "strategy_file", "labels", "warc")
"""Keys of a run's configuration that may be paths."""
_NO_GRAPH = Option("--no-graph", "graph=False")
_DIR = Option("DIR", "folder")


@dataclass(frozen=True, slots=True)
class Restored:
    """A workspace that was restored."""

    workspace: str
    made: str
    """When the backup was made, ISO 8601."""
    ontocrawl: str
    """Version of the program that made it."""
    files: int
    runs: tuple[str, ...]
    crawled: tuple[str, ...]
    """Runs that a process was crawling; `crawl resume` continues them."""
    graph: str | None
    """engine, export (a file that `graph import` reads), or None."""


def restore(path: Path, folder: Path, *, graph: bool = True) -> Restored:
    """Restore a backup into an empty folder.

    Args:
        path: a file that `ontocrawl.backup.writing.write` wrote.
        folder: the new workspace; it is made where it is missing.
        graph: whether to restore the graph too.

    Returns:
        What was restored.

    Raises:
        UsageError: no such file, or the folder is not empty.
        CommandError: the file is damaged, or a newer version made it; the folder is as it was.
        OSError: the folder cannot be written.
    """
    if not path.is_file():
        raise UsageError("backup.no_such_file_give", path=path)
    is_new = not folder.exists()
    part = _emptied(folder)
    try:
        try:
            with zipfile.ZipFile(path) as archive:
                manifest = read(archive, path)
                _refuse_newer(manifest, path, graph)
                _refuse_too_large(manifest, path, folder)
                _unpack(archive, manifest, path, make_folder(part, _DIR))
        except DAMAGED_ZIP as error:
            raise damaged(path, one_line(str(error)) or "it ends too early") from error
        _restore_graph(manifest, part, path, graph)
        _restore_journals(manifest, part, path, folder.resolve())
        _restore_removed(manifest, part, folder.resolve())
        _put_in_place(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if is_new and not any(folder.iterdir()):
            folder.rmdir()
    crawled = tuple(name for name, journal in manifest.journals.items() if journal.crawled)
    kind = manifest.graph.kind if graph and manifest.graph else None
    return Restored(
        str(folder), manifest.made, manifest.ontocrawl, len(manifest.members), tuple(manifest.journals), crawled, kind
    )


def _emptied(folder: Path) -> Path:
    """Return the folder for what is not in place yet; raise UsageError for a folder with files."""
    if folder.exists() and not folder.is_dir():
        raise UsageError("backup.file_give_empty_folder", folder=folder)
    part = make_folder(folder, _DIR) / PART
    shutil.rmtree(part, ignore_errors=True)
    strangers = sorted(path.name for path in folder.iterdir() if path.name != "lost+found")
    if strangers:
        raise UsageError("backup.not_empty_give_empty", folder=folder, strangers=strangers[0])
    return part


def _refuse_newer(manifest: Manifest, path: Path, graph: bool) -> None:
    """Raise CommandError where a newer version wrote a journal or the graph."""
    newest = max((journal.version for journal in manifest.journals.values()), default=1)
    if newest > VERSION:
        raise CommandError(
            "backup.journal_version_ontocrawl_reads",
            path=path,
            newest=newest,
            version=VERSION,
            ontocrawl=manifest.ontocrawl,
        )
    part = manifest.graph if graph else None
    if part is None or part.kind == "export":
        return
    if engine_backup.is_of_newer_engine(engine_backup.Origin(part.layout, part.version)):
        raise CommandError(
            "backup.graph_made_engine_newer",
            path=path,
            version=part.version,
            ontocrawl=manifest.ontocrawl,
            no_graph=_NO_GRAPH,
        )


def _refuse_too_large(manifest: Manifest, path: Path, folder: Path) -> None:
    needed, free = sum(member.size for member in manifest.members.values()), shutil.disk_usage(folder).free
    needed += manifest.graph.unpacked if manifest.graph else 0
    if needed > free:
        raise CommandError("backup.needs_bytes_disk_free", path=path, needed=needed, folder=folder, free=free)


def _unpack(archive: zipfile.ZipFile, manifest: Manifest, path: Path, part: Path) -> None:
    for name, member in manifest.members.items():
        target = part / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not _copied(archive, name, member, target):
            raise damaged(path, f"{name} is not what was saved")


def _copied(archive: zipfile.ZipFile, name: str, member: Member, target: Path) -> bool:
    """Write a member to a new file; return whether it has the size and the digest of the manifest."""
    digest, size = hashlib.sha256(), 0
    with archive.open(name) as source, target.open("xb") as file:
        while size <= member.size and (chunk := source.read(_CHUNK)):
            digest.update(chunk)
            size += len(chunk)
            file.write(chunk)
    return size == member.size and digest.hexdigest() == member.sha256


def _restore_graph(manifest: Manifest, part: Path, path: Path, graph: bool) -> None:
    """Make the folder of the embedded engine of its database; an export stays a file."""
    saved = manifest.graph
    if saved is None or (saved.kind == "export" and graph):
        return
    packed = part / saved.member
    if saved.kind == "engine":
        aside = Path(tempfile.mkdtemp(dir=part))
        packed = packed.replace(aside / packed.name)
        (part / saved.member).parent.rmdir()
        if graph:
            origin = engine_backup.Origin(saved.layout, saved.version, saved.unpacked, saved.files)
            try:
                engine_backup.restore(packed, part / "graph", origin)
            except StoreError as error:
                raise damaged(path, one_line(str(error))) from error
        shutil.rmtree(aside)
    else:
        packed.unlink()


def _restore_journals(manifest: Manifest, part: Path, path: Path, root: Path) -> None:
    """Compare each journal with the manifest, and let its run name the files of the new workspace."""
    for name, saved in manifest.journals.items():
        journal = part / "runs" / name / JOURNAL
        try:
            found = held(journal)
            if (found.version, found.events) != (saved.version, saved.events):
                raise damaged(path, f"the journal of run {name} is not what was saved")
            _relocate(journal, manifest.workspace, str(root))
        except (JournalError, ValueError, TypeError, AttributeError) as error:
            raise damaged(path, f"the journal of run {name} cannot be read: {one_line(str(error))}") from error


def _restore_removed(manifest: Manifest, part: Path, root: Path) -> None:
    """Let the runs of a bin that was saved name the files of the new workspace, as far as they can be read."""
    for journal in (part / "runs" / ".bin").glob(f"*/{JOURNAL}"):
        with suppress(JournalError):  # it may be why the run was removed
            _relocate(journal, manifest.workspace, str(root))


def _relocate(path: Path, old: str, new: str) -> None:
    with closing(Journal(path)) as journal:
        config = journal.get("config")
        moved = None if config is None else _relocated(config, old, new)
        if moved is not None and moved != config:
            journal.set("config", moved)
            (path.parent / CONFIG).write_text(as_toml(moved), encoding="utf-8")


def _relocated(config: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    """Return a run's configuration with the paths in its workspace changed to those in another folder.

    Args:
        config: the configuration, as JSON values.
        old: absolute path of the workspace that was saved.
        new: absolute path of the new one.

    >>> _relocated({"warc": "/a/w/runs/x/warc", "world": "corpus:/a/web", "labels": None}, "/a/w", "/b")
    {'warc': '/b/runs/x/warc', 'world': 'corpus:/a/web', 'labels': None}
    """

    def moved(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        kind, colon, rest = value.partition(":")
        for before, text in (("", value), (kind + colon, rest)):
            if text == old or text.startswith((f"{old}/", f"{old}{os.sep}")):
                return before + new + text[len(old) :]
        return value

    paths = {key: moved(config[key]) for key in _PATHS if key in config}
    runs = {name: moved(path) for name, path in config.get("known_runs", {}).items()}
    return {**config, **paths, **({"known_runs": runs} if runs else {})}


def _put_in_place(part: Path, folder: Path) -> None:
    """Move all files to the folder, the settings last: without them it is no workspace."""
    for path in sorted(part.iterdir(), key=lambda path: path.name == FILE):
        path.replace(folder / path.name)
    part.rmdir()

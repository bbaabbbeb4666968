"""The bin of a workspace: runs that were removed from workspace and graph, and come back until the bin is emptied.

    runs/.bin/RUN~N/                            the folder of a run; N tells runs of one name apart
                    removed.json                when it was removed, and whether the graph had it
                    proposals/TOPIC/RUN.jsonl   what it proposes for a topic

A run leaves the graph first, and then its folder is renamed at once. A command that is killed before that leaves the
run in its place, where it is removed again, or written into the graph by `graph rebuild`.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from crawler.journal import JournalError
from kg import enrich
from kg.engine.files import FileLock
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.base.workspace import GRAPH_LOCK, JOURNAL, Workspace, make_folder
from ontocrawl.errors import CommandError, UnknownNameError, UsageError
from ontocrawl.runs import graph_writing, run_files, run_status, runs
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.run_files import Marks
from ontocrawl.topics import proposed
from ontology.errors import Message
from ontology.files import write_atomically

REMOVED, PROPOSALS, _LOCK = "removed.json", "proposals", ".lock"
OpenGraph = Callable[[], AbstractContextManager[GraphStore]]
"""Opens the graph of the workspace."""


@dataclass(frozen=True)
class RemovedRun:
    """A run in the bin."""

    id: str
    """RUN~N."""
    run: str
    removed: str
    """When it was removed, ISO 8601."""
    graph: bool
    """Whether it was in the graph, and is written into it when it comes back."""
    topic: str
    """Name of its topic; empty where its journal cannot be read."""
    strategy: str
    note: str
    tags: tuple[str, ...]
    disk: int
    """Bytes of its files."""


def listed(space: Workspace) -> list[RemovedRun]:
    """Return the runs in the bin of a workspace, the last removed first."""
    found = [_entry(space.bin / name) for name in space.removed_runs()]
    return sorted(found, key=lambda one: (one.removed, one.id), reverse=True)


def _entry(folder: Path) -> RemovedRun:
    try:
        said, marks = run_files.read_object(folder / REMOVED), run_files.read_marks(folder)
    except UsageError as error:  # a damaged file is no reason to keep the run from coming back
        said, marks = {}, Marks(note=str(error))
    when, topic, strategy = (str(said.get(key, "")) for key in ("removed", "topic", "strategy"))
    return RemovedRun(
        folder.name, folder.name.rpartition("~")[0], when, bool(said.get("graph")), topic, strategy,
        marks.note, marks.tags, run_status.disk_use(folder),
    )  # fmt: skip


def remove(space: Workspace, names: Sequence[str], open_graph: OpenGraph) -> list[RemovedRun]:
    """Move runs into the bin: their folders, what they propose, and out of the graph what only they have there.

    Pages and hosts of other crawls and what persons decided about proposals are kept. A run whose journal cannot be
    read stays in the graph, which could not be filled from it again.

    Args:
        space: the workspace of the runs.
        names: names of the runs.
        open_graph: opens the graph; it is called only where the workspace has one.

    Returns:
        The runs as they are in the bin.

    Raises:
        UsageError: there is no such run; none is moved.
        CommandError: a process crawls a run, or writes it into the graph, or a file cannot be written; the runs before
            it are moved.
        StoreError: the graph cannot be opened or written, likewise.
    """
    for name in names:
        space.existing_run(name)
    return [_removed(space, name, open_graph) for name in names]


def _removed(space: Workspace, name: str, open_graph: OpenGraph) -> RemovedRun:
    folder = space.existing_run(name)
    with runs.locked(folder), _unwritten(folder):
        config = _config(space, name)
        crawl = name if config is None else config.run
        if config is not None and (space.settings.graph.uri or space.graph.exists()):
            with open_graph() as graph:
                in_graph = _has(graph, config)
                _note(folder, config, in_graph=in_graph)
                if in_graph:
                    graph_writing.remove(space, crawl, graph)
        else:
            _note(folder, config, in_graph=False)
        for path in proposed.files(space, crawl=crawl):
            write_atomically(folder / PROPOSALS / path.parent.parent.name / path.name, path.read_bytes())
        with _alone(space):
            place = _free(space, name)
            folder.rename(place)
            _forget_proposals(space, place)
    return _entry(place)


def _config(space: Workspace, name: str) -> RunConfig | None:
    try:
        return runs.config_of(space, name)
    except (JournalError, UsageError):  # damaged, or of another version: it goes as it is
        return None


def _has(graph: GraphStore, config: RunConfig) -> bool:
    """Return whether the graph has a run, and not another crawl of its name."""
    facts = enrich.crawl_facts(graph, config.run)
    return facts is not None and facts["strategy"] == config.strategy and facts["started"] in (None, config.started)


def _note(folder: Path, config: RunConfig | None, *, in_graph: bool) -> None:
    """Note what brings a run back, before the graph loses it; what a killed command noted of the graph still holds."""
    path = folder / REMOVED
    in_graph = in_graph or (path.exists() and bool(run_files.read_object(path).get("graph")))
    topic, strategy = ("", "") if config is None else (config.topic, config.strategy)
    said = {"removed": workspace.now(), "graph": in_graph, "topic": topic, "strategy": strategy}
    run_files.replace(path, json.dumps(said, ensure_ascii=False))


def _free(space: Workspace, name: str) -> Path:
    number, place = 1, make_folder(space.bin) / f"{name}~1"
    while place.exists():
        number += 1
        place = space.bin / f"{name}~{number}"
    return place


def _proposals(space: Workspace, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield each file of what a run proposes, as kept in its folder, and its place in the workspace."""
    for kept in (folder / PROPOSALS).glob("*/*.jsonl"):
        yield kept, proposed.path_of(space, kept.parent.name, kept.stem)


def _forget_proposals(space: Workspace, folder: Path) -> None:
    """Remove the files of what a run proposes, unless others are in their places by now."""
    for kept, path in _proposals(space, folder):
        if path.exists() and path.read_bytes() == kept.read_bytes():
            path.unlink()


@contextmanager
def _unwritten(folder: Path) -> Iterator[None]:
    """Keep a run out of the graph in the block. Raises CommandError where another process writes it."""
    lock = FileLock(folder / GRAPH_LOCK)
    if not lock.acquire(runs.LOCK_SECONDS):
        raise CommandError("runs.run_being_written", name=folder.name)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _alone(space: Workspace) -> Iterator[None]:
    """Wait until no other process changes the bin."""
    lock = FileLock(make_folder(space.bin) / _LOCK)
    lock.acquire(math.inf)
    try:
        yield
    finally:
        lock.release()


def restore(space: Workspace, names: Sequence[str], open_graph: OpenGraph) -> list[RemovedRun]:
    """Bring runs back from the bin, and into the graph with what they propose if they were there.

    Args:
        space: the workspace.
        names: ids of runs in the bin, or names, for the one of a name that was removed last.
        open_graph: opens the graph; it is called for runs that were in it.

    Returns:
        The runs as they were in the bin.

    Raises:
        UsageError: the bin has no such run, or the workspace has another one of its name.
        GraphNotWritten: a run is back, and the graph cannot be written; the message names the command for later.
    """
    return [_restored(space, one.id, open_graph) for one in _chosen(space, names)]


def _restored(space: Workspace, name: str, open_graph: OpenGraph) -> RemovedRun:
    with _alone(space):
        (entry,) = _chosen(space, [name])
        folder, target = space.bin / entry.id, space.run(entry.run)
        if target.exists():
            raise UsageError("runs.bin_name_taken", name=entry.run)
        for kept, path in _proposals(space, folder):
            write_atomically(path, kept.read_bytes())
        folder.rename(target)
    _delete(target / PROPOSALS)
    (target / REMOVED).unlink(missing_ok=True)
    if entry.graph:
        with graph_writing.or_later(entry.run), open_graph() as graph:
            report = graph_writing.project(space, entry.run, graph)
            graph_writing.written_again(space, report.crawl, graph)
    return entry


def empty(space: Workspace, names: Sequence[str] = ()) -> list[RemovedRun]:
    """Delete runs of the bin for good.

    Args:
        space: the workspace.
        names: ids or names as for `restore`; all runs where none is given.

    Returns:
        The runs that were deleted.

    Raises:
        UsageError: the bin has no such run; nothing is deleted.
    """
    with _alone(space):
        chosen = _chosen(space, names) if names else listed(space)
        for one in chosen:
            folder = space.bin / one.id
            _forget_proposals(space, folder)
            (folder / JOURNAL).unlink()  # first: without it, what a killed command leaves is no run
            _delete(folder)
        for left in () if names else space.bin.glob("*~*"):
            _delete(left)
    return chosen


def _delete(folder: Path) -> None:
    if folder.is_symlink():  # to another disk; its files are not of the workspace
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)


def _chosen(space: Workspace, names: Sequence[str]) -> list[RemovedRun]:
    present = listed(space)
    found = {one.run: one for one in reversed(present)} | {one.id: one for one in present}
    for name in names:
        if name not in found:
            known = ", ".join(one.id for one in present) or Message("base.none_yet")
            raise UnknownNameError("runs.bin_none", name=name, known=known)
    return list({found[name].id: found[name] for name in names}.values())

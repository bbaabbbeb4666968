"""Workspaces: folders with settings, ontologies, the embedded graph and runs; found by walking up, as git does."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from kg.engine.files import FileLock
from ontocrawl.base.config import FILE, Settings, load
from ontocrawl.errors import CommandError, Option, UnknownNameError, UsageError
from ontology.errors import Message

FALLBACK = "ontocrawl-data"
WORKSPACE = Option("--workspace")
JOURNAL = "journal.sqlite"
"""The file in a run's folder that makes it a run."""
GRAPH_LOCK = "graph.lock"
"""File of a run's folder that is locked while the run is written into the graph."""
RUN_CONFIG = "config.resolved.toml"
"""The file in a run's folder with its configuration."""
_RUN = re.compile(
    r"(?!(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$))[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9_-])?", re.IGNORECASE
)
"""Names that are folders on all systems: Windows has devices of some names, and drops a dot at the end."""
_PATIENCE = 30.0
"""Seconds to wait for another command that writes a file."""
_TEMPLATE = """\
# Settings of this ontocrawl workspace. Every key is optional; `ontocrawl doctor` prints those in force.

[crawl]
topic = "rainstorm"
strategy = "evidence_sum"
limit_pages = 300
# delay = 1.0            # seconds between two requests to one host
# user_agent = "my-crawler/1.0 (+https://example.org/contact)"

[graph]
# Without a URI the embedded engine keeps its data in ./graph
# uri = "neo4j://localhost:7687"      # or NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE
"""


def require_run_name(name: str) -> None:
    """Raise UsageError for text that is not a run's name."""
    if not _RUN.fullmatch(name):
        raise UsageError("base.run_name", name=name)


@dataclass(frozen=True)
class Workspace:
    """Settings and paths of a workspace. Folders are created when they are first needed."""

    root: Path
    settings: Settings

    @property
    def ontologies(self) -> Path:
        """Folder of the user's ontologies, topics and competency questions."""
        return self.root / "ontologies"

    @property
    def graph(self) -> Path:
        """Folder of the embedded graph engine."""
        return self.root / "graph"

    @property
    def graph_is_read_only(self) -> bool:
        """Whether the folder of the embedded engine exists, and this user may not write to it."""
        parts = (self.graph, self.graph / "data")
        return any(part.is_dir() and not os.access(part, os.W_OK) for part in parts)

    def read_only(self) -> UsageError:
        """Return the error of what would change a workspace that this user may only read."""
        return UsageError("base.workspace_read_only", root=self.root)

    @property
    def sparql(self) -> Path | None:
        """Folder of the export that SPARQL queries keep; None where the workspace has no folder to write to."""
        return self.root / "sparql" if self.root.is_dir() and os.access(self.root, os.W_OK) else None

    @property
    def queries(self) -> Path:
        """Folder of the user's own queries, and of those that were asked last in the explorer."""
        return self.root / "queries"

    @property
    def runs(self) -> Path:
        """Folder of the runs, one subfolder each."""
        return self.root / "runs"

    @property
    def bin(self) -> Path:
        """Folder of the removed runs (`ontocrawl.runs.removed_runs`), each as RUN~N; no run has its name."""
        return self.runs / ".bin"

    def removed_runs(self, name: str = "*") -> list[str]:
        """Return the names in the bin of removed runs, or of those of one name, sorted."""
        return sorted(path.parent.name for path in self.bin.glob(f"{name}~*/{JOURNAL}"))

    def run(self, name: str) -> Path:
        """Return the folder of a run, existing or not. Raises UsageError for an invalid name."""
        require_run_name(name)
        return self.runs / name

    def writes_into_graph(self, run: str) -> bool:
        """Return whether a process writes a run into the graph now."""
        return FileLock(self.run(run) / GRAPH_LOCK).is_held()

    def relative(self, path: Path) -> str:
        """Return a path relative to the workspace in which it is, so that it can be moved, or absolute."""
        there, root = path.resolve(), self.root.resolve()
        return there.relative_to(root).as_posix() if there.is_relative_to(root) else str(there)

    def run_names(self) -> list[str]:
        """Return the names of the existing runs, sorted."""
        return sorted(path.parent.name for path in self.runs.glob(f"*/{JOURNAL}"))

    def existing_run(self, name: str) -> Path:
        """Return the folder of an existing run. Raises UsageError, listing the existing runs, for another name."""
        folder = self.run(name)
        if not (folder / JOURNAL).exists():
            if self.removed_runs(name):
                raise UnknownNameError("base.run_in_bin", name=name)
            names = self.run_names()
            known = ", ".join(names[-10:]) or Message("base.none_yet")
            more = Message("hints.others", count=len(names) - 10) if len(names) > 10 else ""
            near = get_close_matches(name, names, n=1)
            hint = Message("hints.near_name", near=near[0]) if near else Message("hints.semicolon")
            raise UnknownNameError("base.no_run_runs", name=name, runs=self.runs, hint=hint, known=known, more=more)
        return folder


def init(folder: Path) -> Workspace:
    """Create a workspace in a folder. Raises UsageError where there is one already."""
    target = folder / FILE
    if target.exists():
        raise UsageError("base.workspace_exists", target=target, folder=folder)
    make_folder(folder / "ontologies" / "topics")
    make_folder(folder / "runs")
    target.write_text(_TEMPLATE, encoding="utf-8")
    return Workspace(folder, load(folder, os.environ))


def find(given: Path | None, start: Path | None = None) -> tuple[Workspace, bool]:
    """Find the workspace of a command.

    Args:
        given: its folder, where the user named one.
        start: where to begin the search otherwise; by default the current folder.

    Returns:
        The workspace: the named one, else the nearest one at or above ``start``, else ``start``/ontocrawl-data; and
        whether it is this fallback.

    Raises:
        UsageError: ``given`` is a file, or the settings are invalid.
    """
    if given is not None:
        if given.exists() and not given.is_dir():
            raise UsageError("base.workspace_file", option=Option(f"--workspace {given}"))
        return Workspace(given, load(given, os.environ)), False
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / FILE).exists():
            return Workspace(folder, load(folder, os.environ)), False
    return Workspace(here / FALLBACK, load(None, os.environ)), True


def asked(given: Path | None) -> Workspace:
    """Find the workspace of a query, which must exist: a query does not create one.

    Raises:
        UsageError: there is no workspace, and no server is configured.
    """
    space, _ = find(given)
    if not _is_there(space):
        raise UsageError("base.workspace_none", root=space.root, workspace=WORKSPACE)
    return space


def asked_or_new(given: Path | None) -> tuple[Workspace, bool]:
    """Find a workspace as `asked`; where its folder is missing or empty, one is made there.

    Returns:
        The workspace, and whether it was made.
    """
    space, _ = find(given)
    if not _is_there(space) and not (space.root.exists() and any(space.root.iterdir())):
        return init(space.root), True
    return asked(given), False


def _is_there(space: Workspace) -> bool:
    """Return whether there is a workspace or a server: the graph of a server can be asked without a folder."""
    return bool(space.settings.graph.uri) or space.graph.exists() or (space.root / FILE).exists()


def make_folder(folder: Path, option: Option = WORKSPACE) -> Path:
    """Create a folder and its parents, where missing.

    Args:
        folder: the folder.
        option: the option by which the user can choose another one, for the error message.

    Returns:
        The folder.

    Raises:
        CommandError: the folder cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError("base.folder_not_made", folder=folder, strerror=error.strerror, option=option) from error
    return folder


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other command writes a file of words, decisions or labels, and keep others waiting in the block.

    Args:
        path: the file; its folder is made where it is missing.

    Raises:
        CommandError: another command holds it for half a minute.
        StoreError: the file system has no locks.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    if not lock.acquire(_PATIENCE):
        raise CommandError("base.file_busy", path=path)
    try:
        yield
    finally:
        lock.release()


# ---- the time, for records of builds and runs; everything else gets it from its caller


def now() -> str:
    """Return the current time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")

"""A user's folder: settings, ontologies, embedded graph and runs. Commands find it by walking up, as git does."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from ontocrawl.config import FILE, Settings, load
from ontocrawl.errors import CommandError, UsageError

FALLBACK = "ontocrawl-data"
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_TEMPLATE = """\
# Settings of this ontocrawl workspace. Every key is optional; `ontocrawl doctor` prints those in force.

[crawl]
topic = "rainstorm"
strategy = "fcosa_lg"
limit_pages = 300
# delay = 1.0            # seconds between two requests to one host
# user_agent = "my-crawler/1.0 (+https://example.org/contact)"

[graph]
# Without a URI the embedded engine keeps its data in ./graph
# uri = "neo4j://localhost:7687"      # or NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE
"""


@dataclass(frozen=True)
class Workspace:
    """Paths of one workspace; nothing is made before it is needed."""

    root: Path
    settings: Settings

    @property
    def ontologies(self) -> Path:
        return self.root / "ontologies"

    @property
    def graph(self) -> Path:
        return self.root / "graph"

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    def run(self, name: str) -> Path:
        """Folder of a run. Raises UsageError for a name that is not one."""
        if not _RUN.fullmatch(name):
            raise UsageError(
                f"{name!r} is not a run's name: use letters, digits, '.', '_' and '-', at most 100 of them"
            )
        return self.runs / name

    def existing_run(self, name: str) -> Path:
        """Folder of a run that was begun. Raises UsageError listing the runs there are."""
        folder = self.run(name)
        if not (folder / "journal.sqlite").exists():
            there = sorted(p.parent.name for p in self.runs.glob("*/journal.sqlite"))
            known = ", ".join(there[-10:]) or "none yet"
            more = f" and {len(there) - 10} others" if len(there) > 10 else ""
            near = get_close_matches(name, there, n=1)
            hint = f"; did you mean {near[0]}?" if near else ";"
            raise UsageError(f"there is no run {name!r} in {self.runs}{hint} runs: {known}{more}")
        return folder


def init(folder: Path) -> Workspace:
    """Make a workspace. Raises UsageError where one is there already."""
    target = folder / FILE
    if target.exists():
        raise UsageError(f"{target} exists: {folder} is a workspace already")
    make_folder(folder / "ontologies" / "topics")
    make_folder(folder / "runs")
    target.write_text(_TEMPLATE, encoding="utf-8")
    return Workspace(folder, load(folder, os.environ))


def find(given: Path | None, start: Path | None = None) -> tuple[Workspace, bool]:
    """The named workspace, else the nearest one above, else ./ontocrawl-data; and whether it is that fallback."""
    if given is not None:
        if given.exists() and not given.is_dir():
            raise UsageError(f"--workspace {given} is a file: give a folder")
        return Workspace(given, load(given, os.environ)), False
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / FILE).exists():
            return Workspace(folder, load(folder, os.environ)), False
    return Workspace(here / FALLBACK, load(None, os.environ)), True


def asked(given: Path | None) -> Workspace:
    """The workspace whose graph a question is asked of; a question makes none.

    Raises:
        UsageError: there is none, and no server is named either.
    """
    found, _ = find(given)
    if found.settings.graph.uri or found.graph.exists() or (found.root / FILE).exists():
        return found
    raise UsageError(f"{found.root} is no workspace: give --workspace, or make one (ontocrawl init)")


def make_folder(folder: Path, option: str = "--workspace") -> Path:
    """A folder, with its parents. Raises CommandError where it cannot be made, and says which option names another."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(
            f"the folder {folder} cannot be made ({error.strerror}): choose another with {option}"
        ) from error
    return folder

"""Checks of the installation and the workspace."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from kg.engine import embedded
from kg.store import StoreError
from ontocrawl import graph_health, topics
from ontocrawl.errors import CommandError
from ontocrawl.graph_problems import Problem
from ontocrawl.graph_store import store
from ontocrawl.network_check import reach
from ontocrawl.workspace import Workspace, make_folder

PACKAGES = (
    "rdflib",
    "owlready2",
    "concepts",
    "neo4j",
    "requests",
    "beautifulsoup4",
    "jieba",
    "numpy",
    "scipy",
    "selectolax",
)


@dataclass(frozen=True)
class Check:
    """The result of one check, with advice for a failed one."""

    name: str
    ok: bool
    found: str
    advice: str = ""


def examine(workspace: Workspace, url: str | None = None) -> list[Check]:
    """Run all checks; with a URL also whether a crawl can fetch that page. Problems are best fixed in their order."""
    python = Check("Python", sys.version_info >= (3, 11), platform.python_version(), "Python 3.11 or newer is needed")
    checks = [python, _packages(), _disk(workspace), _settings(workspace), _topic(workspace)]
    checks += _graph(workspace)
    if url is not None:
        checks.append(Check("network", *reach(url, workspace.settings.crawl)))
    return [Check(c.name, c.ok, c.found, "" if c.ok else c.advice) for c in checks]


def _packages() -> Check:
    installed, missing = [], []
    for name in PACKAGES:
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    return Check("packages", not missing, ", ".join(installed), f"pip install {' '.join(missing)}")


def _disk(workspace: Workspace) -> Check:
    folder = next(p for p in (workspace.root, *workspace.root.resolve().parents) if p.exists())
    free = shutil.disk_usage(folder).free
    return Check(
        "disk",
        free > 200 * 2**20,
        f"{free / 2**30:.1f} GiB free at {folder}",
        "free some space: a run needs a few hundred MB",
    )


def _settings(workspace: Workspace) -> Check:
    crawl = workspace.settings.crawl
    return Check(
        "settings",
        True,
        f"topic {crawl.topic}, strategy {crawl.strategy}, {crawl.limit_pages} pages, delay {crawl.delay} s",
    )


def _topic(workspace: Workspace) -> Check:
    def look() -> str:
        topic = topics.load(topics.default_name(workspace), workspace)
        classes = ", ".join(str(len(ontology.concepts)) for ontology in topic.ontologies) or "no"
        return f"{topic.name}: {len(topic.file.words)} words, ontologies of {classes} classes"

    return _try("topic", look)


def _graph(workspace: Workspace) -> list[Check]:
    """Check that the graph opens, that its files are those that the engine wrote, and that a part can be read."""
    problems: list[Problem] = []

    def look() -> str:
        make_folder(workspace.root)
        compared = None if workspace.settings.graph.uri else embedded.compare_files(workspace.graph)
        with store(workspace) as graph:
            pages = graph.read("MATCH (n:Page) RETURN count(n) AS n")[0]["n"]
            problems.extend(graph_health.quick(workspace, graph))
        found = f"{graph_health.engine_of(workspace)} answers, {pages} pages"
        return f"{found}; its files are as the engine left them" if compared else found

    opened = _try("graph", look)
    if not opened.ok:
        return [opened]
    found = "a part was read; `ontocrawl graph check` reads all" if not problems else problems[0].what
    return [opened, Check("graph data", not problems, found, "ontocrawl graph check shows the way back")]


def _try(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except (StoreError, CommandError, OSError, ValueError) as error:
        return Check(name, False, type(error).__name__, str(error))

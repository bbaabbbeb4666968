"""Two commands at once on the graph of one workspace: both end well, and the graph is that of one after the other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg import schema
from kg.bolt import BoltStore
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from tests.conftest import ENGINES, empty
from tests.ontocrawl.conftest import Command

pytestmark = pytest.mark.timeout(600)
TOPIC = "rainstorm"
RUNS = ("one", "two")


@pytest.fixture(scope="module")
def crawled_twice(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with two runs of one web, and no graph."""
    space = workspace.init(tmp_path_factory.mktemp("twice") / "ws")
    for seed, name in enumerate(RUNS):
        web = ["--world", "synthetic:planted?pages=300&seed=0", "--limit-pages", "60", "--topic", TOPIC]
        words = ["crawl", "run", "--strategy", "breadth_first", *web, "--seed", str(seed), "--run", name]
        assert invoke([*words, "--workspace", str(space.root)]) == 0
    embedded.stop(space.graph)
    shutil.rmtree(space.graph)
    return space


@pytest.fixture(params=ENGINES)
def space(
    request: pytest.FixtureRequest, crawled_twice: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    """A copy of the workspace, with an empty graph on each engine."""
    shutil.copytree(crawled_twice.root, tmp_path / "ws")
    if request.param == "neo4j":
        server: BoltStore = request.getfixturevalue("neo4j_engine")
        schema.apply(empty(server), compare=True)
        for name, value in zip(("URI", "USERNAME", "PASSWORD"), (server.uri, *(server._auth or ())), strict=True):
            monkeypatch.setenv(f"NEO4J_{name}", value)
    yield workspace.find(tmp_path / "ws")[0]
    embedded.stop(tmp_path / "ws" / "graph")
    if request.param == "neo4j":
        empty(server)


def begun(space: Workspace, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ontocrawl", *words, "--workspace", str(space.root), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ),
    )  # fmt: skip


def ended(process: subprocess.Popen[str], *codes: int) -> str:
    out, err = process.communicate(timeout=300)
    assert process.returncode in (codes or (0,)), err
    return out


def content(command: Command, space: Workspace) -> bytes:
    checked = command("graph", "check", "--workspace", space.root, "--json")
    assert checked.code == 0, checked.out
    out = space.root / "graph.nt"
    assert command("graph", "export", "--out", out, "--workspace", space.root).code == 0
    return out.read_bytes()


def emptied(command: Command, space: Workspace) -> None:
    """Remove all but the schema, as one command after another begins."""
    for crawl in RUNS:
        assert command("crawl", "remove", crawl, "--workspace", space.root).code == 0
    assert command("graph", "remove", TOPIC, "--workspace", space.root).code == 0


@pytest.mark.slow
def test_a_topic_is_loaded_twice_at_once(command: Command, space: Workspace) -> None:
    for process in [begun(space, "graph", "load", TOPIC) for _ in range(2)]:
        ended(process)
    for run in RUNS:
        assert command("graph", "rebuild", run, "--workspace", space.root).code == 0
    at_once = content(command, space)
    emptied(command, space)
    for words in (["graph", "load", TOPIC], ["graph", "rebuild"]):
        assert command(*words, "--workspace", space.root).code == 0
    assert content(command, space) == at_once


@pytest.mark.slow
def test_two_runs_are_written_while_the_graph_is_checked(command: Command, space: Workspace) -> None:
    assert command("graph", "load", TOPIC, "--workspace", space.root).code == 0
    writing = [begun(space, "graph", "rebuild", run) for run in (*RUNS, RUNS[0])]
    checks: list[dict[str, Any]] = []
    while any(process.poll() is None for process in writing) and len(checks) < 3:
        checks.append(json.loads(ended(begun(space, "graph", "check"), 0, 3)))
    for process in writing:
        ended(process)
    for check in checks:
        allowed = {f"run {run} (60 fetches) is not in the graph" for run in RUNS}
        assert {problem["what"] for problem in check["problems"]} <= allowed
    at_once = content(command, space)
    emptied(command, space)
    for words in (["graph", "load", TOPIC], ["graph", "rebuild"]):
        assert command(*words, "--workspace", space.root).code == 0
    assert content(command, space) == at_once


@pytest.mark.slow
def test_runs_of_one_name_of_two_workspaces_are_told_apart(command: Command, space: Workspace, tmp_path: Path) -> None:
    """Both share a server: here the second workspace has the first one's engine as its graph."""
    assert command("graph", "rebuild", "--workspace", space.root).code == 0
    at_first = content(command, space)
    other = workspace.init(tmp_path / "other")
    other.graph.symlink_to(space.graph, target_is_directory=True)
    line = ["crawl", "run", "--world", "synthetic:planted?pages=300&seed=1", "--limit-pages", "20", "--topic", TOPIC]
    line += ["--strategy", "breadth_first", "--run", RUNS[0], "--workspace", str(other.root)]
    early = command(*line)
    assert early.code != 0 and f"the graph has another run by the name {RUNS[0]}, on {TOPIC}, started" in early.err
    assert not other.run(RUNS[0]).exists()
    assert command(*line, "--no-graph").code == 0
    late = command("graph", "rebuild", RUNS[0], "--workspace", other.root)
    assert late.code != 0 and f"`ontocrawl crawl remove {RUNS[0]}`" in " ".join(late.err.split())
    assert content(command, space) == at_first
    assert command("crawl", "remove", RUNS[0], "--workspace", other.root).code == 0
    assert command("graph", "rebuild", RUNS[0], "--workspace", other.root).code == 0

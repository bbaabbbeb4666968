"""Commands in tests: run in this process, with one workspace and one embedded engine for the session."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kg import enrich
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.graph import graph_store
from ontocrawl.runs import graph_writing, removed_runs
from tests.ontocrawl.flood_ontology import written


@dataclass(frozen=True)
class CommandResult:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., CommandResult]
SAMPLE = "sample"


@pytest.fixture(autouse=True)
def _no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE", "NEO4J_CREDENTIALS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `ontocrawl ARGUMENTS`."""

    def run(*arguments: str | Path) -> CommandResult:
        capsys.readouterr()
        code = invoke([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return run


@pytest.fixture
def flood_folder(tmp_path: Path) -> Path:
    """A small output folder of `ontology build`, on floods."""
    return written(tmp_path / "learned")


@pytest.fixture(scope="session")
def shared_space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace whose engine is stopped at the end."""
    made = workspace.init(tmp_path_factory.mktemp("space") / "ws")
    yield made
    embedded.stop(made.graph)


@pytest.fixture(scope="module")
def space(shared_space: Workspace) -> Iterator[Workspace]:
    """The session's workspace; what a file of tests leaves in it but `crawled`, no other file sees.

    Two files may give runs one name, decide about one term, or share the graph with a workspace of their own.
    """
    before = _files(shared_space)
    yield shared_space
    removed_runs.remove(
        shared_space,
        [name for name in shared_space.run_names() if name != SAMPLE],
        lambda: graph_store.store(shared_space),
    )
    shutil.rmtree(shared_space.bin, ignore_errors=True)
    if shared_space.graph.exists():
        with graph_store.store(shared_space) as graph:
            for row in graph_store.ask(graph, "crawl/list", limit=1000).records():
                if row["crawl"] != SAMPLE:
                    graph_writing.remove(shared_space, row["crawl"], graph)
            enrich.settle_crawl(graph, SAMPLE, forget=True)
    for path in _files(shared_space).keys() - before.keys():
        path.unlink()
    for path, content in before.items():
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _files(space: Workspace) -> dict[Path, bytes]:
    """The files of a workspace but those of runs and of the graph."""
    apart = (space.graph, space.runs)
    return {
        path: path.read_bytes()
        for path in space.root.rglob("*")
        if path.is_file() and not any(path.is_relative_to(one) for one in apart)
    }


@pytest.fixture(scope="session")
def crawled(shared_space: Workspace) -> str:
    """The name of a crawl of the synthetic web in the session's workspace, whose engine then runs to the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(embedded.IDLE_VARIABLE, "3600")
        return crawl_sample(shared_space)


def crawl_sample(space: Workspace) -> str:
    """Crawl the synthetic web, and return the name of the run."""
    name = SAMPLE
    arguments = ["crawl", "run", "--world", "synthetic:planted?pages=600&seed=0", "--strategy", "fcosa_lg"]
    assert invoke([*arguments, "--limit-pages", "120", "--run", name, "--workspace", str(space.root), "--json"]) == 0
    return name

"""kill -9 of the engine's Java while decisions are applied: files of one version, and a graph that follows them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from kg import health, schema
from kg.bolt import BoltStore, Trace
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import applying
from ontocrawl.enrichment.applying import Options
from ontocrawl.errors import GraphNotWritten
from ontocrawl.topics import topics
from ontocrawl.topics.topic_graph import TopicGraph
from tests.conftest import ENGINES
from tests.kg.killable import Killable, content, started
from tests.ontocrawl import verdicts
from tests.ontocrawl.verdicts import concept

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals"),
    pytest.mark.timeout(900),
]
OPTIONS = Options("李四", "2026-11-24T08:00:00+00:00")
TURNS = 2


@pytest.fixture
def decided(tmp_path: Path) -> Workspace:
    """A workspace with two accepted proposals for a topic of the package."""
    space = workspace.init(tmp_path / "ws")
    space.graph.mkdir(parents=True)  # without a graph, an `apply` that has nothing new does not ask for one
    verdicts.decide(space, "rainstorm", concept("叫应机制", "预警"))
    verdicts.decide(space, "rainstorm", concept("雨岛效应", "暴雨"))
    return space


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Killable]]:
    monkeypatch.setattr("kg.bolt.RETRY_SECONDS", 2.0)
    running: list[Killable] = []

    def make(engine: str) -> Killable:
        running.append(started(engine, tmp_path / f"{engine}{len(running)}"))
        with closing(running[-1].open()) as store:
            schema.apply(store)
            TopicGraph(topics.load("rainstorm", workspace.init(tmp_path / f"of{len(running)}")), store).load()
        return running[-1]

    yield make
    for one in running:
        one.stop()


def applied(space: Workspace, engine: Killable, monkeypatch: pytest.MonkeyPatch, trace: Trace | None = None) -> str:
    """Apply what was decided, with the graph of an engine; return the version."""

    @contextmanager
    def store(_: Workspace) -> Iterator[BoltStore]:
        with closing(engine.open(trace)) as opened:
            yield opened

    with monkeypatch.context() as patched:
        patched.setattr(applying.graph_store, "store", store)
        return applying.apply(space, topics.load("rainstorm", space), OPTIONS).version


def versions(space: Workspace) -> set[str]:
    return {ontology.version for ontology in topics.load("rainstorm", space).ontologies}


@pytest.mark.parametrize("engine_name", ENGINES)
def test_the_engine_is_killed_while_decisions_are_applied(
    decided: Workspace, fresh: Callable[[str], Killable], engine_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, sent = fresh(engine_name), list[str]()
    space = Workspace(shutil.copytree(decided.root, decided.root.with_name("undisturbed")), decided.settings)
    version = applied(space, whole, monkeypatch, lambda statement, _: sent.append(statement))
    with closing(whole.open()) as store:
        expected = content(store)

    engine, killed = fresh(engine_name), 0
    for turn in range(TURNS):
        before, numbers = versions(decided), iter(range(10**6))
        at = (turn + 1) * len(sent) // (TURNS + 1)

        def kill(_statement: str, _params: object, at: int = at, numbers: Iterator[int] = numbers) -> None:
            if next(numbers) == at:
                engine.kill()

        try:
            applied(decided, engine, monkeypatch, kill)
        except GraphNotWritten as error:
            killed += 1
            assert "apply again" in str(error) or "again, or `ontocrawl graph load" in str(error)
        now = versions(decided)
        assert len(now) == 1 and now <= before | {version}, "all files are of one version"
    assert killed == TURNS
    assert applied(decided, engine, monkeypatch) == version and versions(decided) == {version}
    with closing(engine.open()) as store:
        found = health.survey(store)
        assert (found.faults, schema.lacking(store)) == ([], ())
        assert content(store) == expected

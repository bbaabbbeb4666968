"""A projection whose server is killed twice on the way ends equal to one that nothing disturbed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kg import schema
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.project import Progress, ProjectReport, project_crawl
from kg.records import KnownRow, LinkRow
from kg.store import GraphStore, StoreError
from tests.conftest import empty
from tests.kg import neo4j_server
from tests.kg import small_crawl as web
from tests.kg.test_project import everything

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
BATCH, PAGES = 100, 120
"""Rows that are written at a time, instead of a thousand; pages of a crawl."""
OUTCOMES = tuple(
    replace(web.OUTCOMES[n % 2], url=f"http://h{n % 9}.cn/{n}", host=f"h{n % 9}.cn", step=n + 1) for n in range(PAGES)
)
LINKS = tuple(
    LinkRow(OUTCOMES[n].url, f"http://h{m % 9}.cn/{m}", f"h{m % 9}.cn", f"to {m}", m % 7 / 7)
    for n in range(PAGES)
    for m in (n + 1, 2 * n + 1)
)
KNOWN = tuple(KnownRow(f"http://h{m % 9}.cn/{m}", f"h{m % 9}.cn", 0.5, "waiting") for m in range(PAGES, 2 * PAGES))


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.project._BATCH", BATCH)


def project(store: GraphStore, progress: Progress | None = None) -> ProjectReport:
    seeds = [OUTCOMES[0].url]
    return project_crawl(store, web.CRAWL, OUTCOMES, LINKS, KNOWN, seeds=seeds, progress=progress)


def killing(kill: Callable[[], object], what: str, at: int) -> Progress:
    """A progress that kills the server when so many rows are done."""

    def tell(kind: str, done: int) -> None:
        if kind == what and done >= at:
            kill()

    return tell


def killed_twice(open_store: Callable[[], BoltStore], kill: Callable[[], object]) -> tuple[ProjectReport, list[object]]:
    """Project, be interrupted among the pages, then among the links, then to the end; the report and the graph."""
    for what, at in (("pages", BATCH), ("links", 2 * BATCH)):
        with open_store() as store:
            schema.apply(store)
            with pytest.raises(StoreError):
                project(store, killing(kill, what, at))
    with open_store() as store:
        return project(store), everything(store)


@pytest.mark.neo4j
def test_neo4j_killed_twice(neo4j_engine: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = project(empty(neo4j_engine)), everything(neo4j_engine)
    monkeypatch.setattr("kg.bolt.RETRY_SECONDS", 2.0)
    running: list[neo4j_server.Neo4jServer] = []

    def open_store() -> BoltStore:
        running.append(neo4j_server.start(tmp_path / "neo4j"))
        return BoltStore(running[-1].uri, running[-1].auth)

    def kill() -> None:
        running[-1].process.kill()
        running[-1].process.wait()

    try:
        assert killed_twice(open_store, kill) == expected
        assert len(running) == 3
    finally:
        for server in running:
            server.stop()


def test_the_embedded_engine_killed_twice(
    embedded_store: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = project(embedded_store), everything(embedded_store)
    monkeypatch.setattr("kg.bolt.RETRY_SECONDS", 2.0)
    folder = tmp_path / "graph"
    killed = []

    def kill() -> None:
        pid = embedded.status(folder).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    try:
        assert killed_twice(lambda: embedded.open_embedded(folder), kill) == expected
        assert len(set(killed)) == 2
    finally:
        embedded.stop(folder)

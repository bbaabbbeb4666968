"""kill -9 of the engine's Java while a schema is applied, a topic loaded, a crawl projected: nothing lost or doubled.

The same command is run again on what the killed engine left; the graph then equals one that nothing disturbed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from kg import health, papers, schema
from kg.engine import embedded
from kg.load import load_ontology
from kg.project import project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.store import GraphStore
from ontocrawl.topics import papers as paper_files
from ontology.model import Document
from tests.conftest import ENGINES
from tests.kg import small_crawl as web
from tests.kg.killable import EmbeddedOne, Killable, Work, content, killed_at, started, statements

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals"),
    pytest.mark.timeout(900),
]
TURNS = 2
BATCH = 100
"""Papers that are written at a time, instead of a thousand."""
DOCUMENTS = tuple(Document(f"d{n}", f"暴雨与城市内涝 {n}", "", year=2000 + n % 25) for n in range(230))
PAPERS = paper_files.Papers(
    web.ONTOLOGY.key, DOCUMENTS, {d.id: {"暴雨灾害": n % 3 + 1, f"词{n % 50}": 1} for n, d in enumerate(DOCUMENTS)}
)


def apply(store: GraphStore) -> None:
    schema.apply(store, compare=True)


def load(store: GraphStore) -> None:
    """As `graph load` does: the ontology, its papers in three batches, a lattice."""
    schema.apply(store)
    load_ontology(store, web.ONTOLOGY)
    paper_files.load(store, PAPERS)
    papers.load_lattice(store, "small", web.LATTICE, web.COVERS, ontology=web.ONTOLOGY.key)


def project(store: GraphStore) -> None:
    """As `graph rebuild` does."""
    schema.apply(store)
    load_ontology(store, web.ONTOLOGY)
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])
    rank_crawl(store, web.CRAWL.id)


WORKS: dict[str, Work] = {"applying": apply, "loading": load, "projecting": project}
Undisturbed = Callable[[str, str], tuple[int, bytes]]


@pytest.fixture(autouse=True, scope="module")
def _small_batches() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.papers._BATCH", BATCH)
        yield


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Killable]]:
    """Makes engines with data of their own, which end with the test."""
    monkeypatch.setattr("kg.bolt.RETRY_SECONDS", 2.0)
    running: list[Killable] = []

    def make(engine: str) -> Killable:
        running.append(started(engine, tmp_path / f"{engine}{len(running)}"))
        return running[-1]

    yield make
    for one in running:
        one.stop()


def is_whole(engine: Killable, work: Work, expected: bytes) -> None:
    """Do the work again, and compare the graph with an undisturbed one."""
    with engine.open() as store:
        work(store)
        found = health.survey(store)
        assert (found.faults, schema.lacking(store)) == ([], ())
        assert content(store) == expected
        if isinstance(engine, EmbeddedOne):
            assert embedded.check_structures(engine.folder) == []


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The number of statements of a work on an engine, and what it leaves; each is done once for all tests."""

    @cache
    def done(engine_name: str, doing: str) -> tuple[int, bytes]:
        engine = started(engine_name, tmp_path_factory.mktemp(doing) / "graph")
        try:
            count = statements(engine, WORKS[doing])
            with engine.open() as store:
                return count, content(store)
        finally:
            engine.stop()

    return done


@pytest.mark.slow
@pytest.mark.parametrize("doing", WORKS)
def test_the_embedded_engine_is_killed_once(
    fresh: Callable[[str], Killable], undisturbed: Undisturbed, doing: str
) -> None:
    count, expected = undisturbed("embedded", doing)
    engine = fresh("embedded")
    killed_at(engine, WORKS[doing], count // 2)
    is_whole(engine, WORKS[doing], expected)


@pytest.mark.slow
@pytest.mark.parametrize("engine_name", ENGINES)
@pytest.mark.parametrize("doing", WORKS)
def test_killed_again_and_again(
    fresh: Callable[[str], Killable], undisturbed: Undisturbed, engine_name: str, doing: str
) -> None:
    """At some statements, then in the middle of some: each time the graph is what it was, or has what was added."""
    work = WORKS[doing]
    count, expected = undisturbed(engine_name, doing)
    engine = fresh(engine_name)
    for turn in range(TURNS):
        killed_at(engine, work, (turn * count) // TURNS)
    for turn in range(TURNS):
        killed_at(engine, work, (turn * count) // TURNS, later=0.004 * (turn + 1))
        engine.kill()
    is_whole(engine, work, expected)
    is_whole(engine, work, expected)


@pytest.mark.slow
def test_papers_that_were_replaced_in_part_are_not_taken_for_whole(fresh: Callable[[str], Killable]) -> None:
    """A load of newer papers is killed between two batches; then the older papers are loaded again."""
    engine = fresh("embedded")
    with engine.open() as store:
        load(store)
        expected = content(store)
    newer = replace(PAPERS, documents=DOCUMENTS[:220])

    def load_newer(store: GraphStore) -> None:
        paper_files.load(store, newer)

    other = fresh("embedded")
    with other.open() as store:
        load(store)
    killed_at(engine, load_newer, statements(other, load_newer) // 2)
    with engine.open() as store:
        assert papers.papers_digest(store, web.ONTOLOGY.key) == ""
        load(store)
        assert content(store) == expected

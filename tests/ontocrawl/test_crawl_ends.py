"""The start and the end of a crawl: what is checked before the engine starts, and a graph or a disk that fails."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ontocrawl
from crawler.journal import Journal
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.engine.files import FileLock
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import GraphNotWritten
from ontocrawl.runs import graph_writing, runs
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=200&seed=1"
CLOSED = "bolt://127.0.0.1:9"
WORDS_ONLY = ("crawl", "run", "--world", WORLD, "--strategy", "best_first", "--limit-pages", "10")


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


def test_a_crawl_by_words_alone_starts_no_engine(command: Command, empty: Workspace) -> None:
    found = command(*WORDS_ONLY, "--no-graph", "--run", "words", "--workspace", empty.root, "--json")
    assert (found.code, found.json["fetched"], found.json["ontology"]) == (0, 10, None)
    assert not empty.graph.exists()
    config = runs.config_of(empty, "words")
    assert list(config.vocabularies) == ["TK"] and list(config.ontologies) == ["GTK", "LTK_1", "LTK_2", "LTK_3"]
    assert command("crawl", "resume", "words", "--limit-pages", "12", "--workspace", empty.root).code == 0
    assert not empty.graph.exists()


def test_a_topic_without_ontologies_starts_no_engine_before_its_crawl(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_writing, "store", unreachable)
    found = command(*WORDS_ONLY, "--topic", "sports", "--workspace", empty.root, "--json")
    assert (found.code, found.json["fetched"]) == (4, 10)
    assert not empty.graph.exists()


@pytest.mark.slow
def test_without_a_graph_the_weights_of_an_ontology_still_come_from_it(command: Command, space: Workspace) -> None:
    asked = ("--strategy", "fcosa_g", "--limit-pages", "5", "--no-graph", "--run", "ends-weights")
    found = command("crawl", "run", "--world", WORLD, *asked, "--workspace", space.root)
    assert found.code == 0
    assert "computed in the graph" in found.err and "in the graph: 5 pages" not in found.err


NO_VECTOR = """
from crawler.strategies.best_first import BestFirst


class Mine(BestFirst):
    \"\"\"Best first by a column that no page has.\"\"\"

    name = "mine"
    features = ("parents:NOPE",)
"""


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--strategy", "best_frist"), "best_first"),
        (("--strategy", "fcsa", "--param", "nope=1"), "nope"),
        (("--strategy", "mine.py:Mine"), "NOPE"),
        (("--strategy", "fcosa_g", "--topic", "sports"), "topic vector GTK"),
        (("--guide", "nope"), "nope"),
        (("--world", "nope"), "there is no world 'nope'"),
        (("--world", "corpus:nope"), "is not a folder"),
        (("--world", "live", "--seeds", "nope"), "'nope' is not a URL"),
        (("--world", "live", "--seeds", "loopback.txt"), "--seeds @loopback.txt"),
        (("--world", "live", "--seeds", "mine.py"), "serve the folder"),
        (("--world", "live"), "no seeds"),
        (("--world", "live", "--seeds", "http://127.0.0.1:9/"), "--allow-loopback"),
        (("--world", "live", "--seeds", "http://localhost/a"), "a loopback address"),
        (("--world", "live", "--seeds", "https://[::1]:8443/"), "--allow-loopback"),
        (("--world", "live", "--seeds", "@loopback.txt"), "--allow-loopback"),
        (("--world", "live", "--seeds", "sitemap:http://127.0.0.1:9/s.xml"), "--allow-loopback"),
        (("--world", "live", "--seeds", "http://10.0.0.1/"), "a private address"),
        (("--labels", "nope.json#set"), "nope.json"),
        (("--labels", "labels.json#other"), "has no set 'other'"),
        (("--resolve", "nope.txt"), "nope.txt"),
        (("--run", "a/b"), "is not a run's name"),
        (("--run", "taken"), "crawl resume taken"),
        (("--limit-pages", "-1"), "--limit-pages"),
        (("--strategy", "fcbcw", "--param", "classifier=nope.json", "--param", "S=S"), "nope.json cannot be read"),
    ],
)
def test_a_wrong_option_fails_before_the_engine_starts_and_leaves_no_folder(
    command: Command, empty: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: Any, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(NO_VECTOR, encoding="utf-8")
    (tmp_path / "labels.json").write_text('{"set": []}', encoding="utf-8")
    (tmp_path / "loopback.txt").write_text("http://127.0.0.1:9/\nhttp://localhost:9/\n", encoding="utf-8")
    (empty.runs / "taken").mkdir()
    (empty.runs / "taken" / "journal.sqlite").touch()
    found = command("crawl", "run", "--world", WORLD, "--workspace", empty.root, *given)
    assert found.code == 2
    assert says in found.err
    assert not empty.graph.exists()
    assert [path.name for path in empty.runs.iterdir()] == ["taken"]


def test_a_crawl_that_cannot_begin_leaves_no_folder(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (*WORDS_ONLY, "--no-graph", "--run", "full", "--workspace", empty.root)
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "__init__", with_pages(8))
        found = command(*asked)
    assert found.code == 1
    assert "run full could not begin" in found.err and "full" in found.err and "resume" not in found.err
    assert list(empty.runs.iterdir()) == []
    assert command(*asked).code == 0


@pytest.mark.slow
def test_a_folder_that_another_process_uses_is_left_alone(command: Command, empty: Workspace) -> None:
    lock = FileLock(workspace.make_folder(empty.run("busy")) / "journal.lock")
    assert lock.try_acquire()
    try:
        found = command(*WORDS_ONLY, "--no-graph", "--run", "busy", "--workspace", empty.root)
        assert found.code == 1 and "is being crawled by another process" in found.err
        assert lock.path.exists()
    finally:
        lock.release()


def test_a_graph_that_is_needed_at_the_start_and_fails_ends_the_command_before_the_run(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", CLOSED)
    found = command("crawl", "run", "--world", WORLD, "--strategy", "fcosa_g", "--workspace", empty.root)
    assert found.code == 4
    assert CLOSED in found.err and "graph rebuild" not in found.err
    assert list(empty.runs.iterdir()) == []


def with_pages(number: int) -> Any:
    """A journal of at most so many pages of SQLite: its disk is full."""
    opened = Journal.__init__

    def small(self: Journal, path: Path) -> None:
        opened(self, path)
        self._db.execute(f"PRAGMA max_page_count = {number}")

    return small


@contextmanager
def unreachable(space: Workspace) -> Iterator[BoltStore]:
    """A graph whose server has ended meanwhile."""
    with BoltStore(CLOSED, None) as store:
        yield store


@pytest.mark.slow
def test_a_graph_that_fails_at_the_end_leaves_the_result_and_says_how_to_write_it_later(
    command: Command, space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (*WORDS_ONLY, "--run", "ends-later", "--workspace", space.root)
    with monkeypatch.context() as patch:
        patch.setattr(graph_writing, "store", unreachable)
        found = command(*asked, "--json")
    assert (found.code, found.json["fetched"], found.json["stop_reason"]) == (4, 10, "limit_pages")
    assert "could not be written into the graph" in found.err and CLOSED in found.err
    assert "`ontocrawl graph rebuild ends-later`" in found.err
    written = command("graph", "rebuild", "ends-later", "--workspace", space.root, "--json")
    assert written.json["runs"]["ends-later"]["pages"] == 10


@pytest.mark.slow
@pytest.mark.parametrize("cause", ["server", "folder", "ontology"])
def test_a_resumed_crawl_ends_with_its_result_whatever_the_graph_does(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch, cause: str
) -> None:
    topic = empty.ontologies / "topics" / "mine.toml"
    shutil.copy(Path(ontocrawl.__file__).parents[1] / "ontologies" / "topics" / "rainstorm.toml", topic)
    asked = (*WORDS_ONLY, "--topic", topic, "--no-graph", "--run", "resumed", "--workspace", empty.root)
    assert command(*asked).code == 0
    says = {"server": CLOSED, "folder": f"{empty.graph} cannot be made", "ontology": "lacks an ontology that it used"}
    if cause == "server":
        monkeypatch.setenv("NEO4J_URI", CLOSED)
    elif cause == "folder":
        empty.graph.touch()
    else:
        topic.unlink()
    try:
        found = command(
            "crawl", "resume", "resumed", "--limit-pages", "12", "--graph", "--workspace", empty.root, "--json"
        )
    finally:
        embedded.stop(empty.graph)
    assert (found.code, found.json["fetched"]) == (4, 12)
    assert says[cause] in found.err and "graph rebuild resumed" in found.err


def test_a_resumable_stop_comes_before_a_graph_that_fails(
    command: Command, space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(*WORDS_ONLY, "--no-graph", "--run", "ends-both", "--workspace", space.root)
    with runs.open_journal(space, "ends-both") as journal:
        journal.set("stop_reason", "repeated_failure")
    stopped = runs.result_of(space, "ends-both")
    monkeypatch.setattr(runs, "resume", lambda *_, **__: stopped)
    monkeypatch.setattr(graph_writing, "store", unreachable)
    found = command("crawl", "resume", "ends-both", "--graph", "--workspace", space.root)
    assert found.code == 5
    assert "graph rebuild ends-both" in found.err and "crawl resume ends-both" in found.err


@pytest.mark.slow
def test_python_keeps_the_run_whose_graph_failed(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(graph_writing, "store", unreachable)
        with pytest.warns(RuntimeWarning, match=r"Graph\(\)\.add\('ends-python'\)"):
            run = ontocrawl.crawl(
                "rainstorm", world=WORLD, pages=5, strategy="best_first", run="ends-python", workspace=space.root
            )
        assert isinstance(run.graph_error, GraphNotWritten) and run.result.end.fetched == 5
        with pytest.warns(RuntimeWarning, match="could not be written into the graph"):
            assert run.resume(pages=8).graph_error is not None
    resumed = run.resume(pages=9)
    assert resumed.graph_error is None and resumed.result.end.fetched == 9


def test_a_full_disk_at_the_end_can_be_resumed(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_text

    def full(path: Path, *given: Any, **named: Any) -> int:
        if path.name == runs.SUMMARY:
            raise OSError(28, "No space left on device", str(path))
        return write(path, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        found = command(*WORDS_ONLY, "--no-graph", "--run", "last", "--workspace", empty.root)
    assert found.code == 5
    assert "No space left" in found.err and "crawl resume last" in found.err
    resumed = command("crawl", "resume", "last", "--workspace", empty.root, "--json")
    assert (resumed.code, resumed.json["fetched"]) == (0, 10)


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_server_that_refuses_the_password_at_the_end(
    command: Command, empty: Workspace, neo4j_engine: BoltStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command(*WORDS_ONLY, "--no-graph", "--run", "refused", "--workspace", empty.root).code == 0
    assert neo4j_engine._auth is not None
    monkeypatch.setenv("NEO4J_URI", neo4j_engine.uri)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_engine._auth[0])
    monkeypatch.setenv("NEO4J_PASSWORD", "wrong")
    found = command("crawl", "resume", "refused", "--graph", "--workspace", empty.root, "--json")
    assert (found.code, found.json["fetched"]) == (4, 10)
    assert "refused the user" in found.err and "graph rebuild refused" in found.err
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_engine._auth[1])
    assert command("graph", "rebuild", "refused", "--workspace", empty.root).code == 0
    assert neo4j_engine.read("MATCH (:Crawl {id: 'refused'})-[f:FETCHED]->(:Page) RETURN count(f) AS n") == [{"n": 10}]

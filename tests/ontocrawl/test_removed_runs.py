"""Marks of runs and the bin: what is hidden is said, what is removed comes back, and a kill loses nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kg import enrich
from kg.engine.files import FileLock
from kg.store import GraphStore, StoreUnavailable
from ontocrawl.backup import restoring, writing
from ontocrawl.base import workspace
from ontocrawl.base.workspace import GRAPH_LOCK, JOURNAL, Workspace
from ontocrawl.errors import CommandError, GraphNotWritten, UsageError
from ontocrawl.runs import graph_writing, removed_runs, run_files, run_status, runs
from ontocrawl.topics import proposed
from tests.ontocrawl.conftest import Command

CRAWL = ("crawl", "run", "--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first")


@pytest.fixture
def mine(tmp_path: Path, command: Command) -> Workspace:
    """A workspace with two runs, which are in no graph."""
    made = workspace.init(tmp_path / "ws")
    for name in ("a", "b"):
        begun(command, made, name)
    return made


def begun(command: Command, space: Workspace, name: str, *more: str) -> None:
    where = ("--limit-pages", "6", "--run", name, "--workspace", space.root)
    answer = command(*CRAWL, *where, *(more or ("--no-graph",)))
    assert answer.code == 0, answer.err


def files(folder: Path) -> dict[str, str]:
    """The files of a folder with their digests, but for locks and what the bin notes."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in (".lock", ".part") and path.name not in (removed_runs.REMOVED,)
        and removed_runs.PROPOSALS not in path.parts
    }  # fmt: skip


@contextmanager
def no_graph() -> Iterator[GraphStore]:
    raise AssertionError("the workspace has no graph")
    yield


# ---- marks


def test_runs_are_marked_and_found_by_their_tags(mine: Workspace, command: Command) -> None:
    where = ("--workspace", mine.root)
    marked = command(
        "crawl", "mark", "a", "b", "--tag", "flood", "--tag", "洪水", "--note", "first try", *where, "--json"
    )
    marks = {"note": "first try", "tags": ["flood", "洪水"], "hidden": False}
    assert marked.json == {"runs": [{"run": "a", **marks}, {"run": "b", **marks}]}
    command("crawl", "mark", "b", "--untag", "flood", "--note", "", *where)
    assert command("crawl", "mark", "b", *where, "--json").json["runs"] == [
        {"run": "b", "note": "", "tags": ["洪水"], "hidden": False}
    ]
    found = command("crawl", "status", "--tag", "flood", *where, "--json").json
    assert [run["run"] for run in found["runs"]] == ["a"] and found["runs"][0]["note"] == "first try"
    assert {**command("crawl", "status", "a", *where, "--json").json, **marks}["tags"] == ["flood", "洪水"]
    both = command("crawl", "status", "a", "b", *where, "--json").json["runs"]
    assert [run["tags"] for run in both] == [["flood", "洪水"], ["洪水"]]
    assert "first try" in command("crawl", "status", *where, "--format", "csv").out


def test_hidden_runs_are_counted_and_shown_when_asked(mine: Workspace, command: Command) -> None:
    where = ("--workspace", mine.root)
    command("crawl", "mark", "a", "--hide", *where)
    shown = command("crawl", "status", *where, "--json")
    assert ([run["run"] for run in shown.json["runs"]], shown.json["hidden"]) == (["b"], 1)
    assert "hidden runs: 1 (--hidden shows them)" in shown.err
    everything = command("crawl", "status", "--hidden", *where, "--json")
    assert [(run["run"], run["hidden"]) for run in everything.json["runs"]] == [("a", True), ("b", False)]
    assert everything.json["hidden"] == 0 and "hidden runs" not in everything.err
    command("crawl", "mark", "a", "--show", *where)
    assert run_status.hidden_runs(mine) == 0 and len(run_status.listed(mine)) == 2


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--tag", "two words"), "a tag is a word"),
        (("--tag", "x" * 41), "at most 40"),
        (("--tag", "<b>"), "a tag is a word"),
        (("--note", "one\ntwo"), "a note is one line"),
        (("--note", "\u202etxt"), "a note is one line"),
        (("--note", "x" * 501), "at most 500"),
        (tuple(word for n in range(21) for word in ("--tag", f"t{n}")), "at most 20 tags"),
    ],
)
def test_a_mark_that_is_none_is_refused(mine: Workspace, command: Command, more: tuple[str, ...], says: str) -> None:
    refused = command("crawl", "mark", "a", *more, "--workspace", mine.root)
    assert refused.code == 2 and says in " ".join(refused.err.split())
    assert run_files.read_marks(mine.run("a")) == run_files.Marks()


def test_no_run_is_marked_or_moved_where_one_does_not_exist(mine: Workspace, command: Command) -> None:
    where = ("--workspace", mine.root)
    assert command("crawl", "mark", "a", "none", "--hide", *where).code == 2
    assert command("crawl", "bin", "a", "none", *where).code == 2
    assert command("crawl", "bin", "--restore", *where).code == 2
    assert command("crawl", "status", "a", "--hidden", *where).code == 2
    assert mine.run_names() == ["a", "b"] and run_status.hidden_runs(mine) == 0


@pytest.mark.parametrize("text", ["{", "[]", '{"tags": 1}', '{"hidden": "no"}'])
def test_damaged_marks_are_named(mine: Workspace, text: str) -> None:
    path = mine.run("a") / run_files.MARKS_FILE
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"marks\.json is damaged"):
        run_files.mark(mine, ["a"], hidden=True)
    assert path.read_text(encoding="utf-8") == text
    assert [one["run"] for one in run_status.listed(mine) if "error" in one] == ["a"]
    assert run_status.hidden_runs(mine) == 0
    (entry,) = removed_runs.remove(mine, ["a"], no_graph)
    assert "marks.json is damaged" in entry.note and removed_runs.restore(mine, ["a"], no_graph)


def test_two_that_mark_one_run_wait_for_each_other(mine: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "LOCK_SECONDS", 0.1)
    lock = FileLock(mine.run("a") / "marks.lock")
    assert lock.try_acquire()
    with pytest.raises(CommandError, match="another process is marking"):
        run_files.mark(mine, ["a"], tag=["x"])
    lock.release()
    assert run_files.mark(mine, ["a"], tag=["x"])["a"].tags == ("x",)


# ---- the bin, without a graph


def test_a_run_goes_into_the_bin_and_comes_back(mine: Workspace, command: Command) -> None:
    where = ("--workspace", mine.root)
    run_files.mark(mine, ["a"], note="第一次", tag=["x"])
    before, measures = files(mine.run("a")), run_status.marked(mine, "a")
    moved = command("crawl", "bin", "a", *where, "--json").json
    assert moved["moved"] == moved["bin"] and [one["id"] for one in moved["bin"]] == ["a~1"]
    assert {key: moved["bin"][0][key] for key in ("run", "graph", "topic", "strategy", "note", "tags")} == {
        "run": "a", "graph": False, "topic": "rainstorm", "strategy": "breadth_first", "note": "第一次", "tags": ["x"],
    }  # fmt: skip
    assert mine.run_names() == ["b"] and files(mine.bin / "a~1") == before
    status = command("crawl", "status", *where, "--json")
    assert [run["run"] for run in status.json["runs"]] == ["b"] and status.json["bin"] == 1
    assert "runs in the bin: 1" in status.err
    for words in (("crawl", "resume", "a"), ("crawl", "status", "a"), ("crawl", "bin", "a")):
        gone = command(*words, *where)
        assert gone.code == 2 and "`ontocrawl crawl bin --restore a`" in " ".join(gone.err.split())
    assert "a~1" in command("crawl", "bin", *where).out
    back = command("crawl", "bin", "--restore", "a", *where, "--json").json
    assert [one["id"] for one in back["restored"]] == ["a~1"] and back["bin"] == []
    assert files(mine.run("a")) == before and run_status.marked(mine, "a") == measures
    assert command("crawl", "resume", "a", "--limit-pages", "9", "--no-graph", *where).code == 0


def test_runs_of_one_name_do_not_collide(mine: Workspace, command: Command) -> None:
    first = files(mine.run("a"))
    removed_runs.remove(mine, ["a"], no_graph)
    begun(command, mine, "a", "--no-graph", "--seed", "7")
    second = files(mine.run("a"))
    with pytest.raises(UsageError, match="there is another run 'a'"):
        removed_runs.restore(mine, ["a"], no_graph)
    removed_runs.remove(mine, ["a"], no_graph)
    assert [one.id for one in removed_runs.listed(mine)] == ["a~2", "a~1"]
    assert removed_runs.restore(mine, ["a~1"], no_graph)[0].id == "a~1" and files(mine.run("a")) == first
    removed_runs.remove(mine, ["a"], no_graph)
    assert files(mine.bin / "a~1") == first and files(mine.bin / "a~2") == second


def test_a_name_that_is_made_is_none_of_the_bin(mine: Workspace, command: Command) -> None:
    name = runs.fresh_name(mine, "best_first")
    begun(command, mine, name)
    removed_runs.remove(mine, [name], no_graph)
    assert runs.fresh_name(mine, "best_first") == f"{name}-2"


def test_emptying_deletes_what_is_in_the_bin_and_nothing_else(mine: Workspace, command: Command) -> None:
    where = ("--workspace", mine.root)
    begun(command, mine, "c")
    command("crawl", "bin", "a", "b", *where)
    (mine.bin / "left~1").mkdir()  # of a command that was killed
    assert command("crawl", "bin", "--empty", "none", *where).code == 2
    assert command("crawl", "bin", "--empty", "../runs/c", *where).code == 2
    one = command("crawl", "bin", "--empty", "b", *where, "--json").json
    assert [gone["id"] for gone in one["deleted"]] == ["b~1"] and (mine.bin / "left~1").exists()
    rest = command("crawl", "bin", "--empty", *where, "--json").json
    assert [gone["id"] for gone in rest["deleted"]] == ["a~1"] and rest["bin"] == []
    assert mine.run_names() == ["c"] and not list(mine.bin.glob("*~*"))
    assert command("crawl", "bin", "--restore", "a", *where).code == 2


@pytest.mark.parametrize(("lock", "says"), [(runs.LOCK, "being crawled"), (GRAPH_LOCK, "being written")])
def test_a_run_that_a_process_uses_stays(mine: Workspace, command: Command, lock: str, says: str) -> None:
    held = FileLock(mine.run("a") / lock)
    assert held.try_acquire()
    refused = command("crawl", "bin", "a", "--workspace", mine.root)
    assert refused.code == 1 and says in " ".join(refused.err.split()) and mine.run_names() == ["a", "b"]
    held.release()
    assert command("crawl", "bin", "a", "--workspace", mine.root).code == 0


def test_a_run_that_cannot_be_read_can_be_removed(mine: Workspace) -> None:
    (mine.run("a") / JOURNAL).write_bytes(b"damaged")
    (entry,) = removed_runs.remove(mine, ["a"], no_graph)
    assert (entry.topic, entry.graph) == ("", False) and mine.run_names() == ["b"]
    removed_runs.restore(mine, ["a"], no_graph)
    assert (mine.run("a") / JOURNAL).read_bytes() == b"damaged"


KILLED = """
import os, sys
from contextlib import contextmanager
from pathlib import Path
from ontocrawl.base import workspace
from ontocrawl.runs import removed_runs
space, _ = workspace.find(Path(sys.argv[1]))
kill_at, count = int(sys.argv[3]), iter(range(10**6))
def dying(function):
    def called(*given, **more):
        if next(count) == kill_at:
            os.kill(os.getpid(), 9)
        return function(*given, **more)
    return called
for name in ("rename", "replace", "unlink", "rmdir"):
    setattr(Path, name, dying(getattr(Path, name)))
os.rename, os.replace, os.unlink = dying(os.rename), dying(os.replace), dying(os.unlink)
@contextmanager
def no_graph():
    raise AssertionError
    yield
getattr(removed_runs, sys.argv[2])(space, ["a"], no_graph)
"""


@pytest.mark.slow
@pytest.mark.parametrize("step", ["remove", "restore"])
def test_a_kill_loses_nothing(mine: Workspace, step: str) -> None:
    """At each rename, replacement and removal of a file in turn; then the step is made again."""
    path = proposed.path_of(mine, "rainstorm", "a")
    path.parent.mkdir(parents=True)
    path.write_text('{"ontology": "x"}\n', encoding="utf-8")
    before, said, again = files(mine.run("a")), path.read_bytes(), getattr(removed_runs, step)
    if step == "restore":
        removed_runs.remove(mine, ["a"], no_graph)
    for kill_at in range(100):
        program = [sys.executable, "-c", KILLED, str(mine.root), step, str(kill_at)]
        ended = subprocess.run(program, check=False, capture_output=True, text=True)
        places = [folder for folder in (mine.run("a"), mine.bin / "a~1") if (folder / JOURNAL).exists()]
        assert len(places) == 1 and files(places[0]) == before, ended.stderr
        kept = places[0] / removed_runs.PROPOSALS / "rainstorm" / path.name
        assert (path if path.exists() else kept).read_bytes() == said
        if ended.returncode == 0:
            break
        assert ended.returncode == -9, ended.stderr
        if (places[0].parent == mine.bin) != (step == "remove"):
            again(mine, ["a"], no_graph)
        {"remove": removed_runs.restore, "restore": removed_runs.remove}[step](mine, ["a"], no_graph)
        assert path.exists() == (step == "remove")
    assert kill_at > 3
    assert path.exists() == (step == "restore")


# ---- the graph


def counted(graph: GraphStore) -> dict[str, int]:
    rows = graph.read("MATCH (n) RETURN labels(n) AS kind, count(*) AS n") + graph.read(
        "MATCH ()-[r]->() RETURN type(r) AS kind, count(*) AS n"
    )
    return {str(row["kind"]): row["n"] for row in rows}


KILLED_IN_GRAPH = """
import os, sys
from functools import partial
from pathlib import Path
from kg import project
from ontocrawl.base import workspace
from ontocrawl.graph import graph_store
from ontocrawl.runs import removed_runs
space, _ = workspace.find(Path(sys.argv[1]))
project.enrich.settle_crawl = lambda *given, **named: os.kill(os.getpid(), 9)  # its links are gone, its pages are not
removed_runs.remove(space, [sys.argv[2]], partial(graph_store.store, space))
"""


@pytest.mark.slow
def test_the_graph_follows_a_run_into_the_bin_and_back(space: Workspace, command: Command) -> None:
    from ontocrawl.graph import graph_store

    where, opened = ("--workspace", space.root), lambda: graph_store.store(space)
    with opened() as graph:
        first = counted(graph)
    problems = command("graph", "check", *where, "--json").json["problems"]
    begun(command, space, "binned", "--limit-pages", "60", "--seed", "3")
    ids = [
        one["id"] for one in command("enrich", "propose", "binned", "--limit", "5", *where, "--json").json["proposals"]
    ]
    command("enrich", "decide", ids[0], "reject", *where)

    def listed() -> Any:
        return command("enrich", "list", "rainstorm", "--run", "binned", "--status", "all", *where, "--json").json

    with opened() as graph:
        whole, said = counted(graph), listed()
    assert whole != first and said["proposals"]

    killed = subprocess.run([sys.executable, "-c", KILLED_IN_GRAPH, str(space.root), "binned"], check=False)
    assert killed.returncode == -9 and "binned" in space.run_names()
    moved = command("crawl", "bin", "binned", *where, "--json")
    assert moved.code == 0 and moved.json["moved"][0]["graph"] is True, moved.err
    others = command("enrich", "list", "rainstorm", "--status", "all", *where, "--json").json["proposals"]
    assert all("binned" not in one["crawls"] for one in others) and not proposed.files(space, crawl="binned")
    rejected = command("enrich", "list", "rainstorm", "--status", "rejected", *where, "--json").json["proposals"]
    assert ids[0] in [one["id"] for one in rejected]
    assert command("graph", "check", *where, "--json").json["problems"] == problems
    with opened() as graph:
        assert graph.read("MATCH (c:Crawl {id: 'binned'}) RETURN c.id AS id") == []
        left = counted(graph)
        assert all(left.get(kind, 0) == first.get(kind, 0) for kind in ("FETCHED", "KNOWS", "LINKS_TO", "['Page']"))

    assert command("crawl", "bin", "--restore", "binned", *where).code == 0
    assert listed() == said and command("graph", "check", *where, "--json").json["problems"] == problems
    with opened() as graph:
        assert counted(graph) == whole
    command("enrich", "decide", ids[0], "--undo", *where)
    command("crawl", "bin", "binned", *where)
    command("crawl", "bin", "--empty", "binned", *where)


class _Graph:
    """A graph that is there."""


@contextmanager
def a_graph() -> Iterator[Any]:
    yield _Graph()


@pytest.mark.parametrize(
    "facts", [{"strategy": "breadth_first", "started": "another"}, {"strategy": "archive score"}, None]
)
def test_another_crawl_of_the_name_stays_in_the_graph(
    mine: Workspace, monkeypatch: pytest.MonkeyPatch, facts: dict[str, str] | None
) -> None:
    mine.graph.mkdir()
    monkeypatch.setattr(enrich, "crawl_facts", lambda graph, crawl: facts and {"started": None, **facts})
    monkeypatch.setattr(graph_writing, "remove", lambda *given: pytest.fail("it is removed"))
    assert removed_runs.remove(mine, ["a"], a_graph)[0].graph is False


def test_a_run_that_is_back_says_how_the_graph_is_filled(mine: Workspace) -> None:
    @contextmanager
    def closed() -> Iterator[GraphStore]:
        raise StoreUnavailable("engine.cannot_read", path="graph", strerror="it is off", advice="start it")
        yield

    mine.graph.mkdir()
    with pytest.raises(StoreUnavailable):
        removed_runs.remove(mine, ["a"], closed)
    assert mine.run_names() == ["a", "b"]
    mine.graph.rmdir()
    removed_runs.remove(mine, ["a"], no_graph)
    note = mine.bin / "a~1" / removed_runs.REMOVED
    note.write_text(json.dumps({**json.loads(note.read_text("utf-8")), "graph": True}), encoding="utf-8")
    with pytest.raises(GraphNotWritten, match="write it by"):
        removed_runs.restore(mine, ["a"], closed)
    assert mine.run_names() == ["a", "b"] and not (mine.run("a") / removed_runs.REMOVED).exists()


# ---- backup


def test_a_backup_says_that_it_leaves_the_bin_out(mine: Workspace, tmp_path: Path) -> None:
    removed_runs.remove(mine, ["a"], no_graph)
    assert writing.write(mine, tmp_path / "one.zip", graph=False).left_out == ("runs/.bin",)
    assert writing.write(mine, tmp_path / "two.zip", graph=False, also=["runs/.bin"]).left_out == ()
    restoring.restore(tmp_path / "one.zip", tmp_path / "without")
    assert removed_runs.listed(workspace.find(tmp_path / "without")[0]) == []
    restoring.restore(tmp_path / "two.zip", tmp_path / "with")
    there = workspace.find(tmp_path / "with")[0]
    assert removed_runs.restore(there, ["a"], no_graph)[0].run == "a"
    assert there.run_names() == ["a", "b"] and run_status.marked(there, "a")["fetched"] == 6

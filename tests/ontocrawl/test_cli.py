"""The command line: shapes that scripts rely on, exit codes, and one clear sentence for each bad input."""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import queries
from crawler import strategies
from crawler.journal import Journal
from kg.engine import embedded
from kg.engine.files import FileLock
from kg.interchange.spool import Spool
from ontocrawl.base.workspace import Workspace
from tests.ontocrawl.conftest import Command

SYNTHETIC = "synthetic:planted?pages=600&seed=0"


# ---- shapes (design of the command line) ------------------------------------------------------------------------


def test_crawl_strategies(command: Command) -> None:
    found = command("crawl", "strategies", "--json").json["strategies"]
    assert {entry["name"] for entry in found} == set(strategies.STRATEGIES)
    assert {"breadth_first", "best_first", "fcsa", "fcosa_g", "fcosa_lg", "wang_landau"} <= set(strategies.STRATEGIES)
    assert all({"name", "title", "paper", "parameters", "readings"} <= set(entry) for entry in found)


def test_crawl_run_and_pages(command: Command, space: Workspace, crawled: str) -> None:
    status = command("crawl", "status", crawled, "--workspace", space.root, "--json").json
    keys = {"run", "strategy", "fetched", "relevant", "accuracy", "stop_reason", "seconds"}
    assert keys <= set(status) and status["run"] == crawled and status["strategy"] == "fcosa_lg"
    assert status["fetched"] == 120 and status["stop_reason"] == "limit_pages"
    pages = command("crawl", "pages", crawled, "--workspace", space.root, "--json").json["pages"]
    assert len(pages) == 120 and {"step", "url", "relevance"} <= set(pages[0])
    assert [page["step"] for page in pages] == sorted(page["step"] for page in pages)
    assert sum(page["relevance"] > 0.7 for page in pages) == status["relevant"]
    assert status["accuracy"] == status["relevant"] / 120


@pytest.mark.slow
def test_weights_topic_and_query_shapes(command: Command, space: Workspace, crawled: str) -> None:
    weights = command("weights", "rainstorm", "--workspace", space.root, "--json").json["weights"]
    keys = {"word", "weight", "distance", "density", "depth", "coincidence", "relation", "path", "ontology"}
    assert all(keys <= set(row) for row in weights) and len({row["ontology"] for row in weights}) == 4
    listed = command("query", "list", "--json").json["queries"]
    assert all({"name", "title", "parameters", "returns"} <= set(entry) for entry in listed)
    answer = command("query", "run", "pages/most_relevant", "--workspace", space.root, "--json").json
    assert answer["columns"] and all(len(row) == len(answer["columns"]) for row in answer["rows"]) and answer["rows"]


def test_chinese_is_not_escaped(command: Command) -> None:
    assert "暴雨灾害" in command("topic", "list", "--json").out


def test_ontology_lattice(command: Command, tmp_path: Path) -> None:
    table1 = tmp_path / "table1.csv"
    rows = ["12", "1234", "1235", "167", "134568"]
    lines = [",".join([f"D{d}", *("X" if str(t) in row else "" for t in range(1, 9))]) for d, row in enumerate(rows, 1)]
    table1.write_text("\n".join([",1,2,3,4,5,6,7,8", *lines]) + "\n", encoding="utf-8")
    found = command("ontology", "lattice", table1, "--svg", tmp_path / "lattice.svg", "--json").json
    assert {k: found[k] for k in ("objects", "attributes", "concepts", "edges")} == {
        "objects": 5, "attributes": 8, "concepts": 12, "edges": 19,
    }  # fmt: skip
    assert (tmp_path / "lattice.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.slow
def test_graph_status_rank_rebuild(command: Command, space: Workspace, crawled: str) -> None:
    before = command("graph", "status", "--workspace", space.root, "--json").json["counts"]
    assert command("graph", "rebuild", crawled, "--workspace", space.root, "--json").code == 0
    after = command("graph", "status", "--workspace", space.root, "--json").json["counts"]
    assert after == before and after["pages"] > 120 and after["concepts"] > 60
    for option in ((), ("--topic-biased",)):
        ranked = command("graph", "rank", crawled, *option, "--workspace", space.root, "--json").json
        values = [page["pagerank"] for page in ranked["pages"]]
        assert len(values) == 20 and values == sorted(values, reverse=True)
        assert ranked["communities"] > 1 and 0 < ranked["modularity"] < 1 and ranked["host_pairs"] > 1
    of_crawl = ("links/communities", f"crawl={crawled}")  # other tests may have added newer ones
    answer = command("query", "run", *of_crawl, "--workspace", space.root, "--json").json
    pages = [row[answer["columns"].index("pages")] for row in answer["rows"]]
    assert pages == sorted(pages, reverse=True) and sum(pages) > 60  # the rest are pages by themselves


@pytest.mark.slow
def test_a_query_refuses_a_crawl_without_figures_of_its_links(command: Command, space: Workspace, crawled: str) -> None:
    where, hubs = ("--workspace", space.root), ("links/hubs", f"crawl={crawled}")
    forget = f"MATCH (c:Crawl {{id: '{crawled}'}}) REMOVE c.link_figures RETURN c.id AS id"
    assert command("query", "cypher", forget, "--write", *where).code == 0
    _refused(command("query", "run", *hubs, *where), 2, "links/hubs", f"ontocrawl graph rank {crawled}")
    assert command("graph", "rank", crawled, *where).code == 0
    assert command("query", "run", *hubs, *where).code == 0


@pytest.mark.slow
def test_enrich_propose(command: Command, space: Workspace, crawled: str) -> None:
    found = command("enrich", "propose", crawled, "--workspace", space.root, "--json").json["proposals"]
    assert len(found) >= 10 and all(p["term"].casefold() in p["sentence"].casefold() for p in found)


@pytest.mark.slow
def test_every_query_runs_on_a_crawl(command: Command, space: Workspace, crawled: str) -> None:
    for query in queries.all_queries():
        if not query.name.startswith(("pages/", "hosts/", "links/", "crawl/")):
            continue
        required = [p for p in query.parameters if p.default is None]
        if not required:
            assert command("query", "run", query.name, "--workspace", space.root, "--json").code == 0, query.name


# ---- bad input --------------------------------------------------------------------------------------------------


def _refused(answer: Any, code: int, *words: str) -> None:
    assert answer.code == code, answer
    assert "Traceback" not in answer.err
    sentence = " ".join(answer.err.split())
    for word in words:
        assert word in sentence, answer.err


def test_an_empty_corpus(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    _refused(
        command("ontology", "build", "--corpus", tmp_path / "empty.jsonl", "--out", tmp_path / "o"), 2, "empty.jsonl"
    )
    assert not (tmp_path / "o").exists()


def test_an_unreadable_corpus(command: Command, tmp_path: Path) -> None:
    (tmp_path / "noise.txt").write_bytes(bytes(range(256)) * 40)
    _refused(command("ontology", "build", "--corpus", tmp_path / "noise.txt", "--out", tmp_path / "o"), 2, "noise.txt")
    _refused(command("ontology", "build", "--corpus", tmp_path / "none", "--out", tmp_path / "o"), 2, "none")


def test_a_context_without_incidence(command: Command, tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(",a,b\nd1,,\nd2,,\n", encoding="utf-8")
    _refused(command("ontology", "lattice", tmp_path / "c.csv"), 2, "incidence")


@pytest.mark.slow
def test_a_seed_that_does_not_answer(command: Command, space: Workspace) -> None:
    answer = command(
        "crawl", "run", "--seeds", "http://127.0.0.1:9/", "--allow-loopback", "--limit-pages", "3", "--run", "silent",
        "--strategy", "breadth_first", "--workspace", space.root,
    )  # fmt: skip
    _refused(answer, 1, "no page could be fetched", "http://127.0.0.1:9/")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('name = "x"\nlabel = {zh = "暴", en = "x"}\n[[words]]\nweight = 1.0\n', ("no form", "zh = [")),
        ('name = "x"\nlabel = {zh = "暴", en = "x"}\nsigmma = 0.7\n[[words]]\nweight = 1.0\nzh = ["雨"]\n', ("sigma",)),
        ('name = "x\n', ("not valid TOML", "line 1")),
    ],
)
def test_a_bad_topic(command: Command, tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    _refused(command("topic", "show", tmp_path / "x.toml"), 2, *words)


def test_a_broken_key_of_the_workspace(command: Command, tmp_path: Path) -> None:
    (tmp_path / "ontocrawl.toml").write_text("[crawl]\nstratgy = 'fcsa'\n", encoding="utf-8")
    _refused(command("topic", "list", "--workspace", tmp_path), 2, "stratgy", "strategy")


def test_neo4j_that_cannot_be_reached(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    _refused(command("graph", "status", "--workspace", tmp_path), 4, "bolt://127.0.0.1:9", "NEO4J_URI")


@pytest.mark.parametrize(
    "arguments",
    [
        ("crawl", "run", "--strategy", "fcosa_gl"),
        ("crawl", "run", "--world", "synthetic:nowhere"),
        ("crawl", "run", "--seeds", "ftp://x/", "--no-graph"),
        ("crawl", "run", "--topic", "rainstrom"),
        ("crawl", "run", "--world", SYNTHETIC, "--labels", "none.json#x"),
        ("crawl", "run", "--world", SYNTHETIC, "--param", "eta=many"),
        ("crawl", "run", "--world", SYNTHETIC, "--param", "etta=0.1"),
        ("crawl", "resume", "never"),
        ("query", "run", "pages/most_relevnt"),
        ("query", "run", "pages/most_relevant", "-p", "nonsense=1"),
        ("crawl", "run", "--limit-pages", "-4"),
        ("no-such-command",),
    ],
)
def test_usage_errors_end_with_two(command: Command, space: Workspace, arguments: tuple[str, ...]) -> None:
    where = () if arguments[0] == "no-such-command" else ("--workspace", space.root)
    _refused(command(*arguments, *where), 2)


def test_a_run_is_not_overwritten(command: Command, space: Workspace, crawled: str) -> None:
    answer = command("crawl", "run", "--world", SYNTHETIC, "--run", crawled, "--workspace", space.root)
    _refused(answer, 2, "crawl resume")


def test_a_full_disk_is_told_with_the_places_where_room_is_needed(
    command: Command, space: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Spool, "put_nodes", full)
    answer = command("graph", "export", "--out", tmp_path / "graph.ttl", "--workspace", space.root)
    _refused(answer, 1, "no room to write (No space left on device)", tempfile.gettempdir(), "TMPDIR")


@pytest.mark.slow
def test_a_full_disk_can_be_resumed(command: Command, space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Journal.__init__

    def small(self: Journal, path: Path) -> None:
        opened(self, path)
        self._db.execute("PRAGMA max_page_count = 80")

    arguments = (
        "crawl",
        "run",
        "--world",
        SYNTHETIC,
        "--strategy",
        "best_first",
        "--limit-pages",
        "100",
        "--run",
        "full",
    )
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "__init__", small)
        _refused(command(*arguments, "--workspace", space.root), 5, "no space left", "resume")
    kept = command("crawl", "status", "full", "--workspace", space.root, "--json").json["fetched"]
    assert 0 < kept < 100
    assert command("crawl", "resume", "full", "--workspace", space.root, "--json").json["fetched"] == 100


def test_a_strategy_of_a_file_runs_and_is_found_again(
    command: Command, space: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = Path(__file__).parents[2] / "examples" / "cautious.py"
    monkeypatch.chdir(example.parent)
    run = ("crawl", "run", "--world", SYNTHETIC, "--strategy", "cautious.py:Cautious", "--param", "patience=0.3")
    where = ("--no-graph", "--workspace", space.root, "--json")
    first = command(*run, "--run", "own", "--limit-pages", "20", *where).json
    assert (first["strategy"], first["fetched"]) == ("cautious", 20)
    monkeypatch.chdir(tmp_path)
    assert command("crawl", "resume", "own", "--limit-pages", "30", *where).json["fetched"] == 30
    refused = command(*run[:4], "--strategy", "absent.py:Cautious", *where)
    assert (refused.code, refused.out) == (2, "")
    assert "absent.py cannot be imported" in refused.err


@pytest.mark.slow
def test_a_killed_crawl_is_resumed_to_the_same_pages(command: Command, space: Workspace) -> None:
    arguments = ["crawl", "run", "--world", SYNTHETIC, "--strategy", "fcosa_lg", "--limit-pages", "150", "--seed", "3"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ontocrawl", *arguments, "--run", "killed", "--workspace", str(space.root)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    journal = space.run("killed") / "journal.sqlite"
    while process.poll() is None and _events(journal) < 60:
        pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert command("crawl", "resume", "killed", "--workspace", space.root, "--json").json["fetched"] == 150
    assert command(*arguments, "--run", "whole", "--workspace", space.root, "--json").code == 0
    pages = [command("crawl", "pages", run, "--workspace", space.root, "--json").json for run in ("killed", "whole")]
    assert pages[0] == pages[1]


@pytest.mark.slow
def test_an_interrupted_crawl_says_how_to_go_on(command: Command, space: Workspace) -> None:
    # so many pages that the crawl goes on when the signal comes, also on a busy machine
    world = "synthetic:planted?pages=5000&seed=0"
    arguments = ["crawl", "run", "--world", world, "--strategy", "best_first", "--limit-pages", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ontocrawl", *arguments, "--run", "interrupted", "--workspace", str(space.root)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        # tests in the background of a shell ignore it, and so would their processes
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    journal = space.run("interrupted") / "journal.sqlite"
    while process.poll() is None and _events(journal) < 40:
        pass
    process.send_signal(signal.SIGINT)
    err = process.communicate()[1]
    assert process.returncode == 5 and "crawl resume" in err and "Traceback" not in err, err
    fetched = command("crawl", "status", "interrupted", "--workspace", space.root, "--json").json["fetched"]
    limit = ("--limit-pages", fetched + 20)
    again = command("crawl", "resume", "interrupted", *limit, "--workspace", space.root, "--json")
    assert again.json["fetched"] == fetched + 20


def _events(journal: Path) -> int:
    if not journal.exists():
        return 0
    try:
        db = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
        try:
            return int(db.execute("SELECT count(*) FROM event").fetchone()[0])
        finally:
            db.close()
    except sqlite3.OperationalError:
        return 0


@pytest.mark.slow
def test_world_serve_says_how_to_crawl_it(command: Command, space: Workspace, tmp_path: Path) -> None:
    serve = [
        sys.executable,
        "-m",
        "ontocrawl",
        "world",
        "serve",
        "--pages",
        "200",
        "--seed",
        "1",
        "--files",
        str(tmp_path),
    ]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert {"url", "seeds", "pages", "resolve", "resolve_file", "labels"} <= set(first) and first["pages"] == 200
        answer = command(
            "crawl", "run", "--seeds", ",".join(first["seeds"]), "--resolve", first["resolve_file"],
            "--labels", first["labels"], "--no-politeness", "--strategy", "best_first", "--limit-pages", "40",
            "--run", "served", "--workspace", space.root, "--json",
        )  # fmt: skip
        process.terminate()
    assert answer.code == 0 and answer.json["fetched"] == 40
    assert 0 < answer.json["relevant_by_label"] <= 40


@pytest.mark.slow
def test_two_commands_can_use_one_engine(command: Command, space: Workspace, crawled: str) -> None:
    run = [
        sys.executable,
        "-m",
        "ontocrawl",
        "query",
        "run",
        "pages/most_relevant",
        "--workspace",
        str(space.root),
        "--json",
    ]
    both = [subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [process.communicate()[0] for process in both]
    assert answers[0] == answers[1] and json.loads(answers[0])["rows"]
    assert [process.returncode for process in both] == [0, 0]


@pytest.mark.slow
def test_the_engine_stops_when_told(command: Command, tmp_path: Path) -> None:
    assert command("graph", "load", "typhoon", "--workspace", tmp_path, "--json").code == 0
    assert "stopped" in command("graph", "stop", "--workspace", tmp_path).err
    assert "no embedded engine" in command("graph", "stop", "--workspace", tmp_path).err
    assert not embedded.stop(tmp_path / "graph")


def test_what_was_meant_is_said(command: Command) -> None:
    asked = command("query", "pages/most_relevant")
    assert asked.code == 2 and "ontocrawl query run pages/most_relevant" in asked.err
    misplaced = command("query", "run", "crawl/list", "--lang", "zh")
    assert misplaced.code == 2 and "ontocrawl --lang .. query run" in misplaced.err


@pytest.mark.slow
def test_more_bad_input(command: Command, space: Workspace, tmp_path: Path) -> None:
    one = tmp_path / "one.jsonl"
    one.write_text('{"id": "1", "title": "暴雨", "abstract": "暴雨与洪水。", "keywords": ["暴雨"]}\n', encoding="utf-8")
    (tmp_path / "ok.csv").write_text(",a,b\nd1,X,\nd2,X,X\n", encoding="utf-8")
    (tmp_path / "a-file").write_text("", encoding="utf-8")
    cycle = tmp_path / "cycle.ttl"
    cycle.write_text(
        "@prefix : <http://x/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n<http://x/> a owl:Ontology .\n"
        ':A a owl:Class ; rdfs:label "甲"@zh ; rdfs:subClassOf :B . :B a owl:Class ; rdfs:label "乙"@zh ; '
        "rdfs:subClassOf :A .\n",
        encoding="utf-8",
    )
    where = ("--workspace", space.root)
    _refused(command("graph", "rank", "nope", *where), 2, "nope")
    _refused(command("ontology", "build", "--corpus", one, "--out", tmp_path / "o"), 2)
    _refused(command("ontology", "lattice", tmp_path / "nope.cxt"), 2, "nope.cxt")
    _refused(command("ontology", "lattice", tmp_path / "ok.csv", "--svg", tmp_path), 1)
    shown = command("ontology", "show", cycle)
    assert shown.code == 0 and "a cycle of subclasses was made equivalent" in shown.err
    _refused(command("demo", "--out", tmp_path / "a-file"), 2, "is a file")
    _refused(command("weights", "haiyan", *where), 2, "names no ontology")


def test_a_damaged_journal_does_not_hide_the_other_runs(command: Command, space: Workspace, crawled: str) -> None:
    folder = space.run("damaged")
    folder.mkdir(parents=True)
    (folder / "journal.sqlite").write_bytes(b"junk and nothing but junk, several times over" * 20)
    try:
        listed = command("crawl", "status", "--workspace", space.root, "--json")
        assert listed.code == 0 and crawled in {run["run"] for run in listed.json["runs"]} and "damaged" in listed.err
        _refused(command("crawl", "status", "damaged", "--workspace", space.root), 1, "damaged")
    finally:
        (folder / "journal.sqlite").unlink()


@pytest.mark.slow
def test_a_run_is_crawled_by_one_process(command: Command, space: Workspace, crawled: str) -> None:
    lock = FileLock(space.run(crawled) / "journal.lock")
    assert lock.try_acquire()
    try:
        answer = command("crawl", "resume", crawled, "--limit-pages", "130", "--workspace", space.root)
        _refused(answer, 1, "another process")
    finally:
        lock.release()


def test_query_show_can_be_pasted(command: Command) -> None:
    for query in queries.all_queries():
        assert command("query", "show", query.name).out.rstrip("\n") == query.text.rstrip("\n")


@pytest.mark.slow
def test_commands_that_start_together_on_a_new_workspace(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "ontocrawl", "graph", "status", "--workspace", str(tmp_path / "new"), "--json"]
    started = [subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    answers = [process.communicate() for process in started]
    embedded.stop(tmp_path / "new" / "graph")
    assert [process.returncode for process in started] == [0, 0, 0, 0], [err for _, err in answers]


@pytest.mark.slow
def test_the_graph_says_what_it_would_migrate_and_shows_its_statements(command: Command, space: Workspace) -> None:
    assert command("graph", "load", "typhoon", "--workspace", space.root, "--json").code == 0
    plan = command("graph", "migrate", "--dry-run", "--workspace", space.root, "--json").json
    assert plan["schema"] == [] and plan["status"]["current"]
    traced = command("--trace", "graph", "status", "--workspace", space.root)
    assert traced.code == 0 and "MATCH (n:Ontology) RETURN count(n) AS n" in traced.err
    assert "MATCH (n:Ontology)" not in command("graph", "status", "--workspace", space.root).err


@pytest.mark.slow
def test_an_ontology_leaves_the_graph(command: Command, space: Workspace) -> None:
    assert command("graph", "load", "typhoon", "--workspace", space.root).code == 0
    removed = command("graph", "remove", "typhoon", "--workspace", space.root, "--json").json["removed"]
    assert removed[0]["members"] > 10 and removed[0]["relations"] > 10
    again = command("graph", "remove", "typhoon", "--workspace", space.root)
    assert again.code == 2 and "the graph has no ontology" in again.err

"""`graph check`: each fault is named with a way back, and following it leads to a healthy graph that equals the first.

The faults that both engines can have are made on both; those of files on the embedded engine.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kg import schema
from kg.bolt import BoltStore
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.graph import graph_store
from tests.conftest import ENGINES, empty
from tests.ontocrawl import flood_ontology
from tests.ontocrawl.conftest import Command

posix = pytest.mark.skipif(os.name == "nt", reason="the way back has mv")
WEB = "synthetic:planted?pages=200&seed=0"
TOPIC_FILE = """
name = "flood"
label = {zh = "洪水", en = "flood"}
ontologies = ["flood.ttl"]
words = [{weight = 1.0, zh = ["洪水", "暴雨"]}, {weight = 0.5, zh = ["灾害"]}]
"""
CONTEXT = """\
B

2
3

p1
p2
洪水
山洪
台风
XX.
X.X
"""
RUNS = {"first": "fcosa_g", "second": "breadth_first"}
DATABASE = Path("graph") / "data" / "databases" / "g"


@dataclass(frozen=True)
class Place:
    """A workspace with a whole graph, and what that graph holds."""

    space: Workspace
    command: Command
    whole: bytes

    def run(self, *arguments: str) -> Any:
        """The JSON of a command that succeeds."""
        answer = self.command(*arguments, "--workspace", self.space.root, "--json")
        assert answer.code == 0, answer.err
        return answer.json

    def check(self, code: int = 3) -> list[dict[str, str]]:
        """The problems that `graph check` names."""
        answer = self.command("graph", "check", "--workspace", self.space.root, "--json")
        assert answer.code == code, (answer.out, answer.err)
        assert answer.json["ok"] is (code == 0) is not bool(answer.json["problems"])
        problems: list[dict[str, str]] = answer.json["problems"]
        assert all(problem["what"] and problem["mend"] for problem in problems)
        return problems

    def remarks(self) -> list[str]:
        answer = self.run("graph", "check")
        return [remark["what"] for remark in answer["remarks"]]

    def follow(self, mend: str) -> None:
        """Type the commands of a way back."""
        for line in mend.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["ontocrawl"]:
                answer = self.command(*words[1:])
                assert answer.code == 0, (line, answer.err)
            elif words:
                subprocess.run(words, check=True)

    def mended(self, problems: list[dict[str, str]], number: int = 0) -> None:
        """Follow the way back of a problem; the graph is then healthy and holds what it held."""
        self.follow(problems[number]["mend"])
        assert self.check(0) == []
        assert self.content() == self.whole

    def content(self) -> bytes:
        out = self.space.root / "graph.nt"
        self.run("graph", "export", "--out", str(out))
        return out.read_bytes()

    def write(self, statement: str) -> None:
        with graph_store.store(self.space) as graph:
            graph.write(f"{statement} RETURN count(*) AS n")

    def schema(self, statement: str) -> None:
        with graph_store.store(self.space) as graph:
            graph.schema(statement)

    def stop(self) -> None:
        embedded.stop(self.space.graph)


@pytest.fixture(scope="module")
def topic(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a topic with a learned ontology, two papers and their lattice."""
    folder = flood_ontology.written(tmp_path_factory.mktemp("topic") / "learned")
    (folder / "flood.toml").write_text(TOPIC_FILE, encoding="utf-8")
    (folder / "context.cxt").write_text(CONTEXT, encoding="utf-8")
    return str(folder / "flood.toml")


@pytest.fixture(scope="module")
def made(topic: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace with two runs of one topic, all in its graph."""
    space = workspace.init(tmp_path_factory.mktemp("made") / "ws")
    where = ["--workspace", str(space.root)]
    with embedded.open_embedded(space.graph):  # its engine keeps running from test to test
        assert invoke(["graph", "load", topic, *where]) == 0
        for name, strategy in RUNS.items():
            words = ["--strategy", strategy, "--world", WEB, "--limit-pages", "20", "--topic", topic]
            assert invoke(["crawl", "run", *words, "--run", name, *where]) == 0
        assert invoke(["weights", topic, *where]) == 0
        yield space
    embedded.stop(space.graph)


@pytest.fixture(scope="module")
def whole(made: Workspace, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What its graph holds."""
    out = tmp_path_factory.mktemp("whole") / "graph.nt"
    assert invoke(["graph", "export", "--out", str(out), "--workspace", str(made.root)]) == 0
    return out.read_bytes()


@pytest.fixture(params=ENGINES)
def place(
    request: pytest.FixtureRequest, made: Workspace, whole: bytes, topic: str, tmp_path: Path, command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Place]:  # fmt: skip
    """The workspace, with its graph on each engine. A test leaves the graph as it was."""
    if request.param == "neo4j":
        server: BoltStore = request.getfixturevalue("neo4j_engine")
        for name, value in zip(("URI", "USERNAME", "PASSWORD"), (server.uri, *(server._auth or ())), strict=True):
            monkeypatch.setenv(f"NEO4J_{name}", value)
    space, _ = workspace.find(made.root)
    shutil.copytree(space.runs, tmp_path / "runs")
    found = Place(space, command, whole)
    if found.content() != whole:  # a new server, or a test that failed
        with graph_store.store(space) as graph:
            schema.apply(empty(graph), compare=True)  # type: ignore[arg-type]
        for words in (["graph", "load", topic], ["graph", "rebuild"], ["weights", topic]):
            assert command(*words, "--workspace", space.root).code == 0
    yield found
    shutil.rmtree(space.runs)
    shutil.copytree(tmp_path / "runs", space.runs)


@pytest.fixture(scope="module")
def ended(made: Workspace, topic: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the workspace with a graph of its own, whose engine has ended."""
    root = tmp_path_factory.mktemp("ended") / "ws"
    shutil.copytree(made.root, root, ignore=shutil.ignore_patterns("graph"))
    for words in (["graph", "load", topic], ["graph", "rebuild"], ["weights", topic]):
        assert invoke([*words, "--workspace", str(root)]) == 0
    embedded.stop(root / "graph")
    return root


@pytest.fixture
def own(ended: Path, whole: bytes, tmp_path: Path, command: Command) -> Iterator[Place]:
    """A copy of the workspace with an embedded engine of its own, which does not run."""
    space, _ = workspace.find(shutil.copytree(ended, tmp_path / "ws"))
    found = Place(space, command, whole)
    yield found
    found.stop()


def kinds(problems: list[dict[str, str]]) -> set[str]:
    return {problem["kind"] for problem in problems}


@pytest.mark.slow
def test_a_whole_graph_is_healthy(place: Place) -> None:
    assert place.check(0) == []
    answer = place.run("graph", "check")
    counts = place.run("graph", "status")["counts"]
    assert answer["remarks"] == []
    assert (answer["counts"]["Page"], answer["counts"]["LINKS_TO"]) == (counts["pages"], counts["links"])
    shown = place.command("graph", "check", "--workspace", place.space.root)
    assert shown.code == 0 and "healthy" in shown.err


# ---- keys and indexes


@pytest.mark.slow
def test_dropped_keys_and_indexes_are_named_and_made_again(place: Place) -> None:
    for statement in ("DROP CONSTRAINT page_url", "DROP INDEX concept_label_zh"):
        place.schema(statement)
    problems = place.check()
    assert kinds(problems) == {"keys"}
    assert "n.url IS UNIQUE" in problems[0]["what"] and "(n.label_zh)" in problems[0]["what"]
    status = place.command("graph", "status", "--workspace", place.space.root)
    assert status.code == 1 and "keys or indexes are missing" in status.err
    planned = place.run("graph", "migrate", "--dry-run")["schema"]
    assert len(planned) == 2
    place.mended(problems)
    with graph_store.store(place.space) as graph:
        assert schema.lacking(graph) == ()


@pytest.mark.slow
@pytest.mark.parametrize("label", ["Page", "Concept", "Document"])
def test_nodes_that_share_a_key_are_named_and_written_again(place: Place, label: str) -> None:
    key = schema.KEYS[label]
    place.schema(f"DROP CONSTRAINT {label.lower()}_{key}")
    place.write(f"MATCH (n:{label}) WITH n.{key} AS key ORDER BY key LIMIT 2 CREATE (:{label} {{{key}: key}})")
    problems = place.check()
    assert [problem["kind"] for problem in problems][:2] == ["doubled_nodes", "keys"]
    refused = place.command("graph", "migrate", "--workspace", place.space.root)
    assert refused.code == 1 and "graph check" in refused.err
    place.mended(problems)


@pytest.mark.slow
def test_a_relationship_that_is_there_twice(place: Place) -> None:
    place.write(
        "MATCH (a:Page)-[r:LINKS_TO]->(b:Page) WITH a, b, r ORDER BY a.url, b.url, r.crawl LIMIT 1 "
        "CREATE (a)-[:LINKS_TO {crawl: r.crawl, anchor: r.anchor, relevance: 0.5}]->(b)"
    )
    problems = place.check()
    assert "doubled_relationships" in kinds(problems)
    place.mended(problems)


@pytest.mark.slow
def test_relationships_of_no_crawl(place: Place) -> None:
    place.write("MATCH (a:Page) WITH a ORDER BY a.url LIMIT 1 CREATE (a)-[:LINKS_TO {crawl: 'gone'}]->(a)")
    place.write("MATCH (a:Concept) WITH a ORDER BY a.iri LIMIT 1 CREATE (a)-[:CAUSES {ontology: 'x:gone'}]->(a)")
    problems = place.check()
    assert [problem["kind"] for problem in problems] == ["ownerless", "ownerless"]
    place.follow(problems[1]["mend"])
    place.mended(problems)


# ---- versions


@pytest.mark.slow
def test_a_graph_of_an_older_and_of_a_newer_version(place: Place) -> None:
    place.write("MATCH (s:GraphSchema) SET s.version = 99")
    (problem,) = place.check()
    assert problem["kind"] == "newer" and "schema version 99" in problem["what"] and "--upgrade" in problem["mend"]
    with graph_store.store(place.space, migrate=False) as graph:
        graph.write("MATCH (s:GraphSchema) SET s.version = 1, s.digest = 'old' RETURN 1 AS one")
    problems = place.check()
    assert kinds(problems) == {"schema"}
    place.mended(problems)


@pytest.mark.slow
def test_data_of_a_newer_engine(own: Place) -> None:
    marker = own.space.graph / "engine.json"
    marker.write_text(json.dumps({**json.loads(marker.read_text()), "version": "99.1"}))
    (problem,) = own.check()
    assert problem["kind"] == "newer" and "engine 99.1" in problem["what"]


# ---- runs and topics


@pytest.mark.slow
def test_runs_that_the_graph_lacks_or_has_in_part(place: Place) -> None:
    assert place.command("crawl", "remove", "first", "--workspace", place.space.root).code == 0
    place.write("MATCH (:Crawl {id: 'second'})-[f:FETCHED]->(p:Page) WITH f ORDER BY f.step DESC LIMIT 3 DELETE f")
    problems = place.check()
    said = [problem["what"] for problem in problems]
    assert said[0] == "run first (20 fetches) is not in the graph"
    assert said[1].startswith("run second is not whole in the graph: 17 FETCHED of 20")
    place.follow(problems[0]["mend"])
    place.mended(problems, 1)


@pytest.mark.slow
def test_a_projection_that_was_interrupted(place: Place) -> None:
    place.write("MATCH (c:Crawl {id: 'first'}) SET c.complete = false")
    problems = place.check()
    assert "its writing was interrupted" in problems[0]["what"]
    place.mended(problems)


@pytest.mark.slow
def test_figures_of_links_that_are_not_stored(place: Place) -> None:
    place.write("MATCH (c:Crawl {id: 'first'}) SET c.link_figures = 0")
    problems = place.check()
    assert "link" in problems[0]["what"] and "'first'" not in problems[0]["what"] and "run first" in problems[0]["what"]
    place.mended(problems)


@pytest.mark.slow
def test_crawls_of_no_run_and_runs_that_stay_out_are_remarks(place: Place) -> None:
    shutil.rmtree(place.space.run("second"))
    place.command(
        "crawl", "run", "--world", WEB, "--limit-pages", "10", "--strategy",
        "breadth_first", "--no-graph", "--run", "third", "--workspace", place.space.root,
    )  # fmt: skip
    assert place.check(0) == []
    said = " ".join(place.remarks())
    assert "crawl second is of no run" in said and "run third (10 fetches) is not in the graph" in said


@pytest.mark.slow
def test_an_ontology_that_was_edited_or_lost_a_relation_is_a_remark(place: Place) -> None:
    place.write("MATCH (:Concept)-[r:SUBCLASS_OF]->(:Concept) WITH r LIMIT 1 DELETE r")
    assert place.check(0) == []
    (remark,) = place.run("graph", "check")["remarks"]
    assert "it was edited in the graph, or lost some" in remark["what"]
    place.follow(remark["mend"])
    assert place.remarks() == []
    assert place.content() == place.whole


# ---- engines and files


@pytest.mark.slow
def test_a_server_that_does_not_answer(made: Workspace, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    answer = command("graph", "check", "--workspace", made.root, "--json")
    assert answer.code == 4
    (problem,) = answer.json["problems"]
    assert problem["kind"] == "unreachable" and "start the graph server at bolt://127.0.0.1:9" in problem["mend"]


@pytest.mark.slow
def test_a_folder_of_something_else(own: Place) -> None:
    shutil.rmtree(own.space.graph)
    own.space.graph.mkdir()
    (own.space.graph / "thesis.docx").write_text("years of work")
    problems = own.check()
    assert "is not a graph folder of ontocrawl" in problems[0]["what"]
    own.mended(problems)
    assert (own.space.root / "graph.damaged" / "thesis.docx").read_text() == "years of work"


def overwritten(file: Path) -> None:
    """Write 64 other bytes into a file, in the middle of what it uses."""
    content = bytearray(file.read_bytes())
    used = len(bytes(content).rstrip(b"\0"))
    at = max(0, used // 2 - 32)
    content[at : at + 64] = bytes(byte ^ 0xA5 for byte in content[at : at + 64])
    file.write_bytes(content)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1_000])


def gone(file: Path) -> None:
    file.unlink()


FAULTS: dict[str, Callable[[Path], None]] = {"overwritten": overwritten, "cut": cut, "gone": gone}


def damaged(own: Place, pattern: str, fault: str) -> list[dict[str, str]]:
    """Damage a file of the engine; every command says so. Returns the problems."""
    file = max((own.space.root / DATABASE).glob(pattern), key=lambda path: path.stat().st_size)
    FAULTS[fault](file)
    for words in (["graph", "status"], ["doctor"], ["query", "run", "pages/most_relevant"]):
        answer = own.command(*words, "--workspace", own.space.root)
        assert answer.code == 1 and "is damaged" in answer.out + answer.err, words
    problems = own.check()
    assert kinds(problems) == {"files"}
    return problems


@pytest.mark.slow
@posix
def test_a_file_that_was_overwritten(own: Place) -> None:
    own.mended(damaged(own, "LINKS_TO*.bucket", "overwritten"))


@posix
@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("pattern", ["Page_*_out_edges*.bucket", "Page_0_*.umtidx", "schema.json", "dictionary*"])
def test_files_that_were_damaged(own: Place, pattern: str, fault: str) -> None:
    own.mended(damaged(own, pattern, fault))


@pytest.mark.slow
@posix
def test_an_inventory_that_cannot_be_read(own: Place) -> None:
    (own.space.graph / "inventory.json").write_text("?")
    problems = own.check()
    assert kinds(problems) == {"files"} and "inventory.json cannot be read" in problems[0]["what"]
    own.mended(problems)

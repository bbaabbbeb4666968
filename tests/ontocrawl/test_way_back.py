"""A lost graph comes back: what `graph check` prints is typed, and each element of the graph is compared with before.

The workspace is made by the commands that write: builds with several versions, edits, proposals with verdicts, a
rollback, joined topics, lists of words, a scored archive. It is a copy that came of a backup.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kg import schema
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.interchange.elements import LABELS, OWNER
from kg.schema import KEYS, RELATIONSHIPS
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.topics import graph_record, proposed
from ontocrawl.topics.graph_record import Entry
from ontocrawl.topics.reviewed import ReviewedError
from ontology.enrichment import PageSentence, Proposal
from tests.conftest import ENGINES, empty
from tests.ontocrawl import flood_ontology
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_graph_check import CONTEXT, TOPIC_FILE

SAMPLE = Path(__file__).resolve().parents[2] / "ontocrawl" / "sample" / "abstracts.txt"
WEB = ("--world", "synthetic:planted?pages=400&seed=0", "--limit-pages", "40")
BY_HAND = "MATCH (c:Crawl {id: 'one'}) SET c.note = 'mine' RETURN c.id AS id"
Elements = dict[tuple[str, ...], Mapping[str, Any]]
Lose = Callable[[Workspace], None]


@pytest.fixture(params=ENGINES)
def lose(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lose]:
    """Lose the graph of a workspace, on each engine."""
    if request.param == "embedded":
        yield _without_folder
        return
    server: BoltStore = request.getfixturevalue("neo4j_engine")
    for name, value in zip(("URI", "USERNAME", "PASSWORD"), (server.uri, *(server._auth or ())), strict=True):
        monkeypatch.setenv(f"NEO4J_{name}", value)
    schema.apply(empty(server), compare=True)
    yield lambda _: schema.apply(empty(server), compare=True)
    empty(server)


def _without_folder(space: Workspace) -> None:
    embedded.stop(space.graph)
    shutil.rmtree(space.graph)


def elements(space: Workspace) -> Elements:
    """Return the nodes by label and key, and the relationships by type, ends and owner, with their properties."""
    found: Elements = {}
    with graph_store.store(space) as graph:
        for label in LABELS:
            for row in graph.read(f"MATCH (n:{label}) RETURN n.{KEYS[label]} AS key, properties(n) AS props"):
                found[label, row["key"]] = row["props"]
        for kind, (source, target) in RELATIONSHIPS.items():
            rows = graph.read(
                f"MATCH (a:{source})-[r:{kind}]->(b:{target}) RETURN a.{KEYS[source]} AS source, "
                f"b.{KEYS[target]} AS target, properties(r) AS props"
            )
            for row in rows:
                owner = str(row["props"].get(OWNER.get(kind, ""), ""))
                assert (kind, row["source"], row["target"], owner) not in found
                found[kind, row["source"], row["target"], owner] = row["props"]
    return found


def made(command: Command, space: Workspace, elsewhere: Path) -> None:
    """Make a workspace by the commands that write."""

    def run(*words: str | Path) -> Any:
        answer = command(*words, "--workspace", space.root, "--json")
        assert answer.code == 0, (words, answer.err)
        return json.loads(answer.out)

    def crawled(name: str, topic: str | Path, *options: str | Path) -> None:
        by = () if "--strategy" in options else ("--strategy", "fcosa_lg")
        run("crawl", "run", "--topic", topic, *WEB, *by, "--run", name, *options)

    learned = space.ontologies / "learned"
    build = ("ontology", "build", "--topic", "rainstorm", "--min-documents", "2", "--out", learned)
    run(*build, "--corpus", SAMPLE)
    run("graph", "load", "rainstorm")
    crawled("one", "rainstorm")
    proposals = run("enrich", "propose", "one", "--limit", "12")["proposals"]
    for number, one in enumerate(proposals[:6]):
        verdict = ("reject",) if number % 3 == 2 else ("accept",) if one["under"] else ("accept", "--parent", "灾害")
        run("enrich", "decide", one["id"], *verdict)
    run("enrich", "apply", "--topic", "rainstorm")
    crawled("two", "rainstorm")
    run("enrich", "propose", "two", "--limit", "5")
    run("enrich", "propose", "one", "--limit", "6")  # what was accepted is left without a crawl that makes it
    words = learned / "words.tsv"
    words.write_text(words.read_text("utf-8") + "雨情通报\t0.2\t雨情通报\t\t0\t0\t\t0\tgiven\n", "utf-8")
    run("ontology", "decide", "rainstorm", "rename", "台风", "台风灾害")
    records = SAMPLE.read_text("utf-8").split("SrcDatabase-")
    (elsewhere / "half.txt").write_text("SrcDatabase-".join(records[: len(records) // 2]), "utf-8")
    run(*build, "--corpus", elsewhere / "half.txt")
    run("weights", "rainstorm", "--weights", "sem_key")
    crawled("three", "rainstorm", "--warc", space.root / "warc")
    run("ontology", "rollback", "rainstorm", "0.2.0")
    flood = flood_ontology.written(space.ontologies / "flood-files")
    (flood / "flood.toml").write_text(TOPIC_FILE, "utf-8")
    (flood / "context.cxt").write_text(CONTEXT, "utf-8")
    crawled("four", flood / "flood.toml", "--strategy", "breadth_first")
    both = TOPIC_FILE.replace('name = "flood"', 'name = "both"').replace(
        '["flood.ttl"]', '["flood.ttl", "../learned/rainstorm.ttl"]'
    )
    (flood / "both.toml").write_text(both, "utf-8")
    run("graph", "load", flood / "both.toml")
    run("archive", "score", space.root / "warc", "--topic", "rainstorm", "--out", space.root / "tables", "--jobs", "1")
    run("archive", "load", space.root / "tables", "--run", "scored")
    run("enrich", "propose", "scored", "--limit", "4")
    run("query", "cypher", BY_HAND, "--write")


def typed(command: Command, check: str) -> list[str]:
    """Type the commands that `graph check` printed, in their order; return them."""
    lines = [
        line.strip() for line in check.splitlines() if line.startswith("  ") and line.strip().startswith("ontocrawl")
    ]
    for line in lines:
        answer = command(*shlex.split(line)[1:])
        assert answer.code == 0, (line, answer.err)
    return lines


def test_the_record_has_one_entry_for_each_thing(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    first = Entry("topic", "ontologies/learned/flood.toml", ("a/1", "a/2"), ("1+x",), whole=True, topic="flood")
    second = Entry("topic", "rain", ("b",), ("2",), mappings=("m.tsv",), topic="rain")
    for entry in (
        first,
        second,
        replace(first, weights="key", whole=False),
        replace(second, weights="", mappings=None),
    ):
        graph_record.note(space, entry, entry)
    assert graph_record.read(space) == (replace(first, weights="key"), replace(second, weights=""))
    lines = (space.ontologies / graph_record.FILE).read_text("utf-8").splitlines()
    graph_record.note(space, first, second)
    assert len(lines) == 4 == len((space.ontologies / graph_record.FILE).read_text("utf-8").splitlines())
    graph_record.note(space, Entry("removed", keys=("a/1", "b")))
    (left,) = graph_record.read(space)
    assert left.keys == ("a/2",) and left.weights == "key"
    with (space.ontologies / graph_record.FILE).open("a", encoding="utf-8") as file:
        file.write("[1]\n")
    with pytest.raises(graph_record.RecordError, match=r"graph\.jsonl, line 6: .*remove the line"):
        graph_record.read(space)
    graph_record.note(Workspace(tmp_path / "none", space.settings), first)
    assert not (tmp_path / "none").exists()


def test_proposals_are_read_as_they_were_written(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    sentence = PageSentence("内涝点地图", "http://a.example/", 0, 3, "2026-01-01", "one")
    rows = [
        Proposal("concept", term, "subclass_of", None, None, 1.5, 2, (sentence,), rule=None, of_pages=9)
        for term in ("内涝点", "Storm Surge")
    ]
    proposed.write(space, "flood", "one", "a/1", rows)
    proposed.write(space, "flood", "two", "a/1", rows[:1])
    assert [(p.crawl, p.ontology, p.proposals) for p in proposed.read(space)] == [
        ("one", "a/1", tuple(rows)), ("two", "a/1", tuple(rows[:1])),
    ]  # fmt: skip
    proposed.forget(space, "flood", ["flood/内涝点"])
    assert [p.proposals for p in proposed.read(space, "flood")] == [tuple(rows[1:]), ()]
    proposed.path_of(space, "flood", "one").write_text('{"ontology": "a"}\n{"kind": 1}\n', "utf-8")
    with pytest.raises(ReviewedError, match=r"one\.jsonl, line 2: .*enrich propose one"):
        list(proposed.read(space))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_lost_graph_comes_back(command: Command, lose: Lose, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = workspace.init(tmp_path / "first")
    (tmp_path / "elsewhere").mkdir()
    made(command, first, tmp_path / "elsewhere")
    saved = ("--also", "tables", "--also", "warc", "--workspace", first.root)
    assert command("backup", tmp_path / "saved.zip", *saved).code == 0
    whole = elements(first)
    embedded.stop(first.graph)
    shutil.move(first.root, tmp_path / "away")
    restored = command("restore", tmp_path / "saved.zip", tmp_path / "second")
    assert restored.code == 0, restored.err
    space, _ = workspace.find(tmp_path / "second")
    monkeypatch.setenv("COLUMNS", "200")
    if not os.environ.get("NEO4J_URI"):
        assert elements(space) == whole
    lose(space)
    checked = command("graph", "check", "--workspace", space.root)
    assert checked.code == 3 and f"is not repeated: {BY_HAND}" in checked.err.replace("\n", " ")
    typed(command, checked.out)
    again = command("graph", "check", "--workspace", space.root)
    found = elements(space)
    assert again.code == 0, again.out
    assert "note" in whole["Crawl", "one"] and "note" not in found["Crawl", "one"]  # the statement, as was said
    whole["Crawl", "one"] = {k: v for k, v in whole["Crawl", "one"].items() if k != "note"}
    supported = {("Proposal", key[2]) for key in whole if key[0] == "PROPOSES"}
    for key in [key for key in whole if key[0] == "Proposal" and key not in supported]:  # as in reviewed.jsonl
        whole[key] = {k: v for k, v in whole[key].items() if k != "ontology"}
    assert {key[0] for key in whole} >= {"Sentence", "Proposal", "FormalConcept", "HAS_WORD", "UNDER", "MENTIONS"}
    assert sorted(whole.keys() - found.keys()) == [] and sorted(found.keys() - whole.keys()) == []
    changed = [(key, whole[key], found[key]) for key in whole if whole[key] != found[key]]
    assert not changed, changed[:3]
    embedded.stop(space.graph)

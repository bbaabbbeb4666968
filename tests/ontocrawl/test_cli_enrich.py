"""`ontocrawl enrich propose`, `list` and `decide`, and their Python functions, on a crawl of the synthetic web."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ontocrawl
from kg import enrich as enrich_nodes
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import enrich as cli_enrich
from ontocrawl.cli import output
from ontocrawl.enrichment import proposals
from ontocrawl.errors import UsageError
from ontocrawl.topics import reviewed
from ontocrawl.versions import deciding
from ontology.decisions import table
from tests.ontocrawl.conftest import Command, CommandResult
from tests.ontocrawl.enrichment.review_samples import concept

TODAY = {"id", "term", "kind", "score", "pages", "under", "under_label", "page", "sentence", "status"}
"""Keys that scripts of earlier versions read."""
NEW = {"parent", "reason", "rule", "relation", "sentences", "crawls"}
Enrich = Any


@pytest.fixture
def enrich(command: Command, space: Workspace) -> Enrich:
    """Run `ontocrawl enrich ARGUMENTS` in the session's workspace."""
    return lambda *words: command("enrich", *words, "--workspace", space.root)


def proposed(enrich: Enrich, run: str, *more: str) -> Any:
    answer = enrich("propose", run, *more, "--json")
    assert answer.code == 0, answer.err
    return answer.json


def refused(answer: CommandResult, *words: str) -> None:
    assert answer.code == 2 and "Traceback" not in answer.err, answer
    sentence = " ".join(answer.err.split())
    assert all(word in sentence for word in words), answer.err


def test_proposals_are_told_in_chinese(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for reason, told in (("ends with 滑坡", "以“滑坡”结尾"), ("2 pages say so: X is a Y", "2 个网页这样说")):
        row = cli_enrich._row(replace(concept(target="", label=""), reason=reason))
        monkeypatch.setattr(output, "language", "zh")
        monkeypatch.setenv("COLUMNS", "200")
        output.print_part(output.tabled("", cli_enrich._COLUMNS, [row]))
        shown = capsys.readouterr().out
        assert told in shown and "未归类" in shown and "概念" in shown
        assert row[2:4] == ("unplaced", reason), "as JSON and CSV have them"


def test_a_proposal_that_no_crawl_makes_any_more_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = workspace.init(tmp_path / "ws")
    graph: Any = SimpleNamespace()
    kept = replace(concept("海绵城市"), id="rainstorm/1")
    monkeypatch.setattr(enrich_nodes, "all_ids", lambda graph: ["rainstorm/1", "rainstorm/2"])
    monkeypatch.setattr(enrich_nodes, "read_proposals", lambda graph, topic, crawl="": [kept])
    for given in ("1", "rainstorm/1"):
        assert proposals.get(space, graph, given) == kept
    for given in ("2", "rainstorm/2"):
        with pytest.raises(UsageError, match=f"there is no proposal '{given}'.*Choices: rainstorm/1$"):
            proposals.get(space, graph, given)


@pytest.mark.slow
def test_the_life_of_a_proposal(enrich: Enrich, command: Command, space: Workspace, crawled: str) -> None:
    found = proposed(enrich, crawled, "--limit", "8")
    first = found["proposals"][0]
    assert found["topic"] == "rainstorm" and len(found["proposals"]) == 8 and found["rejected_before"] == 0
    assert set(first) >= TODAY | NEW and set(first["sentences"][0]) >= {"text", "url", "start", "end"}
    assert first["id"].startswith("rainstorm/") and list(first["crawls"]) == [crawled]
    assert proposed(enrich, crawled, "--limit", "8") == found  # a second time adds nothing
    name = ("--workspace", space.root)
    rows = command("query", "run", "enrichment/proposals", f"crawl={crawled}", *name, "--json").json["rows"]
    assert [row[0] for row in rows] == [p["id"] for p in found["proposals"]]

    own = first["id"].partition("/")[2]  # the topic may be left out
    rejected = enrich("decide", own, "reject", "--why", "too general", "--who", "张三", "--json").json
    assert (rejected["status"], rejected["added"], rejected["decisions"][0]["who"]) == ("rejected", True, "张三")
    again = enrich("decide", first["id"], "reject")
    assert again.code == 0 and "is rejected already; nothing was added" in " ".join(again.err.split())
    after = proposed(enrich, crawled, "--limit", "8")
    assert first["id"] not in {p["id"] for p in after["proposals"]}
    assert (after["rejected_before"], after["accepted_before"], len(after["proposals"])) == (1, 0, 8)

    listed = enrich("list", "rainstorm", "--status", "rejected", "--json").json["proposals"]
    assert [(p["id"], p["status"], list(p["crawls"])) for p in listed] == [(first["id"], "rejected", [crawled])]
    assert len(enrich("list", "rainstorm", "--status", "all", "--run", crawled, "--json").json["proposals"]) == 9
    assert enrich("list", "rainstorm", "--kind", "relation", "--status", "rejected", "--json").json["proposals"] == []

    undone = enrich("decide", own, "--undo", "--json").json
    assert (undone["status"], undone["decisions"][0]["action"]) == ("proposed", "withdraw")
    assert enrich("decide", own, "accept", "--parent", "洪水", "--json").json["status"] == "accepted"
    assert proposed(enrich, crawled, "--limit", "8")["accepted_before"] == 1
    enrich("decide", own, "--undo")


@pytest.mark.slow
def test_a_graph_that_is_filled_again_has_the_verdicts(
    enrich: Enrich, command: Command, space: Workspace, crawled: str
) -> None:
    first, second, *_ = (p["id"] for p in proposed(enrich, crawled, "--limit", "5")["proposals"])
    enrich("decide", first, "reject")
    where = ("--workspace", space.root)
    assert command("crawl", "remove", crawled, *where).code == 0
    left = enrich("list", "rainstorm", "--status", "all", "--json").json["proposals"]
    assert [(p["id"], p["status"]) for p in left if not p["crawls"]] == [(first, "rejected")]
    assert all(crawled not in p["crawls"] for p in left)  # other files of tests may have proposed, too
    command("query", "cypher", "MATCH (q:Proposal) DETACH DELETE q RETURN count(*) AS n", "--write", *where)
    assert command("graph", "rebuild", crawled, *where).code == 0
    found = proposed(enrich, crawled, "--limit", "5")
    assert found["rejected_before"] == 1 and found["proposals"][0]["id"] == second
    counts = command("query", "run", "enrichment/by_status", *where, "--json").json
    assert {row[2] for row in counts["rows"]} == {"proposed", "rejected"}
    enrich("decide", first, "--undo")


@pytest.mark.slow
def test_a_smaller_search_tells_the_proposals_that_it_replaces(enrich: Enrich, crawled: str) -> None:
    assert "earlier proposal" not in enrich("propose", crawled, "--limit", "8").err
    told = " ".join(enrich("propose", crawled, "--limit", "3").err.split())
    assert f"5 earlier proposals of {crawled} not among the best 3, which are kept (--limit N), and made no" in told
    assert "earlier proposal" not in enrich("propose", crawled, "--limit", "5").err


@pytest.mark.slow
def test_tables_fit_a_terminal(enrich: Enrich, crawled: str) -> None:
    answer = enrich("propose", crawled, "--limit", "5")
    listed = enrich("list", "rainstorm")
    for one in (answer, listed):
        lines = one.out.splitlines()
        assert one.code == 0 and lines
        assert max(sum(2 if ord(c) > 0x2E80 else 1 for c in line) for line in lines) <= 80
    assert "searching" in answer.err and "ontocrawl enrich review rainstorm" in answer.err


@pytest.mark.slow
def test_bad_input(enrich: Enrich, crawled: str) -> None:
    first = proposed(enrich, crawled, "--limit", "5")["proposals"][0]["id"]
    refused(enrich("decide", first[:-1] + "x", "accept"), "there is no proposal", f"did you mean '{first}'?")
    refused(enrich("decide", first, "maybe"), "expected accept or reject, or --undo")
    refused(enrich("decide", first, "reject", "--parent", "洪水"), "--rename, --parent or both", "--merge")
    refused(enrich("decide", first, "accept", "--merge", "洪氺"), "Did you mean 洪涝?", "ontology show rainstorm")
    refused(enrich("decide", first, "accept", "--rename", "洪水"), "--merge 洪水")
    refused(enrich("decide", first, "--undo"), "nothing to undo")
    refused(enrich("list", "rainstorm", "--status", "open"), "--status 'open' is none of proposed, accepted, rejected")
    refused(enrich("list", "rainstorm", "--kind", "class"), "concept, label, relation")
    refused(enrich("list", "rainstorm", "--run", "none"), "there is no run 'none'")
    refused(enrich("list", "none"), "there is no topic 'none'")
    refused(enrich("propose", "none"), "there is no run 'none'")


def test_a_damaged_record_is_named(enrich: Enrich, space: Workspace, crawled: str) -> None:
    path = reviewed.path_of(space, "rainstorm")
    before = path.read_bytes() if path.exists() else b""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(before + b"{}\n")
    try:
        answer = enrich("propose", crawled)
        assert answer.code != 0 and "this is no verdict" in answer.err and "Traceback" not in answer.err
    finally:
        path.write_bytes(before)


@pytest.mark.slow
def test_from_python(space: Workspace, crawled: str, enrich: Enrich) -> None:
    table_of_proposals = ontocrawl.propose(crawled, limit=5, workspace=space.root)
    ids = [row[table_of_proposals.columns.index("id")] for row in table_of_proposals.rows]
    assert len(ids) == 5 and "under_label" in table_of_proposals.columns
    made = ontocrawl.decide(ids[0], "accept", parent="洪水", who="李四", workspace=space.root)
    assert made.title == f"{ids[0]}: accepted"
    assert made.rows[0][made.columns.index("value")] == "洪水"
    topic = ontocrawl.Topic("rainstorm", space.root)
    accepted = ontocrawl.proposals(topic, status="accepted")
    assert [row[accepted.columns.index("id")] for row in accepted.rows] == [ids[0]]
    withdrawn = ontocrawl.decide(ids[0], undo=True, workspace=space.root)
    assert withdrawn.rows[0][1] == "withdraw"
    assert table.read(deciding.of_workspace(space, "rainstorm"))
    with pytest.raises(ontocrawl.exceptions.UsageError, match="expected accept or reject, or undo=True"):
        ontocrawl.decide(ids[0], workspace=space.root)
    with pytest.raises(ontocrawl.exceptions.UsageError, match="status='open'"):
        ontocrawl.proposals(topic, status="open")
    with pytest.raises(ontocrawl.exceptions.WrongTypeError, match="topic: expected"):
        ontocrawl.proposals(7, workspace=space.root)  # type: ignore[arg-type]

"""`ontocrawl query`: listing, running with parameters and formats, and the console for statements of one's own."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import queries
from ontocrawl.base.workspace import Workspace
from tests.ontocrawl.conftest import Command, CommandResult

COUNT = "MATCH (t:Topic {name: $name}) RETURN count(t) AS n"


def refused(answer: CommandResult, code: int, *words: str) -> None:
    assert answer.code == code, answer
    assert answer.out == ""
    sentence = " ".join(answer.err.split())
    assert "Traceback" not in sentence
    for word in words:
        assert word in sentence, answer.err


def test_list_has_every_query_and_can_be_narrowed(command: Command) -> None:
    out = command("query", "list").out
    assert all(query.name.partition("/")[2] in out for query in queries.all_queries())
    assert max(len(line) for line in out.splitlines()) <= 80
    narrowed = {entry["name"] for entry in command("query", "list", "tunnel", "--json").json["queries"]}
    assert "crawl/tunnels" in narrowed
    assert len(narrowed) < 5
    assert "no query has 'xyzzy'" in command("query", "list", "xyzzy").err


def test_list_and_show_tell_types_ranges_and_defaults(command: Command) -> None:
    shown = command("query", "show", "hosts/that_pay", "--json").json
    assert {p["name"]: (p["type"], p["default"], p["least"]) for p in shown["parameters"]} == {
        "crawl": ("text", "", None), "least": ("integer", 1, 1), "limit": ("integer", 20, 1),
    }  # fmt: skip
    listed = command("query", "list", "--json").json["queries"]
    assert {"name", "title", "answers", "parameters", "returns", "example", "cost"} <= set(listed[0])
    assert "text" not in listed[0]


@pytest.mark.slow
@pytest.mark.parametrize("style", [("limit=2",), ("-p", "limit=2"), ("--param", "limit=2")])
def test_run_takes_parameters_in_both_styles(
    command: Command, space: Workspace, crawled: str, style: tuple[str, ...]
) -> None:
    where = ("--workspace", space.root, "--format", "json")
    answer = command("query", "run", "pages/most_relevant", f"crawl={crawled}", *style, *where).json
    assert set(answer) == {"columns", "rows", "complete", "cut"}
    assert len(answer["rows"]) == 2


@pytest.mark.slow
def test_run_prints_csv_that_reads_back_as_the_json(command: Command, space: Workspace, crawled: str) -> None:
    asked = ("query", "run", "pages/waiting", "limit=5", "--workspace", space.root)
    answer = command(*asked, "--json").json
    rows = list(csv.reader(io.StringIO(command(*asked, "--format", "csv").out)))
    assert rows[0] == answer["columns"]
    assert [row[0] for row in rows[1:]] == [row[0] for row in answer["rows"]]


def test_a_table_fits_the_terminal_and_says_how_many_rows(command: Command, space: Workspace, crawled: str) -> None:
    answer = command("query", "run", "crawl/harvest_curve", f"crawl={crawled}", "every=60", "--workspace", space.root)
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    assert answer.out.rstrip().endswith("2 rows, complete")
    assert "relevant_by_label" in answer.out


def test_no_rows_are_said_and_the_crawls_are_pointed_to(command: Command, space: Workspace, crawled: str) -> None:
    answer = command("query", "run", "pages/most_relevant", "crawl=never", "--workspace", space.root)
    assert (answer.code, answer.out) == (0, "")
    assert "no rows" in answer.err and "Choices: " in answer.err and "sample" in answer.err  # others may have runs too


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("pages/most_relevant", "limit=-1"), ("limit", "from 1 to 1000000", "'-1'")),
        (("pages/most_relevant", "limit=ten"), ("limit", "integer", "'ten'")),
        (("pages/most_relevant", "limit=99999999999999999999999"), ("limit", "from 1 to 1000000")),
        (("pages/most_relevant", "limt=3"), ("did you mean 'limit'",)),
        (("pages/most_relevant", "limit"), ("'limit'", "NAME=VALUE")),
        (("pages/most_relevant", "limit=3", "-p", "limit=4"), ("limit", "twice")),
        (("pages/most_relevant", "--json", "--format", "csv"), ("--json", "csv")),
        (("crawl/why_fetched",), ("url=text", "URL of the page")),
        (("links/anchors_that_mislead", "promise=2"), ("promise", "number from 0 to 1")),
    ],
)
def test_bad_parameters_are_named_before_an_engine_is_started(
    command: Command, tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    refused(command("query", "run", *arguments, "--workspace", tmp_path / "new"), 2, *words)
    assert not (tmp_path / "new").exists()


# ---- the console ------------------------------------------------------------------------------------------------


def test_cypher_reads_with_typed_parameters(command: Command, space: Workspace) -> None:
    statement = "RETURN $a + 1 AS a, $b AS b, $c AS c, $d AS d, $e AS e; "
    given = ("-p", "a=41", "-p", "b=暴雨 = rain", "-p", "c=[1, 2]", "-p", 'd="1"', "-p", "e=NaN")
    answer = command("query", "cypher", statement, *given, "--workspace", space.root, "--json").json
    assert answer == {"columns": ["a", "b", "c", "d", "e"], "rows": [[42, "暴雨 = rain", [1, 2], "1", "NaN"]],
                      "complete": True}  # fmt: skip


def test_cypher_writes_only_with_leave(command: Command, space: Workspace) -> None:
    where = ("--workspace", space.root)
    create = "MERGE (t:Topic {name: $name}) RETURN t.name AS name"
    refused(command("query", "cypher", create, "-p", "name=console", *where), 2, "MERGE", "--write")
    assert command("query", "cypher", COUNT, "-p", "name=console", *where, "--json").json["rows"] == [[0]]
    done = command("query", "cypher", create, "-p", "name=console", *where, "--write", "--json")
    assert done.json == {"columns": ["name"], "rows": [["console"]], "complete": True}
    assert command("query", "cypher", COUNT, "-p", "name=console", *where, "--json").json["rows"] == [[1]]
    removed = command(
        "query", "cypher", "MATCH (t:Topic {name: $name}) DELETE t", "-p", "name=console", *where, "--write"
    )
    assert (removed.code, removed.out) == (0, "")


def test_a_value_is_never_part_of_the_statement(command: Command, space: Workspace) -> None:
    evil = "x'}) DETACH DELETE t //"
    answer = command("query", "cypher", COUNT, "-p", f"name={evil}", "--workspace", space.root, "--json").json
    assert answer["rows"] == [[0]]


def test_rows_may_be_a_batch_for_a_write(command: Command, space: Workspace) -> None:
    where = ("--workspace", space.root, "--write", "--json")
    batch = '[{"name": "batch-1"}, {"name": "batch-2"}]'
    text = "UNWIND $rows AS row MERGE (t:Topic {name: row.name}) RETURN count(*) AS n"
    assert command("query", "cypher", text, "-p", f"rows={batch}", *where).json["rows"] == [[2]]
    text = "MATCH (t:Topic) WHERE t.name STARTS WITH 'batch-' DELETE t RETURN count(*) AS n"
    assert command("query", "cypher", text, *where).json["rows"] == [[2]]


def test_cypher_from_standard_input(command: Command, space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("// a comment with $nothing\nRETURN '$no' AS x\n;\n"))
    answer = command("query", "cypher", "-", "--workspace", space.root, "--format", "csv")
    assert answer.out == "x\n$no\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("RETURN $x AS x",), ("$x", "--param x=VALUE")),
        (("RETURN $xs AS x", "-p", "xs=1", "-p", "sx=1"), ("$sx", "did you mean 'xs'")),
        (("RETURN 1 AS x", "-p", "y=1"), ("$y", "no parameters")),
        (("RETURN $query AS x", "-p", "query=1"), ("$query", "rename")),
        (("RETURN $rows AS x", "-p", "rows=1"), ("$rows", "rename")),
        (("RETURN $rows AS x", "-p", "rows=1", "--write"), ("$rows", "list of maps")),
        (("  ;",), ("found nothing",)),
        (("DROP INDEX x",), ("begins with DROP", "--write")),
        (("MATCH (n) RETURN n.x AS x", "-p", "=1"), ("NAME=VALUE",)),
    ],
)
def test_bad_statements_are_usage_errors(
    command: Command, space: Workspace, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    refused(command("query", "cypher", *arguments, "--workspace", space.root), 2, *words)


def test_what_the_engine_refuses_is_one_sentence(command: Command, space: Workspace) -> None:
    refused(command("query", "cypher", "MATCH (p:Page RETURN p", "--workspace", space.root), 1, "refused")
    node = "MERGE (t:Topic {name: 'node'}) RETURN date({year: 12000}) AS t"
    answer: Any = command("query", "cypher", node, "--write", "--workspace", space.root)
    refused(answer, 1, "could not do", "'t'")


@pytest.mark.parametrize("question", [("run", "crawl/list"), ("cypher", "RETURN 1 AS one"), ("sparql", "ASK {}")])
def test_a_question_makes_no_workspace(command: Command, tmp_path: Path, question: tuple[str, str]) -> None:
    for folder in (tmp_path / "nowhere", tmp_path):
        refused(command("query", *question, "--workspace", folder), 2, "is no workspace", "ontocrawl init")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("pages/page", "url=http://never.example/", "url=http://never.example/: the graph has no such page"),
        (
            "ontology/ancestors",
            "concept=nonsense",
            "concept=nonsense: the graph has no such concept; `ontocrawl query run",
        ),
        ("pages/newest", "crawl=never", "crawl=never: the graph has no such run. Choices: "),
        ("hosts/pages", "host=never.example", "host=never.example: the graph has no such host"),
        ("evidence/weakest_relations", "ontology=never", "ontology=never: the graph has no such ontology"),
    ],
)
def test_what_names_nothing_is_said(
    command: Command, space: Workspace, crawled: str, name: str, given: str, said: str
) -> None:
    answer = command("query", "run", name, given, "--workspace", space.root)
    assert answer.code == 0
    assert said in " ".join(answer.err.split())
    assert "Choices" not in said or crawled in answer.err  # other tests may have added other runs


def test_a_crawl_is_compared_with_one_that_is_there(command: Command, space: Workspace, crawled: str) -> None:
    where = ("--workspace", space.root, "--json")
    assert "other=never: the graph has no such run" in command(
        "query", "run", "crawl/compare", f"one={crawled}", "other=never", *where
    ).err.replace("\n", " ")


def test_labels_are_found_in_any_width(command: Command, space: Workspace, crawled: str) -> None:
    where = ("--workspace", space.root, "--json")
    rows = [
        command("query", "run", "ontology/find", f"label={text}", *where).json["rows"]
        for text in ("flood", "ＦＬＯＯＤ ")
    ]
    assert rows[0] and rows[0] == rows[1]


def test_urls_are_taken_as_they_are_written(command: Command, space: Workspace, crawled: str) -> None:
    where = ("--workspace", space.root, "--json")
    page = command("query", "run", "pages/most_relevant", f"crawl={crawled}", "limit=1", *where).json["rows"][0][0]
    scheme, _, rest = page.partition("://")
    host, _, path = rest.partition("/")
    written = f"{scheme.upper()}://{host.upper()}:80/./{path}#top"
    assert command("query", "run", "pages/page", f"url={written}", *where).json["rows"]


def test_values_that_bolt_has_not_are_named(command: Command, space: Workspace) -> None:
    where = ("--workspace", space.root)
    large = command("query", "cypher", "RETURN $n AS x", "-p", "n=12345678901234567890", *where)
    refused(large, 1, "a parameter cannot be sent", "64 bits")


def test_values_that_are_no_scalars_have_one_form(command: Command, space: Workspace, crawled: str) -> None:
    where = ("--workspace", space.root)
    statement = (
        "MATCH (c:Crawl) RETURN {x: c} AS c, duration('P1D') AS d, date('2024-05-01') AS t, point({x: 1, y: 2}) AS p"
    )
    (row,) = command("query", "cypher", f"{statement} LIMIT 1", *where, "--json").json["rows"]
    assert row[0]["x"]["labels"] == ["Crawl"] and row[1:] == ["P1D", "2024-05-01", {"crs": "cartesian", "x": 1, "y": 2}]
    printed = command("query", "cypher", f"{statement} LIMIT 1", *where, "--format", "csv").out
    (cells,) = csv.DictReader(io.StringIO(printed))
    assert json.loads(cells["c"]) == row[0] and json.loads(cells["p"]) == row[3] and cells["d"] == "P1D"
    assert '{"crs": "cartesian"' in command("query", "cypher", "RETURN point({x: 1, y: 2}) AS p", *where).out
    refused(command("query", "cypher", "RETURN date({year: 12000}) AS d", *where), 1, "the graph could not do")


def test_explain_prints_the_plan(command: Command, space: Workspace) -> None:
    where = ("--workspace", space.root)
    answer = command("query", "cypher", "EXPLAIN MATCH (c:Crawl) RETURN c.id AS id", *where)
    assert answer.code == 0 and "NodeByLabelScan(c:Crawl)" in answer.out
    again = command("query", "cypher", "EXPLAIN\nMATCH (c:Crawl) RETURN c.id AS id; // the plan", *where)
    assert again.code == 0 and "NodeByLabelScan(c:Crawl)" in again.out
    refused(command("query", "cypher", "EXPLAIN CREATE (n:X)", *where), 2, "only reading is allowed")


def test_one_statement_at_a_time_with_what_editors_put_around_it(command: Command, space: Workspace) -> None:
    where = ("--workspace", space.root)
    text = "\ufeff// of today;\nRETURN $`a b` AS x;\n// done;\n"
    assert command("query", "cypher", text, "-p", "a b=3", *where, "--json").json["rows"] == [[3]]
    refused(command("query", "cypher", "RETURN 1 AS x; RETURN 2 AS x;", *where), 2, "found 2", "one after another")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("MACTH (n) RETURN n", "begins with MACTH; did you mean MATCH?"),
        ("crate (n)", "begins with crate; did you mean CREATE?"),
        ("what is a typhoon", "begins with what; a query begins with MATCH or RETURN"),
        ("// MATCH", "has no clause"),
    ],
)
def test_what_is_no_cypher_is_said_to_be_none(command: Command, space: Workspace, statement: str, said: str) -> None:
    answer = command("query", "cypher", statement, "--workspace", space.root)
    refused(answer, 2, "no Cypher statement", said)
    assert "--write" not in answer.err


@pytest.mark.parametrize("word", ["TERMINATE TRANSACTIONS 'x'", "GRANT ROLE a TO b", "RENAME USER a TO b"])
def test_what_a_roll_back_does_not_undo_is_refused(command: Command, space: Workspace, word: str) -> None:
    statement = f"SHOW TRANSACTIONS YIELD transactionId {word}"
    refused(command("query", "cypher", statement, "--workspace", space.root), 2, word.split()[0])


@pytest.mark.slow
def test_a_crawl_is_removed_and_written_again(command: Command, space: Workspace, crawled: str) -> None:
    where = ("--workspace", space.root)
    refused(command("crawl", "remove", crawled[:-1] + "x", *where), 2, "did you mean", crawled)

    def listed() -> list[list[Any]]:
        return [
            row for row in command("query", "run", "crawl/list", *where, "--json").json["rows"] if row[0] == crawled
        ]

    before = listed()
    removed = command("crawl", "remove", crawled, *where, "--json").json
    assert removed["crawl"] == crawled and removed["pages"] > 0
    assert listed() == []
    assert command("graph", "rebuild", crawled, *where).code == 0
    assert listed() == before != []

"""Queries that a workspace keeps: a user's own, in the format of the library, and those that were asked last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import queries
from kg import walks
from kg.store import GraphStore
from ontocrawl.backup import restoring, writing
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store, kept_queries, query_parameters
from queries import HeaderError, UnknownQueryError
from tests.ontocrawl.conftest import Command

PAGES = (
    "MATCH (c:Crawl {id: $run})-[f:FETCHED]->(p:Page)\nWHERE f.relevance >= $least\n"
    "RETURN p.url AS url, f.relevance AS relevance\nORDER BY relevance DESC, url LIMIT $limit"
)


@pytest.fixture
def own(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def test_a_saved_query_is_a_file_of_the_librarys_format(own: Workspace) -> None:
    values = {"run": "a run", "least": 0.5, "limit": 20}
    saved = kept_queries.save(own, "Best pages", PAGES, values)
    assert saved.name == "own/Best-pages" and saved.title == "Best pages"
    text = (own.queries / "Best-pages.cypher").read_text("utf-8")
    assert text == (
        '// title: Best pages\n// param: run text "a\\u0020run"\n// param: least number 0.5\n'
        "// param: limit integer 20\n"
        f"\n{PAGES}\n"
    )
    found = kept_queries.find(own, "own/best-PAGES")
    assert found == saved and found.bind() == values and found.bind({"limit": "5"})["limit"] == 5
    assert kept_queries.own(own) == ([saved], [])


@pytest.mark.parametrize(
    "value",
    ["", "洪 水\u3000\u2028x", '"required"', "required", True, -3, 2.5, 1.0, [], ["a b", "洪水"], "a|b", "\n\t"],
)
def test_values_become_defaults_as_they_are(own: Workspace, value: Any) -> None:
    query = kept_queries.save(own, "one", "RETURN $x AS x", {"x": value})
    kept = kept_queries.find(own, query.name).bind()["x"]
    assert kept == value and type(kept) is type(value)


@pytest.mark.parametrize(
    ("name", "statement", "parameters", "says"),
    [
        ("../x", "RETURN 1 AS n", {}, "is not a query's name"),
        ("a/b", "RETURN 1 AS n", {}, "is not a query's name"),
        ("", "RETURN 1 AS n", {}, "is not a query's name"),
        ("con", "RETURN 1 AS n", {}, "is not a query's name"),
        ("x.y", "RETURN 1 AS n", {}, "is not a query's name"),
        ("x" * 61, "RETURN 1 AS n", {}, "is not a query's name"),
        ("x", "", {}, "found nothing"),
        ("x", "CREATE (n) RETURN n", {}, "only reading is allowed"),
        ("x", "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", {}, "only reading is allowed"),
        ("x", "RETURN $x AS x", {}, r"needs a value for \$x"),
        ("x", "RETURN 1 AS x", {"x": 1}, r"no parameter \$x"),
        ("x", "RETURN $query AS x", {"query": 1}, "rename it"),
        ("x", "RETURN $x AS x", {"x": None}, "cannot be kept"),
        ("x", "RETURN $x AS x", {"x": {"a": 1}}, "cannot be kept"),
        ("x", "RETURN $x AS x", {"x": [" a"]}, "cannot be kept"),
        ("x", f"RETURN '{'x' * 20_000}' AS x", {}, "at most 20000"),
    ],
)
def test_what_is_no_query_is_refused(
    own: Workspace, name: str, statement: str, parameters: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        kept_queries.save(own, name, statement, parameters)
    assert not own.queries.exists()


def test_a_query_is_renamed_replaced_and_deleted(own: Workspace) -> None:
    kept_queries.save(own, "one", "RETURN 1 AS n", {})
    kept_queries.save(own, "two", "RETURN 2 AS n", {})
    with pytest.raises(UsageError, match="own/one already"):
        kept_queries.save(own, "ONE", "RETURN 3 AS n", {})
    kept_queries.save(own, "ONE", "RETURN 3 AS n", {}, replaces=True)
    with pytest.raises(UsageError, match="own/Two already"):
        kept_queries.rename(own, "own/one", "Two")
    assert kept_queries.rename(own, "own/one", "One").title == "One"  # another case alone
    assert kept_queries.rename(own, "own/one", "暴雨 网页").name == "own/暴雨-网页"
    assert kept_queries.find(own, "own/暴雨-网页").statement.strip() == "RETURN 3 AS n"
    kept_queries.delete(own, "own/two")
    assert [query.name for query in kept_queries.own(own)[0]] == ["own/暴雨-网页"]
    for change in (kept_queries.delete, kept_queries.find):
        with pytest.raises(UnknownQueryError, match="no query 'own/two'"):
            change(own, "own/two")


def test_a_file_without_a_header_is_a_query_and_a_damaged_one_is_named(own: Workspace) -> None:
    own.queries.mkdir()
    (own.queries / "bare.cypher").write_text("RETURN $b AS b, $a AS a", "utf-8")
    (own.queries / "broken.cypher").write_text("// no colon here\nRETURN 1 AS n", "utf-8")
    (own.queries / "inner.cypher").write_text("// internal: kg\nRETURN 1 AS n", "utf-8")
    [bare], errors = kept_queries.own(own)
    assert [(p.name, p.type, p.required) for p in bare.parameters] == [("b", "text", True), ("a", "text", True)]
    assert len(errors) == 2 and "own/broken" in str(errors[0]) and "internal" in str(errors[1])
    with pytest.raises(HeaderError, match="own/broken"):
        kept_queries.find(own, "own/broken")


def test_a_file_that_writes_is_refused_when_it_runs(crawled: str, space: Workspace) -> None:
    space.queries.mkdir(exist_ok=True)
    (space.queries / "evil.cypher").write_text("// title: x\nMATCH (n) SET n.pwn = 1 RETURN n", "utf-8")
    with graph_store.store(space) as graph, pytest.raises(UsageError, match="only reading is allowed"):
        query_parameters.ask(space, graph, "own/evil", {})
    kept_queries.delete(space, "own/evil")


def test_the_command_line_has_them(crawled: str, space: Workspace, command: Command) -> None:
    kept_queries.save(space, "best", PAGES, {"run": crawled, "least": 0.1, "limit": 3})
    at = ("--workspace", space.root)
    assert "own/best" in command("query", "list", "best", *at).out
    assert "// param: limit integer 3" in command("query", "show", "own/best", *at).out
    cypher = command(
        "query", "cypher", PAGES, "-p", f"run={crawled}", "-p", "least=0.1", "-p", "limit=2", *at, "--json"
    )
    assert command("query", "run", "own/best", "limit=2", *at, "--json").json == cypher.json
    assert len(command("query", "run", "own/best", *at, "--json").json["rows"]) == 3
    refused = command("query", "run", "own/bets", *at)
    assert refused.code == 2 and "own/best" in refused.err
    kept_queries.delete(space, "own/best")


def test_a_backup_has_them(own: Workspace, tmp_path: Path) -> None:
    kept_queries.save(own, "one", "RETURN 1 AS n", {})
    report = writing.write(own, tmp_path / "backup.zip", graph=False)
    assert report.left_out == ()
    restoring.restore(tmp_path / "backup.zip", tmp_path / "again")
    assert (tmp_path / "again" / "queries" / "one.cypher").read_bytes() == (own.queries / "one.cypher").read_bytes()


# ---- a query of the library as a statement


@pytest.fixture(scope="module")
def graph(crawled: str, space: Workspace) -> Any:
    with graph_store.store(space) as opened:
        yield opened


@pytest.mark.parametrize("query", queries.all_queries(), ids=lambda query: query.name)
def test_a_query_as_cypher_has_the_same_rows(graph: GraphStore, space: Workspace, query: queries.Query) -> None:
    given = {**query.example_values(), **({"crawl": "sample"} if "crawl" in query.example_values() else {})}
    expected, _ = query_parameters.ask(space, graph, query.name, given)
    statement, values = query_parameters.as_cypher(graph, query, given)
    assert not statement.startswith("//") and values.keys() == {parameter.name for parameter in query.parameters}
    found = graph_store.cypher(graph, statement, values)
    shown = found.records()
    for column in query.lists:
        assert all(len(row[column] or ()) <= values["names"] for row in shown)
    assert (found.rows, found.columns if found.rows else query.returns) == (expected.rows, expected.columns)


def test_what_a_statement_of_the_library_passes_by_one_is_bounded() -> None:
    bounded = [query for query in queries.all_queries() if query.most is not None]
    for query in bounded:
        assert query.most is not None
        assert query.text.count(f"..{query.most[1] + 1}]") == 1, query.name
    assert bounded


class Recorded:
    """A store that keeps the statements that it is sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def read(self, query: str, **params: Any) -> list[dict[str, Any]]:
        self.sent.append(query)
        return []


def test_a_walk_in_a_string_is_not_cut_out_of_it() -> None:
    walk = queries.get("ontology/descendants").statement
    whole, hidden = Recorded(), Recorded()
    walks.rows(whole, walk, {"concept": "x", "ontology": "", "limit": 1})  # type: ignore[arg-type]
    assert len(whole.sent) == 2 and "RETURN DISTINCT start.iri" in whole.sent[0]
    start, end = walk.index("MATCH way"), walk.index("WHERE reached.iri")
    text = f"RETURN 1 AS n, '\n{walk[start:end]}CALL evil() YIELD x' AS text"
    walks.rows(hidden, text, {})  # type: ignore[arg-type]
    assert hidden.sent == [text]


# ---- what was asked last


def test_what_was_asked_last_is_kept_newest_first_and_once(own: Workspace) -> None:
    for number in range(kept_queries.ASKED + 20):
        kept_queries.note(own, f"2026-01-01T00:00:{number:03}", "", f"RETURN {number} AS n", {})
    kept_queries.note(own, "2026-01-02", "", "RETURN 50 AS n", {})
    kept_queries.note(own, "2026-01-03", "crawl/list", "", {"limit": "5"})
    asked = kept_queries.asked(own)
    assert len(asked) == kept_queries.ASKED
    assert asked[0] == {"at": "2026-01-03", "query": "crawl/list", "parameters": {"limit": "5"}}
    assert asked[1] == {"at": "2026-01-02", "statement": "RETURN 50 AS n", "parameters": {}}
    assert sum(one.get("statement") == "RETURN 50 AS n" for one in asked) == 1
    kept_queries.forget(own)
    assert kept_queries.asked(own) == []


def test_no_secret_is_kept(own: Workspace) -> None:
    kept_queries.note(own, "", "pages/page", "", {"url": "http://me:hunter2@news.example/a@b"})
    kept_queries.note(own, "", "", "MATCH (p:Page {url: 'https://hunter2@news.example/'}) RETURN p.url AS url", {})
    for name in ("password", "apiKey", "api_key", "my_TOKEN", "cookies"):
        kept_queries.note(own, "", "", f"RETURN ${name} AS x", {name: "hunter2"})
    kept_queries.note(own, "", "", "RETURN 'hunter2" + "x" * kept_queries.LONGEST + "' AS x", {})
    kept = kept_queries.asked(own)
    assert len(kept) == 2 and kept[1]["parameters"] == {"url": "http://news.example/a@b"}
    assert "hunter2" not in (own.queries / "history.jsonl").read_text("utf-8")


def test_a_damaged_history_is_an_error_that_names_it(own: Workspace) -> None:
    kept_queries.note(own, "", "crawl/list", "", {})
    with (own.queries / "history.jsonl").open("a", encoding="utf-8") as file:
        file.write("{\n")
    with pytest.raises(UsageError, match=r"history\.jsonl is damaged"):
        kept_queries.asked(own)
    kept_queries.forget(own)
    kept_queries.note(own, "", "crawl/list", "", {})
    assert len(kept_queries.asked(own)) == 1

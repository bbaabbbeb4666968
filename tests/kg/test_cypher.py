"""What the store sees in a statement: clauses that write, and the keys of MERGE."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import queries
from kg.cypher import bare, merge_keys, parameters_of, plan_first, refusal, refuse_null_keys, statements
from kg.store import StoreError

WRITES = [
    "CREATE (n)",
    "  // read me\n  create (n)",
    "MATCH (n) SET n.x = 1",
    "MATCH (n)\nset n += {x: 1}",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) WITH n/* */DELETE n",
    "MATCH (n) REMOVE n.x",
    "MERGE (n:Page {url: 'a'}) RETURN n.url",
    "MATCH (n) WITH collect(n) AS all FOREACH (x IN all | SET x.a = 1)",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "UNWIND [1] AS x CALL (x) { CREATE (:Page {url: x}) } RETURN x",
    "CREATE INDEX i IF NOT EXISTS FOR (n:Page) ON (n.x)",
    "DROP CONSTRAINT page_url",
    "MATCH (n) WHERE n.title = 'it\\'s' SET n.x = 1",
    'MATCH (n) WHERE n.title = "a // b" SET n.x = 1',
    "MATCH (n:`a``b`) SET n.x = 1",
    "RETURN 1. SET",
    "MATCH (n) INSERT (m)",
    "EXPLAIN CREATE (n)",
    "PROFILE MATCH (n) SET n.x = 1",
]
COMMANDS = [
    "ALTER USER neo4j SET PASSWORD 'x'",
    "GRANT ROLE a TO b",
    "STOP DATABASE neo4j",
    "TERMINATE TRANSACTION 'x'",
]
PROCEDURES = [
    "CALL apoc.create.node(['Page'], {})",
    "CALL db.createLabel('Page')",
    "MATCH (n) CALL dbms . killTransaction('x') YIELD message RETURN message",
    "CALL `db`.`createLabel`('x')",
]
READS = [
    "MATCH (n) RETURN n.set AS a, n.create",
    "MATCH (n:Set)-[:DELETE]->(m:Page|Merge) RETURN $create AS x, {set: 1, merge: 2} AS m",
    "RETURN 'CREATE (n) // DELETE' AS text, \"SET\" AS other",
    "// DELETE everything\nMATCH (n) /* SET n.x */ RETURN count(n) AS n",
    "MATCH (n) RETURN n.`SET` AS `CREATE`",
    "UNWIND [1, 2] AS x CALL (x) { MATCH (n) WHERE n.a = x RETURN count(n) AS c } RETURN x, c",
    "MATCH (n) RETURN (n).set, [1, 2][0] AS y, n.offset, n.created, properties(n).delete",
    "CALL db.labels() YIELD label RETURN label",
    "SHOW INDEXES",
    "OPTIONAL MATCH (n) RETURN n.url",
]


@pytest.mark.parametrize("statement", WRITES + COMMANDS + PROCEDURES)
def test_refused(statement: str) -> None:
    assert refusal(statement)


@pytest.mark.parametrize("statement", READS)
def test_accepted(statement: str) -> None:
    assert refusal(statement) is None


@pytest.mark.parametrize("statement", ["", "   ", "// nothing"])
def test_empty(statement: str) -> None:
    assert refusal(statement) == "it is empty"


def test_the_refusal_names_the_clause() -> None:
    assert refusal("MATCH (n) DETACH DELETE n") == "it contains DETACH"
    assert refusal("STOP DATABASE neo4j") == "it begins with STOP"
    assert refusal("CALL db.createLabel('x')") == "it calls the procedure db.createlabel"


@pytest.mark.parametrize("query", [q for q in queries.all_queries() if not q.internal], ids=lambda q: q.name)
def test_the_library_for_users_only_reads(query: queries.Query) -> None:
    assert refusal(query.text) is None


@given(st.text(), st.sampled_from("'\"`"))
def test_nothing_within_quotes_counts(text: str, quote: str) -> None:
    inner = (
        text.replace("``", "").replace("`", "``")
        if quote == "`"
        else text.replace("\\", "\\\\").replace(quote, "\\" + quote)
    )
    quoted = f"{quote}{inner}{quote}"
    assert "DELETE" not in bare(f"RETURN {quoted}").upper().replace("RETURN", "") or "DELETE" not in text.upper()
    assert refusal(f"RETURN n.x, {quoted} AS x") is None
    assert refusal(f"MATCH (n) WHERE n.x = {quoted} DELETE n") == "it contains DELETE"


def test_keys_of_merge() -> None:
    statement = """
        // MERGE (:Comment {id: row.comment})
        UNWIND $rows AS row
        MATCH (a:Page {url: row.source})
        MERGE (b:Page {url: row.target})
          ON CREATE SET b.seen = row.seen
        MERGE (a)-[r:LINKS_TO {crawl: $crawl, kind: row.of.kind}]->(b)
        SET r += {anchor: row.anchor}
        RETURN count(*) AS n"""
    assert merge_keys(statement) == (("url", "row.target"), ("crawl", "$crawl"), ("kind", "row.of.kind"))


@pytest.mark.parametrize(
    ("row", "crawl", "said"),
    [
        ({"target": None, "of": {"kind": 1}}, "c", "row 1 has none at 'target'"),
        ({"of": {"kind": 1}}, "c", "row 1 has none at 'target'"),
        ({"target": "a", "of": {}}, "c", "row 1 has none at 'of.kind'"),
        ({"target": "a", "of": None}, "c", "row 1 has none at 'of.kind'"),
        ({"target": "a", "of": {"kind": 1}}, None, "parameter \\$crawl is null"),
    ],
)
def test_null_keys_are_refused(row: dict[str, object], crawl: str | None, said: str) -> None:
    statement = (
        "UNWIND $rows AS row MERGE (b:Page {url: row.target}) MERGE (b)-[:T {crawl: $crawl, k: row.of.kind}]->(b)"
    )
    good = {"target": "", "of": {"kind": 0}}
    refuse_null_keys(statement, [good, good], {"crawl": "c"})
    with pytest.raises(StoreError, match=said):
        refuse_null_keys(statement, [good, row], {"crawl": crawl})


@pytest.mark.parametrize(
    "query", [q for q in queries.all_queries(internal=True) if "MERGE" in q.text], ids=lambda q: q.name
)
def test_the_library_merges_on_keys_that_can_be_checked(query: queries.Query) -> None:
    if ":GraphSchema" not in query.text and "{" in query.text.partition("MERGE")[2].partition("\n")[0]:
        assert merge_keys(query.text)


@pytest.mark.parametrize("between", ["\n", "\t", " \n ", "/* all */", "// all\n"])
@pytest.mark.parametrize("word", ["EXPLAIN", "profile"])
def test_a_blank_stands_behind_the_word_for_a_plan(word: str, between: str) -> None:
    assert plan_first(f"// of pages\n{word}{between}MATCH (n) RETURN n").startswith(f"{word} ")
    assert plan_first(f"MATCH (n) RETURN n.{word}{between}") == f"MATCH (n) RETURN n.{word}{between}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("RETURN 1 AS x; // done", ["RETURN 1 AS x"]),
        ("RETURN 1 AS x;\n/* done; */\n;", ["RETURN 1 AS x"]),
        ("// one; two\nRETURN 1 AS x", ["// one; two\nRETURN 1 AS x"]),
        ("RETURN ';//' AS `a;b`, \"it's; \" AS y", ["RETURN ';//' AS `a;b`, \"it's; \" AS y"]),
        ("RETURN 1 AS x; RETURN 2 AS x;", ["RETURN 1 AS x", "RETURN 2 AS x"]),
        ("// nothing;", []),
    ],
)
def test_semicolons_part_statements_outside_of_strings_names_and_comments(text: str, found: list[str]) -> None:
    assert statements(text) == found


def test_parameters_may_have_quoted_names() -> None:
    text = "MATCH (n {a: $`a b`, b: '$c', d: $`d``e`}) // $f\nWHERE n.`$g` = $h AND n.x = $`a b` RETURN $0"
    assert parameters_of(text) == ["a b", "d`e", "h", "0"]

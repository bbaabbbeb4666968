"""Statements for Neo4j Browser find something on the demo's graph: those of docs/graph.md, the guide, saved queries.

The statements of page and guide return paths, which the embedded engine's adapter refuses: there rows are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import neo4j
import pytest

import queries
from kg import browser
from kg.bolt import BoltStore
from kg.store import GraphStore

GRAPH = (Path(__file__).parents[2] / "docs" / "graph.md").read_text(encoding="utf-8")
PAGE = GRAPH.partition("## Look at the graph in Neo4j Browser\n")[2]
STATEMENTS = re.findall(r"```cypher\n(.*?)\n```", PAGE, re.DOTALL)
CONCEPT = {"concept": "城市内涝"}
"""The parameter that page and guide set."""


def used(statement: str) -> dict[str, str]:
    return CONCEPT if "$concept" in statement else {}


@pytest.mark.slow
@pytest.mark.parametrize("statement", dict.fromkeys([*STATEMENTS, *browser.statements()]))
def test_a_statement_of_page_or_guide_finds_something(statement: str, demo_store: GraphStore) -> None:
    head, mark, _ = statement.rpartition("RETURN ")
    assert mark
    assert demo_store.read(f"{head}RETURN count(*) AS n", **used(statement))[0]["n"] > 0


def test_the_statements_of_the_page_are_of_the_guide() -> None:
    assert len(STATEMENTS) >= 2
    assert set(STATEMENTS) <= set(browser.statements())


def test_the_script_that_the_page_shows_is_that_of_the_file() -> None:
    shown = re.findall(r"```text\n(// .*?)```", PAGE, re.DOTALL)
    scripts = {saved.name: saved.script for saved in browser._saved_queries()}
    lines = [line for line in shown[0].splitlines() if line != ".."]
    assert len(shown) == 1 and set(lines) <= set(scripts["hosts/that_pay"].splitlines())


@contextmanager
def session_of(server: BoltStore) -> Iterator[neo4j.Session]:
    """A session of the driver itself: the store returns no nodes and paths."""
    with neo4j.GraphDatabase.driver(server.uri, auth=server._auth) as driver, driver.session() as session:
        yield session


def set_parameters(session: neo4j.Session, script: str) -> dict[str, Any]:
    """The parameters of a script, evaluated as Neo4j Browser does: by the server, as an expression of Cypher."""
    return {
        name: session.run(f"RETURN {value} AS value").single(strict=True)["value"]  # type: ignore[arg-type]
        for name, value in re.findall(r"^:param (\w+) => (.*?);?$", script, re.MULTILINE)
    }


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("saved", browser._saved_queries(), ids=lambda saved: saved.name)
def test_a_saved_query_runs_as_it_is(saved: browser.SavedQuery, demo_on_neo4j: BoltStore) -> None:
    statement = "\n".join(line for line in saved.script.splitlines() if not line.startswith((":", "//")))
    with session_of(demo_on_neo4j) as session:
        rows = session.run(statement.rstrip(";"), set_parameters(session, saved.script)).data()  # type: ignore[arg-type]
    is_empty = "revisited" in queries.get(saved.name).needs  # the demo visits no page again
    assert bool(rows) != is_empty


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_guide_runs_as_it_is(demo_on_neo4j: BoltStore) -> None:
    text = browser._as_asciidoc()
    with session_of(demo_on_neo4j) as session:
        parameters = set_parameters(session, text)
        assert parameters == CONCEPT
        for statement in browser.statements():
            assert list(session.run(statement, parameters)), statement  # type: ignore[arg-type]

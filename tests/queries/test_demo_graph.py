"""Every query on the demo's graph: its example has an answer, the same on a Neo4j server, found without a full scan."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import neo4j
import pytest

import queries
from kg import walks
from kg.bolt import BoltStore
from kg.store import GraphStore
from ontocrawl.graph import frames

FOR_USERS = [query for query in queries.all_queries() if "revisited" not in query.needs]
"""All but those about visits after a crawl, which the demo does not make; tests/queries/test_answers.py has them."""
KEYS = frozenset({
    "url", "source", "target", "host", "concept", "also", "narrower", "broader", "one", "other", "term", "older",
    "newer",
})  # fmt: skip
"""Parameters that name a node by an indexed property."""
FEW = frozenset({"Crawl", "Ontology", "Topic"})
"""Labels with a node for each run, ontology or topic: looking through them is no full scan."""


def rows_of(store: GraphStore, query: queries.Query) -> list[list[Any]]:
    rows = walks.rows(store, query, query.bind(query.example_values()))
    return [[row[column] for column in query.returns] for row in rows]


def same(one: Any, other: Any) -> bool:
    """Equal in type and value; floats up to the order in which an engine adds them."""
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return isinstance(other, float) and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return type(one) is type(other) and one == other


@pytest.mark.slow
@pytest.mark.parametrize("query", FOR_USERS, ids=lambda q: q.name)
def test_the_example_has_an_answer(query: queries.Query, demo_store: GraphStore) -> None:
    assert rows_of(demo_store, query)


@pytest.mark.slow
@pytest.mark.parametrize("query", FOR_USERS, ids=lambda q: q.name)
def test_the_values_have_the_types_of_their_columns(query: queries.Query, demo_store: GraphStore) -> None:
    columns = zip(query.returns, zip(*rows_of(demo_store, query), strict=True), strict=True)
    found = {name: frames._column_type(values, query.types[name]) for name, values in columns}
    assert found == query.types, "write the type after the name in `returns`"


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("query", FOR_USERS, ids=lambda q: q.name)
def test_both_engines_give_the_same_rows(
    query: queries.Query, demo_store: GraphStore, demo_on_neo4j: BoltStore
) -> None:
    here, there = rows_of(demo_store, query), rows_of(demo_on_neo4j, query)
    assert here
    assert len(here) == len(there)
    for row, other in zip(here, there, strict=True):
        assert same(row, other)


def operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(operator, what it works on) of a plan, in pre-order."""
    yield plan["operatorType"].partition("@")[0], plan.get("args", {}).get("Details", "")
    for child in plan.get("children", ()):
        yield from operators(child)


def scans(server: BoltStore, text: str, values: Mapping[str, Any]) -> list[str]:
    """The operators of a statement's plan that go through all nodes of a large label, all links, or an index."""
    with neo4j.GraphDatabase.driver(
        server.uri, auth=server._auth, notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF
    ) as driver, driver.session() as session:  # fmt: skip
        session.run("CALL db.clearQueryCaches()").consume()  # plans that were made for a graph of another size
        plan = session.run(f"EXPLAIN {text}", dict(values)).consume().plan  # type: ignore[arg-type]
    assert plan is not None
    found = [(name, details) for name, details in operators(plan) if name.endswith("Scan")]
    return [f"{name}({details})" for name, details in found if label_of(details) not in FEW]


def label_of(details: str) -> str:
    """The label in the details of a scan, as in ``c:Crawl`` and ``RANGE INDEX c:Crawl(id) WHERE id IS NOT NULL``."""
    return details.partition(":")[2].partition("(")[0]


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("query", FOR_USERS, ids=lambda q: q.name)
def test_a_key_is_looked_up(query: queries.Query, demo_on_neo4j: BoltStore) -> None:
    values = query.bind(query.example_values())
    found = scans(demo_on_neo4j, query.text, values)
    assert not any(scan.startswith("AllNodesScan") for scan in found)
    if KEYS & set(values):
        assert found == []


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_scan_would_be_seen(demo_on_neo4j: BoltStore) -> None:
    assert scans(demo_on_neo4j, "MATCH (p:Page) RETURN count(p.url) AS n", {})
    assert scans(demo_on_neo4j, "MATCH (n) WHERE n.url = $url RETURN n.url AS url", {"url": "x"})
    assert scans(demo_on_neo4j, "MATCH (p:Page) WHERE p.url CONTAINS $url RETURN p.url AS url", {"url": "x"})
    assert not scans(demo_on_neo4j, "MATCH (p:Page {url: $url}) RETURN p.url AS url", {"url": "x"})
    assert not scans(demo_on_neo4j, "MATCH (c:Crawl) RETURN c.id AS id", {})


def test_every_required_parameter_of_the_library_is_a_key() -> None:
    searched = {"label", "text", "proposal"}  # a part of a name, words, a term
    assert {p.name for q in FOR_USERS for p in q.parameters if p.required} - searched == KEYS

"""The demo's graph, made once for the session, on the embedded engine and as a copy on a Neo4j server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import schema
from kg.bolt import BoltStore
from kg.store import GraphStore
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph.graph_store import store
from tests.conftest import empty


@pytest.fixture(scope="session")
def demo_store(demo_folder: Path) -> Iterator[GraphStore]:
    """The graph of `ontocrawl demo`, with the engine that made it."""
    with store(Workspace(demo_folder / "workspace", Settings())) as graph:
        yield graph


@pytest.fixture(scope="module")
def demo_on_neo4j(demo_store: GraphStore, neo4j_engine: BoltStore) -> Iterator[BoltStore]:
    """The same graph on a Neo4j server, for a module whose tests leave it alone."""
    copy(demo_store, empty(neo4j_engine))
    yield neo4j_engine
    empty(neo4j_engine)


def copy(source: GraphStore, target: GraphStore) -> None:
    """Write all nodes and relationships of one graph, with their properties, into another one, which is empty."""
    for label, key in schema.KEYS.items():
        if label != "GraphSchema":
            rows = source.read(f"MATCH (n:{label}) RETURN n.{key} AS key, properties(n) AS props")
            target.write(f"UNWIND $rows AS row MERGE (n:{label} {{{key}: row.key}}) SET n += row.props", rows)
    for kind, (start, end) in schema.RELATIONSHIPS.items():
        a, b = schema.KEYS[start], schema.KEYS[end]
        rows = source.read(
            f"MATCH (a:{start})-[r:{kind}]->(b:{end}) RETURN a.{a} AS a, b.{b} AS b, properties(r) AS props"
        )
        target.write(
            f"UNWIND $rows AS row MATCH (a:{start} {{{a}: row.a}}) MATCH (b:{end} {{{b}: row.b}}) "
            f"CREATE (a)-[r:{kind}]->(b) SET r += row.props",
            rows,
        )

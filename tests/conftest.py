"""Fixtures for tests on real graph engines.

``store`` is an empty graph with its schema on each engine in turn: ``embedded``, and ``neo4j`` (a real server, see
neo4j_server.py for when it runs; `pytest -m "not neo4j"` leaves it out). ``embedded_store`` is on the first alone.
One server of each kind serves the whole session.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg import embedded, schema
from kg.bolt import BoltStore
from tests.kg import neo4j_server

ENGINES = (pytest.param("embedded"), pytest.param("neo4j", marks=pytest.mark.neo4j))


def empty(store: BoltStore) -> BoltStore:
    """The store with nothing left in its graph but the schema."""
    left = True
    while left:
        left = bool(
            store.write("MATCH (n) WHERE NOT n:GraphSchema WITH n LIMIT 5000 DETACH DELETE n RETURN 1 AS one LIMIT 1")
        )
    return store


@pytest.fixture(scope="session")
def embedded_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltStore]:
    folder = tmp_path_factory.mktemp("engine") / "graph"
    with embedded.open_embedded(folder) as store:
        schema.apply(store)
        yield store
    embedded.stop(folder)


@pytest.fixture(scope="session")
def neo4j_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltStore]:
    server = neo4j_server.start(tmp_path_factory.mktemp("neo4j"))
    try:
        with BoltStore(server.uri, server.auth) as store:
            schema.apply(store)
            yield store
    finally:
        server.stop()


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest) -> BoltStore:
    """An empty graph with its schema, on each engine."""
    return empty(request.getfixturevalue(f"{request.param}_engine"))


@pytest.fixture
def embedded_store(embedded_engine: BoltStore) -> BoltStore:
    """An empty graph with its schema, on the embedded engine alone."""
    return empty(embedded_engine)

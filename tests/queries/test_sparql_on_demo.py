"""The SPARQL queries on the demo's graph: each answers, and as its Cypher query does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import queries
from kg import walks
from kg.export import export_graph
from kg.sparql import library, sparql
from kg.store import GraphStore
from tests.kg.test_sparql import same

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def exported(demo_store: GraphStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("rdf") / "demo.nt"
    export_graph(demo_store, "nt", path)
    yield path
    path.unlink()


@pytest.mark.parametrize("name", library())
def test_a_query_answers_as_its_cypher_one_does(name: str, demo_store: GraphStore, exported: Path) -> None:
    one = library()[name]
    cypher = queries.get(one.cypher)
    given = one.query.example_values()
    expected = walks.rows(demo_store, cypher, cypher.bind(given))
    assert expected
    same(sparql(exported, one.query.text, one.query.bind(given)), expected)

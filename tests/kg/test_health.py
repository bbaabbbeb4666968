"""The survey of a graph: counts of what is there, and each fault that Cypher can make, on every engine."""

from __future__ import annotations

import pytest

from kg import health, schema
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.store import GraphStore, StoreError, StoreUnavailable
from tests.kg import small_crawl as web
from tests.kg.recording_store import RecordingStore
from tests.queries.small_graph import fill


def kinds(found: health.Survey) -> list[tuple[str, str]]:
    return [(fault.kind, fault.element) for fault in found.faults]


@pytest.mark.slow
def test_a_whole_graph_has_no_faults_and_every_number(store: GraphStore) -> None:
    fill(store)
    seen: dict[str, int] = {}
    found = health.survey(store, seen.__setitem__)
    assert found.faults == health.sample(store) == []
    assert found.changing == set()
    for label, count in found.nodes.items():
        assert store.read(f"MATCH (n:{label}) RETURN count(n) AS n") == [{"n": count}] == [{"n": seen[label]}]
    for kind, count in found.edges.items():
        assert store.read(f"MATCH ()-[r:{kind}]->() RETURN count(r) AS n") == [{"n": count}] == [{"n": seen[kind]}]
    assert found.edges.total() > 50
    assert found.owned[("FETCHED", web.CRAWL.id)] == len(web.OUTCOMES)
    assert found.owned[("IN_ONTOLOGY", web.ONTOLOGY.key)] == len(web.CONCEPTS)
    assert health.crawl_rows(store, web.CRAWL.id) == {
        kind: found.owned[(kind, web.CRAWL.id)] for kind in ("FETCHED", "KNOWS", "LINKS_TO")
    }


@pytest.mark.slow
def test_keys_that_were_dropped_are_made_again(store: BoltStore) -> None:
    assert schema.lacking(store) == ()
    store.schema("DROP CONSTRAINT crawl_id")
    store.schema("DROP INDEX proposal_topic")
    try:
        lacking = schema.lacking(store)
        assert [statement.split()[2] for statement in lacking] == ["crawl_id", "proposal_topic"]
        assert schema.plan(store).schema == ()
        assert schema.plan(store, compare=True).schema == lacking
        store.write("UNWIND [1, 2] AS n CREATE (:Crawl {id: 'twice'}) RETURN count(*) AS n")
        assert kinds(health.survey(store)) == [(health.DOUBLED_NODES, "Crawl")]
        with pytest.raises(StoreError, match=r"where nodes share a key, `ontocrawl graph check`"):
            schema.apply(store, compare=True)
        store.write("MATCH (c:Crawl {id: 'twice'}) DELETE c RETURN count(*) AS n")
    finally:
        schema.apply(store, compare=True)
    assert schema.lacking(store) == ()
    with pytest.raises(StoreError, match="refused"):
        store.write("UNWIND [1, 2] AS n CREATE (:Crawl {id: 'twice'}) RETURN count(*) AS n")


@pytest.mark.slow
def test_relationships_that_are_doubled_or_of_nobody(store: GraphStore) -> None:
    fill(store)
    store.write("MATCH (a:Page)-[:ON_HOST]->(h:Host) WITH a, h LIMIT 1 CREATE (a)-[:ON_HOST]->(h) RETURN count(*) AS n")
    store.write("MATCH (a:Page) WITH a LIMIT 1 CREATE (a)-[:LED_TO {crawl: 'gone'}]->(a) RETURN count(*) AS n")
    found = health.survey(store)
    assert sorted(kinds(found)) == [(health.DOUBLED_EDGES, "ON_HOST"), (health.OWNERLESS, "LED_TO")]
    assert "name the crawl 'gone'" in found.faults[-1].what


def test_what_the_server_cannot_read_is_a_fault_and_no_end() -> None:
    none = {"count(": [{"nodes": 0, "keys": 0, "value": ""}]}
    damaged = RecordingStore({"MATCH (n:Page)": StoreError("Invalid page number to read"), **none})
    found = health.survey(damaged)
    assert (health.UNREADABLE, "Page") in kinds(found)
    assert "Invalid page number to read" in found.faults[0].what
    assert [fault.element for fault in health.sample(damaged)] == ["Page"]
    with pytest.raises(StoreUnavailable):
        health.survey(RecordingStore({"MATCH (n:Page)": StoreUnavailable("gone"), **none}))


@pytest.mark.slow
def test_the_engine_finds_nothing_wrong_with_a_whole_graph(embedded_store: embedded.EmbeddedStore) -> None:
    fill(embedded_store)
    assert embedded.check_structures(embedded_store._folder) == []

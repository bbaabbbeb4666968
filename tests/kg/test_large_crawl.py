"""A crawl of more pages than the embedded engine sorts in its memory: what is read of all pages is sorted here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import networks, schema
from kg.engine import embedded
from kg.ranking.link_graph import read_link_graph
from kg.store import GraphStore, StoreError

PAGES, KNOWN, PER_WRITE = 120_000, 10_000, 5_000
MEMORY = 256
"""MB of the engine; with four times as much it would take four times the pages."""
WRITE = """
MATCH (c:Crawl {id: 'large'})
MATCH (h:Host {name: 'large.example'})
UNWIND $rows AS row
CREATE (p:Page {url: row.url})-[:ON_HOST]->(h)
CREATE (c)-[:%s {title: row.title, relevance: row.relevance}]->(p)
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    folder: Path = tmp_path_factory.mktemp("large") / "graph"
    with embedded.open_embedded(folder, memory=MEMORY) as store:
        schema.apply(store)
        store.write("MERGE (:Crawl {id: 'large'}) MERGE (:Host {name: 'large.example'})")
        for first in range(0, PAGES + KNOWN, PER_WRITE):
            rows = [
                {"url": f"http://large.example/{n}/a-page-of-many", "title": f"A page of many, {n}", "relevance": 0.5}
                for n in range(first, first + PER_WRITE)
            ]
            with store.transaction() as transaction:
                transaction.write(WRITE % ("FETCHED" if first < PAGES else "KNOWS"), rows)
        yield store
    embedded.stop(folder)


@pytest.mark.slow
def test_the_pages_of_a_large_crawl_are_read_in_order(large: GraphStore) -> None:
    with pytest.raises(StoreError, match="ORDER BY"):  # so many that the engine does not sort them
        large.read(
            "MATCH (:Crawl {id: 'large'})-[r:FETCHED|KNOWS]->(p:Page)-[:ON_HOST]->(h:Host) "
            "RETURN p.url AS url, h.name AS host, properties(r) AS props ORDER BY url"
        )
    graph = read_link_graph(large, "large")
    assert len(graph.urls) == PAGES + KNOWN
    assert list(graph.urls) == sorted(graph.urls)
    assert int(graph.fetched.sum()) == PAGES
    urls = [row["url"] for row in networks.fetched_pages(large, "large")]
    assert len(urls) == PAGES
    assert urls == sorted(urls)
    assert len(networks.known_pages(large, "large")) == KNOWN

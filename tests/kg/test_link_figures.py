"""Stored figures of links: each query that reads them has the rows of the statement that counts, on random graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import queries
from benchmarks.full_scans import FULL_SCANS
from kg.project import project_crawl, remove_crawl
from kg.ranking import stored
from kg.ranking.crawl_ranks import _page_communities, _tree_depths, rank_crawl
from kg.ranking.link_graph import read_link_graph
from kg.records import CrawlRow, KnownRow, LinkRow, OutcomeRow
from kg.store import GraphStore, Row, StoreError
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from tests.kg import small_crawl as web
from tests.kg.recording_store import RecordingStore
from tests.kg.test_project import everything, project, project_older

PARAMETERS: dict[str, Sequence[dict[str, Any]]] = {
    "links/authorities": ({}, {"least": 2, "limit": 3}),
    "links/between_hosts": ({}, {"least": 1}, {"least": 3, "limit": 2}),
    "links/hubs": ({}, {"least": 1}, {"limit": 2}),
    "links/locality": ({}, {"pages": 7}),
}


def random_crawl(
    store: GraphStore, crawl: CrawlRow, seed: int, pages: int = 30, links: int = 150
) -> tuple[list[OutcomeRow], list[LinkRow]]:
    """Project a crawl of a random web: failures, copies, links of a page to itself and to pages that are only known."""
    draw = np.random.default_rng(seed)
    url = [f"http://h{int(h)}.cn/{n}" for n, h in enumerate(draw.integers(0, 5, 2 * pages))]
    fetched = draw.permutation(2 * pages)[:pages].tolist()
    outcomes = [_outcome(step, url[page], draw) for step, page in enumerate(fetched, 1)]
    readable = [page for page, row in zip(fetched, outcomes, strict=True) if row.failure is None]
    rows = []
    for page in readable:
        for target in draw.integers(0, 2 * pages, links // pages).tolist():
            row = LinkRow(url[page], url[target], url[target].split("/")[2], "", float(draw.random()))
            rows.append(row if draw.random() < 0.9 else replace(row, relevance=None))
    known = [KnownRow(u, u.split("/")[2], 0.5, "queued") for u in url if u not in {row.url for row in outcomes}]
    seeds = [url[page] for page in fetched[:3]]
    project_crawl(store, crawl, outcomes, rows, known, seeds=[*seeds, "http://nowhere.cn/"])
    return outcomes, rows


def _outcome(step: int, url: str, draw: np.random.Generator) -> OutcomeRow:
    relevance = round(float(draw.random()), 3)
    page = replace(web.outcome(step, relevance), url=url, host=url.split("/")[2], mentions=())
    kind = draw.random()
    if kind < 0.1:
        return replace(page, relevance=None, relevant=None, failure="http_404")
    return replace(page, relevant=None, near_duplicate_of="http://h0.cn/") if kind < 0.2 else page


def differences(store: GraphStore, crawl: str) -> list[str]:
    """The queries whose rows are not those of the statement that counts."""
    wrong = []
    for name, text in FULL_SCANS.items():
        query = queries.get(name)
        for given in PARAMETERS.get(name, ({},)):
            values = query.bind({"crawl": crawl, **given})
            if store.read(query.text, **values) != store.read(text, **values):
                wrong.append(f"{name} {given}")
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_stored_figures_are_those_that_a_query_counts(store: GraphStore, seed: int) -> None:
    random_crawl(store, web.OLDER, seed + 100)
    random_crawl(store, web.CRAWL, seed)
    for crawl in (web.OLDER.id, web.CRAWL.id):
        rank_crawl(store, crawl)
    rows = store.read(queries.get("links/between_hosts").text, crawl=web.CRAWL.id, least=1, limit=100)
    assert len(rows) > 5
    assert differences(store, web.CRAWL.id) == differences(store, web.OLDER.id) == []


@pytest.mark.slow
def test_figures_follow_links_that_change(store: GraphStore) -> None:
    outcomes, links = random_crawl(store, web.CRAWL, 1)
    rank_crawl(store, web.CRAWL.id)
    before = everything(store)
    fewer = [row for row in links if row.target_host != "h1.cn"]
    project_crawl(store, web.CRAWL, outcomes, fewer, (), seeds=[outcomes[0].url])
    assert differences(store, web.CRAWL.id)
    rank_crawl(store, web.CRAWL.id)
    assert differences(store, web.CRAWL.id) == []
    rank_crawl(store, web.CRAWL.id)
    assert differences(store, web.CRAWL.id) == []
    random_crawl(store, web.CRAWL, 1)
    rank_crawl(store, web.CRAWL.id)
    assert _without_tree(everything(store)) == _without_tree(before)


def _without_tree(found: list[Any]) -> list[Any]:
    """LED_TO of another seed stays, as a projection only adds to it."""
    nodes, edges = found
    moved = ("depth", "seed")
    kept = [
        {**row, "props": {k: v for k, v in row["props"].items() if k not in moved}}
        for row in edges if row["kind"] != "LED_TO"
    ]  # fmt: skip
    return [nodes, kept]


@pytest.mark.slow
def test_a_crawl_without_figures_is_refused_with_the_command(store: GraphStore) -> None:
    project(store)
    for name in (q.name for q in queries.all_queries() if q.stored):
        with pytest.raises(UsageError, match=rf"{name} reads .* crawl run-b does not have.*Graph\.add") as refused:
            graph_store.ask(store, name)
        assert "`ontocrawl graph rank run-b`" in refused.value.said("en", on_command_line=True)
    rank_crawl(store, "run-b")
    assert graph_store.ask(store, "crawl/by_depth").rows
    project_older(store)
    assert graph_store.ask(store, "crawl/by_depth").rows
    with pytest.raises(UsageError, match="crawl run-a does not have"):
        graph_store.ask(store, "crawl/by_depth", crawl="run-a")
    assert graph_store.ask(store, "crawl/by_depth", crawl="nowhere").rows == ()
    project(store)
    assert stored.crawl_without(store) == "run-b"


class Failing(RecordingStore):
    """A store that passes everything on to another one, and fails at one of its writes."""

    def __init__(self, store: GraphStore, at: int) -> None:
        super().__init__()
        self.store, self.left = store, at

    def read(self, query: str, **params: Any) -> list[Row]:
        return self.store.read(query, **params)

    def write(self, query: str, rows: Any = None, **params: Any) -> list[Row]:
        self._count()
        return self.store.write(query, rows, **params)

    def transaction(self) -> Any:
        self._count()
        return self.store.transaction()

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise StoreError("the server went away")


@pytest.mark.slow
def test_an_interrupted_writing_is_noticed_and_repaired_by_repeating(embedded_store: GraphStore) -> None:
    random_crawl(embedded_store, web.CRAWL, 5)
    rank_crawl(embedded_store, web.CRAWL.id)
    whole = everything(embedded_store)
    for at in range(1, 5):
        with pytest.raises(StoreError, match="went away"):
            rank_crawl(Failing(embedded_store, at), web.CRAWL.id)
        assert stored.crawl_without(embedded_store) == web.CRAWL.id
    rank_crawl(Failing(embedded_store, 5), web.CRAWL.id)
    assert everything(embedded_store) == whole


@pytest.mark.slow
def test_removing_a_crawl_removes_its_links_between_hosts_only(store: GraphStore) -> None:
    project_older(store)
    rank_crawl(store, "run-a")
    alone = everything(store)
    project(store)
    rank_crawl(store, "run-b")
    count = "MATCH (:Host)-[l:LINKS_TO_HOST]->(:Host) RETURN l.crawl AS crawl, count(*) AS n ORDER BY crawl"
    assert store.read(count) == [{"crawl": "run-a", "n": 1}, {"crawl": "run-b", "n": 3}]
    remove_crawl(store, "run-b")
    assert store.read(count) == [{"crawl": "run-a", "n": 1}]
    ours = {row["key"] for row in alone[0]}
    assert [row for row in everything(store)[1] if row["key"] in ours] == alone[1]


def test_communities_and_components_stand_on_the_pages(store: GraphStore) -> None:
    project(store)
    report = rank_crawl(store, "run-b")
    rows = store.read(
        "MATCH (c:Crawl {id: 'run-b'})-[r:FETCHED|KNOWS]->(p:Page) "
        "RETURN p.url AS url, r.community AS community, r.component AS component, c.modularity AS Q ORDER BY url"
    )
    assert report.components == 1 and report.modularity == pytest.approx(rows[0]["Q"])
    of = {row["url"].removeprefix("http://"): row for row in rows}
    cycle = ("a.cn/1", "a.cn/3", "b.cn/5", "b.cn/6", "b.cn/4", "a.cn/2")
    assert [of[url]["component"] for url in cycle[:4]] == [1, 1, 1, 1]
    assert [of[url]["component"] for url in ("a.cn/2", "b.cn/4", "b.cn/7")] == [2, 3, 4]
    assert [of[url]["component"] for url in ("b.cn/8", "c.cn/9")] == [None, None]
    assert of["b.cn/8"]["community"] == of["b.cn/6"]["community"]
    assert of["c.cn/9"]["community"] == of["b.cn/4"]["community"]
    assert {row["community"] for row in rows} == set(range(1, report.communities + 1))
    graph = read_link_graph(store, "run-b")
    number = _page_communities(graph).number
    assert dict(zip(graph.urls, number.tolist(), strict=True)) == {row["url"]: row["community"] for row in rows}


def test_pages_that_only_links_mention_are_nodes_with_hosts(embedded_store: GraphStore) -> None:
    project_crawl(embedded_store, web.CRAWL, web.OUTCOMES, web.LINKS, (), seeds=[web.SEED])
    graph = read_link_graph(embedded_store, "run-b")
    assert (graph.nodes, len(graph.urls)) == (9, 7)
    assert [graph.hosts[h] for h in graph.host[7:]] == ["b.cn", "c.cn"]  # in order of the URLs
    address = {"page": "http://b.cn/8", "host": "z.cn"}
    second = "MATCH (p:Page {url: $page}) MERGE (h:Host {name: $host}) MERGE (p)-[:ON_HOST]->(h) RETURN count(*) AS n"
    assert embedded_store.write(second, **address) == [{"n": 1}]
    two = read_link_graph(embedded_store, "run-b")
    assert [two.hosts[h] for h in two.host[7:]] == ["z.cn", "c.cn"]  # one host of a page with two
    embedded_store.write("MATCH (h:Host {name: 'z.cn'}) DETACH DELETE h RETURN count(*) AS n")
    rank_crawl(embedded_store, "run-b")
    rows = embedded_store.read(queries.get("links/between_hosts").text, crawl="", least=1, limit=9)
    assert {"source": "b.cn", "target": "c.cn", "links": 1, "to_relevant": 0} in rows


@pytest.mark.slow
def test_a_crawl_without_links_and_one_without_pages(store: GraphStore) -> None:
    project_crawl(store, web.CRAWL, web.OUTCOMES, (), (), seeds=[web.SEED])
    report = rank_crawl(store, "run-b")
    assert (report.links, report.communities, report.modularity, report.components) == (0, 7, 0.0, 0)
    project_crawl(store, web.OLDER, (), (), ())
    report = rank_crawl(store, "run-a")
    assert (report.pages, report.communities, report.host_pairs) == (0, 0, 0)
    assert graph_store.ask(store, "links/communities", crawl="run-a").rows == ()


def test_depths_of_a_forest() -> None:
    depth, root = _tree_depths(7, [0, 0, 2, 4, 5], [1, 2, 3, 5, 4], [0, 6, 0])
    assert depth.tolist() == [0, 1, 1, 2, -1, -1, 0]
    assert root.tolist() == [0, 0, 0, 0, -1, -1, 6]
    assert _tree_depths(0, [], [], [])[0].size == 0
    chain = _tree_depths(3_000, range(2_999), range(1, 3_000), [0])[0]
    assert chain.tolist() == list(range(3_000))

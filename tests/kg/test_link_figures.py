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

SORTED: dict[str, tuple[str, Sequence[dict[str, Any]]]] = {
    "crawl/tunnels": ("""
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
MATCH (c)-[f:FETCHED]->(p:Page)
WHERE f.relevant
MATCH (p)<-[l:LED_TO]-(exit:Page)
WHERE l.crawl = c.id
MATCH (exit)<-[x:FETCHED]-(c)
WHERE x.relevant = false
MATCH way = (exit)<-[:LED_TO*1..4 {crawl: c.id}]-(entrance:Page)
MATCH (entrance)<-[e:FETCHED]-(c)
WHERE e.relevant
WITH c, p, f, entrance, nodes(way)[0..-1] AS back
UNWIND back AS inner
MATCH (inner)<-[g:FETCHED]-(c)
WITH p, f, entrance, size(back) AS length, inner, g
ORDER BY p.url, entrance.url, g.step
WITH p, f, entrance, length, collect(inner.url) AS through, sum(CASE WHEN g.relevant THEN 1 ELSE 0 END) AS bright
WHERE bright = 0
RETURN p.url AS url, f.relevance AS relevance, f.step AS step, length, entrance.url AS entrance, through
ORDER BY length DESC, relevance DESC, url
LIMIT $limit
""", ({}, {"limit": 2})),
    "links/communities": ("""
MATCH (c:Crawl)
WHERE $crawl = '' OR c.id = $crawl
WITH c ORDER BY c.started DESC, c.id DESC LIMIT 1
CALL (c) {
  MATCH (c)-[f:FETCHED]->(p:Page)
  WHERE f.community IS NOT NULL
  WITH f.community AS community, f.relevance AS R, f.relevant AS relevant, f.pagerank AS rank, f.step AS step,
       CASE WHEN f.relevance IS NULL THEN null WHEN f.title = '' THEN p.url ELSE f.title END AS title
  ORDER BY rank DESC, step
  WITH community, count(*) AS pages, count(R) AS judged, sum(CASE WHEN relevant THEN 1 ELSE 0 END) AS relevant,
       collect(title) AS titles
  WITH community, pages, judged, relevant, titles[0..$names] AS titles
  ORDER BY community
  RETURN sum(judged) AS all_judged, collect({community: community, pages: pages, judged: judged, relevant: relevant,
         titles: titles}) AS communities
}
CALL (c) {
  MATCH (c)-[f:FETCHED]->(:Page)-[:ON_HOST]->(h:Host)
  WHERE f.community <= $limit
  WITH f.community AS community, h.name AS host, count(*) AS pages
  ORDER BY community, pages DESC, host
  WITH community, collect(host) AS names
  RETURN collect({community: community, names: names[0..$names]}) AS hosts_of
}
CALL (c) {
  MATCH (c)-[f:FETCHED]->(:Page)-[m:MENTIONS]->(k:Concept)
  WHERE m.crawl = c.id AND f.community IS NOT NULL
  WITH k, f.community AS community, count(*) AS pages
  WITH coalesce(k.label_zh, k.label_en, k.iri) AS name, k.iri AS iri,
  sum(pages) AS all_pages,
       collect({community: community, pages: pages}) AS parts
  UNWIND parts AS part
  WITH part.community AS community, name, iri, part.pages AS pages, all_pages
  WHERE community <= $limit
  WITH community, name, iri, pages, all_pages
  ORDER BY community, pages DESC, name, iri
  WITH community, collect({name: name, pages: pages, all_pages: all_pages}) AS concepts
  RETURN collect({community: community, concepts: concepts}) AS concepts_of
}
UNWIND communities AS g
WITH g, all_judged, hosts_of, concepts_of
WHERE g.pages >= $least AND g.community <= $limit
WITH g, all_judged, [x IN hosts_of WHERE x.community = g.community] AS hosts,
     [x IN concepts_of WHERE x.community = g.community] AS named
WITH g, all_judged, CASE WHEN size(hosts) = 0 THEN [] ELSE hosts[0].names END AS hosts,
     CASE WHEN size(named) = 0 THEN [] ELSE named[0].concepts END AS concepts
CALL (g, all_judged, concepts) {
  UNWIND concepts AS k
  WITH k.name AS name, 1.0 * k.pages / g.judged AS p, 1.0 * k.all_pages / all_judged AS q
  WHERE p > q
  WITH name, p * log(p / q) AS weight
  ORDER BY weight DESC, name
  RETURN collect(name) AS names
}
RETURN g.community AS community, g.pages AS pages, g.relevant AS relevant,
       CASE WHEN g.judged = 0 THEN null ELSE 1.0 * g.relevant / g.judged END AS share,
       names[0..$names] AS characteristic, [k IN concepts | k.name][0..$names] AS mentioned, hosts,
       g.titles AS heaviest
ORDER BY community
""", ({"least": 1}, {"least": 1, "names": 1}, {"names": 100, "limit": 2})),
}  # fmt: skip
"""Query -> its statement as it was while it sorted all concepts or all ways, and parameters that both are sent with."""


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
@pytest.mark.parametrize("seed", range(3))
def test_first_concepts_and_shortest_ways_are_those_of_sorting_all(store: GraphStore, seed: int) -> None:
    random_crawl(store, web.OLDER, seed + 100)
    outcomes, _ = random_crawl(store, web.CRAWL, seed, pages=60, links=240)
    draw = np.random.default_rng(seed)
    names = [{"iri": web.BASE + name, "label": name[0]} for name in ("A1", "A2", "B", "C", "D")]  # two of one name
    store.write("UNWIND $rows AS row MERGE (k:Concept {iri: row.iri}) SET k.label_zh = row.label", names)
    read = [o.url for o in outcomes if o.relevance is not None]
    mentions = [{"url": url, "iri": str(n["iri"])} for url in read for n in names if draw.random() < 0.4]
    store.write(
        "UNWIND $rows AS row MATCH (p:Page {url: row.url}) MATCH (k:Concept {iri: row.iri}) "
        "MERGE (p)-[:MENTIONS {crawl: 'run-b'}]->(k)", mentions,
    )  # fmt: skip
    tree = [{"a": outcomes[max(0, i - int(draw.integers(1, 4)))].url, "b": outcomes[i].url} for i in range(1, 60)]
    store.write("MATCH (:Page)-[l:LED_TO]->(:Page) WHERE l.crawl = 'run-b' DELETE l")  # the tree of these is not deep
    store.write(
        "UNWIND $rows AS row MATCH (a:Page {url: row.a}) MATCH (b:Page {url: row.b}) "
        "MERGE (a)-[:LED_TO {crawl: 'run-b'}]->(b)", tree,
    )  # fmt: skip
    rank_crawl(store, web.CRAWL.id)
    same_rows(store)
    lengths = {row["length"] for row in store.read(queries.get("crawl/tunnels").text, crawl="", limit=100)}
    assert {1, 2} < lengths


def same_rows(store: GraphStore) -> None:
    """Assert that each query has the rows of the statement that sorted."""
    for name, (text, given) in SORTED.items():
        query = queries.get(name)
        for some in given:
            values = query.bind({"crawl": web.CRAWL.id, **some})
            rows = store.read(text, **values)
            assert rows and store.read(query.text, **values) == rows, (name, some)


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

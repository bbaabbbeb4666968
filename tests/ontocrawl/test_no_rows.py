"""A library query without rows says why: on an empty graph, on a small one, and with parameters that leave out all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import queries
from kg import walks
from kg.bolt import BoltStore
from kg.load import is_loaded, load_ontology
from kg.papers import load_documents
from kg.project import project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.records import CrawlRow
from kg.store import GraphStore
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import query_parameters
from ontocrawl.graph.query_parameters import NEEDS
from ontology.model import Concept, Document, Ontology, Relation
from tests.conftest import empty
from tests.kg import small_crawl as web
from tests.ontocrawl.conftest import Command
from tests.queries.small_graph import A1, A2, C9, GLOBAL, LOCAL, fill

FOR_USERS = queries.all_queries()
OF_THE_SMALL_GRAPH = {
    "url": A1, "source": A1, "target": A2, "host": "a.cn", "concept": "洪水", "also": "山洪", "narrower": "山洪",
    "broader": "洪水", "one": "run-b", "other": "run-a", "term": "风险", "older": GLOBAL, "newer": LOCAL,
    "label": "洪水", "text": "内涝", "proposal": "海啸",
}  # fmt: skip
EXCLUDING = {
    "least": 10**6, "most": 0, "since": "9999", "promise": 1.0, "status": "rejected", "ontology": "http://none/",
    "topic": "none", "about": "none", "kind": "paper",
}  # fmt: skip
"""Parameter -> a value that leaves out as much as it can."""


def given(query: queries.Query) -> dict[str, Any]:
    return {p.name: OF_THE_SMALL_GRAPH[p.name] for p in query.parameters if p.required}


def reason(store: GraphStore, name: str, values: Mapping[str, Any]) -> str:
    query = queries.get(name)
    bound = query.bind(values)
    assert walks.rows(store, query, bound) == [], name
    return query_parameters.reason(store, query, bound)


@pytest.mark.parametrize("query", FOR_USERS, ids=lambda q: q.name)
def test_every_query_says_what_it_needs(query: queries.Query) -> None:
    assert query.needs and set(query.needs) <= set(NEEDS)
    parameters = {p.name for p in query.parameters}
    for need in query.needs:
        assert set(re.findall(r"\$(\w+)", NEEDS[need])) <= parameters | {"crawl"}
    assert "timeout" not in parameters and "workspace" not in parameters


def test_a_query_that_is_told_no_crawl_says_which_one_it_takes() -> None:
    several: Any = SimpleNamespace(read=lambda statement: [{"id": "second"}, {"id": "first"}])
    one: Any = SimpleNamespace(read=lambda statement: [{"id": "first"}])
    best = queries.get("pages/most_relevant")
    assert query_parameters.of_newest(several, best, {}) == [
        "of second, the newest of 2 crawls; crawl=RUN asks another one"
    ]
    assert query_parameters.of_newest(several, best, {"crawl": "first"}) == []
    assert query_parameters.of_newest(one, best, {}) == []
    assert query_parameters.of_newest(several, queries.get("ontology/ontologies"), {}) == []
    own = queries.parse("own/latest", "// param: crawl text newest which\nRETURN $crawl AS crawl", own=True)
    assert len(query_parameters.of_newest(several, own, {})) == 1
    assert query_parameters.of_newest(several, own, {"crawl": "first"}) == []


@pytest.mark.slow
def test_every_query_says_why_an_empty_graph_has_no_rows(store: BoltStore) -> None:
    for query in FOR_USERS:
        found = reason(store, query.name, given(query))
        assert found.startswith(("the graph has no ", "no terms are proposed for any crawl: ")), (query.name, found)
        assert "`ontocrawl " in found, (query.name, found)


def nothing_in(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that name nothing: null in the first column, or no value but null and 0."""
    return [row for row in rows if next(iter(row.values())) is None or not any(row.values())]


@pytest.mark.slow
def test_no_query_has_a_row_of_nothing(store: BoltStore) -> None:
    """On an empty graph, after a crawl without pages, without links, and of pages that were not judged."""
    twins = [replace(row, relevant=None, near_duplicate_of=A1) for row in web.OUTCOMES]
    for outcomes, links in ((None, ()), ((), ()), (web.OUTCOMES, ()), (twins, web.LINKS)):
        empty(store)
        if outcomes is not None:
            project_crawl(store, web.CRAWL, outcomes, links, [], seeds=[web.SEED])
            rank_crawl(store, web.CRAWL.id)
        for query in FOR_USERS:
            assert nothing_in(store.read(query.text, **query.bind(given(query)))) == [], query.name


@pytest.mark.slow
def test_every_query_without_rows_has_a_reason_on_a_small_graph(store: BoltStore) -> None:
    fill(store)
    asked = 0
    for query in FOR_USERS:
        names = {p.name for p in query.parameters if not p.choices or EXCLUDING.get(p.name) in p.choices}
        values = given(query) | {name: value for name, value in EXCLUDING.items() if name in names}
        bound = query.bind(values)
        if walks.rows(store, query, bound):
            continue
        asked += 1
        found = query_parameters.reason(store, query, bound)
        assert found and "{" not in found, (query.name, found)
        left_out = [name for name in EXCLUDING if name in names]
        assert any(f"{name}=" in found for name in left_out) or query.needs, (query.name, found)
    assert asked >= 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "values", "says"),
    [
        ("hosts/that_pay", {"least": 50}, "least=50 leaves out all rows: with least=1 there are 2"),
        ("pages/newest", {"since": "2030-01-01"}, "since=2030-01-01 leaves out all rows: without it there are 3"),
        ("enrichment/proposals", {"status": "rejected"}, "status=rejected leaves out all rows: without it there are 3"),
        ("enrichment/proposals", {"crawl": "run-a", "kind": "relation"}, "kind=relation leaves out all rows: without"),
        ("enrichment/sentences", {"proposal": "海啸"}, "no crawl proposes 海啸: `ontocrawl query run enrichment/"),
        ("pages/top_by_pagerank", {"crawl": "run-a"}, "no page of run-a has a PageRank: `ontocrawl graph rank run-a`"),
        ("crawl/failures", {"crawl": "run-a"}, "no fetch of run-a failed"),
        ("ontology/descendants", {"concept": "河流"}, "nothing is below 河流"),
        ("ontology/descendants", {"concept": "河流", "ontology": GLOBAL}, f"the ontology {GLOBAL} does not have 河流"),
        ("links/path", {"source": C9, "target": A1}, "no way of one to eight links leads from http://c.cn/9"),
        ("quality/duplicated_content", {"crawl": "run-a"}, "no two pages of run-a have the same content"),
        ("evidence/documents_of_concept", {"concept": "堤坝"}, "no paper contains a name of 堤坝"),
        ("evidence/formal_concepts_of_term", {"term": "海啸"}, "no paper of the graph has the term 海啸"),
        ("pages/similar", {"url": "http://d.cn/10"}, "run-b does not know http://d.cn/10"),
        ("weights/of_topic", {"topic": "typhoon"}, "topic=typhoon leaves out all rows: without it there are"),
    ],
)
def test_the_reason_is_the_one_that_is_in_the_graph(
    embedded_store: BoltStore, name: str, values: Mapping[str, Any], says: str
) -> None:
    fill(embedded_store)
    query = queries.get(name)
    if walks.rows(embedded_store, query, query.bind(values)):
        pytest.fail(f"{name} has rows")
    found = query_parameters.reason(embedded_store, query, query.bind(values))
    assert re.search(says, found), found


@pytest.mark.slow
def test_a_crawl_of_one_host_without_anything_relevant(embedded_store: BoltStore) -> None:
    crawl = CrawlRow("one", "fcosa", "rainstorm", "corpus:x", "2024-05-03T00:00:00Z", "limit_pages")
    outcomes = [web.outcome(1, 0.4), web.outcome(2, 0.25)]
    load_ontology(embedded_store, web.ONTOLOGY)
    project_crawl(embedded_store, crawl, outcomes, web.LINKS[:1], (), seeds=[web.SEED])
    names = ("links/between_hosts", "pages/newest", "links/hubs", "crawl/left_behind", "ontology/most_mentioned",
             "enrichment/by_several_crawls")  # fmt: skip
    read = {name: reason(embedded_store, name, {}) for name in names}
    assert read["links/between_hosts"].startswith("all pages that one knows are on one host, a.cn, so that no link")
    assert read["pages/newest"] == "none of the 2 pages that one read is relevant; the highest relevance is 0.4000"
    assert read["links/hubs"] == read["pages/newest"]
    assert read["crawl/left_behind"] == "one fetched every page that it knows"
    assert read["ontology/most_mentioned"].startswith("no page of one names a concept")
    assert read["enrichment/by_several_crawls"].startswith("no terms are proposed for any crawl")


def test_one_ontology_shares_nothing(embedded_store: BoltStore) -> None:
    load_ontology(embedded_store, web.ONTOLOGY)
    assert reason(embedded_store, "ontology/shared", {}) == "the graph has only one ontology"


def test_a_query_without_a_header_for_it_names_what_is_missing(embedded_store: BoltStore) -> None:
    query = queries.parse("a/b", _HEADER + "MATCH (t:Topic)-[:WEIGHTS]->(c:Concept) RETURN c.iri AS iri ORDER BY iri")
    assert query_parameters.reason(embedded_store, query, {}) == "the graph has no node Concept (docs/graph.md)"
    embedded_store.write("MERGE (c:Concept {iri: 'x'}) MERGE (t:Topic {name: 'x'})")
    assert "nothing fits its parameters" in query_parameters.reason(embedded_store, query, {})


_HEADER = "// title: t\n// answers: q?\n// returns: iri\n// example:\n// cost: none\n"


@pytest.mark.slow
def test_the_command_says_why(command: Command, space: Workspace, crawled: str) -> None:
    asked = ("query", "run", "hosts/that_pay", "least=100000", f"crawl={crawled}", "--workspace", space.root)
    table = command(*asked)
    assert (table.code, table.out) == (0, "")
    assert "no rows: least=100000 leaves out all rows: with least=1 there are" in table.err
    document = command(*asked, "--json").json
    assert document["rows"] == [] and document["columns"][0] == "host"
    assert document["reasons"][0].startswith("least=100000 leaves out all rows")
    assert command(*asked, "--format", "csv").out.startswith("host,fetched")
    unknown = command("query", "run", "hosts/that_pay", "crawl=never", "--workspace", space.root, "--json").json
    assert unknown["reasons"][0].startswith("crawl=never: the graph has no such run")


@pytest.mark.slow
def test_names_and_words_are_found_in_both_scripts(store: BoltStore, tmp_path: Path) -> None:
    storm, rain = Concept("http://o/#T", "颱風", "typhoon"), Concept("http://o/#R", "暴雨灾害", "rainstorm")
    edges = (Relation(rain.iri, "subclass_of", storm.iri),)
    ontology = Ontology("http://o", "global", "t", "1", storm.iri, (storm, rain), edges)
    load_ontology(store, ontology)
    papers = [Document("p1", "颱風災害"), Document("p2", "台风与暴雨")]
    load_documents(store, papers, lambda d: {"颱風": 1} if d.id == "p1" else {"暴雨灾害": 1}, ontology="http://o")
    space = Workspace(tmp_path, Settings())

    def rows(name: str, **given: Any) -> list[Mapping[str, Any]]:
        table = query_parameters.ask(space, store, name, given)[0]
        return table.records()

    for one, other in (("台风", "颱風"), ("颱風", "台风")):
        assert [r["sentence"] for r in rows("evidence/search", text=one)] == ["颱風災害", "台风与暴雨"]
        assert rows("evidence/search", text=one) == rows("evidence/search", text=other)
        assert [r["label_zh"] for r in rows("ontology/concept", concept=one)] == ["颱風"]
        assert [r["label_zh"] for r in rows("ontology/descendants", concept=one)] == ["暴雨灾害"]
    assert [r["label_zh"] for r in rows("ontology/concept", concept="暴雨災害")] == ["暴雨灾害"]
    assert [r["id"] for r in rows("evidence/documents_of_concept", concept="台風")] == ["p1", "p2"]


@pytest.mark.slow
def test_an_older_graph_gets_its_simplified_forms_when_it_is_loaded_again(store: BoltStore) -> None:
    storm = Concept("http://o/#T", "颱風", "typhoon")
    ontology = Ontology("http://o", "global", "t", "1", storm.iri, (storm,), ())
    load_ontology(store, ontology)
    store.write("MATCH (:Concept)-[m:IN_ONTOLOGY]->(o:Ontology) SET m.folded = null, o.digest = 'of an older version'")
    find = queries.get("ontology/find")
    assert store.read(find.text, label="台风", limit=5) == []
    assert [r["label_zh"] for r in store.read(find.text, label="颱風", limit=5)] == ["颱風"]
    assert not is_loaded(store, ontology)
    load_ontology(store, ontology)
    assert [r["label_zh"] for r in store.read(find.text, label="台风", limit=5)] == ["颱風"]

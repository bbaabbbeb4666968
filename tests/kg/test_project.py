"""Projection of crawls: what is written, idempotence, two crawls side by side, removal, and the ranks of a crawl."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import queries
from kg.load import load_ontology
from kg.project import Progress, ProjectError, ProjectReport, project_crawl, remove_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.ranking.link_matrix import RankError
from kg.ranking.pagerank import pagerank
from kg.records import LinkRow, Mention
from kg.store import GraphStore
from tests.kg import small_crawl as web

EVERYTHING = {
    "MATCH (n) WHERE NOT n:Meta RETURN labels(n)[0] AS kind, coalesce(n.url, n.iri, n.id, n.name) AS key": (
        "kind",
        "key",
    ),
    "MATCH (a)-[r]->(b) RETURN type(r) AS kind, coalesce(a.url, a.iri, a.id) AS key, "
    "coalesce(b.url, b.iri, b.id, b.name) AS other, properties(r) AS props": ("kind", "key", "other", "props"),
}


def everything(store: GraphStore) -> list[Any]:
    """All nodes and relationships with their properties, sorted."""
    found = []
    for query, keys in EVERYTHING.items():
        rows = [row for row in store.read(query) if row["key"] is not None]
        found.append(sorted(rows, key=lambda row, keys=keys: [str(row[k]) for k in keys]))  # type: ignore[misc]
    return found


def project(store: GraphStore) -> ProjectReport:
    load_ontology(store, web.ONTOLOGY)
    return project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])


def project_older(store: GraphStore) -> ProjectReport:
    return project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED])


def test_everything_of_a_crawl_is_written(store: GraphStore) -> None:
    report = project(store)
    assert report == ProjectReport("run-b", 7, 10, 2, 7, 3, (), 6, 1)
    fetched = store.read(
        "MATCH (:Crawl {id: 'run-b'})-[f:FETCHED]->(p:Page)-[:ON_HOST]->(h:Host) "
        "RETURN f.step AS step, p.url AS url, h.name AS host, f.relevance AS relevance, f.relevant AS relevant, "
        "f.status AS status, f.failure AS failure, f.published AS published, f.evidence AS evidence ORDER BY step"
    )
    assert [row["url"] for row in fetched] == [o.url for o in web.OUTCOMES]
    assert fetched[0] == {
        "step": 1, "url": "http://a.cn/1", "host": "a.cn", "relevance": 0.9, "relevant": True, "status": 200,
        "failure": None, "published": "2024-05-01", "evidence": '{"move":"best"}',
    }  # fmt: skip
    assert (fetched[6]["status"], fetched[6]["failure"], fetched[6]["relevance"]) == (None, "timeout", None)
    known = store.read(
        "MATCH (:Crawl)-[k:KNOWS]->(p:Page) RETURN p.url AS url, k.priority AS p, k.reason AS r ORDER BY url"
    )
    assert known == [
        {"url": "http://b.cn/8", "p": None, "r": "rejected"},
        {"url": "http://c.cn/9", "p": 0.3, "r": "waiting"},
    ]
    crawl = store.read("MATCH (c:Crawl) RETURN c.strategy AS strategy, c.started AS started, c.seeds AS seeds")
    assert crawl == [{"strategy": "fcosa_lg", "started": web.CRAWL.started, "seeds": [web.SEED]}]


def test_led_to_is_a_tree_that_leads_back_to_the_seeds(store: GraphStore) -> None:
    project(store)
    first = store.read(
        "MATCH (a:Page)-[:LED_TO {crawl: 'run-b'}]->(b:Page) RETURN a.url AS source, b.url AS target ORDER BY target"
    )
    assert [(row["source"][7:], row["target"][7:]) for row in first] == [
        ("a.cn/1", "a.cn/2"), ("a.cn/1", "a.cn/3"), ("a.cn/1", "b.cn/4"), ("a.cn/3", "b.cn/5"), ("b.cn/5", "b.cn/6"),
        ("b.cn/6", "b.cn/7"), ("b.cn/6", "b.cn/8"), ("b.cn/4", "c.cn/9"),
    ]  # fmt: skip


@pytest.mark.slow
def test_projecting_twice_is_projecting_once(store: GraphStore) -> None:
    first = project(store)
    once = everything(store)
    assert project(store) == first
    assert everything(store) == once


@pytest.mark.slow
def test_two_crawls_of_the_same_pages_do_not_touch_each_other(store: GraphStore) -> None:
    project_older(store)
    alone = everything(store)
    project(store)
    both = store.read("MATCH (:Page {url: 'http://a.cn/1'})-[r:LINKS_TO]->(:Page {url: 'http://a.cn/2'}) "
                      "RETURN r.crawl AS crawl, r.anchor AS anchor ORDER BY crawl")  # fmt: skip
    assert both == [{"crawl": "run-a", "anchor": "另一个"}, {"crawl": "run-b", "anchor": "内涝"}]
    judged = store.read(
        "MATCH (c:Crawl)-[f:FETCHED]->(:Page {url: 'http://a.cn/2'}) RETURN c.id AS id, f.relevance AS r ORDER BY id"
    )
    assert judged == [{"id": "run-a", "r": 0.4}, {"id": "run-b", "r": 0.8}]
    assert remove_crawl(store, "run-b") == 9
    left = everything(store)
    concepts = {c.iri for c in web.CONCEPTS} | {web.ONTOLOGY.iri}
    assert [row for row in left[0] if row["key"] not in concepts] == alone[0]
    assert [row for row in left[1] if row["key"] not in concepts] == alone[1]


def test_removing_the_only_crawl_leaves_no_page_and_no_host(store: GraphStore) -> None:
    project(store)
    remove_crawl(store, "run-b")
    left = store.read("MATCH (n) WHERE n:Page OR n:Host OR n:Crawl RETURN count(n) AS n")
    assert left == [{"n": 0}]
    assert store.read("MATCH (c:Concept) RETURN count(c) AS n") == [{"n": len(web.CONCEPTS)}]
    assert remove_crawl(store, "run-b") == 0


def test_a_resumed_crawl_fetches_what_it_only_knew(store: GraphStore) -> None:
    project(store)
    more = replace(web.outcome(8, 0.9), url="http://b.cn/8")
    project_crawl(store, web.CRAWL, [*web.OUTCOMES, more], web.LINKS, web.KNOWN[1:], seeds=[web.SEED])
    kinds = store.read("MATCH (:Crawl)-[r]->(p:Page {url: 'http://b.cn/8'}) RETURN type(r) AS kind")
    assert kinds == [{"kind": "FETCHED"}]


@pytest.mark.slow
def test_what_a_page_does_not_name_any_more_goes(store: GraphStore) -> None:
    """As after a crawl took the weights of another version, which lacks a class: its pages are counted again."""
    project(store)
    named = "MATCH (:Page)-[m:MENTIONS]->(c:Concept) RETURN m.crawl AS crawl, c.iri AS iri, count(*) AS pages"
    before = {(row["crawl"], row["iri"]): row["pages"] for row in store.read(named)}
    gone = web.OUTCOMES[0].mentions[0].iri
    fewer = [replace(row, mentions=tuple(m for m in row.mentions if m.iri != gone)) for row in web.OUTCOMES]
    project_crawl(store, replace(web.CRAWL, id="run-c"), web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])
    project_crawl(store, web.CRAWL, fewer, web.LINKS, web.KNOWN, seeds=[web.SEED])
    after = {(row["crawl"], row["iri"]): row["pages"] for row in store.read(named)}
    left = {key: pages for key, pages in before.items() if key[1] != gone}
    assert len(left) < len(before)
    assert after == left | {("run-c", iri): pages for (_, iri), pages in before.items()}


@pytest.mark.slow
def test_mentions_of_concepts_that_are_not_loaded_are_reported(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    odd = replace(web.OUTCOMES[0], mentions=(Mention("https://nowhere.org#X", 1, 0.1), *web.OUTCOMES[0].mentions))
    report = project_crawl(store, web.CRAWL, [odd], [], [])
    assert report.unknown_concepts == ("https://nowhere.org#X",)
    assert report.mentions == 2
    assert store.read("MATCH (:Page)-[m:MENTIONS]->(:Concept) RETURN count(m) AS n") == [{"n": 2}]


@pytest.mark.slow
def test_more_rows_than_one_batch_with_progress(store: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.project._LINKS", 1_000)
    pages = [row.url for row in web.OUTCOMES[:3]]
    links = [
        LinkRow(source, f"http://h{n % 7}.cn/{n}", f"h{n % 7}.cn", str(n), 0.0)
        for source, few in zip(pages, (700, 2_500, 300), strict=True)
        for n in range(few)
    ]
    told: list[tuple[str, int]] = []
    report = project_crawl(
        store, web.CRAWL, web.OUTCOMES[:3], iter(links), iter(()), progress=lambda what, n: told.append((what, n))
    )
    assert (report.links, report.hosts) == (3_500, 8)
    assert told == [("pages", 3), *(("links", n) for n in (1_000, 2_000, 3_000, 3_500))]
    assert store.read("MATCH (:Page)-[r:LINKS_TO]->(:Page) RETURN count(r) AS n") == [{"n": 3_500}]


def many_links(source: str, count: int, anchor: str = "") -> list[LinkRow]:
    """Links of one page to as many others, with an anchor and their number."""
    return [LinkRow(source, f"http://h{n % 7}.cn/{n}", f"h{n % 7}.cn", f"{anchor}{n}", 0.5) for n in range(count)]


@pytest.mark.slow
def test_a_page_with_several_batches_of_links_is_written_again_and_after_an_interruption(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.project._LINKS", 1_000)
    pages = web.OUTCOMES[:2]
    links = [*many_links(pages[0].url, 2_300), *many_links(pages[1].url, 900)]
    project_older(store)

    def project_many(anchor: str = "", progress: Progress | None = None) -> ProjectReport:
        given = [replace(link, anchor=anchor + link.anchor) for link in links]
        return project_crawl(store, web.CRAWL, pages, given, (), seeds=[web.SEED], progress=progress)

    report = project_many()
    assert report.links == 3_200
    once = everything(store)
    assert project_many() == report and everything(store) == once

    def interrupt(what: str, done: int) -> None:
        if (what, done) == ("links", 2_000):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project_many("other ", interrupt)
    half = (
        "MATCH (:Page)-[r:LINKS_TO {crawl: 'run-b'}]->(:Page) WHERE r.anchor STARTS WITH 'other' RETURN count(r) AS n"
    )
    assert store.read(half) == [{"n": 2_000}]
    assert project_many() == report and everything(store) == once


def test_an_error_of_the_thread_that_writes_is_raised_and_nothing_after_it_written(store: GraphStore) -> None:
    rows = [replace(web.OUTCOMES[0], url=f"http://a.cn/{n}", host="a.cn" if n else "") for n in range(2_500)]
    with pytest.raises(ProjectError, match="host"):
        project_crawl(store, web.CRAWL, iter(rows), (), ())
    assert store.read("MATCH (p:Page) RETURN count(p) AS n") == [{"n": 0}]
    assert store.read("MATCH (c:Crawl) RETURN c.complete AS complete") == [{"complete": False}]


@pytest.mark.slow
def test_a_link_that_a_page_repeats_counts_once(store: GraphStore) -> None:
    links = many_links(web.SEED, 1_500)
    report = project_crawl(store, web.CRAWL, web.OUTCOMES[:1], [*links, *many_links(web.SEED, 10, "again ")], ())
    assert report.links == 1_500
    rows = store.read("MATCH (:Page)-[r:LINKS_TO]->(:Page {url: 'http://h1.cn/1'}) RETURN r.anchor AS anchor")
    assert rows == [{"anchor": "1"}]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_page_with_very_many_links(store: GraphStore) -> None:
    seeds = [web.SEED]
    for _ in range(2):
        report = project_crawl(store, web.CRAWL, web.OUTCOMES[:1], many_links(web.SEED, 30_000), (), seeds=seeds)
        assert report.links == 30_000
        for kind in ("LINKS_TO", "LED_TO"):
            assert store.read(f"MATCH (:Page)-[r:{kind}]->(:Page) RETURN count(r) AS n") == [{"n": 30_000}]
    assert rank_crawl(store, web.CRAWL.id).pages == 30_001
    assert remove_crawl(store, web.CRAWL.id) == 1
    assert store.read("MATCH (p:Page) RETURN count(p) AS n") == [{"n": 0}]


@pytest.mark.slow
def test_texts_of_a_page_are_cut_to_their_sizes(store: GraphStore) -> None:
    long = "暴" * 1_000_000
    page = replace(web.OUTCOMES[0], title=long, snippet=long)
    link = replace(web.LINKS[0], anchor=long)
    project_crawl(store, web.CRAWL, [page], [link], (), seeds=[web.SEED])
    row = store.read(
        "MATCH (:Crawl)-[f:FETCHED]->(p:Page)-[r:LINKS_TO]->(:Page) "
        "RETURN f.title AS title, f.snippet AS snippet, r.anchor AS anchor"
    )
    assert row == [{"title": long[:500], "snippet": long[:160], "anchor": long[:500]}]


def test_copies_and_pages_without_text_count_nowhere_as_relevant_or_not(store: GraphStore) -> None:
    first = replace(web.OUTCOMES[0], mentions=())
    copy = replace(first, step=2, url=f"{first.url}?copy", relevant=None, near_duplicate_of=first.url)
    hidden = replace(first, step=3, url=f"{first.url}?hidden", relevance=None, relevant=None, failure="noindex")
    project_crawl(store, web.CRAWL, [first, copy, hidden], (), (), seeds=[first.url])
    rows = store.read("MATCH (:Crawl)-[f:FETCHED]->(:Page) RETURN f.near_duplicate_of AS copy_of ORDER BY f.step")
    assert rows == [{"copy_of": None}, {"copy_of": first.url}, {"copy_of": None}]
    listed = store.read(queries.get("crawl/list").text, limit=5)
    assert [(row["fetched"], row["relevant"]) for row in listed] == [(2, 1)]
    judged = store.read(queries.get("quality/judge_against_label").text, crawl=web.CRAWL.id)
    assert [(row["relevant"], row["pages"]) for row in judged] == [(True, 1)]


@pytest.mark.slow
def test_links_replace_those_of_the_same_page_and_crawl_only(store: GraphStore) -> None:
    """Another journal under the same id: what a page showed before goes; the older crawl keeps its own."""
    project(store)
    project_older(store)
    changed = [replace(web.LINKS[0], anchor="渍水", relevance=None), *web.LINKS[2:]]
    project_crawl(store, web.CRAWL, web.OUTCOMES, changed, web.KNOWN, seeds=[web.SEED])
    links = (
        "MATCH (a:Page {url: $url})-[r:LINKS_TO {crawl: $crawl}]->(b:Page) "
        "RETURN b.url AS target, r.anchor AS anchor, r.relevance AS relevance ORDER BY target"
    )
    first = web.LINKS[0].source
    assert store.read(links, url=first, crawl=web.CRAWL.id) == [
        {"target": web.LINKS[0].target, "anchor": "渍水", "relevance": None},
        {"target": web.LINKS[2].target, "anchor": "洪水", "relevance": 0.6},
    ]
    older = store.read(links, url=first, crawl=web.OLDER.id)
    assert older == [{"target": web.OLDER_LINKS[0].target, "anchor": "另一个", "relevance": 0.2}]


@pytest.mark.slow
def test_links_of_a_page_must_come_together(store: GraphStore) -> None:
    """They replace one another, so the second lot would take out the first."""
    apart = [web.LINKS[0], web.LINKS[3], web.LINKS[1]]
    with pytest.raises(ProjectError, match=r"a\.cn/1.*one after another"):
        project_crawl(store, web.CRAWL, web.OUTCOMES, apart, web.KNOWN, seeds=[web.SEED])


def test_rows_without_a_key_are_refused(store: GraphStore) -> None:
    with pytest.raises(ProjectError, match="URL"):
        project_crawl(store, web.CRAWL, [replace(web.OUTCOMES[0], url="")], [], [])
    with pytest.raises(ProjectError, match="host"):
        project_crawl(store, web.CRAWL, [], [replace(web.LINKS[0], target_host="")], [])
    with pytest.raises(ProjectError, match="crawl id"):
        project_crawl(store, replace(web.CRAWL, id=""), [], [], [])


@pytest.mark.slow
def test_ranks_of_a_crawl_are_those_of_its_links_and_stay_after_projecting_again(store: GraphStore) -> None:
    project(store)
    project_older(store)
    report = rank_crawl(store, "run-b")
    assert (report.pages, report.links) == (9, 10)
    assert not report.diverges
    urls = sorted({*(o.url for o in web.OUTCOMES), *(k.url for k in web.KNOWN)})
    node = {url: i for i, url in enumerate(urls)}
    ends = [[node[link.source] for link in web.LINKS], [node[link.target] for link in web.LINKS]]
    expected = pagerank(9, *ends).values
    project(store)
    rows = store.read(
        "MATCH (:Crawl {id: 'run-b'})-[r:FETCHED|KNOWS]->(p:Page) RETURN p.url AS url, r.pagerank AS pagerank"
    )
    assert {row["url"]: row["pagerank"] for row in rows} == pytest.approx(
        dict(zip(urls, expected.tolist(), strict=True))
    )
    untouched = store.read("MATCH (:Crawl {id: 'run-a'})-[r:FETCHED|KNOWS]->(:Page) RETURN count(r.pagerank) AS n")
    assert untouched == [{"n": 0}]


def test_topic_biased_ranks_follow_the_anchors(store: GraphStore) -> None:
    project(store)
    rank_crawl(store, "run-b", topic_biased=True)
    rows = store.read(
        "MATCH (:Crawl)-[r:FETCHED|KNOWS]->(p:Page) RETURN p.url AS url, r.pagerank AS pagerank ORDER BY url"
    )
    node = {row["url"]: i for i, row in enumerate(rows)}
    ends = [[node[link.source] for link in web.LINKS], [node[link.target] for link in web.LINKS]]
    expected = pagerank(9, *ends, anchor_relevance=[link.relevance for link in web.LINKS]).values
    assert [row["pagerank"] for row in rows] == pytest.approx(expected.tolist())
    assert expected.tolist() != pytest.approx(pagerank(9, *ends).values.tolist())


def test_ranking_a_crawl_that_is_not_there(store: GraphStore) -> None:
    with pytest.raises(RankError, match="run-x"):
        rank_crawl(store, "run-x")

"""Every query for users on a small projected crawl: the rows by hand, and so the same rows on every engine."""

from __future__ import annotations

from typing import Any

import pytest

import queries
from kg.enrich import save_proposals
from kg.load import load_documents, load_lattice, load_ontology
from kg.pagerank import rank_crawl
from kg.project import project_crawl
from kg.store import GraphStore
from kg.weights import save_weights, topic_weights
from tests.kg import small_crawl as web

A1, A2, A3, B4, B5, B6 = (o.url for o in web.OUTCOMES[:6])

EXPECTED: dict[str, tuple[dict[str, Any], list[str], list[tuple[Any, ...]]]] = {
    "pages/most_relevant": (
        {"limit": 3},
        ["url", "relevance", "host", "label", "step"],
        [(B6, 0.95, "b.cn", True, 6), (A1, 0.9, "a.cn", True, 1), (A2, 0.8, "a.cn", True, 2)],
    ),
    "pages/under_concept": (
        {"concept": "City Waterlogging"},
        ["url", "mentions", "concepts"],
        [(B6, 5, ["山洪"]), (A2, 4, ["城市内涝"])],
    ),
    "hosts/that_pay": (
        {},
        ["host", "fetched", "relevant", "share"],
        [("a.cn", 3, 2, pytest.approx(2 / 3)), ("b.cn", 3, 2, pytest.approx(2 / 3))],
    ),
    "crawl/list": (
        {},
        ["crawl", "strategy", "fetched", "relevant", "known"],
        [("run-b", "fcosa_lg", 6, 4, 2), ("run-a", "breadth_first", 3, 1, 1)],
    ),
    "crawl/why_fetched": (
        {"url": B6},
        ["hop", "url", "step", "relevant", "anchor"],
        [(0, A1, 1, True, None), (1, A3, 3, False, "体育"), (2, B5, 5, False, "更多"), (3, B6, 6, True, "山洪")],
    ),
    "crawl/tunnels": ({}, ["url", "step", "length", "entrance", "through"], [(B6, 6, 2, A1, [A3, B5])]),
    "crawl/harvest_curve": (
        {"every": 2},
        ["fetched", "relevant", "accuracy", "relevant_by_label"],
        [(2, 2, 1.0, 2), (4, 3, 0.75, 3), (6, 4, pytest.approx(2 / 3), 4)],
    ),
    "crawl/compare": (
        {"one": "run-b", "other": "run-a"},
        ["crawl", "fetched", "relevant", "fetched_by_both", "relevant_only_here"],
        [("run-a", 3, 1, 3, 0), ("run-b", 6, 4, 3, 2)],
    ),
    "ontology/concepts_without_pages": (
        {},
        ["iri", "ontologies"],
        [(web.BASE + name, [web.ONTOLOGY.iri]) for name in ("Alert", "Levee", "RedWarning")],
    ),
    "enrichment/proposals": (
        {},
        ["term", "under", "page", "sentence", "pages", "status"],
        [
            ("海绵城市", "城市内涝", A2, "建设海绵城市。", 3, "proposed"),
            ("列车效应", None, B6, "列车效应明显。", 2, "proposed"),
        ],
    ),
    "links/anchors_that_lead_to_relevant": (
        {},
        ["anchor", "targets", "relevant", "share"],
        [(anchor, 1, 1, 1.0) for anchor in ("内涝", "山洪", "洪水", "首页")],
    ),
    "evidence/documents_for_subclass": (
        {"narrower": "城市内涝", "broader": "rainstorm disaster"},
        ["id", "year", "narrower", "broader", "occurrences"],
        [("d1", 2020, ["城市内涝"], ["暴雨灾害"], 5), ("d3", 2022, ["内涝"], ["暴雨灾害"], 2)],
    ),
}


@pytest.fixture
def filled(store: GraphStore) -> GraphStore:
    """The small web with two crawls, papers, a lattice, weights, ranks and proposals."""
    load_ontology(store, web.ONTOLOGY)
    load_documents(store, web.DOCUMENTS, lambda d: web.TERMS[d.id])
    load_lattice(store, "small", web.LATTICE, web.COVERS)
    project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED])
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])
    rank_crawl(store, web.CRAWL.id)
    save_weights(store, "rainstorm", topic_weights(store, web.ONTOLOGY.iri))
    save_proposals(store, web.PROPOSALS, web.CRAWL.id, ontology=web.ONTOLOGY.iri)
    return store


def rows_of(store: GraphStore, name: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    query = queries.get(name)
    return store.read(query.text, **query.bind(given))


def test_every_query_answers_with_its_columns_and_these_rows(filled: GraphStore) -> None:
    needs = {"crawl/why_fetched": {"url": B6}}
    for query in queries.all_queries():
        given, columns, expected = EXPECTED.get(query.name, (needs.get(query.name, {}), [], []))
        rows = rows_of(filled, query.name, given)
        assert rows, query.name
        assert [set(row) == set(query.returns) for row in rows] == [True] * len(rows), query.name
        if columns:
            assert [tuple(row[c] for c in columns) for row in rows] == expected, query.name


def test_ranks_and_weights_are_in_order(filled: GraphStore) -> None:
    ranked = rows_of(filled, "pages/top_by_pagerank", {"limit": 4})
    assert [row["pagerank"] for row in ranked] == sorted((row["pagerank"] for row in ranked), reverse=True)
    assert {row["fetched"] for row in rows_of(filled, "pages/top_by_pagerank", {"fetched": "yes"})} == {True}
    assert any(not row["fetched"] and row["reason"] for row in rows_of(filled, "pages/top_by_pagerank", {}))
    weights = rows_of(filled, "topic/weights", {"topic": "rainstorm"})
    assert len(weights) == len(web.CONCEPTS)
    assert weights[0]["weight"] == 1
    assert weights[-1]["path"][0] == "暴雨灾害"


def test_a_named_crawl_is_asked_instead_of_the_newest(filled: GraphStore) -> None:
    rows = rows_of(filled, "pages/most_relevant", {"crawl": "run-a"})
    assert [row["relevance"] for row in rows] == [0.9, 0.4, 0.1]
    assert rows_of(filled, "pages/most_relevant", {"crawl": "no such"}) == []


def test_a_concept_is_found_with_all_below_it(filled: GraphStore) -> None:
    rows = rows_of(filled, "pages/under_concept", {"concept": "暴雨灾害"})
    assert [row["url"] for row in rows] == [B6, A1, A2, B4]
    assert rows[0]["concepts"] == ["山洪", "暴雨灾害"]
    assert rows_of(filled, "pages/under_concept", {"concept": web.BASE + "Levee"}) == []
    flood = rows_of(filled, "pages/under_concept", {"concept": "洪水"})
    assert [row["url"] for row in flood] == [B6, B4, A1]


def test_why_a_known_page_waits(filled: GraphStore) -> None:
    rows = rows_of(filled, "crawl/why_fetched", {"url": "http://c.cn/9"})
    assert [(row["url"], row["evidence"]) for row in rows][-1] == ("http://c.cn/9", "waiting")
    assert len(rows) == 3
    assert [row["hop"] for row in rows_of(filled, "crawl/why_fetched", {"url": web.SEED})] == [0]

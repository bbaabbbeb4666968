"""Every query for users on a small graph: the rows by hand, and so the same rows on every engine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import queries
from kg import walks, weights
from kg.load import load_ontology
from kg.papers import load_documents
from kg.store import GraphStore
from kg.weights import WordRow
from ontology.model import Document
from tests.kg import small_crawl as web
from tests.queries.small_graph import A1, A2, A3, B4, B5, B6, B7, B8, C9, GLOBAL, LOCAL, fill

Expected = tuple[str, dict[str, Any], str, list[tuple[Any, ...]]]
"""Name, parameters, columns, rows."""
THIRD = pytest.approx(1 / 3)
TWO_THIRDS = pytest.approx(2 / 3)


def iris(*names: str) -> list[str]:
    return [web.BASE + name for name in names]


ONTOLOGY: list[Expected] = [
    ("ontology/ontologies", {}, "ontology series kind version concepts relations depth papers",
     [(LOCAL, LOCAL, "local", "1", 4, 4, 2, 0), (GLOBAL, GLOBAL, "global", "1", 8, 9, 3, 3)]),
    ("ontology/concept", {"concept": "flood"}, "ontology label_zh broader narrower parts",
     [(LOCAL, "洪水", [], ["山洪", "河流"], ["堤坝"]), (GLOBAL, "洪水", ["暴雨灾害"], ["山洪"], ["堤坝"])]),
    ("ontology/descendants", {"concept": "Rainstorm Disaster"}, "label_zh distance",
     [("洪水", 1), ("预警信号", 1), ("城市内涝", 1), ("山洪", 2), ("堤坝", 2), ("红色预警", 2)]),
    ("ontology/descendants", {"concept": "洪水"}, "label_zh distance ontologies",
     [("山洪", 1, [LOCAL, GLOBAL]), ("堤坝", 1, [LOCAL, GLOBAL]), ("河流", 1, [LOCAL])]),
    ("ontology/descendants", {"concept": "洪水", "ontology": GLOBAL}, "label_zh", [("山洪",), ("堤坝",)]),
    ("ontology/ancestors", {"concept": "山洪"}, "label_zh distance ontologies",
     [("洪水", 1, [LOCAL, GLOBAL]), ("城市内涝", 1, [GLOBAL]), ("暴雨灾害", 2, [GLOBAL])]),
    ("ontology/effects", {"concept": "洪水"}, "effect steps chain", [("城市内涝", 1, ["洪水", "城市内涝"])]),
    ("ontology/causes", {"concept": "城市内涝"}, "cause steps chain", [("洪水", 1, ["洪水", "城市内涝"])]),
    ("ontology/shared", {"about": "洪水"}, "concept ontology own_iri predicate match",
     [("洪水", LOCAL, web.BASE + "Flood", None, "equal IRIs"),
      ("洪水", GLOBAL, web.BASE + "Flood", None, "equal IRIs")]),
    ("ontology/find", {"label": "Flood"}, "label_zh match names ontologies pages",
     [("洪水", "equal", ["flood"], 2, 2), ("山洪", "contains", ["flash flood"], 2, 1)]),
    ("ontology/several_parents", {}, "label_zh ontology parents", [("山洪", GLOBAL, ["洪水", "城市内涝"])]),
    ("ontology/compare", {"older": GLOBAL, "newer": LOCAL}, "change iri before after", [
        ("added", web.BASE + "River", None, "河流 / river"),
        ("removed", web.BASE + "Alert", "警报 / alert", None),
        ("removed", web.BASE + "RedWarning", "红色预警 / red warning", None),
        ("removed", web.BASE + "Root", "暴雨灾害 / rainstorm disaster", None),
        ("removed", web.BASE + "Warning", "预警信号 / warning signal", None),
        ("removed", web.BASE + "Waterlogging", "城市内涝 / city waterlogging", None),
        ("renamed", web.BASE + "Levee", "堤坝 / levee", "堤防 / levee"),
    ]),
    ("ontology/most_mentioned", {}, "label_zh pages mentions relevant_pages share",
     [("暴雨灾害", 2, 4, 2, 1.0), ("洪水", 2, 3, 2, 1.0), ("山洪", 1, 5, 1, 1.0), ("城市内涝", 1, 4, 1, 1.0),
      ("预警信号", 1, 1, 1, 1.0)]),
    ("ontology/coverage_by_branch", {}, "ontology branch concepts named share bare",
     [(GLOBAL, "预警信号", 2, 1, 0.5, ["红色预警"]), (GLOBAL, "洪水", 3, 2, TWO_THIRDS, ["堤坝"]),
      (GLOBAL, "城市内涝", 2, 2, 1.0, [])]),
    ("ontology/concepts_without_pages", {}, "iri ontologies",
     list(zip(iris("Alert", "Levee", "RedWarning", "River"), [[GLOBAL], [LOCAL, GLOBAL], [GLOBAL], [LOCAL]],
              strict=True))),
    ("weights/of_concept", {"concept": "山洪"}, "topic ontology", [("rainstorm", LOCAL), ("rainstorm", GLOBAL)]),
    ("weights/pages_by_weight", {}, "url weight concepts", [(A1, 1.0, 2), (B4, 1.0, 2), (B6, 1.0, 2), (A2, 0.5, 1)]),
]  # fmt: skip
PAGES: list[Expected] = [
    ("pages/most_relevant", {"limit": 3}, "url relevance host label step",
     [(B6, 0.95, "b.cn", True, 6), (A1, 0.9, "a.cn", True, 1), (A2, 0.8, "a.cn", True, 2)]),
    ("pages/under_concept", {"concept": "City Waterlogging"}, "url mentions concepts",
     [(B6, 5, ["山洪"]), (A2, 4, ["城市内涝"])]),
    ("pages/most_relevant_under_concept", {"concept": "洪水"}, "url relevance mentions concepts",
     [(B6, 0.95, 5, ["山洪"]), (A1, 0.9, 1, ["洪水"]), (B4, 0.7, 2, ["洪水"])]),
    ("pages/about_both", {"concept": "洪水", "also": "warning signal"}, "url mentions mentions_also", [(B4, 2, 1)]),
    ("pages/about", {}, "url concepts scores",
     [(B6, ["山洪", "暴雨灾害"], [pytest.approx(5 / 6), pytest.approx(1 / 6)]),
      (A1, ["暴雨灾害", "洪水"], [0.75, 0.25]), (A2, ["城市内涝"], [1.0]),
      (B4, ["洪水", "预警信号"], [TWO_THIRDS, THIRD])]),
    ("pages/about", {"url": B4, "names": 1}, "relevance concepts scores iris",
     [(0.7, ["洪水"], [TWO_THIRDS], [web.BASE + "Flood"])]),
    ("pages/page", {"url": A2}, "crawl step status relevance links_in links_out concepts",
     [("run-a", 2, "200", 0.4, 1, 1, 0), ("run-b", 2, "200", 0.8, 2, 0, 1)]),
    ("pages/page", {"url": C9}, "crawl step status links_in", [("run-b", None, "waiting", 1)]),
    ("pages/similar", {"url": A1}, "url shared likeness", [(B4, 1, THIRD), (B6, 1, THIRD)]),
    ("pages/by_month", {}, "month pages relevant share",
     [("2024-05", 2, 2, 1.0), ("2024-04", 1, 1, 1.0), ("", 3, 1, THIRD)]),
    ("pages/newest", {"since": "2024-05-01"}, "published url", [("2024-05-03", A2), ("2024-05-01", A1)]),
    ("pages/changed", {}, "changed url first_seen gone", [("2024-06-02", A2, "2024-05-02", None)]),
    ("pages/changed", {"since": "2024-06-03"}, "url", []),
    ("pages/gone", {}, "url", []),
    ("pages/gone", {"relevant_only": False}, "gone url title", [("2024-06-01", A3, "体育新闻")]),
    ("pages/new", {}, "first_seen url found_at_revisit", [("2024-06-02", B6, 1)]),
    ("pages/newest", {"concept": "flood"}, "published url sentence", [("2024-05-01", A1, None)]),
    ("pages/newest", {"concept": "城市内涝"}, "published url sentence",
     [("2024-05-03", A2, "城市内涝由排水不畅引起。")]),
    ("pages/waiting", {}, "url priority anchors linked_from", [(C9, 0.3, ["天气"], 1)]),
]  # fmt: skip
LINKS: list[Expected] = [
    ("links/anchors_that_lead_to_relevant", {}, "anchor targets relevant share",
     [(anchor, 1, 1, 1.0) for anchor in ("内涝", "山洪", "洪水", "首页")]),
    ("links/anchors_that_mislead", {"promise": 0}, "anchor anchor_relevance targets irrelevant share",
     [("体育", 0.0, 1, 1, 1.0), ("更多", 0.0, 1, 1, 1.0)]),
    ("links/hubs", {"least": 1}, "url leads_to links_to_fetched share",
     [(A1, 2, 3, TWO_THIRDS), (B4, 1, 1, 1.0), (B5, 1, 1, 1.0), (B6, 1, 1, 1.0)]),
    ("links/authorities", {}, "url hosts pages fetched",
     [(A1, 1, 1, True), (A2, 1, 1, True), (B4, 1, 1, True), (C9, 1, 1, False)]),
    ("links/into_page", {"url": A2}, "url anchor step", [(A1, "内涝", 1), (B4, "内涝", 4)]),
    ("links/out_of_page", {"url": B6}, "url anchor step waits",
     [(A1, "首页", 1, None), (B7, "洪水", 7, None), (B8, "广告", None, "rejected")]),
    ("links/path", {"source": A1, "target": B6}, "hop url anchor",
     [(0, A1, None), (1, A3, "体育"), (2, B5, "更多"), (3, B6, "山洪")]),
    ("links/between_hosts", {"least": 1}, "source target links to_relevant",
     [("a.cn", "b.cn", 2, 1), ("b.cn", "a.cn", 2, 2), ("b.cn", "c.cn", 1, 0)]),
    ("links/locality", {}, "page_is_relevant pages links to_relevant share",
     [(True, 3, 5, 4, 0.8), (False, 2, 2, 1, 0.5)]),
    ("links/components", {}, "component pages relevant share hosts heaviest",
     [(1, 4, 2, 0.5, ["a.cn", "b.cn"], ["山洪暴发", "娱乐", "暴雨来袭"])]),
    ("links/components", {"least": 1, "names": 1, "limit": 2}, "component pages hosts heaviest",
     [(1, 4, ["a.cn"], ["山洪暴发"]), (2, 1, ["a.cn"], ["城市内涝严重"])]),
    ("hosts/that_pay", {}, "host fetched relevant share", [("a.cn", 3, 2, TWO_THIRDS), ("b.cn", 3, 2, TWO_THIRDS)]),
    ("hosts/that_waste", {"least": 1}, "host fetched relevant wasted failed",
     [("a.cn", 3, 2, 1, 0), ("b.cn", 3, 2, 1, 1)]),
    ("hosts/failing", {}, "host failure pages fetched example", [("b.cn", "timeout", 1, 3, B7)]),
    ("hosts/to_explore", {}, "host unfetched best_priority fetched relevant share",
     [("b.cn", 1, None, 3, 2, TWO_THIRDS), ("c.cn", 1, 0.3, 0, 0, 0.0)]),
    ("hosts/pages", {"host": "b.cn"}, "url step failure waits",
     [(B4, 4, None, None), (B5, 5, None, None), (B6, 6, None, None), (B7, 7, "timeout", None),
      (B8, None, None, "rejected")]),
]  # fmt: skip
CRAWL: list[Expected] = [
    ("crawl/list", {}, "crawl strategy fetched relevant known",
     [("run-b", "fcosa_lg", 6, 4, 2), ("run-a", "breadth_first", 3, 1, 1)]),
    ("crawl/why_fetched", {"url": B6}, "hop url step relevant anchor",
     [(0, A1, 1, True, None), (1, A3, 3, False, "体育"), (2, B5, 5, False, "更多"), (3, B6, 6, True, "山洪")]),
    ("crawl/tunnels", {}, "url step length entrance through", [(B6, 6, 2, A1, [A3, B5])]),
    ("crawl/harvest_curve", {"every": 2}, "fetched relevant accuracy relevant_by_label",
     [(2, 2, 1.0, 2), (4, 3, 0.75, 4), (6, 4, TWO_THIRDS, 5)]),
    ("crawl/harvest_curve", {"every": 4}, "fetched relevant", [(4, 3), (6, 4)]),
    ("crawl/compare", {"one": "run-b", "other": "run-a"}, "crawl fetched relevant fetched_by_both relevant_only_here",
     [("run-a", 3, 1, 3, 0), ("run-b", 6, 4, 3, 2)]),
    ("crawl/found_only_by_one", {"one": "run-b", "other": "run-a"}, "url relevance known_to_other",
     [(B6, 0.95, False), (B4, 0.7, False)]),
    ("crawl/failures", {}, "failure pages hosts first_step example", [("timeout", 1, 1, 7, B7)]),
    ("crawl/left_behind", {}, "reason links best_priority example",
     [("rejected", 1, None, B8), ("waiting", 1, 0.3, C9)]),
    ("crawl/by_seed", {}, "seed fetched relevant share farthest", [(A1, 6, 4, TWO_THIRDS, 3)]),
    ("crawl/by_depth", {}, "depth fetched relevant share",
     [(0, 1, 1, 1.0), (1, 3, 2, TWO_THIRDS), (2, 1, 0, 0.0), (3, 1, 1, 1.0)]),
    ("crawl/droughts", {}, "from_step to_step fetches url", [(3, 4, 1, B4), (5, 6, 1, B6)]),
    ("crawl/priorities", {"parts": 2}, "part highest lowest fetched relevant share",
     [(1, 0.5, THIRD, 2, 1, 0.5), (2, 0.25, pytest.approx(1 / 6), 3, 2, TWO_THIRDS)]),
]  # fmt: skip
EVIDENCE: list[Expected] = [
    ("evidence/documents_for_subclass", {"narrower": "城市内涝", "broader": "Rainstorm disaster"},
     "id year narrower broader occurrences",
     [("d1", 2020, ["城市内涝"], ["暴雨灾害"], 5), ("d3", 2022, ["内涝", "城市内涝"], ["暴雨灾害"], 2)]),
    ("evidence/pages_for_subclass", {"narrower": "山洪", "broader": "暴雨灾害"},
     "narrower_pages broader_pages both confidence best_page", [(1, 2, 1, 1.0, B6)]),
    ("evidence/relations_of_concept", {"concept": web.BASE + "Levee"}, "narrower relation broader ontology",
     [("堤坝", "PART_OF", "洪水", LOCAL), ("堤坝", "PART_OF", "洪水", GLOBAL)]),
    ("evidence/weakest_relations", {}, "narrower broader ontology support",
     [("河流", "洪水", LOCAL, 1), ("城市内涝", "暴雨灾害", GLOBAL, 3)]),
    ("evidence/documents_of_concept", {"concept": "城市内涝"}, "id terms occurrences",
     [("d1", ["城市内涝"], 3), ("d3", ["内涝"], 1)]),
    ("evidence/of_concept", {"concept": "城市内涝"}, "kind source date sentence start end relevance",
     [("paper", "d1", "2020", "暴雨与城市内涝", 3, 7, None), ("paper", "d1", "2020", "研究了城市内涝。", 3, 7, None),
      ("paper", "d3", "2022", "城市内涝的暴雨灾害风险", 0, 4, None),
      ("page", A1, "2024-05-01", "受暴雨影响，市区严重内涝。", 10, 12, 0.9),
      ("page", A2, "2024-05-03", "城市内涝严重", 0, 4, 0.8),
      ("page", A2, "2024-05-03", "城市内涝由排水不畅引起。", 0, 4, 0.8)]),
    ("evidence/search", {"text": "flood*"}, "kind source sentence concepts",
     [("page", B4, "The Floods rose.", ["洪水"])]),
    ("evidence/search", {"text": "内涝 暴雨", "kind": "page"}, "source sentence concepts relevance",
     [(A1, "受暴雨影响，市区严重内涝。", ["城市内涝"], 0.9)]),
    ("evidence/terms_beside_concept", {"concept": "城市内涝"}, "term documents share occurrences in_ontology",
     [("暴雨灾害", 2, 1.0, 3, True), ("风险", 1, 0.5, 2, False)]),
    ("evidence/formal_concepts_of_term", {"term": "暴雨灾害"},
     "formal_concept support own_terms own_documents above below",
     [("small/C1", 2, ["暴雨灾害"], ["d1"], ["风险"], [])]),
    ("evidence/formal_concepts_of_concept", {"concept": "城市内涝"},
     "context ontology formal_concept support own above below",
     [("claims", GLOBAL, "claims/water", 2, ["城市内涝"], [], ["山洪"])]),
    ("evidence/formal_concepts_of_concept", {"concept": "暴雨灾害"},
     "context ontology formal_concept support own above below",
     [("documents", GLOBAL, "small/C1", 2, ["暴雨灾害"], ["风险"], [])]),
    ("evidence/concepts_without_papers", {}, "iri",
     [(iri,) for iri in iris("Alert", "FlashFlood", "Levee", "RedWarning", "River")]),
    ("enrichment/proposals", {}, "id term kind relation under reason page sentence pages status",
     [("rainstorm/海绵城市", "海绵城市", "concept", "subclass_of", "城市内涝", "“海绵城市等城市内涝”", A2,
       "建设海绵城市。", 3, "proposed"),
      ("rainstorm/洪水:causes:城市内涝", "洪水", "relation", "causes", "城市内涝", "引发", B4, "洪水引发城市内涝。", 2,
       "proposed"),
      ("rainstorm/列车效应", "列车效应", "concept", "subclass_of", None, "", B6, "列车效应明显。", 2, "proposed")]),
    ("enrichment/proposals", {"kind": "relation"}, "term score", [("洪水", 2.0)]),
    ("enrichment/proposals", {"crawl": "run-a"}, "term score pages reason sentence",
     [("海绵城市", 3.5, 1, "of run-a", "海绵城市。")]),
    ("enrichment/sentences", {"proposal": "海绵城市"}, "id crawl page sentence start end",
     [("rainstorm/海绵城市", "run-a", A1, "海绵城市。", 0, 4),
      ("rainstorm/海绵城市", "run-b", A2, "建设海绵城市。", 2, 6),
      ("rainstorm/海绵城市", "run-b", B4, "海绵城市试点。", 0, 4)]),
    ("enrichment/sentences", {"proposal": "rainstorm/列车效应"}, "crawl page", [("run-b", B6)]),
    ("enrichment/by_status", {}, "topic kind status terms crawls best_score examples",
     [("rainstorm", "concept", "proposed", 2, 2, 3.5, ["海绵城市", "列车效应"]),
      ("rainstorm", "relation", "proposed", 1, 1, 2.0, ["洪水"])]),
    ("enrichment/terms_with_concept", {"concept": "山洪"}, "term under page sentence",
     [("列车效应", None, B6, "列车效应明显。")]),
    ("enrichment/terms_without_concept", {}, "term documents occurrences", [("风险", 1, 2)]),
    ("enrichment/terms_without_concept", {"ontology": LOCAL, "limit": 2}, "term documents occurrences",
     [("暴雨灾害", 2, 3), ("城市内涝", 1, 3)]),
    ("enrichment/by_concept", {}, "under terms best_score examples", [("城市内涝", 1, 2.5, ["海绵城市"])]),
    ("enrichment/by_several_crawls", {}, "term kind crawls pages best_score status",
     [("海绵城市", "concept", 2, 3, 3.5, "proposed"), ("洪水", "relation", 1, 2, 2.0, "proposed"),
      ("列车效应", "concept", 1, 2, 1.5, "proposed")]),
    ("enrichment/by_several_crawls", {"least": 2}, "term", [("海绵城市",)]),
    ("enrichment/pages_beyond_ontology", {"most": 1}, "url label concepts", [(A3, True, 0), (A2, True, 1)]),
    ("enrichment/classes_without_evidence", {"topic": "rainstorm"}, "iri label_zh ontologies",
     [(web.BASE + "Alert", "警报", [GLOBAL]), (web.BASE + "Levee", "堤坝", [LOCAL, GLOBAL]),
      (web.BASE + "RedWarning", "红色预警", [GLOBAL]), (web.BASE + "River", "河流", [LOCAL])]),
    ("enrichment/classes_without_evidence", {"ontologies": [LOCAL], "limit": 1}, "iri ontologies",
     [(web.BASE + "Levee", [LOCAL])]),
    ("enrichment/classes_without_pages", {"topic": "rainstorm"}, "iri label_zh papers ontologies",
     [(web.BASE + "Alert", "警报", 0, [GLOBAL]), (web.BASE + "Levee", "堤坝", 0, [LOCAL, GLOBAL]),
      (web.BASE + "RedWarning", "红色预警", 0, [GLOBAL]), (web.BASE + "River", "河流", 0, [LOCAL])]),
    ("enrichment/classes_without_pages", {"topic": "not crawled", "ontologies": [GLOBAL], "limit": 2},
     "iri papers", [(web.BASE + "Root", 2), (web.BASE + "Waterlogging", 2)]),
    ("enrichment/classes_of_pages", {}, "url relevance published classes counts",
     [(B6, 0.95, "2024-04-20", iris("FlashFlood", "Root"), [5, 1]),
      (A1, 0.9, "2024-05-01", iris("Flood", "Root"), [1, 3]),
      (A2, 0.8, "2024-05-03", iris("Waterlogging"), [4]), (B4, 0.7, None, iris("Flood", "Warning"), [2, 1])]),
    ("enrichment/classes_of_pages", {"ontologies": [LOCAL], "crawl": "run-a"}, "url classes", [(A1, [])]),
    ("enrichment/unexplained_pages", {"topic": "rainstorm"}, "url title relevance crawls",
     [(A1, "暴雨来袭", 0.9, ["run-a", "run-b"])]),
    ("enrichment/unexplained_pages", {"trivial": iris("Waterlogging", "FlashFlood")}, "url crawls",
     [(B6, ["run-b"]), (A1, ["run-a", "run-b"]), (A2, ["run-b"])]),
    ("enrichment/unexplained_pages", {"ontologies": [LOCAL]}, "url",
     [(A1,), (A2,), (B4,)]),
    ("quality/duplicated_content", {}, "copies hosts title relevance urls", [(2, 2, "城市内涝严重", 0.8, [A2, B4])]),
    ("quality/judge_against_label", {}, "relevant label pages share lowest_relevance highest_relevance",
     [(True, True, 4, TWO_THIRDS, 0.7, 0.95), (False, True, 1, pytest.approx(1 / 6), 0.1, 0.1),
      (False, False, 1, pytest.approx(1 / 6), 0.2, 0.2)]),
    ("quality/judge_and_label_disagree", {}, "url relevant label", [(A3, False, True)]),
    ("quality/missing_values", {}, "missing pages share",
     [("text", 6, 1.0), ("date", 3, 0.5), ("PageRank", 0, 0.0), ("label", 0, 0.0), ("title", 0, 0.0)]),
    ("quality/redirected", {}, "url final_url", [(B5, "http://b.cn/50")]),
    ("quality/ambiguous_labels", {}, "name concepts iris", [("警报", 2, iris("Alert", "Levee"))]),
]  # fmt: skip
ALL = [*ONTOLOGY, *PAGES, *LINKS, *CRAWL, *EVIDENCE]
BY_PROPERTY = {
    "weights/of_topic", "weights/of_words",
    "weights/global_against_local", "weights/heavy_without_pages", "pages/top_by_pagerank",
    "pages/relevance_against_pagerank", "links/hits", "links/communities", "pages/in_community",
}  # fmt: skip
"""Queries whose rows are not written out above, but tested by what must hold of them."""


@pytest.fixture
def filled(store: GraphStore) -> GraphStore:
    return fill(store)


def rows_of(store: GraphStore, name: str, **given: Any) -> list[dict[str, Any]]:
    query = queries.get(name)
    rows = walks.rows(store, query, query.bind(given))
    assert all(set(row) == set(query.returns) for row in rows), name
    return rows


def test_every_query_is_tested_here() -> None:
    assert {name for name, *_ in ALL} | BY_PROPERTY == {q.name for q in queries.all_queries()}


_NAMES_OF_CLASSES = {"under", "narrower", "broader", "concept", "concepts", "branch", "chain", "parents"}


@pytest.mark.slow
def test_every_query_answers_with_its_columns_and_these_rows(filled: GraphStore) -> None:
    for name, given, columns, expected in ALL:
        found = [tuple(row[column] for column in columns.split()) for row in rows_of(filled, name, **given)]
        assert found == expected, name


def test_a_class_without_a_counted_term_has_the_papers_whose_sentences_name_it(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    papers = [Document("p", "The flood", abstract="Levees broke. The levee is old."), Document("q", "Rain")]
    load_documents(store, papers, lambda d: {"洪水": 2} if d.id == "p" else {}, ontology=GLOBAL)
    levee = {"concept": web.BASE + "Levee"}
    assert rows_of(store, "evidence/documents_of_concept", **levee) == [
        {"id": "p", "title": "The flood", "year": None, "terms": ["levee", "levees"], "occurrences": 2}
    ]
    of_both = rows_of(store, "evidence/documents_for_subclass", narrower="levee", broader="洪水")
    assert [(row["id"], row["narrower"]) for row in of_both] == [("p", ["levee", "levees"])]
    assert [row["term"] for row in rows_of(store, "evidence/terms_beside_concept", **levee)] == ["洪水"]
    assert levee["concept"] not in {row["iri"] for row in rows_of(store, "evidence/concepts_without_papers")}
    unseen = rows_of(store, "enrichment/classes_without_pages", ontologies=[GLOBAL])
    assert {row["iri"]: row["papers"] for row in unseen}[levee["concept"]] == 1
    bare = rows_of(store, "enrichment/classes_without_evidence", ontologies=[GLOBAL])
    assert levee["concept"] not in {row["iri"] for row in bare} and len(bare) == len(unseen) - 2


@pytest.mark.slow
def test_no_name_is_blank_where_an_ontology_has_english_labels_alone(embedded_store: GraphStore) -> None:
    fill(embedded_store)
    embedded_store.write(
        "MATCH (c:Concept)-[m:IN_ONTOLOGY]->() SET c.label_zh = null, m.label_zh = null RETURN count(*) AS n"
    )
    asked = [
        (name, {key: "flood" if value == "洪水" else value for key, value in given.items()}) for name, given, *_ in ALL
    ]
    named = Counter[str]()
    for name, given in asked:
        for row in rows_of(embedded_store, name, **given):
            for column in _NAMES_OF_CLASSES & row.keys():
                values = row[column] if isinstance(row[column], list) else [row[column]]
                assert "" not in values, (name, column, row)
                named[column] += len(values)
    assert named.keys() == _NAMES_OF_CLASSES and min(named.values()) > 0


@pytest.mark.slow
def test_ranks_are_in_order_and_cover_all_known_pages(filled: GraphStore) -> None:
    ranked = rows_of(filled, "pages/top_by_pagerank")
    assert [row["pagerank"] for row in ranked] == sorted((row["pagerank"] for row in ranked), reverse=True)
    assert {row["url"] for row in ranked} == {A1, A2, A3, B4, B5, B6, B7, B8, C9}
    assert {row["fetched"] for row in rows_of(filled, "pages/top_by_pagerank", fetched="yes")} == {True}
    assert {row["url"]: row["reason"] for row in ranked if row["reason"]} == {B8: "rejected", C9: "waiting"}
    for by in ("authority", "hub"):
        found = [row[by] for row in rows_of(filled, "links/hits", by=by)]
        assert len(found) == 9
        assert found == sorted(found, reverse=True)
    gaps = rows_of(filled, "pages/relevance_against_pagerank")
    by_relevance = [row["url"] for row in sorted(gaps, key=lambda row: (row["relevance"], row["url"]))]
    by_rank = [row["url"] for row in sorted(gaps, key=lambda row: (row["pagerank"], row["url"]))]
    assert len(gaps) == 6
    for row in gaps:
        places = by_relevance.index(row["url"]) - by_rank.index(row["url"])
        assert row["disagreement"] == pytest.approx(places / 6)


@pytest.mark.slow
def test_a_community_whose_pages_all_failed_is_about_nothing(filled: GraphStore) -> None:
    filled.write("MATCH (:Crawl {id: 'run-b'})-[f:FETCHED]->(:Page) SET f.relevance = null")
    found = rows_of(filled, "links/communities", least=1)
    assert found and all(row["characteristic"] == [] and row["share"] is None for row in found)
    assert any(row["mentioned"] for row in found)


@pytest.mark.slow
def test_communities_are_about_what_their_pages_name_more_often_than_others(filled: GraphStore) -> None:
    pages = filled.read(
        "MATCH (c:Crawl {id: 'run-b'})-[f:FETCHED]->(p:Page)-[:ON_HOST]->(h:Host) "
        "OPTIONAL MATCH (p)-[m:MENTIONS {crawl: 'run-b'}]->(k:Concept) "
        "RETURN p.url AS url, h.name AS host, f.community AS community, f.relevance AS R, f.relevant AS relevant, "
        "f.title AS title, f.pagerank AS rank, f.step AS step, collect(k.label_zh) AS names"
    )
    shown = rows_of(filled, "links/communities", least=1, names=2)
    assert [row["community"] for row in shown] == sorted({page["community"] for page in pages})
    for row in shown:
        ours = [page for page in pages if page["community"] == row["community"]]
        judged = [page for page in ours if page["R"] is not None]
        relevant = sum(page["relevant"] for page in judged)
        assert (row["pages"], row["relevant"]) == (len(ours), relevant)
        assert row["share"] == (pytest.approx(relevant / len(judged)) if judged else None)
        assert row["mentioned"] == _first(Counter(name for page in ours for name in page["names"]))
        assert row["characteristic"] == _first(_divergence(judged, [page for page in pages if page["R"] is not None]))
        assert row["hosts"] == _first(Counter(page["host"] for page in ours))
        assert row["heaviest"] == [p["title"] for p in sorted(judged, key=lambda p: (-p["rank"], p["step"]))][:2]
        inside = rows_of(filled, "pages/in_community", community=row["community"])
        assert {page["url"] for page in inside if page["fetched"]} == {page["url"] for page in ours}
        assert [page["fetched"] for page in inside] == sorted((page["fetched"] for page in inside), reverse=True)
    assert any(row["characteristic"] for row in shown)
    assert rows_of(filled, "links/communities", least=1, limit=1)[0]["pages"] == shown[0]["pages"]
    known = [p["url"] for row in shown for p in rows_of(filled, "pages/in_community", community=row["community"])
             if not p["fetched"]]  # fmt: skip
    assert set(known) == {B8, C9}


def _divergence(ours: list[dict[str, Any]], all_pages: list[dict[str, Any]]) -> dict[str, float]:
    """p ln(p / q) of the concepts that a community names more often than the crawl does."""
    share = {}
    for name in {name for page in ours for name in page["names"]}:
        p, q = (sum(name in page["names"] for page in pages) / len(pages) for pages in (ours, all_pages))
        if p > q:
            share[name] = p * math.log(p / q)
    return share


def _first(weights: Mapping[str, float]) -> list[str]:
    return sorted(weights, key=lambda name: (-round(weights[name], 12), name))[:2]


@pytest.mark.slow
def test_weights_are_those_of_the_graph(filled: GraphStore) -> None:
    of_topic = rows_of(filled, "weights/of_topic", topic="rainstorm")
    assert len(of_topic) == 8 + 4
    assert queries.get("topic/weights") is queries.get("weights/of_topic")
    of = {(row["ontology"], row["concept"]): row["weight"] for row in of_topic}
    both = rows_of(filled, "weights/global_against_local")
    assert {row["iri"] for row in both} == set(iris("Flood", "FlashFlood", "Levee"))
    for row in both:
        assert row["difference"] == pytest.approx(of[LOCAL, row["iri"]] - of[GLOBAL, row["iri"]])
    unseen = rows_of(filled, "weights/heavy_without_pages")
    assert {row["iri"] for row in unseen} == set(iris("Alert", "Levee", "RedWarning", "River"))
    assert [row["weight"] for row in unseen] == sorted((row["weight"] for row in unseen), reverse=True)
    assert len(rows_of(filled, "weights/heavy_without_pages", most=1)) == 4 + 3


@pytest.mark.slow
def test_the_words_of_a_topic_and_an_edit_of_one(store: GraphStore) -> None:
    listed = [
        WordRow("market", (), ("market", "markets"), 0.2, (0.006, 0.0004, 0.0001), 220, "corpus"),
        WordRow("银行", ("银行",), (), 0.1, (0.001, 0.0, None), 12, "given"), WordRow("the", (), (), 0.0),
    ]  # fmt: skip
    assert weights.load_words(store, "money", listed) and not weights.load_words(store, "money", listed)
    rows = rows_of(store, "weights/of_words", topic="money")
    assert [(row["word"], row["weight"], row["source"], row["o"], row["texts"]) for row in rows] == [
        ("market", 0.2, "corpus", 0.0001, 220), ("银行", 0.1, "given", None, 12), ("the", 0.0, "", None, 0),
    ]  # fmt: skip
    store.write(
        "MATCH (t:Topic {name: 'money'})-[h:HAS_WORD]->(w:Term {text: 'market'}) SET h.weight = 0.05 "
        "MERGE (other:Term {text: 'coin'}) MERGE (t)-[:HAS_WORD {weight: 0.25}]->(other) RETURN count(*) AS n"
    )
    weights.load_words(store, "money", listed)  # the files are the same, so the edit stays
    found = weights.words_of(store, "money")
    assert [(one.word, one.weight, one.en) for one in found] == [
        ("market", 0.05, ("market", "markets")), ("银行", 0.1, ()), ("coin", 0.25, ()),
    ]  # fmt: skip
    changed = [listed[0], replace(listed[1], weight=0.2), WordRow("firm", (), ("firm",), 0.15)]
    assert weights.load_words(store, "money", changed)  # an edit stays until the weight of its word is another one
    assert {one.word: one.weight for one in weights.words_of(store, "money")} == {
        "market": 0.05, "银行": 0.2, "firm": 0.15, "coin": 0.25,
    }  # fmt: skip
    assert weights.load_words(store, "money", listed[1:2])
    assert {one.word: one.weight for one in weights.words_of(store, "money")} == {"银行": 0.1, "coin": 0.25}


def test_a_named_crawl_is_asked_instead_of_the_newest(filled: GraphStore) -> None:
    rows = rows_of(filled, "pages/most_relevant", crawl="run-a")
    assert [row["relevance"] for row in rows] == [0.9, 0.4, 0.1]
    assert rows_of(filled, "pages/most_relevant", crawl="no such") == []


@pytest.mark.slow
def test_a_concept_is_found_with_all_below_it(filled: GraphStore) -> None:
    rows = rows_of(filled, "pages/under_concept", concept="暴雨灾害")
    assert [row["url"] for row in rows] == [B6, A1, A2, B4]
    assert rows[0]["concepts"] == ["山洪", "暴雨灾害"]
    assert rows_of(filled, "pages/under_concept", concept=web.BASE + "Levee") == []
    flood = rows_of(filled, "pages/under_concept", concept="洪水")
    assert [row["url"] for row in flood] == [B6, B4, A1]


def test_why_a_known_page_waits(filled: GraphStore) -> None:
    rows = rows_of(filled, "crawl/why_fetched", url=C9)
    assert [(row["url"], row["evidence"]) for row in rows][-1] == (C9, "waiting")
    assert len(rows) == 3
    assert [row["hop"] for row in rows_of(filled, "crawl/why_fetched", url=web.SEED)] == [0]


MOVED = """MATCH (a:Crawl {id: 'run-a'}) MATCH (b:Crawl {id: 'run-b'})
MERGE (old:Page {url: 'http://old.cn/x'}) MERGE (new:Page {url: 'http://new.cn/y'})
MERGE (old)<-[f:FETCHED]-(a) MERGE (new)<-[g:FETCHED]-(b)
SET f.step = 98, f.relevance = 0.9, f.relevant = true, f.final_url = new.url
SET g.step = 99, g.relevance = 0.9, g.relevant = true, g.final_url = new.url
"""


@pytest.mark.slow
def test_pages_read_through_a_redirect_are_one_page(filled: GraphStore) -> None:
    pair = {"one": "run-a", "other": "run-b"}
    before = {row["crawl"]: row for row in rows_of(filled, "crawl/compare", **pair)}
    only = {one: rows_of(filled, "crawl/found_only_by_one", one=one, other=other)
            for one, other in (("run-a", "run-b"), ("run-b", "run-a"))}  # fmt: skip
    filled.write(MOVED)
    for row in rows_of(filled, "crawl/compare", **pair):
        assert row["fetched_by_both"] == before[row["crawl"]]["fetched_by_both"] + 1
        assert row["relevant_only_here"] == before[row["crawl"]]["relevant_only_here"]
    for one, other in (("run-a", "run-b"), ("run-b", "run-a")):
        assert rows_of(filled, "crawl/found_only_by_one", one=one, other=other) == only[one]


LADDER = """UNWIND range(0, 29) AS i
MERGE (a:Concept {iri: 'l' + toString(i)}) MERGE (b:Concept {iri: 'l' + toString(i + 1)})
MERGE (x:Concept {iri: 'x' + toString(i)})
MERGE (a)-[:SUBCLASS_OF {ontology: 'o'}]->(x) MERGE (x)-[:SUBCLASS_OF {ontology: 'o'}]->(b)
MERGE (a)-[:SUBCLASS_OF {ontology: 'o'}]->(b)
MERGE (o:Ontology {iri: 'o'}) MERGE (a)-[:IN_ONTOLOGY]->(o) MERGE (x)-[:IN_ONTOLOGY]->(o)
"""


def test_a_ladder_with_exponentially_many_paths_is_climbed_level_by_level(embedded_store: GraphStore) -> None:
    embedded_store.write(LADDER)
    above = rows_of(embedded_store, "ontology/ancestors", concept="l0")
    assert {row["iri"]: row["distance"] for row in above if row["iri"][0] == "l"} == {f"l{i}": i for i in range(1, 31)}
    below = rows_of(embedded_store, "ontology/descendants", concept="l16")
    assert {row["iri"]: row["distance"] for row in below if row["iri"][0] == "l"} == {
        f"l{i}": 16 - i for i in range(16)
    }

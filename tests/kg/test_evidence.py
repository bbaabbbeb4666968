"""Sentences in the graph: of pages and papers, which concepts they name, again, removed, searched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import queries
from kg.load import load_ontology, remove_ontology
from kg.papers import load_documents
from kg.project import project_crawl, remove_crawl
from kg.records import SENTENCE, OutcomeRow
from kg.sentences import ConceptNames
from kg.store import GraphStore
from ontology.model import Concept, Document, Ontology
from ontology.terms.wordforms import simplified
from tests.kg import small_crawl as web
from tests.kg.test_project import everything

NAMES = ConceptNames((c.iri, language, form) for c in web.CONCEPTS for language, form in c.forms())
TEXT = {
    1: "受暴雨影响，市区出现严重内涝。Flash-floods were reported. Schools were closed.\n暴雨灾害仍在持续。",
    2: "受暴雨影响，市区出现严重内涝。城市内涝由排水不畅引起。",
    4: "洪水预警信号已发布。The FLOODS rose.",
    6: "山洪暴发，" + "道路中断，" * 120 + "山洪又来。",
}
PAPERS = (
    replace(
        web.DOCUMENTS[0], abstract="研究了城市内涝。结果表明，暴雨灾害加重内涝。", abstract_en="A flood is studied."
    ),
    *web.DOCUMENTS[1:],
)


TITLES = ("暴雨与城市内涝", "城市内涝的暴雨灾害风险")


def outcomes() -> list[OutcomeRow]:
    return [replace(row, text=TEXT.get(row.step, "")) for row in web.OUTCOMES]


def project(store: GraphStore) -> Any:
    load_ontology(store, web.ONTOLOGY)
    return project_crawl(store, web.CRAWL, outcomes(), web.LINKS, web.KNOWN, seeds=[web.SEED], names=NAMES)


def ask(store: GraphStore, name: str, **given: Any) -> list[dict[str, Any]]:
    query = queries.get(name)
    return store.read(query.text, **query.bind(given))


def count(store: GraphStore) -> int:
    return int(store.read("MATCH (s:Sentence) RETURN count(s) AS n")[0]["n"])


@pytest.mark.slow
def test_pages_have_sentences_and_these_name_concepts_where_they_are(store: GraphStore) -> None:
    report = project(store)
    rows = store.read(
        "MATCH (c:Concept)<-[n:NAMES]-(s:Sentence)-[o:ON_PAGE]->(p:Page) RETURN p.url AS url, s.text AS sentence, "
        "c.label_zh AS concept, n.start AS first, n.end AS last, o.start AS place, o.title AS title, o.crawl AS crawl"
    )
    named = {(row["url"], row["concept"], row["sentence"][row["first"] : row["last"]]) for row in rows}
    assert {("http://a.cn/1", "山洪", "Flash-floods"), ("http://b.cn/4", "洪水", "FLOODS")} <= named
    assert {("http://a.cn/1", "城市内涝", "内涝"), ("http://a.cn/2", "城市内涝", "城市内涝")} <= named
    text_of = {f"http://{'a' if step < 4 else 'b'}.cn/{step}": text for step, text in TEXT.items()}
    for row in rows:
        whole = row["sentence"] if row["title"] else text_of[row["url"]][row["place"] :]
        assert whole.startswith(row["sentence"])
        assert row["crawl"] == "run-b" and len(row["sentence"]) <= SENTENCE
    pages = store.read("MATCH (s:Sentence)-[:ON_PAGE]->(:Page) RETURN count(*) AS n, count(DISTINCT s.id) AS different")
    assert pages == [{"n": report.sentences, "different": count(store)}] and report.sentences > count(store)


def test_mentions_have_their_first_sentence(store: GraphStore) -> None:
    project(store)
    rows = store.read(
        "MATCH (p:Page)-[m:MENTIONS]->(c:Concept) RETURN p.url AS url, c.label_zh AS concept, m.sentence AS sentence, "
        "m.start AS first, m.end AS last ORDER BY url, concept"
    )
    shown = {(row["url"], row["concept"]): row for row in rows}
    row = shown["http://a.cn/1", "暴雨灾害"]
    assert row["sentence"] == "暴雨灾害仍在持续。" and row["sentence"][row["first"] : row["last"]] == "暴雨灾害"
    assert shown["http://a.cn/1", "洪水"]["sentence"] is None  # only a link or a menu named it
    assert shown["http://b.cn/6", "山洪"]["sentence"].startswith("山洪暴发")


@pytest.mark.slow
def test_papers_have_sentences_too(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    report = load_documents(store, PAPERS, lambda d: web.TERMS[d.id], ontology=web.ONTOLOGY.key)
    rows = store.read(
        "MATCH (c:Concept)<-[:NAMES]-(s:Sentence)-[i:IN_DOCUMENT]->(d:Document {id: 'd1'}) "
        "RETURN i.field AS field, s.text AS sentence, c.label_zh AS concept, i.start AS place "
        "ORDER BY field, place, concept"
    )
    assert [(r["field"], r["sentence"], r["concept"], r["place"]) for r in rows] == [
        ("abstract", "研究了城市内涝。", "城市内涝", 0),
        ("abstract", "结果表明，暴雨灾害加重内涝。", "城市内涝", 8),
        ("abstract", "结果表明，暴雨灾害加重内涝。", "暴雨灾害", 8),
        ("abstract_en", "A flood is studied.", "洪水", 0),
        ("title", "暴雨与城市内涝", "城市内涝", 0),
    ]
    assert report.sentences == count(store) == 6
    remove_ontology(store, web.ONTOLOGY.key)
    assert count(store) == 0


@pytest.mark.slow
def test_projecting_again_changes_nothing_and_other_texts_replace(store: GraphStore) -> None:
    project(store)
    before = everything(store)
    project(store)
    assert everything(store) == before
    changed = [replace(row, text="洪水退去。" if row.step == 1 else row.text) for row in outcomes()]
    project_crawl(store, web.CRAWL, changed, web.LINKS, web.KNOWN, seeds=[web.SEED], names=NAMES)
    texts = [
        row["text"]
        for row in store.read(
            "MATCH (s:Sentence)-[:ON_PAGE]->(:Page {url: 'http://a.cn/1'}) RETURN s.text AS text ORDER BY text"
        )
    ]
    assert texts == ["暴雨来袭", "洪水退去。"]
    assert not store.read("MATCH (s:Sentence {text: 'Schools were closed.'}) RETURN s.id AS id")
    assert store.read("MATCH (s:Sentence {text: '受暴雨影响，市区出现严重内涝。'}) RETURN s.id AS id")  # page 2 has it


@pytest.mark.slow
def test_a_page_that_one_crawl_fetched_twice_has_what_it_was_last(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_ontology(store, web.ONTOLOGY)
    monkeypatch.setattr("kg.project._BATCH", 1)
    first, *others = outcomes()
    newer = replace(first, step=99, text="城市内涝由排水不畅引起。", mentions=first.mentions[:1])
    project_crawl(store, web.CRAWL, [first, *others, newer], (), (), names=NAMES)
    sentences = "MATCH (s:Sentence)-[o:ON_PAGE]->(:Page {url: $url}) WHERE NOT o.title RETURN s.text AS text"
    assert store.read(sentences, url=first.url) == [{"text": newer.text}]
    mentions = "MATCH (:Page {url: $url})-[m:MENTIONS]->(c:Concept) RETURN c.iri AS iri"
    assert store.read(mentions, url=first.url) == [{"iri": newer.mentions[0].iri}]


@pytest.mark.slow
def test_a_removed_crawl_takes_its_sentences_and_leaves_those_of_others(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    older = [replace(row, text=TEXT.get(row.step, "")) for row in web.OLDER_OUTCOMES]
    project_crawl(store, web.OLDER, older, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED], names=NAMES)
    before = everything(store)
    project(store)
    remove_crawl(store, "run-b")
    assert everything(store) == before
    remove_crawl(store, "run-a")
    assert count(store) == 0


@pytest.mark.slow
def test_sentences_of_a_concept(store: GraphStore) -> None:
    project(store)
    load_documents(store, PAPERS, lambda d: web.TERMS[d.id], ontology=web.ONTOLOGY.key)
    rows = ask(store, "evidence/of_concept", concept="城市内涝")
    assert [(r["kind"], r["source"]) for r in rows][:3] == [("paper", "d1"), ("paper", "d1"), ("paper", "d1")]
    assert {r["source"] for r in rows if r["kind"] == "page"} == {"http://a.cn/1", "http://a.cn/2"}
    assert all(r["sentence"][r["start"] : r["end"]] in ("内涝", "城市内涝") for r in rows)
    assert {r["date"] for r in rows} == {"2020", "2022", "2024-05-01", None}
    pages = ask(store, "evidence/of_concept", concept="flood", kind="page")
    assert [(r["source"], r["sentence"], r["relevance"]) for r in pages] == [
        ("http://b.cn/4", "洪水预警信号", 0.7),
        ("http://b.cn/4", "洪水预警信号已发布。", 0.7),
        ("http://b.cn/4", "The FLOODS rose.", 0.7),
    ]
    assert ask(store, "evidence/of_concept", concept="城市内涝", crawl="run-b", kind="paper") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("城市内涝", {"研究了城市内涝。", "城市内涝由排水不畅引起。", *TITLES, "城市内涝严重"}),
        ("暴雨 内涝", {"受暴雨影响，市区出现严重内涝。", "结果表明，暴雨灾害加重内涝。", *TITLES}),
        ("flood*", {"The FLOODS rose.", "A flood is studied.", "Flash-floods were reported."}),
        ("schools CLOSED", {"Schools were closed."}),
        ('"rose"', {"The FLOODS rose."}),
        ("schools rose", set()),
        ("flash-floods (reported)", {"Flash-floods were reported."}),
        ("(flood*) +rose! *", {"The FLOODS rose."}),
        (' " * ', set()),
        ("内城", set()),
    ],
)  # fmt: skip
def test_search(store: GraphStore, text: str, expected: set[str]) -> None:
    project(store)
    load_documents(store, PAPERS, lambda d: web.TERMS[d.id], ontology=web.ONTOLOGY.key)
    assert {row["sentence"] for row in ask(store, "evidence/search", text=text)} == expected


@pytest.mark.slow
def test_search_tells_concepts_and_dates(store: GraphStore) -> None:
    project(store)
    rows = ask(store, "evidence/search", text="市区 内涝")
    assert [(r["source"], r["date"], r["concepts"], r["relevance"]) for r in rows] == [
        ("http://a.cn/1", "2024-05-01", ["城市内涝"], 0.9),
        ("http://a.cn/2", None, ["城市内涝"], 0.8),
    ]
    assert [r["source"] for r in ask(store, "evidence/search", text="内涝", since="2024-01-01")] == ["http://a.cn/1"]
    assert ask(store, "evidence/search", text="内涝", crawl="run-x") == []


@pytest.mark.slow
def test_find(store: GraphStore) -> None:
    project(store)
    assert [
        (r["label_zh"], r["match"], r["names"], r["pages"]) for r in ask(store, "ontology/find", label="FLOOD")
    ] == [
        ("洪水", "equal", ["flood"], 2),
        ("山洪", "contains", ["flash flood"], 1),
    ]
    assert [r["label_zh"] for r in ask(store, "ontology/find", label="预")] == ["预警信号", "红色预警"]
    assert ask(store, "ontology/find", label="内涝")[0]["names"] == ["内涝", "城市内涝"]
    assert ask(store, "ontology/find", label="地震") == []


@pytest.mark.slow
def test_newest_pages_about_a_concept(store: GraphStore) -> None:
    project(store)
    (row,) = ask(store, "pages/newest", concept="rainstorm disaster")
    assert (row["url"], row["published"], row["sentence"]) == ("http://a.cn/1", "2024-05-01", "暴雨灾害仍在持续。")
    assert ask(store, "pages/newest", concept="城市内涝") == []
    assert [r["sentence"] for r in ask(store, "pages/newest")] == [None]


@pytest.mark.slow
def test_any_number_of_sentences_in_a_transaction_gives_the_same_graph(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(store)
    expected, sentences = everything(store), count(store)
    remove_crawl(store, web.CRAWL.id)
    monkeypatch.setattr("kg.project._SENTENCES", 2)
    monkeypatch.setattr("kg.project._PAGES_TO_FORGET", 1)
    project(store)
    assert (everything(store), count(store)) == (expected, sentences)
    remove_crawl(store, web.CRAWL.id)
    assert count(store) == 0


def test_concepts_are_found_by_both_scripts(store: GraphStore) -> None:
    concepts = (Concept("#T", "颱風", "typhoon", alt_zh=("熱帶氣旋",)), Concept("#R", "台风雨", "typhoon rain"))
    load_ontology(store, Ontology("http://o", "global", "t", "1", "#T", concepts, ()))
    found = [(r["label_zh"], r["match"], r["names"]) for r in ask(store, "ontology/find", label="台风")]
    assert found == [("颱風", "equal", ["颱風"]), ("台风雨", "begins", ["台风雨"])]
    assert [r["names"] for r in ask(store, "ontology/find", label="热带气旋")] == [["熱帶氣旋"]]
    assert [r["label_zh"] for r in ask(store, "ontology/find", label="typhoon")] == ["颱風", "台风雨"]


@pytest.mark.slow
def test_search_finds_both_scripts(store: GraphStore) -> None:
    papers = [Document("p1", "颱風過後的積水"), Document("p2", "台风过后的积水"), Document("p3", "積雪")]
    load_documents(store, papers, lambda d: {}, ontology="")
    for text in ("台风 积水", "颱風 積水"):
        assert {row["sentence"] for row in ask(store, "evidence/search", text=simplified(text))} == {
            "颱風過後的積水",
            "台风过后的积水",
        }
    folded = store.read("MATCH (s:Sentence) RETURN s.text AS text, s.folded AS folded ORDER BY s.folded")
    assert {row["text"]: row["folded"] for row in folded} == {
        "颱風過後的積水": "台风过后的积水", "台风过后的积水": None, "積雪": "积雪"
    }  # fmt: skip

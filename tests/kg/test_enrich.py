"""Proposals in the graph: support by several crawls, removal of crawls and pages, status, topics that do not mix."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg import enrich
from kg.enrich import ProposalError, read_proposals, save_proposals
from kg.load import load_ontology
from kg.project import project_crawl, remove_crawl
from kg.store import GraphStore
from ontology.enrichment import PageSentence, Proposal, Support
from tests.kg import small_crawl as web

SPONGE, FLOODED, TRAIN = web.PROPOSALS
TOPIC = "rainstorm"
OLD = replace(
    SPONGE, score=3.5, pages=2, target=web.BASE + "Flood", target_label="洪水", rule="head", reason="head 洪水",
    sentences=(PageSentence("海绵城市。", "http://a.cn/1", 0, 4, "", "run-a"),),
)  # fmt: skip
PLACES = (
    "MATCH (q:Proposal) OPTIONAL MATCH (q)-[:UNDER]->(u:Concept) OPTIONAL MATCH (q)-[:ABOUT]->(a:Concept) "
    "RETURN q.id AS id, q.score AS score, q.pages AS pages, q.status AS status, u.iri AS under, a.iri AS about "
    "ORDER BY id"
)
COUNTS = "MATCH (q:Proposal) OPTIONAL MATCH (q)-[r]-() RETURN count(DISTINCT q) AS proposals, count(r) AS relationships"


@pytest.fixture
def graph(store: GraphStore) -> GraphStore:
    load_ontology(store, web.ONTOLOGY)
    project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED])
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN)
    return store


def of(graph: GraphStore, id_: str, topic: str = TOPIC) -> Proposal:
    return next(one for one in read_proposals(graph, topic) if one.id == id_)


def ids(graph: GraphStore, topic: str = TOPIC, crawl: str = "") -> list[str]:
    return [one.id for one in read_proposals(graph, topic, crawl=crawl)]


@pytest.mark.slow
def test_what_is_saved_is_read_again(graph: GraphStore) -> None:
    assert save_proposals(graph, TOPIC, web.PROPOSALS, "run-b", ontology=web.ONTOLOGY.iri) == 3
    found = read_proposals(graph, TOPIC)
    assert found == list(web.PROPOSALS)
    assert [one.id for one in found] == [f"rainstorm/{p.key}" for p in web.PROPOSALS]
    assert {one.status for one in found} == {"proposed"}
    assert found[0].crawls == {"run-b": Support(2.5, 3, 1)}
    assert graph.read(PLACES) == [
        {"id": "rainstorm/列车效应", "score": 1.5, "pages": 2, "status": "proposed", "under": None, "about": None},
        {"id": "rainstorm/洪水:causes:城市内涝", "score": 2.0, "pages": 2, "status": "proposed",
         "under": web.BASE + "Waterlogging", "about": web.BASE + "Flood"},
        {"id": "rainstorm/海绵城市", "score": 2.5, "pages": 3, "status": "proposed",
         "under": web.BASE + "Waterlogging", "about": None},
    ]  # fmt: skip


@pytest.mark.slow
def test_proposing_twice_adds_nothing(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    before = graph.read(COUNTS), graph.read(PLACES)
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    assert (graph.read(COUNTS), graph.read(PLACES)) == before == ([{"proposals": 3, "relationships": 10}], before[1])


@pytest.mark.slow
def test_two_crawls_support_one_proposal_and_the_better_one_says_what_it_is(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    save_proposals(graph, TOPIC, [OLD], "run-a")
    both = of(graph, "rainstorm/海绵城市")
    assert both.crawls == {"run-a": Support(3.5, 2, 1), "run-b": Support(2.5, 3, 1)}
    assert (both.score, both.pages, both.target) == (3.5, 3, OLD.target)  # the two may have fetched the same pages
    assert [s.run for s in both.sentences] == ["run-a", "run-b", "run-b"]
    assert ids(graph, crawl="run-a") == ["rainstorm/海绵城市"] and len(ids(graph, crawl="run-b")) == 3
    rows = {row["id"]: row for row in graph.read(PLACES)}
    assert len(rows) == 3 and rows["rainstorm/海绵城市"]["under"] == OLD.target

    save_proposals(graph, TOPIC, [], "run-a")  # the older crawl is proposed again, and finds nothing
    alone = of(graph, "rainstorm/海绵城市")
    assert alone == SPONGE and list(alone.crawls) == ["run-b"]
    assert {row["id"]: row["under"] for row in graph.read(PLACES)}["rainstorm/海绵城市"] == SPONGE.target


@pytest.mark.slow
def test_what_a_crawl_does_not_propose_any_more_goes_unless_somebody_decided(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b", statuses={"rainstorm/列车效应": "rejected"})
    assert enrich.statuses(graph, TOPIC)["rainstorm/列车效应"] == "rejected"
    save_proposals(graph, TOPIC, [SPONGE], "run-b")
    assert enrich.statuses(graph, TOPIC) == {"rainstorm/列车效应": "rejected", "rainstorm/海绵城市": "proposed"}
    enrich.set_status(graph, {"rainstorm/海绵城市": "accepted", "rainstorm/unknown": "accepted"})
    save_proposals(graph, TOPIC, [], "run-b")
    assert set(enrich.statuses(graph, TOPIC)) == {"rainstorm/列车效应", "rainstorm/海绵城市"}
    assert of(graph, "rainstorm/海绵城市").crawls == {}


@pytest.mark.slow
def test_a_removed_crawl_takes_its_support_away(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    save_proposals(graph, TOPIC, [OLD], "run-a")
    remove_crawl(graph, "run-b")
    assert ids(graph) == ["rainstorm/海绵城市"]
    assert of(graph, "rainstorm/海绵城市").crawls == {"run-a": Support(3.5, 2, 1)}
    remove_crawl(graph, "run-a")
    assert graph.read(COUNTS) == [{"proposals": 0, "relationships": 0}]


@pytest.mark.slow
def test_a_removed_page_takes_its_support_away(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    graph.write("MATCH (p:Page {url: 'http://a.cn/2'}) DETACH DELETE p RETURN count(*) AS n")
    left = of(graph, "rainstorm/海绵城市")
    assert left.crawls["run-b"].pages == 2 and [s.url for s in left.sentences] == ["http://b.cn/4"]
    graph.write("MATCH (p:Page {url: 'http://b.cn/4'}) DETACH DELETE p RETURN count(*) AS n")
    assert ids(graph) == ["rainstorm/列车效应"]  # the others have no page left
    project_crawl(graph, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN)
    assert set(enrich.statuses(graph, TOPIC)) == {"rainstorm/列车效应"}


@pytest.mark.slow
def test_a_crawl_that_is_written_again_keeps_its_proposals(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    before = graph.read(COUNTS)
    project_crawl(graph, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN)
    assert graph.read(COUNTS) == before


@pytest.mark.slow
def test_two_topics_do_not_mix(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    save_proposals(graph, "city", [SPONGE], "run-b", statuses={"city/海绵城市": "rejected"})
    assert ids(graph, "city") == ["city/海绵城市"] and len(ids(graph)) == 3
    save_proposals(graph, TOPIC, [], "run-b")
    assert ids(graph) == [] and [s.url for s in of(graph, "city/海绵城市", "city").sentences] == [
        "http://a.cn/2", "http://b.cn/4",
    ]  # fmt: skip


def test_a_long_sentence_is_cut_around_the_term(graph: GraphStore) -> None:
    spam = PageSentence("买" * 10_000 + "列车效应" + "买" * 10_000, "http://b.cn/6", 10_000, 10_004)
    save_proposals(graph, TOPIC, [replace(TRAIN, sentences=(spam,))], "run-b")
    (sentence,) = of(graph, "rainstorm/列车效应").sentences
    assert len(sentence.text) == 500 and sentence.text[sentence.start : sentence.end] == "列车效应"


def test_of_two_with_one_id_the_better_one_is_kept(graph: GraphStore) -> None:
    worse = Proposal("label", "海绵城市", "synonym", web.BASE + "Flood", "洪水", 0.5, 1, SPONGE.sentences[:1])
    assert save_proposals(graph, TOPIC, [SPONGE, worse], "run-b") == 1
    assert of(graph, "rainstorm/海绵城市") == SPONGE


@pytest.mark.slow
def test_proposals_for_nodes_that_the_graph_lacks_change_nothing(store: GraphStore) -> None:
    with pytest.raises(ProposalError, match=r"graph load"):
        save_proposals(store, TOPIC, web.PROPOSALS, "run-b")
    load_ontology(store, web.ONTOLOGY)
    with pytest.raises(ProposalError, match=r"name a crawl .* graph rebuild run-b"):
        save_proposals(store, TOPIC, web.PROPOSALS, "run-b")
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN)
    save_proposals(store, TOPIC, [SPONGE], "run-b")
    gone = replace(TRAIN, sentences=(PageSentence("列车效应", "http://none.cn/", 0, 4),))
    with pytest.raises(ProposalError, match="name a page"):
        save_proposals(store, TOPIC, [gone], "run-b")
    assert ids(store) == ["rainstorm/海绵城市"]


@pytest.mark.slow
def test_chosen_proposals_are_forgotten(graph: GraphStore) -> None:
    save_proposals(graph, TOPIC, web.PROPOSALS, "run-b")
    enrich.forget(graph, ["rainstorm/列车效应", "rainstorm/none"])
    enrich.forget(graph, [])
    assert ids(graph) == ["rainstorm/海绵城市", "rainstorm/洪水:causes:城市内涝"]

"""Concepts of two topics that are one node in the graph, by a mapping that says why."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import pytest

import queries
from kg import weights
from kg.enrich import save_proposals
from kg.joined import nodes
from kg.load import is_loaded, load_ontology, remove_ontology
from kg.project import project_crawl
from kg.records import CrawlRow, Mention, OutcomeRow
from kg.store import GraphStore, Row
from ontology import owl
from ontology.enrichment import PageSentence, Proposal
from ontology.mapping import EXACT, TermMapping
from ontology.mapping.mappings import CURATED
from ontology.model import Concept, Ontology, Relation

RAIN, WIND = "https://example.org/rain#", "https://example.org/wind#"
RAINSTORM, TYPHOON = (owl.read(str(files("ontologies") / f"{name}.ttl")) for name in ("rainstorm", "typhoon"))


def made(space: str, topic: str, *concepts: tuple[str, str, str]) -> Ontology:
    """An ontology of (name, Chinese label, synonym), all below the first."""
    listed = tuple(Concept(space + name, zh, None, (alt,) if alt else ()) for name, zh, alt in concepts)
    edges = tuple(Relation(c.iri, "subclass_of", listed[0].iri) for c in listed[1:])
    return Ontology(space.rstrip("#"), "global", topic, "1", listed[0].iri, listed, edges)


RAINS = made(RAIN, "rain", ("Root", "暴雨灾害", ""), ("Flood", "洪涝", ""), ("Outage", "电力中断", "停电"))
WINDS = made(
    WIND, "wind", ("Root", "台风灾害", ""), ("Flood", "洪涝", ""), ("Outage", "停电", "电力中断"), ("Wave", "巨浪", "")
)


def members(store: GraphStore, label: str) -> list[Row]:
    return store.read(
        "MATCH (c:Concept)-[m:IN_ONTOLOGY]->(o:Ontology) WHERE c.label_zh = $label OR m.label_zh = $label "
        "RETURN c.iri AS iri, o.topic AS topic, m.iri AS own, m.label_zh AS label, m.predicate AS predicate, "
        "m.justification AS justification, m.confidence AS confidence, m.match_string AS name, m.match AS why "
        "ORDER BY iri, topic",
        label=label,
    )


def load(store: GraphStore, *ontologies: Ontology) -> None:
    for ontology in ontologies:
        load_ontology(store, ontology)


@pytest.mark.slow
def test_two_topics_have_one_node_by_a_mapping_that_says_why(store: GraphStore) -> None:
    load(store, RAINSTORM)
    report = load_ontology(store, TYPHOON)
    assert report.joined_concepts == 18
    first, second = members(store, "洪涝")
    assert first["iri"] == second["iri"] == "https://w3id.org/ontocrawl/rainstorm#Flooding"
    assert (first["own"], first["predicate"], first["why"]) == (first["iri"], None, None)
    assert second["own"] == "https://w3id.org/ontocrawl/typhoon#Flooding"
    assert (second["predicate"], second["justification"]) == (EXACT, "semapv:LexicalMatching")
    assert (second["why"], second["name"]) == ("equal labels", "洪涝")
    assert 0.9 < second["confidence"] < 1
    rows = store.read("MATCH (c:Concept {label_zh: '洪涝'}) RETURN count(c) AS number")
    assert rows == [{"number": 1}]
    shared = queries.get("ontology/shared")
    assert len(store.read(shared.text, **shared.bind({"about": "洪涝"}))) == 2


@pytest.mark.slow
def test_a_synonym_joins_and_the_node_keeps_its_label(store: GraphStore) -> None:
    load(store, RAINS, WINDS)
    mine, other = members(store, "停电") + members(store, "电力中断")[:1]
    assert mine["iri"] == other["iri"] == RAIN + "Outage"
    assert mine["why"] == "label and synonym"
    assert store.read("MATCH (c:Concept {iri: $iri}) RETURN c.label_zh AS zh", iri=RAIN + "Outage") == [
        {"zh": "电力中断"}
    ]
    assert nodes(store) == {WIND + "Flood": RAIN + "Flood", WIND + "Outage": RAIN + "Outage"}


def test_loading_again_changes_nothing_in_any_order(store: GraphStore) -> None:
    load(store, WINDS, RAINS)
    before = members(store, "洪涝")
    assert {row["iri"] for row in before} == {WIND + "Flood"}, "the node that is there stays"
    load(store, RAINS, WINDS, RAINS)
    assert members(store, "洪涝") == before
    assert is_loaded(store, RAINS)
    assert is_loaded(store, WINDS)


def test_another_ontology_of_the_topic_has_the_same_nodes(store: GraphStore) -> None:
    load(store, WINDS, RAINS)
    local = replace(RAINS, iri="https://example.org/rain/local", kind="local")
    assert load_ontology(store, local).joined_concepts == 2
    assert {row["iri"] for row in members(store, "洪涝")} == {WIND + "Flood"}
    renamed = made(
        "https://example.org/rain2#", "rain", ("Root", "别", ""), ("F", "电力中断", "停电"), ("G", "暴雨灾害", "")
    )
    alone = replace(renamed, iri="https://example.org/rain2")
    load(store, alone)
    own = {row["own"]: row["iri"] for row in members(store, "暴雨灾害")}
    assert own["https://example.org/rain2#G"] == "https://example.org/rain2#G", "one topic is not mapped to itself"


@pytest.mark.slow
def test_removing_one_leaves_the_other(store: GraphStore) -> None:
    load(store, RAINS, WINDS)
    remove_ontology(store, RAINS.iri)
    (row,) = members(store, "洪涝")
    assert (row["iri"], row["own"], row["topic"]) == (RAIN + "Flood", WIND + "Flood", "wind")
    load(store, WINDS)
    assert members(store, "洪涝") == [row], "a place that was given is kept"


def test_given_mappings_join_and_no_others(store: GraphStore) -> None:
    load(store, RAINS)
    by_hand = TermMapping(RAIN + "Flood", "洪涝", EXACT, WIND + "Wave", "巨浪", CURATED)
    assert load_ontology(store, WINDS, [by_hand]).joined_concepts == 1
    (row,) = [row for row in members(store, "巨浪") if row["topic"] == "wind"]
    assert (row["iri"], row["justification"]) == (RAIN + "Flood", CURATED)
    assert load_ontology(store, WINDS, []).joined_concepts == 0
    assert {row["iri"] for row in members(store, "洪涝")} == {RAIN + "Flood", WIND + "Flood"}
    assert [row["why"] for row in members(store, "洪涝")] == [None, None]


@pytest.mark.slow
def test_weights_go_by_the_ontology_and_are_kept_at_the_node(store: GraphStore) -> None:
    load(store, RAINSTORM, TYPHOON)
    terms = {t.iri: t for t in weights.topic_weights(store, TYPHOON.key)}
    assert set(terms) == set(TYPHOON.by_iri)
    assert terms["https://w3id.org/ontocrawl/typhoon#Flooding"].node == "https://w3id.org/ontocrawl/rainstorm#Flooding"
    assert terms["https://w3id.org/ontocrawl/typhoon#HazardAvoidingEvacuation"].word == "避险转移"
    weights.save_weights(store, "typhoon", list(terms.values()))
    weights.save_weights(store, "rainstorm", weights.topic_weights(store, RAINSTORM.key))
    rows = store.read(
        "MATCH (t:Topic)-[w:WEIGHTS]->(c:Concept {iri: $iri}) RETURN t.name AS topic ORDER BY topic",
        iri="https://w3id.org/ontocrawl/rainstorm#Flooding",
    )
    assert [row["topic"] for row in rows] == ["rainstorm", "typhoon"]


@pytest.mark.slow
def test_weights_do_not_change_by_the_join(store: GraphStore) -> None:
    load(store, TYPHOON)
    alone = {t.iri: t.weight for t in weights.topic_weights(store, TYPHOON.key)}
    remove_ontology(store, TYPHOON.key)
    load(store, RAINSTORM, TYPHOON)
    joined = {t.iri: t.weight for t in weights.topic_weights(store, TYPHOON.key)}
    assert joined == alone


@pytest.mark.slow
def test_pages_and_proposals_of_both_topics_meet_at_the_node(store: GraphStore) -> None:
    load(store, RAINS, WINDS)
    for crawl, iri in (("r", RAIN + "Flood"), ("w", WIND + "Flood")):
        url = f"http://a.cn/{crawl}"
        page = OutcomeRow(
            1, url, "a.cn", 200, url, "", None, None, "", 0.9, True, None, None, None, "", (Mention(iri, 2, 0.5),)
        )
        report = project_crawl(store, CrawlRow(crawl, "s", "t", "web", "2026-01-01T00:00:00Z"), [page], [], [])
        assert (report.mentions, report.unknown_concepts) == (1, ())
    rows = store.read("MATCH (p:Page)-[m:MENTIONS]->(c:Concept) RETURN m.crawl AS crawl, c.iri AS iri ORDER BY crawl")
    assert rows == [{"crawl": "r", "iri": RAIN + "Flood"}, {"crawl": "w", "iri": RAIN + "Flood"}]
    shown = (PageSentence("内涝", "http://a.cn/w", 0, 2),)
    proposal = Proposal("concept", "内涝", "subclass_of", WIND + "Flood", "洪水", 1.0, 1, shown)
    assert save_proposals(store, "wind", [proposal], "w", ontology=WINDS.key) == 1
    under = store.read("MATCH (:Proposal)-[:UNDER]->(c:Concept) RETURN c.iri AS iri")
    assert under == [{"iri": RAIN + "Flood"}]

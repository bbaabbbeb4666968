"""The statements that only the package kg sends: each is sent, answers as declared, alike on both engines, by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

import queries
from kg import enrich, health, networks, walks
from kg.bolt import BoltStore
from kg.enrich import save_proposals
from kg.joined import nodes
from kg.key_weights import with_keys
from kg.load import is_loaded, load_ontology, remove_ontology
from kg.papers import load_documents, load_lattice, papers_digest, texts
from kg.project import project_crawl, remove_crawl
from kg.ranking import stored
from kg.ranking.crawl_ranks import rank_crawl
from kg.ranking.link_graph import anchors_of_pages
from kg.records import KnownRow
from kg.store import GraphStore, Row
from kg.weights import WordRow, load_words, save_weights, topic_weights, words_of
from ontology.model import Concept, Ontology
from ontology.terms.document_frequencies import DocumentFrequencies
from tests.conftest import empty
from tests.kg import small_crawl as web
from tests.queries.small_graph import GLOBAL, LOCAL, LOCAL_ONTOLOGY, fill
from tests.queries.test_demo_graph import same, scans

INTERNAL = {q.text: q for q in queries.all_queries(internal=True) if q.internal}
WHOLE = {
    "check/unsupported": "the proposals that no crawl makes, in a check of the whole graph",
    "enrich/all_ids": "the ids of all proposals, to find one that is named without its topic",
    "load/forms": "the names of all concepts, to find what the terms of papers denote",
    "load/joined": "the concepts that have another IRI in an ontology, once in a projection",
    "load/members_of_others": "the names of all concepts, to find those that are one with a concept that is loaded",
    "load/lattices_of": "the formal concepts of all lattices, once, when an ontology is taken out",
    "load/forget_weights": "the weights of all topics, a few thousand: their concepts have left the ontology by then",
}
"""Statements that read all nodes of a label or all relationships of a type, and why."""
ADDED = Ontology(
    web.BASE + "added", "local", "rainstorm", "1", web.BASE + "New",
    (web.concept("New", "新", "new"), web.concept("Newer", "更新", "newer")), (web.is_a("Newer", "New"),),
    title_zh="新", title_en="new",
)  # fmt: skip
"""Concepts that nothing else refers to."""
JOINED = Ontology(
    "https://example.org/wind", "global", "typhoon", "1", "https://example.org/wind#Flood",
    (Concept("https://example.org/wind#Flood", "洪水"),), (),
)  # fmt: skip
"""Another topic with a concept that is one with one of the small graph."""


@dataclass
class Sent:
    query: queries.Query
    params: Mapping[str, Any]
    rows: list[Row]


@dataclass
class Witness:
    """A store that remembers what was asked of another one."""

    store: GraphStore
    sent: list[Sent] = field(default_factory=list)

    def read(self, query: str, **params: Any) -> list[Row]:
        return self._saw(query, params, self.store.read(query, **params))

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        found = self.store.write(query, rows, **params)
        return self._saw(query, params if rows is None else {**params, "rows": list(rows)}, found)

    def schema(self, statement: str) -> None:
        self.store.schema(statement)

    @contextmanager
    def transaction(self) -> Iterator[Witness]:
        with self.store.transaction() as running:
            yield Witness(running, self.sent)  # type: ignore[arg-type]

    def close(self) -> None:
        self.store.close()

    def _saw(self, query: str, params: Mapping[str, Any], rows: list[Row]) -> list[Row]:
        if query in INTERNAL:
            self.sent.append(Sent(INTERNAL[query], params, rows))
        return rows


def life(store: GraphStore) -> list[Sent]:
    """Load, project, rank, weigh, propose, do all of it again with less, and take everything out."""
    graph = Witness(store)
    waiting = web.OLDER_OUTCOMES[2]  # known at first, fetched by the same crawl when `fill` projects it again
    project_crawl(graph, web.OLDER, web.OLDER_OUTCOMES[:2], (), [KnownRow(waiting.url, waiting.host, 0.5, "waiting")])
    only_linked = replace(web.OLDER, id="run-c")  # without the pages that are known
    project_crawl(graph, only_linked, web.OLDER_OUTCOMES, web.OLDER_LINKS, ())
    rank_crawl(graph, only_linked.id)
    remove_crawl(graph, only_linked.id)
    fill(graph)
    load_ontology(graph, JOINED)
    assert nodes(graph) == {"https://example.org/wind#Flood": web.BASE + "Flood"}
    load_ontology(graph, ADDED)
    load_ontology(graph, replace(ADDED, concepts=ADDED.concepts[:1], relations=()))
    assert is_loaded(graph, web.ONTOLOGY) and not is_loaded(graph, ADDED)
    with_keys(graph, topic_weights(graph, GLOBAL), [GLOBAL], DocumentFrequencies({"洪水": 2}, 9, "by hand", 1))
    assert papers_digest(graph, GLOBAL) == "of the papers"
    assert {key: paper.title for key, paper in texts(graph, [GLOBAL]).items()} == {d.id: d.title for d in web.DOCUMENTS}
    load_documents(graph, web.DOCUMENTS[:1], lambda d: {"暴雨灾害": 1}, ontology=GLOBAL)
    for _ in range(2):
        load_lattice(graph, "small", web.LATTICE[:1], ())
    fewer = [replace(row, mentions=row.mentions[:-1]) for row in web.OUTCOMES]
    project_crawl(graph, web.CRAWL, fewer, web.LINKS[:-1], (), seeds=[web.SEED])
    assert stored.crawl_without(graph) == web.CRAWL.id
    rank_crawl(graph, web.CRAWL.id, personalised=True, warm=True)
    assert stored.crawl_without(graph) is None
    assert {row["url"] for row in anchors_of_pages(graph, web.CRAWL.id) if row["anchors"]} < {
        r.url for r in web.OUTCOMES
    }
    graph.write("MATCH (:Concept)-[m:IN_ONTOLOGY]->(:Ontology {iri: $iri}) SET m.depth = 0", iri=LOCAL)  # an edit
    read_networks(graph)
    save_weights(graph, "rainstorm", topic_weights(graph, LOCAL)[:2])
    heavy, light = WordRow("暴雨", ("暴雨",), (), 1.0), WordRow("flood", (), ("flood", "floods"), 0.5)
    assert load_words(graph, "rainstorm", [heavy, light]) and words_of(graph, "rainstorm") == [heavy, light]
    assert load_words(graph, "rainstorm", [heavy]) and words_of(graph, "rainstorm") == [heavy]
    enrich.set_status(graph, {"rainstorm/列车效应": "accepted"})
    assert health.proposes(graph, web.CRAWL.id, "rainstorm")
    propose_again(graph)
    for name in ("ontology/ancestors", "ontology/descendants"):
        query = queries.get(name)
        assert walks.rows(graph, query, query.bind({"concept": web.BASE + "Flood"}))
    assert health.crawls(graph) == {web.CRAWL.id: True, web.OLDER.id: True}
    assert health.crawl_rows(graph, web.CRAWL.id) == {"FETCHED": 7, "KNOWS": 2, "LINKS_TO": 9}
    graph.write("MATCH (:Crawl {id: $crawl})-[f:FETCHED]->(:Page) SET f.pagerank = null", crawl=web.CRAWL.id)
    assert health.unranked(graph, web.CRAWL.id) == 7
    assert GLOBAL in {row["iri"] for row in health.ontologies(graph)}
    remove_crawl(graph, web.CRAWL.id)
    for iri in (ADDED.iri, JOINED.iri, LOCAL_ONTOLOGY.iri, GLOBAL):
        remove_ontology(graph, iri)
    return graph.sent


def propose_again(graph: GraphStore) -> None:
    """Decide about one proposal, move another to another concept, and take all support away."""
    assert len(enrich.all_ids(graph)) == 3
    enrich.set_status(graph, {"rainstorm/列车效应": "accepted"})
    moved = replace(web.PROPOSALS[1], target=web.BASE + "FlashFlood")
    graph.write("MATCH (:Proposal)-[f:FOUND_IN]->(:Page) WHERE f.crawl = 'run-a' DELETE f RETURN count(*) AS n")
    save_proposals(graph, "rainstorm", [moved], web.CRAWL.id, ontology=GLOBAL)
    assert enrich.titles(graph, [row.url for row in web.OUTCOMES])
    assert enrich.crawl_facts(graph, web.CRAWL.id) == {
        "strategy": web.CRAWL.strategy, "topic": web.CRAWL.topic, "world": web.CRAWL.world,
        "started": web.CRAWL.started,
    }  # fmt: skip
    assert enrich.crawl_facts(graph, "no such crawl") is None
    assert [one.id for one in enrich.read_proposals(graph, "rainstorm")] == [
        "rainstorm/洪水:causes:城市内涝", "rainstorm/列车效应",
    ]  # fmt: skip
    graph.write("MATCH (q:Proposal)<-[s:PROPOSES]-(:Crawl {id: 'run-b'}) DELETE s RETURN count(*) AS n")
    (orphan,) = (fault for fault in health.survey(graph).faults if fault.element == "Proposal")
    assert orphan.what == "1 proposals are made by no crawl in the graph: rainstorm/洪水:causes:城市内涝"


def read_networks(graph: GraphStore) -> None:
    """Read the link graph of a crawl, and the concepts of the ontologies of a topic."""
    pages = networks.fetched_pages(graph, web.CRAWL.id)
    assert list(networks.links_of(graph, web.CRAWL.id, [page["url"] for page in pages]))
    networks.known_pages(graph, web.OLDER.id)
    read_neighbours(graph, [page["url"] for page in pages])
    keys = networks.ontologies_named(graph, "rainstorm")
    assert set(keys) >= {GLOBAL, LOCAL}
    concepts = networks.concepts_of(graph, keys)
    assert list(networks.relations_of(graph, keys, [concept["iri"] for concept in concepts]))


def read_neighbours(graph: GraphStore, urls: list[str]) -> None:
    """Read the pages beside one, what is known of some pages, and the links between them."""
    (first, *_), crawl = urls, web.CRAWL.id
    joined = networks.beside(graph, crawl, [first], 100)
    links = networks.links_between(graph, crawl, urls)
    assert {urls[j] for i, j in links if i == 0} <= set(joined) and len(networks.beside(graph, crawl, [first], 1)) == 1
    known = networks.pages_of(graph, crawl, joined)
    assert {row["url"] for row in known} == set(joined)
    favoured = networks.favoured_pages(graph, crawl, 100)
    same_pages = networks.pages_of(graph, crawl, [row["url"] for row in favoured])
    assert favoured == sorted(same_pages, key=lambda row: (-row["pagerank"], row["url"])) and len(favoured) >= len(urls)
    assert networks.favoured_pages(graph, crawl, 2) == favoured[:2]
    named = networks.concept_named_most(graph, crawl, urls)
    assert networks.links_between_communities(graph, crawl)
    assert named and all(row["iri"].startswith(web.BASE) for row in named.values())


@pytest.fixture(scope="module")
def sent(embedded_engine: BoltStore) -> list[Sent]:
    return life(empty(embedded_engine))


def says_something(rows: Sequence[Row]) -> bool:
    """Whether there is a row that tells more than a count of nothing."""
    return any(list(row.values()) != [0] for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("query", INTERNAL.values(), ids=lambda q: q.name)
def test_a_statement_is_sent_and_answers_with_the_declared_columns(query: queries.Query, sent: list[Sent]) -> None:
    mine = [one for one in sent if one.query is query]
    assert mine, "nothing sends it"
    assert any(says_something(one.rows) for one in mine)
    for one in mine:
        assert set(one.params) == {p.name for p in query.parameters}
        assert all(tuple(row) == query.returns for row in one.rows)


def _in_order(value: Any) -> Any:
    return sorted(value, key=repr) if isinstance(value, list) else value


def _values(rows: Sequence[Row], url_of: dict[str, str]) -> list[list[Any]]:
    """The values of rows, with URLs in place of element ids; ``url_of`` has those of earlier rows."""
    url_of.update((row["node"], row["url"]) for row in rows if {"node", "url"} <= set(row))

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(one) for one in value]
        return url_of.get(value, value) if isinstance(value, str) else value

    return [[plain(value) for value in row.values()] for row in rows]


@pytest.mark.slow
@pytest.mark.neo4j
def test_both_engines_give_the_same_rows_to_every_statement(sent: list[Sent], neo4j_engine: BoltStore) -> None:
    there = life(empty(neo4j_engine))
    assert [one.query.name for one in sent] == [one.query.name for one in there]
    urls: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for here, other in zip(sent, there, strict=True):
        rows = [_values(one.rows, url_of) for one, url_of in zip((here, other), urls, strict=True)]
        if "ORDER BY" not in here.query.text:
            rows = [sorted(([_in_order(value) for value in row] for row in found), key=repr) for found in rows]
        assert same(*rows), here.query.name


@pytest.fixture(scope="module")
def small_on_neo4j(neo4j_engine: BoltStore) -> BoltStore:
    """A plan depends on what the graph holds: always the same here, whichever tests went before."""
    fill(empty(neo4j_engine))
    return neo4j_engine


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("query", INTERNAL.values(), ids=lambda q: q.name)
def test_a_key_is_looked_up(query: queries.Query, sent: list[Sent], small_on_neo4j: BoltStore) -> None:
    params = next(one.params for one in sent if one.query is query)
    found = scans(small_on_neo4j, query.text, params)
    assert not any(scan.startswith("AllNodesScan") for scan in found)
    if query.name not in WHOLE:
        assert found == []

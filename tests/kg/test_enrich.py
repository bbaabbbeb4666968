"""Proposals in the graph: written, written again, reviewed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.enrich import ProposalError, save_proposals
from kg.load import load_ontology
from kg.project import project_crawl
from kg.store import GraphStore
from tests.kg import small_crawl as web

PROPOSED = (
    "MATCH (q:Proposal)-[f:FOUND_IN]->(p:Page) OPTIONAL MATCH (q)-[:UNDER]->(c:Concept) "
    "RETURN q.id AS id, q.term AS term, q.status AS status, q.score AS score, c.iri AS under, p.url AS page, "
    "f.sentence AS sentence, q.ontology AS ontology, q.crawl AS crawl ORDER BY id"
)


def _projected(store: GraphStore) -> GraphStore:
    load_ontology(store, web.ONTOLOGY)
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN)
    return store


def test_proposals_are_saved_with_their_place_and_page(store: GraphStore) -> None:
    _projected(store)
    for _ in range(2):
        assert save_proposals(store, web.PROPOSALS, "run-b", ontology=web.ONTOLOGY.iri) == 2
        assert store.read(PROPOSED) == [
            {
                "id": p.id, "term": p.term, "status": "proposed", "score": p.score, "under": p.under, "page": p.page,
                "sentence": p.sentence, "ontology": web.ONTOLOGY.iri, "crawl": "run-b",
            }
            for p in sorted(web.PROPOSALS, key=lambda p: p.id)
        ]  # fmt: skip


def test_a_reviewed_proposal_keeps_its_status_and_stale_ones_go(store: GraphStore) -> None:
    _projected(store)
    save_proposals(store, web.PROPOSALS, "run-b")
    accept = "MATCH (q:Proposal {id: $id}) SET q.status = 'accepted' RETURN q.id AS id"
    store.write(accept, id=web.PROPOSALS[0].id)
    newer = replace(web.PROPOSALS[0], score=9.0)
    save_proposals(store, [newer], "run-b")
    found = [(row["id"], row["status"], row["score"]) for row in store.read(PROPOSED)]
    assert found == [(newer.id, "accepted", 9.0)]
    save_proposals(store, [], "run-b")
    assert len(store.read(PROPOSED)) == 1


def test_proposals_for_pages_or_concepts_that_the_graph_lacks(store: GraphStore) -> None:
    with pytest.raises(ProposalError, match="concept"):
        save_proposals(store, web.PROPOSALS, "run-b")
    load_ontology(store, web.ONTOLOGY)
    with pytest.raises(ProposalError, match="page"):
        save_proposals(store, web.PROPOSALS, "run-b")
    assert store.read("MATCH (q:Proposal) RETURN count(q) AS n") == [{"n": 0}]

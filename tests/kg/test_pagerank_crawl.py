"""Ranks of a crawl in the graph: what is written to FETCHED and KNOWS, personalised by topic, begun warm."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kg.bolt import BoltStore
from kg.load import load_ontology
from kg.project import project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.ranking.hits import hits
from kg.ranking.link_matrix import Floats, RankError
from kg.ranking.pagerank import pagerank
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.cli.main import invoke
from tests.kg import small_crawl as web

URLS = sorted({*(o.url for o in web.OUTCOMES), *(k.url for k in web.KNOWN)})
NODE = {url: i for i, url in enumerate(URLS)}
ENDS = [NODE[link.source] for link in web.LINKS], [NODE[link.target] for link in web.LINKS]
RANKS = (
    "MATCH (:Crawl {id: 'run-b'})-[r:FETCHED|KNOWS]->(p:Page) "
    "RETURN p.url AS url, type(r) AS kind, r.pagerank AS pagerank, r.authority AS authority, r.hub AS hub ORDER BY url"
)


def project(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])


def column(store: GraphStore, name: str) -> list[float]:
    return [row[name] for row in store.read(RANKS)]


def test_pagerank_authority_and_hub_stand_on_fetched_and_known_pages(store: GraphStore) -> None:
    project(store)
    report = rank_crawl(store, "run-b")
    found = hits(len(URLS), *ENDS)
    rows = store.read(RANKS)
    assert [row["url"] for row in rows] == URLS
    assert {row["kind"] for row in rows} == {"FETCHED", "KNOWS"}
    assert column(store, "pagerank") == pytest.approx(pagerank(len(URLS), *ENDS).values.tolist())
    assert column(store, "authority") == pytest.approx(found.authority.tolist())
    assert column(store, "hub") == pytest.approx(found.hub.tolist())
    assert report.hits_iterations == found.iterations
    assert all(row["hub"] == 0 for row in rows if row["kind"] == "KNOWS")


def test_personalised_by_the_relevance_of_the_fetched_pages(embedded_store: GraphStore) -> None:
    project(embedded_store)
    rank_crawl(embedded_store, "run-b", personalised=True, topic_biased=True)
    share = np.zeros(len(URLS))
    for outcome in web.OUTCOMES:
        share[NODE[outcome.url]] = outcome.relevance or 0.0
    R = [link.relevance for link in web.LINKS]
    expected = dense(share, R)
    assert column(embedded_store, "pagerank") == pytest.approx(expected, rel=1e-6)
    assert expected != pytest.approx(dense(np.ones(len(URLS)), R), rel=0.01)


def dense(share: Floats, R: list[float]) -> list[float]:
    """(I - M) PR = (1 - d) n share / sum of the shares, solved; M of the repaired Eq. (8), written out."""
    n = len(URLS)
    M = np.zeros((n, n))
    for page in range(n):
        out = [(target, 1 + 0.6 * r) for source, target, r in zip(*ENDS, R, strict=True) if source == page]
        for target, biased in out:
            M[target, page] += 0.85 * biased / sum(b for _, b in out)
    return [float(value) for value in np.linalg.solve(np.eye(n) - M, 0.15 * n * share / share.sum())]


def test_a_warm_start_gives_the_same_sooner(embedded_store: GraphStore) -> None:
    project(embedded_store)
    cold = rank_crawl(embedded_store, "run-b")
    before = column(embedded_store, "pagerank"), column(embedded_store, "authority")
    warm = rank_crawl(embedded_store, "run-b", warm=True)
    assert warm.iterations < cold.iterations
    assert warm.hits_iterations <= cold.hits_iterations
    assert column(embedded_store, "pagerank") == pytest.approx(before[0], rel=1e-7)
    assert column(embedded_store, "authority") == pytest.approx(before[1], abs=1e-6)


def test_nothing_relevant_cannot_personalise(embedded_store: GraphStore) -> None:
    poor = [replace(outcome, relevance=0.0) for outcome in web.OUTCOMES]
    project_crawl(embedded_store, web.CRAWL, poor, web.LINKS, web.KNOWN, seeds=[web.SEED])
    with pytest.raises(RankError, match="no page that the crawl 'run-b' fetched has a relevance over 0"):
        rank_crawl(embedded_store, "run-b", personalised=True)


def test_the_command_ranks_by_topic(
    embedded_store: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(embedded_store)
    assert embedded_store._auth is not None
    names = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE")
    for name, value in zip(
        names, (embedded_store.uri, *embedded_store._auth, embedded_store._database or ""), strict=True
    ):
        monkeypatch.setenv(name, value)
    where = ["--workspace", str(workspace.init(tmp_path / "ws").root), "--json"]
    assert invoke(["graph", "rank", "run-b", "--personalised", *where]) == 0
    pages = {page["url"]: page["pagerank"] for page in json.loads(capsys.readouterr().out)["pages"]}
    share = [next((o.relevance or 0.0 for o in web.OUTCOMES if o.url == url), 0.0) for url in URLS]
    assert pages == pytest.approx(
        dict(zip(URLS, dense(np.array(share), [0.0] * len(web.LINKS)), strict=True)), rel=1e-6
    )

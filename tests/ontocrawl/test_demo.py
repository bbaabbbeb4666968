"""The demo as a user sees it: what summary.json holds, that the report stands alone, that every query has an answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import queries
from crawler.worlds.synthetic import SyntheticWorld
from kg import walks
from ontocrawl import demo
from ontocrawl.backup import restoring, writing
from ontocrawl.base import workspace
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph.graph_store import store
from ontocrawl.runs import runs
from ontocrawl.topics import topics
from ontocrawl.versions import histories
from ontology import owl

pytestmark = pytest.mark.slow
LEARNED = Path("workspace") / "ontologies" / "learned"


@pytest.fixture(scope="module")
def out(demo_folder: Path) -> Path:
    return demo_folder


@pytest.fixture(scope="module")
def summary(out: Path) -> Any:
    return json.loads((out / "summary.json").read_text(encoding="utf-8"))


def test_summary_has_all_that_was_promised(summary: Any) -> None:
    assert summary["documents"] >= 40 and summary["terms"] >= 60 and summary["classes"] >= 60
    assert summary["formal_concepts"] > summary["terms"] and summary["lattice_edges"] > summary["formal_concepts"]
    assert summary["topic_weights"]["暴雨灾害"] == 1.0 and all(0 < w <= 1 for w in summary["topic_weights"].values())
    steered = [(crawl["strategy"], crawl["ontology"]) for crawl in summary["crawls"]]
    assert steered == [("breadth_first", None), ("fcosa_lg", "learned"), ("fcosa_lg", "curated")]
    for crawl in summary["crawls"]:
        assert crawl["fetched"] == 300 and crawl["stop_reason"] == "limit_pages"
        assert crawl["accuracy"] == pytest.approx(crawl["relevant"] / crawl["fetched"])
        assert list(crawl["milestones"]) == ["100", "300", "end"]
        assert 0 < crawl["milestones"]["100"]["rc"] < crawl["rc"] < 1 and 0 < crawl["sd_lp"] < crawl["sd"] < 1
    unguided, learned, curated = (crawl["relevant_by_label"] for crawl in summary["crawls"])
    assert min(learned, curated) >= 1.5 * unguided
    assert summary["formal_concepts_of_claims"] > summary["classes"]
    assert set(summary["graph"]) == {"pages", "links", "concepts"} and min(summary["graph"].values()) > 100
    assert len(summary["pagerank_top"]) == 20 and all(url.startswith("http://") for url in summary["pagerank_top"])


def test_the_learned_ontology_is_in_the_journal_and_in_the_graph(out: Path) -> None:
    learned = owl.read(out / LEARNED / "rainstorm.ttl")
    space = Workspace(out / "workspace", Settings())
    words = runs.config_of(space, "demo-enriched").vocabularies["GTK"].words
    assert {word.iri for word in words} <= {c.iri for c in learned.concepts}
    assert runs.config_of(space, "demo-enriched").ontologies["GTK"]["key"] == learned.key
    before = runs.config_of(space, "demo-learned").ontologies["GTK"]
    assert (before["iri"], before["key"] != learned.key) == (learned.iri, True)
    assert runs.config_of(space, "demo-curated").ontologies["GTK"]["key"] == "https://w3id.org/ontocrawl/rainstorm"
    with store(space) as graph:
        found = graph.read("MATCH (:Topic)-[w:WEIGHTS]->(:Concept) RETURN DISTINCT w.ontology AS ontology")
    assert learned.key in {row["ontology"] for row in found}


def test_accepted_proposals_made_a_version_and_steered_the_next_crawl(out: Path, summary: Any) -> None:
    told = summary["enrichment"]
    again, learned = told["second_crawl"], summary["crawls"][1]
    assert 0 < told["accepted"] <= told["proposed"] == len(summary["proposals"]) and not told["refused"]
    assert again["fetched"] == 300 and 0 < again["relevant_by_label"] <= 300
    assert told["prior"].startswith("0.1.0") and told["version"].startswith("0.2.0")
    space = Workspace(out / "workspace", Settings())
    before, after = (runs.config_of(space, name) for name in ("demo-learned", "demo-enriched"))
    assert after.ontologies["GTK"]["version"] == told["version"] != before.ontologies["GTK"]["version"]
    old, new = ({w.label: w.weight for w in c.vocabularies["GTK"].words} for c in (before, after))
    came = set(told["terms"]) & set(new)
    assert came and not came & set(old) and all(0 < new[term] <= 1 for term in came)
    series = [[c.ontologies[name]["iri"] for name in sorted(c.ontologies)] for c in (before, after)]
    assert series[0] == series[1], "the local ontologies keep their places"
    page = (out / "report.html").read_text(encoding="utf-8")
    section = page[page.index('<section id="round">') :]
    assert "10 relevant pages" in section and "fcosa_lg, learned" in section and "fcosa_lg, enriched" in section
    assert again["milestones"]["end"] != learned["milestones"]["end"], "other weights, another crawl"


def test_the_workspace_shows_what_was_learned(out: Path, tmp_path: Path) -> None:
    space = workspace.find(out / "workspace")[0]
    topic = topics.load("rainstorm", space)
    assert topic.path == (out / LEARNED / "rainstorm.toml").resolve() and topic.ontologies[0].is_derived
    assert topics.available(space)["rainstorm"].endswith("rainstorm.toml")
    history = histories.history(topic, space)
    assert history.waiting == () and len(history.versions) == 2 and history.proposals
    saved = writing.write(space, tmp_path / "saved.zip", graph=False)
    assert saved.left_out == ()
    moved = restoring.restore(tmp_path / "saved.zip", tmp_path / "new")
    again = topics.load("rainstorm", workspace.find(Path(moved.workspace))[0])
    assert again.path is not None and again.path.is_relative_to(tmp_path) and again.ontologies == topic.ontologies


def test_what_was_accepted_is_not_proposed_again(out: Path, summary: Any) -> None:
    space = Workspace(out / "workspace", Settings())
    with store(space) as graph:
        rows = graph.read(
            "MATCH (:Crawl {id: 'demo-enriched'})-[:PROPOSES]->(q:Proposal) RETURN q.term AS term, q.status AS status"
        )
    assert len(rows) >= 5 and not {row["term"] for row in rows} & set(summary["enrichment"]["terms"])
    assert {row["status"] for row in rows} == {"proposed"}


def test_the_report_shows_three_harvest_curves(out: Path) -> None:
    page = (out / "report.html").read_text(encoding="utf-8")
    for name in ("breadth_first", "fcosa_lg, learned", "fcosa_lg, curated"):
        assert page.count(name) >= 3, "in the table, the legend and the sentence below the chart"


def test_proposals_are_new_and_find_planted_terms(out: Path, summary: Any) -> None:
    proposals = summary["proposals"]
    assert len(proposals) >= 10
    space = Workspace(Path("nowhere"), Settings())
    learned = str(out / LEARNED / "rainstorm.toml")
    known = {form for o in topics.load(learned, space).ontologies for c in o.concepts for _, form in c.forms()}
    assert {p["term"] for p in proposals} & known == set(summary["enrichment"]["terms"]), "known by now"
    planted = set(SyntheticWorld("planted", 600, 0).planted_terms)
    assert len({p["term"] for p in proposals} & planted) >= 3
    assert all(p["page"].startswith("http://") and p["term"].casefold() in p["sentence"].casefold() for p in proposals)


def test_the_report_stands_alone(out: Path) -> None:
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "概念格" in page and "<svg" in page and "\\u" not in page
    assert not re.search(r'<(script|link|img|iframe)[^>]+(src|href)="https?://', page)


def test_every_query_for_users_has_an_answer_on_the_demo_graph(out: Path) -> None:
    listed = queries.all_queries()
    with store(Workspace(out / "workspace", Settings())) as graph:
        empty = {q.name for q in listed if not walks.rows(graph, q, q.bind(q.example_values()))}
    assert len(listed) >= 40 and empty == {q.name for q in listed if "revisited" in q.needs}


def test_a_folder_that_is_no_demo_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Exception, match="not an earlier demo"):
        demo.run(tmp_path, pages=10, seed=0, on_stage=lambda stage: None)
    assert (tmp_path / "letter.txt").exists()

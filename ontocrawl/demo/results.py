"""What the demo shows of its steps: summary.json and the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import queries
from crawler.metrics import harvest_curve
from kg.records import WeightedTerm
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.demo.crawls import AGAIN, CRAWLS, LEARNED, DemoCrawl
from ontocrawl.demo.enriching import MIN_PAGES, Enriched
from ontocrawl.enrichment.proposals import as_json
from ontocrawl.report import CrawlCurve, QueryAnswer, ReportData, Round, WeightTable
from ontocrawl.report.data import FACTORS, FIGURES
from ontocrawl.runs import runs
from ontocrawl.runs.runs import RunResult
from ontocrawl.versions import learning
from ontocrawl.versions.building import Built
from ontology.draw import hierarchy_svg, lattice_svg

SHOWN_QUERIES = ("pages/most_relevant", "hosts/that_pay", "crawl/tunnels")
CRAWL_KEYS = (
    "fetched", "relevant", "relevant_by_label", "accuracy", "ar", "sd", "ar_lp", "sd_lp", "rc", "stop_reason",
    "seconds", "failures", "redirects", "milestones",
)  # fmt: skip
"""Keys of `crawl status --json` that summary.json has for each crawl."""


@dataclass(frozen=True)
class Demonstration:
    """What the steps of the demo made.

    Attributes:
        built: the ontology that was learned.
        weights: topic vector of each of its ontologies.
        crawled: the result of each of CRAWLS.
        ranked: the answer of `ranked`.
        answers: the answers of `answers`.
        enriched: the proposals and what became of them.
        again: the result of the crawl by the new version.
        counts: the answer of `counts`.
    """

    built: Built
    weights: Sequence[Sequence[WeightedTerm]]
    crawled: Sequence[RunResult]
    ranked: Sequence[tuple[Any, ...]]
    answers: Sequence[QueryAnswer]
    enriched: Enriched
    again: RunResult
    counts: dict[str, int]


# ---- asked of the graph


def answers(graph: GraphStore, run_name: str) -> list[QueryAnswer]:
    """Return the answers of SHOWN_QUERIES about a crawl, 12 rows each."""
    return [_answer(graph, name, run_name) for name in SHOWN_QUERIES]


def _answer(graph: GraphStore, name: str, run_name: str) -> QueryAnswer:
    query = queries.get(name)
    parameters = {"crawl": run_name} if any(p.name == "crawl" for p in query.parameters) else {}
    answer = graph.read(query.text, **query.bind(parameters))[:12]
    rows = tuple(tuple(row[c] for c in query.returns) for row in answer)
    return QueryAnswer(name, query.title, query.text, tuple(query.returns), rows)


def counts(graph: GraphStore) -> dict[str, int]:
    """Return the numbers of pages, links and concepts in the graph."""
    counted = {
        "pages": "MATCH (n:Page) RETURN count(n) AS n",
        "links": "MATCH (:Page)-[r:LINKS_TO]->(:Page) RETURN count(r) AS n",
        "concepts": "MATCH (n:Concept) RETURN count(n) AS n",
    }
    return {name: graph.read(query)[0]["n"] for name, query in counted.items()}


def ranked(graph: GraphStore, run_name: str) -> list[tuple[Any, ...]]:
    """Return (URL, title, PageRank, R) of the 20 pages with the highest PageRank."""
    query = (
        "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.pagerank IS NOT NULL AND f.failure IS NULL "
        "RETURN p.url AS url, f.title AS title, f.pagerank AS pagerank, f.relevance AS relevance "
        "ORDER BY pagerank DESC, url LIMIT 20"
    )
    return [(r["url"], r["title"], r["pagerank"], r["relevance"]) for r in graph.read(query, run=run_name)]


# ---- summary.json


def summary(made: Demonstration) -> dict[str, Any]:
    """Return the content of summary.json."""
    figures = learning.summary(made.built.learned)
    learned = (*FIGURES, "formal_concepts_of_claims", "depth")
    return {
        **{key: figures[key] for key in (*learned, "version")},
        "topic_weights": {term.word: term.weight for term in made.weights[0]},
        "crawls": [_crawl_figures(crawl, result) for crawl, result in zip(CRAWLS, made.crawled, strict=True)],
        "graph": dict(made.counts),
        "pagerank_top": [row[0] for row in made.ranked],
        "proposals": [
            {"term": p.term, "page": p.page, "sentence": p.sentence, "score": p.score, "under": p.target_label}
            for p in made.enriched.proposed
        ],
        "enrichment": _enrichment(made),
    }


def _crawl_figures(crawl: DemoCrawl, result: RunResult) -> dict[str, Any]:
    return asdict(crawl) | {key: value for key, value in result.as_json().items() if key in CRAWL_KEYS}


def _enrichment(made: Demonstration) -> dict[str, Any]:
    enriched = made.enriched
    return {
        "proposed": len(enriched.proposed),
        "accepted": len(enriched.accepted),
        "refused": {one.id: reason for one, reason in enriched.refused},
        "min_pages": MIN_PAGES,
        "version": enriched.version,
        "prior": enriched.prior,
        "terms": [one.term for one in enriched.accepted],
        "second_crawl": _crawl_figures(AGAIN, made.again),
    }


# ---- report


def report(made: Demonstration, space: Workspace) -> ReportData:
    """Return the values that the report shows.

    Args:
        made: what the steps made.
        space: the workspace of the demo, with the journals of the crawls.
    """
    learned, label = made.built.learned, made.built.topic.file.label
    tables = (
        WeightTable(
            f"{terms[0].series}, version {terms[0].version}",
            tuple((t.word, t.weight, *(getattr(t, f) for f in FACTORS), " › ".join(t.path)) for t in terms),
        )
        for terms in made.weights
    )
    curves = {c.run: _curve(space, c, result) for c, result in zip(CRAWLS, made.crawled, strict=True)}
    enriched = made.enriched
    return ReportData(
        title=f"ontocrawl demo: {label.zh} / {label.en}",
        created=workspace.now(),
        command="ontocrawl demo",
        figures=learning.summary(learned),
        lattice_svg=lattice_svg(learned.learned.lattice),
        hierarchy_svg=hierarchy_svg(learned.global_ontology),
        weights=tuple(tables),
        crawls=tuple(curves.values()),
        pagerank_top=made.ranked,
        queries=tuple(made.answers),
        proposals=tuple(as_json(p) for p in enriched.proposed),
        round=Round(
            enriched.rule,
            tuple((one.term, one.target_label, one.pages) for one in enriched.accepted),
            (curves[LEARNED.run], _curve(space, AGAIN, made.again)),
        ),
        notes=tuple(f"{one.term} was not accepted: {reason}" for one, reason in enriched.refused),
    )


def _curve(space: Workspace, crawl: DemoCrawl, result: RunResult) -> CrawlCurve:
    """Return the harvest curves of a crawl, by the planted labels and by the judge."""
    with runs.open_journal(space, result.run) as journal:
        pages = runs.fetched_pages(journal)
    by_label, by_judge = (harvest_curve(relevant or ()).tolist() for relevant in (pages.labelled, pages.relevant))
    return CrawlCurve(
        result.strategy, result.milestones, result.stop_reason, result.seconds, by_label, by_judge, crawl.ontology
    )

"""The demo: the whole flow once, on the bundled sample, over real HTTP on loopback, with the embedded engine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import queries
from crawler.journal import Journal
from crawler.metrics import harvest_curve
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import Server, serve
from kg.engine import embedded
from kg.key_weights import by_scheme
from kg.records import WeightedTerm
from kg.store import GraphStore
from ontocrawl import building, crawling, enrichment, learning, plan, runs, topics
from ontocrawl import workspace as workspaces
from ontocrawl.building import BuildOptions, Built
from ontocrawl.config import Settings
from ontocrawl.errors import UsageError
from ontocrawl.graph_store import store
from ontocrawl.report import CrawlCurve, QueryAnswer, ReportData, WeightTable, render
from ontocrawl.report.data import FIGURES
from ontocrawl.runs import RunResult
from ontocrawl.topic_graph import TopicGraph
from ontocrawl.workspace import Workspace
from ontology.draw import hierarchy_svg
from ontology.learn_options import LearnOptions

TOPIC = "rainstorm"
WEB_PAGES = 1200
MIN_DOCUMENTS = 2
"""A term of the small sample needs fewer documents than one of a real corpus."""
SHOWN_QUERIES = ("pages/most_relevant", "hosts/that_pay", "crawl/tunnels")
CRAWL_KEYS = (
    "fetched", "relevant", "relevant_by_label", "accuracy", "ar", "sd", "ar_lp", "sd_lp", "rc", "stop_reason",
    "seconds", "failures", "redirects", "milestones",
)  # fmt: skip
"""What summary.json tells of each crawl, as `crawl status --json` has it."""
MARKER = "made-by-ontocrawl-demo"

OnStage = Callable[[str], None]


@dataclass(frozen=True)
class Guided:
    """One crawl of the demo: its strategy, and the ontology that steers it."""

    run: str
    strategy: str
    ontology: str | None
    """"learned", "curated", or None."""


CRAWLS = (
    Guided("demo-breadth_first", "breadth_first", None),
    Guided("demo-learned", "fcosa_lg", "learned"),
    Guided("demo-curated", "fcosa_lg", "curated"),
)
LEARNED = CRAWLS[1]
"""Crawled last, so that queries about the newest crawl are about this one; its pages give the proposals."""


def run(out: Path, *, pages: int, seed: int, on_stage: OnStage) -> dict[str, Any]:
    """Run the demo into a folder.

    It goes the way of the commands: `ontology build`, `graph load`, `crawl run` three times at equal fetches, `enrich
    propose`.

    Args:
        out: an empty folder, a new one, or that of an earlier demo, which is emptied.
        pages: pages that each crawl fetches.
        seed: seed of the web and of the crawls.
        on_stage: called with a line for the reader at each stage.

    Returns:
        What it writes to summary.json.

    Raises:
        UsageError: the folder holds something else than an earlier demo.
    """
    space = _fresh(out)
    on_stage("1/7  learning an ontology from the sample's abstracts")
    built = _build(space, out)
    learned_topic = topics.load(str(built.written.topic), space)
    with store(space) as graph:
        on_stage("2/7  writing ontologies, papers and lattices into the graph; weights by query")
        TopicGraph(learned_topic, graph).load()
        vectors = {
            "curated": TopicGraph(built.topic, graph).vectors(),
            "learned": TopicGraph(learned_topic, graph).vectors(),
        }
        weights = [by_scheme(terms, "sem") for terms in vectors["learned"].terms.values()]
        by_run = {}
        with _served(seed) as (world, server):
            labels = server.write_labels(out / "labels.json")
            for number, crawl in enumerate(sorted(CRAWLS, key=lambda crawl: crawl is LEARNED), start=3):
                by = f"{crawl.strategy}, {crawl.ontology} ontology" if crawl.ontology else crawl.strategy
                on_stage(f"{number}/7  crawling {pages} pages over HTTP: {by}")
                options = _options(crawl, server, labels, pages, seed)
                config = plan.configuration(space, vectors[crawl.ontology or "curated"], options)
                by_run[crawl.run] = crawling.start(space, built.topic, config, world.seeds, lambda step: None)
        results = [by_run[crawl.run] for crawl in CRAWLS]
        on_stage("6/7  projecting the crawls, PageRank, queries")
        for result in results:
            runs.project(space, result.run, graph)
        on_stage("7/7  proposals for new terms, report")
        proposals = enrichment.propose(space, LEARNED.run, graph, limit=30, topic=learned_topic)
        answers = [_answer(graph, name, LEARNED.run) for name in SHOWN_QUERIES]
        counts = _counts(graph)
        ranked = _ranked(graph, LEARNED.run)
    embedded.stop(space.graph)
    summary = _summary(built, weights, results, counts, ranked, proposals)
    learning.write_text(out / "summary.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
    data = _report(built, weights, results, space, ranked, answers, proposals)
    learning.write_text(out / "report.html", render(data))
    return summary


# ---- stages -----------------------------------------------------------------------------------------------------


def _fresh(out: Path) -> Workspace:
    """An empty folder for the demo; an earlier demo's is emptied, any other is refused."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file: give a folder with --out")
    if out.exists() and any(out.iterdir()):
        if not (out / MARKER).exists():
            raise UsageError(f"{out} is not empty and not an earlier demo: give another folder with --out")
        embedded.stop(out / "workspace" / "graph")
        for entry in out.iterdir():
            if entry.name != MARKER:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    workspaces.make_folder(out)
    (out / MARKER).write_text("This folder is emptied by the next `ontocrawl demo --out` into it.\n", encoding="utf-8")
    space = workspaces.init(out / "workspace")
    return Workspace(space.root, Settings())  # the embedded engine always: a sample has no place on somebody's server


def _build(space: Workspace, out: Path) -> Built:
    with as_file(files("ontocrawl") / "sample" / "abstracts.txt") as path:
        options = BuildOptions([path], out / "ontology", TOPIC, learning=LearnOptions(min_documents=MIN_DOCUMENTS))
        return building.build(space, options, lambda stage: None)


@contextmanager
def _served(seed: int) -> Iterator[tuple[SyntheticWorld, Server]]:
    world = SyntheticWorld("planted", WEB_PAGES, seed)
    server = serve(world)
    try:
        yield world, server
    finally:
        server.close()


def _options(crawl: Guided, server: Server, labels: str, pages: int, seed: int) -> plan.CrawlOptions:
    """What a user would type after `crawl run`."""
    return plan.CrawlOptions(
        strategy=crawl.strategy,
        world="live",
        labels=labels,
        run=crawl.run,
        resolve=dict(server.table),
        politeness=False,
        settings={"limit_pages": pages, "seed": seed},
    )


def _answer(graph: GraphStore, name: str, run_name: str) -> QueryAnswer:
    query = queries.get(name)
    given = {"crawl": run_name} if any(p.name == "crawl" for p in query.parameters) else {}
    answer = graph.read(query.text, **query.bind(given))[:12]
    return QueryAnswer(
        name,
        query.title,
        query.text,
        tuple(query.returns),
        tuple(tuple(row[c] for c in query.returns) for row in answer),
    )


def _counts(graph: GraphStore) -> dict[str, int]:
    counted = {
        "pages": "MATCH (n:Page) RETURN count(n) AS n",
        "links": "MATCH (:Page)-[r:LINKS_TO]->(:Page) RETURN count(r) AS n",
        "concepts": "MATCH (n:Concept) RETURN count(n) AS n",
    }
    return {name: graph.read(query)[0]["n"] for name, query in counted.items()}


def _ranked(graph: GraphStore, run_name: str) -> list[tuple[Any, ...]]:
    """(url, title, PageRank, R) of a crawl's pages, best first."""
    query = (
        "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.pagerank IS NOT NULL AND f.failure IS NULL "
        "RETURN p.url AS url, f.title AS title, f.pagerank AS pagerank, f.relevance AS relevance "
        "ORDER BY pagerank DESC, url LIMIT 20"
    )
    return [(r["url"], r["title"], r["pagerank"], r["relevance"]) for r in graph.read(query, run=run_name)]


# ---- what is told -----------------------------------------------------------------------------------------------


def _summary(
    built: Built,
    weights: Sequence[Sequence[WeightedTerm]],
    results: Sequence[RunResult],
    counts: Mapping[str, int],
    ranked: Sequence[tuple[Any, ...]],
    proposals: Sequence[enrichment.Suggestion],
) -> dict[str, Any]:
    figures = learning.summary(built.learned)
    learned = (*FIGURES, "formal_concepts_of_claims", "depth")
    return {
        **{key: figures[key] for key in (*learned, "version")},
        "topic_weights": {term.word: term.weight for term in weights[0]},
        "crawls": [
            asdict(crawl) | {key: value for key, value in result.as_json().items() if key in CRAWL_KEYS}
            for crawl, result in zip(CRAWLS, results, strict=True)
        ],
        "graph": dict(counts),
        "pagerank_top": [row[0] for row in ranked],
        "proposals": [
            {"term": p.term, "page": p.page, "sentence": p.sentence, "score": p.score, "under": p.under_label}
            for p in proposals
        ],
    }


def _curve(space: Workspace, crawl: Guided, result: RunResult) -> CrawlCurve:
    """Relevant pages after each fetched page, by the planted truth and by the judge."""
    with closing(Journal(space.existing_run(result.run) / runs.JOURNAL)) as journal:
        pages = runs.fetched_pages(journal)
    by_label, by_judge = (harvest_curve(found or ()).tolist() for found in (pages.labelled, pages.relevant))
    return CrawlCurve(
        result.strategy, result.milestones, result.stop_reason, result.seconds, by_label, by_judge, crawl.ontology
    )


def _report(
    built: Built,
    weights: Sequence[Sequence[WeightedTerm]],
    results: Sequence[RunResult],
    space: Workspace,
    ranked: Sequence[tuple[Any, ...]],
    answers: Sequence[QueryAnswer],
    proposals: Sequence[enrichment.Suggestion],
) -> ReportData:
    factors = ("distance", "density", "depth", "coincidence", "relation")
    tables = tuple(
        WeightTable(
            f"{terms[0].series}, version {terms[0].version}",
            tuple((t.word, t.weight, *(getattr(t, f) for f in factors), " › ".join(t.path)) for t in terms),
        )
        for terms in weights
    )
    label = built.topic.file.label
    return ReportData(
        title=f"ontocrawl demo: {label.zh} / {label.en}",
        created=runs.now(),
        command="ontocrawl demo",
        figures=learning.summary(built.learned),
        lattice_svg=learning.picture(built.learned.learned.lattice),
        hierarchy_svg=hierarchy_svg(built.learned.global_ontology),
        weights=tables,
        crawls=tuple(_curve(space, c, result) for c, result in zip(CRAWLS, results, strict=True)),
        pagerank_top=ranked,
        queries=tuple(answers),
        proposals=tuple(asdict(p) for p in proposals),
    )

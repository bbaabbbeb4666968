"""The demo: the whole workflow on the bundled sample, over HTTP on loopback, with the embedded graph engine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import queries
from crawler.metrics import harvest_curve
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import Server, serve
from kg.engine import embedded
from kg.key_weights import by_scheme
from kg.records import WeightedTerm
from kg.store import GraphStore
from ontocrawl import building, clock, crawling, graph_writing, learning, plan, runs, topics
from ontocrawl import workspace as workspaces
from ontocrawl.building import BuildOptions, Built
from ontocrawl.config import Settings
from ontocrawl.enrichment import proposing
from ontocrawl.enrichment.proposals import Suggestion, as_json
from ontocrawl.errors import UsageError
from ontocrawl.graph_store import store
from ontocrawl.report import CrawlCurve, QueryAnswer, ReportData, WeightTable, render
from ontocrawl.report.data import FACTORS, FIGURES
from ontocrawl.runs import RunResult
from ontocrawl.topic_graph import TopicGraph
from ontocrawl.workspace import Workspace
from ontology.draw import hierarchy_svg, lattice_svg
from ontology.learn_options import LearnOptions

TOPIC = "rainstorm"
WEB_PAGES = 1200
MIN_DOCUMENTS = 2
"""Document threshold for terms; lower than the default because the sample is small."""
SHOWN_QUERIES = ("pages/most_relevant", "hosts/that_pay", "crawl/tunnels")
CRAWL_KEYS = (
    "fetched", "relevant", "relevant_by_label", "accuracy", "ar", "sd", "ar_lp", "sd_lp", "rc", "stop_reason",
    "seconds", "failures", "redirects", "milestones",
)  # fmt: skip
"""Keys of `crawl status --json` that summary.json has for each crawl."""
MARKER = "made-by-ontocrawl-demo"

OnStage = Callable[[str], None]


@dataclass(frozen=True)
class DemoCrawl:
    """A crawl of the demo: its strategy and the ontology that steers it."""

    run: str
    strategy: str
    ontology: str | None
    """"learned", "curated", or None."""


CRAWLS = (
    DemoCrawl("demo-breadth_first", "breadth_first", None),
    DemoCrawl("demo-learned", "fcosa_lg", "learned"),
    DemoCrawl("demo-curated", "fcosa_lg", "curated"),
)
LEARNED = CRAWLS[1]
"""The crawl behind the proposals. It runs last, because queries are about the newest crawl by default."""


def run(out: Path, *, pages: int, seed: int, on_stage: OnStage) -> dict[str, Any]:
    """Run the demo.

    The steps are those of the commands `ontology build`, `graph load`, `crawl run` (three times with the same number of
    pages) and `enrich propose`.

    Args:
        out: output folder: new, empty, or that of an earlier demo, which is emptied.
        pages: number of pages that each crawl fetches.
        seed: random seed of the web and of the crawls.
        on_stage: called with a description of each stage when it begins.

    Returns:
        The content of summary.json.

    Raises:
        UsageError: the folder has other files than those of an earlier demo.
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
            graph_writing.project(space, result.run, graph)
        on_stage("7/7  proposals for new terms, report")
        proposals = proposing.propose(space, LEARNED.run, graph, limit=30, topic=learned_topic).suggestions
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
    """Prepare the folder of the demo: that of an earlier demo is emptied, another non-empty one is an error."""
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
    return Workspace(space.root, Settings())  # the defaults: never write a sample to the user's server


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


def _options(crawl: DemoCrawl, server: Server, labels: str, pages: int, seed: int) -> plan.CrawlOptions:
    """Return the options that a user would give to `crawl run`."""
    return plan.CrawlOptions(
        strategy=crawl.strategy,
        world="live",
        labels=labels,
        run=crawl.run,
        resolve=dict(server.table),
        politeness=False,
        settings={"limit_pages": pages, "seed": seed, "in_flight": 1},  # so that the printed figures can be repeated
    )


def _answer(graph: GraphStore, name: str, run_name: str) -> QueryAnswer:
    query = queries.get(name)
    parameters = {"crawl": run_name} if any(p.name == "crawl" for p in query.parameters) else {}
    answer = graph.read(query.text, **query.bind(parameters))[:12]
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
    """Return (URL, title, PageRank, R) of the 20 pages with the highest PageRank."""
    query = (
        "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.pagerank IS NOT NULL AND f.failure IS NULL "
        "RETURN p.url AS url, f.title AS title, f.pagerank AS pagerank, f.relevance AS relevance "
        "ORDER BY pagerank DESC, url LIMIT 20"
    )
    return [(r["url"], r["title"], r["pagerank"], r["relevance"]) for r in graph.read(query, run=run_name)]


# ---- results ----------------------------------------------------------------------------------------------------


def _summary(
    built: Built,
    weights: Sequence[Sequence[WeightedTerm]],
    results: Sequence[RunResult],
    counts: Mapping[str, int],
    ranked: Sequence[tuple[Any, ...]],
    proposals: Sequence[Suggestion],
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
            {"term": p.term, "page": p.page, "sentence": p.sentence, "score": p.score, "under": p.target_label}
            for p in proposals
        ],
    }


def _curve(space: Workspace, crawl: DemoCrawl, result: RunResult) -> CrawlCurve:
    """Return the harvest curves of a crawl, by the planted labels and by the judge."""
    with runs.open_journal(space, result.run) as journal:
        pages = runs.fetched_pages(journal)
    by_label, by_judge = (harvest_curve(relevant or ()).tolist() for relevant in (pages.labelled, pages.relevant))
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
    proposals: Sequence[Suggestion],
) -> ReportData:
    tables = tuple(
        WeightTable(
            f"{terms[0].series}, version {terms[0].version}",
            tuple((t.word, t.weight, *(getattr(t, f) for f in FACTORS), " › ".join(t.path)) for t in terms),
        )
        for terms in weights
    )
    label = built.topic.file.label
    return ReportData(
        title=f"ontocrawl demo: {label.zh} / {label.en}",
        created=clock.now(),
        command="ontocrawl demo",
        figures=learning.summary(built.learned),
        lattice_svg=lattice_svg(built.learned.learned.lattice),
        hierarchy_svg=hierarchy_svg(built.learned.global_ontology),
        weights=tables,
        crawls=tuple(_curve(space, c, result) for c, result in zip(CRAWLS, results, strict=True)),
        pagerank_top=ranked,
        queries=tuple(answers),
        proposals=tuple(as_json(p) for p in proposals),
    )

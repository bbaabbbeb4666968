"""The demo: the whole flow once, on the bundled sample, over real HTTP on loopback, with the embedded engine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import queries
from crawler import rows
from crawler.journal import Journal
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import Server, serve
from kg import embedded
from kg.load import load_documents, load_lattice, load_ontology
from kg.store import GraphStore
from ontocrawl import enrichment, learning, runs, topics, wiring
from ontocrawl import workspace as workspaces
from ontocrawl.config import CrawlSettings, Settings
from ontocrawl.errors import UsageError
from ontocrawl.graph_store import store
from ontocrawl.learning import LearnedFiles
from ontocrawl.report import CrawlCurve, QueryAnswer, ReportData, WeightTable, render
from ontocrawl.runs import RunResult
from ontocrawl.topics import Topic
from ontocrawl.wiring import RunConfig
from ontocrawl.workspace import Workspace
from ontology.draw import hierarchy_svg

TOPIC = "rainstorm"
STRATEGIES = ("breadth_first", "fcosa_lg")
WEB_PAGES = 1200
MIN_DOCUMENTS = 2
"""A term of the small sample needs fewer documents than one of a real corpus."""
SHOWN_QUERIES = ("pages/most_relevant", "hosts/that_pay", "crawl/tunnels")
MARKER = "made-by-ontocrawl-demo"

OnStage = Callable[[str], None]


def run(out: Path, *, pages: int, seed: int, on_stage: OnStage) -> dict[str, Any]:
    """Run the demo into a folder; answers what it writes to summary.json.

    Raises:
        UsageError: the folder holds something else than an earlier demo.
    """
    space = _fresh(out)
    topic = topics.load(TOPIC, space)
    on_stage("1/6  learning an ontology from the sample's abstracts")
    learned = _learn(topic, out)
    with store(space) as graph:
        on_stage("2/6  writing ontologies, papers and lattice into the graph; weights by query")
        _load(graph, learned)
        weights = wiring.topic_weights(topic, space, graph)
        vectors = wiring.vectors(topic, space, graph)
        results = []
        with _served(seed) as (world, server):
            for number, strategy in enumerate(STRATEGIES, start=3):
                on_stage(f"{number}/6  crawling {pages} pages over HTTP with {strategy}")
                config = _config(strategy, topic, vectors, world, server, pages, seed, out)
                results.append(_crawl(space, config))
        on_stage("5/6  projecting both crawls, PageRank, queries")
        for result in results:
            runs.project(space, result.run, graph)
        on_stage("6/6  proposals for new terms, report")
        proposals = enrichment.propose(space, results[-1].run, graph, limit=30)
        answers = [_answer(graph, name, results[-1].run) for name in SHOWN_QUERIES]
        counts = _counts(graph)
        ranked = _ranked(graph, results[-1].run)
    embedded.stop(space.graph)
    summary = _summary(learned, weights, results, counts, ranked, proposals)
    learning.write_text(out / "summary.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
    data = _report(learned, topic, weights, results, space, ranked, answers, proposals)
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


def _learn(topic: Topic, out: Path) -> LearnedFiles:
    with as_file(files("ontocrawl") / "sample" / "abstracts.txt") as path:
        learned = learning.learn_files(
            [path],
            topic,
            base=Settings().iri_base,
            register=out / "ontology" / learning.REGISTER,
            min_documents=MIN_DOCUMENTS,
            max_terms=300,
            on_stage=lambda stage: None,
        )
    learning.write(learned, out / "ontology")
    return learned


def _load(graph: GraphStore, found: LearnedFiles) -> None:
    for ontology in learning.ontologies(found):
        load_ontology(graph, ontology)
    frequencies = learning.term_frequencies(found)
    load_documents(graph, found.documents, lambda document: frequencies[document.id])
    lattice = found.learned.lattice
    covers = [(str(upper), str(lower)) for upper, lower in lattice.covers.tolist()]
    load_lattice(graph, found.global_ontology.iri, learning.formal_concepts(lattice), covers)


@contextmanager
def _served(seed: int) -> Iterator[tuple[SyntheticWorld, Server]]:
    world = SyntheticWorld("planted", WEB_PAGES, seed)
    server = serve(world)
    try:
        yield world, server
    finally:
        server.close()


def _config(
    strategy: str,
    topic: Topic,
    vectors: Mapping[str, Any],
    world: SyntheticWorld,
    server: Server,
    pages: int,
    seed: int,
    out: Path,
) -> RunConfig:
    crawl = CrawlSettings(topic=topic.name, strategy=strategy, limit_pages=pages, seed=seed)
    return RunConfig(
        run=f"demo-{strategy}",
        topic=topic.name,
        strategy=strategy,
        world="live",
        seeds=tuple(world.seeds),
        labels=server.write_labels(out / "labels.json"),
        resolve=dict(server.table),
        politeness=False,
        relevance=topic.relevance,
        sigma=topic.sigma,
        strict=topic.strict,
        limit_pages=pages,
        limit_time=0.0,
        crawl=crawl,
        vocabularies=wiring.dump_vectors(vectors),
        started=runs.now(),
    )


def _crawl(space: Workspace, config: RunConfig) -> RunResult:
    with closing(wiring.world_of(config)) as world:
        return runs.begin(space, config, world, lambda step: None)


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
    learned: LearnedFiles,
    weights: Sequence[Sequence[Any]],
    results: Sequence[RunResult],
    counts: Mapping[str, int],
    ranked: Sequence[tuple[Any, ...]],
    proposals: Sequence[enrichment.Suggestion],
) -> dict[str, Any]:
    keys = ("fetched", "relevant", "relevant_by_label", "accuracy", "stop_reason", "seconds", "failures", "redirects")
    figures = learning.summary(learned)
    return {
        **{key: figures[key] for key in ("documents", "terms", "formal_concepts", "lattice_edges", "classes", "depth")},
        "topic_weights": {term.word: term.weight for term in weights[0]},
        "crawls": {result.strategy: {key: getattr(result, key) for key in keys} for result in results},
        "graph": dict(counts),
        "pagerank_top": [row[0] for row in ranked],
        "proposals": [
            {"term": p.term, "page": p.page, "sentence": p.sentence, "score": p.score, "under": p.under_label}
            for p in proposals
        ],
    }


def _curve(space: Workspace, result: RunResult, labels: frozenset[str]) -> CrawlCurve:
    """Relevant pages after each fetched page, by the planted truth and by the judge."""
    with closing(Journal(space.existing_run(result.run) / runs.JOURNAL)) as journal:
        fetched = [row for row in rows.outcomes(journal, labels=labels) if row.failure is None]
    by_label, by_judge, labelled, judged = [], [], 0, 0
    for row in fetched:
        labelled += bool(row.label)
        judged += bool(row.relevant)
        by_label.append(labelled)
        by_judge.append(judged)
    return CrawlCurve(
        result.strategy, result.fetched, result.relevant, result.relevant_by_label or 0, result.accuracy or 0.0,
        result.stop_reason or "", result.seconds, tuple(by_label), tuple(by_judge),
    )  # fmt: skip


def _report(
    learned: LearnedFiles,
    topic: Topic,
    weights: Sequence[Sequence[Any]],
    results: Sequence[RunResult],
    space: Workspace,
    ranked: Sequence[tuple[Any, ...]],
    answers: Sequence[QueryAnswer],
    proposals: Sequence[enrichment.Suggestion],
) -> ReportData:
    with closing(Journal(space.existing_run(results[0].run) / runs.JOURNAL)) as journal:
        labels = frozenset(journal.get("labels"))
    factors = ("distance", "density", "depth", "coincidence", "relation")
    tables = tuple(
        WeightTable(
            terms[0].ontology,
            tuple((t.word, t.weight, *(getattr(t, f) for f in factors), " › ".join(t.path)) for t in terms),
        )
        for terms in weights
    )
    return ReportData(
        title=f"ontocrawl demo: {topic.label.zh} / {topic.label.en}",
        created=runs.now(),
        command="ontocrawl demo",
        figures=learning.summary(learned),
        lattice_svg=learning.picture(learned.learned.lattice),
        hierarchy_svg=hierarchy_svg(learned.global_ontology),
        weights=tables,
        crawls=tuple(_curve(space, result, labels) for result in results),
        pagerank_top=ranked,
        queries=tuple(answers),
        proposals=tuple(asdict(p) for p in proposals),
    )

"""The steps of the demo, in their order: learn, crawl, propose, accept, apply, crawl again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from kg.engine import embedded
from kg.key_weights import by_scheme
from kg.store import GraphStore
from ontocrawl.base import workspace as workspaces
from ontocrawl.base.config import Settings
from ontocrawl.base.workspace import Workspace
from ontocrawl.demo import results
from ontocrawl.demo.crawls import AGAIN, CRAWLS, LEARNED, SampleWeb, served
from ontocrawl.demo.enriching import MIN_PAGES, Enriched, enrich
from ontocrawl.demo.results import Demonstration
from ontocrawl.enrichment import proposing
from ontocrawl.enrichment.proposals import Suggestion
from ontocrawl.errors import UsageError
from ontocrawl.graph.graph_store import store
from ontocrawl.report import render
from ontocrawl.runs import graph_writing
from ontocrawl.runs.runs import RunResult
from ontocrawl.topics import topics
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import building, learning
from ontocrawl.versions.building import BuildOptions, Built
from ontology.learn_options import LearnOptions

TOPIC = "rainstorm"
MIN_DOCUMENTS = 2
"""Document threshold for terms; lower than the default because the sample is small."""
LIMIT = 30
"""Maximum number of proposals of a crawl."""
MARKER = "made-by-ontocrawl-demo"

OnStage = Callable[[str], None]


def run(out: Path, *, pages: int, seed: int, on_stage: OnStage) -> dict[str, Any]:
    """Run the demo.

    The steps are those of the commands `ontology build`, `graph load`, `crawl run` (three times with the same number of
    pages), `enrich propose`, `enrich decide`, `enrich apply`, and `crawl run` by the new version.

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
    on_stage("1/9  learning an ontology from the sample's abstracts")
    built = _build(space, out)
    learned = topics.load(str(built.written.topic), space)
    with store(space) as graph, served(out, pages, seed) as web:
        on_stage("2/9  writing ontologies, papers and lattices into the graph; weights by query")
        TopicGraph(learned, graph).load()
        vectors = {
            "curated": TopicGraph(built.topic, graph).vectors(),
            "learned": TopicGraph(learned, graph).vectors(),
        }
        crawled = _crawl(space, graph, web, vectors, on_stage)
        ranked = results.ranked(graph, LEARNED.run)
        answers = results.answers(graph, LEARNED.run)
        on_stage("7/9  proposals for new terms")
        proposed = proposing.propose(space, LEARNED.run, graph, limit=LIMIT, topic=learned).suggestions
        enriched, again = _round(space, graph, web, learned, proposed, on_stage)
        counts = results.counts(graph)
    embedded.stop(space.graph)
    weights = [by_scheme(terms, "sem") for terms in vectors["learned"].terms.values()]
    made = Demonstration(built, weights, crawled, ranked, answers, enriched, again, counts)
    summary = results.summary(made)
    learning.write_text(out / "summary.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
    learning.write_text(out / "report.html", render(results.report(made, space)))
    return summary


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


def _crawl(
    space: Workspace, graph: GraphStore, web: SampleWeb, vectors: dict[str, TopicVectors], on_stage: OnStage
) -> list[RunResult]:
    """Crawl by no ontology, by the curated and by the learned one, and write the crawls into the graph."""
    by_run = {}
    for number, crawl in enumerate(sorted(CRAWLS, key=lambda crawl: crawl is LEARNED), start=3):
        on_stage(f"{number}/9  crawling {web.pages} pages over HTTP: {crawl.by}")
        by_run[crawl.run] = web.crawl(space, vectors[crawl.ontology or "curated"], crawl)
    on_stage("6/9  projecting the crawls, PageRank, queries")
    for crawl in CRAWLS:
        graph_writing.project(space, crawl.run, graph)
    return [by_run[crawl.run] for crawl in CRAWLS]


def _round(
    space: Workspace,
    graph: GraphStore,
    web: SampleWeb,
    topic: Topic,
    proposed: tuple[Suggestion, ...],
    on_stage: OnStage,
) -> tuple[Enriched, RunResult]:
    """Accept proposals, apply them, and crawl by the new version; its crawl proposes again."""
    on_stage(f"8/9  accepting the proposals on {MIN_PAGES} relevant pages or more; the next version of the ontology")
    enriched = enrich(space, topic, graph, proposed)
    present = topics.load(str(topic.path), space)
    on_stage(f"9/9  crawling {web.pages} pages again, by version {enriched.version}")
    again = web.crawl(space, TopicGraph(present, graph).vectors(), AGAIN)
    graph_writing.project(space, AGAIN.run, graph)
    proposing.propose(space, AGAIN.run, graph, limit=LIMIT, topic=present)
    return enriched, again

"""The steps of the demo, in their order: learn, crawl, propose, accept, apply, crawl again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
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
from ontocrawl.base import workspace
from ontocrawl.base import workspace as workspaces
from ontocrawl.base.config import Settings
from ontocrawl.base.options import BuildSettings, CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import applying, proposing, reviewing
from ontocrawl.enrichment.proposals import as_json
from ontocrawl.enrichment.reviewing import VerdictError
from ontocrawl.errors import UsageError
from ontocrawl.graph.graph_store import store
from ontocrawl.report import CrawlCurve, QueryAnswer, ReportData, Round, WeightTable, render
from ontocrawl.report.data import FIGURES
from ontocrawl.runs import crawling, graph_writing, plan, runs
from ontocrawl.runs.runs import RunResult
from ontocrawl.topics import topics
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import building, learning
from ontocrawl.versions.building import BuildOptions, Built
from ontology.draw import hierarchy_svg, lattice_svg
from ontology.enrichment import Proposal, Verdict
from ontology.errors import Message

# ---- the way back from the crawl to the ontology: proposals that many pages support are accepted and applied
#
# A person decides about proposals (`ontocrawl enrich review`). The demo has no person, so it accepts by a threshold
# and says so.


_MIN_PAGES = 10
"""Relevant pages that a proposal must stand on to be accepted without a person."""
WHO = "ontocrawl demo"


@dataclass(frozen=True)
class _Enriched:
    """What the proposals of a crawl made of an ontology.

    Attributes:
        proposed: all proposals.
        accepted: those that are in the new version.
        refused: those that stand on enough pages and could not be accepted, with the reason.
        version: the new version.
        prior: the version before.
    """

    proposed: tuple[Proposal, ...]
    accepted: tuple[Proposal, ...]
    refused: tuple[tuple[Proposal, str], ...]
    version: str
    prior: str

    @property
    def rule(self) -> str:
        """How the demo decided, in a sentence."""
        return (
            f"Accepted without a person: {len(self.accepted)} of {len(self.proposed)} proposals, those on at least "
            f"{_MIN_PAGES} relevant pages. Version {self.prior} of the ontology became {self.version}."
        )


def _enrich(space: Workspace, topic: Topic, graph: GraphStore, proposed: Sequence[Proposal]) -> _Enriched:
    """Accept the proposals that enough pages support, and write the next version of the topic's ontologies.

    The steps are those of `enrich decide ID accept` for each of them, and of `enrich apply`.

    Args:
        space: the workspace.
        topic: the topic.
        graph: the open graph, with the proposals.
        proposed: the proposals, best first.
    """
    refused = []
    for one in proposed:
        if one.pages < _MIN_PAGES:
            continue
        why = f"on {one.pages} relevant pages; the threshold is {_MIN_PAGES}"
        try:
            reviewing.decide_all(
                space, topic, [(one, Verdict("accept"))], who=WHO, when=workspace.now(), why=why, graph=graph
            )
        except VerdictError as error:
            refused.append((one, str(error)))
    outcome = applying.apply(space, topic, applying.Options(WHO, workspace.now()))
    came = set(outcome.accepted)
    return _Enriched(
        tuple(proposed),
        tuple(one for one in proposed if one.id in came),
        tuple(refused),
        outcome.version,
        outcome.prior,
    )


# ---- the steps of the demo, in their order: learn, crawl, propose, accept, apply, crawl again


TOPIC = "rainstorm"
_LEARNED_FOLDER = "learned"
"""Folder of what is learned, in the folder ``ontologies`` of the demo's workspace."""
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
    on_stage(Message("demo.stage_learn"))
    built = _build(space)
    learned = topics.load(str(built.written.topic), space)
    with store(space) as graph, _served(out, pages, seed) as web:
        on_stage(Message("demo.stage_write"))
        TopicGraph(learned, graph).load()
        vectors = {
            "curated": TopicGraph(built.topic, graph).vectors(),
            "learned": TopicGraph(learned, graph).vectors(),
        }
        crawled = _crawl(space, graph, web, vectors, on_stage)
        ranked = _ranked(graph, LEARNED.run)
        answers = _answers(graph, LEARNED.run)
        on_stage(Message("demo.stage_propose"))
        proposed = proposing.propose(space, LEARNED.run, graph, limit=LIMIT, topic=learned).suggestions
        enriched, again = _round(space, graph, web, learned, proposed, on_stage)
        counts = _counts(graph)
    embedded.stop(space.graph)
    weights = [by_scheme(terms, "sem") for terms in vectors["learned"].terms.values()]
    made = _Demonstration(built, weights, crawled, ranked, answers, enriched, again, counts)
    summary = _summary(made)
    learning.write_text(out / "summary.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
    learning.write_text(out / "report.html", render(_report(made, space)))
    return summary


def _fresh(out: Path) -> Workspace:
    """Prepare the folder of the demo: that of an earlier demo is emptied, another non-empty one is an error."""
    if out.exists() and not out.is_dir():
        raise UsageError("demo.file_give_folder_out", out=out)
    if out.exists() and any(out.iterdir()):
        if not (out / MARKER).exists():
            raise UsageError("demo.not_empty_not_earlier", out=out)
        embedded.stop(out / "workspace" / "graph")
        for entry in out.iterdir():
            if entry.name != MARKER:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    workspaces.make_folder(out)
    (out / MARKER).write_text(
        "This folder is emptied by the next `ontocrawl demo` that is told to write into it.\n", encoding="utf-8"
    )
    space = workspaces.init(out / "workspace")
    return Workspace(space.root, Settings())  # the defaults: never write a sample to the user's server


def _build(space: Workspace) -> Built:
    """Learn the topic into the workspace's folder ``ontologies``, where it precedes the shipped one of its name."""
    with as_file(files("ontocrawl") / "sample" / "abstracts.txt") as path:
        settings = BuildSettings(topic=TOPIC, min_documents=MIN_DOCUMENTS)
        options = BuildOptions([path], space.ontologies / _LEARNED_FOLDER, settings)
        return building.build(space, options, lambda stage: None)


def _crawl(
    space: Workspace, graph: GraphStore, web: _SampleWeb, vectors: dict[str, TopicVectors], on_stage: OnStage
) -> list[RunResult]:
    """Crawl by no ontology, by the curated and by the learned one, and write the crawls into the graph."""
    by_run = {}
    for number, crawl in enumerate(sorted(CRAWLS, key=lambda crawl: crawl is LEARNED), start=3):
        on_stage(Message("demo.stage_crawl", number=number, pages=web.pages, by=crawl.by))
        by_run[crawl.run] = web.crawl(space, vectors[crawl.ontology or "curated"], crawl)
    on_stage(Message("demo.stage_project"))
    for crawl in CRAWLS:
        graph_writing.project(space, crawl.run, graph)
    return [by_run[crawl.run] for crawl in CRAWLS]


def _round(
    space: Workspace,
    graph: GraphStore,
    web: _SampleWeb,
    topic: Topic,
    proposed: tuple[Proposal, ...],
    on_stage: OnStage,
) -> tuple[_Enriched, RunResult]:
    """Accept proposals, apply them, and crawl by the new version; its crawl proposes again."""
    on_stage(Message("demo.stage_accept", pages=_MIN_PAGES))
    enriched = _enrich(space, topic, graph, proposed)
    present = topics.load(str(topic.path), space)
    on_stage(Message("demo.stage_again", pages=web.pages, version=enriched.version))
    again = web.crawl(space, TopicGraph(present, graph).vectors(), _AGAIN)
    graph_writing.project(space, _AGAIN.run, graph)
    proposing.propose(space, _AGAIN.run, graph, limit=LIMIT, topic=present)
    return enriched, again


# ---- what the demo shows of its steps: summary.json and the report


SHOWN_QUERIES = ("pages/most_relevant", "hosts/that_pay", "crawl/tunnels")
_CRAWL_KEYS = (
    "fetched", "relevant", "relevant_by_label", "accuracy", "ar", "sd", "ar_lp", "sd_lp", "rc", "stop_reason",
    "seconds", "failures", "redirects", "milestones",
)  # fmt: skip
"""Keys of `crawl status --json` that summary.json has for each crawl."""


@dataclass(frozen=True)
class _Demonstration:
    """What the steps of the demo made.

    Attributes:
        built: the ontology that was learned.
        weights: topic vector of each of its ontologies.
        crawled: the result of each of CRAWLS.
        ranked: the answer of `_ranked`.
        answers: the answers of `_answers`.
        enriched: the proposals and what became of them.
        again: the result of the crawl by the new version.
        counts: the answer of `_counts`.
    """

    built: Built
    weights: Sequence[Sequence[WeightedTerm]]
    crawled: Sequence[RunResult]
    ranked: Sequence[tuple[Any, ...]]
    answers: Sequence[QueryAnswer]
    enriched: _Enriched
    again: RunResult
    counts: dict[str, int]


# ---- asked of the graph


def _answers(graph: GraphStore, run_name: str) -> list[QueryAnswer]:
    """Return the answers of SHOWN_QUERIES about a crawl, 12 rows each."""
    return [_answer(graph, name, run_name) for name in SHOWN_QUERIES]


def _answer(graph: GraphStore, name: str, run_name: str) -> QueryAnswer:
    query = queries.get(name)
    parameters = {"crawl": run_name} if any(p.name == "crawl" for p in query.parameters) else {}
    answer = graph.read(query.text, **query.bind(parameters))[:12]
    rows = tuple(tuple(row[c] for c in query.returns) for row in answer)
    return QueryAnswer(name, query.title, query.text, tuple(query.returns), rows)


def _counts(graph: GraphStore) -> dict[str, int]:
    """Return the numbers of pages, links and concepts in the graph."""
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


# ---- summary.json


def _summary(made: _Demonstration) -> dict[str, Any]:
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


def _crawl_figures(crawl: _DemoCrawl, result: RunResult) -> dict[str, Any]:
    return asdict(crawl) | {key: value for key, value in result.as_json().items() if key in _CRAWL_KEYS}


def _enrichment(made: _Demonstration) -> dict[str, Any]:
    enriched = made.enriched
    return {
        "proposed": len(enriched.proposed),
        "accepted": len(enriched.accepted),
        "refused": {one.id: reason for one, reason in enriched.refused},
        "min_pages": _MIN_PAGES,
        "version": enriched.version,
        "prior": enriched.prior,
        "terms": [one.term for one in enriched.accepted],
        "second_crawl": _crawl_figures(_AGAIN, made.again),
    }


# ---- report


def _report(made: _Demonstration, space: Workspace) -> ReportData:
    """Return the values that the report shows.

    Args:
        made: what the steps made.
        space: the workspace of the demo, with the journals of the crawls.
    """
    learned, label = made.built.learned, made.built.topic.file.label
    tables = (
        WeightTable(
            f"{terms[0].series}, version {terms[0].version}",
            tuple((t.word, t.weight, *astuple(t.factors), " › ".join(t.path)) for t in terms),
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
            (curves[LEARNED.run], _curve(space, _AGAIN, made.again)),
        ),
        notes=tuple(f"{one.term} was not accepted: {reason}" for one, reason in enriched.refused),
    )


def _curve(space: Workspace, crawl: _DemoCrawl, result: RunResult) -> CrawlCurve:
    """Return the harvest curves of a crawl, by the planted labels and by the judge."""
    with runs.open_journal(space, result.run) as journal:
        pages = runs.fetched_pages(journal)
    by_label, by_judge = (harvest_curve(relevant or ()).tolist() for relevant in (pages.labelled, pages.relevant))
    return CrawlCurve(
        result.strategy, result.milestones, result.stop_reason, result.seconds, by_label, by_judge, crawl.ontology
    )


# ---- the crawls of the demo, and the sample web that they fetch over HTTP on loopback


_WEB_PAGES = 1200


@dataclass(frozen=True)
class _DemoCrawl:
    """A crawl of the demo: its strategy and the ontology that steers it."""

    run: str
    strategy: str
    ontology: str | None
    """"learned", "curated", or None."""

    @property
    def by(self) -> str:
        """What steers the crawl, in words."""
        code = _BY.get(self.ontology)
        return Message(code, strategy=self.strategy) if code else self.strategy


_BY: Mapping[str | None, str] = {"learned": "demo.by_learned_one", "curated": "demo.by_curated_one"}
CRAWLS = (
    _DemoCrawl("demo-breadth_first", "breadth_first", None),
    _DemoCrawl("demo-learned", "fcosa_lg", "learned"),
    _DemoCrawl("demo-curated", "fcosa_lg", "curated"),
)
LEARNED = CRAWLS[1]
"""The crawl behind the proposals. It runs last of these, because queries are about the newest crawl by default."""
_AGAIN = _DemoCrawl("demo-enriched", "fcosa_lg", "enriched")
"""The crawl by the version of the learned ontology that accepted proposals made."""


@dataclass(frozen=True)
class _SampleWeb:
    """The served sample web, and how crawls fetch it.

    Attributes:
        world: the web.
        server: its HTTP server.
        labels: path of the planted labels of its pages.
        pages: number of pages that each crawl fetches.
        seed: random seed of the crawls.
    """

    world: SyntheticWorld
    server: Server
    labels: str
    pages: int
    seed: int

    def crawl(self, space: Workspace, vectors: TopicVectors, crawl: _DemoCrawl) -> RunResult:
        """Crawl by the topic vectors of an ontology, from the seeds of the web.

        Args:
            space: the workspace.
            vectors: the topic vectors.
            crawl: the crawl.
        """
        config = plan.configuration(space, vectors, self._options(crawl))
        return crawling.start(space, vectors.topic, config, self.world.seeds, lambda step: None)

    def _options(self, crawl: _DemoCrawl) -> CrawlOptions:
        """Return the options that a user would give to `crawl run`."""
        return CrawlOptions(
            strategy=crawl.strategy,
            world="live",
            labels=self.labels,
            run=crawl.run,
            resolve=dict(self.server.table),
            politeness=False,
            # one fetch at a time, so that the printed figures can be repeated
            settings={"limit_pages": self.pages, "seed": self.seed, "in_flight": 1},
        )


@contextmanager
def _served(out: Path, pages: int, seed: int) -> Iterator[_SampleWeb]:
    """Serve the sample web on loopback, and write the labels of its pages.

    Args:
        out: folder of the demo.
        pages: number of pages that each crawl fetches.
        seed: random seed of the web and of the crawls.
    """
    world = SyntheticWorld("planted", _WEB_PAGES, seed)
    server = serve(world)
    try:
        yield _SampleWeb(world, server, server.write_labels(out / "labels.json"), pages, seed)
    finally:
        server.close()

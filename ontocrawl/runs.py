"""Runs: begin, resume, write into the graph, measure. A run is a folder; all but its journal can be rebuilt."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import tomli_w

from crawler import metrics
from crawler.crawl import Crawl, Step
from crawler.journal import Journal, JournalError, graph_rows
from crawler.metrics import FetchedPages, Metrics
from crawler.model import World
from crawler.text import Vocabulary
from kg import load
from kg.engine.files import FileLock
from kg.project import ProjectReport, project_crawl
from kg.ranking.pagerank import rank_crawl
from kg.records import CrawlRow
from kg.store import GraphStore
from ontocrawl import crawl_setup, topic_graph, topics
from ontocrawl.config import checked
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.run_config import RunConfig
from ontocrawl.workspace import JOURNAL, Workspace, make_folder

CONFIG, SUMMARY = "config.resolved.toml", "summary.json"


@dataclass(frozen=True)
class RunResult:
    """Measures of a run. Pages with status 200 count; failed fetches and redirect hops are counted apart."""

    run: str
    strategy: str
    milestones: Mapping[str, Metrics]
    """Measures after 100, 300 .. pages, as far as the run went, and at its "end"."""
    stop_reason: str | None
    seconds: float
    failures: int
    redirects: int
    looked_ahead: int
    """Number of fetches made only to judge a link (look-ahead ``oracle``)."""
    known_ahead: int
    """Number of links judged by a page that another run had fetched (look-ahead ``cached``)."""
    topic: str
    world: str
    ontology: str | None
    """Key of the global ontology behind the vector GTK; None where the strategy does not use it."""
    guide: str
    """Relevance function of the strategy; "published" is the one of its paper."""
    weights: str | None
    """Weights of the ontology's words: sem, key or sem_key; None where no ontology was used."""

    @property
    def end(self) -> Metrics:
        """Measures of the whole run."""
        return self.milestones["end"]

    def as_json(self) -> dict[str, Any]:
        """Return the document of ``crawl run --json``; ``relevant_by_label`` is left out for a run without labels."""
        document = asdict(self)
        milestones = document.pop("milestones")
        measures = {k: v for k, v in milestones["end"].items() if k != "relevant_by_label" or v is not None}
        return {"run": self.run, "strategy": self.strategy, **measures, **document, "milestones": milestones}


OnStep = Callable[[Step], None]


def now() -> str:
    """Return the current time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def fresh_name(workspace: Workspace, strategy: str) -> str:
    """Return an unused run name: date, strategy and, from the second run on, a number."""
    stem = f"{datetime.now(UTC):%Y%m%d}-{strategy}"
    number, name = 1, stem
    while workspace.run(name).exists():
        number += 1
        name = f"{stem}-{number}"
    return name


def earlier_runs(workspace: Workspace, world: str, vocabularies: Mapping[str, Vocabulary]) -> dict[str, str]:
    """Find the runs whose pages look-ahead ``cached`` can use.

    Args:
        workspace: the workspace of the runs.
        world: the world of the crawl, such as "live"; runs of other worlds are left out.
        vocabularies: the topic vectors of the crawl; runs that counted other words are left out.

    Returns:
        Name of each run -> path of its journal, oldest run first.
    """
    same: list[tuple[str, str, str]] = []
    for path in workspace.runs.glob(f"*/{JOURNAL}"):
        with closing(Journal(path)) as journal:
            data = journal.get("config")
            config = None if data is None else checked(RunConfig, data, str(path))
        if config is not None and config.world == world and _words(config.vocabularies) == _words(vocabularies):
            same.append((config.started, config.run, str(path.resolve())))
    return {name: path for _, name, path in sorted(same)}


def _words(vocabularies: Mapping[str, Vocabulary]) -> dict[str, list[tuple[Any, Any]]]:
    return {name: [(word.label, word.forms) for word in v.words] for name, v in vocabularies.items()}


def refuse_existing(workspace: Workspace, name: str) -> None:
    """Raise UsageError if a run of that name exists."""
    if (workspace.run(name) / JOURNAL).exists():
        raise UsageError(f"run {name!r} exists: `ontocrawl crawl resume {name}` goes on with it, or give another --run")


def begin(workspace: Workspace, config: RunConfig, world: World, on_step: OnStep) -> RunResult:
    """Start a run and crawl until it stops.

    Args:
        workspace: the workspace that keeps the run.
        config: the configuration, with seeds.
        world: the open world of the configuration.
        on_step: called after each fetch.

    Returns:
        The measures of the run.

    Raises:
        UsageError: a run of that name exists.
        SetupError: the topic lacks a vector that the strategy reads. A run that cannot begin leaves no journal.
    """
    refuse_existing(workspace, config.run)
    folder = make_folder(workspace.run(config.run))
    document = config.model_dump(mode="json")
    begun = False

    def start(crawl: Crawl) -> None:
        nonlocal begun
        crawl.begin(document)
        begun = True
        (folder / CONFIG).write_text(tomli_w.dumps(_without_nulls(document)), encoding="utf-8")

    with _locked(folder):
        try:
            with closing(Journal(folder / JOURNAL)) as journal:
                return _crawl(folder, config, journal, world, start, on_step)
        finally:
            if not begun:
                for path in folder.glob(f"{JOURNAL}*"):
                    path.unlink()


def resume(workspace: Workspace, name: str, on_step: OnStep, *, changed: Mapping[str, Any]) -> RunResult:
    """Resume a run, and crawl until it stops.

    Args:
        workspace: the workspace that keeps the run.
        name: name of the run.
        on_step: called after each fetch.
        changed: fields of the configuration with new values: limits, or where to connect.

    Returns:
        The measures of the whole run.

    Raises:
        UsageError: there is no such run.
        CommandError: another process is crawling it.
    """
    folder = workspace.existing_run(name)
    with _locked(folder), closing(Journal(folder / JOURNAL)) as journal:
        config = read_config(journal).model_copy(update=dict(changed))
        with closing(crawl_setup.world_of(config)) as world:
            return _crawl(folder, config, journal, world, Crawl.resume, on_step)


def _crawl(
    folder: Path, config: RunConfig, journal: Journal, world: World, start: Callable[[Crawl], None], on_step: OnStep
) -> RunResult:
    """Crawl until the run stops, and store its measures."""
    with crawl_setup.earlier_pages(config) as seen:
        crawl = crawl_setup.crawl_of(config, world, journal, seen)
        start(crawl)
        started = time.monotonic()
        for step in crawl.steps():
            on_step(step)
        journal.set("seconds", (journal.get("seconds") or 0.0) + time.monotonic() - started)
    labels = crawl_setup.labels_seen(config, world)
    journal.set("labels", None if labels is None else sorted(labels))
    result = sum_up(journal)
    text = json.dumps(result.as_json(), ensure_ascii=False, indent=2) + "\n"
    (folder / SUMMARY).write_text(text, encoding="utf-8")
    return result


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a run for this process. Raises CommandError if another process is crawling it."""
    lock = FileLock(folder / "journal.lock")
    if not lock.try_acquire():
        raise CommandError(f"run {folder.name!r} is being crawled by another process: wait for it, or end it")
    try:
        yield
    finally:
        lock.release()


def open_journal(workspace: Workspace, name: str) -> closing[Journal]:
    """Open the journal of an existing run as a context manager. Raises UsageError if there is no such run."""
    return closing(Journal(workspace.existing_run(name) / JOURNAL))


def config_of(workspace: Workspace, name: str) -> RunConfig:
    """Return the configuration of an existing run."""
    with open_journal(workspace, name) as journal:
        return read_config(journal)


def read_config(journal: Journal) -> RunConfig:
    """Return the configuration stored in a journal. Raises JournalError for a journal without one."""
    data = journal.get("config")
    if data is None:
        raise JournalError(
            f"{journal.path} holds no run: it was stopped before its first entry; delete its folder and start anew"
        )
    return checked(RunConfig, data, str(journal.path))


def result_of(workspace: Workspace, name: str) -> RunResult:
    """Compute the measures of an existing run from its journal."""
    with open_journal(workspace, name) as journal:
        return sum_up(journal)


def fetched_pages(journal: Journal) -> FetchedPages:
    """Read the fetched pages of a run and its labels."""
    pages = [row for row in graph_rows.outcomes(journal) if row.failure is None]
    return FetchedPages(
        R=[row.relevance or 0.0 for row in pages],
        relevant=[bool(row.relevant) for row in pages],
        addresses=[(row.url, row.final_url) for row in pages],
        targets=journal.get("labels"),
    )


def superpositions(workspace: Workspace, names: Sequence[str]) -> list[dict[str, Any]]:
    """Compute the superposition ratio of each pair of runs (paper 004): pages fetched by both / by at least one.

    Args:
        workspace: the workspace of the runs.
        names: names of the runs.

    Returns:
        For each pair ``{"runs": [name, name], "ratio": ..}``, the ratio in [0, 1]; None where no page was fetched.
    """
    fetched = {}
    for name in names:
        with open_journal(workspace, name) as journal:
            fetched[name] = [url for url, *_ in fetched_pages(journal).addresses]
    return [
        {"runs": [one, other], "ratio": metrics.superposition(fetched[one], fetched[other])}
        for one, other in combinations(names, 2)
    ]


def sum_up(journal: Journal) -> RunResult:
    """Compute the measures of a run from its open journal."""
    config = read_config(journal)
    events = [(event.kind, event.data) for event in journal.events() if event.kind in ("outcome", "look")]
    return RunResult(
        run=config.run,
        strategy=config.strategy,
        milestones=metrics.milestones(fetched_pages(journal)),
        stop_reason=journal.get("stop_reason"),
        seconds=round(journal.get("seconds") or 0.0, 3),
        failures=sum(kind == "outcome" and data["failure"] is not None for kind, data in events),
        redirects=sum(len(data["hops"]) for _, data in events if "run" not in data),
        looked_ahead=sum(kind == "look" and "run" not in data for kind, data in events),
        known_ahead=sum("run" in data for _, data in events),
        topic=config.topic,
        world=config.world,
        ontology=config.steered_by,
        guide=config.crawl.guide or crawl_setup.PUBLISHED,
        weights=config.crawl.weights if config.steered_by else None,
    )


def _why_nothing_was_fetched(journal: Journal) -> str:
    """Describe the failures of a run that fetched no page, in one sentence."""
    reasons: dict[str, int] = {}
    detail = ""
    outcomes = [event.data for event in journal.events() if event.kind == "outcome"]
    details = {data["failure"]: data["detail"] for data in reversed(outcomes)}
    for row in graph_rows.outcomes(journal):
        if row.failure:
            reasons[row.failure] = reasons.get(row.failure, 0) + 1
            detail = detail or f"{row.url}: {details.get(row.failure) or row.failure}"
    counted = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())) or "no seed was tried"
    return f"no page could be fetched ({counted}; first: {detail or '-'}): check the seeds, the network and --resolve"


def project(workspace: Workspace, name: str, graph: GraphStore) -> ProjectReport:
    """Write a run into the graph and rank its pages by PageRank (paper 000, Eq. 7). A second call changes nothing.

    The topic's ontologies are loaded where the graph lacks them, so that pages can be linked to their concepts.

    Args:
        workspace: the workspace of the run.
        name: name of the run.
        graph: the open graph.

    Returns:
        The numbers of pages, links and mentions in the graph.

    Raises:
        UsageError: there is no such run, or an ontology that it used is neither in the graph nor in the topic's files.
    """
    with open_journal(workspace, name) as journal:
        config = read_config(journal)
        _load_ontologies(workspace, config, graph)
        labels = journal.get("labels")
        concepts = config.vocabularies.get(topic_graph.CLASSES) or config.vocabularies.get("GTK")
        crawl = CrawlRow(
            config.run, config.strategy, config.topic, config.world, config.started, journal.get("stop_reason")
        )
        report = project_crawl(
            graph, crawl, graph_rows.outcomes(journal, concepts, None if labels is None else frozenset(labels)),
            graph_rows.links(journal), graph_rows.known(journal), seeds=config.seeds,
        )  # fmt: skip
        rank_crawl(graph, config.run)
        return report


def _load_ontologies(workspace: Workspace, config: RunConfig, graph: GraphStore) -> None:
    """Load the ontologies of a run where the graph lacks them.

    Raises:
        UsageError: the graph lacks a version that the run used, and the topic's files have another one.
    """
    required = {entry["key"] for entry in config.ontologies.values()}
    if required and not required - set(load.ontology_keys(graph)):
        return
    try:
        topic = topics.load(config.topic_file or config.topic, workspace)
        keys = {ontology.key for ontology in topic.ontologies}
    except UsageError as error:
        raise UsageError(f"run {config.run}: the graph lacks an ontology that it used, and {error}") from error
    missing = required - keys - set(load.ontology_keys(graph))
    if missing:
        raise UsageError(
            f"run {config.run} used {', '.join(sorted(missing))}, which is neither in the graph nor in the files of "
            f"topic {config.topic}: bring these files back, then ontocrawl graph rebuild {config.run}"
        )
    topic_graph.TopicGraph(topic, graph).load_ontologies()


def require_pages(workspace: Workspace, result: RunResult) -> None:
    """Raise CommandError, with the reasons, if a run fetched no page."""
    if not result.end.fetched:
        with closing(Journal(workspace.run(result.run) / JOURNAL)) as journal:
            raise CommandError(_why_nothing_was_fetched(journal))


def _without_nulls(value: Any) -> Any:
    """Remove keys with the value None, which TOML cannot express."""
    if isinstance(value, dict):
        return {k: _without_nulls(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_without_nulls(v) for v in value]
    return value

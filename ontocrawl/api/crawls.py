"""Crawls, and what they propose for the ontology."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from crawler.crawl import Step
from crawler.journal import Journal, graph_rows
from kg.records import PageText
from ontocrawl import crawling, enrichment, graph_store, plan, runs, topics
from ontocrawl.api.topics import Topic
from ontocrawl.api.workspaces import Folder, OnStage, ignore, workspace_of
from ontocrawl.plan import CrawlOptions
from ontocrawl.runs import RunResult
from ontocrawl.tables import Table


class Run:
    """A crawl of a workspace, finished or not.

    Args:
        name: the run's name.
        workspace: folder of the workspace, as for `Topic`.

    Raises:
        UsageError: the workspace has no such run.
    """

    def __init__(self, name: str, workspace: Folder | None = None) -> None:
        self._space = workspace_of(workspace)
        self.name = name
        self.result: RunResult = runs.result_of(self._space, name)
        """Its figures: accuracy, AR, SD, recall, milestones, why it stopped."""

    def __repr__(self) -> str:
        end = self.result.end
        return f"<Run {self.name}: {end.fetched} pages, {end.relevant} relevant, {self.result.strategy}>"

    @property
    def workspace(self) -> Path:
        """The folder of its workspace."""
        return self._space.root

    def pages(self) -> Table:
        """The fetched pages in the order of fetching: step, URL, title, relevance, the judge's decision, label."""
        columns = ("step", "url", "title", "relevance", "relevant", "label", "published")
        with closing(Journal(self._space.existing_run(self.name) / runs.JOURNAL)) as journal:
            labels = journal.get("labels")
            outcomes = graph_rows.outcomes(journal, labels=None if labels is None else frozenset(labels))
            rows = tuple(tuple(getattr(o, c) for c in columns) for o in outcomes if o.failure is None)
        return Table(columns, rows, f"Pages of {self.name}")

    def texts(self) -> list[PageText]:
        """The main text of each fetched page, in the order of fetching."""
        with closing(Journal(self._space.existing_run(self.name) / runs.JOURNAL)) as journal:
            return list(graph_rows.pages(journal))

    def resume(self, *, pages: int | None = None, on_step: Callable[[Step], None] = ignore) -> Run:
        """Go on with the run where it stopped (`crawl resume`); the graph has the whole run then.

        Args:
            pages: a new limit; None for the run's own.
            on_step: called after each fetch.

        Returns:
            The run with its new figures.
        """
        changed = {} if pages is None else {"limit_pages": pages}
        runs.resume(self._space, self.name, on_step, changed=changed)
        if runs.config_of(self._space, self.name).graph:
            with graph_store.store(self._space) as store:
                runs.project(self._space, self.name, store)
        return Run(self.name, self._space.root)

    def to_frame(self) -> Any:
        """`pages` as a DataFrame of pandas, else of polars."""
        return self.pages().to_frame()


def crawl(
    topic: Topic | Folder,
    *,
    seeds: Sequence[str] = (),
    world: str = "live",
    pages: int | None = None,
    strategy: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    labels: str | None = None,
    run: str | None = None,
    graph: bool = True,
    workspace: Folder | None = None,
    on_step: Callable[[Step], None] = ignore,
    on_note: OnStage = ignore,
    **settings: Any,
) -> Run:
    """Crawl for pages on a topic, and write what was found into the workspace's graph (`crawl run`).

    Args:
        topic: a topic, its name, or the path of its file.
        seeds: URLs to begin at, or names of pages of a corpus; by default those of the world, else the topic's.
        world: ``"live"`` (the web), ``"synthetic:PRESET?pages=N&seed=S"``, or ``"corpus:DIR"``.
        pages: stop after so many pages; 0 for no limit.
        strategy: a name of `ontocrawl crawl strategies`, ``"FILE.py:CLASS"``, or ``"MODULE:CLASS"``.
        parameters: of the strategy, by name.
        labels: ``FILE#SET``, the pages that are relevant in truth; metrics alone see them.
        run: a name for the run; by default the day and the strategy.
        graph: whether to write the run into the graph.
        workspace: folder of the workspace, by default that of the topic.
        on_step: called after each fetch. on_note: called with what a reader should know.
        **settings: others of the workspace's [crawl] table, such as ``guide``, ``weights``, ``target``, ``seed``,
            ``limit_time`` and ``delay`` (docs/commands.md).

    Returns:
        The run, when it has stopped.

    Raises:
        UsageError: an option that does not fit, no seeds, or a run's name that is taken.
        UnknownStrategyError, RelevanceError: an unknown strategy or guide.
    """
    loaded = topic._topic if isinstance(topic, Topic) else topics.load(str(topic), workspace_of(workspace))
    space = loaded.workspace if workspace is None else workspace_of(workspace)
    chosen = CrawlOptions(
        strategy=strategy, world=world, labels=labels, run=run, graph=graph, parameters=parameters or {},
        settings={**settings, "limit_pages": pages},
    )  # fmt: skip
    config = plan.plan(space, loaded, chosen, on_note)
    result = crawling.start(space, loaded, config, seeds, on_step)
    runs.require_pages(space, result)
    if graph:
        with graph_store.store(space) as store:
            runs.project(space, result.run, store)
    return Run(result.run, space.root)


def propose(run: Run | str, *, limit: int = 30, workspace: Folder | None = None) -> Table:
    """Propose terms that relevant pages of a run use and the topic's ontologies lack (`enrich propose`).

    Args:
        run: a run, or its name.
        limit: at most so many, the best first.
        workspace: folder of the workspace, by default that of the run.

    Returns:
        One row a term, with score, number of pages, the concept that it is suggested under, a page and a sentence.
        The proposals are in the graph, too.

    Raises:
        UsageError: no such run, or its topic has no ontology.
    """
    space = run._space if isinstance(run, Run) and workspace is None else workspace_of(workspace)
    with graph_store.store(space) as graph:
        found = enrichment.propose(space, run if isinstance(run, str) else run.name, graph, limit=limit)
    columns = ("term", "score", "pages", "under_label", "sentence", "page", "kind", "under", "status", "id")
    return Table(columns, tuple(tuple(getattr(s, c) for c in columns) for s in found), "Proposed terms")

"""Crawls, and the terms that they propose for the ontology."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from crawler.crawl import Step
from crawler.journal import graph_rows
from kg.records import PageText
from ontocrawl import crawling, enrichment, graph_store, graph_writing, runs, topics
from ontocrawl.api.topics import Topic
from ontocrawl.api.workspaces import Folder, OnStage, ignore, workspace_of
from ontocrawl.errors import GraphNotWritten, UsageError
from ontocrawl.plan import CrawlOptions
from ontocrawl.runs import RunResult
from ontocrawl.tables import Table


class Run:
    """A crawl in a workspace, finished or interrupted.

    Attributes:
        name: the run's name.
        result: its measures (``result.end.accuracy``, ``.ar``, ``.sd``, ``.rc``; ``result.milestones``), and why it
            stopped (``result.stop_reason``).
        graph_error: why the run could not be written into the graph at the end of the crawl, which is also a
            RuntimeWarning; `Graph.add` writes it later. None if it was written, or was not to be written.

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
        """Measures of the run: accuracy, AR, SD, recall, milestones, and the reason why it stopped."""
        self.graph_error: GraphNotWritten | None = None

    def __repr__(self) -> str:
        end = self.result.end
        return f"<Run {self.name}: {end.fetched} pages, {end.relevant} relevant, {self.result.strategy}>"

    @property
    def workspace(self) -> Path:
        """Folder of the workspace."""
        return self._space.root

    def pages(self) -> Table:
        """Return the fetched pages in fetch order: step, URL, title, relevance, judge's decision, label, date."""
        columns = ("step", "url", "title", "relevance", "relevant", "label", "published")
        with runs.open_journal(self._space, self.name) as journal:
            labels = journal.get("labels")
            outcomes = graph_rows.outcomes(journal, labels=None if labels is None else frozenset(labels))
            rows = tuple(tuple(getattr(o, c) for c in columns) for o in outcomes if o.failure is None)
        return Table(columns, rows, f"Pages of {self.name}")

    def texts(self) -> list[PageText]:
        """Return the main text of each fetched page, in fetch order."""
        with runs.open_journal(self._space, self.name) as journal:
            return list(graph_rows.pages(journal))

    def resume(self, *, pages: int | None = None, on_step: Callable[[Step], None] = ignore) -> Run:
        """Resume the run where it stopped (`crawl resume`); a run that is kept in the graph is written there again.

        Args:
            pages: a new page limit; None keeps the limit of the run.
            on_step: called after each fetch.

        Returns:
            The run with its updated measures.
        """
        changed = {} if pages is None else {"limit_pages": pages}
        runs.resume(self._space, self.name, on_step, changed=changed)
        resumed = Run(self.name, self._space.root)
        if runs.config_of(self._space, self.name).graph:
            resumed._write_into_graph()
        return resumed

    def _write_into_graph(self) -> None:
        """Write the run into the workspace's graph at the end of a crawl. The crawl is kept where this fails."""
        try:
            graph_writing.write(self._space, self.name)
        except GraphNotWritten as error:
            self.graph_error = error
            warnings.warn(str(error), RuntimeWarning, stacklevel=3)

    def to_frame(self) -> Any:
        """Return `pages` as a pandas DataFrame, or a polars one where pandas is not installed."""
        return self.pages().to_frame()


def crawl(
    topic: Topic | Folder,
    *,
    seeds: str | Sequence[str] = (),
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
    """Crawl for pages on a topic, and write the run into the workspace's graph (`crawl run`).

    Args:
        topic: a topic, its name, or the path of its file.
        seeds: start URLs, or page names of a corpus; by default those of the world, else those of the topic.
        world: ``"live"`` (the web), ``"synthetic:PRESET?pages=N&seed=S"``, or ``"corpus:DIR"``.
        pages: maximum number of pages; 0 for no limit, None for the workspace's setting.
        strategy: a name listed by `ontocrawl crawl strategies`, ``"FILE.py:CLASS"``, or ``"MODULE:CLASS"``.
        parameters: parameters of the strategy, by name.
        labels: ``FILE#SET``, the pages labelled relevant; only the metrics use them.
        run: name of the run; by default the date and the strategy.
        graph: whether to write the run into the graph.
        workspace: folder of the workspace, by default that of the topic.
        on_step: called after each fetch.
        on_note: called with each message for the user.
        **settings: ``resolve`` (mapping of HOST:PORT to the address to connect to), ``allow_loopback`` and
            ``politeness`` as in `crawl run`, and keys of the workspace's [crawl] table, such as ``guide``,
            ``weights`` or ``seed``.

    Returns:
        The run, after it has stopped.

    Raises:
        UsageError: an invalid option, no seeds, or a run name that is already in use.
        UnknownStrategyError, RelevanceError, SetupError: an unknown strategy or guide, or one that the topic lacks
            a vector for.
    """
    if pages is not None and "limit_pages" in settings:
        raise UsageError("pages and limit_pages are the same limit: give one of them")
    loaded = topic._topic if isinstance(topic, Topic) else topics.load(str(topic), workspace_of(workspace))
    space = loaded.workspace if workspace is None else workspace_of(workspace)
    connection = {key: settings.pop(key) for key in ("resolve", "allow_loopback", "politeness") if key in settings}
    chosen = CrawlOptions(
        strategy=strategy, world=world, labels=labels, run=run, graph=graph, parameters=parameters or {},
        settings=settings if pages is None else {**settings, "limit_pages": pages}, **connection,
    )  # fmt: skip
    given = [seeds] if isinstance(seeds, str) else seeds
    with crawling.planned(space, loaded, chosen, given, on_note) as (config, opened):
        result = runs.begin(space, config, opened, on_step)
    runs.require_pages(space, result)
    finished = Run(result.run, space.root)
    if graph:
        finished._write_into_graph()
    return finished


def propose(run: Run | str, *, limit: int = 30, workspace: Folder | None = None) -> Table:
    """Propose terms that occur on relevant pages of a run and not in the topic's ontologies (`enrich propose`).

    Args:
        run: a run, or its name.
        limit: maximum number of terms; the best ones are kept.
        workspace: folder of the workspace, by default that of the run.

    Returns:
        One row per term, sorted by score: number of pages, suggested broader concept, an example page and sentence.
        The proposals are also written into the graph.

    Raises:
        UsageError: there is no such run, its topic has no ontology, or the limit is below 1.
    """
    if limit < 1:
        raise UsageError(f"limit must be 1 or more, not {limit}")
    space = run._space if isinstance(run, Run) and workspace is None else workspace_of(workspace)
    with graph_store.store(space) as graph:
        suggestions = enrichment.propose(space, run if isinstance(run, str) else run.name, graph, limit=limit)
    columns = ("term", "score", "pages", "under_label", "sentence", "page", "kind", "under", "status", "id")
    return Table(columns, tuple(tuple(getattr(s, c) for c in columns) for s in suggestions), "Proposed terms")

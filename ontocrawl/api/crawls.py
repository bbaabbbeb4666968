"""Crawls."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from crawler import strategies
from crawler.explanation.explain import Explanation
from crawler.journal import graph_rows
from crawler.journal.visits import Visit
from crawler.step import Step
from crawler.strategies.base import Strategy
from crawler.weights import Weights
from ontocrawl.api import arguments
from ontocrawl.api.arguments import Folder, OnStage, ignore, workspace_of
from ontocrawl.api.topics import Topic
from ontocrawl.base.config import checked
from ontocrawl.base.options import CrawlOptions, CrawlSettings
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import next_command
from ontocrawl.errors import GraphNotWritten, UsageError
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import Table
from ontocrawl.runs import crawling, explaining, graph_writing, page_files, rescoring, runs, teaching
from ontocrawl.runs.diagnosis import Diagnosis
from ontocrawl.runs.runs import RunResult
from ontocrawl.topics import topics
from ontology.enrichment import PageText


class Run:
    """A crawl in a workspace, finished or interrupted.

    Attributes:
        name: the run's name.
        result: its measures (``result.end.accuracy``, ``.ar``, ``.sd``, ``.rc``; ``result.milestones``), and why it
            stopped (``result.stop_reason``).
        diagnosis: what was found, what was rejected, what held the run back; ``str(diagnosis)`` is the text of it.
        graph_error: why the run could not be written into the graph at the end of the crawl, which is also a
            RuntimeWarning; `Graph.add` writes it later. None if it was written, or was not to be written.

    Args:
        name: the run's name.
        workspace: folder of the workspace, as for `Topic`.

    Raises:
        UsageError: the workspace has no such run.
    """

    def __init__(self, name: str, workspace: Folder | None = None) -> None:
        arguments.require("name", name, str, "the name of a run")
        space = workspace_of(workspace)
        self._set(space, runs.result_of(space, name))

    @classmethod
    def _finished(cls, space: Workspace, result: RunResult) -> Run:
        """Return a run that was just crawled, without reading its journal again."""
        run = cls.__new__(cls)
        run._set(space, result)
        return run

    def _set(self, space: Workspace, result: RunResult) -> None:
        self._space, self.name, self.result = space, result.run, result
        self.graph_error: GraphNotWritten | None = None

    def __repr__(self) -> str:
        end = self.result.end
        return f"<Run {self.name}: {end.fetched} pages, {end.relevant} relevant, {self.result.strategy}>"

    @property
    def diagnosis(self) -> Diagnosis:
        """What is to be said of the run, and one command that goes on from it now."""
        found = self.result.diagnosis
        return replace(found, next=next_command.next_of(self._space, self.name, found.next))

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
            return list(graph_rows.pages(journal, copies=True))

    def export(
        self,
        path: str | Path,
        format: str | None = None,  # noqa: A002 - as in pandas and json
        *,
        relevant: bool = False,
        failed: bool = False,
        links: bool = False,
    ) -> Path:
        """Write the pages with text, links and anchors, and failures with reasons, to a file (`crawl export`).

        Args:
            path: the file; an existing one is replaced.
            format: ``"jsonl"``, ``"csv"``, ``"text"`` or ``"warc"``; by default from the suffix, else ``"jsonl"``.
            relevant: only pages that are relevant by the judge.
            failed: only URLs that could not be fetched.
            links: also a row for each known link that was not fetched, with the reason.

        Returns:
            The path.

        Raises:
            UsageError: an unknown format, or rows that the format does not have.
            OSError: the file cannot be written.
        """
        arguments.require("path", path, (str, Path), "a path")
        arguments.require_text(format=format)
        arguments.require_flag(relevant=relevant, failed=failed, links=links)
        out, selection = Path(path), page_files.Selection(relevant, failed, links)
        page_files.export(self._space, self.name, out, format or page_files.format_of(out), selection, ignore)
        return out

    def explain(self, url: str, *, replays: bool = True) -> Explanation:
        """Explain why the run fetched a page, or why it did not (`crawl explain`).

        Args:
            url: a URL; for a crawl of a corpus also the name of a page.
            replays: whether to make the choices of the run again, for the features that the strategy saw of the link.

        Returns:
            The explanation: ``fetched``, ``reason``, ``path`` from a seed, and ``score`` with all its parts.

        Raises:
            WrongTypeError: the URL is no text.
            UsageError: the URL is malformed.
        """
        arguments.require("url", url, str, "text")
        return explaining.explain_url(self._space, self.name, url, replays=replays)

    def resume(
        self, *, pages: int | None = None, rescore: bool = False, on_step: Callable[[Step], None] = ignore
    ) -> Run:
        """Resume the run where it stopped (`crawl resume`); a run that is kept in the graph is written there again.

        Args:
            pages: a new page limit; None keeps the limit of the run.
            rescore: whether to score the queue by the present weights of the topic's ontologies first.
            on_step: called after each fetch.

        Returns:
            The run with its updated measures.
        """
        arguments.require_number(0, pages=pages)
        arguments.require_callbacks(on_step=on_step)
        changed = {} if pages is None else {"limit_pages": pages}
        weights = self._present_weights() if rescore else None
        result = runs.resume(self._space, self.name, on_step, changed=changed, weights=weights)
        resumed = Run._finished(self._space, result)
        if runs.config_of(self._space, self.name).graph:
            resumed._write_into_graph()
        return resumed

    def again(
        self, *, pages: int | None = None, policy: str = "optimal", on_visit: Callable[[Visit], None] = ignore
    ) -> Mapping[str, Any]:
        """Visit the pages of the run again, once (`crawl again`), and the new ones to which they lead.

        A run that is kept in the graph is written there again.

        Args:
            pages: maximum number of visits; None for all pages.
            policy: which pages come first: "optimal", "uniform" or "proportional" (docs/live-web.md#again-and-fresh).
            on_visit: called after each visit.

        Returns:
            The number of visits by what they found: unchanged, changed, gone, new, failed; and ``revisits``, ``at``,
            ``policy`` and ``state`` ("finished") as in `crawl status --json`.

        Raises:
            WrongTypeError: an argument of another type.
            UsageError: there is no such policy.
        """
        arguments.require_number(1, pages=pages)
        arguments.require_callbacks(on_visit=on_visit)
        arguments.require("policy", policy, str, "text")
        found = crawling.again(self._space, self.name, policy=policy, limit=pages or 0, on_visit=on_visit)
        if runs.config_of(self._space, self.name).graph:
            self._write_into_graph()
        return found

    def teach(
        self, *, like: str | Sequence[str] = (), unlike: str | Sequence[str] = (), forget: str | Sequence[str] = ()
    ) -> Table:
        """Teach the run by pages that a person likes or dislikes (`crawl teach`); it takes that when it is resumed.

        Args:
            like: URLs of pages of the kind that is looked for; of a corpus also names of pages.
            unlike: URLs of pages of another kind.
            forget: URLs whose verdicts are taken back.

        Returns:
            All that the run was taught: url, liked, at (time), and fetched, the pages that the run had fetched when it
            took the verdict, None while it waits.

        Raises:
            WrongTypeError: an argument of another type.
            UsageError: the strategy of the run takes no verdicts, or a URL is wrong, given twice or out of scope.
        """
        urls = {"like": _urls(like=like), "unlike": _urls(unlike=unlike), "forget": _urls(forget=forget)}
        found = teaching.teach(self._space, self.name, **urls)
        rows = tuple((one.url, one.liked, one.at, one.fetched) for one in found.taught)
        return Table(("url", "liked", "at", "fetched"), rows, f"What {self.name} was taught")

    def _present_weights(self) -> Weights:
        with graph_store.store(self._space) as graph:
            return rescoring.weights_for(self._space, self.name, graph)

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
    classes: str | Sequence[str] = (),
    cover: int | str | None = None,
    words: Mapping[str, float] | None = None,
    seeds: str | Sequence[str] = (),
    world: str = "live",
    pages: int | None = None,
    like: str | Sequence[str] = (),
    unlike: str | Sequence[str] = (),
    prior: Run | str | Sequence[Run | str] = (),
    strategy: str | type[Strategy] | None = None,
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
        classes: classes of the topic's ontology, or terms of its papers, to crawl for in place of the whole topic
            (`crawl run --class`); several take turns.
        cover: take turns over the classes so many levels below the root, or over ``"local"`` ontologies.
        words: words for these classes with weights above 0 to 1.
        seeds: URLs, page names of a corpus, or sources of URLs (`crawl run --seeds`); by default of the world or topic.
        world: ``"live"`` (the web), ``"synthetic:PRESET?pages=N&seed=S"``, ``"corpus:DIR"``, or ``"archive:DIR"``.
        pages: maximum number of pages; 0 for no limit, None for the workspace's setting.
        like: URLs of pages of the kind that is looked for, fetched first, for a strategy that learns (evidence_sum).
        unlike: URLs of pages of another kind, the same way.
        prior: earlier runs in the graph, or their names, whose ranks, hosts and words of links the crawl begins with.
        strategy: a name listed by `ontocrawl crawl strategies`, ``"FILE.py:CLASS"``, ``"MODULE:CLASS"``, or the class.
        parameters: parameters of the strategy, by name.
        labels: ``FILE#SET``, the pages labelled relevant; only the metrics use them.
        run: name of the run; by default the date and the strategy.
        graph: whether to write the run into the graph.
        workspace: folder of the workspace, by default that of the topic.
        on_step: called after each fetch.
        on_note: called with each message for the user.
        **settings: ``resolve`` (mapping of HOST:PORT to the address to connect to), ``warc`` (folder to record the
            crawl in), ``allow_loopback`` and ``politeness`` as in `crawl run`, and the following, by default those of
            the workspace's [crawl] table.

    Returns:
        The run, after it has stopped.

    Raises:
        WrongTypeError: an argument of another type.
        UsageError: an invalid option, no seeds, or a run name that is already in use.
        StrategyError: a class that is no complete strategy.
        UnknownStrategyError, RelevanceError, SetupError: an unknown strategy or guide, or a vector that is missing.
    """
    start_urls = arguments.require_texts("seeds", seeds, "a URL, or a list of URLs")
    arguments.require_callbacks(on_step=on_step, on_note=on_note)
    arguments.require_mapping(words=words)
    earlier = [prior] if isinstance(prior, Run | str) else prior
    arguments.require("prior", earlier, (list, tuple), "a Run, its name, or a list of these")
    of_run = {
        "world": world, "labels": labels, "run": run, "graph": graph, "parameters": parameters or {},
        "like": _urls(like=like), "unlike": _urls(unlike=unlike), "prior": [name_of(one) for one in earlier],
        "classes": arguments.require_texts("classes", classes, "a class, or a list of classes"),
        "cover": "" if cover is None else str(cover), "words": words or {},
    }  # fmt: skip
    chosen = _options(strategy, of_run, pages, settings)
    loaded, space = _loaded(topic, workspace)
    with crawling.planned(space, loaded, chosen, start_urls, on_note) as (config, opened):
        result = runs.begin(space, config, opened, on_step, on_note=on_note)
    runs.require_pages(space, result)
    finished = Run._finished(space, result)
    if graph:
        finished._write_into_graph()
    return finished


arguments.documented(crawl, CrawlSettings)


def _loaded(topic: Topic | Folder, workspace: Folder | None) -> tuple[topics.Topic, Workspace]:
    """Return the topic of a crawl, and its workspace; arguments are those of `crawl`."""
    arguments.require("topic", topic, (Topic, str, Path), "a Topic, its name, or the path of its file")
    loaded = topic._topic if isinstance(topic, Topic) else topics.load(str(topic), workspace_of(workspace))
    return loaded, loaded.workspace if workspace is None else workspace_of(workspace)


def _options(
    strategy: str | type[Strategy] | None, of_run: Mapping[str, Any], pages: int | None, settings: Mapping[str, Any]
) -> CrawlOptions:
    """Check the types of a crawl's options, and return them as one value.

    Args:
        strategy: as of `crawl`.
        of_run: arguments of `crawl` that are fields of `CrawlOptions`.
        pages: as of `crawl`.
        settings: further fields of `CrawlOptions`, and of `CrawlSettings`.
    """
    arguments.require_number(0, pages=pages)
    arguments.require("world", of_run["world"], str, "text")
    arguments.require_text(labels=of_run["labels"], run=of_run["run"])
    arguments.require("strategy", strategy, (str, type, type(None)), "a strategy's name or class")
    if pages is not None and "limit_pages" in settings:
        raise UsageError("api.pages_limit_pages_same")
    connection = {key: settings[key] for key in ("resolve", "allow_loopback", "politeness", "warc") if key in settings}
    arguments.require_mapping(parameters=of_run["parameters"], resolve=connection.get("resolve"))
    arguments.require_path(warc=connection.get("warc"))
    flags = {key: value for key, value in connection.items() if key not in ("resolve", "warc")}
    arguments.require_flag(graph=of_run["graph"], **flags)
    limit = {} if pages is None else {"limit_pages": pages}
    others = {key: value for key, value in settings.items() if key not in connection and value is not None} | limit
    checked(CrawlSettings, others, "crawl", strict=True)
    name = strategies.place_of(strategy) if isinstance(strategy, type) else strategy
    return checked(CrawlOptions, {**of_run, **connection, "strategy": name, "settings": others}, "crawl")


def _urls(**given: object) -> list[str]:
    """Return an argument that is a URL or a sequence of them as a list. Raises WrongTypeError for another value."""
    return [
        str(url)
        for name, urls in given.items()
        for url in arguments.require_texts(name, urls, "a URL, or a list of URLs")
    ]


def name_of(run: Run | str) -> str:
    """Return the name of a run. Raises WrongTypeError for another value."""
    arguments.require("run", run, (Run, str), "a Run, or its name")
    return run.name if isinstance(run, Run) else run

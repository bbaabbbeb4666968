"""`ontocrawl crawl run`, `crawl resume` and `crawl again`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import LIMITS, CrawlOptions, CrawlSettings, RoundsSettings, declared
from ontocrawl.cli import arguments, crawl_view, measures
from ontocrawl.cli.arguments import HelpAll, RunName
from ontocrawl.cli.crawl_options import (
    AsPrinted,
    ClassWords,
    Metrics,
    Parameters,
    Resolve,
    Rounds,
    Seeds,
    given,
    with_options,
)
from ontocrawl.cli.output import (
    Folder,
    Json,
    note,
    note_next,
    print_json,
    print_part,
    progress,
    spoken,
    stderr,
    workspace,
)
from ontocrawl.errors import GraphNotWritten, ResumableStop, UsageError
from ontology.errors import Message, below

if TYPE_CHECKING:
    from crawler.crawl import Crawl
    from crawler.expected_gain import Harvest
    from crawler.step import Step
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.runs.runs import Around, RunResult

    Measured = Callable[[Around], Around]
    from crawler.journal.recounts import WeightsTaken
    from crawler.journal.taught_pages import TaughtPage
    from crawler.rounds.crawl import RoundsCrawl
    from ontocrawl.runs.run_config import RunConfig


@with_options(CrawlSettings)
@with_options(CrawlOptions)
@with_options(RoundsSettings)
def run(
    topic: str | None = None,
    words: ClassWords = None,
    seeds: Seeds = None,
    as_printed: AsPrinted = None,
    rounds: Rounds = False,
    resolve: Resolve = None,
    parameter: Parameters = None,
    metrics: Metrics = None,
    folder: Folder = None,
    as_json: Json = False,
    help_all: HelpAll = False,
    **options: Any,
) -> None:
    """Crawl, and write the result into the graph.

    Without --seeds, those of a synthetic web or of the topic are used. A synthetic web also has labels.
    """
    from ontocrawl.base.config import checked
    from ontocrawl.runs import crawl_setup, plan

    settings = given(CrawlSettings, options)
    asked = {
        "strategy": settings.pop("strategy", None), "settings": settings, "words": arguments.words(words or ""),
        "rounds": _rounds(given(RoundsSettings, options), asked=rounds), "resolve": crawl_setup.resolve_table(resolve),
        "parameters": plan.parameters(arguments.parameters(parameter or [])),
    }  # fmt: skip
    chosen = checked(CrawlOptions, {**given(CrawlOptions, options), **asked}, "options")
    space = workspace(folder, writes=True)
    with _measured(metrics) as measured:
        _crawl(space, topic, chosen, seeds or [], measured, paper=as_printed, as_json=as_json)


def _crawl(
    space: Workspace,
    topic: str | None,
    options: CrawlOptions,
    seeds: Sequence[str],
    measured: Measured,
    *,
    paper: str | None,
    as_json: bool,
) -> None:
    from ontocrawl.runs import crawling, runs
    from ontocrawl.topics import topics

    if paper is not None:
        from ontocrawl.lab import loading

        options, topic, lines = loading.as_printed(paper, options, topic, space)
        note(below(lines))
    on_topic = topics.load(topics.default_name(space) if topic is None else topic, space)
    with crawling.planned(space, on_topic, options, seeds, note) as (config, world):
        _note_no_effect(config, options.settings.get("weights"))
        stopped = _interruption(space, config.run)
        with stopped, (bar := _StepProgress(config.crawl.limit_pages)) as on_step:
            result = runs.begin(space, config, world, on_step, measured(bar.around), note)
    _end(space, result, project=config.graph, as_json=as_json)


@contextmanager
def _measured(metrics: str | None) -> Iterator[Measured]:
    """Yield what adds metrics to the context of a crawl: nothing without --metrics."""
    if metrics is None:
        yield lambda around: around
        return
    from ontocrawl.runs import crawl_metrics

    with crawl_metrics.served(metrics, note) as served:
        yield served.around


@with_options(CrawlSettings, *LIMITS)
@with_options(RoundsSettings, "jobs", "spark")
def resume(
    run_name: RunName,
    limit_pages: int | None = None,
    resolve: Resolve = None,
    jobs: int | None = None,
    spark: str | None = None,
    graph: Annotated[
        bool | None,
        typer.Option(
            "--graph/--no-graph", help="Write the run into the graph at its end; by default as for `crawl run`."
        ),
    ] = None,
    rescore: Annotated[
        bool, typer.Option("--rescore", help="First score the queue by the present weights of the topic's ontologies.")
    ] = False,
    metrics: Metrics = None,
    folder: Folder = None,
    as_json: Json = False,
    **limits: Any,
) -> None:
    """Resume a run that was stopped or killed; --limit-pages extends a finished one."""
    from ontocrawl.graph.graph_store import store
    from ontocrawl.runs import crawl_rounds, crawl_setup, rescoring, runs

    space = workspace(folder)
    limits["limit_pages"] = limit_pages
    changed = {name: value for name, value in limits.items() if value is not None}
    if resolve is not None:
        changed["resolve"] = crawl_setup.resolve_table(resolve)
    if jobs is not None or spark is not None:
        changed |= crawl_rounds.elsewhere(runs.config_of(space, run_name), jobs, spark)
    weights = None
    if rescore:
        with store(space) as opened:
            weights = rescoring.weights_for(space, run_name, opened)
    elif line := rescoring.waiting(space, run_name):
        note(line)
    stopped = _interruption(space, run_name)
    with stopped, _measured(metrics) as measured, (bar := _StepProgress(limit_pages)) as on_step:
        around = measured(bar.around)
        result = runs.resume(space, run_name, on_step, changed=changed, around=around, weights=weights, on_note=note)
    if weights is not None and not any(taken.digest == weights.digest for taken in result.rescored):
        note(Message("cli.run_same_weights", run=run_name))
    _end(space, result, project=runs.config_of(space, run_name).graph if graph is None else graph, as_json=as_json)


def again(
    run_name: RunName,
    every: Annotated[
        str | None,
        typer.Option(metavar="6h", help="Go on until stopped: time from one start to the next, such as 30m, 6h or 1d."),
    ] = None,
    limit_pages: Annotated[
        int, typer.Option(min=0, help="Maximum number of visits each time; 0 for all pages and the new ones.")
    ] = 0,
    policy: Annotated[
        str,
        typer.Option(
            help="Which pages come first: optimal (by freshness), uniform, or proportional (to their changes)."
        ),
    ] = "optimal",
    resolve: Resolve = None,
    graph: Annotated[
        bool | None,
        typer.Option(
            "--graph/--no-graph", help="Write the run into the graph each time; by default as for `crawl run`."
        ),
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Visit the pages of a run again, those first that matter and change, and the new ones that they lead to.

    Requests are conditional, and robots.txt is asked again. What was interrupted goes on.
    """
    from ontocrawl.runs import crawl_setup, crawling, graph_writing, runs, signals

    pause = None if every is None else arguments.seconds(every)
    space = workspace(folder)
    project = runs.config_of(space, run_name).graph if graph is None else graph
    changed = {} if resolve is None else {"resolve": crawl_setup.resolve_table(resolve)}

    def ended(found: Mapping[str, Any]) -> None:
        if as_json:
            print_json(found)
        else:
            print_part(measures.of_revisit(run_name, found))
        if not project and runs.config_of(space, run_name).graph:
            note(Message("cli.graph_as_before", run=run_name))
        if project:
            try:
                graph_writing.write(space, run_name)
            except GraphNotWritten as error:
                if pause is None:
                    raise
                note(error.message)

    with progress(Message("cli.doing_visit"), limit_pages or None) as (bar, task):
        found = crawling.again(
            space, run_name, policy=policy, limit=limit_pages, every=pause, changed=changed,
            around=lambda crawl: signals.stopping(crawl, note),
            on_visit=lambda visit: bar.update(task, advance=1, info=f"{visit.change}: {visit.url}"), on_revisit=ended,
        )  # fmt: skip
    if found["state"] != "finished":
        raise ResumableStop("cli.revisit_stopped", run=run_name)


def _stopping(crawl: Crawl) -> AbstractContextManager[None]:
    """Name the pages that were in flight, and let the crawl end in order at a signal."""
    from crawler.rounds.crawl import RoundsCrawl
    from ontocrawl.runs import signals

    if isinstance(crawl, RoundsCrawl):
        crawl.on_unfinished = _note_unfinished
    elif crawl.refetched:
        reached, limits = crawl.limits.reached(crawl.state.harvest), crawl.limits
        pages = len(crawl.refetched)
        line = Message("cli.refetched", pages=pages)
        if reached is not None:
            of_limit = {
                "limit_pages": ("cli.refetched_pages", limits.pages),
                "limit_relevant": ("cli.refetched_relevant", limits.relevant),
                "limit_gain": ("cli.refetched_gain", limits.gain),
            }
            code, limit = of_limit[reached]
            line = Message(code, pages=pages, limit=limit)
        note(below([line, *crawl.refetched]))
    return signals.stopping(crawl, note)


class _StepProgress:
    """A progress bar over the steps of a crawl, as a context manager."""

    def __init__(self, limit: int | None) -> None:
        self._bar = progress(Message("cli.doing_crawl"), limit or None)
        self._on_page: Callable[[int, int], None] = lambda number, of: None
        self._harvest: Harvest | None = None

    def __enter__(self) -> Callable[[Step], None]:
        bar, task = self._bar.__enter__()
        self._on_page = lambda number, of: bar.update(
            task, info=spoken(Message("cli.step_weights", page=number // 2, of=of // 2))
        )

        def on_step(step: Step) -> None:
            more: str = ""
            if self._harvest is not None and (gain := self._harvest.gain) is not None:
                more = Message("cli.step_gain", gain=crawl_view.gain(asdict(gain)))
            counts = {"relevant": step.relevant, "queued": step.queued, "in_flight": step.in_flight}
            bar.update(task, completed=step.fetched, info=spoken(Message("cli.step", gain=more, **counts)))
            if stderr.log is not None:
                stderr.log.page(step)

        return on_step

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)

    def around(self, crawl: Crawl) -> AbstractContextManager[None]:
        """Return the context of a crawl, and show when it scores its queue anew."""
        if stderr.log is not None:
            stderr.log.fields["run"] = crawl.journal.path.parent.name
        self._harvest = crawl.state.harvest
        crawl.rescoring.on_page = self._on_page
        crawl.rescoring.on_rescored = lambda taken: note(_line_of(taken))
        crawl.rescoring.on_refused = lambda why: note(Message("cli.weights_refused", why=why))
        crawl.teaching.on_taught = lambda pages: note(_line_of_verdicts(pages))
        crawl.teaching.on_unread = lambda url, why: note(_unread(url, why))
        crawl.teaching.on_refused = lambda why: note(Message("cli.not_taught", why=why))
        return _stopping(crawl)


def _unread(url: str, why: str) -> Message:
    from crawler.reasons import meaning

    return Message("cli.not_learned_from", url=url, why=why, meaning=meaning(why).text)


def _end(space: Workspace, result: RunResult, *, project: bool, as_json: bool) -> None:
    """Print the result of a crawl, and then write it into the graph, whose failure leaves the result valid."""
    from ontocrawl.runs import graph_writing, runs

    if result.stop_reason != "interrupted":
        runs.require_pages(space, result)
    if as_json:
        print_json(result.as_json())
    else:
        for part in measures.of_run(result.as_json()):
            print_part(part)
        _note_rejected_taken(result)
    unwritten: GraphNotWritten | None = None
    if result.stop_reason == "interrupted":
        raise ResumableStop("cli.stopped_order_pages_still", in_flight=result.in_flight, run=result.run)
    if project:
        try:
            report = graph_writing.write(space, result.run)
            counts = {name: getattr(report, name) for name in ("known", "failures", "links", "mentions")}
            note(Message("cli.in_graph", pages=report.pages - report.failures, **counts))
        except GraphNotWritten as error:
            unwritten = error
        except KeyboardInterrupt:
            note(Message("cli.not_whole_in_graph", run=result.run))
            raise
    if result.stop_reason == "repeated_failure":
        if unwritten is not None:
            note(unwritten.message)
        raise ResumableStop("cli.stopped_after_many_network", run=result.run)
    if unwritten is not None:
        raise unwritten
    if not as_json:
        note_next(result.diagnosis.next, space)


def _rounds(given: Mapping[str, Any], *, asked: bool) -> RoundsSettings | None:
    """Return how to crawl in rounds; None without --rounds. Raises UsageError for an option that needs it."""
    if asked:
        return RoundsSettings(**given)
    for name in given:
        flag = declared(RoundsSettings)[name].flag
        raise UsageError("cli.crawls_rounds_add_rounds", flag=flag)
    return None


# ---- what `crawl run` and `crawl resume` print about a crawl beside its progress


def _note_unfinished(crawl: RoundsCrawl) -> None:
    """Print the partitions of an interrupted round that are fetched again."""
    note(below([Message("cli.round_interrupted", round=crawl.round), *map(str, crawl.unfinished)]))


@contextmanager
def _interruption(space: Workspace, run: str) -> Iterator[None]:
    """Print how to go on with a run where Ctrl-C ends the block at once; nothing for a run that has not begun."""
    from ontocrawl.base.workspace import JOURNAL

    try:
        yield
    except KeyboardInterrupt:
        if (space.run(run) / JOURNAL).exists():
            note(Message("cli.journal_kept", run=run))
        raise


def _note_ontology(config: RunConfig, weights: str | None) -> None:
    """Print the ontology of a crawl with its relevance function and weights; or that --weights has no effect."""
    if config.steered_by is not None:
        crawl = config.crawl
        note(Message("cli.steered_by", by=config.steered_by, guide=crawl.guide, weights=crawl.weights))
    elif weights is not None:
        note(Message("cli.no_effect_weights", strategy=config.strategy, weights=weights))


def _note_no_effect(config: RunConfig, weights: str | None) -> None:
    """Print what steers a crawl, and which options have no effect on it."""
    _note_ontology(config, weights)
    _note_look_ahead(config)


def _note_look_ahead(config: RunConfig) -> None:
    """Print that --target has no effect, where it has none."""
    from ontocrawl.runs import crawl_setup

    if config.crawl.target != "predict" and not crawl_setup.looks_ahead(crawl_setup.strategy_of(config)):
        note(Message("cli.no_effect_target", strategy=config.strategy, target=config.crawl.target))
    elif config.crawl.target == "cached" and not config.known_runs:
        note(Message("cli.target_predicted"))


def _note_rejected_taken(result: RunResult) -> None:
    """Print how many links that the strategy rejected were fetched, because nothing else was left."""
    if result.rejected_taken:
        note(Message("cli.rejected_taken", strategy=result.strategy, links=result.rejected_taken))


def _line_of(taken: WeightsTaken) -> str:
    """Return a line about weights that a crawl has taken."""
    return Message(
        "cli.new_weights", keys=", ".join(taken.ontologies.values()), pages=taken.recounted, links=taken.queued,
        estimated=Message("cli.new_weights_estimated", pages=taken.estimated) if taken.estimated else "",
        admitted=Message("cli.new_weights_admitted", links=taken.admitted) if taken.admitted else "",
    )  # fmt: skip


def _line_of_verdicts(pages: Sequence[TaughtPage]) -> str:
    """Return a line about verdicts of persons that a crawl has taken."""
    codes = {True: "cli.taught_liked", False: "cli.taught_disliked", None: "cli.taught_forgotten"}
    counted = Counter(page.liked for page in pages)
    asked = sum(page.asked for page in pages)
    more = Message("cli.taught_asked", pages=asked) if asked else ""
    said = ", ".join(spoken(Message(codes[liked], pages=number)) for liked, number in counted.items())
    return Message("cli.taught", said=said, more=more)

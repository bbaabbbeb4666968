"""`ontocrawl crawl run` and `crawl resume`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import crawl_notes, crawl_view, given_options, measures
from ontocrawl.cli.arguments import RunName, Weights
from ontocrawl.cli.crawl_options import (
    Accept,
    ExcludedHosts,
    Gain,
    GenerationLimit,
    Guide,
    Hosts,
    IgnoreDirectives,
    Impolite,
    InFlight,
    Jobs,
    Join,
    JudgeName,
    Labels,
    Like,
    Limit,
    Loopback,
    MaxDepth,
    MaxOfftopicDepth,
    MaxPerDirectory,
    MaxPerHost,
    MaxPerPattern,
    Metrics,
    NewRunName,
    NoGraph,
    Parameters,
    Reject,
    Relevant,
    Reproducible,
    Resolve,
    RoundPerHost,
    Rounds,
    RoundSize,
    Seconds,
    Seed,
    Seeds,
    SparkMaster,
    Stay,
    StrategyName,
    Target,
    Threshold,
    TopicName,
    Unlike,
    Warc,
    WorldSpec,
)
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stderr, workspace
from ontocrawl.errors import GraphNotWritten, ResumableStop

if TYPE_CHECKING:
    from crawler.crawl import Crawl
    from crawler.expected_gain import Harvest
    from crawler.step import Step
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.runs.plan import CrawlOptions
    from ontocrawl.runs.runs import Around, RunResult

    Measured = Callable[[Around], Around]


def run(
    context: typer.Context,
    topic: TopicName = None,
    seeds: Seeds = None,
    like: Like = None,
    unlike: Unlike = None,
    strategy: StrategyName = None,
    world: WorldSpec = "live",
    warc: Warc = None,
    labels: Labels = None,
    seed: Seed = None,
    limit_pages: Limit = None,
    limit_time: Seconds = None,
    limit_relevant: Relevant = None,
    limit_generations: GenerationLimit = None,
    limit_gain: Gain = None,
    stay: Stay = None,
    host: Hosts = None,
    exclude_host: ExcludedHosts = None,
    accept: Accept = None,
    reject: Reject = None,
    max_depth: MaxDepth = None,
    max_offtopic_depth: MaxOfftopicDepth = None,
    max_per_host: MaxPerHost = None,
    max_per_directory: MaxPerDirectory = None,
    max_per_pattern: MaxPerPattern = None,
    in_flight: InFlight = None,
    reproducible: Reproducible = False,
    rounds: Rounds = False,
    round_size: RoundSize = None,
    round_per_host: RoundPerHost = None,
    jobs: Jobs = None,
    spark: SparkMaster = None,
    run_name: NewRunName = None,
    resolve: Resolve = None,
    allow_loopback: Loopback = False,
    no_politeness: Impolite = False,
    ignore_robots_directives: IgnoreDirectives = False,
    target: Target = None,
    guide: Guide = None,
    judge: JudgeName = None,
    threshold: Threshold = None,
    weights: Weights = None,
    join: Join = None,
    parameter: Parameters = None,
    no_graph: NoGraph = False,
    metrics: Metrics = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Crawl, and write the result into the graph.

    Without --seeds, those of a synthetic web or of the topic are used. A synthetic web also has labels.
    """
    options = given_options.of_crawl(context, resolve)
    space = workspace(folder, writes=True)
    with _measured(metrics) as measured:
        _crawl(space, topic, options, seeds or [], measured, as_json=as_json)


def _crawl(
    space: Workspace,
    topic: str | None,
    options: CrawlOptions,
    seeds: Sequence[str],
    measured: Measured,
    *,
    as_json: bool,
) -> None:
    from ontocrawl.runs import crawling, runs
    from ontocrawl.topics import topics

    on_topic = topics.load(topics.default_name(space) if topic is None else topic, space)
    with crawling.planned(space, on_topic, options, seeds, note) as (config, world):
        crawl_notes.note_no_effect(config, options.settings.get("weights"))
        stopped = crawl_notes.interruption(space, config.run)
        with stopped, (bar := _StepProgress(config.limit_pages)) as on_step:
            result = runs.begin(space, config, world, on_step, measured(bar.around))
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


def resume(
    context: typer.Context,
    run_name: RunName,
    limit_pages: Limit = None,
    limit_time: Seconds = None,
    limit_relevant: Relevant = None,
    limit_generations: GenerationLimit = None,
    limit_gain: Gain = None,
    resolve: Resolve = None,
    jobs: Jobs = None,
    spark: SparkMaster = None,
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
) -> None:
    """Resume a run that was stopped or killed; --limit-pages extends a finished one."""
    from ontocrawl.base.config import LIMITS
    from ontocrawl.graph.graph_store import store
    from ontocrawl.runs import crawl_rounds, crawl_setup, rescoring, runs

    space = workspace(folder)
    changed = {name: value for name in LIMITS if (value := context.params[name]) is not None}
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
    stopped = crawl_notes.interruption(space, run_name)
    with stopped, _measured(metrics) as measured, (bar := _StepProgress(limit_pages)) as on_step:
        around = measured(bar.around)
        result = runs.resume(space, run_name, on_step, changed=changed, around=around, weights=weights)
    if weights is not None and not any(taken.digest == weights.digest for taken in result.rescored):
        note(f"run {run_name} has these weights already: its queue was not scored anew")
    _end(space, result, project=runs.config_of(space, run_name).graph if graph is None else graph, as_json=as_json)


def _stopping(crawl: Crawl) -> AbstractContextManager[None]:
    """Name the pages that were in flight, and let the crawl end in order at a signal."""
    from crawler.rounds.crawl import RoundsCrawl
    from ontocrawl.runs import signals

    if isinstance(crawl, RoundsCrawl):
        crawl.on_unfinished = crawl_notes.note_unfinished
    elif crawl.refetched:
        reached, limits = crawl.limits.reached(crawl.state.harvest), crawl.limits
        what = "fetched again"
        if reached is not None:
            limit = {
                "limit_pages": f"{limits.pages} pages",
                "limit_relevant": f"{limits.relevant} relevant pages",
                "limit_gain": f"{limits.gain} relevant pages to be expected",
            }[reached]
            what = f"left, as the limit of {limit} is reached; --{reached.replace('_', '-')} extends it"
        line = f"{len(crawl.refetched)} pages were in flight when the run was interrupted, and are {what}:"
        note("\n  ".join([line, *crawl.refetched]))
    return signals.stopping(crawl, note)


class _StepProgress:
    """A progress bar over the steps of a crawl, as a context manager."""

    def __init__(self, limit: int | None) -> None:
        self._bar = progress("crawling", limit or None)
        self._on_page: Callable[[int, int], None] = lambda number, of: None
        self._harvest: Harvest | None = None

    def __enter__(self) -> Callable[[Step], None]:
        bar, task = self._bar.__enter__()
        self._on_page = lambda number, of: bar.update(task, info=f"new weights: page {number // 2} of {of // 2}")

        def on_step(step: Step) -> None:
            info = f"{step.relevant} relevant, {step.queued} queued, {step.in_flight} in flight"
            if self._harvest is not None and (gain := self._harvest.gain) is not None:
                info += f", expected gain {crawl_view.gain(asdict(gain))}"
            bar.update(task, completed=step.fetched, info=info)
            if stderr.log is not None:
                stderr.log.page(step)

        return on_step

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)

    def around(self, crawl: Crawl) -> AbstractContextManager[None]:
        """Return the context of a crawl, and show when it scores its queue anew."""
        from crawler.reasons import meaning

        if stderr.log is not None:
            stderr.log.fields["run"] = crawl.journal.path.parent.name
        self._harvest = crawl.state.harvest
        crawl.rescoring.on_page = self._on_page
        crawl.rescoring.on_rescored = lambda taken: note(crawl_notes.line_of(taken))
        crawl.rescoring.on_refused = lambda why: note(f"new weights were offered, and are not taken: {why}")
        crawl.teaching.on_taught = lambda pages: note(crawl_notes.line_of_verdicts(pages))
        crawl.teaching.on_unread = lambda url, why: note(f"{url} cannot be learned from ({why}): {meaning(why)}")
        crawl.teaching.on_refused = lambda why: note(f"the run is not taught: {why}")
        return _stopping(crawl)


def _end(space: Workspace, result: RunResult, *, project: bool, as_json: bool) -> None:
    """Print the result of a crawl, and then write it into the graph, whose failure leaves the result valid."""
    from ontocrawl.runs import graph_writing, runs

    if result.stop_reason != "interrupted":
        runs.require_pages(space, result)
    if as_json:
        print_json(result.as_json())
    else:
        measures.show_run(result.as_json())
        crawl_notes.note_rejected_links(space, result)
        crawl_notes.note_links_left(result)
    unwritten: GraphNotWritten | None = None
    if result.stop_reason == "interrupted":
        raise ResumableStop(
            f"stopped in order, {result.in_flight} pages are still in flight: ontocrawl crawl resume {result.run} "
            f"continues it, ontocrawl graph rebuild {result.run} writes what there is into the graph"
        )
    if project:
        try:
            report = graph_writing.write(space, result.run)
            note(f"in the graph: {report.pages} pages, {report.links} links, {report.mentions} mentions of concepts")
        except GraphNotWritten as error:
            unwritten = error
        except KeyboardInterrupt:
            note(f"the crawl has ended, and is not whole in the graph: ontocrawl graph rebuild {result.run} writes it")
            raise
    if result.stop_reason == "repeated_failure":
        if unwritten is not None:
            note(unwritten.on_command_line())
        raise ResumableStop(f"stopped after many network failures in a row; later: ontocrawl crawl resume {result.run}")
    if unwritten is not None:
        raise unwritten
    if not as_json:
        note(f"Next: ontocrawl crawl pages {result.run}, query list, enrich propose {result.run}")

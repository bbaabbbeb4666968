"""`ontocrawl crawl`: run, resume, status, pages, strategies."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import arguments, measures
from ontocrawl.cli.arguments import RunName, Weights
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace
from ontocrawl.errors import GraphNotWritten, ResumableStop

if TYPE_CHECKING:
    from crawler.crawl import Crawl, Step
    from ontocrawl.run_config import RunConfig
    from ontocrawl.runs import RunResult
    from ontocrawl.workspace import Workspace

Resolve = Annotated[
    Path | None,
    typer.Option(help="File of HOST:PORT=ADDRESS:PORT lines: where to connect instead, as with curl --resolve."),
]
Limit = Annotated[
    int | None, typer.Option("--limit-pages", min=0, help="Maximum number of pages with status 200; 0 means no limit.")
]
Seconds = Annotated[
    float | None, typer.Option("--limit-time", min=0, help="Maximum time in seconds; 0 means no limit.")
]
NoGraph = Annotated[bool, typer.Option("--no-graph", help="Do not write the run into the graph at its end.")]
TopicName = Annotated[
    str | None,
    typer.Option(
        "--topic", help="Name of a topic, or path of a topic file; by default that of the workspace's settings."
    ),
]
Seeds = Annotated[
    list[str] | None,
    typer.Option(help="A URL, comma-separated page names of a corpus, or @FILE with one per line. May repeat."),
]
StrategyName = Annotated[
    str | None, typer.Option("--strategy", help="Name of a strategy (`ontocrawl crawl strategies`), or FILE.py:CLASS.")
]
WorldSpec = Annotated[
    str, typer.Option("--world", help="World to crawl: live, synthetic:PRESET?pages=N&seed=S, or corpus:DIR.")
]
InFlight = Annotated[
    int | None,
    typer.Option(
        "--in-flight",
        min=1,
        max=512,
        help="Maximum number of pages in flight; 1 is the sequence of the papers. By default 8; for a world in memory "
        "1, unless --reproducible.",
    ),
]
Reproducible = Annotated[
    bool,
    typer.Option(
        "--reproducible",
        help="Use the pages in the order of their choice, not of their arrival, so that the same seed gives the same "
        "trace however fast the network is.",
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(help="Labelled pages, as FILE#SET: JSON lists of URLs or page names; only the metrics use them."),
]
Seed = Annotated[int | None, typer.Option(min=0, help="Random seed.")]
NewRunName = Annotated[str | None, typer.Option("--run", help="Name of the run; by default the date and the strategy.")]
Loopback = Annotated[bool, typer.Option("--allow-loopback", help="Allow URLs of this machine.")]
Impolite = Annotated[
    bool, typer.Option("--no-politeness", help="No delay between requests to a host; robots.txt is still obeyed.")
]
Target = Annotated[
    str | None,
    typer.Option(
        help="Look-ahead at the target of a link: predict, cached (pages of other runs) or oracle (fetches it)."
    ),
]
Guide = Annotated[
    str | None,
    typer.Option(
        help="Relevance function of the strategy; `published` is the one of its paper. By default `saturated` for "
        "strategies that use the vector of an ontology, `published` for the others."
    ),
]
Parameters = Annotated[
    list[str] | None, typer.Option("--param", help="Parameter of the strategy, as NAME=VALUE. May repeat.")
]


def run(
    topic: TopicName = None,
    seeds: Seeds = None,
    strategy: StrategyName = None,
    world: WorldSpec = "live",
    labels: Labels = None,
    seed: Seed = None,
    limit_pages: Limit = None,
    limit_time: Seconds = None,
    in_flight: InFlight = None,
    reproducible: Reproducible = False,
    run_name: NewRunName = None,
    resolve: Resolve = None,
    allow_loopback: Loopback = False,
    no_politeness: Impolite = False,
    target: Target = None,
    guide: Guide = None,
    weights: Weights = None,
    parameter: Parameters = None,
    no_graph: NoGraph = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Crawl, and write the result into the graph.

    Without --seeds, those of a synthetic web or of the topic are used. A synthetic web also has labels.
    """
    from ontocrawl import crawl_setup, crawling, plan, runs, topics

    space = workspace(folder, writes=True)
    on_topic = topics.load(topics.default_name(space) if topic is None else topic, space)
    options = plan.CrawlOptions(
        strategy=strategy,
        world=world,
        labels=labels,
        run=run_name,
        resolve=crawl_setup.resolve_table(resolve),
        allow_loopback=allow_loopback,
        politeness=not no_politeness,
        graph=not no_graph,
        parameters=plan.parameters(arguments.parameters(parameter or [])),
        settings={
            "seed": seed, "target": target, "guide": guide, "weights": weights, "limit_pages": limit_pages,
            "limit_time": limit_time, "in_flight": in_flight, "reproducible": reproducible or None,
        },
    )  # fmt: skip
    with crawling.planned(space, on_topic, options, seeds or [], note) as (config, opened):
        _note_ontology(config, weights)
        if config.crawl.target != "predict" and not crawl_setup.looks_ahead(crawl_setup.strategy_of(config)):
            note(f"{config.strategy} uses no feature of a link's target: --target {config.crawl.target} has no effect")
        elif config.crawl.target == "cached" and not config.known_runs:
            note("no other run of this world has counted the topic's words: the target of each link is predicted")
        with _StepProgress(config.limit_pages) as on_step:
            result = runs.begin(space, config, opened, on_step, _stopping)
    _end(space, result, project=config.graph, as_json=as_json)


def resume(
    run_name: RunName,
    limit_pages: Limit = None,
    limit_time: Seconds = None,
    resolve: Resolve = None,
    graph: Annotated[
        bool | None,
        typer.Option(
            "--graph/--no-graph", help="Write the run into the graph at its end; by default as for `crawl run`."
        ),
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Resume a run that was stopped or killed; --limit-pages extends a finished one."""
    from ontocrawl import crawl_setup, runs

    space = workspace(folder)
    changed: dict[str, Any] = {
        k: v for k, v in (("limit_pages", limit_pages), ("limit_time", limit_time)) if v is not None
    }
    if resolve is not None:
        changed["resolve"] = crawl_setup.resolve_table(resolve)
    with _StepProgress(limit_pages) as on_step:
        result = runs.resume(space, run_name, on_step, changed=changed, around=_stopping)
    _end(space, result, project=runs.config_of(space, run_name).graph if graph is None else graph, as_json=as_json)


def status(
    run_names: Annotated[list[str] | None, typer.Argument(metavar="[RUN]...", help="Names of runs.")] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Show the measures of one run, of several, or of all runs of the workspace."""
    from crawler.journal import JournalError
    from ontocrawl import runs

    space = workspace(folder)
    names = list(dict.fromkeys(run_names or space.run_names()))
    documents = []
    for name in names:
        try:
            documents.append(runs.result_of(space, name).as_json())
        except JournalError as error:
            if run_names:
                raise
            note(f"left out: {error}")
    if run_names and len(names) == 1:
        print_json(documents[0]) if as_json else measures.show_run(documents[0])
        return
    pairs = runs.superpositions(space, names) if run_names else []
    if as_json:
        print_json({"runs": documents, **({"superposition": pairs} if run_names else {})})
        return
    measures.show_runs(documents)
    if pairs:
        measures.show_superpositions(pairs)


def pages(
    run_name: RunName,
    relevant: Annotated[bool, typer.Option("--relevant", help="Only pages that are relevant by the judge.")] = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """List the pages of a run in fetch order."""
    from crawler.journal import graph_rows
    from ontocrawl import runs

    with runs.open_journal(workspace(folder), run_name) as journal:
        rows = [row for row in graph_rows.outcomes(journal) if row.failure is None and (row.relevant or not relevant)]
    if as_json:
        keys = ("step", "url", "relevance", "relevant", "title", "priority", "published")
        print_json({"pages": [{key: getattr(row, key) for key in keys} for row in rows]})
        return
    table(f"Pages of {run_name}", ("step", "R", "title", "URL"), [(r.step, r.relevance, r.title, r.url) for r in rows])


def list_strategies(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of a strategy to show in detail.")] = None,
    as_json: Json = False,
) -> None:
    """List the strategies with their papers, parameters and readings, or show one in detail."""
    from crawler import strategies

    entries = strategies.describe() if name is None else strategies.describe([strategies.get(name)])
    if as_json:
        print_json({"strategies": entries})
        return
    for entry in entries:
        stdout.print(f"{entry['name']}: {entry['title']}", style="bold", markup=False)
        stdout.print(f"  {entry['paper']}", markup=False)
        stdout.print(f"  relevance by {', '.join(entry['guides'])}", markup=False)
        if entry["parameters"]:
            stdout.print("  parameters: " + ", ".join(f"{k}={v}" for k, v in entry["parameters"].items()), markup=False)
        for trap, reading in entry["readings"].items():
            stdout.print(f"  {trap}: {reading}", markup=False)
        if name is not None and entry["about"]:
            rows = [
                (key, entry["parameters"][key], about["allowed"], about["meaning"].replace("``", ""))
                for key, about in entry["about"].items()
            ]
            table(f"Parameters of {entry['name']}", ("--param", "default", "allowed", "meaning"), rows)


def _stopping(crawl: Crawl) -> AbstractContextManager[None]:
    """Name the pages that are fetched again, and let the crawl end in order at a signal."""
    from ontocrawl import signals

    if crawl.refetched:
        lines = [f"{len(crawl.refetched)} pages were in flight when the run was interrupted, and are fetched again:"]
        note("\n  ".join([*lines, *crawl.refetched]))
    return signals.stopping(crawl, note)


def _note_ontology(config: RunConfig, weights: str | None) -> None:
    """Print the ontology of a crawl with its relevance function and weights; or that --weights has no effect."""
    if config.steered_by is not None:
        note(f"steered by {config.steered_by}: relevance {config.crawl.guide}, weights {config.crawl.weights}")
    elif weights is not None:
        note(f"{config.strategy} uses only the words of the topic file: --weights {weights} has no effect")


def _note_rejected_links(space: Workspace, result: RunResult) -> None:
    """Print the number of links rejected by the strategy, if the crawl ended because none was left."""
    from crawler.journal import graph_rows
    from ontocrawl import runs

    if result.stop_reason not in ("frontier_empty", "strategy_finished"):
        return
    with runs.open_journal(space, result.run) as journal:
        rejected = sum(row.reason == "rejected_by_strategy" for row in graph_rows.known(journal))
    if rejected:
        note(f"no link is left in the frontier: the filter of {result.strategy} rejected {rejected} links")


class _StepProgress:
    """A progress bar over the steps of a crawl, as a context manager."""

    def __init__(self, limit: int | None) -> None:
        self._bar = progress("crawling", limit or None)

    def __enter__(self) -> Callable[[Step], None]:
        bar, task = self._bar.__enter__()

        def on_step(step: Step) -> None:
            info = f"{step.relevant} relevant, {step.queued} queued, {step.in_flight} in flight"
            bar.update(task, completed=step.fetched, info=info)

        return on_step

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)


def _end(space: Workspace, result: RunResult, *, project: bool, as_json: bool) -> None:
    """Print the result of a crawl, and then write it into the graph, whose failure leaves the result valid."""
    from ontocrawl import graph_writing, runs

    if result.stop_reason != "interrupted":
        runs.require_pages(space, result)
    if as_json:
        print_json(result.as_json())
    else:
        measures.show_run(result.as_json())
        _note_rejected_links(space, result)
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
    if result.stop_reason == "repeated_failure":
        if unwritten is not None:
            note(unwritten.on_command_line())
        raise ResumableStop(f"stopped after many network failures in a row; later: ontocrawl crawl resume {result.run}")
    if unwritten is not None:
        raise unwritten
    if not as_json:
        note(f"Next: ontocrawl crawl pages {result.run}, query list, enrich propose {result.run}")

"""`ontocrawl crawl`: run, resume, status, pages, strategies."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import arguments, measures
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace
from ontocrawl.errors import ResumableStop

if TYPE_CHECKING:
    from crawler.crawl import Step
    from ontocrawl.run_config import RunConfig
    from ontocrawl.runs import RunResult
    from ontocrawl.workspace import Workspace

Resolve = Annotated[
    Path | None,
    typer.Option(help="File of HOST:PORT=ADDRESS:PORT lines: where to connect, as curl's --resolve."),
]
Limit = Annotated[int | None, typer.Option("--limit-pages", min=0, help="Pages with status 200; 0 is no limit.")]
Seconds = Annotated[float | None, typer.Option("--limit-time", min=0, help="Seconds; 0 is no limit.")]
NoGraph = Annotated[bool, typer.Option("--no-graph", help="Do not write the result into the graph at the end.")]
TopicName = Annotated[str | None, typer.Option("--topic", help="A shipped topic, one of the workspace, or a file.")]
Seeds = Annotated[
    list[str] | None, typer.Option(help="A URL, a name of a corpus, a comma list of names, or @FILE. May repeat.")
]
StrategyName = Annotated[
    str | None, typer.Option("--strategy", help="Of `ontocrawl crawl strategies`, or FILE.py:CLASS.")
]
WorldSpec = Annotated[str, typer.Option("--world", help="live, synthetic:PRESET?pages=N&seed=S, or corpus:DIR.")]
Labels = Annotated[
    str | None, typer.Option(help="FILE#SET: JSON lists of relevant names or URLs; only metrics see them.")
]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the random generator.")]
RunName = Annotated[str | None, typer.Option("--run", help="Name of the run; by default the day and the strategy.")]
Loopback = Annotated[bool, typer.Option("--allow-loopback", help="Let URLs lead to this machine.")]
Impolite = Annotated[bool, typer.Option("--no-politeness", help="No delay between requests; robots.txt stays obeyed.")]
Target = Annotated[
    str | None,
    typer.Option(help="Look-ahead at a link's target: predict, cached (as other runs read it) or oracle (fetches it)."),
]
Guide = Annotated[
    str | None,
    typer.Option(
        help="Relevance function that the strategy computes with; `published` is that of its paper. By default "
        "`saturated` for strategies that read the vector of an ontology, `published` for the others."
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="sem|key|sem_key",
        help="Weights of the ontology's words: Sem from the root, what is particular to the papers, or both; by "
        "default key where the ontology was learned from papers, else sem.",
    ),
]
Parameters = Annotated[list[str] | None, typer.Option("--param", help="NAME=VALUE of the strategy. May repeat.")]
Run = Annotated[str, typer.Argument(metavar="RUN")]


def run(
    topic: TopicName = None,
    seeds: Seeds = None,
    strategy: StrategyName = None,
    world: WorldSpec = "live",
    labels: Labels = None,
    seed: Seed = None,
    limit_pages: Limit = None,
    limit_time: Seconds = None,
    run_name: RunName = None,
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
    """Crawl, and write what was found into the graph.

    A synthetic world brings its own seeds and labels; a topic may bring seeds.
    """
    from ontocrawl import crawl_setup, crawling, plan, topics

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
            "seed": seed,
            "target": target,
            "guide": guide,
            "weights": weights,
            "limit_pages": limit_pages,
            "limit_time": limit_time,
        },
    )
    config = plan.plan(space, on_topic, options, note)
    _tell_what_steers(config, weights)
    if config.crawl.target != "predict" and not crawl_setup.looks_ahead(crawl_setup.strategy_of(config)):
        note(f"{config.strategy} reads nothing of a link's target: --target {config.crawl.target} changes nothing")
    elif config.crawl.target == "cached" and not config.known_runs:
        note("no other run of this world has counted the topic's words: each link's target is predicted")
    with _Watching(config.limit_pages) as on_step:
        result = crawling.start(space, on_topic, config, seeds or [], on_step)
    _end(space, result, project=config.graph, as_json=as_json)


def resume(
    run_name: Run,
    limit_pages: Limit = None,
    limit_time: Seconds = None,
    resolve: Resolve = None,
    graph: Annotated[
        bool | None,
        typer.Option(
            "--graph/--no-graph", help="Whether to write the result into the graph; by default as it was begun."
        ),
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Go on with a run that was stopped or killed; --limit-pages lets a finished one go further."""
    from ontocrawl import crawl_setup, runs

    space = workspace(folder)
    changed: dict[str, Any] = {
        k: v for k, v in (("limit_pages", limit_pages), ("limit_time", limit_time)) if v is not None
    }
    if resolve is not None:
        changed["resolve"] = crawl_setup.resolve_table(resolve)
    with _Watching(limit_pages) as on_step:
        result = runs.resume(space, run_name, on_step, changed=changed)
    _end(space, result, project=runs.config_of(space, run_name).graph if graph is None else graph, as_json=as_json)


def status(
    run_names: Annotated[list[str] | None, typer.Argument(metavar="[RUN]...")] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """The measures of a run, of several, or of all runs of the workspace."""
    from crawler.journal import JournalError
    from ontocrawl import runs

    space = workspace(folder)
    names = list(dict.fromkeys(run_names or sorted(p.parent.name for p in space.runs.glob(f"*/{runs.JOURNAL}"))))
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
    run_name: Run,
    relevant: Annotated[bool, typer.Option("--relevant", help="Only pages that the judge found relevant.")] = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """The pages of a run in the order of fetching."""
    from crawler.journal import Journal, graph_rows
    from ontocrawl import runs

    space = workspace(folder)
    journal = Journal(space.existing_run(run_name) / runs.JOURNAL)
    try:
        found = [row for row in graph_rows.outcomes(journal) if row.failure is None and (row.relevant or not relevant)]
    finally:
        journal.close()
    if as_json:
        keys = ("step", "url", "relevance", "relevant", "title", "priority", "published")
        print_json({"pages": [{key: getattr(row, key) for key in keys} for row in found]})
        return
    table(f"Pages of {run_name}", ("step", "R", "title", "URL"), [(r.step, r.relevance, r.title, r.url) for r in found])


def list_strategies(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="One of them, with what its parameters mean.")
    ] = None,
    as_json: Json = False,
) -> None:
    """The strategies that exist, where they were published, their parameters and readings; or one in full."""
    from crawler import strategies

    found = strategies.describe() if name is None else strategies.describe([strategies.get(name)])
    if as_json:
        print_json({"strategies": found})
        return
    for entry in found:
        stdout.print(f"{entry['name']}: {entry['title']}", style="bold", markup=False)
        stdout.print(f"  {entry['paper']}", markup=False)
        stdout.print(f"  relevance by {', '.join(entry['guides'])}", markup=False)
        if entry["parameters"]:
            stdout.print("  parameters: " + ", ".join(f"{k}={v}" for k, v in entry["parameters"].items()), markup=False)
        for trap, reading in entry["readings"].items():
            stdout.print(f"  {trap}: {reading}", markup=False)
        if name is not None and entry["about"]:
            told = entry["about"].items()
            rows_ = [
                (key, entry["parameters"][key], of["allowed"], of["meaning"].replace("``", "")) for key, of in told
            ]
            table(f"Parameters of {entry['name']}", ("--param", "default", "allowed", "meaning"), rows_)


def _tell_what_steers(config: RunConfig, weights: str | None) -> None:
    """The ontology of a crawl with its relevance and weights; or that the weights asked for have no effect."""
    if config.steered_by is not None:
        note(f"steered by {config.steered_by}: relevance {config.crawl.guide}, weights {config.crawl.weights}")
    elif weights is not None:
        note(f"{config.strategy} reads the topic's own words only: --weights {weights} changes nothing")


def _tell_what_was_left_out(space: Workspace, result: RunResult) -> None:
    """Why a crawl may have ended before its limit: the strategy's filter."""
    from crawler.journal import Journal, graph_rows
    from ontocrawl import runs

    if result.stop_reason not in ("frontier_empty", "strategy_finished"):
        return
    with closing(Journal(space.run(result.run) / runs.JOURNAL)) as journal:
        left = sum(row.reason == "rejected_by_strategy" for row in graph_rows.known(journal))
    if left:
        note(f"nothing is left to choose: the filter of {result.strategy} left out {left} links")


class _Watching:
    """A progress bar over the steps of a crawl, as a context."""

    def __init__(self, limit: int | None) -> None:
        self._bar = progress("crawling", limit or None)

    def __enter__(self) -> Callable[[Step], None]:
        bar, task = self._bar.__enter__()

        def on_step(step: Step) -> None:
            bar.update(task, completed=step.fetched, info=f"{step.relevant} relevant, {step.queued} queued")

        return on_step

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)


def _end(space: Workspace, result: RunResult, *, project: bool, as_json: bool) -> None:
    from ontocrawl import graph_store, runs

    runs.require_pages(space, result)
    if project:
        with graph_store.store(space) as graph:
            report = runs.project(space, result.run, graph)
        note(f"in the graph: {report.pages} pages, {report.links} links, {report.mentions} mentions of concepts")
    if as_json:
        print_json(result.as_json())
    else:
        measures.show_run(result.as_json())
        _tell_what_was_left_out(space, result)
        note(f"Look further: ontocrawl crawl pages {result.run}, query list, enrich propose {result.run}")
    if result.stop_reason == "repeated_failure":
        raise ResumableStop(f"stopped after many network failures in a row; later: ontocrawl crawl resume {result.run}")

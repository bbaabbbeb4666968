"""`ontocrawl crawl`: status, pages, strategies."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli import crawl_view, measures, output
from ontocrawl.cli.arguments import RunName
from ontocrawl.cli.output import (
    Answer,
    As,
    Folder,
    Form,
    Json,
    Line,
    chosen,
    in_workspace,
    note,
    print_part,
    show,
    stdout,
    tabled,
    workspace,
)
from ontocrawl.errors import UsageError
from ontology.errors import Message, catalogued
from ontology.printable import json_text

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.cli.output import Part
    from ontocrawl.runs.run_status import Now


def status(
    run_names: Annotated[list[str] | None, typer.Argument(metavar="[RUN]...", help="Names of runs.")] = None,
    watching: Annotated[
        bool, typer.Option("--watch", help="Show the run as it goes on, until it ends; Ctrl-C ends only the view.")
    ] = False,
    every: Annotated[
        float | None,
        typer.Option(min=0.1, help="With --watch: seconds between two looks; by default 1, in a pipe or file 10."),
    ] = None,
    tag: Annotated[str, typer.Option(metavar="TAG", help="Of all runs, only those with this tag.")] = "",
    hidden: Annotated[bool, typer.Option("--hidden", help="Of all runs, also the hidden ones (`crawl mark`).")] = False,
    folder: Folder = None,
    form: As = Form.TABLE,
    as_json: Json = False,
) -> None:
    """Show the measures of one run, of several, or of all runs of the workspace.

    Of a run that is going on in another process also what it does now: its rates, what it waits for, when it may end.
    """
    space, names = workspace(folder), list(dict.fromkeys(run_names or ()))
    if (watching and len(names) != 1) or (every and not watching):
        raise UsageError("cli.watch_shows_run_name")
    if watching:
        _watch(space, names[0], every, as_json=as_json)
        return
    if run_names and (tag or hidden):
        raise UsageError("cli.status_all_runs")
    answer = _status(space, names) if names else _all_runs(space, hidden=hidden, tag=tag)
    show(answer, chosen(form, as_json=as_json))


def _status(space: Workspace, names: Sequence[str]) -> Answer:
    from ontocrawl.enrichment import next_command
    from ontocrawl.runs import run_status, runs

    if len(names) == 1:
        document = next_command.status_of(space, names[0])
        advice = document.get("diagnosis", {}).get("next")
        return Answer(document, list(measures.of_run(document)), next=in_workspace(advice, space) if advice else "")
    documents = [run_status.marked(space, name) for name in names]
    pairs = runs.superpositions(space, names)
    in_common = [measures.of_superpositions(pairs)] if pairs else []
    judges, remarks = runs.judged_alike(space, names)
    document = {"runs": documents, "superposition": pairs, "judged_alike": judges}
    return Answer(document, [measures.of_runs(documents), *in_common], remarks)


def _all_runs(space: Workspace, *, hidden: bool, tag: str) -> Answer:
    from ontocrawl.runs import run_status

    documents = run_status.listed(space, hidden=hidden, tag=tag)
    notes: list[str] = [Message("cli.left_out", what=one["error"]) for one in documents if "error" in one]
    known = [one for one in documents if "error" not in one]
    left = 0 if hidden else run_status.hidden_runs(space)
    in_bin = len(space.removed_runs())
    if left:
        notes.append(Message("cli.hidden_runs", runs=left))
    if in_bin:
        notes.append(Message("cli.runs_in_bin", runs=in_bin))
    return Answer({"runs": known, "hidden": left, "bin": in_bin}, [measures.of_runs(known)], notes)


def pages(
    run_name: RunName,
    relevant: Annotated[bool, typer.Option("--relevant", help="Only pages that are relevant by the judge.")] = False,
    folder: Folder = None,
) -> Answer:
    """List the pages of a run in fetch order."""
    from crawler.journal import graph_rows, taught_pages
    from ontocrawl.runs import runs

    with runs.open_journal(workspace(folder), run_name) as journal, journal.at_one_moment():
        rows = [row for row in graph_rows.outcomes(journal) if row.failure is None and (row.relevant or not relevant)]
        taught = taught_pages.present(journal)
    liked = [next((taught[url].liked for url in (r.url, r.final_url) if url in taught), None) for r in rows]
    keys = ("step", "url", "relevance", "relevant", "title", "priority", "published")
    of_rows = [{key: getattr(row, key) for key in keys} for row in rows]
    plain = {"pages": [{**row, "liked": verdict} for row, verdict in zip(of_rows, liked, strict=True)]}
    yes, no = Message("cli.yes"), Message("cli.no")
    said = {True: (yes,), False: (no,), None: ("",)} if taught else dict.fromkeys((True, False, None), ())
    columns = ("step", "R", *(("liked",) if taught else ()), "title", "URL")
    shown = [(r.step, r.relevance, *said[verdict], r.title, r.url) for r, verdict in zip(rows, liked, strict=True)]
    return Answer(plain, [tabled(Message("cli.of_pages", run=run_name), columns, shown)])


def mark(
    run_names: Annotated[list[str], typer.Argument(metavar="RUN...", help="Names of runs.")],
    text: Annotated[
        str | None,
        typer.Option("--note", metavar="TEXT", help='A line about the run, in place of its note; "" for none.'),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag to add. May repeat.")] = None,
    untag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag to take away. May repeat.")] = None,
    hidden: Annotated[
        bool | None, typer.Option("--hide/--show", help="Leave the run out of lists, or list it again.")
    ] = None,
    folder: Folder = None,
) -> Answer:
    """Mark runs with a note and tags, or hide them from lists; without options, show their marks.

    Nothing is crawled or judged by marks. `crawl status --tag TAG` lists the runs with a tag, `--hidden` the hidden
    ones too.
    """
    from ontocrawl.runs import run_files

    space, names = workspace(folder), list(dict.fromkeys(run_names))
    marked = run_files.mark(space, names, note=text, tag=tag or (), untag=untag or (), hidden=hidden)
    yes = Message("cli.yes")
    rows = [(name, ", ".join(one.tags), yes if one.hidden else "", one.note) for name, one in marked.items()]
    plain = {"runs": [{"run": name, **one.as_json()} for name, one in marked.items()]}
    return Answer(plain, [tabled("Marks", ("run", "tags", "hidden", "note"), rows)])


def list_strategies(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of a strategy to show in detail.")] = None,
) -> Answer:
    """List the strategies with their papers, parameters and readings, or show one in detail."""
    from crawler import strategies

    entries = strategies.describe() if name is None else strategies.describe([strategies.get(name)])
    shown: list[Part] = []
    for entry in entries:
        parameters = ", ".join(f"{key}={value}" for key, value in entry["parameters"].items())
        shown += [
            Line(f"{entry['name']}: {catalogued(entry['title'], output.language)}", style="bold"),
            f"  {entry['paper']}",
            Message("strategies.told_guides", guides=", ".join(entry["guides"])),
            *([Message("strategies.told_parameters", parameters=parameters)] if parameters else []),
            *(Message("strategies.told_rule", rule=rule, does=does) for rule, does in entry["rules"].items()),
            *(f"  {trap}: {reading}" for trap, reading in entry["readings"].items()),
        ]
        if name is not None and entry["about"]:
            rows = [
                (
                    key,
                    entry["parameters"][key],
                    about["allowed"],
                    catalogued(about["meaning"], output.language).replace("``", ""),
                )
                for key, about in entry["about"].items()
            ]
            title = Message("strategies.told_about", name=name)
            shown.append(tabled(title, ("--param", "default", "allowed", "meaning"), rows))
    return Answer({"strategies": entries}, shown)


# ---- `ontocrawl crawl status RUN --watch`: a run as it goes on


ON_TERMINAL, IN_PIPE = 1.0, 10.0
"""Seconds between two looks, where the user gives none."""


def _watch(space: Workspace, name: str, every: float | None, *, as_json: bool) -> None:
    """Show a run until no process crawls it any more, or until Ctrl-C, which ends the view and not the crawl.

    On a terminal the view is refreshed in place. Elsewhere, and with ``as_json``, a line is printed at each look.

    Args:
        space: the workspace of the run.
        name: name of the run.
        every: seconds between two looks.
        as_json: whether to print a JSON document a line.
    """
    from ontocrawl.enrichment import next_command
    from ontocrawl.runs import run_status

    in_place = stdout.console.is_terminal and not as_json
    pause = every or (ON_TERMINAL if in_place else IN_PIPE)

    def looks() -> Iterator[Now]:
        while (now := run_status.now(space, name)).running:
            yield now
            time.sleep(pause)
        if in_place:
            yield now

    try:
        if in_place:
            _refresh(looks())
        for now in () if in_place else looks():
            document = {"run": name, **now.as_json()}
            _write(json_text(document) if as_json else crawl_view.line(document))
    except KeyboardInterrupt:
        note(Message("cli.view_ended"))
        return
    end = next_command.status_of(space, name)
    if in_place:
        for part in measures.of_run(end):
            print_part(part)
    else:
        _write(json_text(end) if as_json else crawl_view.last_line(end))


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _refresh(looks: Iterator[Now]) -> None:
    from rich.live import Live

    with Live(console=stdout.console, auto_refresh=False) as live:
        for now in looks:
            live.update(crawl_view.view(now.run, now.as_json()), refresh=True)

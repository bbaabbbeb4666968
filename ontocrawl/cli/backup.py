"""`ontocrawl backup` and `ontocrawl restore`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, Line, quoted, workspace


def backup(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; an existing one is replaced.")],
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="PATH", help="Another file or folder of the workspace to save; repeatable."),
    ] = None,
    no_graph: Annotated[
        bool, typer.Option("--no-graph", help="Leave out the graph, which can be written again from files.")
    ] = False,
    folder: Folder = None,
) -> Answer:
    """Save a workspace to one file, while it is in use: settings, ontologies, decisions, runs, graph.

    Of a run that is being crawled, all events are saved that are in its journal at one moment.
    """
    from ontocrawl.backup import writing

    report = writing.write(workspace(folder), path, graph=not no_graph, also=also or ())
    graph = {None: "no graph", "engine": "the graph", "export": "an export of the server's graph"}[report.graph]
    said = f"wrote {report.path}: {report.bytes:,} bytes, {report.files} files, {len(report.runs)} runs, {graph}"
    notes = [f"being crawled: {', '.join(report.crawled)}"] if report.crawled else []
    if report.left_out:
        notes.append(f"left out of the workspace: {', '.join(report.left_out)} (--also PATH saves one)")
    return Answer(asdict(report), [Line(said, wrap=False)], notes)


def restore(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="File that `backup` wrote.")],
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="Empty or new folder for the workspace; by default this folder.")
    ] = Path(),
    no_graph: Annotated[bool, typer.Option("--no-graph", help="Leave out the graph.")] = False,
) -> Answer:
    """Restore a workspace that `backup` saved into an empty folder: all of it, or nothing.

    Every file is compared with its digest. A run that was being crawled can be resumed.
    """
    from ontocrawl.backup import restoring

    restored = restoring.restore(path, folder, graph=not no_graph)
    at = ("--workspace", folder.resolve())
    notes = [
        f"run {name} was being crawled: {quoted('ontocrawl', 'crawl', 'resume', name, *at)}"
        for name in restored.crawled
    ]
    if restored.graph == "export":
        exported = folder.resolve() / "graph.cypher"
        notes.append(f"the graph of the server: {quoted('ontocrawl', 'graph', 'import', exported, *at)} loads it")
    elif restored.graph is None:
        notes.append(f"without a graph: {quoted('ontocrawl', 'graph', 'check', *at)} lists the commands that fill one")
    said = f"restored {restored.workspace}: {len(restored.runs)} runs, as of {restored.made}"
    return Answer(asdict(restored), [Line(said, wrap=False)], notes)

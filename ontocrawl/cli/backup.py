"""`ontocrawl backup` and `ontocrawl restore`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, Line, quoted, workspace
from ontology.errors import Message


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
    codes = {None: "backup.no_graph", "engine": "backup.the_graph", "export": "backup.export"}
    counts = {"bytes": report.bytes, "files": report.files, "runs": len(report.runs)}
    said = Message("backup.wrote", path=report.path, graph=Message(codes[report.graph]), **counts)
    notes = [Message("backup.being_crawled", runs=", ".join(report.crawled))] if report.crawled else []
    if report.left_out:
        notes.append(Message("backup.left_out", files=", ".join(report.left_out)))
    notes += report.not_exported
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
        Message("backup.was_crawled", run=name, command=quoted("ontocrawl", "crawl", "resume", name, *at))
        for name in restored.crawled
    ]
    if restored.graph == "export":
        exported = folder.resolve() / "graph.cypher"
        load = quoted("ontocrawl", "graph", "import", exported, *at)
        notes.append(Message("backup.graph_of_server", command=load))
    elif restored.graph is None:
        notes.append(Message("backup.without_graph", command=quoted("ontocrawl", "graph", "check", *at)))
    said = Message("backup.restored", path=restored.workspace, runs=len(restored.runs), made=restored.made)
    return Answer(asdict(restored), [Line(said, wrap=False)], notes)

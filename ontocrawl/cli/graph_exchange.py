"""`ontocrawl graph export` and `graph import`: the whole graph as a file for other programs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.store import GraphStore
from ontocrawl.cli.output import Answer, Folder, note, progress, tabled, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message
from ontology.files import write_atomically

if TYPE_CHECKING:
    from kg.interchange.spool import Progress
    from ontocrawl.graph.tables import Table


NOTE_SECONDS = 10.0
"""Seconds between two lines on how far an export or an import is, where stderr is no terminal."""


class GraphFormat(StrEnum):
    """Formats of `graph export`; a test compares them with those of kg.export."""

    TURTLE = "turtle"
    NT = "nt"
    GRAPHML = "graphml"
    GEXF = "gexf"
    CSV = "csv"
    CYPHER = "cypher"
    GRASS = "grass"
    """The style for Neo4j Browser, without a graph."""


def export(
    out: Annotated[Path, typer.Option("--out", help="Output file; for csv a folder. An existing one is replaced.")],
    form: Annotated[
        GraphFormat | None,
        typer.Option(
            "--format",
            help="Format: turtle, nt, graphml, gexf, csv (for neo4j-admin import), cypher (a script) or grass (a style "
            "for Neo4j Browser); by default from the suffix of --out.",
        ),
    ] = None,
    n10s: Annotated[bool, typer.Option("--n10s", help="With turtle: use the names of neosemantics (n10s).")] = False,
    folder: Folder = None,
) -> Answer:
    """Write the whole graph to a file: ontologies, papers, lattices, crawls. Equal graphs result in equal files."""
    from kg.browser import browser_style
    from kg.export import export_graph, format_of
    from ontocrawl.graph import graph_store

    chosen = str(form) if form else "grass" if out.suffix == ".grass" else format_of(out)
    if chosen == "grass":
        if n10s:
            raise UsageError("cli.n_s_goes_format")
        write_atomically(out, browser_style().encode())
        said = Message("cli.grass_written", path=out)
        return Answer({"path": str(out), "format": chosen}, notes=[said])
    with graph_store.store(workspace(folder, writes=True)) as graph, _counter(Message("cli.doing_read")) as on_count:
        report = export_graph(graph, chosen, out, n10s=n10s, progress=on_count)
    return Answer(asdict(report), [_table(Message("cli.exported_to", path=out), report.counts)], report.notes)


def import_(
    path: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="File or folder written by `graph export`.")],
    form: Annotated[
        GraphFormat | None,
        typer.Option(
            "--format", help="Format: turtle, nt, csv or cypher; by default from the suffix; a folder is csv."
        ),
    ] = None,
    folder: Folder = None,
) -> Answer:
    """Load an exported file into the graph, beside the existing data; a second import changes nothing."""
    from kg.export import format_of, import_graph
    from ontocrawl.base.workspace import now
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import graph_record

    if not path.exists():
        raise UsageError("cli.no_such_file_folder", path=path)
    chosen = str(form) if form else format_of(path)
    space = workspace(folder, writes=True)
    with graph_store.store(space) as graph, _counter(Message("cli.doing_write")) as on_count:
        before = _nodes(graph)
        try:
            report = import_graph(graph, path, chosen, progress=on_count)
        except Exception:
            written = _nodes(graph) - before
            if written:
                note(Message("cli.nodes_before_error", nodes=written))
            raise
        graph_record.note(space, graph_record.of_file(space, "import", path, when=now()))
    return Answer(
        asdict(report),
        [_table(Message("cli.imported_from", path=path), report.counts)],
        [Message("cli.import_skipped", count=count, name=name) for name, count in sorted(report.skipped.items())],
    )


def _nodes(graph: GraphStore) -> int:
    return int(graph.read("MATCH (n) RETURN count(n) AS n")[0]["n"])


@contextmanager
def _counter(description: str) -> Iterator[Progress]:
    """Show the number of rows read or written, by kind: a bar on a terminal, else a line on stderr now and then."""
    said = time.monotonic()

    def tell(name: str, count: int) -> None:
        nonlocal said
        bar.update(task, completed=count, info=name)
        if bar.disable and time.monotonic() - said >= NOTE_SECONDS:
            said = time.monotonic()
            note(Message("cli.counting", what=description, count=count, name=name))

    with progress(description, None) as (bar, task):
        yield tell


def _table(title: str, counts: Mapping[str, int]) -> Table:
    return tabled(title, ("", "count"), counts.items(), caption=Message("cli.elements", n=sum(counts.values())))

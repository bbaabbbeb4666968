"""`ontocrawl graph export` and `graph import`: the whole graph as a file for other programs, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.store import GraphStore
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, table, workspace
from ontocrawl.errors import UsageError
from ontology.files import write_atomically

if TYPE_CHECKING:
    from kg.interchange.spool import Progress


class GraphFormat(StrEnum):
    """Formats of `graph export`; a test holds them to those of kg.export."""

    TURTLE = "turtle"
    NT = "nt"
    GRAPHML = "graphml"
    GEXF = "gexf"
    CSV = "csv"
    CYPHER = "cypher"
    GRASS = "grass"
    """No graph: the style for Neo4j Browser."""


def export(
    out: Annotated[Path, typer.Option("--out", help="File to write; for csv a folder. An older one is replaced.")],
    file_format: Annotated[
        GraphFormat | None,
        typer.Option(
            "--format",
            help="turtle, nt, graphml, gexf, csv (for neo4j-admin import), cypher (a script), grass (a style for"
            " Neo4j Browser); by default as the suffix of --out says.",
        ),
    ] = None,
    n10s: Annotated[bool, typer.Option("--n10s", help="Turtle in the names that neosemantics keeps.")] = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Write the whole graph to a file: ontologies, papers, lattices, crawls. Equal graphs give equal files."""
    from kg.export import browser_style, export_graph, format_of
    from ontocrawl import graph_store

    chosen = str(file_format) if file_format else "grass" if out.suffix == ".grass" else format_of(out)
    if chosen == "grass":
        if n10s:
            raise UsageError("--n10s goes with --format turtle")
        write_atomically(out, browser_style().encode())
        note(f"wrote {out}: drop it on the window of Neo4j Browser, or on its :style")
        if as_json:
            print_json({"path": str(out), "format": chosen})
        return
    with graph_store.store(workspace(folder, writes=True)) as graph, _shown("reading") as tell:
        report = export_graph(graph, chosen, out, n10s=n10s, progress=tell)
    if as_json:
        print_json(asdict(report))
    else:
        _table(f"Written to {out}", report.counts)
    for name, count in sorted(report.left_out.items()):
        note(f"left out: {count} of {name}, which is no part of ontocrawl's graph")


def import_(
    path: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="What `graph export` wrote.")],
    file_format: Annotated[
        GraphFormat | None,
        typer.Option("--format", help="turtle, nt, csv or cypher; by default as its suffix says, and a folder is csv."),
    ] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Write what an export holds into the graph, beside what is there; twice is the same as once."""
    from kg.export import format_of, import_graph
    from ontocrawl import graph_store

    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    chosen = str(file_format) if file_format else format_of(path)
    with graph_store.store(workspace(folder, writes=True)) as graph, _shown("writing") as tell:
        before = _nodes(graph)
        try:
            report = import_graph(graph, path, chosen, progress=tell)
        except Exception:
            written = _nodes(graph) - before
            if written:
                note(
                    f"{written} nodes were written before that: import the whole file, which completes them, or take "
                    "them out (`ontocrawl crawl remove CRAWL`, `ontocrawl graph remove IRI`)"
                )
            raise
    if as_json:
        print_json(asdict(report))
    else:
        _table(f"Imported from {path}", report.counts)
    for name, count in sorted(report.skipped.items()):
        note(f"skipped: {count} {name}, whose ends are missing or whose page the graph has as fetched")


def _nodes(graph: GraphStore) -> int:
    return int(graph.read("MATCH (n) RETURN count(n) AS n")[0]["n"])


@contextmanager
def _shown(doing: str) -> Iterator[Progress]:
    """A line on the terminal that says what is being read or written."""
    with progress(doing, None) as (bar, task):
        yield lambda name, count: bar.update(task, completed=count, info=name)


def _table(title: str, counts: Mapping[str, int]) -> None:
    table(title, ("", "count"), counts.items(), caption=f"{sum(counts.values())} nodes and relationships")

"""`ontocrawl query sparql`: questions in SPARQL about the graph, or about files that it was exported to."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ontocrawl.cli.arguments import parameters
from ontocrawl.cli.output import Folder, Json, note, print_json, stdout, table

_NAME = re.compile(r"[A-Za-z_]+(?:/[A-Za-z_]+)?")


def sparql(
    what: Annotated[
        str, typer.Argument(metavar="[NAME|QUERY|-]", help="A query of the library, SPARQL text, or - for stdin.")
    ] = "",
    values: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="Its parameters.")] = None,
    on: Annotated[
        list[Path] | None,
        typer.Option("--on", help="RDF files (graph export --format nt) instead of the graph. May repeat."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the text of a query of the library.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated text instead of a table.")] = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Run SPARQL 1.1 about the graph; without a query, list those of the library. Nothing is changed."""
    from kg import sparql as engine
    from ontocrawl import graph_store
    from ontocrawl.tables import Table
    from ontocrawl.workspace import asked

    if not what:
        _list(as_json)
        return
    named = engine.get(what) if _NAME.fullmatch(what) else None
    text = named.text if named else sys.stdin.read() if what == "-" else what
    if show:
        sys.stdout.write(text)
        return
    given = parameters(values or [])
    bound: dict[str, Any] = named.bind(given) if named else dict(given)
    engine.with_values(text, bound)  # what is missing is told before an engine is started
    if on:
        found = engine.sparql(on, text, bound)
    else:
        with graph_store.store(asked(folder)) as graph:
            found = engine.sparql(graph, text, bound)
    rows = tuple(tuple(row[column] for column in found.columns) for row in found.rows)
    answer = Table(found.columns, rows, named.title if named else "")
    if as_json:
        print_json(answer.as_json())
    elif csv:
        sys.stdout.write(answer.as_csv().replace("\r\n", "\n"))
    elif rows:
        from ontocrawl.cli import answer_table

        answer_table.show(
            stdout.console, answer.columns, rows, answer.title, f"{len(rows)} row{'s' * (len(rows) != 1)}"
        )
    else:
        note("no rows")


def _list(as_json: bool) -> None:
    from kg import sparql as engine

    found = engine.library()
    if as_json:
        plain = [
            {
                "name": name,
                "title": q.query.title,
                "parameters": [p.name for p in q.query.parameters],
                "returns": list(q.query.returns),
                "cypher": q.cypher,
            }
            for name, q in found.items()
        ]
        print_json({"queries": plain})
        return
    rows = [(name, q.query.title, q.cypher) for name, q in found.items()]
    table("Queries in SPARQL", ("name", "title", "the same in Cypher"), rows)

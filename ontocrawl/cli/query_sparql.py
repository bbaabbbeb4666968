"""`ontocrawl query sparql`: SPARQL queries on the graph, or on exported files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli import output
from ontocrawl.cli.arguments import parameters
from ontocrawl.cli.output import Answer, Folder, Form, Json, chosen, of_result, tabled
from ontocrawl.cli.statement_options import Timeout, ending


def sparql(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[NAME|QUERY|-]", help="Name of a query of the library, a SPARQL query, or - to read it from stdin."
        ),
    ] = "",
    values: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="Parameters of the query.")
    ] = None,
    on: Annotated[
        list[Path] | None,
        typer.Option("--on", help="RDF file (`graph export --format nt`) to query instead of the graph. May repeat."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Export the graph anew, even if it has not changed since the last query.")
    ] = False,
    timeout: Timeout = None,
    show: Annotated[bool, typer.Option("--show", help="Print the text of the query; do not run it.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Run a SPARQL 1.1 query on the graph; without a query, list those of the library. Nothing is changed."""
    from kg import sparql as engine
    from ontocrawl.base.workspace import asked
    from ontocrawl.graph import graph_store
    from ontocrawl.graph.tables import Table, limited

    if not what:
        output.show(_list(), chosen(Form.TABLE, as_json=as_json))
        return
    asked_for = sys.stdin.read() if what == "-" else what
    if show:
        sys.stdout.write(engine.text_of(asked_for))
        return
    text, bound, title = engine.named(asked_for, parameters(values or []))
    engine.with_values(text, bound)  # report missing values before an engine is started
    limit = bound.get("limit") if title else None  # a query of the library has a title
    if limit is not None:  # with one row more it is known whether there are more
        bound["limit"] = limit + 1
    with ending(None):
        if on:
            answer = engine.sparql(on, text, bound, seconds=timeout)
        else:
            space = asked(folder)
            with graph_store.store(space) as graph:
                answer = engine.sparql(graph, text, bound, kept=space.sparql, fresh=fresh, seconds=timeout)
    rows = tuple(tuple(row[column] for column in answer.columns) for row in answer.rows)
    result = limited(Table(answer.columns, rows, title), limit)
    output.show(of_result(result), Form.JSON if as_json else Form.CSV if csv else Form.TABLE)


def _list() -> Answer:
    from kg import sparql as engine

    library = engine.library()
    plain = [
        {
            "name": name,
            "title": q.query.title,
            "parameters": [p.name for p in q.query.parameters],
            "returns": list(q.query.returns),
            "cypher": q.cypher,
        }
        for name, q in library.items()
    ]
    columns, rows = ("name", "title", "same in Cypher"), [(q["name"], q["title"], q["cypher"]) for q in plain]
    return Answer({"queries": plain}, [tabled("Queries in SPARQL", columns, rows, optional=("same in Cypher",))])

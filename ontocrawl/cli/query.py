"""`ontocrawl query`: list, show, run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

import queries
from ontocrawl import wiring
from ontocrawl.cli.output import Folder, Json, print_json, table, workspace
from ontocrawl.errors import UsageError

app = typer.Typer(help="Questions in Cypher that come with ontocrawl.", no_args_is_help=True)


@app.command("list")
def list_queries(as_json: Json = False) -> None:
    """All queries with their parameters."""
    found = queries.all_queries()
    if as_json:
        print_json({"queries": [{k: v for k, v in asdict(query).items() if k != "text"} for query in found]})
        return
    rows = [(q.name, q.title, ", ".join(p.name for p in q.parameters)) for q in found]
    table(
        "Queries",
        ("name", "title", "parameters"),
        rows,
        caption="ontocrawl query show NAME; ontocrawl query run NAME -p x=1",
    )


@app.command()
def show(name: str, as_json: Json = False) -> None:
    """One query with its header, as it can be pasted into Neo4j Browser."""
    query = queries.get(name)
    if as_json:
        print_json(asdict(query))
    else:
        sys.stdout.write(query.text if query.text.endswith("\n") else query.text + "\n")


@app.command("run")
def run_query(
    name: str,
    parameter: Annotated[list[str] | None, typer.Option("--param", "-p", help="NAME=VALUE. May repeat.")] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Run a query against the workspace's graph; it cannot change anything."""
    query = queries.get(name)
    bound = query.bind(_given(parameter or []))
    with wiring.store(workspace(folder, writes=True)) as graph:
        rows = graph.read(query.text, **bound)
    if as_json:
        print_json({"columns": list(query.returns), "rows": [[row[c] for c in query.returns] for row in rows]})
        return
    table(query.title, query.returns, [[row[c] for c in query.returns] for row in rows], caption=f"{len(rows)} rows")


def _given(parameters: Sequence[str]) -> dict[str, str]:
    found = {}
    for item in parameters:
        name, sign, value = item.partition("=")
        if not sign:
            raise UsageError(f"--param {item!r}: expected NAME=VALUE")
        found[name] = value
    return found

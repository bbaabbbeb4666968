"""`ontocrawl query`: list, show. The commands that query the graph are in query_run and query_sparql."""

from __future__ import annotations

import sys
from dataclasses import asdict
from itertools import groupby
from typing import Annotated

import typer

import queries
from ontocrawl.cli.output import Json, note, print_json, stdout


def list_queries(
    word: Annotated[str, typer.Argument(help="Only queries with this text in name, title or question.")] = "",
    as_json: Json = False,
) -> None:
    """List all queries by folder; `query show NAME` shows parameters, columns, an example and the cost."""
    matching = [q for q in queries.all_queries() if word.casefold() in f"{q.name} {q.title} {q.answers}".casefold()]
    if as_json:
        print_json({"queries": [{k: v for k, v in asdict(query).items() if k != "text"} for query in matching]})
        return
    from rich.table import Table
    from rich.text import Text

    shown = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    for folder, group in groupby(matching, key=lambda q: q.name.partition("/")[0]):
        shown.add_row(Text(f"{folder}/", style="bold"))
        for query in group:
            shown.add_row(Text(f"  {query.name.partition('/')[2]}"), Text(query.title))
    stdout.print(shown)
    note(
        "ontocrawl query show FOLDER/NAME; ontocrawl query run FOLDER/NAME x=1"
        if matching
        else f"no query has {word!r}"
    )


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a query of the library.")], as_json: Json = False
) -> None:
    """Show a query with its header, ready to paste into Neo4j Browser."""
    query = queries.get(name)
    if as_json:
        print_json(asdict(query))
    else:
        sys.stdout.write(query.text if query.text.endswith("\n") else query.text + "\n")

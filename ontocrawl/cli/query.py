"""`ontocrawl query`: list, show. What asks the graph is in query_run and query_sparql."""

from __future__ import annotations

import sys
from dataclasses import asdict
from itertools import groupby
from typing import Annotated

import typer

import queries
from ontocrawl.cli.output import Json, note, print_json, stdout


def list_queries(
    word: Annotated[str, typer.Argument(help="Only those with this folder or word in name, title or question.")] = "",
    as_json: Json = False,
) -> None:
    """All queries, by folder; `query show NAME` has parameters, columns, an example and what it costs."""
    found = [q for q in queries.all_queries() if word.casefold() in f"{q.name} {q.title} {q.answers}".casefold()]
    if as_json:
        print_json({"queries": [{k: v for k, v in asdict(query).items() if k != "text"} for query in found]})
        return
    from rich.table import Table
    from rich.text import Text

    shown = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    for folder, group in groupby(found, key=lambda q: q.name.partition("/")[0]):
        shown.add_row(Text(f"{folder}/", style="bold"))
        for query in group:
            shown.add_row(Text(f"  {query.name.partition('/')[2]}"), Text(query.title))
    stdout.print(shown)
    note("ontocrawl query show FOLDER/NAME; ontocrawl query run FOLDER/NAME x=1" if found else f"no query has {word!r}")


def show(name: str, as_json: Json = False) -> None:
    """One query with its header, as it can be pasted into Neo4j Browser."""
    query = queries.get(name)
    if as_json:
        print_json(asdict(query))
    else:
        sys.stdout.write(query.text if query.text.endswith("\n") else query.text + "\n")

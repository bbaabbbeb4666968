"""`ontocrawl query`: list, show. The commands that query the graph are in query_run and query_sparql."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

import queries
from ontocrawl.cli import output
from ontocrawl.cli.output import Answer, Folder, Line, tabled
from ontology.errors import Message, catalogued


def list_queries(
    word: Annotated[str, typer.Argument(help="Only queries with this text in name, title or question.")] = "",
    folder: Folder = None,
) -> Answer:
    """List all queries by folder; `query show NAME` shows parameters, columns, an example and the cost.

    Those of the folder own are yours, files in the folder queries of the workspace.
    """
    from ontocrawl.base.workspace import find
    from ontocrawl.graph import kept_queries

    own, errors = kept_queries.own(find(folder)[0])
    every = [*own, *queries.all_queries()]
    titles = {query.name: catalogued(query.title, output.language) for query in every}
    matching = [q for q in every if word.casefold() in f"{q.name} {q.title} {q.answers} {titles[q.name]}".casefold()]
    return Answer(
        {"queries": [{k: v for k, v in asdict(query).items() if k != "text"} for query in matching]},
        [tabled("Queries", ("name", "title"), [(query.name, titles[query.name]) for query in matching])],
        [*(error.message for error in errors), *([] if matching else [Message("cli.no_query_has", word=word)])],
        "ontocrawl query show FOLDER/NAME; ontocrawl query run FOLDER/NAME x=1" if matching else "",
    )


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a query of the library, or own/NAME.")],
    folder: Folder = None,
) -> Answer:
    """Show a query with its header, ready to paste into Neo4j Browser."""
    from ontocrawl.base.workspace import find
    from ontocrawl.graph import kept_queries

    query = kept_queries.find(find(folder)[0], name)
    return Answer(asdict(query), [Line(query.text.removesuffix("\n"), wrap=False)])

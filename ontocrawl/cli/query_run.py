"""`ontocrawl query`: run, cypher."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ontocrawl.cli.arguments import parameters
from ontocrawl.cli.output import Answer, Folder, of_result, workspace
from ontocrawl.cli.statement_options import Timeout, ending

Parameters = Annotated[
    list[str] | None, typer.Option("--param", "-p", help="Parameter of the query, as NAME=VALUE. May repeat.")
]


def run_query(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a query of the library, or own/NAME.")],
    values: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="Parameters of the query.")
    ] = None,
    parameter: Parameters = None,
    timeout: Timeout = None,
    folder: Folder = None,
) -> Answer:
    """Run a query of the library on the workspace's graph; it cannot change the graph."""
    from ontocrawl.base.workspace import asked, find
    from ontocrawl.graph import graph_store, kept_queries, query_parameters

    given = parameters([*(values or []), *(parameter or [])])
    query = kept_queries.find(find(folder)[0], name)
    query.bind(given)  # before an engine is started
    space = asked(folder)
    with graph_store.store(space) as graph, ending(timeout):
        result, unknown = query_parameters.ask(space, graph, name, given)
        newest = query_parameters.of_newest(graph, query, given)
    return of_result(result, [*(error.message for error in unknown), *newest] if result.rows else [])


def run_cypher(
    statement: Annotated[str, typer.Argument(help="A Cypher statement, or - to read it from stdin.")],
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            "-p",
            help='Parameter of the query, as NAME=VALUE; JSON values (1, true, [1,2], "1") are parsed. May repeat.',
        ),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Allow the statement to change the graph.")] = False,
    timeout: Timeout = None,
    folder: Folder = None,
) -> Answer:
    """Run a Cypher statement; it can change the graph only with --write."""
    from ontocrawl.base.workspace import asked, now
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import graph_record

    text = sys.stdin.read() if statement == "-" else statement
    given = {name: graph_store.value_of(value) for name, value in parameters(parameter or []).items()}
    space = workspace(folder, writes=True) if write else asked(folder)
    with graph_store.store(space) as graph, ending(timeout):
        result = graph_store.cypher(graph, text, given, write=write)
        if write:
            graph_record.note(space, graph_record.of_statement(text, now()))
    return of_result(result)

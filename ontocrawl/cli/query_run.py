"""`ontocrawl query`: run, and a console for Cypher of one's own."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

import queries
from ontocrawl.cli import query_parameters
from ontocrawl.cli.arguments import parameters
from ontocrawl.cli.output import Folder, Json, note, print_json, stdout, workspace
from ontocrawl.errors import UsageError

if TYPE_CHECKING:
    from ontocrawl.tables import Table


class ResultFormat(StrEnum):
    """How an answer is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


As = Annotated[ResultFormat, typer.Option("--format", help="table, json ({columns, rows}) or csv.")]
Parameters = Annotated[list[str] | None, typer.Option("--param", "-p", help="NAME=VALUE. May repeat.")]


def run_query(
    name: str,
    values: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="Its parameters.")] = None,
    parameter: Parameters = None,
    form: As = ResultFormat.TABLE,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Run a query against the workspace's graph; it cannot change anything."""
    from ontocrawl import graph_store
    from ontocrawl.workspace import asked

    given = parameters([*(values or []), *(parameter or [])])
    chosen = _chosen(form, as_json)
    query = queries.get(name)
    query.bind(given)  # before an engine is started
    values_of = query_parameters.with_canonical_urls(query, given)
    with graph_store.store(asked(folder)) as graph:
        answer = graph_store.ask(graph, name, **values_of)
        strangers = [] if answer.rows and name != "crawl/compare" else query_parameters.not_in_graph(graph, values_of)
    _print(answer, chosen)
    for sentence in strangers:
        note(sentence)


def run_cypher(
    statement: Annotated[str, typer.Argument(help="A Cypher statement; - reads it from standard input.")],
    parameter: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", help='NAME=VALUE; a VALUE that is JSON (1, true, [1,2], "1") counts as such.'),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Allow it to change the graph.")] = False,
    form: As = ResultFormat.TABLE,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Run a Cypher statement of your own; it can change the graph only with --write."""
    from ontocrawl import graph_store
    from ontocrawl.workspace import asked

    text = sys.stdin.read() if statement == "-" else statement
    given = {name: _value(value) for name, value in parameters(parameter or []).items()}
    chosen = _chosen(form, as_json)
    with graph_store.store(workspace(folder, writes=True) if write else asked(folder)) as graph:
        answer = graph_store.cypher(graph, text, given, write=write)
    _print(answer, chosen)


def _print(answer: Table, form: ResultFormat) -> None:
    if form is ResultFormat.JSON:
        print_json(answer.as_json())
    elif form is ResultFormat.CSV:
        sys.stdout.write(answer.as_csv().replace("\r\n", "\n"))
    elif answer.rows:
        count = len(answer.rows)
        from ontocrawl.cli import answer_table

        answer_table.show(stdout.console, answer.columns, answer.rows, answer.title, f"{count} row{'s' * (count != 1)}")
    else:
        note("no rows")


def _chosen(form: ResultFormat, as_json: bool) -> ResultFormat:
    if as_json and form is ResultFormat.CSV:
        raise UsageError("--json and --format csv ask for two things: give one of them")
    return ResultFormat.JSON if as_json else form


def _value(text: str) -> Any:
    """JSON where it is JSON, else the text itself."""
    try:
        return json.loads(text, parse_constant=lambda constant: constant)
    except ValueError:
        return text

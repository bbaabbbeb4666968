"""`ontocrawl query`: list, show, run, and a console for Cypher of one's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from itertools import groupby
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

import queries
from ontocrawl import answers, wiring
from ontocrawl.answers import Answer
from ontocrawl.cli import answer_table, query_sparql
from ontocrawl.cli.output import Folder, Json, note, print_json, stdout, workspace
from ontocrawl.errors import UsageError

app = typer.Typer(help="Questions in Cypher that come with ontocrawl, and your own.", no_args_is_help=True)
app.command()(query_sparql.sparql)


class Format(StrEnum):
    """How an answer is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


As = Annotated[Format, typer.Option("--format", help="table, json ({columns, rows}) or csv.")]
Parameters = Annotated[list[str] | None, typer.Option("--param", "-p", help="NAME=VALUE. May repeat.")]


@app.command("list")
def list_queries(
    word: Annotated[str, typer.Argument(help="Only those with this folder or word in name, title or question.")] = "",
    as_json: Json = False,
) -> None:
    """All queries, by folder; `query show NAME` has parameters, columns, an example and what it costs."""
    found = [q for q in queries.all_queries() if word.casefold() in f"{q.name} {q.title} {q.answers}".casefold()]
    if as_json:
        print_json({"queries": [{k: v for k, v in asdict(query).items() if k != "text"} for query in found]})
        return
    shown = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    for folder, group in groupby(found, key=lambda q: q.name.partition("/")[0]):
        shown.add_row(Text(f"{folder}/", style="bold"))
        for query in group:
            shown.add_row(Text(f"  {query.name.partition('/')[2]}"), Text(query.title))
    stdout.print(shown)
    note("ontocrawl query show FOLDER/NAME; ontocrawl query run FOLDER/NAME x=1" if found else f"no query has {word!r}")


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
    values: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="Its parameters.")] = None,
    parameter: Parameters = None,
    form: As = Format.TABLE,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Run a query against the workspace's graph; it cannot change anything."""
    given = _given([*(values or []), *(parameter or [])])
    chosen = _chosen(form, as_json)
    queries.get(name).bind(given)  # before an engine is started
    with wiring.store(workspace(folder, writes=True)) as graph:
        answer = answers.ask(graph, name, **given)
    _print(answer, chosen)
    if not answer.rows and "crawl" in given:
        note("`ontocrawl query run crawl/list` shows the crawls of this graph")


@app.command("cypher")
def run_cypher(
    statement: Annotated[str, typer.Argument(help="A Cypher statement; - reads it from standard input.")],
    parameter: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", help='NAME=VALUE; a VALUE that is JSON (1, true, [1,2], "1") counts as such.'),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Allow it to change the graph.")] = False,
    form: As = Format.TABLE,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Run a Cypher statement of your own; it can change the graph only with --write."""
    text = sys.stdin.read() if statement == "-" else statement
    given = {name: _value(value) for name, value in _given(parameter or []).items()}
    chosen = _chosen(form, as_json)
    with wiring.store(workspace(folder, writes=True)) as graph:
        answer = answers.cypher(graph, text, given, write=write)
    _print(answer, chosen)


def _print(answer: Answer, form: Format) -> None:
    if form is Format.JSON:
        print_json(answer.as_json())
    elif form is Format.CSV:
        sys.stdout.write(answer.as_csv().replace("\r\n", "\n"))
    elif answer.rows:
        count = len(answer.rows)
        answer_table.show(stdout, answer.columns, answer.rows, answer.title, f"{count} row{'s' * (count != 1)}")
    else:
        note("no rows")


def _chosen(form: Format, as_json: bool) -> Format:
    if as_json and form is Format.CSV:
        raise UsageError("--json and --format csv ask for two things: give one of them")
    return Format.JSON if as_json else form


def _given(parameters: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in parameters:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise UsageError(f"{item!r}: expected a parameter as NAME=VALUE")
        if name in found:
            raise UsageError(f"the parameter {name!r} is given twice: {found[name]!r} and {value!r}")
        found[name] = value
    return found


def _value(text: str) -> Any:
    """JSON where it is JSON, else the text itself."""
    try:
        return json.loads(text, parse_constant=lambda constant: constant)
    except ValueError:
        return text

"""The graph of a workspace from Python: open it, ask it a query of the library or a statement of one's own.

from ontocrawl import graph_store

with graph_store.open_graph("demo/workspace") as graph:
    result = graph_store.ask(graph, "pages/most_relevant", limit=5)
    result.to_frame()          # a DataFrame of pandas, or else of polars, whichever is installed
    graph_store.cypher(graph, "MATCH (p:Page) RETURN count(p) AS pages").rows

No crawler is loaded with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import queries
from kg import schema
from kg.bolt import BoltStore
from kg.cypher import bare, refusal
from kg.engine import embedded
from kg.store import GraphStore, Row
from ontocrawl import workspace as workspaces
from ontocrawl.errors import UsageError, nearest
from ontocrawl.tables import Table
from ontocrawl.workspace import Workspace, make_folder

_PARAMETER = re.compile(r"\$(\w+)")
_OF_STORE = frozenset({"query", "rows", "self"})
"""Names that the store's own arguments have; ``rows`` is its batch."""


@contextmanager
def store(workspace: Workspace, *, migrate: bool = True) -> Iterator[GraphStore]:
    """The workspace's graph: the Neo4j server of its settings, else the embedded engine; with the schema applied."""
    graph = workspace.settings.graph
    if graph.uri:
        opened: GraphStore = BoltStore(graph.uri, (graph.username, graph.password), graph.database)
    else:
        opened = embedded.open_embedded(make_folder(workspace.graph))
    try:
        if migrate:
            schema.apply(opened)
        yield opened
    finally:
        opened.close()


@contextmanager
def open_graph(folder: str | Path | None = None) -> Iterator[GraphStore]:
    """Open the graph of a workspace.

    Args:
        folder: the workspace; None for the nearest one above the current folder.

    Returns:
        A context with the open graph.

    Raises:
        UsageError: there is no workspace, and no server is named either.
    """
    with store(workspaces.asked(None if folder is None else Path(folder))) as opened:
        yield opened


def ask(store: GraphStore, name: str, /, **given: Any) -> Table:
    """A query of the library. Raises queries.QueryError for an unknown name and for parameters that do not fit."""
    query = queries.get(name)
    return _result(query.returns, store.read(query.text, **query.bind(given)), query.title)


def cypher(
    store: GraphStore, statement: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False
) -> Table:
    """A statement of one's own; it may change the graph with ``write`` only.

    Raises UsageError where it would write without leave and where its parameters are not those given, StoreError for
    what the graph refuses. Without any row the columns are not known.
    """
    text, given = statement.strip().rstrip(";"), dict(parameters or {})
    if not text:
        raise UsageError("expected a Cypher statement, found nothing")
    _check_parameters(text, given, write)
    why = None if write else refusal(text)
    if why is not None:
        raise UsageError(
            f"only reading is allowed, and {why}: add --write to change the graph, or put a name that looks like a"
            " clause into backticks"
        )
    rows = store.write(text, **given) if write else store.read(text, **given)
    return _result(tuple(rows[0]) if rows else (), rows, "")


def _check_parameters(text: str, given: Mapping[str, Any], write: bool) -> None:
    used = list(dict.fromkeys(_PARAMETER.findall(bare(text))))
    for name in used:
        if name not in given:
            raise UsageError(f"the statement needs a value for ${name}: --param {name}=VALUE")
    for name, value in given.items():
        if name not in used:
            what = nearest(name, used) if used else "; it has no parameters"
            raise UsageError(f"the statement has no parameter ${name}{what}")
        if name in _OF_STORE and not (write and name == "rows" and _is_batch(value)):
            raise UsageError(
                f"a parameter cannot be called ${name} here: rename it"
                + ("; with --write, $rows is a list of maps" if name == "rows" else "")
            )


def _is_batch(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _result(columns: Sequence[str], rows: Sequence[Row], title: str) -> Table:
    return Table(tuple(columns), tuple(tuple(row[name] for name in columns) for row in rows), title)

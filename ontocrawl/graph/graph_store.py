"""Open the graph of a workspace, and run queries on it: of the library, or Cypher statements. Imports no crawler."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from threading import Lock
from typing import Any, TypeVar

import queries
from kg import schema, walks
from kg.cypher import bare, refusal, syntax_error
from kg.ranking import stored
from kg.store import GraphStore, Revised, Row, StoreUnavailable
from ontocrawl.base.workspace import Workspace, make_folder
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.graph.tables import Cut, Table
from queries import Query

_PARAMETER = re.compile(r"\$(\w+)")
_OF_STORE = frozenset({"query", "rows", "self"})
"""Names of arguments of the store's methods; ``rows`` is the batch of a write."""
_WRITE = Option("--write", "write=True")


@contextmanager
def store(workspace: Workspace, *, migrate: bool = True) -> Iterator[GraphStore]:
    """Open the graph of a workspace: the Neo4j server of its settings, else the embedded engine.

    Args:
        workspace: the workspace.
        migrate: whether to bring the schema to this version.

    Yields:
        The open graph.
    """
    from kg.bolt import BoltStore  # the driver takes a fifth of the time to load a command that may not need it
    from kg.engine import embedded

    graph = workspace.settings.graph
    if graph.uri:
        opened: GraphStore = BoltStore(graph.uri, (graph.username, graph.password), graph.database)
    else:
        opened = embedded.open_embedded(make_folder(workspace.graph), memory=graph.memory)
    try:
        if migrate:
            schema.apply(opened)
        yield opened
    finally:
        opened.close()


def ask(store: GraphStore, name: str, /, **given: Any) -> Table:
    """Run a query of the library.

    Args:
        store: the open graph.
        name: name of the query.
        **given: parameters of the query.

    Returns:
        The rows of the result; `Table.cuts` says what a parameter left out.

    Raises:
        QueryError: an unknown query, or invalid parameters.
        UsageError: the query reads figures of links that are not stored with the crawl.
    """
    query = queries.get(name)
    values = query.bind(given)
    if query.stored:
        _need_link_figures(store, name, values["crawl"])
    rows, cuts = _cut(query, values, walks.rows(store, query, _asked(query, values)))
    return replace(_result(query.returns, rows, query.title, query.types), cuts=tuple(cuts))


COUNTED = 1_000
"""Rows up to which those that ``limit`` leaves out are counted, where they cost no more than being read."""


def _asked(query: Query, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters with which more rows and names are read than are given, to know whether there are more."""
    asked = dict(values)
    if "limit" in asked:
        asked["limit"] = max(asked["limit"], COUNTED if query.counts_cheaply else 0) + 1
    if query.lists:
        asked["names"] += 1
    return asked


def _cut(query: Query, values: Mapping[str, Any], rows: list[Row]) -> tuple[list[Row], list[Cut]]:
    """Return the rows that were asked for, and what was cut from those that were read."""
    cuts = []
    if query.most is not None:
        column, most = query.most
        within = [row for row in rows if row[column] <= most]
        cuts += [Cut(column, most, most + 1, "gte")] if len(within) < len(rows) else []
        rows = within
    limit = values.get("limit", len(rows))
    if len(rows) > limit:
        asked = _asked(query, values)["limit"]
        cuts.append(Cut("rows", limit, len(rows), "gte" if len(rows) >= asked else "eq"))
    rows = rows[:limit]
    for column in query.lists:
        if any(len(row[column] or ()) > values["names"] for row in rows):
            cuts.append(Cut(column, values["names"], values["names"] + 1, "gte"))
            rows = [{**row, column: row[column] and row[column][: values["names"]]} for row in rows]
    return rows, cuts


def _need_link_figures(store: GraphStore, name: str, crawl: str) -> None:
    without = stored.crawl_without(store, crawl)
    if without is not None:
        raise UsageError(
            f"query {name} reads figures of links that crawl {without} does not have, because an older ontocrawl wrote"
            " it or its writing was interrupted; compute them by ",
            Option(f"`ontocrawl graph rank {without}`", f"Graph.add({without!r})"),
        )


def cypher(
    store: GraphStore, statement: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False
) -> Table:
    """Run a Cypher statement; arguments and errors are those of `ontocrawl.Graph.cypher`."""
    text, values = statement.strip().rstrip(";"), {name: _sent(value) for name, value in (parameters or {}).items()}
    if not text:
        raise UsageError("expected a Cypher statement, found nothing")
    invalid = None if write else syntax_error(text)
    if invalid is not None:
        raise UsageError(f"this is no Cypher statement: {invalid}")
    _check_parameters(text, values, write)
    reason = None if write else refusal(text)
    if reason is not None:
        raise UsageError(
            f"only reading is allowed, and {reason}: add ",
            _WRITE,
            " to change the graph, or put a name that looks like a clause into backticks",
        )
    rows = store.write(text, **values) if write else store.read(text, **values)
    return _result(tuple(rows[0]) if rows else (), rows, "", {})


def _check_parameters(text: str, given: Mapping[str, Any], write: bool) -> None:
    used = list(dict.fromkeys(_PARAMETER.findall(bare(text))))
    for name in used:
        if name not in given:
            raise UsageError(
                f"the statement needs a value for ${name}: ",
                Option(f"--param {name}=VALUE", f'parameters={{"{name}": VALUE}}'),
            )
    for name, value in given.items():
        if name not in used:
            hint = nearest(name, used) if used else "; it has no parameters"
            raise UsageError(f"the statement has no parameter ${name}{hint}")
        if name in _OF_STORE and not (write and name == "rows" and _is_batch(value)):
            raise UsageError(
                f"a parameter cannot be called ${name} here: rename it",
                *(("; with ", _WRITE, ", $rows is a list of maps") if name == "rows" else ()),
            )


def _sent(value: Any) -> Any:
    """Return a parameter as the driver takes it: times of pandas as Python's, NaT as null, with a zone in UTC."""
    if isinstance(value, Mapping):
        return {key: _sent(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_sent(item) for item in value]
    if hasattr(value, "to_pydatetime"):
        value = None if type(value).__name__ == "NaTType" else value.to_pydatetime(warn=False)
    return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo else value


def _is_batch(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _result(columns: Sequence[str], rows: Sequence[Row], title: str, types: Mapping[str, str]) -> Table:
    return Table(tuple(columns), tuple(tuple(row[name] for name in columns) for row in rows), title, types)


# ---- the graph of a workspace for a server: opened by the first request that needs it, and shared by all threads


T = TypeVar("T")
_REMEMBERED = 8
"""Answers that are kept; a map of 2,000 pages has about 2 MB as JSON."""


class SharedGraph:
    """One open graph for all threads of the server. A graph that is gone is opened again by the next request."""

    def __init__(self, space: Workspace) -> None:
        self._space, self._lock, self._opened = space, Lock(), ExitStack()
        self._graph: GraphStore | None = None
        self._remembered: OrderedDict[Hashable, Any] = OrderedDict()

    @contextmanager
    def open(self) -> Iterator[GraphStore]:
        """Give the open graph to a request. Raises StoreError where it cannot be opened."""
        with self._lock:
            if self._graph is None:
                self._graph = self._opened.enter_context(store(self._space))
            graph = self._graph
        try:
            yield graph
        except StoreUnavailable:
            self.close()
            raise

    def remembered(self, key: Hashable, read: Callable[[GraphStore], T]) -> T:
        """Return what is read from the graph; what was read before by the same key, if the graph is the same.

        Args:
            key: all that the answer depends on, beside the graph.
            read: reads the open graph.

        Returns:
            The answer. It is read anew after each change of the graph, and on a server, whose changes are not known.
        """
        with self.open() as graph:
            revision = graph.revision() if isinstance(graph, Revised) else None
            with self._lock:
                if revision is not None and (key, revision) in self._remembered:
                    self._remembered.move_to_end((key, revision))
                    answer: T = self._remembered[key, revision]
                    return answer
            answer = read(graph)
        with self._lock:
            if revision is not None:
                self._remembered[key, revision] = answer
            while len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        return answer

    def close(self) -> None:
        """Close the graph, if it is open."""
        with self._lock:
            self._graph = None
            self._opened.close()

    @asynccontextmanager
    async def while_open(self) -> AsyncIterator[None]:
        """Close the graph when the server ends."""
        try:
            yield
        finally:
            self.close()

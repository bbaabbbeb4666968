"""Open the graph of a workspace, and run queries on it: of the library, or Cypher statements. Imports no crawler."""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import queries
from kg import schema, walks
from kg.cypher import parameters_of, refusal, statements, syntax_error
from kg.engine.files import EngineFolder
from kg.ranking import stored
from kg.store import GraphStore, Revised, Row, StoreUnavailable, Transaction
from ontocrawl.base.workspace import Workspace, make_folder
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.graph.tables import Cut, Table
from ontology.errors import Message
from queries import Query

if TYPE_CHECKING:
    from kg.engine.embedded import EmbeddedStore

_log = logging.getLogger("ontocrawl.graph")
_OF_STORE = frozenset({"query", "rows", "self"})
"""Names of arguments of the store's methods; ``rows`` is the batch of a write."""
_WRITE = Option("--write", "write=True")


@contextmanager
def store(workspace: Workspace, *, migrate: bool = True) -> Iterator[GraphStore]:
    """Open the graph of a workspace: the Neo4j server of its settings, else the embedded engine.

    The engine needs files to write to. Where the folder of the graph is read-only, a private copy is opened, which
    refuses to be changed and is removed at the end; the log says so.

    Args:
        workspace: the workspace.
        migrate: whether to bring the schema to this version.

    Yields:
        The open graph.

    Raises:
        UsageError: the graph is read-only, and cannot be copied or is in use.
    """
    from kg.bolt import BoltStore  # the driver takes a fifth of the time to load a command that may not need it
    from kg.engine import embedded

    graph = workspace.settings.graph
    if graph.uri:
        opened: GraphStore = BoltStore(graph.uri, (graph.username, graph.password), graph.database)
    elif workspace.graph_is_read_only:
        with _private_copy(workspace) as folder:
            copied = embedded.open_embedded(folder, memory=graph.memory)
            try:
                if migrate:
                    schema.apply(copied)
                yield _ReadOnlyStore(copied, workspace)
            finally:
                copied.close()
                embedded.stop(folder)
        return
    else:
        opened = embedded.open_embedded(make_folder(workspace.graph), memory=graph.memory)
    try:
        if migrate:
            schema.apply(opened)
        yield opened
    finally:
        opened.close()


# ---- the graph of a workspace that this user may only read


@contextmanager
def _private_copy(workspace: Workspace) -> Iterator[Path]:
    """Copy the database of a read-only graph into a temporary folder, which is removed at the end of the block.

    Files keep their times, so that the engine's check of them and the revision of the graph still apply.
    """
    source = EngineFolder(workspace.graph)
    with TemporaryDirectory(prefix="ontocrawl-graph-") as temporary:
        target = EngineFolder(Path(temporary).resolve() / "graph")
        try:
            if source.supervisor_lock().is_held():
                raise UsageError("graph.graph_read_only_used", graph=workspace.graph)
            for path in (source.marker, source.inventory, source.revision, *(source.data / "databases").rglob("*")):
                _copy(path, target.root / path.relative_to(source.root))
        except OSError as error:
            raise UsageError(
                "graph.graph_read_only_copy", graph=workspace.graph, temporary=temporary, strerror=error.strerror
            ) from error
        _log.warning("the workspace is read-only: a copy of its graph is asked, in %s until the end", temporary)
        yield target.root


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_file() and source.suffix != ".lck":
        shutil.copyfile(source, target)
        times = source.stat()
        os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))


class _ReadOnlyStore:
    """The graph of a read-only workspace, which refuses all writes."""

    def __init__(self, copy: EmbeddedStore, workspace: Workspace) -> None:
        self._copy, self._workspace = copy, workspace
        self.read, self.revision, self.close = copy.read, copy.revision, copy.close

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        raise self._workspace.read_only()

    def schema(self, statement: str) -> None:
        raise self._workspace.read_only()

    def transaction(self) -> AbstractContextManager[Transaction]:
        raise self._workspace.read_only()


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
            "graph.figures",
            name=name,
            without=without,
            option=Option(f"`ontocrawl graph rank {without}`", f"Graph.add({without!r})"),
        )


def cypher(
    store: GraphStore, statement: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False
) -> Table:
    """Run a Cypher statement; arguments and errors are those of `ontocrawl.Graph.cypher`."""
    values = {name: _sent(value) for name, value in (parameters or {}).items()}
    text = checked(statement, values, write=write)
    rows = store.write(text, **values) if write else walks.rows(store, text, values)
    return _result(tuple(rows[0]) if rows else (), rows, "", {})


def checked(statement: str, parameters: Mapping[str, Any], *, write: bool = False) -> str:
    """Check a Cypher statement as far as that is possible without the graph.

    Args:
        statement: the statement, without ``;`` or with one at its end, and comments behind that.
        parameters: values of its ``$parameters``, by name.
        write: whether it may change the graph.

    Returns:
        The statement as it is sent.

    Raises:
        UsageError: the text is no Cypher statement or several, it writes and ``write`` is False, or its parameters are
            others.
    """
    text = statement.strip("\ufeff; \t\r\n")
    if not text:
        raise UsageError("graph.cypher_empty")
    found = statements(text)
    if len(found) > 1:
        raise UsageError("graph.cypher_several", statements=len(found))
    text = found[0] if found else text
    invalid = None if write else syntax_error(text)
    if invalid is not None:
        raise UsageError("graph.cypher_none", invalid=invalid)
    _check_parameters(text, parameters, write)
    reason = None if write else refusal(text)
    if reason is not None:
        raise UsageError("graph.cypher_writes", reason=reason, write=_WRITE)
    return text


def value_of(text: str) -> Any:
    """Return the value that a text is in JSON; other text is returned unchanged.

    >>> value_of("20"), value_of("洪水")
    (20, '洪水')
    """
    try:
        return json.loads(text, parse_constant=lambda constant: constant)
    except (ValueError, RecursionError):
        return text


def text_of(value: Any) -> str:
    """Return the text of which `value_of` makes a value of JSON.

    >>> text_of("洪水"), text_of("20"), text_of(20), text_of(["a"]), text_of("")
    ('洪水', '"20"', '20', '["a"]', '""')
    """
    is_plain = isinstance(value, str) and value != "" and value_of(value) is value
    return value if is_plain else json.dumps(value, ensure_ascii=False)


def _check_parameters(text: str, given: Mapping[str, Any], write: bool) -> None:
    used = parameters_of(text)
    for name in used:
        if name not in given:
            raise UsageError(
                "graph.cypher_value",
                name=name,
                option=Option(f"--param {name}=VALUE", f'parameters={{"{name}": VALUE}}'),
            )
    for name, value in given.items():
        if name not in used:
            hint = nearest(name, used) if used else Message("graph.hint_no_parameters")
            raise UsageError("graph.cypher_parameter", name=name, hint=hint)
        if name in _OF_STORE and not (write and name == "rows" and _is_batch(value)):
            hint = Message("graph.cypher_reserved_rows", option=_WRITE) if name == "rows" else ""
            raise UsageError("graph.cypher_reserved", name=name, hint=hint)


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

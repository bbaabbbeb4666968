"""The adapter of the port GraphStore: a server that speaks Bolt, through the official driver.

Neo4j 5 or later and the embedded engine are supported without distinction. A read cannot write because the server
does not let it: Neo4j refuses a write in a read session, and the embedded engine, which does not, is read with an
account that has no right to write (decision 26). Besides, writing clauses are refused before they are sent, and every
read runs in an explicit transaction that is rolled back. Every write runs in an explicit transaction too, because the
auto-commit of the embedded engine keeps half of a failed statement.

Notifications of the server (deprecations, unknown labels) go to the logger ``neo4j.notifications`` only. Each statement
goes to ``trace`` and to the logger ``kg.statements`` before it is sent.
"""

from __future__ import annotations

import logging
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from kg import interruption
from kg.cypher import plan_first, refusal, refuse_null_keys
from kg.store import STATEMENTS, ConflictError, Row, StatementError, StoreError, StoreUnavailable
from ontology.errors import Message

# ---- blocking of imports: the driver imports pandas if it is installed, only for Result.to_df
#
# That import takes a quarter of a second in every command. A later import of pandas works as usual.


@contextmanager
def _hidden(module: str) -> Iterator[None]:
    """Make a module impossible to import within the block, unless it is imported already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # how the import system says that there is none
    try:
        yield
    finally:
        del sys.modules[module]


# ---- the adapter of the port GraphStore: a server that speaks Bolt, through the official driver


with _hidden("pandas"), _hidden("pyarrow"):
    import neo4j
    from neo4j import exceptions

BATCH = 2_000
"""Maximum number of rows of one statement."""
CONNECT_SECONDS = 10.0
RETRY_SECONDS = 20.0
_SCHEMES = tuple(f"{name}{tls}" for name in ("bolt", "neo4j") for tls in ("", "+s", "+ssc"))
_READ_ATTEMPTS = 4
_RACES = 5
"""Attempts at a write that violates a key: another command may have created the same node at the same time."""
_T = TypeVar("_T")
_Rows = Sequence[Mapping[str, Any]]
Trace = Callable[[str, Mapping[str, Any]], None]
"""Called with each statement and its parameters before they are sent."""
_log = logging.getLogger("kg.bolt")
_statements = logging.getLogger(STATEMENTS)
# Its messages go to the handlers of the application, and not by default to standard error.
logging.getLogger("neo4j").addHandler(logging.NullHandler())


class BoltTransaction:
    """A transaction of several writes, created by ``BoltStore.transaction``.

    If the server asks for a retry (a deadlock, a lost connection), the statements so far are run again in a new
    transaction. They must return the same rows, because the caller may have used them.
    """

    def __init__(
        self, begin: Callable[[], neo4j.Transaction], show: Trace, errors: Callable[[str], AbstractContextManager[None]]
    ) -> None:
        self._begin = begin
        self._show = show
        self._errors = errors
        self._running: neo4j.Transaction | None = begin()
        self._done: list[tuple[str, dict[str, Any], list[Row]]] = []

    def write(self, query: str, rows: _Rows | None = None, **params: Any) -> list[Row]:
        """Run a statement in this transaction, in batches of 2,000 rows; return the rows of all batches."""
        refuse_null_keys(query, rows or (), params)
        returned: list[Row] = []
        for batch in _batches(rows, params):
            self._show(query, batch)
            with self._errors(query):
                got = self._insist(partial(_run, query=query, params=batch))
            self._done.append((query, batch, got))
            returned += got
        return returned

    def commit(self) -> None:
        """Commit all writes, retried if the server asks for it."""
        self._insist(lambda running: running.commit())

    def roll_back(self) -> None:
        """Discard what was not committed."""
        if self._running is not None:
            self._running.close()
            self._running = None

    def _insist(self, work: Callable[[neo4j.Transaction], _T]) -> _T:
        deadline = time.monotonic() + RETRY_SECONDS
        for attempt in count():
            try:
                if self._running is None:
                    self._running = self._replay(self._begin())
                return work(self._running)
            except (exceptions.Neo4jError, exceptions.DriverError) as error:
                self.roll_back()
                if not _may_help(error, attempt) or time.monotonic() > deadline:
                    raise
                _log.info("transaction again after attempt %d: %s", attempt + 1, error)
                time.sleep(random.uniform(0.5, 1.0) * min(1.0, 0.05 * 2**attempt))
        raise AssertionError  # count() does not end

    def _replay(self, running: neo4j.Transaction) -> neo4j.Transaction:
        for query, batch, before in self._done:
            if _run(running, query, batch) != before:
                running.close()
                raise ConflictError("kg.graph_conflict", first_line=_first_line(query))
        return running


class BoltStore:
    """A property graph on a Bolt server, safe to share between threads except for ``close``.

    Args:
        uri: a bolt:// or neo4j:// address (with +s or +ssc for TLS).
        auth: user and password, or None.
        database: name of the database; None for the server's default one.
        reader: user and password of an account without the right to write, for all reads; None for that of ``auth``,
            where the server itself refuses a write in a read session, as Neo4j does.
        trace: called with each statement and its parameters before they are sent.

    Raises StoreUnavailable if no server responds, the password is wrong, or the database is missing.
    """

    def __init__(
        self,
        uri: str,
        auth: tuple[str, str] | None,
        database: str | None = None,
        *,
        reader: tuple[str, str] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.uri = _without_password(uri)
        self._auth = auth
        self._database = database
        self._trace = trace
        self._closed = False
        with self._address_errors():
            self._driver = self._open(uri, auth)
            self._reading = self._driver if reader is None else self._open(uri, reader)
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()
        try:
            with self._address_errors():
                self._read_once("RETURN 1 AS answer", {})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> BoltStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, query: str, **params: Any) -> list[Row]:
        """Return the rows of a query that changes nothing, each a dict from column to scalar, list or map.

        Retried if the server asks for it. A statement that would write is not sent, and raises StoreError.
        """
        why = refusal(query)
        if why is not None:
            raise StoreError("kg.cypher_read", why=why, first_line=_first_line(query))
        query = plan_first(query)
        with self._errors(query):
            return self._within_limits(lambda: self._repeated(lambda: self._read_once(query, params)))

    def write(self, query: str, rows: _Rows | None = None, **params: Any) -> list[Row]:
        """Run one writing statement; ``rows`` is its batched parameter ``$rows``, at most 2,000 a transaction.

        Each batch is one transaction, retried if the server asks for it; if one fails, those before it remain. Without
        ``rows`` the statement runs once, with an empty sequence never. A null key of a MERGE raises StoreError.
        """
        query = plan_first(query)
        refuse_null_keys(query, rows or (), params)
        with self._errors(query):
            return self._within_limits(lambda: self._write_batches(query, _batches(rows, params)))

    def _write_batches(self, query: str, batches: Iterable[Mapping[str, Any]]) -> list[Row]:
        returned: list[Row] = []
        run = neo4j.unit_of_work(**_of_transaction())(_run)
        with self._session(neo4j.WRITE_ACCESS) as session:
            for batch in batches:
                self._show(query, batch)
                returned += _insist_on_keys(partial(session.execute_write, run, self._sent(query), batch))
        return returned

    def schema(self, statement: str) -> None:
        """Run one schema statement (constraint, index), auto-committed, alone."""
        self._show(statement, {})
        with self._errors(statement), self._session(neo4j.WRITE_ACCESS) as session:
            session.run(statement).consume()

    @contextmanager
    def transaction(self) -> Iterator[BoltTransaction]:
        """Open an explicit transaction: committed at the end of the ``with`` block, rolled back if the block raises.

        Retried if the server asks for it, see BoltTransaction; raises StoreError if the retry returns other rows.
        """
        with self._errors("commit"), self._session(neo4j.WRITE_ACCESS) as session:
            open_one = BoltTransaction(session.begin_transaction, self._show, self._errors)
            try:
                yield open_one
                open_one.commit()
            finally:
                open_one.roll_back()

    def revision(self) -> str | None:
        """Return a text that differs after each committed change, by whatever program; None where it is not known."""
        with (
            self._errors("RETURN 1"),
            self._driver.session(database=self._database, default_access_mode=neo4j.READ_ACCESS) as session,
        ):
            session.execute_read(lambda running: running.run("RETURN 1").consume())
            return _revision(session.last_bookmarks().raw_values)

    def close(self) -> None:
        """Close all connections; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self._driver.close()
            self._reading.close()

    def _open(self, uri: str, auth: tuple[str, str] | None) -> neo4j.Driver:
        if uri.partition("://")[0] not in _SCHEMES:
            raise ValueError(f"expected an address that begins with {' or '.join(_SCHEMES)}")
        return neo4j.GraphDatabase.driver(
            uri,
            auth=auth,
            connection_timeout=CONNECT_SECONDS,
            connection_acquisition_timeout=2 * CONNECT_SECONDS,
            max_transaction_retry_time=RETRY_SECONDS,
            warn_notification_severity=neo4j.NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
            user_agent="ontocrawl",
        )

    @contextmanager
    def _address_errors(self) -> Iterator[None]:
        """Convert ValueError to StoreUnavailable while connecting; later a ValueError comes from the caller."""
        try:
            with self._errors("connect"):
                yield
        except ValueError as error:
            raise self._no_address(error) from error

    def _no_address(self, error: Exception) -> StoreUnavailable:
        return StoreUnavailable("kg.not_address_graph_server", uri=self.uri, brief=_brief(error))

    def _session(self, mode: str) -> neo4j.Session:
        driver = self._reading if mode == neo4j.READ_ACCESS else self._driver
        return driver.session(
            database=self._database, default_access_mode=mode, bookmark_manager=self._bookmarks, fetch_size=BATCH
        )

    def _read_once(self, query: str, params: Mapping[str, Any]) -> list[Row]:
        self._show(query, params)
        limits = _of_transaction()
        with self._session(neo4j.READ_ACCESS) as session, session.begin_transaction(**limits) as running:
            try:
                return _run(running, self._sent(query), params)
            finally:
                if not running.closed():
                    running.rollback()

    def _within_limits(self, work: Callable[[], _T]) -> _T:
        limits = interruption.limits()
        if limits is None:
            return work()
        end = partial(self._end_statements, limits.mark)
        return interruption.run_within(work, end, limits.seconds, limits.gone, self._end_by_force)

    def _sent(self, statement: str) -> str:
        """Return a statement as it is sent; the embedded engine's store adds a mark, by which to end it."""
        return statement

    def _end_statements(self, mark: str) -> None:
        with self._errors("TERMINATE TRANSACTIONS"), self._session(neo4j.READ_ACCESS) as session:
            _end_marked(session, mark)

    def _end_by_force(self) -> bool:
        """End a statement that the server does not end when it is asked; return whether that is possible."""
        return False

    def _repeated(self, work: Callable[[], _T]) -> _T:
        """Return the result of the work, retried after a pause if the server says that this may help."""
        for attempt in range(1, _READ_ATTEMPTS):
            try:
                return work()
            except (exceptions.Neo4jError, exceptions.DriverError) as error:
                if not error.is_retryable():
                    raise
                _log.info("read again after attempt %d: %s", attempt, error)
                time.sleep(0.1 * 2**attempt)
        return work()

    def _show(self, statement: str, params: Mapping[str, Any]) -> None:
        if _statements.isEnabledFor(logging.DEBUG):
            _statements.debug("%s\n  %s", _bare_lines(statement), _sizes(params))
        if self._trace is not None:
            self._trace(statement, params)

    @contextmanager
    def _errors(self, statement: str) -> Iterator[None]:
        """Convert the driver's errors to those of the port."""
        try:
            yield
        except exceptions.AuthError as error:
            raise StoreUnavailable(
                "kg.graph_user",
                uri=self.uri,
                auth=(self._auth or (None,))[0],
                message=error.message,
                advice=self._advice or Message("kg.advice_user"),
            ) from error
        except (exceptions.ServiceUnavailable, exceptions.SessionExpired, exceptions.ConnectionPoolError) as error:
            raise StoreUnavailable(
                "kg.graph_no_server",
                uri=self.uri,
                brief=_brief(error),
                advice=self._advice or Message("kg.advice_server"),
            ) from error
        except exceptions.ConfigurationError as error:
            raise self._no_address(error) from error
        except exceptions.Neo4jError as error:
            if (error.code or "").endswith("Database.DatabaseNotFound"):
                raise StoreUnavailable(
                    "kg.graph_no_database",
                    uri=self.uri,
                    database=self._database,
                    advice=self._advice or Message("kg.advice_database"),
                ) from error
            if "TransactionTimedOut" in (error.code or ""):
                limits = interruption.limits()
                raise interruption.timed_out(limits.seconds if limits else None) from error
            said = _without_statement(statement, error.message or "")
            raise StatementError(
                "kg.graph_refused", first_line=_first_line(statement), said=said, remark=self._remark(said)
            ) from error
        except exceptions.DriverError as error:
            raise StatementError(
                "kg.graph_could_not", first_line=_first_line(statement), brief=_brief(error)
            ) from error
        except BufferError as error:  # interrupted while it waited for an answer, the driver cannot roll back
            before: BaseException | None = error
            while before is not None and not isinstance(before, KeyboardInterrupt):
                before = before.__context__
            raise before or error from None

    def _remark(self, said: str) -> str:
        """Return an addition to the message of a refused statement: what the embedded engine's store says to do."""
        return ""

    @property
    def _advice(self) -> Message | None:
        """What is to be done where the server is not reached, in place of what its address and account need."""
        return None


def _may_help(error: exceptions.Neo4jError | exceptions.DriverError, attempt: int) -> bool:
    """Return whether a retry may help: the server says so, or a concurrent command created the same node."""
    return error.is_retryable() or (isinstance(error, exceptions.ConstraintError) and attempt < _RACES)


def _insist_on_keys(work: Callable[[], _T]) -> _T:
    """Return the result of the work, retried if it violates a key that another command may just have taken."""
    for attempt in count():
        try:
            return work()
        except exceptions.ConstraintError as error:
            if not _may_help(error, attempt):
                raise
            time.sleep(random.uniform(0.5, 1.0) * 0.05 * 2**attempt)
    raise AssertionError  # count() does not end


def _of_transaction() -> dict[str, Any]:
    """Return the arguments of a transaction within limits; its own time limit is for a client that dies."""
    limits = interruption.limits()
    return {} if limits is None else {"metadata": {"ontocrawl": limits.mark}, "timeout": limits.seconds}


def _batches(rows: _Rows | None, params: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if rows is None:
        yield dict(params)
        return
    for first in range(0, len(rows), BATCH):
        yield {**params, "rows": [dict(row) for row in rows[first : first + BATCH]]}


def _run(running: neo4j.Transaction | neo4j.ManagedTransaction, query: str, params: Mapping[str, Any]) -> list[Row]:
    try:
        result = running.run(query, dict(params))
    except (OverflowError, TypeError, ValueError) as error:  # the driver's errors for a value that Bolt lacks
        raise StatementError("kg.graph_unsent", brief=_brief(error), sizes=_sizes(params)) from error
    rows = [
        {key: _plain(value, key) for key, value in zip(record.keys(), record.values(), strict=True)}
        for record in result
    ]
    summary = result.consume()  # which has arrived behind the last row
    plan = summary.profile or summary.plan
    return rows if plan is None else _plan_rows(plan)


# ---- what a Neo4j server is asked about its transactions: to end running ones, and which one was committed last
#
# Every user of the server may end their own transactions.


_RUNNING = "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.ontocrawl = $mark RETURN transactionId AS id"


class Session(Protocol):
    """The part of a driver's session that is used here."""

    def run(self, query: str, **params: Any) -> Any:
        """Run an auto-committed statement; the rows are iterated over."""
        ...


def _end_marked(session: Session, mark: str) -> None:
    """Ask the server to end the transactions whose metadata have a mark.

    Args:
        session: an open session.
        mark: value of their metadata ``ontocrawl``.
    """
    running = [row["id"] for row in session.run(_RUNNING, mark=mark)]
    if running:
        session.run("TERMINATE TRANSACTIONS $ids", ids=running).consume()


def _revision(bookmarks: Iterable[str]) -> str | None:
    """Return the revision of a database from the bookmarks of a read; None for those of another server than Neo4j 5.

    Neo4j's bookmark has the identity of the database and the number of its last committed transaction: it stays the
    same from read to read until something is written. (SHOW DATABASES does not tell that number in all editions.)

    Args:
        bookmarks: the bookmarks of a session after a committed read that began without any.

    >>> _revision(["FB:kcwQ"]), _revision(["other:1"]), _revision([])
    ('neo4j FB:kcwQ', None, None)
    """
    found = list(bookmarks)
    return f"neo4j {found[0]}" if len(found) == 1 and found[0].startswith("FB:") else None


# ---- values that a server returns, as scalars, lists and maps


_POINTS = {
    "WGS84Point": ("wgs-84", ("longitude", "latitude", "height")),
    "CartesianPoint": ("cartesian", ("x", "y", "z")),
}
"""Class of the driver -> name of the coordinate system, and of the coordinates."""


def _plain(value: Any, column: str) -> Any:
    """Convert a value to scalar, list or map; both engines' values to the same.

    Args:
        value: a value of the driver.
        column: its column, for the message.

    Returns:
        Of times the ISO-8601 text; of a node {labels, properties}; of a relationship {type, properties}; of a path
        {nodes, relationships}, where relationships have also ``start`` and ``end``, the places of their nodes in the
        list; of a point the map from which Cypher's ``point`` makes it. What identifies nodes within a server is left
        out.

    Raises:
        StatementError: it is of another type.
    """
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    if hasattr(value, "iso_format"):  # dates, times and durations of the driver
        return value.iso_format()
    if type(value) in (list, tuple):  # points of the driver are tuples too
        return [_plain(item, column) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item, column) for key, item in value.items()}
    if isinstance(value, neo4j.graph.Node):
        return {"labels": sorted(value.labels), "properties": _properties(value, column)}
    if isinstance(value, neo4j.graph.Relationship):
        return {"type": value.type, "properties": _properties(value, column)}
    if isinstance(value, neo4j.graph.Path):
        return _plain_path(value, column)
    if type(value).__name__ in _POINTS:
        system, names = _POINTS[type(value).__name__]
        crs = system if len(value) == 2 else f"{system}-3d"
        return {"crs": crs, **dict(zip(names, value, strict=False))}
    raise StatementError("kg.graph_formless", column=column, name=type(value).__name__)


def _properties(entity: neo4j.graph.Entity, column: str) -> Row:
    return {key: _plain(value, column) for key, value in sorted(entity.items())}


def _plain_path(path: neo4j.graph.Path, column: str) -> Row:
    relationships = []
    for at, relationship in enumerate(path.relationships):
        forward = relationship.start_node == path.nodes[at]
        ends = {"start": at, "end": at + 1} if forward else {"start": at + 1, "end": at}
        relationships.append({**_plain(relationship, column), **ends})
    return {"nodes": [_plain(node, column) for node in path.nodes], "relationships": relationships}


# ---- plans of statements, by EXPLAIN and PROFILE


_RULE = re.compile(r"[\s=-]*")


def _plan_rows(plan: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a plan or profile: depth, operator, details.

    Neo4j sends a tree of operators; a row is followed by those of its children. The embedded engine sends a text, of
    which each line is an operator without details.

    Args:
        plan: the plan or the profile of the driver's summary.
    """
    if plan["operatorType"].startswith("ArcadeDB."):
        lines = [line for line in plan["args"]["string-representation"].splitlines() if not _RULE.fullmatch(line)]
        depths = [(len(line) - len(line.lstrip(" "))) // 2 for line in lines]
        return [
            {"depth": depth, "operator": line.strip().removeprefix("+ "), "details": None}
            for depth, line in zip(depths, lines, strict=True)
        ]
    rows: list[Row] = []
    waiting = [(0, plan)]
    while waiting:
        depth, operator = waiting.pop()
        name = operator["operatorType"].partition("@")[0]
        rows.append({"depth": depth, "operator": name, "details": _details(operator)})
        waiting += [(depth + 1, child) for child in reversed(operator.get("children", ()))]
    return rows


def _details(operator: Mapping[str, Any]) -> str:
    """Return the arguments of an operator of Neo4j, with what is estimated of it, and measured by PROFILE."""
    named = {**operator["args"], "rows": operator.get("rows"), "DB hits": operator.get("dbHits")}
    figures = {"EstimatedRows": "estimated rows", "rows": "rows", "DB hits": "DB hits"}
    told = [f"{name} {named[key]:g}" for key, name in figures.items() if named.get(key) is not None]
    return "; ".join([*([named["Details"]] if named.get("Details") else []), *told])


# ---- statements, parameters and addresses as messages and logs show them: short, without passwords


_MARK = re.compile(r"// ontocrawl-\w+|/\* ontocrawl-\w+ \*/")
"""The mark of a statement that can be ended (kg/interruption.py)."""


def _first_line(statement: str) -> str:
    """Return the first line of a statement, to identify it in messages."""
    return _bare_lines(statement).partition("\n")[0].strip()[:120]


def _bare_lines(statement: str) -> str:
    """Return a statement without empty lines and comment lines."""
    return "\n".join(line for line in statement.splitlines() if line.strip() and not line.lstrip().startswith("//"))


def _sizes(params: Mapping[str, Any]) -> str:
    """Return parameters on one line: short values unchanged, lists and long texts by their length."""
    return ", ".join(f"${name} = {_size(value)}" for name, value in params.items()) or "no parameters"


def _size(value: Any) -> str:
    if isinstance(value, list | tuple | dict) and len(value) > 3:
        return f"{len(value)} {'keys' if isinstance(value, dict) else 'rows'}"
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}... ({len(text)} characters)"


def _without_statement(statement: str, message: str) -> str:
    """Return a server's message on one line, without the whole statement that some servers repeat.

    Args:
        statement: the statement.
        message: the message.
    """
    return " ".join(_MARK.sub("", message.replace(statement, _first_line(statement))).split())[:400]


def _brief(error: Exception) -> str:
    """Return the first line of an error's message, or else its name."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(" :")


def _without_password(uri: str) -> str:
    """Return an address without the user and password in it."""
    parts = urlsplit(uri)
    return uri.replace(f"{parts.netloc.rpartition('@')[0]}@", "", 1) if "@" in parts.netloc else uri

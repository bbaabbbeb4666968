"""The port to a property graph: everything in kg that reads or writes a graph depends only on this protocol.

Contract: every read runs in a transaction that is rolled back and refuses write clauses; every write runs in an
explicit transaction that the adapter retries when the server asks for it, so a statement must be idempotent (MERGE).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from operator import itemgetter
from typing import Any, Protocol, TypeVar, runtime_checkable

from ontology.errors import OntocrawlError

Row = dict[str, Any]
T = TypeVar("T")
STATEMENTS = "kg.statements"
"""Logger that receives every statement before it is sent, at level DEBUG, with the sizes of its parameters."""


class StoreError(OntocrawlError):
    """A failed graph operation; the message says what to do."""


class StatementError(StoreError):
    """A statement that the engine refuses, or one with a parameter or an answer that cannot be sent."""


class StoreUnavailable(StoreError):  # noqa: N818 - named for the state
    """No graph engine is reachable (exit code 4 of the command line)."""


class ConflictError(StoreError):
    """Another process changed the same part of the graph meanwhile, and nothing was written."""


def retried(work: Callable[[], T], attempts: int = 5) -> T:
    """Return the result of the work, done again if another process changed the same part of the graph meanwhile.

    Args:
        work: reads what it needs, and writes it in one transaction.
        attempts: maximum number of times to do it.

    Raises:
        ConflictError: all attempts met another process.
    """
    for _ in range(attempts - 1):
        try:
            return work()
        except ConflictError:
            time.sleep(random.uniform(0.05, 0.5))
    return work()


def sorted_by(rows: Iterable[Row], column: str) -> list[Row]:
    """Return rows in the order of a column of texts.

    For reads that return a row for each page of a crawl: the embedded engine sorts only what half of its memory holds.

    >>> sorted_by([{"url": "b"}, {"url": "a"}], "url")
    [{'url': 'a'}, {'url': 'b'}]
    """
    return sorted(rows, key=itemgetter(column))


class Transaction(Protocol):
    """Several writes that become visible together or not at all."""

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        """Run one writing statement in this transaction; arguments as in ``GraphStore.write``."""
        ...


class GraphStore(Protocol):
    """A property graph that speaks Cypher."""

    def read(self, query: str, **params: Any) -> list[Row]:
        """Return the rows of a query that changes nothing, each a dict from column to scalar, list or map.

        Nodes, relationships, paths and points are returned as maps, temporal values as ISO-8601 texts
        (docs/queries.md). The rows of EXPLAIN and PROFILE are those of the plan.

        Args:
            query: a Cypher statement.
            params: its parameters.
        """
        ...

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        """Run one writing statement.

        Args:
            query: a Cypher statement.
            rows: its batched parameter ``$rows``, sent in batches of at most 2,000.
            params: its other parameters.

        Returns:
            The rows that it returns.
        """
        ...

    def schema(self, statement: str) -> None:
        """Run one schema statement (constraint, index), auto-committed, alone."""
        ...

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Open an explicit transaction: committed at the end of the ``with`` block, rolled back if the block raises."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


@runtime_checkable
class Revised(Protocol):
    """A graph whose server tells whether it was changed."""

    def revision(self) -> str | None:
        """Return a text that differs after each committed change, by whatever program; None where it is not known."""
        ...

"""The port to a property graph. Nothing else of kg is needed to read or write one.

Contract: every read runs in a transaction that is rolled back and refuses write clauses; every write runs in an
explicit transaction that the adapter retries when the server asks for it, so a statement must be idempotent (MERGE).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = dict[str, Any]
STATEMENTS = "kg.statements"
"""Logger that gets every statement before it is sent, at level DEBUG, with the sizes of its parameters."""


class StoreError(Exception):
    """A graph operation that failed; the message says what to do."""


class StoreUnavailable(StoreError):  # noqa: N818 - named for what was found
    """No graph engine answers (exit code 4 of the command line)."""


class Transaction(Protocol):
    """Several writes that become visible together or not at all."""

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]: ...


class GraphStore(Protocol):
    """A property graph that speaks Cypher."""

    def read(self, query: str, **params: Any) -> list[Row]:
        """Rows of a query that changes nothing, each a dict from column to scalar, list or map."""
        ...

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        """Run one writing statement; ``rows`` is its batched parameter ``$rows``, sent in batches of at most 2,000."""
        ...

    def schema(self, statement: str) -> None:
        """Run one schema statement (constraint, index), auto-committed, alone."""
        ...

    def transaction(self) -> AbstractContextManager[Transaction]:
        """An explicit transaction: committed at the end of the ``with`` block, rolled back where it raises."""
        ...

    def close(self) -> None: ...

"""A store for unit tests: it records its calls and returns replies from a table. No engine, no graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from kg.store import Row

Reply = Sequence[Row] | Exception | Callable[[Mapping[str, Any]], Sequence[Row]]
"""Rows, an error to raise, or a function from the parameters (``rows`` included) to rows."""


@dataclass(frozen=True, slots=True)
class Call:
    """A statement that a store received."""

    kind: Literal["read", "write", "schema"]
    statement: str
    rows: tuple[Mapping[str, Any], ...] | None
    params: Mapping[str, Any]
    transaction: int | None
    """Number of its transaction, from 1; None outside of one."""


class RecordingStore:
    """A GraphStore that returns the first reply whose key is part of the statement, or no rows.

    ``calls`` has every statement in order, those of rolled back transactions included; ``committed`` and
    ``rolled_back`` have the numbers of the transactions that ended so.
    """

    def __init__(self, replies: Mapping[str, Reply] | None = None) -> None:
        self.calls: list[Call] = []
        self.committed: list[int] = []
        self.rolled_back: list[int] = []
        self.closed = False
        self._replies = dict(replies or {})

    def reply(self, part: str, reply: Reply) -> None:
        """Set the reply to statements that contain a text.

        Args:
            part: part of the statement.
            reply: rows, an error, or a function from the parameters to rows.
        """
        self._replies = {part: reply, **{key: old for key, old in self._replies.items() if key != part}}

    def statements(self, kind: str | None = None) -> list[str]:
        """Return the statements so far, optionally only those of one kind."""
        return [call.statement for call in self.calls if kind in (None, call.kind)]

    def read(self, query: str, **params: Any) -> list[Row]:
        """Record a read and return its reply."""
        return self._record(Call("read", query, None, params, None))

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        """Record a write and return its reply."""
        return self._write(query, rows, params, None)

    def schema(self, statement: str) -> None:
        """Record a schema statement."""
        self._record(Call("schema", statement, None, {}, None))

    @contextmanager
    def transaction(self) -> Iterator[RecordingTransaction]:
        """Open a transaction that is recorded as committed or rolled back."""
        number = len(self.committed) + len(self.rolled_back) + 1
        try:
            yield RecordingTransaction(self, number)
        except BaseException:
            self.rolled_back.append(number)
            raise
        self.committed.append(number)

    def close(self) -> None:
        """Record the call."""
        self.closed = True

    def _write(
        self, query: str, rows: Sequence[Mapping[str, Any]] | None, params: Mapping[str, Any], transaction: int | None
    ) -> list[Row]:
        kept = None if rows is None else tuple(dict(row) for row in rows)
        return self._record(Call("write", query, kept, params, transaction))

    def _record(self, call: Call) -> list[Row]:
        self.calls.append(call)
        chosen = next((reply for part, reply in self._replies.items() if part in call.statement), ())
        if isinstance(chosen, Exception):
            raise chosen
        if callable(chosen):
            chosen = chosen({**call.params, "rows": call.rows} if call.rows is not None else call.params)
        return [dict(row) for row in chosen]


class RecordingTransaction:
    """A transaction of a RecordingStore."""

    def __init__(self, store: RecordingStore, number: int) -> None:
        self._store = store
        self._number = number

    def write(self, query: str, rows: Sequence[Mapping[str, Any]] | None = None, **params: Any) -> list[Row]:
        """Record a write in this transaction and return its reply."""
        return self._store._write(query, rows, params, self._number)

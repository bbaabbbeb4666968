"""Rows in batches: of any size to read or write, and as one statement of the library in a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import queries
from kg.store import Transaction

_T = TypeVar("_T")


def batches(values: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield values in lists of a size, the last one shorter; none without values.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    waiting = iter(values)
    while batch := list(islice(waiting, size)):
        yield batch


def write_rows(transaction: Transaction, query: str, rows: Sequence[Mapping[str, Any]], **params: Any) -> None:
    """Run a statement of the library for some rows in a transaction; nothing is sent without rows.

    Args:
        transaction: an open transaction.
        query: name of the statement.
        rows: its batch ``$rows``.
        params: its other parameters.
    """
    if rows:
        transaction.write(queries.get(query).text, rows, **params)

"""Rows in batches: of any size or weight to read or write, and as one statement of the library in a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
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


def weighed_batches(values: Iterable[_T], size: int, weight_of: Callable[[_T], int], most: int) -> Iterator[list[_T]]:
    """Yield values in lists that have neither more values than a size nor more weight, but for single heavy values.

    Args:
        values: the values.
        size: maximum number of values of a list.
        weight_of: returns the weight of a value.
        most: maximum weight of a list of several values.

    >>> list(weighed_batches(["a", "bb", "cccc", "d", "e", "f"], 3, len, 3))
    [['a', 'bb'], ['cccc'], ['d', 'e', 'f']]
    """
    batch: list[_T] = []
    weight = 0
    for value in values:
        added = weight_of(value)
        if batch and (len(batch) == size or weight + added > most):
            yield batch
            batch, weight = [], 0
        batch.append(value)
        weight += added
    if batch:
        yield batch


def written(values: Iterable[_T], write: Callable[[_T], object]) -> Iterator[_T]:
    """Yield values after they are written, in order; while one is written in a thread, the next one is made.

    Args:
        values: the values, which are made in the caller's thread.
        write: writes one of them; its errors are raised here.

    >>> list(written("ab", print))
    a
    b
    ['a', 'b']
    """
    with ThreadPoolExecutor(1) as thread:
        before = None
        for value in values:
            if before is not None:
                before[0].result()
                yield before[1]
            before = thread.submit(write, value), value
        if before is not None:
            before[0].result()
            yield before[1]


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

"""Arrays that grow with the known links, by a quarter at a time, so that little memory is idle, and their changes.

A snapshot of a crawl with a million links writes what changed since the one before. The parts of a crawl with much
state have ``changes``, the entries of ``state`` with a Patch in place of an array, and ``saved``, called after it was
written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from crawler.model import Floats, Ids

_LOOSE = 65_536
"""Rows that changed, with repetitions, that are kept before these are left out."""

Array = TypeVar("Array", bound=NDArray[Any])


def with_room(values: Array, n: int, fill: float = 0) -> Array:
    """Return an array with room for rows 0 .. n-1: the same, or a longer copy with ``fill`` in its new rows."""
    if n <= len(values):
        return values
    longer = np.full(max(n, len(values) + len(values) // 4, 64), fill, dtype=values.dtype)
    longer[: len(values)] = values
    return longer  # type: ignore[return-value]


class Column:
    """A column of numbers by link.

    Args:
        fill: value of a row that was not set.
        dtype: type in which the numbers are kept; they are read as float64, or by ``ids`` as int64.
    """

    def __init__(self, fill: float = 0.0, dtype: DTypeLike = np.float64) -> None:
        self._fill = fill
        self._values: NDArray[Any] = np.full(64, fill, dtype)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type in which the numbers are kept."""
        return self._values.dtype

    def grow(self, n: int) -> None:
        """Make room for rows 0 .. n-1."""
        self._values = with_room(self._values, n, self._fill)

    def get(self, rows: Ids) -> Floats:
        """Return the values of rows, shape (m,)."""
        return self._values[rows].astype(np.float64, copy=False)

    def ids(self, rows: Ids) -> Ids:
        """Return the values of rows as int64, shape (m,)."""
        return self._values[rows].astype(np.int64)

    def set(self, rows: Ids, values: Floats | Ids) -> None:
        """Set the values of rows; both of shape (m,)."""
        self._values[rows] = values

    def dump(self, n: int) -> NDArray[Any]:
        """Return a copy of rows 0 .. n-1 in the type of the column."""
        return self._values[:n].copy()

    def patch(self, n: int, rows: Ids) -> Patch:
        """Return the change of ``rows`` among rows 0 .. n-1."""
        return Patch(n, rows, self._values[rows])

    def tail(self, first: int, n: int) -> Patch:
        """Return the change of rows ``first`` .. n-1."""
        return Patch(n, None, self._values[first:n].copy())


@dataclass(frozen=True, slots=True)
class Patch:
    """The rows of an array that changed since its last snapshot."""

    n: int
    """Length of the array."""
    rows: Ids | None
    """The rows that changed, shape (m,); None for the last m rows."""
    values: NDArray[Any]
    """Their values, shape (m,)."""

    def applied(self, before: NDArray[Any]) -> NDArray[Any]:
        """Return the array after the change, shape (n,); ``before`` is the array of the last snapshot.

        Raises:
            ValueError: it does not begin where the last snapshot ends, as where one between them was lost.
        """
        new = len(self.values) if self.rows is None else int(np.count_nonzero(self.rows >= len(before)))
        if len(before) + new < self.n:
            raise ValueError(f"the rows from {len(before)} to {self.n - new} are missing")
        after = np.zeros(self.n, dtype=self.values.dtype)
        after[: len(before)] = before
        after[slice(self.n - len(self.values), self.n) if self.rows is None else self.rows] = self.values
        return after


class Touched:
    """The rows that changed since the last snapshot: those that were added, and those that are new since."""

    def __init__(self) -> None:
        self.saved = 0
        """Number of rows at the last snapshot."""
        self._parts = list[Ids]()
        self._size = 0

    def add(self, rows: Ids) -> None:
        """Add rows that changed."""
        self._parts.append(rows)
        self._size += len(rows)
        if self._size > _LOOSE + 2 * len(self._parts[0]):  # also where no snapshot is ever made, memory is bounded
            self._parts = [np.unique(np.concatenate(self._parts))]
            self._size = len(self._parts[0])

    def rows(self, n: int) -> Ids:
        """Return all rows below ``n`` that changed, in ascending order."""
        changed = np.zeros(n, dtype=np.bool_)
        changed[self.saved :] = True
        for rows in self._parts:
            changed[rows] = True
        return np.flatnonzero(changed)

    def clear(self, n: int) -> None:
        """Start anew after a snapshot of ``n`` rows."""
        self.saved, self._parts, self._size = n, [], 0

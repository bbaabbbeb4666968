"""Arrays that grow with the known links, by a quarter at a time, so that little memory is idle."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from crawler.model import Floats, Ids

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

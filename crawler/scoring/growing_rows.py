"""Arrays and rows of numbers that are only appended to, and the numbering of tokens.

Their snapshots have what was appended since the one before (crawler.frontier.growable.Patch).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from crawler.frontier.growable import Patch, with_room
from crawler.model import Ids, Tokens


class Series:
    """Numbers that are appended. ``values`` is a view, not to be kept after the next ``append``."""

    def __init__(self, dtype: DTypeLike = np.int32) -> None:
        self._values: NDArray[Any] = np.zeros(64, dtype=dtype)
        self._n = self._saved = 0

    def __len__(self) -> int:
        return self._n

    @property
    def values(self) -> NDArray[Any]:
        """The numbers, shape (n,)."""
        return self._values[: self._n]

    def append(self, values: NDArray[Any]) -> None:
        """Append numbers, shape (m,)."""
        n = self._n + len(values)
        self._values = with_room(self._values, n)
        self._values[self._n : n] = values
        self._n = n

    def state(self) -> NDArray[Any]:
        """Return all numbers."""
        return self.values.copy()

    def changes(self) -> Patch:
        """Return those since the last ``saved``."""
        return Patch(self._n, None, self._values[self._saved : self._n].copy())

    def saved(self) -> None:
        """Continue after a snapshot."""
        self._saved = self._n

    def restore(self, values: NDArray[Any]) -> None:
        """Restore what ``state`` returned; the series must be new. A snapshot has it as it is now."""
        self.append(np.asarray(values))
        self.saved()


class GrowingRows:
    """Rows of whole numbers, such as the tokens of texts, as one array.

    >>> rows = GrowingRows()
    >>> rows.append(np.array([5, 7, 9]), np.array([2, 0, 1]))
    >>> [part.tolist() for part in rows.take(np.array([2, 0, 1]))]
    [[9, 5, 7], [0, 1, 1], [1, 2, 0]]
    """

    def __init__(self) -> None:
        self.ids = Series(np.int32)
        self._first = Series(np.int64)
        self._m = Series(np.int32)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self._m)

    def append(self, ids: Ids, m: Ids) -> None:
        """Append rows: their numbers, and how many each has."""
        self._first.append(len(self.ids) + np.cumsum(m) - m)
        self._m.append(m)
        self.ids.append(ids)

    def take(self, rows: Ids) -> tuple[Ids, Ids, Ids]:
        """Return the numbers of some rows, the place in ``rows`` of each, and the length of each of the rows."""
        m = self._m.values[rows].astype(np.int64)
        at = np.arange(int(m.sum())) + np.repeat(self._first.values[rows] - (np.cumsum(m) - m), m)
        return self.ids.values[at].astype(np.int64), np.repeat(np.arange(len(rows)), m), m

    def series(self, name: str) -> dict[str, Series]:
        """Return its arrays by name, to be saved."""
        return {f"{name}_ids": self.ids, f"{name}_first": self._first, f"{name}_m": self._m}


class TokenNumbers:
    """Numbers the tokens of a crawl 0, 1 .. in the order in which they were first seen."""

    def __init__(self) -> None:
        self._number = dict[int, int]()
        self.hashes = Series(np.int32)

    def __len__(self) -> int:
        """Number of different tokens."""
        return len(self.hashes)

    def of(self, hashes: Tokens) -> Ids:
        """Return the number of each token, new ones for tokens that are new; shape (m,)."""
        different, inverse = np.unique(hashes, return_inverse=True)
        number, known = self._number, len(self._number)
        found = [number.setdefault(token, len(number)) for token in different.tolist()]
        if len(number) > known:
            numbers = np.array(found)
            self.hashes.append(different[numbers >= known])
        return np.array(found, dtype=np.int64)[inverse]

    def restore(self, hashes: Tokens) -> None:
        """Restore the numbers from ``hashes.state()``."""
        self.hashes.restore(hashes)
        self._number = {token: number for number, token in enumerate(self.hashes.values.tolist())}


def state_of(series: Mapping[str, Series]) -> dict[str, Any]:
    """Return the state of several arrays by name."""
    return {name: one.state() for name, one in series.items()}


def changes_of(series: Mapping[str, Series]) -> dict[str, Any]:
    """Return their changes by name."""
    return {name: one.changes() for name, one in series.items()}

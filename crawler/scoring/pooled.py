"""Counts of topic words pooled by link, each distinct vector of counts once.

Most of up to a million links have no topic word, and the others share few different vectors. A link takes 4 bytes, and
a relevance is computed for each vector, not for each link. A vector that no link has any more is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.frontier.growable import Column
from crawler.model import Bools, Counts, Ids

_NONE = -1
_PAIR = np.dtype([("word", np.int32), ("count", np.int32)])


class PooledCounts:
    """Sums of count vectors by link.

    >>> pooled = PooledCounts(3)
    >>> pooled.add(np.array([4, 7]), np.array([[1, 0, 0], [0, 0, 0]]))
    >>> pooled.add(np.array([4]), np.array([[1, 0, 2]]))
    >>> pooled.get(np.array([4, 7])).tolist(), pooled.has(np.array([4, 7])).tolist()
    ([[2, 0, 2], [0, 0, 0]], [True, False])
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self._known = 0
        self._vector = Column(_NONE, np.int32)
        """Link -> number of its vector."""
        self._pairs = list[bytes]()
        """Vector -> its (word, count) pairs; b"" for a number that is free."""
        self._links = list[int]()
        """Vector -> number of links that have it."""
        self._number = dict[bytes, int]()
        self._free = list[int]()

    @property
    def vectors(self) -> int:
        """Number of the vectors, those that are free included: all numbers are below it."""
        return len(self._pairs)

    def add(self, links: Ids, counts: Counts) -> None:
        """Add counts, shape (m, n), to those of m distinct links, ids of shape (m,)."""
        rows = np.flatnonzero(counts.any(axis=1))
        if len(rows) == 0:
            return
        owners, F = links[rows], counts[rows]
        self.grow(int(owners.max()) + 1)
        old = self._vector.ids(owners)
        F[old != _NONE] += self.table(old[old != _NONE])
        new = [self._take(pairs) for pairs in _pairs(F)]
        for number in old[old != _NONE].tolist():
            self._leave(number)
        self._vector.set(owners, np.asarray(new))

    def has(self, links: Ids) -> Bools:
        """Return which links have any count; shape (m,)."""
        has_any: Bools = self.vector(links) != _NONE
        return has_any

    def vector(self, links: Ids) -> Ids:
        """Return the number of the vector of each link, -1 for a link without counts; shape (m,)."""
        self.grow(int(links.max(initial=-1)) + 1)
        return self._vector.ids(links)

    def get(self, links: Ids) -> Counts:
        """Return the pooled counts of links, shape (m, n)."""
        F: Counts = np.zeros((len(links), self.n), dtype=np.int64)
        vector = self.vector(links)
        F[vector != _NONE] = self.table(vector[vector != _NONE])
        return F

    def table(self, vectors: Ids) -> Counts:
        """Return the counts of vectors by their numbers, shape (m, n)."""
        pairs = [*map(self._pairs.__getitem__, vectors.tolist())]
        entries = np.frombuffer(b"".join(pairs), dtype=_PAIR)
        rows = np.repeat(np.arange(len(pairs)), _entries(pairs))
        F: Counts = np.zeros((len(pairs), self.n), dtype=np.int64)
        F[rows, entries["word"]] = entries["count"]
        return F

    def changes(self, n: int, rows: Ids) -> dict[str, Any]:
        """Return ``state`` of links 0 .. n-1 with the change of ``rows`` in place of the array by link."""
        return {**self._table(), "vector": self._vector.patch(n, rows)}

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {**self._table(), "vector": self._vector.dump(self._known)}

    def _table(self) -> dict[str, Any]:
        """Return the vectors as arrays."""
        entries = np.frombuffer(b"".join(self._pairs), dtype=_PAIR)
        return {
            "entries": _entries(self._pairs),
            "word": entries["word"].copy(),
            "count": entries["count"].copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned; the object must be new."""
        vector = np.asarray(state["vector"], dtype=np.int64)
        self.grow(len(vector))
        self._vector.set(np.arange(len(vector)), vector)
        entries = np.empty(len(state["word"]), dtype=_PAIR)
        entries["word"], entries["count"] = state["word"], state["count"]
        self._pairs = _split(entries, np.asarray(state["entries"]))
        self._links = np.bincount(vector[vector != _NONE], minlength=len(self._pairs)).tolist()
        self._number = {pairs: number for number, pairs in enumerate(self._pairs) if pairs}
        self._free = [number for number, pairs in enumerate(self._pairs) if not pairs]

    def grow(self, n: int) -> None:
        """Make room for links 0 .. n-1."""
        self._known = max(self._known, n)
        self._vector.grow(self._known)

    def _take(self, pairs: bytes) -> int:
        """Return the number of a vector that one more link has, a new one where no link had it."""
        number = self._number.get(pairs)
        if number is None:
            if self._free:
                number = self._free.pop()
                self._pairs[number] = pairs
            else:
                number = len(self._pairs)
                self._pairs.append(pairs)
                self._links.append(0)
            self._number[pairs] = number
        self._links[number] += 1
        return number

    def _leave(self, number: int) -> None:
        """Count one link less that has a vector, and forget the vector after the last one."""
        self._links[number] -= 1
        if not self._links[number]:
            del self._number[self._pairs[number]]
            self._pairs[number] = b""
            self._free.append(number)


def _entries(pairs: Sequence[bytes]) -> Ids:
    """Return the number of (word, count) pairs of each vector."""
    return np.fromiter(map(len, pairs), dtype=np.int64, count=len(pairs)) // _PAIR.itemsize


def _pairs(F: Counts) -> list[bytes]:
    """Return the (word, count) pairs of each row of counts, which has some."""
    rows, words = np.nonzero(F)
    entries = np.empty(len(rows), dtype=_PAIR)
    entries["word"], entries["count"] = words, F[rows, words]
    return _split(entries, np.bincount(rows, minlength=len(F)))


def _split(entries: NDArray[np.void], sizes: Sequence[int] | Ids) -> list[bytes]:
    data, size = entries.tobytes(), np.asarray(sizes, dtype=np.int64) * _PAIR.itemsize
    ends = np.cumsum(size)
    return [data[start:end] for start, end in zip((ends - size).tolist(), ends.tolist(), strict=True)]

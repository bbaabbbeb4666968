"""Counts of topic words pooled by link: sparse, because most of up to a million links have no topic word.

Each (link, word) with a count is one entry; the entries of a link form a linked list. A link takes 8
bytes, an entry 20.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.model import Bools, Counts, Ids

_END = -1


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
        self.size = 0
        self._head: Ids = np.empty(0, dtype=np.int64)
        self._next: Ids = np.empty(0, dtype=np.int64)
        self._word: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._count: Ids = np.empty(0, dtype=np.int64)

    def add(self, links: Ids, counts: Counts) -> None:
        """Add counts, shape (m, n), to those of m distinct links, ids of shape (m,)."""
        rows, words = np.nonzero(counts)
        if len(rows) == 0:
            return
        owner = links[rows]
        self._reserve(int(owner.max()) + 1, self.size + len(rows))
        known = self._find(owner, words)
        old = known != _END
        self._count[known[old]] += counts[rows[old], words[old]]
        self._append(owner[~old], words[~old], counts[rows[~old], words[~old]])

    def has(self, links: Ids) -> Bools:
        """Return which links have any count; shape (m,)."""
        has_any = np.zeros(len(links), dtype=np.bool_)
        inside = links < len(self._head)
        has_any[inside] = self._head[links[inside]] != _END
        return has_any

    def get(self, links: Ids) -> Counts:
        """Return the pooled counts of links, shape (m, n)."""
        F: Counts = np.zeros((len(links), self.n), dtype=np.int64)
        rows = np.flatnonzero(self.has(links))
        entry = self._head[links[rows]]
        while len(rows):
            F[rows, self._word[entry]] = self._count[entry]
            entry = self._next[entry]
            rows, entry = rows[entry != _END], entry[entry != _END]
        return F

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        size = self.size
        return {
            "head": self._head.copy(),
            "next": self._next[:size].copy(),
            "word": self._word[:size].copy(),
            "count": self._count[:size].copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self._head = np.array(state["head"], dtype=np.int64)
        self._next = np.array(state["next"], dtype=np.int64)
        self._word = np.array(state["word"], dtype=np.int32)
        self._count = np.array(state["count"], dtype=np.int64)
        self.size = len(self._next)

    def _find(self, owner: Ids, words: Ids) -> Ids:
        """Return the entry of each (link, word), or _END."""
        entry = self._head[owner].copy()
        searching = np.flatnonzero(entry != _END)
        while len(searching):
            searching = searching[self._word[entry[searching]] != words[searching]]
            entry[searching] = self._next[entry[searching]]
            searching = searching[entry[searching] != _END]
        return entry

    def _append(self, owner: Ids, words: Ids, values: Counts) -> None:
        """Append new entries to the lists of their links; those of one link are adjacent."""
        if len(owner) == 0:
            return
        entries = np.arange(self.size, self.size + len(owner), dtype=np.int64)
        first = np.r_[True, owner[1:] != owner[:-1]]
        last = np.r_[owner[1:] != owner[:-1], True]
        self._next[entries] = np.where(first, self._head[owner], entries - 1)
        self._head[owner[last]] = entries[last]
        self._word[entries] = words
        self._count[entries] = values
        self.size += len(owner)

    def _reserve(self, links: int, entries: int) -> None:
        if links > len(self._head):
            longer = np.full(max(links, 2 * len(self._head)), _END, dtype=np.int64)
            longer[: len(self._head)] = self._head
            self._head = longer
        if entries > len(self._next):
            more = max(entries, 2 * len(self._next)) - len(self._next)
            self._next = np.r_[self._next, np.full(more, _END, dtype=np.int64)]
            self._word = np.r_[self._word, np.zeros(more, dtype=np.int32)]
            self._count = np.r_[self._count, np.zeros(more, dtype=np.int64)]

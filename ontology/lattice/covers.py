"""The covering relation of a concept lattice from a finished Close-by-One enumeration.

Source: the criterion is Lindig's (Fast concept analysis, 2000) and Bordat's (1986): (A, B) covers (C, D) if and only if
every attribute of D \\ B leads from A to C. So the number of attributes a not in B with (A n a')'' = C is |D| - |B|
exactly for the lower neighbours.

Ours is how the table next[a, i] = index of the concept with extent A_i n a' is filled without closing anything again.
For a > y_i the enumeration has tried the pair. For a < y_i, with p the parent of i, A_i n a' = (A_p n a') n y_i', hence

    next[a, i] = next[y_i, next[a, p]]                                                                       (*)

Filled for falling a and, for each a, level by level, the right side is always known: y_i > a, and p is a level higher.
A pair that failed the canonicity test knows its intent; the concept is found by a hash of the intent *and* a comparison
of the intents themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontology.context import Words
from ontology.lattice.closure import Enumeration, Ints, Tables


class IntentIndex:
    """Finds concepts by their intents, exactly: distinct hashes by construction, and every answer is compared."""

    def __init__(self, intents: Words) -> None:
        self._intents = intents
        self._salt = 0
        while True:
            keys = _hash(intents, self._salt)
            self._order = np.argsort(keys, kind="stable")
            self._keys = keys[self._order]
            if not (self._keys[1:] == self._keys[:-1]).any():
                return
            self._salt += 1

    def find(self, intents: Words) -> Ints:
        """Index of each intent, -1 where there is none. Shapes (k, V) -> (k,)."""
        at = np.searchsorted(self._keys, _hash(intents, self._salt))
        found = self._order[np.minimum(at, len(self._keys) - 1)]
        same = (self._intents[found] == intents).all(axis=1)
        return np.where(same, found, -1)


def _hash(intents: Words, salt: int) -> Words:
    """The splitmix64 finaliser (Steele, Lea and Flood 2014) chained over the words of each row."""
    h = np.full(len(intents), salt, dtype=np.uint64)
    for v in range(intents.shape[1]):
        h ^= intents[:, v]
        h ^= h >> np.uint64(30)
        h *= np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(27)
        h *= np.uint64(0x94D049BB133111EB)
        h ^= h >> np.uint64(31)
    return h


def transitions(tables: Tables, found: Enumeration) -> NDArray[np.int32]:
    """next[a, i] of shape (m, N + 1); N stands for "too little support" (the bottom concept, if all are wanted)."""
    N, m = len(found), tables.m
    table = np.full((m, N + 1), N, dtype=np.int32)
    for a in range(m):
        own = (found.B[:, a >> 6] >> np.uint64(a & 63)) & np.uint64(1)
        i = np.flatnonzero(own)
        table[a, i] = i
    table[found.y[1:], found.parent[1:]] = np.arange(1, N)
    if len(found.failed_parent):
        table[found.failed_attribute, found.failed_parent] = IntentIndex(found.B).find(found.failed_intent)
    flat = table.reshape(-1)
    row = found.y * (N + 1)
    levels = list(zip(found.starts[1:-1], found.starts[2:], strict=True))
    before = [np.searchsorted(-found.y[s:e], -np.arange(m)).tolist() for s, e in levels]
    for a in range(m - 1, -1, -1):
        column = table[a]
        for (start, _), count in zip(levels, before, strict=True):
            if count[a]:
                part = slice(start, start + count[a])
                column[part] = flat[row[part] + column[found.parent[part]]]  # (*)
    return table


def covering_pairs(tables: Tables, found: Enumeration, *, with_bottom: bool) -> Ints:
    """The pairs (upper, lower) of the covering relation, shape (edges, 2); the bottom, if added, has index N."""
    N = len(found)
    table = transitions(tables, found)
    size = np.bitwise_count(found.B).sum(axis=1, dtype=np.int64)
    keys = _moves(table, N)
    keys.sort()
    edge = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1], [True]))) if len(keys) else np.zeros(1, int)
    upper, lower = np.divmod(keys[edge[:-1]], N + 1)
    covers = np.diff(edge) == size[lower] - size[upper]
    pairs = np.stack([upper[covers], lower[covers]], axis=1)
    if not with_bottom:
        return pairs
    above = np.flatnonzero((table[:, :N] != N).sum(axis=0) == size)
    return np.concatenate([pairs, np.stack([above, np.full_like(above, N)], axis=1)])


def _moves(table: NDArray[np.int32], N: int) -> Ints:
    """Every pair (i, next[a, i]) that leads to another concept, as i (N + 1) + next, with repetition."""
    every = np.arange(N)
    parts = []
    for column in table:
        i = np.flatnonzero((column[:N] != N) & (column[:N] != every))
        parts.append(i * (N + 1) + column[i])
    return np.concatenate(parts)

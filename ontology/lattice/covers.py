"""The covering relation of a concept lattice from a finished Close-by-One enumeration.

Source: the criterion is Lindig's (Fast concept analysis, 2000) and Bordat's (1986): (A, B) covers (C, D) if and only if
every attribute of D - B leads from A to C. So the number of attributes a not in B with (A n a')'' = C is |D| - |B|
exactly for the lower neighbours.

Not from the source: the table next[a, i] = index of the concept with extent A_i n a' is filled without computing any
closure again. For a > y_i the enumeration has tried the pair. For a < y_i, with p the parent of i,
A_i n a' = (A_p n a') n y_i', hence

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

BLOCK_CELLS = 1 << 22
"""Cells of the table of transitions that are sorted at once."""


class IntentIndex:
    """Exact look-up of concepts by their intents: hashes are distinct by construction, and every match is compared.

    >>> index = IntentIndex(np.array([[5], [3]], dtype=np.uint64))
    >>> index.find(np.array([[3], [4], [5]], dtype=np.uint64)).tolist()
    [1, -1, 0]
    """

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
        """Return the index of each intent, -1 for unknown ones; shapes (k, V) -> (k,)."""
        place = np.searchsorted(self._keys, _hash(intents, self._salt))
        candidates = self._order[np.minimum(place, len(self._keys) - 1)]
        same = (self._intents[candidates] == intents).all(axis=1)
        return np.where(same, candidates, -1)


def _hash(intents: Words, salt: int) -> Words:
    """Return the splitmix64 finaliser (Steele, Lea and Flood 2014) chained over the words of each row."""
    h = np.full(len(intents), salt, dtype=np.uint64)
    for v in range(intents.shape[1]):
        h ^= intents[:, v]
        h ^= h >> np.uint64(30)
        h *= np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(27)
        h *= np.uint64(0x94D049BB133111EB)
        h ^= h >> np.uint64(31)
    return h


def transitions(tables: Tables, concepts: Enumeration) -> NDArray[np.int32]:
    """Compute the table next[a, i] of the module's docstring.

    Args:
        tables: the context.
        concepts: the N enumerated concepts.

    Returns:
        Indices of concepts, shape (m, N + 1); N stands for "too little support" (the bottom, in a whole lattice).
    """
    N, m = len(concepts), tables.m
    table = np.full((m, N + 1), N, dtype=np.int32)
    for a in range(m):
        has = (concepts.B[:, a >> 6] >> np.uint64(a & 63)) & np.uint64(1)
        i = np.flatnonzero(has)
        table[a, i] = i
    table[concepts.y[1:], concepts.parent[1:]] = np.arange(1, N)
    if len(concepts.failed_parent):
        table[concepts.failed_attribute, concepts.failed_parent] = IntentIndex(concepts.B).find(concepts.failed_intent)
    flat = table.reshape(-1)
    row = concepts.y * (N + 1)
    levels = list(zip(concepts.starts[1:-1], concepts.starts[2:], strict=True))
    before = [np.searchsorted(-concepts.y[s:e], -np.arange(m)).tolist() for s, e in levels]
    for a in range(m - 1, -1, -1):
        column = table[a]
        for (start, _), count in zip(levels, before, strict=True):
            if count[a]:
                part = slice(start, start + count[a])
                column[part] = flat[row[part] + column[concepts.parent[part]]]  # (*)
    return table


def covering_pairs(tables: Tables, concepts: Enumeration, *, with_bottom: bool) -> Ints:
    """Compute the covering relation.

    Args:
        tables: the context.
        concepts: the N enumerated concepts.
        with_bottom: whether the bottom is added as a further concept with index N.

    Returns:
        Pairs (upper, lower) of indices, shape (edges, 2).
    """
    N, m = len(concepts), tables.m
    table = transitions(tables, concepts)
    size = np.append(np.bitwise_count(concepts.B).sum(axis=1, dtype=np.int64), m if with_bottom else 0)
    batch = max(1, BLOCK_CELLS // m)
    blocks = [_block(table[:, start : min(start + batch, N)], start, size, with_bottom) for start in range(0, N, batch)]
    return np.concatenate(blocks)


def _block(moves: NDArray[np.int32], start: int, size: Ints, with_bottom: bool) -> Ints:
    """Return the covering pairs of the concepts from ``start``; ``moves`` (m, k) are their columns of the table.

    The bottom is treated like any concept: all attributes that meet no object of an extent lead to it.
    """
    N = len(size) - 1
    target = np.sort(moves.T, axis=1)
    k, m = target.shape
    new = np.ones((k, m), dtype=np.bool_)
    np.not_equal(target[:, 1:], target[:, :-1], out=new[:, 1:])
    first = np.flatnonzero(new)
    times = np.diff(first, append=k * m)
    upper, lower = first // m, target.reshape(-1)[first].astype(np.int64)
    upper += start
    covers = (lower != upper) & (times == size[lower] - size[upper])
    if not with_bottom:
        covers &= lower != N
    return np.stack([upper[covers], lower[covers]], axis=1)

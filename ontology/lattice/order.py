"""The order in which a lattice lists its concepts: by falling extent size, then by the lists of object numbers.

Of two extents of one size, the one with the first object that the other lacks comes first. Extents are compared word by
word, and only while they are tied, so that wide extents cost little.
"""

from __future__ import annotations

import numpy as np

from ontology.context import Words
from ontology.lattice.closure import Ints

_MIRROR = np.packbits(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)[:, ::-1], axis=1).ravel()


def listed(A: Words) -> Ints:
    """Compute the permutation that sorts distinct extents of shape (k, W) into their documented order, shape (k,).

    >>> listed(np.array([[0b100], [0b001], [0b110]], dtype=np.uint64)).tolist()
    [2, 1, 0]
    """
    order = np.argsort(-np.bitwise_count(A).sum(axis=1, dtype=np.int64), kind="stable")
    tied = np.arange(len(A))
    group = np.bitwise_count(A).sum(axis=1, dtype=np.int64)[order]
    for w in range(A.shape[1]):
        tied, group = _still_tied(tied, group)
        if not len(tied):
            break
        key = _mirrored(A[order[tied], w])
        better = np.lexsort((key, group))
        order[tied] = order[tied[better]]
        key = key[better]
        new = np.concatenate(([True], (key[1:] != key[:-1]) | (group[1:] != group[:-1])))
        group = np.cumsum(new)
    return order


def _still_tied(positions: Ints, group: Ints) -> tuple[Ints, Ints]:
    """Return the positions with a neighbour in the same (contiguous) group, and their new group numbers."""
    same = group[1:] == group[:-1]
    tied = np.concatenate((same, [False])) | np.concatenate(([False], same))
    kept = group[tied]
    rising = np.cumsum(np.concatenate(([True], kept[1:] != kept[:-1]))) if len(kept) else kept
    return positions[tied], rising


def _mirrored(words: Words) -> Words:
    """Return words with bit 0 as the most significant one, inverted: a set with an early object sorts first."""
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return ~_MIRROR[octets].view(">u8").astype(np.uint64)

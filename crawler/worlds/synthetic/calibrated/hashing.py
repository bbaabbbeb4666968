"""Random numbers of whole blocks of pages: a hash of (key, page, slot), the same on every machine and numpy version.

The hash is the finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number
generators, OOPSLA 2014). Only integer operations, products and sums of floats are used: their results are exact, those
of exponentials and logarithms are not the same everywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crawler.worlds.synthetic.draw import Draw

Words = NDArray[np.uint64]
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1
_U = np.uint64


def key_of(*parts: int | str) -> int:
    """Return the key of a purpose, 0 <= key < 2**64."""
    return Draw(*parts).below(1 << 64)


def _mixed(word: int) -> int:
    """Return the hash of a word."""
    z = (word + _STEP) & _MASK
    z = ((z ^ (z >> 30)) * _FIRST) & _MASK
    z = ((z ^ (z >> 27)) * _SECOND) & _MASK
    return z ^ (z >> 31)


def words(key: int, *columns: NDArray[np.int64] | Words) -> Words:
    """Return a hash for each row of some columns; that of one row is ``word(key, *row)``."""
    h: Words = np.full(len(columns[0]), key, dtype=_U)
    for column in columns:
        z = (h ^ column.astype(_U)) + _U(_STEP)
        z = (z ^ (z >> _U(30))) * _U(_FIRST)
        z = (z ^ (z >> _U(27))) * _U(_SECOND)
        h = z ^ (z >> _U(31))
    return h


def word(key: int, *row: int) -> int:
    """Return the hash of some numbers under a key."""
    for number in row:
        key = _mixed(key ^ number)
    return key


def units(h: Words) -> NDArray[np.float64]:
    """Return numbers in [0, 1), uniform if the hashes are."""
    return (h >> _U(11)).astype(np.float64) * (1.0 / (1 << 53))


class Stream(Draw):
    """A stream of random numbers for the text of a page, cheaper than those of its base."""

    __slots__ = ("_state",)

    def __init__(self, key: int, index: int) -> None:
        self._state = _mixed(key ^ index)

    def below(self, n: int) -> int:
        """Draw an integer uniformly from 0 .. n-1; the bias is below n / 2**64."""
        self._state = (self._state + _STEP) & _MASK
        return (_mixed(self._state) * n) >> 64

    def unit(self) -> float:
        """Draw a number uniformly from [0, 1)."""
        return self.below(1 << 53) / (1 << 53)


def zipf(n: int, exponent: float) -> NDArray[np.int64]:
    """Return n weights that fall with the rank, as integers, so that no rounding of powers can change a choice.

    >>> zipf(3, 1.0).tolist()
    [1000000, 500000, 333333]
    """
    return np.array([max(1, round(10**6 / (rank + 1) ** exponent)) for rank in range(n)], dtype=np.int64)


def chosen(weights: NDArray[np.int64], h: Words) -> NDArray[np.int64]:
    """Return an index for each hash, with probabilities proportional to the weights."""
    bounds = np.cumsum(weights)
    return np.searchsorted(bounds, (h % _U(bounds[-1])).astype(np.int64), side="right").astype(np.int64)


def shuffled(key: int, first: int, n: int) -> NDArray[np.int64]:
    """Return 0 .. n-1 in random order."""
    return np.argsort(words(key, np.arange(first, first + n, dtype=np.int64)), kind="stable").astype(np.int64)

"""Random choices that depend on their key only: the same on every machine, interpreter and numpy version.

Generators of numpy and of the standard library guarantee at most their bit stream, not the results of shuffles and
choices. Page i of a world must stay the same for years, so the few draws that are needed are implemented here.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import unpack
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A stream of uniform random numbers by a key (seed, purpose, index ..), from BLAKE2b in counter mode.

    >>> Draw(0, "example").below(100), Draw(0, "example").sample("abcd", 2)
    (22, ['a', 'c'])
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, *key: int | str) -> None:
        # Kind and length of each part are in the key, so that ("a", 12) and ("a1", 2) differ.
        text = "".join(f"{type(part).__name__[0]}{len(str(part))}:{part}" for part in key)
        self._key = blake2b(text.encode(), digest_size=32).digest()
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            digest = blake2b(self._block.to_bytes(8, "little"), key=self._key, digest_size=64).digest()
            self._block += 1
            self._words = list(unpack("<8Q", digest))
        return self._words.pop()

    def unit(self) -> float:
        """Draw a number uniformly from [0, 1)."""
        return (self._word() >> 11) / (1 << 53)

    def below(self, n: int) -> int:
        """Draw an integer uniformly from 0 .. n-1; the bias is below n / 2**64."""
        return (self._word() * n) >> 64

    def between(self, low: int, high: int) -> int:
        """Draw an integer uniformly from low .. high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items uniformly."""
        return items[self.below(len(items))]

    def weighted(self, cumulative: Sequence[float]) -> int:
        """Draw an index with probability proportional to its weight, from cumulative weights."""
        mark = self.unit() * cumulative[-1]
        return next((index for index, bound in enumerate(cumulative) if mark < bound), len(cumulative) - 1)

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """Draw at most ``k`` different items, in random order."""
        pool = list(items)
        for index in range(min(k, len(pool))):
            other = index + self.below(len(pool) - index)
            pool[index], pool[other] = pool[other], pool[index]
        return pool[:k]

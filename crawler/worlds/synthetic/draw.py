"""Random choices that depend on nothing but their key: the same on every machine, interpreter and numpy version.

A generator of numpy or of the standard library promises its bit stream at best, not what shuffles and choices make of
it; page i of a world must stay page i for years, so the few draws that are needed are written down here.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import unpack
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """An endless row of uniform numbers under one key (seed, purpose, index ..), by BLAKE2b in counter mode."""

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
        """Uniform in [0, 1)."""
        return (self._word() >> 11) / (1 << 53)

    def below(self, n: int) -> int:
        """Uniform in 0 .. n-1; the bias is below n / 2**64."""
        return (self._word() * n) >> 64

    def between(self, low: int, high: int) -> int:
        """Uniform in low .. high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, equally likely."""
        return items[self.below(len(items))]

    def weighted(self, cumulative: Sequence[float]) -> int:
        """An index, as likely as the step of the cumulative weights at it."""
        mark = self.unit() * cumulative[-1]
        return next((at for at, bound in enumerate(cumulative) if mark < bound), len(cumulative) - 1)

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """At most ``k`` different items in random order."""
        left = list(items)
        for at in range(min(k, len(left))):
            other = at + self.below(len(left) - at)
            left[at], left[other] = left[other], left[at]
        return left[:k]

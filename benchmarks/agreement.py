"""What is drawn for judges."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Sequence[str])


def draw(items: Iterable[Item], count: int, seed: int) -> list[Item]:
    """Draw items at random, so that a later draw from a changed collection keeps those that are still there.

    The items are ordered by a hash of the seed and their parts; the first ones are drawn.

    >>> before = draw([("flood", "hazard"), ("storm", "hazard"), ("rain", "weather")], 2, 1)
    >>> now = draw([*before, ("hail", "weather")], 2, 1)
    >>> len(set(before) & set(now)) >= 1
    True
    """
    return sorted(dict.fromkeys(items), key=lambda item: _rank(item, seed))[:count]


def _rank(item: Sequence[str], seed: int) -> bytes:
    return hashlib.blake2b("\0".join((str(seed), *item)).encode(), digest_size=16).digest()

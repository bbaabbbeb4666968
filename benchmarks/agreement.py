"""Statistics of verdicts: the agreement of two judges, and what is drawn for them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Sequence[str])


def kappa(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Return Cohen's kappa of the verdicts of two judges (1960); None without pairs or without any variation.

    >>> counts = {("right", "right"): 20, ("right", "wrong"): 5, ("wrong", "right"): 10, ("wrong", "wrong"): 15}
    >>> kappa(pair for pair, count in counts.items() for _ in range(count))
    0.4
    """
    listed = list(pairs)
    n = len(listed)
    first, second = Counter(a for a, _ in listed), Counter(b for _, b in listed)
    by_chance = sum(first[verdict] * second[verdict] for verdict in first)
    if n * n == by_chance:
        return None
    agreed = sum(a == b for a, b in listed)
    return round((agreed * n - by_chance) / (n * n - by_chance), 3)


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

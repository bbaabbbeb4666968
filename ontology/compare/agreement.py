"""The agreement of two judges beyond chance: Cohen's kappa (1960)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable


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

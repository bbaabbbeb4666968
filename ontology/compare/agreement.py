"""The agreement of two judges beyond chance: Cohen's kappa (1960) and its interval (1969).

The standard error is that of J. L. Fleiss, J. Cohen and B. S. Everitt, Psychological Bulletin 72, 323-327, for a kappa
that is not 0.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping

from ontology.shares import Z

Counts = Mapping[tuple[Hashable, Hashable], float]
"""Verdicts of the first and of the second judge -> number of things judged so, or their weight."""


def kappa(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Return Cohen's kappa of the verdicts of two judges (1960); None without pairs or without any variation.

    >>> counts = {("right", "right"): 20, ("right", "wrong"): 5, ("wrong", "right"): 10, ("wrong", "wrong"): 15}
    >>> kappa(pair for pair, count in counts.items() for _ in range(count))
    0.4
    """
    found = kappa_of_counts(Counter(pairs))
    return None if found is None else round(found, 3)


def kappa_of_counts(counts: Counts) -> float | None:
    """Return Cohen's kappa of a table of counts or weights, not rounded; None without any variation."""
    n = sum(counts.values())
    first, second = _margins(counts)
    by_chance = sum(first[verdict] * second[verdict] for verdict in first)
    if math.isclose(n * n, by_chance):
        return None
    agreed = sum(count for (a, b), count in counts.items() if a == b)
    return (agreed * n - by_chance) / (n * n - by_chance)


def kappa_interval(pairs: Iterable[tuple[Hashable, Hashable]]) -> tuple[float, float] | None:
    """Return the 95 % interval of Cohen's kappa for many pairs; None where there is no kappa.

    Where the two agree about everything its width is 0, however few they judged.

    >>> counts = {("right", "right"): 20, ("right", "wrong"): 5, ("wrong", "right"): 10, ("wrong", "wrong"): 15}
    >>> low, high = kappa_interval(pair for pair, count in counts.items() for _ in range(count))
    >>> round(low, 3), round(high, 3)
    (0.151, 0.649)
    """
    counts = Counter(pairs)
    value = kappa_of_counts(counts)
    if value is None:
        return None
    half = Z * _standard_error(counts, value)
    return max(-1.0, value - half), min(1.0, value + half)


def _standard_error(counts: Counter[tuple[Hashable, Hashable]], value: float) -> float:
    n = counts.total()
    p = {pair: count / n for pair, count in counts.items()}
    row, column = _margins(p)
    by_chance = sum(row[verdict] * column[verdict] for verdict in row)
    on = sum(share * (1 - (row[a] + column[a]) * (1 - value)) ** 2 for (a, b), share in p.items() if a == b)
    off = sum(share * (column[a] + row[b]) ** 2 for (a, b), share in p.items() if a != b) * (1 - value) ** 2
    variance = (on + off - (value - by_chance * (1 - value)) ** 2) / (n * (1 - by_chance) ** 2)
    return math.sqrt(max(0.0, variance))


def _margins(counts: Counts) -> tuple[Mapping[Hashable, float], Mapping[Hashable, float]]:
    first: defaultdict[Hashable, float] = defaultdict(float)
    second: defaultdict[Hashable, float] = defaultdict(float)
    for (a, b), count in counts.items():
        first[a] += count
        second[b] += count
    return first, second

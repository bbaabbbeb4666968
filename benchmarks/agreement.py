"""Statistics of verdicts: shares with intervals, and the agreement of two judges."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ontology.compare.agreement import kappa

__all__ = ["draw", "kappa", "wilson"]

Z = 1.959964
"""Quantile of the normal distribution for 95 %."""
Item = TypeVar("Item", bound=Sequence[str])


def wilson(part: float, whole: int) -> tuple[float, float]:
    """Return the 95 % interval of a share after Wilson (1927).

    >>> [round(bound, 3) for bound in wilson(50, 60)]
    [0.72, 0.907]
    >>> [round(bound, 3) for bound in wilson(0, 60)]
    [0.0, 0.06]
    """
    if not whole:
        return 0.0, 1.0
    share, z2 = part / whole, Z * Z
    middle = share + z2 / (2 * whole)
    half = Z * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole * whole))
    scale = 1 + z2 / whole
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


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

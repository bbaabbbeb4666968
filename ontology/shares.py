"""Intervals of shares and of their differences: Wilson (1927), and Newcombe (1998), method 10."""

from __future__ import annotations

import math

Z = 1.959964
"""Quantile of the normal distribution for 95 %."""


def wilson(part: float, whole: float) -> tuple[float, float]:
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


def difference(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Return the 95 % interval of the difference of two independent shares after Newcombe (1998), from their Wilson's.

    Args:
        one: part and whole of the first share.
        other: those of the second one, which is taken off.

    Returns:
        The bounds, in [-1, 1]; (-1, 1) where one of them has nothing counted.

    >>> [round(bound, 4) for bound in difference((56, 70), (48, 80))]
    [0.0524, 0.3339]
    """
    if not one[1] or not other[1]:
        return -1.0, 1.0
    (low1, high1), (low2, high2) = wilson(*one), wilson(*other)
    p1, p2 = one[0] / one[1], other[0] / other[1]
    apart = p1 - p2
    return apart - math.hypot(p1 - low1, high2 - p2), apart + math.hypot(high1 - p1, p2 - low2)

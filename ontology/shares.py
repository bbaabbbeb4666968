"""Intervals of shares (Wilson 1927), of their differences (Newcombe 1998, method 10), and of shares in strata."""

from __future__ import annotations

import math
from collections.abc import Iterable

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


def stratified(strata: Iterable[tuple[float, float, float]]) -> tuple[float, float, float] | None:
    """Return a share of a whole that was sampled in strata, with its 95 % interval.

    The share is the mean of the strata's, weighted by their sizes. Its interval is combined from Wilson's of each
    (G. Y. Zou, W. Huang and X. Zhang 2009, Computational Statistics and Data Analysis 53), with a correction for finite
    strata: what was counted completely adds no uncertainty.

    Args:
        strata: of each, what was counted and has the property, what was counted, and its size.

    Returns:
        The share and the bounds; None where nothing of a stratum was counted.

    >>> [round(value, 3) for value in stratified([(45, 50, 200), (2, 50, 800)])]
    [0.212, 0.182, 0.286]
    >>> stratified([(3, 4, 4)])
    (0.75, 0.75, 0.75)
    """
    listed = [(part, counted, size) for part, counted, size in strata if size > 0]
    whole = sum(size for _, _, size in listed)
    if not listed or any(counted <= 0 for _, counted, _ in listed):
        return None
    share = below = above = 0.0
    for part, counted, size in listed:
        p, (low, high) = part / counted, wilson(part, counted)
        weight, left = size / whole, max(0.0, 1 - counted / size)
        share += weight * p
        below += weight**2 * left * (p - low) ** 2
        above += weight**2 * left * (high - p) ** 2
    return share, max(0.0, share - math.sqrt(below)), min(1.0, share + math.sqrt(above))

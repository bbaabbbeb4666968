"""Niches of links: links of one host or directory compete, and the worst of each niche are removed.

Source: Fan, Zeng, Li (paper 004), section III.C, step 8: URLs that have the same prefix are a niche; "knock out last m
or m percent URLs in niche descending sorted based on their topic relevancy". The share of a niche is rounded down
(trap T32): 10 % of fewer than 10 links is none, while rounding up would remove niches of one link.
"""

from __future__ import annotations

import math

import numpy as np

from crawler.model import Floats, Ids

ROUNDINGS = ("floor", "ceil")
_SLACK = 1e-9
"""Tolerance that keeps a product such as .29 * 100 from being rounded below 29."""


def share(count: int, part: float, rounding: str = "floor") -> int:
    """Return a share of a number of links as a whole number (trap T32).

    Args:
        count: number of links, at least 0.
        part: the share, in [0, 1].
        rounding: one of ROUNDINGS.

    >>> share(9, 0.1), share(9, 0.1, "ceil"), share(100, 0.29)
    (0, 1, 29)
    """
    return math.ceil(count * part - _SLACK) if rounding == "ceil" else math.floor(count * part + _SLACK)


def survivors(niche: Ids, S: Floats, part: float, rounding: str = "floor") -> Ids:
    """Return the rows that remain when the worst ``part`` of each niche is removed, in ascending order.

    Args:
        niche: number of the niche of each link, shape (m,).
        S: fitness of each link, shape (m,); among equals the later rows are worse.
        part: share of a niche, in [0, 1].
        rounding: one of ROUNDINGS.

    >>> survivors(np.array([0, 0, 1, 1]), np.array([0.9, 0.2, 0.3, 0.4]), 0.5).tolist()
    [0, 3]
    """
    by_niche = np.lexsort((-S, niche))  # each niche together, best first
    _, first, size = np.unique(niche[by_niche], return_index=True, return_counts=True)
    left = size - np.array([share(count, part, rounding) for count in size.tolist()], dtype=np.int64)
    rank = np.arange(len(niche)) - np.repeat(first, size)
    return np.sort(by_niche[rank < np.repeat(left, size)])

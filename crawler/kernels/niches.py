"""Niches of links: those of one host, or of one directory, compete, and the worst of each are knocked out.

Source: Fan, Zeng, Li (paper 004), section III.C, step 8: URLs that have the same prefix are a niche; "knock out last m
or m percent URLs in niche descending sorted based on their topic relevancy". The share of a niche is rounded down
(trap T32): 10 % of fewer than 10 links are none, while rounding up would delete niches of one.
"""

from __future__ import annotations

import math

import numpy as np

from crawler.model import Floats, Ids

ROUNDINGS = ("floor", "ceil")
_SLACK = 1e-9
"""A product such as .29 * 100 must not fall below its whole number."""


def share(count: int, part: float, rounding: str = "floor") -> int:
    """How many of ``count`` a ``part`` in [0, 1] of them are, ``rounding`` one of ROUNDINGS (trap T32)."""
    return math.ceil(count * part - _SLACK) if rounding == "ceil" else math.floor(count * part + _SLACK)


def survivors(niche: Ids, S: Floats, part: float, rounding: str = "floor") -> Ids:
    """Rows that are left when the worst ``part`` of each niche is knocked out, in their order.

    Args:
        niche: number of the niche of each link, shape (m,).
        S: fitness of each link, shape (m,). Of equals the later rows are worse.
        part: share of a niche, in [0, 1].
    """
    by_niche = np.lexsort((-S, niche))  # each niche together, best first
    _, first, size = np.unique(niche[by_niche], return_index=True, return_counts=True)
    left = size - np.array([share(count, part, rounding) for count in size.tolist()], dtype=np.int64)
    rank = np.arange(len(niche)) - np.repeat(first, size)
    return np.sort(by_niche[rank < np.repeat(left, size)])

"""Filters of links: one enters the queue if a value of it is large enough, and a value that is no number is an error.

NaN is neither over a threshold nor under it, so that a plain comparison would leave the link out and say nothing.
"""

from __future__ import annotations

import numpy as np

from crawler.model import Bools, Floats, Ids


def over(value: Floats, threshold: float, links: Ids) -> Bools:
    """Whether the value of each link is greater than the threshold, shape (m,). Raises ValueError for a NaN."""
    _check(value, threshold, links)
    found: Bools = value > threshold
    return found


def at_least(value: Floats, threshold: float, links: Ids) -> Bools:
    """Whether the value of each link is not less than the threshold, shape (m,). Raises ValueError for a NaN."""
    _check(value, threshold, links)
    found: Bools = value >= threshold
    return found


def _check(value: Floats, threshold: float, links: Ids) -> None:
    unknown = links[np.isnan(value)]
    if len(unknown):
        raise ValueError(
            f"the value of link {unknown[0]} is nan and cannot be compared with the threshold {threshold:g}: "
            "the feature columns that it is made of must be finite (crawler.scoring.features)"
        )

"""Particularity of a term: how much more often the papers of a topic contain it than a general background does.

    key_i = max(0, ln((d_i + 1/2) / (D + 1)) - ln((b_i + 1/2) / (B + 1))),   0 where d_i = 0

Not published: a difference of log document frequencies, as in keyness analysis (keyness.py has word frequencies). A
term that no paper contains has no evidence, and key 0. kg.key_weights computes the same in the graph by a query.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def particularity(d: ArrayLike, D: int, b: ArrayLike, B: int) -> Floats:
    """Return key_i of n terms.

    Args:
        d: papers of the topic that contain each term, shape (n,).
        D: papers of the topic.
        b: documents of the background that contain each term, shape (n,).
        B: documents of the background.

    Returns:
        Shape (n,), 0 or more.

    >>> particularity([80, 2, 0], 173, [200, 4000, 0], 18751).round(3).tolist()
    [3.767, 0.0, 0.0]
    """
    d_i, b_i = np.asarray(d, dtype=np.float64), np.asarray(b, dtype=np.float64)
    excess = np.log((d_i + 0.5) / (D + 1)) - np.log((b_i + 0.5) / (B + 1))
    key: Floats = np.where(d_i > 0, np.maximum(excess, 0.0), 0.0)
    return key

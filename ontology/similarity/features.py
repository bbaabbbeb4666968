"""Similarity of concepts as sets of features: Tversky's ratio model, and what two sets share.

Source: Tversky 1977, "Features of similarity", Psychological Review 84(4), the ratio model; sets count their elements:

    S(c1, c2) = |A n B| / (|A n B| + alpha |A - B| + beta |B - A|),  A, B features of c1, c2;  alpha, beta >= 0

alpha = beta = 1/2 is Dice's coefficient, alpha = beta = 1 Jaccard's. If alpha > beta, what c1 has and c2 lacks weighs
more than the reverse, and S is not symmetric.

Features of a concept are other concepts (Maedche and Staab 2002, "Measuring similarity between ontologies"): its
ancestors and itself (upwards cotopy), or these and its descendants (semantic cotopy).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import Bools, ConceptGraph, Ints

Floats = NDArray[np.float64]
Features = Callable[[ConceptGraph], Bools]


def upwards_cotopy(graph: ConceptGraph) -> Bools:
    """Return the ancestors of each concept, itself included, shape (k, k)."""
    return graph.anc


def semantic_cotopy(graph: ConceptGraph) -> Bools:
    """Return the ancestors and descendants of each concept, itself included, shape (k, k)."""
    return graph.anc | graph.anc.T


_DENSE = 0.06
"""Share of ones in a table of features above which a product of matrices is quicker than sums of its columns."""

FEATURES: Mapping[str, Features] = {"ancestors": upwards_cotopy, "cotopy": semantic_cotopy}


def shared(features: Bools, rows: Ints) -> Floats:
    """Count the features that pairs of concepts share, |A n B|.

    Sparse features: the columns of the features of c1 are added up. Dense ones: a matrix product. Both are exact.

    Args:
        features: table of features, shape (k, n).
        rows: indices of the first concepts c1, shape (r,).

    Returns:
        Counts for each c1 and all c2, shape (r, k).

    >>> ancestors = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=np.bool_)
    >>> shared(ancestors, np.array([1])).tolist()
    [[1.0, 2.0, 1.0]]
    """
    if features.mean() > _DENSE:
        table = features.astype(np.float32)  # whole numbers below 2^24 are exact
        return np.asarray(table[rows] @ table.T, dtype=np.float64)
    having = np.ascontiguousarray(features.T).astype(np.int16 if features.shape[1] < 1 << 15 else np.int32)
    both = np.empty((len(rows), len(features)))
    for i, c in enumerate(rows.tolist()):
        both[i] = having[np.flatnonzero(features[c])].sum(axis=0, dtype=having.dtype)
    return both


def ratio(features: Bools, rows: Ints, alpha: float, beta: float) -> Floats:
    """Compute Tversky's ratio model for pairs of concepts.

    Args:
        features: table of features, shape (k, n), no empty row.
        rows: indices of the first concepts c1, shape (r,).
        alpha: weight of the features that only c1 has, at least 0.
        beta: weight of the features that only c2 has, at least 0.

    Returns:
        Similarities of each c1 to all c2, shape (r, k), in [0, 1].

    Raises:
        ValueError: a negative or infinite weight.

    >>> ancestors = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=np.bool_)
    >>> ratio(ancestors, np.array([1]), 1, 1).round(3).tolist()  # Jaccard
    [[0.5, 1.0, 0.333]]
    >>> ratio(ancestors, np.array([1]), 0.5, 0.5).round(3).tolist()  # Dice
    [[0.667, 1.0, 0.5]]
    """
    if not (0 <= alpha < np.inf and 0 <= beta < np.inf):
        raise ValueError(f"alpha, beta: expected two non-negative numbers, found {alpha}, {beta}")
    size = features.sum(axis=1, dtype=np.float64)
    both = shared(features, rows)
    lacking = alpha * (size[rows][:, None] - both) + beta * (size[None, :] - both)
    # alpha or beta 0: the denominator is 0 if two concepts share nothing and only differ in features of weight 0
    share: Floats = np.divide(both, both + lacking, out=np.zeros_like(both), where=both > 0)
    return share

"""Pareto optimality of links: non-dominated sorting, and the nearest-farthest candidate solution (NFCS).

Sources: the fast non-dominated sort of Deb, Pratap, Agarwal, Meyarivan 2002, IEEE Trans. Evol. Comput. 6(2):182-197
(NSGA-II). NFCS is named in the abstracts of WSE 2019 and FCWSEO 2022; its steps are reconstructed [R] as a
max-min rule (algorithms.md 3.8, golden numbers G14):
    1  take the extreme point of each objective.   2  for each other point, the distance to the nearest point taken.
    3  take the one for which it is farthest.   4  again, until K are taken.
All objectives are maximised. Rows are links, columns are objectives; ties are resolved in favour of the first row.
"""

from __future__ import annotations

import numpy as np

from crawler.model import Bools, Floats, Ids

_DIGITS = 12
"""Decimals to which distances are compared, so that rounding does not break a tie."""


def domination(F: Floats) -> Bools:
    """Return whether row a dominates row b: nowhere smaller and somewhere larger.

    Args:
        F: objectives, shape (m, d).

    Returns:
        A mask of shape (m, m).

    >>> domination(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 2.0]])).tolist()
    [[False, True, False], [False, False, False], [False, False, False]]
    """
    no_worse = (F[:, np.newaxis] >= F[np.newaxis]).all(axis=2)
    better = (F[:, np.newaxis] > F[np.newaxis]).any(axis=2)
    dominates: Bools = np.logical_and(no_worse, better)
    return dominates


def nfcs(F: Floats, K: int) -> Ids:
    """Choose rows of a front by the nearest-farthest candidate solution.

    Args:
        F: objectives of the front, shape (m, d).
        K: number of rows to choose, above 0.

    Returns:
        At most ``K`` row numbers, in the order of choice.

    >>> nfcs(np.array([[0.0, 1.0], [0.1, 0.9], [0.5, 0.5], [1.0, 0.0]]), 3).tolist()
    [3, 0, 2]
    """
    if len(F) == 0:
        return np.empty(0, dtype=np.int64)
    taken = list(dict.fromkeys(np.argmax(F, axis=0).tolist()))[:K]  # step 1
    while len(taken) < min(K, len(F)):
        nearest = np.linalg.norm(F[:, np.newaxis] - F[taken][np.newaxis], axis=2).min(axis=1)  # step 2
        nearest[taken] = -1.0
        taken.append(int(np.argmax(np.round(nearest, _DIGITS))))  # step 3
    return np.array(taken, dtype=np.int64)


def pareto_picks(F: Floats, K: int) -> Ids:
    """Choose at most ``K`` rows of the first front by NFCS; fewer where the front has fewer.

    Args:
        F: objectives, shape (m, d).
        K: number of rows to choose, above 0.

    >>> pareto_picks(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 2.0]]), 5).tolist()
    [0, 2]
    """
    front = np.flatnonzero(~domination(F).any(axis=0))
    return front[nfcs(F[front], K)]

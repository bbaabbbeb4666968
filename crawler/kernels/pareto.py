"""Pareto optimality of links: non-dominated sorting, and the nearest-farthest candidate solution (NFCS).

Sources: the fast non-dominated sort of Deb, Pratap, Agarwal, Meyarivan 2002, IEEE Trans. Evol. Comput. 6(2):182-197
(NSGA-II). NFCS is named by WSE 2019 and FCWSEO 2022 and its steps were not read; they are reconstructed [R] as a
max-min rule (algorithms.md 3.8, golden numbers G14):
    1  take the extreme point of each objective.   2  for each other point, the distance to the nearest point taken.
    3  take the one for which it is farthest.   4  again, until K are taken.
Every objective is to be large. Rows are links, columns objectives; the first come is first among equals.
"""

from __future__ import annotations

import numpy as np

from crawler.model import Bools, Floats, Ids

_DIGITS = 12
"""Distances that differ after so many digits are equal; rounding must not break a tie."""


def domination(F: Floats) -> Bools:
    """Whether row a dominates row b: nowhere smaller and somewhere larger. Shape of ``F``: (m, d); answers (m, m)."""
    no_worse = (F[:, np.newaxis] >= F[np.newaxis]).all(axis=2)
    better = (F[:, np.newaxis] > F[np.newaxis]).any(axis=2)
    over: Bools = np.logical_and(no_worse, better)
    return over


def non_dominated_sort(F: Floats) -> Ids:
    """Number of each row's front: 0 for rows that none dominates, 1 for those that only front 0 does; shape (m,).

    Costs O(m^2 d) for m rows of d objectives.
    """
    over = domination(F)
    above = over.sum(axis=0)
    front: Ids = np.full(len(F), -1, dtype=np.int64)
    number = 0
    while (front < 0).any():
        now = (above == 0) & (front < 0)
        front[now] = number
        above = above - over[now].sum(axis=0)
        number += 1
    return front


def nfcs(F: Floats, K: int) -> Ids:
    """At most ``K`` > 0 rows of a front by the nearest-farthest candidate solution, in the order in which it takes
    them. Shape of ``F``: (m, d).
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
    """At most ``K`` rows of the first front of ``F`` by NFCS; fewer where the front has fewer."""
    front = np.flatnonzero(~domination(F).any(axis=0))
    return front[nfcs(F[front], K)]

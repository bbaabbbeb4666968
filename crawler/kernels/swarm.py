"""A particle swarm on the simplex: vectors of non-negative weights of sum 1 that look for the smallest error.

Source: Kennedy, Eberhart 1995, with the inertia weight of Shi, Eberhart 1998:

    v <- w v + c1 r1 (p - x) + c2 r2 (g - x),   x <- x + v

with r1, r2 random in [0, 1), p the best place of a particle and g the best of all. A step may leave the simplex; then
x is clipped to [0, 1] and divided by its sum [R] (algorithms.md 3.14).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from crawler.model import Floats

Error = Callable[[Floats], Floats]
"""Error of each of n places, shape (n, d), as shape (n,); smaller is better."""


def onto_simplex(X: Floats) -> Floats:
    """Rows clipped to [0, 1] and divided by their sum; 1/d each for a row of which nothing is left. Shape (n, d)."""
    clipped = np.clip(X, 0.0, 1.0)
    total = clipped.sum(axis=1, keepdims=True)
    return np.where(total > 0.0, clipped / np.where(total > 0.0, total, 1.0), 1.0 / X.shape[1])


@dataclass(frozen=True, slots=True)
class Flight:
    """How a swarm moves: particles, moves, inertia w, the pulls c1 and c2 of a particle's own and the best place."""

    particles: int = 20
    moves: int = 10
    w: float = 0.7
    c1: float = 1.5
    c2: float = 1.5


def fly(rng: np.random.Generator, error: Error, first: Floats, flight: Flight) -> Floats:
    """The best place g that a swarm finds, shape (d,), on the simplex; never worse than ``first``, shape (d,).

    Particles begin at rest, uniform on the simplex, but for one at ``first``. So a search that goes on from its last
    place also follows an error that has changed; a swarm that was kept would have drawn together at the old one.
    """
    X = rng.dirichlet(np.ones(len(first)), flight.particles)
    X[0] = first
    V, P, of_P = np.zeros_like(X), X.copy(), error(X)
    for _ in range(flight.moves):
        g = P[int(np.argmin(of_P))]
        r1, r2 = rng.random((2, *X.shape))
        V = flight.w * V + flight.c1 * r1 * (P - X) + flight.c2 * r2 * (g - X)
        X = onto_simplex(X + V)
        of_X = error(X)
        better = of_X < of_P
        P[better], of_P[better] = X[better], of_X[better]
    best: Floats = P[int(np.argmin(of_P))].copy()
    return best

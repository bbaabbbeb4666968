"""Particle swarm optimisation on the simplex: weight vectors, non-negative and of sum 1, that minimise an error.

Source: Kennedy, Eberhart 1995, with the inertia weight of Shi, Eberhart 1998:

    v <- w v + c1 r1 (p - x) + c2 r2 (g - x),   x <- x + v

with r1, r2 random in [0, 1), p the best position of a particle and g the best of all. Where a step leaves the simplex,
x is clipped to [0, 1] and divided by its sum [R] (algorithms.md 3.14).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from crawler.model import Floats

Error = Callable[[Floats], Floats]
"""Maps n positions, shape (n, d), to their errors, shape (n,); smaller is better."""


def onto_simplex(X: Floats) -> Floats:
    """Clip rows to [0, 1] and divide them by their sum; a row without a positive number becomes 1/d each.

    Args:
        X: shape (n, d).

    Returns:
        Shape (n, d), each row of sum 1.

    >>> onto_simplex(np.array([[0.5, -0.2, 1.5], [-1.0, 0.0, -1.0]])).round(3).tolist()
    [[0.333, 0.0, 0.667], [0.333, 0.333, 0.333]]
    """
    clipped = np.clip(X, 0.0, 1.0)
    total = clipped.sum(axis=1, keepdims=True)
    return np.where(total > 0.0, clipped / np.where(total > 0.0, total, 1.0), 1.0 / X.shape[1])


@dataclass(frozen=True, slots=True)
class Flight:
    """Parameters of a swarm: particles, moves, inertia w, weights c1 of the personal and c2 of the global best."""

    particles: int = 20
    moves: int = 10
    w: float = 0.7
    c1: float = 1.5
    c2: float = 1.5


def fly(rng: np.random.Generator, error: Error, first: Floats, flight: Flight) -> Floats:
    """Minimise an error on the simplex with a particle swarm.

    Particles start at rest, uniform on the simplex, one of them at ``first``. A search that continues from its last
    result can so follow an error that has changed; a swarm kept from before would have converged on the old optimum.

    Args:
        rng: the random number generator.
        error: function to minimise.
        first: a start position, shape (d,), on the simplex.
        flight: parameters of the swarm.

    Returns:
        The best position g, shape (d,); its error is at most that of ``first``.

    >>> target = np.array([0.2, 0.8])
    >>> g = fly(np.random.default_rng(0), lambda X: np.square(X - target).sum(axis=1), np.full(2, 0.5), Flight())
    >>> g.round(2).tolist()
    [0.2, 0.8]
    """
    X = rng.dirichlet(np.ones(len(first)), flight.particles)
    X[0] = first
    V, P, P_errors = np.zeros_like(X), X.copy(), error(X)
    for _ in range(flight.moves):
        g = P[int(np.argmin(P_errors))]
        r1, r2 = rng.random((2, *X.shape))
        V = flight.w * V + flight.c1 * r1 * (P - X) + flight.c2 * r2 * (g - X)
        X = onto_simplex(X + V)
        X_errors = error(X)
        better = X_errors < P_errors
        P[better], P_errors[better] = X[better], X_errors[better]
    best: Floats = P[int(np.argmin(P_errors))].copy()
    return best

"""Positions of the nodes of a graph by forces: linked nodes attract, all nodes repel each other.

Source: M. Jacomy, T. Venturini, S. Heymann and M. Bastian, ForceAtlas2, a continuous graph layout algorithm for handy
network visualization, PLoS ONE 9, 2014:

    F_a(i, j) = d(i, j)                                 (1)  attraction along a link
    F_r(i, j) = k_r (deg_i + 1) (deg_j + 1) / d(i, j)   (4)  repulsion
    F_g(i)    = k_g (deg_i + 1) d(i)                    (6)  gravity, the strong one

Two things differ from the source, to lay out 2,000 nodes in a second with arrays. Repulsion from afar is that of the
centres of cells, as in Barnes and Hut 1986, but with one level of about sqrt(n) cells that hold equally many nodes: the
nodes are cut by x into columns, these by y into cells. Movements are limited by a temperature that falls, as in
T. M. J. Fruchterman and E. M. Reingold, Graph drawing by force-directed placement, 1991.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
STEPS = 150
SEED = 0
_K_R = 1.0
_K_G = 0.02
_HOTTEST = 0.2
"""Longest movement at the beginning, in standard deviations of the positions."""
_NEAREST = np.float32(1e-3)
"""Least squared distance at which repulsion grows no more."""


def force_layout(n: int, source: ArrayLike, target: ArrayLike, *, steps: int = STEPS, seed: int = SEED) -> Floats:
    """Return positions of the nodes of a graph.

    Args:
        n: number of nodes.
        source: node at the start of each of m links, shape (m,).
        target: node at the end of each link, shape (m,); directions and parallel links do not count.
        steps: number of movements.
        seed: seed of the positions to begin with; equal arguments give equal positions.

    Returns:
        Positions in [-1, 1], shape (n, 2).

    >>> x = force_layout(4, [0, 1, 2], [1, 2, 3])
    >>> ends, linked = np.linalg.norm(x[0] - x[3]), np.linalg.norm(x[0] - x[1])
    >>> bool(ends > 2 * linked)
    True
    """
    if n == 0:
        return np.zeros((0, 2), dtype=np.float32)
    A = _adjacency(n, np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64))
    degree = np.asarray(A.sum(axis=1), dtype=np.float32).ravel()
    mass = degree + 1
    x = np.random.default_rng(seed).standard_normal((n, 2)).astype(np.float32) * np.sqrt(np.float32(n))
    for step in range(steps):
        F = A @ x - degree[:, None] * x
        F += repulsion(x, mass) - _K_G * mass[:, None] * x
        move = F / (2 * mass[:, None])
        length = np.sqrt(np.square(move).sum(axis=1, keepdims=True))
        hottest = _HOTTEST * float(x.std()) * (1 - step / steps)
        x += move * np.minimum(1, hottest / np.maximum(length, 1e-9))
    x -= (x.max(axis=0) + x.min(axis=0)) / 2
    return np.asarray(x / max(float(np.abs(x).max()), 1e-9), dtype=np.float32)


def repulsion(x: Floats, mass: Floats) -> Floats:
    """Return F_r of each node: exact within its cell, and from the centres of the other cells.

    Args:
        x: positions, shape (n, 2).
        mass: deg + 1 of each node, shape (n,).

    Returns:
        Forces, shape (n, 2).
    """
    n, members = len(x), _cells(x)
    m = np.append(mass, np.float32(0))[members]  # 0 for places that no node has
    p = np.append(x.T, np.zeros((2, 1), dtype=np.float32), axis=1)[:, members]
    of_cell = m.sum(axis=1)
    centre = (p * m).sum(axis=2) / np.maximum(of_cell, 1)
    near = _pulled(p, p[:, :, None, :], m[:, None, :])
    weight = np.where(np.eye(len(members), dtype=bool), np.float32(0), of_cell)[:, None, :]  # the own cell is near
    far = _pulled(p, centre[:, None, None, :], weight)
    F = np.zeros((2, n + 1), dtype=np.float32)
    F[:, members] = near + far
    return np.asarray(_K_R * mass[:, None] * F[:, :n].T, dtype=np.float32)


def _pulled(p: Floats, q: Floats, weight: Floats) -> Floats:
    """Return the sum over points q of weight (p - q) / d(p, q)^2 for each p, shape (2, cells, places).

    Args:
        p: nodes by cell, shape (2, cells, places).
        q: what repels them, shape (2, cells or 1, 1, k).
        weight: mass of each q, shape (cells, 1, k).
    """
    dx, dy = p[0][:, :, None] - q[0], p[1][:, :, None] - q[1]
    squared = dx * dx
    squared += dy * dy
    np.maximum(squared, _NEAREST, out=squared)
    np.divide(weight, squared, out=squared)
    return np.stack([np.einsum("cpk,cpk->cp", d, squared) for d in (dx, dy)])


def _cells(x: Floats) -> Ids:
    """Return the nodes of each cell, shape (c c, places); n stands at places that no node has."""
    n = len(x)
    c = max(1, round(n**0.25))
    places = -(-n // (c * c))
    order = np.append(np.argsort(x[:, 0], kind="stable"), np.full(c * c * places - n, n))
    columns = order.reshape(c, c * places)
    y = np.append(x[:, 1], np.float32(np.inf))[columns]
    return np.take_along_axis(columns, np.argsort(y, axis=1, kind="stable"), axis=1).reshape(c * c, places)


def _adjacency(n: int, i: Ids, j: Ids) -> sparse.csr_array:
    """Return the undirected graph without loops, 1 for each pair of linked nodes."""
    i, j = i[i != j], j[i != j]
    ones = np.ones(2 * len(i), dtype=np.float32)
    A = sparse.csr_array((ones, (np.append(i, j), np.append(j, i))), shape=(n, n))
    A.sum_duplicates()
    A.data[:] = 1
    return A

"""Communities and strongly connected components of a link graph given as arrays.

Communities maximise the modularity Q (M. E. J. Newman and M. Girvan, Finding and evaluating community structure in
networks, Phys. Rev. E 69, 2004) of the undirected graph whose edges weigh as many links as join their ends:

    Q = 1 / (2 m) * sum_ij (A_ij - k_i k_j / (2 m)) [c_i = c_j]

by the Leiden algorithm (V. A. Traag, L. Waltman and N. J. van Eck, From Louvain to Leiden: guaranteeing well-connected
communities, Sci. Rep. 9, 2019), as the library graspologic-native implements it. Every community is connected.
"""

from __future__ import annotations

from dataclasses import dataclass

import graspologic_native
import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.sparse import csgraph

from kg.ranking.link_matrix import Ids, link_ends

SEED = 0


@dataclass(frozen=True, slots=True, eq=False)
class Communities:
    """A partition of the nodes, and its modularity."""

    number: Ids
    """Number of each node's community, (n,): 1 is the largest; of equal ones that with the smallest node is first."""
    modularity: float
    """In [-1/2, 1]; 0 without links."""


def communities(n: int, source: ArrayLike, target: ArrayLike, *, seed: int = SEED) -> Communities:
    """Divide the nodes of a link graph into communities; a node without links is one of its own.

    Args:
        n: number of nodes.
        source: node number at the start of each of m links, shape (m,); parallel links count separately.
        target: node number at the end of each link, shape (m,); links from a node to itself are left out.
        seed: seed of the random order of moves; equal arguments give equal communities.

    Raises:
        RankError: the ends are out of range.

    >>> found = communities(7, [0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3])
    >>> found.number.tolist(), round(found.modularity, 3)
    ([1, 1, 1, 2, 2, 2, 3], 0.357)
    """
    i, j = link_ends(n, source, target)
    A = _undirected(n, i[i != j], j[i != j])
    if A.nnz == 0:
        return Communities(np.arange(1, n + 1), 0.0)
    _, label_of = graspologic_native.leiden_csr(
        A.indptr.astype(np.int64), A.indices.astype(np.int32), A.data, n, seed=seed
    )
    number = _numbered(np.array([label_of[node] for node in range(n)], dtype=np.int64))
    return Communities(number, modularity(A, number))


def modularity(A: sparse.csr_array, number: Ids) -> float:
    """Return Q of a partition.

    Args:
        A: symmetric matrix of the weights of edges, (n, n), with at least one entry.
        number: number of each node's community, (n,).
    """
    total = float(A.sum())  # 2 m
    degree = np.asarray(A.sum(axis=1), dtype=np.float64).reshape(-1)
    edges = A.tocoo()
    inside = float(edges.data[number[edges.coords[0]] == number[edges.coords[1]]].sum())
    return inside / total - float(np.square(np.bincount(number, weights=degree) / total).sum())


def components(n: int, source: ArrayLike, target: ArrayLike) -> Ids:
    """Return the number of each node's strongly connected component, (n,), numbered as communities are.

    Two nodes are in one component if links lead from each to the other.

    Args:
        n: number of nodes.
        source: node number at the start of each of m links, shape (m,).
        target: node number at the end of each link, shape (m,).

    Raises:
        RankError: the ends are out of range.

    >>> components(4, [1, 2, 3, 0], [2, 3, 1, 1]).tolist()
    [2, 1, 1, 1]
    """
    i, j = link_ends(n, source, target)
    A = sparse.csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    _, label = csgraph.connected_components(A, directed=True, connection="strong")
    return _numbered(np.asarray(label, dtype=np.int64))


def _undirected(n: int, i: Ids, j: Ids) -> sparse.csr_array:
    """Return the symmetric matrix of the number of links between two nodes, (n, n)."""
    A = sparse.csr_array((np.ones(2 * len(i)), (np.concatenate((i, j)), np.concatenate((j, i)))), shape=(n, n))
    A.sum_duplicates()
    A.sort_indices()
    return A


def _numbered(label: Ids) -> Ids:
    """Number labels from 1 by decreasing size; of equal ones that with the smallest node comes first."""
    _, first, label_of, size = np.unique(label, return_index=True, return_inverse=True, return_counts=True)
    number = np.empty(len(size), dtype=np.int64)
    number[np.lexsort((first, -size))] = np.arange(1, len(size) + 1)
    return number[label_of]

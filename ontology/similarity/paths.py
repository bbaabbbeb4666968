"""Similarity by paths and depths: path, Leacock and Chodorow, Wu and Palmer.

Sources, with N the number of nodes on the shortest path, d = N - 1 its edges, D the depth of the hierarchy in nodes:

    path               1 / N = 1 / (1 + d)                  Rada et al. 1989, as similarity in WordNet::Similarity
    Leacock, Chodorow  -ln(N / (2 D))                       Leacock and Chodorow 1998; nodes are counted
    Wu and Palmer      2 dep(lca) / (dep(c1) + dep(c2))     Wu and Palmer 1994; longest-path depth, root = 1

As in WordNet::Similarity and NLTK, the shortest path goes up to a common ancestor and down again. (IF_Dis of Sem may
also go down and up; in a tree the two are the same.) D is the largest dep. Concepts without a common ancestor have
similarity 0. Wu and Palmer's measure with shortest-path depths can exceed 1 in a DAG, so depths are of longest paths;
it then equals IF_Dep of Sem. NLTK mixes the two kinds of depth and can return other values where paths differ in
length.

>>> graph = ConceptGraph.from_edges([("flood", "disaster"), ("flash flood", "flood"), ("drought", "disaster")])
>>> graph.names
('disaster', 'drought', 'flash flood', 'flood')
>>> flood = np.array([3])
>>> edges_over_ancestor(graph, flood).tolist()
[[1.0, 2.0, 1.0, 0.0]]
>>> path(graph, flood).round(3).tolist()
[[0.5, 0.333, 0.5, 1.0]]
>>> wu_palmer(graph, flood).round(3).tolist()
[[0.667, 0.5, 0.8, 1.0]]
>>> leacock_chodorow(graph, flood).round(3).tolist()
[[1.099, 0.693, 1.099, 1.792]]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import ConceptGraph, Ints

Floats = NDArray[np.float64]


def path(graph: ConceptGraph, rows: Ints) -> Floats:
    """Compute 1 / N from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, 1].
    """
    return 1 / (1 + edges_over_ancestor(graph, rows))


def leacock_chodorow(graph: ConceptGraph, rows: Ints) -> Floats:
    """Compute -ln(N / (2 D)) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, ln 2D]; positive where there is a path.
    """
    nodes = 1 + edges_over_ancestor(graph, rows)
    connected = np.isfinite(nodes)
    length = np.log(nodes, out=np.full_like(nodes, largest_leacock_chodorow(graph)), where=connected)
    return largest_leacock_chodorow(graph) - length


def largest_leacock_chodorow(graph: ConceptGraph) -> float:
    """Return ln 2D, the similarity of a concept to itself."""
    return float(np.log(2 * graph.dep.max()))


def wu_palmer(graph: ConceptGraph, rows: Ints) -> Floats:
    """Compute 2 dep(lca) / (dep(c1) + dep(c2)) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, 1].
    """
    return depth_ratio(graph, rows, graph.common_ancestors(rows))


def depth_ratio(graph: ConceptGraph, rows: Ints, lca: Ints) -> Floats:
    """Compute Wu and Palmer's ratio for known lowest common ancestors.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes c1, shape (r,).
        lca: indices of the lowest common ancestors, shape (r, k); -1 for none, which yields 0.

    Returns:
        Similarities, shape (r, k), in [0, 1].
    """
    dep = graph.dep.astype(np.float64)
    common = np.append(dep, 0.0)[lca]  # an lca of -1 takes the last
    return 2 * common / (dep[rows][:, None] + dep[None, :])


def edges_over_ancestor(graph: ConceptGraph, rows: Ints) -> Floats:
    """Count the edges of the shortest paths over a common ancestor.

    The path from c1 goes down at once if c2 is below c1, or begins with a step up: a row is the minimum over its
    parents' rows plus one, and over the paths down.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Numbers of edges, shape (r, k); infinite without a common ancestor.
    """
    k = len(graph.names)
    far = 2 * k
    up = np.full((k, k), far, dtype=np.int32)
    for c in graph.order:
        for p in graph.parents[c]:
            np.minimum(up[c], up[p] + 1, out=up[c])
        up[c, c] = 0
    down = np.ascontiguousarray(up.T)
    needed = np.asarray(graph.anc[rows].any(axis=0)).tolist()
    shortest: dict[int, NDArray[np.int32]] = {}
    for c in graph.order:
        if needed[c]:
            for p in graph.parents[c]:
                np.minimum(down[c], shortest[p] + 1, out=down[c])
            shortest[c] = down[c]
    d = down[rows]
    return np.where(d < far, d, np.inf)

"""Semantic similarity of two concepts: the five factors and their weighted sum.

Source: paper 000, Eq. (1) to (3): Sem = a IF_Dis + b IF_Den + c IF_Dep + d IF_Coi + e IF_Rel with the published
coefficients .7, .04, .11, .03, .12; the weight of ontology word t is Sem(GC, t), in local ontology j Sem(LC_j, t).
The five factors are named in the paper and defined nowhere; the definitions are a reconstruction from the works that
the names refer to:

    IF_Dis = alpha / (alpha + d(c1, c2)), 0 if not connected        path distance, Rada et al. 1989; alpha = 1
    IF_Den = (1 + ch(lca)) / (1 + max ch)                           local density, Jiang and Conrath 1997
    IF_Dep = 2 dep(lca) / (dep(c1) + dep(c2))                       Wu and Palmer 1994, longest-path depth
    IF_Coi = |anc(c1) n anc(c2)| / |anc(c1) u anc(c2)|              upwards cotopy, Maedche and Staab 2002
    IF_Rel = geometric mean of the edge weights on the shortest     edge strengths, Wang et al. 2007
             path with the largest one; 0 if not connected

Every factor is 1 for identical or equivalent concepts; IF_Den and IF_Dep are 0 if there is no common ancestor. Which
edges count, and anc, dep, ch, d and the edge weights: see concept_graph.py. Ties:

* lca: the common ancestor with the largest dep, of those the largest ch, of those the smallest IRI (code points).
  Only dep and ch of it enter the factors, so the IRI never changes a number.
* IF_Rel: over all shortest paths the best; with weights .8 and .6 the path with the most is-a edges.
* the path that is reported: of the best paths the one whose list of IRIs, read from c1, is smallest; contracted
  concepts appear as their smallest IRI, both ends under the IRIs passed.

Definitions "cn_literature" (Cui and Li 2013 and similar): IF_Dis with alpha = 1.6, IF_Den = (ch1 + ch2) / (2 max ch),
IF_Dep = (dep1 + dep2) / (|dep1 - dep2| + 2 max dep), the others alike; not the default because IF_Dep grows with the
depth of the other concept when one of them is the root.

>>> from ontology.model import Concept, Ontology, Relation
>>> covers = ((1, 2), (1, 3), (1, 6), (3, 4), (3, 5), (4, 8), (5, 8), (6, 7), (6, 8))  # Table 1 of paper 000
>>> table1 = Ontology("o", "global", "Table 1", "1", "T1", tuple(Concept(f"T{i}", f"T{i}") for i in range(1, 9)),
...                   tuple(Relation(f"T{u}", "subclass_of", f"T{t}") for t, u in covers))
>>> matrix(table1).sem[0].round(4).tolist()  # T1, the root: the weights of the terms
[1.0, 0.5743, 0.5743, 0.4343, 0.4343, 0.5743, 0.4343, 0.4183]
>>> five = factors(table1, "T1", "T8")
>>> round(five.distance, 3), five.density, five.depth, round(five.coincidence, 3), round(five.relation, 3)
(0.333, 1.0, 0.4, 0.167, 0.8)
>>> float(matrix(table1).sem[3, 7].round(4))  # T4, T8
0.5753

>>> graph = ConceptGraph.from_edges([("flood", "disaster"), ("flash flood", "flood"), ("drought", "disaster")])
>>> graph.names
('disaster', 'drought', 'flash flood', 'flood')
>>> flood = np.array([3])
>>> _edges_over_ancestor(graph, flood).tolist()
[[1.0, 2.0, 1.0, 0.0]]
>>> path(graph, flood).round(3).tolist()
[[0.5, 0.333, 0.5, 1.0]]
>>> wu_palmer(graph, flood).round(3).tolist()
[[0.667, 0.5, 0.8, 1.0]]
>>> leacock_chodorow(graph, flood).round(3).tolist()
[[1.099, 0.693, 1.099, 1.792]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import IS_A, PART_OF, Bools, ConceptGraph, Ints
from ontology.model import Factors, Ontology

Floats = NDArray[np.float64]
Definitions = Literal["default", "cn_literature"]
COEFFICIENTS = (0.7, 0.04, 0.11, 0.03, 0.12)
"""Coefficients of distance, density, depth, coincidence and relation; paper 000, Eq. (1)."""
ALPHA: dict[Definitions, float] = {"default": 1.0, "cn_literature": 1.6}


@dataclass(frozen=True, eq=False)
class SimilarityMatrix:
    """The factors and Sem of all pairs, each of shape (k, k), rows and columns in the order of ``iris``."""

    iris: tuple[str, ...]
    factors: Factors[Floats]
    sem: Floats


def sem(factors: Factors[float], coefficients: tuple[float, ...] = COEFFICIENTS) -> float:
    """Compute Eq. (1), the weighted sum of the five factors.

    Args:
        factors: the five factors of a pair of concepts.
        coefficients: weights in the order of the fields of `Factors`, non-negative, summing to 1.

    Returns:
        The similarity, in [0, 1].

    Raises:
        ValueError: not five coefficients, a negative one, or a sum that is not 1.

    >>> round(sem(Factors(distance=0.5, density=1.0, depth=2 / 3, coincidence=0.5, relation=0.8)), 4)
    0.5743
    """
    _check_coefficients(coefficients)
    return float(sum(a * f for a, f in zip(coefficients, astuple(factors), strict=True)))


def factors(
    ontology: Ontology, c1: str, c2: str, *, alpha: float | None = None, definitions: Definitions = "default"
) -> Factors[float]:
    """Compute the five factors of two concepts.

    Args:
        ontology: the ontology.
        c1: IRI of one of its concepts.
        c2: IRI of another, or the same.
        alpha: constant of IF_Dis, positive; None for the value of the definitions (`ALPHA`).
        definitions: "default" or "cn_literature".

    Returns:
        The factors, each in [0, 1].

    Raises:
        KeyError: the ontology has no concept with this IRI.
        ValueError: unknown definitions, or alpha is not positive.
        OntologyCycle: the subclass-of and part-of edges have a cycle.
    """
    graph = ConceptGraph.of(ontology)
    for iri in (c1, c2):
        if iri not in graph.node:
            raise KeyError(f"ontology {ontology.iri} has no concept {iri}")
    values = factor_arrays(graph, np.array([graph.node[c1]]), alpha, definitions)
    return Factors(*(float(v[0, graph.node[c2]]) for v in values))


def matrix(
    ontology: Ontology,
    *,
    alpha: float | None = None,
    definitions: Definitions = "default",
    coefficients: tuple[float, ...] = COEFFICIENTS,
) -> SimilarityMatrix:
    """Compute the factors and Sem of all pairs of concepts.

    Args:
        ontology: the ontology.
        alpha: constant of IF_Dis, positive; None for the value of the definitions (`ALPHA`).
        definitions: "default" or "cn_literature".
        coefficients: weights of the five factors, non-negative, summing to 1.

    Returns:
        Six (k, k) arrays, rows and columns in the order of the ontology's concepts.

    Raises:
        ValueError: unknown definitions, alpha is not positive, or invalid coefficients.
        OntologyCycle: the subclass-of and part-of edges have a cycle.
    """
    _check_coefficients(coefficients)
    graph = ConceptGraph.of(ontology)
    values = factor_arrays(graph, np.arange(len(graph.names)), alpha, definitions)
    place = np.array([graph.node[concept.iri] for concept in ontology.concepts])
    if not np.array_equal(place, np.arange(len(graph.names))):
        values = tuple(v[np.ix_(place, place)] for v in values)
    iris = tuple(concept.iri for concept in ontology.concepts)
    return SimilarityMatrix(iris, Factors(*values), weighted_sum(values, coefficients))


def weighted_sum(values: tuple[Floats, ...], coefficients: tuple[float, ...] = COEFFICIENTS) -> Floats:
    """Compute Eq. (1) on arrays.

    Args:
        values: the five factors, arrays of one shape.
        coefficients: their weights.

    Returns:
        The similarities, of the same shape.

    >>> weighted_sum(tuple(np.array([f]) for f in (0.5, 1.0, 2 / 3, 0.5, 0.8))).round(4).tolist()
    [0.5743]
    """
    total = coefficients[0] * values[0]
    for a, value in zip(coefficients[1:], values[1:], strict=True):
        total += a * value
    return total


def factor_arrays(
    graph: ConceptGraph, rows: Ints, alpha: float | None, definitions: Definitions
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Compute the five factors from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes c1, shape (r,).
        alpha: constant of IF_Dis, positive; None for the value of the definitions.
        definitions: "default" or "cn_literature".

    Returns:
        Five arrays of shape (r, k), values in [0, 1].

    Raises:
        ValueError: unknown definitions, or alpha is not positive.
    """
    if definitions not in get_args(Definitions):
        raise ValueError(f"definitions: expected one of {', '.join(get_args(Definitions))}, found {definitions!r}")
    alpha = ALPHA[definitions] if alpha is None else alpha
    if not 0 < alpha < np.inf:
        raise ValueError(f"alpha: expected a positive number, found {alpha}")
    d, by_is_a = graph.distances(rows)
    distance = alpha / (alpha + d)
    density, depth = _density_and_depth(graph, rows) if definitions == "default" else _cn_literature(graph, rows)
    size = graph.anc.sum(axis=1, dtype=np.float64)
    both = _shared(graph.anc, rows)
    coincidence = both / (size[rows][:, None] + size[None, :] - both)
    relation = _relation(d, by_is_a)
    values = (distance, density, depth, coincidence, relation)
    for value in values:
        value[np.arange(len(rows)), rows] = 1.0  # IF_Den, and all of cn_literature, need the case distinction
    return values


def _density_and_depth(graph: ConceptGraph, rows: Ints) -> tuple[Floats, Floats]:
    lca = graph.common_ancestors(rows)
    ch = graph.ch.astype(np.float64)
    density = np.append((1 + ch) / (1 + ch.max()), 0.0)[lca]  # an lca of -1 takes the last
    return density, _depth_ratio(graph, rows, lca)


def _cn_literature(graph: ConceptGraph, rows: Ints) -> tuple[Floats, Floats]:
    dep, ch = graph.dep.astype(np.float64), graph.ch.astype(np.float64)
    density = (ch[rows][:, None] + ch[None, :]) / (2 * max(ch.max(), 1.0))
    one, other = dep[rows][:, None], dep[None, :]
    return density, (one + other) / (np.abs(one - other) + 2 * dep.max())


def _relation(d: Floats, by_is_a: Floats) -> Floats:
    """Return the geometric mean .8^(k/d) .6^(1 - k/d) with k is-a edges among d; 0 where not connected."""
    connected = np.isfinite(d) & (d > 0)
    share = np.divide(by_is_a, d, out=np.zeros_like(d), where=connected)
    mean = np.exp(share * np.log(IS_A) + (1 - share) * np.log(PART_OF))
    return np.where(connected, mean, 0.0)


def _check_coefficients(coefficients: tuple[float, ...]) -> None:
    if len(coefficients) != 5 or min(coefficients) < 0 or abs(sum(coefficients) - 1) > 1e-9:
        raise ValueError(f"coefficients: expected five non-negative numbers that sum to 1, found {coefficients}")


# ---- similarity of concepts as sets of features: Tversky's ratio model, and what two sets share
#
# Source: Tversky 1977, "Features of similarity", Psychological Review 84(4), the ratio model; sets count their
# elements:
#
#     S(c1, c2) = |A n B| / (|A n B| + alpha |A - B| + beta |B - A|),  A, B features of c1, c2;  alpha, beta >= 0
#
# alpha = beta = 1/2 is Dice's coefficient, alpha = beta = 1 Jaccard's. If alpha > beta, what c1 has and c2 lacks
# weighs more than the reverse, and S is not symmetric.
#
# Features of a concept are other concepts (Maedche and Staab 2002, "Measuring similarity between ontologies"): its
# ancestors and itself (upwards cotopy), or these and its descendants (semantic cotopy).


Features = Callable[[ConceptGraph], Bools]


def _upwards_cotopy(graph: ConceptGraph) -> Bools:
    """Return the ancestors of each concept, itself included, shape (k, k)."""
    return graph.anc


def _semantic_cotopy(graph: ConceptGraph) -> Bools:
    """Return the ancestors and descendants of each concept, itself included, shape (k, k)."""
    return graph.anc | graph.anc.T


_DENSE = 0.06
"""Share of ones in a table of features above which a product of matrices is quicker than sums of its columns."""

FEATURES: Mapping[str, Features] = {"ancestors": _upwards_cotopy, "cotopy": _semantic_cotopy}


def _shared(features: Bools, rows: Ints) -> Floats:
    """Count the features that pairs of concepts share, |A n B|.

    Sparse features: the columns of the features of c1 are added up. Dense ones: a matrix product. Both are exact.

    Args:
        features: table of features, shape (k, n).
        rows: indices of the first concepts c1, shape (r,).

    Returns:
        Counts for each c1 and all c2, shape (r, k).

    >>> ancestors = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=np.bool_)
    >>> _shared(ancestors, np.array([1])).tolist()
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
    both = _shared(features, rows)
    lacking = alpha * (size[rows][:, None] - both) + beta * (size[None, :] - both)
    # alpha or beta 0: the denominator is 0 if two concepts share nothing and only differ in features of weight 0
    share: Floats = np.divide(both, both + lacking, out=np.zeros_like(both), where=both > 0)
    return share


# ---- similarity by paths and depths: path, Leacock and Chodorow, Wu and Palmer
#
# Sources, with N the number of nodes on the shortest path, d = N - 1 its edges, D the depth of the hierarchy in nodes:
#
#     path               1 / N = 1 / (1 + d)                  Rada et al. 1989, as similarity in WordNet::Similarity
#     Leacock, Chodorow  -ln(N / (2 D))                       Leacock and Chodorow 1998; nodes are counted
#     Wu and Palmer      2 dep(lca) / (dep(c1) + dep(c2))     Wu and Palmer 1994; longest-path depth, root = 1
#
# As in WordNet::Similarity and NLTK, the shortest path goes up to a common ancestor and down again. (IF_Dis of Sem
# may also go down and up; in a tree the two are the same.) D is the largest dep. Concepts without a common ancestor
# have similarity 0. Wu and Palmer's measure with shortest-path depths can exceed 1 in a DAG, so depths are of longest
# paths; it then equals IF_Dep of Sem. NLTK mixes the two kinds of depth and can return other values where paths
# differ in length.


def path(graph: ConceptGraph, rows: Ints) -> Floats:
    """Compute 1 / N from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, 1].
    """
    return 1 / (1 + _edges_over_ancestor(graph, rows))


def leacock_chodorow(graph: ConceptGraph, rows: Ints) -> Floats:
    """Compute -ln(N / (2 D)) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        rows: indices of the nodes, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, ln 2D]; positive where there is a path.
    """
    nodes = 1 + _edges_over_ancestor(graph, rows)
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
    return _depth_ratio(graph, rows, graph.common_ancestors(rows))


def _depth_ratio(graph: ConceptGraph, rows: Ints, lca: Ints) -> Floats:
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


def _edges_over_ancestor(graph: ConceptGraph, rows: Ints) -> Floats:
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

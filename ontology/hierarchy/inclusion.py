"""Tests whether the inclusion of one term's documents in another's is evidence: the reading "significant".

Reconstruction; not published by the authors of paper 000, whose reading ("published", readings.py) takes every
inclusion. Trap T11b: co-occurrence is not hyponymy. Three named rules decide about an inclusion ext(u) <= ext(t):

* head rule: u ends with t (山洪灾害 "flash flood disaster" ends with 灾害 "disaster"). Compounds of Chinese and English
  nouns have their head on the right (Williams 1981), so u is a kind of t. Accepted, whatever the numbers.
* nested modifier rule: t is contained in u, but not at its end (心理台风眼效应 "psychological typhoon eye effect" and
  台风 "typhoon"). Where terms are found by their spelling, every document with u then has t: the inclusion is a
  tautology, not an observation, and u is not a kind of t. Vetoed, also as a consequence of other edges.
* document rule: any other inclusion must be significant. If the df(u) documents of u were drawn at random from the n of
  the corpus, all of them would contain t with probability p = C(df(t), df(u)) / C(n, df(u)) (hypergeometric). Accepted
  if df(u) is at least `MIN_EVIDENCE` and p passes Benjamini and Hochberg's step-up procedure (1995) at level q over
  all ordered pairs of terms so frequent: of the edges accepted by this rule about a share q are chance inclusions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from ontology.context import Bools, FormalContext, bits_of
from ontology.evidence.spelling import contains, ends_with
from ontology.hierarchy.term_dag import SHOWN, Rejected, TermEdge, TermNode

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MIN_EVIDENCE = 3
"""Smallest number of documents for which an inclusion is evidence."""


def inclusion_p_values(df: Ints, n: int) -> Floats:
    """Compute p[u, t] = C(df(t), df(u)) / C(n, df(u)), the chance that t has all documents of u.

    Args:
        df: document frequencies of k terms, shape (k,).
        n: number of documents.

    Returns:
        Probabilities, shape (k, k); 1 if df(t) < df(u).

    >>> inclusion_p_values(np.array([2, 5]), 10).round(3).tolist()  # p[0, 1] = C(5, 2) / C(10, 2) = 10/45
    [[0.022, 0.222], [1.0, 0.004]]
    """
    d = df.astype(np.float64)
    u, t = d[:, None], d[None, :]
    with np.errstate(invalid="ignore"):
        gammaln = scipy.special.gammaln
        log_p = gammaln(t + 1) - gammaln(np.maximum(t - u, 0) + 1) - gammaln(n + 1.0) + gammaln(n - u + 1)
    return np.where(t >= u, np.exp(np.minimum(log_p, 0)), 1.0)


def _benjamini_hochberg(p: Floats, tests: int, q: float) -> float:
    """Find the largest p-value that is rejected at a false discovery rate.

    Args:
        p: p-values of the hypotheses that may be rejected.
        tests: number of all hypotheses tested, at least ``len(p)``.
        q: false discovery rate, in (0, 1).

    Returns:
        The largest rejected p-value; 0 if none is rejected.

    >>> _benjamini_hochberg(np.array([0.001, 0.02, 0.04, 0.5]), tests=4, q=0.05)
    0.02
    """
    ordered = np.sort(p)
    passing = np.flatnonzero(ordered <= q * np.arange(1, len(p) + 1) / max(tests, 1))
    return float(ordered[passing[-1]]) if len(passing) else 0.0


@dataclass(frozen=True, eq=False)
class Judgement:
    """The decisions of the three rules about every ordered pair (u, t) of k terms.

    Attributes:
        included: ext(u) <= ext(t), shape (k, k).
        head: accepted by the head rule, shape (k, k).
        vetoed: by the nested modifier rule, shape (k, k).
        documents: accepted by the document rule, shape (k, k).
        p: p-values, shape (k, k).
        threshold: the largest accepted p-value.
    """

    included: Bools
    head: Bools
    vetoed: Bools
    documents: Bools
    p: Floats
    threshold: float


def judge(table: Bools, names: tuple[str, ...], *, min_evidence: int, q: float) -> Judgement:
    """Apply the three rules to an incidence table.

    Args:
        table: booleans, shape (documents, terms).
        names: the terms.
        min_evidence: smallest number of documents of a term under the document rule.
        q: false discovery rate of the document rule.

    Returns:
        The decisions.

    >>> table = np.array([[1, 1, 1], [1, 1, 1], [0, 1, 0], [0, 0, 0]], dtype=np.bool_)
    >>> rules = judge(table, ("flash flood", "flood", "flash"), min_evidence=3, q=0.05)
    >>> bool(rules.head[0, 1]), bool(rules.vetoed[0, 2]), bool(rules.documents[2, 1])
    (True, True, False)
    """
    n, k = table.shape
    df = table.sum(axis=0, dtype=np.int64)
    together = table.astype(np.float32).T @ table.astype(np.float32)
    included = (together == df[:, None]) & ~np.eye(k, dtype=np.bool_)
    head, nested = np.zeros((k, k), dtype=np.bool_), np.zeros((k, k), dtype=np.bool_)
    for u, t in zip(*np.nonzero(included), strict=True):
        head[u, t] = ends_with(names[u], names[t])
        nested[u, t] = contains(names[u], names[t]) or contains(names[t], names[u])
    p = inclusion_p_values(df, n)
    frequent = df >= min_evidence
    tested = frequent[:, None] & frequent[None, :] & (df[:, None] <= df[None, :]) & ~np.eye(k, dtype=np.bool_)
    open_question = included & tested & ~nested
    threshold = _benjamini_hochberg(p[open_question], int(tested.sum()), q)
    return Judgement(included, head, included & nested & ~head, open_question & (p <= threshold), p, threshold)


# ---- nodes and edges of a hierarchy from inclusions of documents: the readings "published" and "significant"
#
# Source: paper 000 section 3.1, after Zhu 2017: t is a hypernym of u if and only if ext(u) is a proper subset of
# ext(t); the hierarchy is the covering relation of the attribute concepts; equal extents are equivalent classes. The
# reading "significant" keeps only the inclusions that inclusion.py accepts as evidence.


def grouped(
    context: FormalContext, kept: list[int], judgement: Judgement | None, frequency: Mapping[str, int]
) -> tuple[tuple[TermNode, ...], list[list[int]]]:
    """Group the terms of equal extent into nodes.

    Args:
        context: documents x terms.
        kept: positions of the attributes that are terms of the hierarchy.
        judgement: decisions of the reading "significant"; with them, only terms that `_merges` allows share a node.
        frequency: occurrences of each term, to choose the label.

    Returns:
        The nodes in their order, and for each the positions (within ``kept``) of its terms, label first.
    """
    groups: dict[tuple[int, int], list[int]] = {}
    for i, j in enumerate(kept):
        apart = -1 if judgement is None or _merges(judgement, i) else i
        groups.setdefault((context.columns[j], apart), []).append(i)
    ranked = [
        sorted(group, key=lambda i: (-frequency.get(context.attributes[kept[i]], 0), context.attributes[kept[i]]))
        for group in groups.values()
    ]
    nodes = [(TermNode(tuple(context.attributes[kept[i]] for i in g), context.columns[kept[g[0]]]), g) for g in ranked]
    nodes.sort(key=lambda pair: (-pair[0].document_frequency, pair[0].label))
    return tuple(node for node, _ in nodes), [group for _, group in nodes]


def _merges(judgement: Judgement, i: int) -> bool:
    """Return whether a term joins those of equal extent: the document rule accepts it, and no spelling relates them.

    A term that ends with another (最大风速 with 风速) is narrower, however equal the documents; the head rule makes
    that edge.
    """
    equal = judgement.included[i] & judgement.included[:, i]
    by_spelling = judgement.head | judgement.vetoed
    related = (by_spelling[i] | by_spelling[:, i]) & equal
    return bool((judgement.documents[i] & equal).any() and not related.any())


def strict_inclusions(table: Bools) -> Bools:
    """Return above[u, t]: ext(u) is a proper subset of ext(t), shape (k, k).

    >>> strict_inclusions(np.array([[1, 1], [0, 1]], dtype=np.bool_)).tolist()
    [[False, True], [False, False]]
    """
    df = table.sum(axis=0, dtype=np.int64)
    X = table.astype(np.float32)
    included: Bools = df[:, None] == X.T @ X
    return np.asarray(included & (df[:, None] < df[None, :]))


def accepted(
    judgement: Judgement, names: tuple[str, ...], members: list[list[int]]
) -> tuple[Bools, tuple[Rejected, ...]]:
    """Select the inclusions that the rules accept.

    Edges are taken one by one, heads first, then by rising p; one that would put a term below its own modifier by
    transitivity is rejected too.

    Args:
        judgement: the decisions of the three rules.
        names: the terms.
        members: positions of the terms of each node, label first.

    Returns:
        The transitive relation of the accepted inclusions among nodes, shape (nodes, nodes), and the rejected ones.
    """
    first = np.array([group[0] for group in members])
    pick = np.ix_(first, first)
    head, vetoed, documents = judgement.head[pick], judgement.vetoed[pick], judgement.documents[pick]
    reach = np.eye(len(first), dtype=np.bool_)
    rejected: list[Rejected] = []
    u, t = np.nonzero(judgement.included[pick])
    order = np.lexsort((t, u, judgement.p[first[u], first[t]], ~head[u, t]))
    for c, p in zip(u[order].tolist(), t[order].tolist(), strict=True):
        below, over = np.flatnonzero(reach[:, c]), np.flatnonzero(reach[p])
        child, parent = names[first[c]], names[first[p]]
        if vetoed[c, p]:
            rejected.append(Rejected(child, parent, "nested modifier: included by spelling, not a kind of it"))
        elif not head[c, p] and not documents[c, p]:
            value = judgement.p[first[c], first[p]]
            rejected.append(Rejected(child, parent, f"no evidence: p = {value:.2g}, limit {judgement.threshold:.2g}"))
        elif vetoed[np.ix_(below, over)].any() or reach[p, c]:
            rejected.append(Rejected(child, parent, "would put a term below its own modifier"))
        else:
            reach[np.ix_(below, over)] = True
    np.fill_diagonal(reach, val=False)
    return reach, tuple(rejected)


def _reduction(above: Bools) -> Bools:
    """Compute the covering relation (transitive reduction) of a strict order, shape (k, k).

    >>> _reduction(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=np.bool_)).astype(int).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    L = above.astype(np.float32)
    return np.asarray(above & ~(L @ L > 0))


def covering_edges(
    context: FormalContext, nodes: tuple[TermNode, ...], above: Bools, heads: Bools | None, otherwise: str
) -> tuple[TermEdge, ...]:
    """Make the edges of a strict order of nodes, with their figures.

    Args:
        context: documents x terms.
        nodes: the k nodes.
        above: the order, shape (k, k).
        heads: pairs that the head rule accepted, shape (k, k); None for none.
        otherwise: evidence of all other edges.

    Returns:
        The edges of the transitive reduction.
    """
    df: Ints = np.array([node.document_frequency for node in nodes])
    p = inclusion_p_values(df, len(context.objects))
    edges = []
    for u, t in zip(*(axis.tolist() for axis in np.nonzero(_reduction(above))), strict=True):
        both = nodes[u].extent & nodes[t].extent
        evidence = "head noun" if heads is not None and heads[u, t] else otherwise
        support = both.bit_count()
        figures = (support, support / int(df[u]), float(p[u, t]))
        edges.append(TermEdge(u, t, evidence, *figures, documents=shown(context, both)))
    return tuple(edges)


def shown(context: FormalContext, documents: int) -> tuple[str, ...]:
    """Return the ids of the first `SHOWN` documents of a bitset."""
    return tuple(context.objects[i] for i, _ in zip(bits_of(documents), range(SHOWN), strict=False))

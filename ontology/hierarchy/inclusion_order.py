"""Nodes and edges of a hierarchy from inclusions of documents: the readings "published" and "significant".

Source: paper 000 section 3.1, after Zhu 2017: t is a hypernym of u if and only if ext(u) is a proper subset of
ext(t); the hierarchy is the covering relation of the attribute concepts; equal extents are equivalent classes. The
reading "significant" keeps only the inclusions that inclusion.py accepts as evidence.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ontology.context import Bools, FormalContext, bits_of
from ontology.hierarchy.inclusion import Ints, Judgement, inclusion_p_values
from ontology.hierarchy.term_dag import SHOWN, Rejected, TermEdge, TermNode


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


def reduction(above: Bools) -> Bools:
    """Compute the covering relation (transitive reduction) of a strict order, shape (k, k).

    >>> reduction(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=np.bool_)).astype(int).tolist()
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
    for u, t in zip(*(axis.tolist() for axis in np.nonzero(reduction(above))), strict=True):
        both = nodes[u].extent & nodes[t].extent
        evidence = "head noun" if heads is not None and heads[u, t] else otherwise
        support = both.bit_count()
        edges.append(TermEdge(u, t, support, support / int(df[u]), float(p[u, t]), evidence, shown(context, both)))
    return tuple(edges)


def shown(context: FormalContext, documents: int) -> tuple[str, ...]:
    """Return the ids of the first `SHOWN` documents of a bitset."""
    return tuple(context.objects[i] for i, _ in zip(bits_of(documents), range(SHOWN), strict=False))

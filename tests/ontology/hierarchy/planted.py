"""Planted taxonomies: a known DAG, the documents generated from it, and the share of its edges that a reading recovers.

The benchmark is not from the literature. A document is about one random term of the DAG and contains it and all its
ancestors. Noise removes a share of the incidences and adds as many elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontology.context import Bools, FormalContext
from ontology.hierarchy.inclusion import _reduction
from ontology.hierarchy.term_dag import TermHierarchy

DOCUMENTS = 1000
TERMS = 60
SECOND_PARENTS = 0.3


@dataclass(frozen=True, eq=False)
class Planted:
    """A generated context and the edges (child, parent) of the DAG's transitive reduction, by attribute name."""

    context: FormalContext
    edges: frozenset[tuple[str, str]]


def planted(
    seed: int,
    *,
    noise: float = 0.0,
    documents: int = DOCUMENTS,
    terms: int = TERMS,
    second_parents: float = SECOND_PARENTS,
) -> Planted:
    """Generate a planted taxonomy.

    Args:
        seed: seed of the random generator.
        noise: share of the incidences that is removed, in [0, 1); as many random ones are added.
        documents: number of documents.
        terms: number of terms.
        second_parents: share of the terms with a second parent, in [0, 1].

    Returns:
        The context and the true edges.

    >>> truth = planted(1, documents=20, terms=5)
    >>> len(truth.context.objects), len(truth.context.attributes)
    (20, 5)
    """
    rng = np.random.default_rng(seed)
    above = _ancestors(rng, terms, round(second_parents * terms))
    table = above[rng.integers(0, terms, documents)]
    if noise:
        table = _noisy(rng, table, noise)
    names = [f"t{i}" for i in range(terms)]
    strict = above & ~np.eye(terms, dtype=np.bool_)
    edges = frozenset((names[u], names[t]) for u, t in np.argwhere(_reduction(strict)).tolist())
    return Planted(FormalContext.from_bools([f"d{i}" for i in range(documents)], names, table), edges)


def _ancestors(rng: np.random.Generator, k: int, second: int) -> Bools:
    """Return above[u, t]: t is u or above it. Each node but the first has a random earlier parent; some have two."""
    parents = [set[int]()] + [{int(rng.integers(0, i))} for i in range(1, k)]
    for i in rng.choice(np.arange(2, k), second, replace=False).tolist():
        parents[i].add(int(rng.choice([j for j in range(i) if j not in parents[i]])))
    above = np.eye(k, dtype=np.bool_)
    for i in range(k):
        for p in parents[i]:
            above[i] |= above[p]
    return above


def _noisy(rng: np.random.Generator, table: Bools, noise: float) -> Bools:
    present, absent = np.argwhere(table), np.argwhere(~table)
    moved = round(noise * len(present))
    noisy = table.copy()
    noisy[tuple(rng.choice(present, moved, replace=False).T)] = False
    noisy[tuple(rng.choice(absent, moved, replace=False).T)] = True
    return noisy


def edge_f1(hierarchy: TermHierarchy, truth: Planted) -> float:
    """Compute the F1 score (harmonic mean of precision and recall) of the direct edges.

    Args:
        hierarchy: the hierarchy read from the context; a node counts for each of its terms.
        truth: the planted taxonomy.

    Returns:
        The score, in [0, 1].
    """
    edges = {
        (u, t)
        for edge in hierarchy.edges
        for u in hierarchy.nodes[edge.child].terms
        for t in hierarchy.nodes[edge.parent].terms
    }
    right = len(edges & truth.edges)
    return 2 * right / (len(edges) + len(truth.edges)) if edges or truth.edges else 1.0

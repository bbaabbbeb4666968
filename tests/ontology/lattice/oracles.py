"""Slow and plain: the definitions of formal concept analysis, and another enumeration, to compare with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import networkx as nx

from ontology.context import FormalContext
from ontology.lattice import Lattice

Concepts = set[tuple[int, int]]


def subsets(bitset: int) -> Iterator[int]:
    """All subsets of a bitset."""
    sub = bitset
    while True:
        yield sub
        if not sub:
            return
        sub = (sub - 1) & bitset


def brute_force(context: FormalContext) -> Concepts:
    """All concepts, from all sets of objects."""
    intents = {context.intent(A) for A in range(2 ** len(context.objects))}
    return {(context.extent(B), B) for B in intents}


def next_closure(context: FormalContext) -> Concepts:
    """All concepts by Ganter's NextClosure (1984), attribute 0 the most significant."""
    m = len(context.attributes)
    B = context.intent(context.extent(0))
    found = {(context.extent(B), B)}
    while (1 << m) - 1 != B:
        for i in reversed(range(m)):
            before = (1 << i) - 1
            if B >> i & 1:
                continue
            C = context.intent(context.extent(B & before | 1 << i))
            if C & before == B & before:
                B = C
                break
        found.add((context.extent(B), B))
    return found


def reduction(concepts: Concepts) -> set[tuple[int, int]]:
    """Covers as pairs of extents, by networkx."""
    order = nx.DiGraph()
    order.add_nodes_from(A for A, _ in concepts)
    order.add_edges_from((A, C) for (A, _), (C, _) in itertools.permutations(concepts, 2) if A & C == C)
    return set(nx.transitive_reduction(order).edges)


def values(found: Lattice) -> Concepts:
    return {(c.extent, c.intent) for c in found.concepts}


def extent_pairs(found: Lattice) -> set[tuple[int, int]]:
    return {(found.concepts[u].extent, found.concepts[v].extent) for u, v in found.covers.tolist()}


def intensional(context: FormalContext, extent: int, intent: int) -> Fraction:
    """Stability from its definition."""
    return Fraction(sum(context.intent(C) == intent for C in subsets(extent)), 2 ** extent.bit_count())


def extensional(context: FormalContext, extent: int, intent: int) -> Fraction:
    """The dual."""
    return Fraction(sum(context.extent(D) == extent for D in subsets(intent)), 2 ** intent.bit_count())


def pseudo_intents(context: FormalContext) -> dict[int, int]:
    """Every pseudo-intent and its closure, from the recursive definition."""
    found: dict[int, int] = {}
    for P in sorted(range(2 ** len(context.attributes)), key=int.bit_count):
        closure = context.intent(context.extent(P))
        if closure != P and all(c & ~P == 0 for Q, c in found.items() if Q & ~P == 0 and Q != P):
            found[P] = closure
    return found

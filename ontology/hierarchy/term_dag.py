"""From a formal context to a hierarchy of terms (a DAG), and from that to global and local ontologies.

Source: paper 000 section 3.1, after Zhu 2017: term t is a hypernym of term u if and only if ext(u) is a proper
subset of ext(t); the class hierarchy is the covering relation of the attribute concepts; terms with equal extents
are equivalent classes. Two readings:

* "published": exactly that. Right for the papers' examples and for contexts made by hand; the default of the function.
* "significant": an inclusion must be evidence (three named rules in inclusion.py). **Use this for real corpora**: with
  hundreds of terms in few documents most inclusions are chance (a term of one document is "below" every other term of
  it) or tautologies of spelling (心理台风眼效应, of psychology, below 台风).

A hierarchy need not be a tree, and often is not (trap T11b): nodes may have several parents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from ontology.context import Bools, ContextError, FormalContext
from ontology.hierarchy.inclusion import MIN_EVIDENCE, Ints, Judgement, inclusion_p_values, judge

Reading = Literal["published", "significant"]
FDR = 0.05
"""Default share of chance inclusions among the edges that rest on documents alone."""


@dataclass(frozen=True, slots=True)
class TermNode:
    """A class: equivalent terms (label first) and the bitset of the documents that contain them."""

    terms: tuple[str, ...]
    extent: int

    @property
    def label(self) -> str:
        """The term that names the class: the most frequent, then the first in code point order."""
        return self.terms[0]

    @property
    def document_frequency(self) -> int:
        """Number of documents."""
        return self.extent.bit_count()


@dataclass(frozen=True, slots=True)
class TermEdge:
    """Node ``child`` is directly below node ``parent`` (indices), and what speaks for it.

    ``support``: documents with both; ``confidence``: their share of the child's documents, in [0, 1]; ``p_value``:
    chance of such an inclusion in random documents; ``evidence``: the rule that made the edge.
    """

    child: int
    parent: int
    support: int
    confidence: float
    p_value: float
    evidence: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """An inclusion that was not taken as an edge, or a term that was not taken as a node (parent empty), and why."""

    child: str
    parent: str
    reason: str


@dataclass(frozen=True)
class TermHierarchy:
    """A DAG of terms. Nodes by falling document frequency, then label; edges are its covering relation."""

    documents: int
    nodes: tuple[TermNode, ...]
    edges: tuple[TermEdge, ...]
    reading: Reading
    min_support: int
    rejected: tuple[Rejected, ...] = ()

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """Direct parents of each node, ascending."""
        return tuple(tuple(sorted(e.parent for e in edges)) for edges in self._by_child)

    @cached_property
    def _by_child(self) -> tuple[tuple[TermEdge, ...], ...]:
        found: list[list[TermEdge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            found[edge.child].append(edge)
        return tuple(tuple(edges) for edges in found)

    def edges_of(self, child: int) -> tuple[TermEdge, ...]:
        """The edges from a node up to its parents."""
        return self._by_child[child]

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Nodes without a parent."""
        return tuple(i for i, above in enumerate(self.parents) if not above)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Number of nodes on the longest way up from each node, itself included (a root has 1)."""
        level = [1] * len(self.nodes)
        waiting = [len(above) for above in self.parents]
        below: list[list[int]] = [[] for _ in self.nodes]
        for edge in self.edges:
            below[edge.parent].append(edge.child)
        ready = [i for i, count in enumerate(waiting) if not count]
        while ready:
            i = ready.pop()
            for child in below[i]:
                level[child] = max(level[child], level[i] + 1)
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        return tuple(level)

    @property
    def depth(self) -> int:
        """Number of nodes on the longest path."""
        return max(self.levels)

    def ancestors(self, node: int) -> frozenset[int]:
        """All nodes above a node, itself not included."""
        found: set[int] = set()
        stack = list(self.parents[node])
        while stack:
            i = stack.pop()
            if i not in found:
                found.add(i)
                stack.extend(self.parents[i])
        return frozenset(found)

    def index(self, term: str) -> int | None:
        """The node of a term (label or equivalent), None if there is none."""
        return self._index.get(term)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {term: i for i, node in enumerate(self.nodes) for term in node.terms}


def term_hierarchy(
    context: FormalContext,
    *,
    min_support: int = 1,
    reading: Reading = "published",
    frequency: Mapping[str, int] | None = None,
    min_evidence: int = MIN_EVIDENCE,
    q: float = FDR,
) -> TermHierarchy:
    """The term hierarchy of a context of documents x terms.

    Args:
        context: documents x terms.
        min_support: terms in fewer documents are left out (at least 1) and listed in ``rejected``.
        reading: "published" or "significant"; see the module's docstring.
        frequency: occurrences of each term in the corpus, to choose the label among equivalent terms.
        min_evidence, q: of the reading "significant"; see inclusion.py.

    Raises:
        ContextError: no term is in ``min_support`` documents, or an unknown reading.
    """
    if reading not in get_args(Reading):
        raise ContextError(f"reading: expected one of {', '.join(get_args(Reading))}, found {reading!r}")
    table = context.bools()
    df = table.sum(axis=0, dtype=np.int64)
    kept = [j for j in range(len(df)) if df[j] >= max(1, min_support)]
    if not kept:
        raise ContextError(
            f"no term is in {min_support} documents or more (the most frequent is in {int(df.max())} of "
            f"{len(context.objects)}): lower the minimal support"
        )
    dropped = tuple(
        Rejected(context.attributes[j], "", f"in {df[j]} documents, minimal support is {max(1, min_support)}")
        for j in range(len(df))
        if df[j] < max(1, min_support)
    )
    judgement = None
    names = tuple(context.attributes[j] for j in kept)
    if reading == "significant":
        judgement = judge(table[:, kept], names, min_evidence=min_evidence, q=q)
    nodes, members = _nodes(context, kept, judgement, frequency or {})
    first = np.array([group[0] for group in members])
    table = table[:, [kept[i] for i in first]]
    if judgement is None:
        above = _strict_inclusions(table)
    else:
        above, rejected = _accepted(judgement, names, members)
        dropped += rejected
    edges = _edges(table, above, judgement, first)
    return TermHierarchy(len(context.objects), nodes, edges, reading, max(1, min_support), dropped)


def _nodes(
    context: FormalContext, kept: list[int], judgement: Judgement | None, frequency: Mapping[str, int]
) -> tuple[tuple[TermNode, ...], list[list[int]]]:
    """The nodes in their order, and for each the positions (within ``kept``) of its terms, label first."""
    groups: dict[tuple[int, int], list[int]] = {}
    for i, j in enumerate(kept):
        own = -1 if judgement is None or _merges(judgement, i) else i
        groups.setdefault((context.columns[j], own), []).append(i)
    ranked = [
        sorted(group, key=lambda i: (-frequency.get(context.attributes[kept[i]], 0), context.attributes[kept[i]]))
        for group in groups.values()
    ]
    made = [(TermNode(tuple(context.attributes[kept[i]] for i in g), context.columns[kept[g[0]]]), g) for g in ranked]
    made.sort(key=lambda pair: (-pair[0].document_frequency, pair[0].label))
    return tuple(node for node, _ in made), [group for _, group in made]


def _merges(judgement: Judgement, i: int) -> bool:
    """Whether a term joins those of equal extent: documents speak for it, and no spelling relates it to one of them."""
    equal = judgement.included[i] & judgement.included[:, i]
    by_spelling = judgement.head | judgement.vetoed
    related = (by_spelling[i] | by_spelling[:, i]) & equal
    return bool((judgement.documents[i] & equal).any() and not related.any())


def _strict_inclusions(table: Bools) -> Bools:
    """above[u, t]: ext(u) is a proper subset of ext(t). Shape (k, k)."""
    df = table.sum(axis=0, dtype=np.int64)
    X = table.astype(np.float32)
    included: Bools = df[:, None] == X.T @ X
    return np.asarray(included & (df[:, None] < df[None, :]))


def _accepted(
    judgement: Judgement, names: tuple[str, ...], members: list[list[int]]
) -> tuple[Bools, tuple[Rejected, ...]]:
    """The transitive relation of the accepted inclusions among nodes, and those that were rejected.

    Edges are taken one by one, heads first, then by rising p; one that would put a term below its own modifier by
    transitivity is rejected too.
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


def _edges(table: Bools, above: Bools, judgement: Judgement | None, first: Ints) -> tuple[TermEdge, ...]:
    """The covering relation of a transitive relation, with figures."""
    L = above.astype(np.float32)
    cover = above & ~(L @ L > 0)
    df = table.sum(axis=0, dtype=np.int64)
    both = (table.astype(np.float32).T @ table.astype(np.float32)).astype(np.int64)
    p = inclusion_p_values(df, len(table))
    edges = []
    for u, t in zip(*(axis.tolist() for axis in np.nonzero(cover)), strict=True):
        by_head = judgement is not None and judgement.head[first[u], first[t]]
        evidence = "head noun" if by_head else "documents included"
        edges.append(TermEdge(u, t, int(both[u, t]), float(both[u, t] / df[u]), float(p[u, t]), evidence))
    return tuple(edges)

"""The data types of a term hierarchy: a DAG of terms, and the terms and edges that were rejected.

Source: paper 000 section 3.1, after Zhu 2017: term t is a hypernym of term u if and only if ext(u) is a proper
subset of ext(t); the class hierarchy is the covering relation of the attribute concepts. How far that is followed is
the reading (readings.py). A hierarchy need not be a tree, and often is not (trap T11b): nodes may have several parents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Generic, TypeVar

from ontology.choices import Reading
from ontology.evidence.claims import RULES, Rule
from ontology.reachable import reachable

SHOWN = 5
"""Number of documents that an edge lists."""


@dataclass(frozen=True, slots=True)
class TermNode:
    """A class: equivalent terms (label first) and the bitset of the documents that contain them.

    Attributes:
        terms: the terms.
        extent: the documents; of a class that is no term, those of all terms below it.
        named: the documents that name the class itself; the extent if it is -1.
    """

    terms: tuple[str, ...]
    extent: int
    named: int = -1

    @property
    def label(self) -> str:
        """The term that names the class: the most frequent, then the first in code point order."""
        return self.terms[0]

    @property
    def document_frequency(self) -> int:
        """Number of documents."""
        return self.extent.bit_count()


_End = TypeVar("_End", int, str)


@dataclass(frozen=True, slots=True)
class _Edge(Generic[_End]):
    """A narrower and a broader class, with the evidence that they are such.

    Attributes:
        child: the narrower class: the index of its node, or its label.
        parent: the broader class, likewise.
        evidence: the rules that made the edge, joined by "; ".
        documents: ids of documents that are evidence, at most `SHOWN` for an edge of a hierarchy.
        sentence: a sentence of one of them that states the relation, or empty.
    """

    child: _End
    parent: _End
    evidence: str
    _: KW_ONLY
    documents: tuple[str, ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class TermEdge(_Edge[int]):
    """An edge from node ``child`` to node ``parent`` directly above it.

    Attributes:
        support: number of documents that are evidence of this edge; what is below its ends adds none.
        confidence: their share of the documents that name the child, in [0, 1].
        p_value: chance of such an inclusion in random documents.
        rules: the rules of the claims that made the edge, most trusted first; none for an inclusion of documents.
    """

    support: int
    confidence: float
    p_value: float
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected edge, or a rejected term (``parent`` is empty), and the reason."""

    child: str
    parent: str
    reason: str


ONE_SENTENCE = "one sentence"
ONE_WORD = "one word of the wordnet"
"""Why an edge is suggested: a sentence is the only evidence, and other classes are below the narrower one."""


@dataclass(frozen=True, slots=True)
class SuggestedEdge(_Edge[str]):
    """An edge whose evidence is too weak for what it would move, for a person to decide about.

    The broader class need not be one of the hierarchy.

    Attributes:
        reason: why it is no edge of the hierarchy.
        below: number of classes below the narrower one, which would move with it.
    """

    reason: str
    below: int


@dataclass(frozen=True)
class TermHierarchy:
    """A DAG of terms. Nodes are sorted by falling document frequency, then label; edges are its covering relation.

    >>> nodes = (TermNode(("disaster",), 0b1111), TermNode(("flood",), 0b0111), TermNode(("flash flood",), 0b0001))
    >>> edges = (TermEdge(1, 0, "by hand", 3, 1.0, 0.2), TermEdge(2, 1, "by hand", 1, 1.0, 0.5))
    >>> hierarchy = TermHierarchy(4, nodes, edges, "published", 1)
    >>> hierarchy.parents, hierarchy.roots
    (((), (0,), (1,)), (0,))
    >>> hierarchy.levels, hierarchy.depth
    ((1, 2, 3), 3)
    >>> sorted(hierarchy.ancestors(2)), hierarchy.index("flood")
    ([0, 1], 1)
    >>> hierarchy.placed(["flood", "flash flood", "storm"], 0)
    ('flash flood',)
    """

    documents: int
    nodes: tuple[TermNode, ...]
    edges: tuple[TermEdge, ...]
    reading: Reading
    min_support: int
    rejected: tuple[Rejected, ...] = ()
    unplaced: tuple[Rejected, ...] = ()
    """Terms without a broader one (reading "evidence" only), each with the reason: dropped, or roots of the DAG."""
    topic_concepts: Mapping[str, str] = field(default_factory=dict)
    """Terms that are kept without a broader one -> the reason (reading "evidence" only)."""
    suggested: tuple[SuggestedEdge, ...] = ()
    """Edges for a person to decide about, those that would move most classes first (reading "evidence" only)."""

    @cached_property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """Direct parents of each node, ascending."""
        return tuple(tuple(sorted(e.parent for e in edges)) for edges in self._by_child)

    @cached_property
    def _by_child(self) -> tuple[tuple[TermEdge, ...], ...]:
        by_child: list[list[TermEdge]] = [[] for _ in self.nodes]
        for edge in self.edges:
            by_child[edge.child].append(edge)
        return tuple(tuple(edges) for edges in by_child)

    def edges_of(self, child: int) -> tuple[TermEdge, ...]:
        """Return the edges from a node to its parents."""
        return self._by_child[child]

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Nodes without a parent."""
        return tuple(i for i, above in enumerate(self.parents) if not above)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Number of nodes on the longest path up from each node, itself included (1 for a root)."""
        level = [1] * len(self.nodes)
        for i in TopologicalSorter(dict(enumerate(self.parents))).static_order():
            level[i] = 1 + max((level[p] for p in self.parents[i]), default=0)
        return tuple(level)

    @property
    def depth(self) -> int:
        """Number of nodes on the longest path; 0 without nodes."""
        return max(self.levels, default=0)

    @cached_property
    def edges_by_rule(self) -> dict[Rule, int]:
        """Number of edges by the most trusted rule that made them, in the order of trust."""
        count = Counter(edge.rules[0] for edge in self.edges if edge.rules)
        return {rule: count[rule] for rule in RULES if count[rule]}

    def placed(self, terms: Iterable[str], root: int | None) -> tuple[str, ...]:
        """Return the terms that have a broader class other than the root.

        Args:
            terms: the terms; an equivalent of a label counts as its class does.
            root: node of the root; None if the root is no node.

        Returns:
            Those that are placed, in their order.
        """
        nodes = ((term, self.index(term)) for term in terms)
        return tuple(
            term for term, i in nodes if i is not None and i != root and any(p != root for p in self.parents[i])
        )

    def ancestors(self, node: int) -> frozenset[int]:
        """Return all nodes above a node, itself not included."""
        return frozenset(reachable(node, self.parents.__getitem__)) - {node}

    def index(self, term: str) -> int | None:
        """Return the node of a term (label or equivalent), None if there is none."""
        return self._index.get(term)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {term: i for i, node in enumerate(self.nodes) for term in node.terms}

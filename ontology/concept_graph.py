"""The graph under the five factors: an ontology with its equivalent concepts contracted to one node each.

Source: reconstruction (see ontology/similarity); the published papers name the five factors and define none of them.
Definitions, all over *direct* edges between different nodes, is-a (subclass_of) and part-of alike:

* parents of c: targets of is-a and part-of edges from c. causes edges are ignored.
* anc(c): c and all nodes reached over parents.
* dep(c): number of nodes on the longest path up from c, 1 without a parent. In a rooted ontology that is the longest
  path from the root, with the root counted as 1.
* ch(c): number of different direct children.
* d(c1, c2): edges on a shortest path, direction ignored; infinite if there is none.
* weight of an edge: is-a .8, part-of .6 (Wang et al. 2007); .8 if both join the same pair.
* representative of contracted concepts: the smallest IRI in code point order.

>>> graph = ConceptGraph.from_edges([("flood", "disaster"), ("flash flood", "flood"), ("drought", "disaster")])
>>> graph.names, graph.dep.tolist(), graph.ch.tolist()
(('disaster', 'drought', 'flash flood', 'flood'), [1, 2, 3, 2], [2, 0, 0, 1])
>>> flash_flood = np.array([graph.node["flash flood"]])
>>> graph.distances(flash_flood)[0].tolist()
[[2.0, 3.0, 0.0, 1.0]]
>>> [graph.names[c] for c in graph.common_ancestors(flash_flood)[0]]
['disaster', 'disaster', 'flash flood', 'flood']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

from ontology.errors import OntocrawlError
from ontology.iris import equal_names
from ontology.model import Concept, Ontology, Relation, RelationKind

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Number = TypeVar("Number", np.float64, np.int64)

IS_A, PART_OF = 0.8, 0.6
HIERARCHY: tuple[RelationKind, ...] = ("subclass_of", "part_of")
"""The relations that are edges to a parent."""
_FEW = 8
"""Above this share of the rows (1/8), paths are swept for all pairs; below it they are searched one by one."""
_SWEEPS = 32
"""Largest number of sweeps down and up; after these, searching is quicker."""


class OntologyCycle(OntocrawlError, ValueError):  # noqa: N818 - named for what was found
    """A cycle of broader-narrower edges. ``cycle`` holds the IRIs, first = last."""

    def __init__(self, ontology: str, cycle: tuple[str, ...]) -> None:
        super().__init__("ontology.cycle", ontology=ontology, cycle=" -> ".join(cycle))
        self.cycle = cycle


@dataclass(frozen=True, eq=False)
class ConceptGraph:
    """The contracted graph on k nodes.

    Attributes:
        node: IRI -> its node.
        names: the representatives, length k, ascending.
        is_a: directed edge (child, parent) -> whether one of its edges is is-a (else part-of only).
        parents: the direct parents of each node, length k.
        order: the nodes, every parent before its children, length k.
        dep: depths, shape (k,).
        ch: numbers of children, shape (k,).
    """

    node: dict[str, int]
    names: tuple[str, ...]
    is_a: dict[tuple[int, int], bool]
    parents: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    dep: Ints
    ch: Ints

    @cached_property
    def anc(self) -> Bools:
        """Ancestor matrix, shape (k, k): anc[c, a] if a is an ancestor of c or c. Computed at first use; k^2 bytes."""
        anc = np.eye(len(self.names), dtype=np.bool_)
        for c in self.order:
            for p in self.parents[c]:
                anc[c] |= anc[p]
        return anc

    @classmethod
    def from_edges(cls, edges: Sequence[tuple[str, str]]) -> ConceptGraph:
        """Build the graph of pairs (narrower, broader); the concept that is never narrower is the root.

        Raises:
            OntologyCycle: the edges have a cycle.
            ValueError: there is no edge, or several concepts are never narrower.

        >>> ConceptGraph.from_edges([("flood", "disaster"), ("drought", "disaster")]).ch.tolist()
        [2, 0, 0]
        """
        concepts = tuple(dict.fromkeys(name for edge in edges for name in edge))
        roots = set(concepts) - {narrower for narrower, _ in edges}
        if len(roots) > 1 or not edges:
            raise ValueError(f"expected edges to one root, found {', '.join(sorted(roots)) or 'no edge'}")
        relations = tuple(Relation(narrower, "subclass_of", broader) for narrower, broader in edges)
        root = next(iter(roots), concepts[0])
        return cls.of(Ontology("", "global", "", "", root, tuple(Concept(c, c) for c in concepts), relations))

    @classmethod
    def of(cls, ontology: Ontology, *, kinds: Sequence[RelationKind] = HIERARCHY) -> ConceptGraph:
        """Contract an ontology.

        Args:
            ontology: the ontology.
            kinds: the relations that are edges to a parent.

        Returns:
            The graph.

        Raises:
            OntologyCycle: the contracted graph has a cycle.
        """
        node, names = _contract(ontology)
        is_a: dict[tuple[int, int], bool] = {}
        for relation in ontology.relations:
            pair = node[relation.source], node[relation.target]
            if relation.kind in kinds and pair[0] != pair[1]:
                is_a[pair] = is_a.get(pair, False) or relation.kind == "subclass_of"
        parents: list[list[int]] = [[] for _ in names]
        children: list[list[int]] = [[] for _ in names]
        for child, parent in is_a:
            parents[child].append(parent)
            children[parent].append(child)
        order = _topological(ontology, names, parents, children)
        dep = np.ones(len(names), dtype=np.int64)
        for c in order:
            for p in parents[c]:
                dep[c] = max(dep[c], dep[p] + 1)
        ch = np.array([len(c) for c in children], dtype=np.int64)
        return cls(node, names, is_a, tuple(map(tuple, parents)), tuple(order), dep, ch)

    def distances(self, rows: Ints) -> tuple[Floats, Floats]:
        """Compute shortest paths from some nodes to all.

        A path of d edges, m of them part-of, has the length d k + m: the shortest by length is, among the shortest by
        edges, one with the most is-a edges, and both numbers follow from the integer length.

        Args:
            rows: indices of the nodes, shape (r,).

        Returns:
            d, and the largest number of is-a edges on a shortest path; shapes (r, k). Without a path d is infinite and
            the number 0.
        """
        k = len(self.names)
        length = self._swept() if _FEW * len(rows) > k else None
        length = self._searched(rows) if length is None else length[rows]
        d = np.floor(length / k)
        reached = np.isfinite(d)
        part_of = np.subtract(length, d * k, out=np.zeros_like(d), where=reached)
        return d, np.subtract(d, part_of, out=np.zeros_like(d), where=reached)

    def _length(self, child: int, parent: int) -> int:
        return len(self.names) + (not self.is_a[child, parent])

    def _searched(self, rows: Ints) -> Floats:
        """Return lengths of shortest paths by one search per row, shape (rows, k); infinite without a path."""
        k = len(self.names)
        s, t = [c for c, _ in self.is_a], [p for _, p in self.is_a]
        length = [float(self._length(*edge)) for edge in self.is_a]
        graph = scipy.sparse.csr_array((length * 2, (s + t, t + s)), shape=(k, k))
        return np.asarray(scipy.sparse.csgraph.dijkstra(graph, indices=rows), dtype=np.float64).reshape(len(rows), k)

    def _swept(self) -> Floats | None:
        """Return the same for all pairs, shape (k, k), by sweeps down and up; None if paths turn too often.

        A sweep relaxes every edge once, for all k sources at a time, in topological order. So a path costs one sweep
        for each of its turns between down and up, however long it is.
        """
        k = len(self.names)
        number, far = (np.int32, 1 << 30) if k < 1 << 15 else (np.int64, 1 << 62)
        length = np.full((k, k), far, dtype=number)
        np.fill_diagonal(length, 0)
        rows, through = list(length), np.empty(k, dtype=number)
        down = [(p, c, self._length(c, p)) for c in self.order for p in self.parents[c]]
        up = [(c, p, w) for p, c, w in reversed(down)]
        for _ in range(_SWEEPS):
            before = length.copy()
            for start, end, w in (*down, *up):
                np.add(rows[start], w, out=through)
                np.minimum(rows[end], through, out=rows[end])
            if np.array_equal(before, length):
                return np.where(length < far, length, np.inf)
        return None

    def common_ancestors(self, rows: Ints) -> Ints:
        """Find the lowest common ancestors from some nodes to all.

        The lowest one is the common ancestor with the largest dep; of those the one with the largest ch; of those the
        smallest IRI.

        Args:
            rows: indices of the nodes, shape (r,).

        Returns:
            Indices of nodes, shape (r, k); -1 for none.
        """
        worst_first = np.lexsort((-np.arange(len(self.names)), self.ch, self.dep))
        rank = np.empty(len(self.names), dtype=np.int64)
        rank[worst_first] = np.arange(len(self.names))
        best = self.best_common(rank, rows, nothing=-1)
        return np.append(worst_first, -1)[best]

    def best_common(self, value: NDArray[Number], rows: Ints, *, nothing: float) -> NDArray[Number]:
        """Find the largest value of a common ancestor, from some nodes to all.

        The common ancestors of c1 and c2 are those of the parents of c1 and c2, and c1 itself if c2 is below it: so a
        row is the maximum of its parents' rows.

        Args:
            value: one number per node, all larger than ``nothing``, shape (k,).
            rows: indices of the nodes, shape (r,).
            nothing: the result for pairs without a common ancestor.

        Returns:
            Values, shape (r, k).
        """
        below = np.ascontiguousarray(self.anc.T)
        needed = np.asarray(self.anc[rows].any(axis=0)).tolist()
        best_of: dict[int, NDArray[Number]] = {}
        for c in self.order:
            if needed[c]:
                best = np.full(len(self.names), nothing, dtype=value.dtype)
                for p in self.parents[c]:
                    np.maximum(best, best_of[p], out=best)
                np.maximum(best, value[c], out=best, where=below[c])
                best_of[c] = best
        return np.stack([best_of[c] for c in rows.tolist()])

    def _joined_by_is_a(self, c: int, p: int) -> bool:
        return self.is_a.get((c, p), False) or self.is_a.get((p, c), False)

    def best_paths(self, start: int) -> dict[int, tuple[int, ...]]:
        """Find the best path to every connected node: shortest, then most is-a edges, then smallest IRIs."""
        d, more = self.distances(np.array([start]))
        near: list[list[int]] = [[] for _ in self.names]
        for c, p in sorted(self.is_a):
            near[c].append(p)
            near[p].append(c)
        paths: dict[int, tuple[int, ...]] = {start: (start,)}
        reached = [c for c in np.argsort(d[0], kind="stable").tolist() if np.isfinite(d[0, c])]
        for c in reached[1:]:
            before = [
                paths[b]
                for b in near[c]
                if d[0, b] == d[0, c] - 1 and more[0, b] + self._joined_by_is_a(b, c) == more[0, c]
            ]
            paths[c] = (*min(before), c)
        return paths


def _contract(ontology: Ontology) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return IRI -> node and the representatives, by union-find over equivalent_to."""
    pairs = ((relation.source, relation.target) for relation in ontology.edges("equivalent_to"))
    leader = equal_names((concept.iri for concept in ontology.concepts), pairs)
    names = tuple(sorted(set(leader.values())))
    position = {name: i for i, name in enumerate(names)}
    return {iri: position[one] for iri, one in leader.items()}, names


def _topological(
    ontology: Ontology, names: tuple[str, ...], parents: list[list[int]], children: list[list[int]]
) -> list[int]:
    """Return the nodes with every parent before its children."""
    waiting = [len(above) for above in parents]
    order = [i for i, count in enumerate(waiting) if not count]
    for c in order:
        for below in children[c]:
            waiting[below] -= 1
            if not waiting[below]:
                order.append(below)
    if len(order) == len(names):
        return order
    cycle: list[int] = [next(i for i, count in enumerate(waiting) if count)]
    while cycle[-1] not in cycle[:-1]:  # every waiting node has a waiting parent
        cycle.append(min(p for p in parents[cycle[-1]] if waiting[p]))
    cycle = cycle[cycle.index(cycle[-1]) :]
    raise OntologyCycle(ontology.iri, tuple(names[i] for i in cycle))

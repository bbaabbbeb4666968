"""The graph under the five factors: an ontology with its equivalent concepts contracted to one node each.

Source: reconstruction, as said in similarity; the published papers name the five factors and define none of them.
Definitions, all over *direct* edges between different nodes, is-a (subclass_of) and part-of alike:

* parents of c: targets of is-a and part-of edges from c. causes edges count nowhere.
* anc(c): c and everything reached over parents.
* dep(c): number of nodes on the longest way up from c, 1 where there is no parent. In a rooted ontology that is the
  longest root path with the root counted as 1.
* ch(c): number of different direct children.
* d(c1, c2): edges on a shortest path, direction ignored; infinite if there is none.
* weight of an edge: is-a .8, part-of .6 (Wang et al. 2007); where both join the same pair, .8.
* representative of contracted concepts: the smallest IRI in code point order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from ontology.model import Ontology

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

IS_A, PART_OF = 0.8, 0.6
_STEP = 2.0**-20
"""Added to the length of a part-of edge: shortest paths then prefer is-a edges, and sums stay exact."""


class OntologyCycle(ValueError):  # noqa: N818 - named for what was found
    """Broader-narrower edges that lead back to where they began. ``cycle`` holds the IRIs, first = last."""

    def __init__(self, ontology: str, cycle: tuple[str, ...]) -> None:
        super().__init__(
            f"ontology {ontology}: expected no cycle of subclass-of and part-of edges, found {' -> '.join(cycle)}; "
            "remove one of these edges, or declare the concepts equivalent"
        )
        self.cycle = cycle


@dataclass(frozen=True, eq=False)
class ConceptGraph:
    """The contracted graph on k nodes.

    ``node`` maps every IRI to its node; ``names`` (k) representatives, ascending; ``is_a`` maps a directed edge
    (child, parent) to whether one of its edges is is-a (else part-of only); ``anc`` (k, k) with anc[c, a] = a is an
    ancestor of c or c; ``dep`` and ``ch`` (k,).
    """

    node: dict[str, int]
    names: tuple[str, ...]
    is_a: dict[tuple[int, int], bool]
    anc: Bools
    dep: Ints
    ch: Ints

    @classmethod
    def of(cls, ontology: Ontology) -> ConceptGraph:
        """Contract an ontology. Raises OntologyCycle if the contracted graph has a cycle."""
        node, names = _contract(ontology)
        is_a: dict[tuple[int, int], bool] = {}
        for relation in ontology.relations:
            pair = node[relation.source], node[relation.target]
            if relation.kind in ("subclass_of", "part_of") and pair[0] != pair[1]:
                is_a[pair] = is_a.get(pair, False) or relation.kind == "subclass_of"
        parents: list[list[int]] = [[] for _ in names]
        children: list[list[int]] = [[] for _ in names]
        for child, parent in is_a:
            parents[child].append(parent)
            children[parent].append(child)
        order = _topological(ontology, names, parents, children)
        anc = np.eye(len(names), dtype=np.bool_)
        dep = np.ones(len(names), dtype=np.int64)
        for c in order:
            for p in parents[c]:
                anc[c] |= anc[p]
                dep[c] = max(dep[c], dep[p] + 1)
        return cls(node, names, is_a, anc, dep, np.array([len(c) for c in children], dtype=np.int64))

    def distances(self, rows: Ints) -> tuple[Floats, Floats]:
        """d and the largest number of is-a edges on a shortest path, from some nodes to all; shapes (rows, k).

        d is infinite, and the number 0, where no path is.
        """
        k = len(self.names)
        edges = list(self.is_a)
        length = [1.0 if self._joined_by_is_a(*edge) else 1.0 + _STEP for edge in edges] * 2
        s, t = [e[0] for e in edges], [e[1] for e in edges]
        graph = csr_array((length, (s + t, t + s)), shape=(k, k))
        total = np.asarray(dijkstra(graph, directed=True, indices=rows), dtype=np.float64).reshape(len(rows), k)
        d = np.floor(total)
        with np.errstate(invalid="ignore"):
            part_of = np.nan_to_num((total - d) / _STEP)
        return d, np.where(np.isfinite(d), d - part_of, 0.0)

    def common_ancestors(self, rows: Ints) -> Ints:
        """lca(c1, c2) from some nodes to all, shape (rows, k); -1 where there is none.

        The common ancestor with the largest dep; of those the one with the largest ch; of those the smallest IRI.
        """
        lca = np.full((len(rows), len(self.names)), -1, dtype=np.int64)
        worst_first = np.lexsort((-np.arange(len(self.names)), self.ch, self.dep))
        for a in worst_first.tolist():
            below = self.anc[:, a]
            mine = np.flatnonzero(below[rows])
            if len(mine):
                lca[np.ix_(mine, np.flatnonzero(below))] = a
        return lca

    def _joined_by_is_a(self, c: int, p: int) -> bool:
        return self.is_a.get((c, p), False) or self.is_a.get((p, c), False)

    def best_paths(self, start: int) -> dict[int, tuple[int, ...]]:
        """The best path to every connected node: shortest, most is-a edges, smallest IRIs from the start on."""
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
    """IRI -> node and the representatives, by union-find over equivalent_to."""
    leader = {concept.iri: concept.iri for concept in ontology.concepts}

    def find(iri: str) -> str:
        while leader[iri] != iri:
            leader[iri] = leader[leader[iri]]
            iri = leader[iri]
        return iri

    for relation in ontology.edges("equivalent_to"):
        one, other = sorted((find(relation.source), find(relation.target)))
        leader[other] = one
    names = tuple(sorted({find(iri) for iri in leader}))
    position = {name: i for i, name in enumerate(names)}
    return {iri: position[find(iri)] for iri in leader}, names


def _topological(
    ontology: Ontology, names: tuple[str, ...], parents: list[list[int]], children: list[list[int]]
) -> list[int]:
    """Nodes with every parent before its children."""
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

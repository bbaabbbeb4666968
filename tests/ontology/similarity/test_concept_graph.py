"""The contracted graph: distances by both ways of finding them, lowest common ancestors."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology import concept_graph
from ontology.concept_graph import ConceptGraph
from ontology.model import Ontology
from tests.ontology.similarity.graphs import TABLE1, dags, ontology


@given(dags())
@settings(deadline=None, max_examples=100)
def test_sweeps_and_searches_find_the_same_lengths(o: Ontology) -> None:
    graph = ConceptGraph.of(o)
    swept = graph._swept()
    assert swept is not None
    assert np.array_equal(swept, graph._searched(np.arange(len(graph.names))))


@given(dags(twins=False))
@settings(deadline=None, max_examples=60)
def test_distances_are_those_of_the_undirected_graph(o: Ontology) -> None:
    graph = ConceptGraph.of(o)
    d, by_is_a = graph.distances(np.arange(len(graph.names)))
    joined = nx.Graph()
    joined.add_nodes_from(graph.names)
    for r in o.relations:
        is_a = r.kind == "subclass_of" or joined.get_edge_data(r.source, r.target, {}).get("is_a", False)
        joined.add_edge(r.source, r.target, is_a=is_a)
    for i, a in enumerate(graph.names):
        for j, b in enumerate(graph.names):
            if not nx.has_path(joined, a, b):
                assert (d[i, j], by_is_a[i, j]) == (np.inf, 0)
                continue
            paths = list(nx.all_shortest_paths(joined, a, b))
            best = max(sum(joined[s][t]["is_a"] for s, t in itertools.pairwise(p)) for p in paths)
            assert (d[i, j], by_is_a[i, j]) == (len(paths[0]) - 1, best)


def fence(n: int) -> ConceptGraph:
    """n posts, and between two neighbours a concept below both: the way along it turns at each of them."""
    names = [f"p{i:03}" for i in range(n)] + [f"x{i:03}" for i in range(n - 1)]
    below = [(f"x{i:03}", "subclass_of", f"p{j:03}") for i in range(n - 1) for j in (i, i + 1)]
    return ConceptGraph.of(ontology(names, below))


def test_a_path_of_many_turns_is_searched_and_a_long_straight_one_swept() -> None:
    zigzag = fence(2 * concept_graph._SWEEPS)
    assert zigzag._swept() is None
    d, by_is_a = zigzag.distances(np.arange(len(zigzag.names)))
    last = 2 * concept_graph._SWEEPS - 1
    assert d[0, last] == by_is_a[0, last] == 2 * last
    chain = ConceptGraph.of(ontology([f"{i:03}" for i in range(300)], [
        (f"{i:03}", "part_of" if i % 3 == 0 else "subclass_of", f"{i - 1:03}") for i in range(1, 300)
    ]))  # fmt: skip
    assert chain._swept() is not None
    d, by_is_a = chain.distances(np.arange(300))
    assert (d[0, 299], by_is_a[0, 299]) == (299, 299 - 99)


@given(dags(twins=False), st.data())
@settings(deadline=None, max_examples=80)
def test_lowest_common_ancestors(o: Ontology, data: Any) -> None:
    graph = ConceptGraph.of(o)
    k = len(graph.names)
    up = nx.DiGraph()
    up.add_nodes_from(range(k))
    up.add_edges_from(graph.is_a)
    rows = data.draw(st.lists(st.integers(0, k - 1), min_size=1, max_size=k))
    lca = graph.common_ancestors(np.array(rows))
    for i, a in enumerate(rows):
        for b in range(k):
            both = ({a} | nx.descendants(up, a)) & ({b} | nx.descendants(up, b))
            best = max(both, key=lambda c: (graph.dep[c], graph.ch[c], [-ord(x) for x in graph.names[c]]), default=-1)
            assert lca[i, b] == best


def test_only_the_kinds_that_are_asked_for_are_edges() -> None:
    o = ontology("rab", [("a", "subclass_of", "r"), ("b", "part_of", "a")])
    assert ConceptGraph.of(o).dep.tolist() == [2, 3, 1]
    only = ConceptGraph.of(o, kinds=("subclass_of",))
    assert (only.names, only.dep.tolist()) == (("a", "b", "r"), [2, 1, 1])


def test_parents_come_before_their_children() -> None:
    graph = ConceptGraph.of(TABLE1)
    assert all(graph.order.index(p) < graph.order.index(c) for c, p in graph.is_a)
    assert graph.parents[graph.node["8"]] == tuple(graph.node[p] for p in "456")


def test_the_best_value_of_a_common_ancestor_needs_one() -> None:
    graph = ConceptGraph.of(ontology("rab", [("a", "subclass_of", "r")]))
    value = np.array([3.0, 7.0, 0.0])  # of a, b, r
    assert graph.best_common(value, np.array([0, 1]), nothing=-1.0).tolist() == [[3, -1, 0], [-1, 7, -1]]
    with pytest.raises(KeyError):
        graph.node["c"]

from __future__ import annotations

import itertools
import math
import time
from dataclasses import astuple

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.concept_graph import OntologyCycle
from ontology.model import Ontology
from ontology.similarity import COEFFICIENTS, Factors, factors, matrix, sem
from tests.ontology.similarity.graphs import TABLE1, dags, ontology
from tests.ontology.similarity.root_weights import root_weights

WEIGHT = {"subclass_of": 0.8, "part_of": 0.6}


def reference(o: Ontology, a: str, b: str) -> tuple[float, ...]:
    """The five factors from their definitions, by networkx and enumeration; no equivalences."""
    up = nx.DiGraph()
    up.add_nodes_from(c.iri for c in o.concepts)
    for r in o.relations:
        up.add_edge(
            r.source, r.target, weight=max(WEIGHT[r.kind], up.get_edge_data(r.source, r.target, {}).get("weight", 0))
        )
    if a == b:
        return (1.0,) * 5

    def dep(c: str) -> int:
        return 1 + max((dep(p) for p in up.successors(c)), default=0)

    anc = {c: {c} | nx.descendants(up, c) for c in (a, b)}
    both = anc[a] & anc[b]
    lca = max(both, key=lambda c: (dep(c), up.in_degree(c)))
    paths = list(nx.all_shortest_paths(up.to_undirected(), a, b))
    d = len(paths[0]) - 1
    either = up.to_undirected()
    strength = max(math.prod(either[s][t]["weight"] for s, t in itertools.pairwise(p)) for p in paths) ** (1 / d)
    widest = max(dict(up.in_degree()).values())
    return (
        1 / (1 + d), (1 + up.in_degree(lca)) / (1 + widest), 2 * dep(lca) / (dep(a) + dep(b)),
        len(both) / len(anc[a] | anc[b]), strength,
    )  # fmt: skip


def test_g2_weights_from_the_root_of_table_1() -> None:
    weights = {w.iri: w for w in root_weights(TABLE1)}
    expected = dict(
        zip("12345678", [1, 0.574333, 0.574333, 0.434333, 0.434333, 0.574333, 0.434333, 0.418333], strict=True)
    )
    assert {iri: round(w.sem, 6) for iri, w in weights.items()} == expected
    assert astuple(weights["8"].factors) == pytest.approx((1 / 3, 1, 0.4, 1 / 6, 0.8), abs=1e-12)
    assert weights["8"].path == ("1", "6", "8")
    assert weights["4"].path == ("1", "3", "4")
    assert weights["1"].path == ("1",)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [("45", 0.447667), ("78", 0.430762), ("36", 0.434333), ("28", 0.351952), ("48", 0.575286), ("84", 0.575286)],
)
def test_g2_other_pairs(pair: str, expected: float) -> None:
    assert sem(factors(TABLE1, *pair)) == pytest.approx(expected, abs=5e-7)
    M = matrix(TABLE1)
    assert M.sem[M.iris.index(pair[0]), M.iris.index(pair[1])] == pytest.approx(expected, abs=5e-7)


def test_g2_factors_of_4_8_and_7_8() -> None:
    assert astuple(factors(TABLE1, "4", "8")) == pytest.approx((0.5, 0.5, 6 / 7, 0.5, 0.8), abs=1e-12)
    assert astuple(factors(TABLE1, "7", "8")) == pytest.approx((1 / 3, 0.75, 4 / 7, 2 / 7, 0.8), abs=1e-12)


def test_g2_definitions_of_the_chinese_literature() -> None:
    weights = {w.iri: round(w.sem, 6) for w in root_weights(TABLE1, definitions="cn_literature")}
    assert weights == {
        "1": 1.0, "2": 0.598436, "3": 0.611769, "4": 0.487778, "5": 0.487778, "6": 0.611769, "7": 0.481111,
        "8": 0.482111,
    }  # fmt: skip


def test_g2_equivalent_concepts_are_contracted_first() -> None:
    o = ontology(
        ["root", "a", "b", "c"], [("a", "subclass_of", "root"), ("a", "equivalent_to", "b"), ("c", "subclass_of", "b")]
    )
    weights = {w.iri: w for w in root_weights(o)}
    assert weights["c"].sem == pytest.approx(0.434333, abs=5e-7)
    assert weights["c"].path == ("root", "a", "c")
    assert weights["a"].sem == weights["b"].sem
    assert weights["b"].path == ("root", "b")
    assert astuple(factors(o, "a", "b")) == (1.0,) * 5


@pytest.mark.slow
@given(dags(rooted=True))
@settings(deadline=None, max_examples=80)
def test_every_pair_equals_the_definitions(o: Ontology) -> None:
    M = matrix(o)
    plain = [c.iri for c in o.concepts if all("twin" not in (r.source, r.target) for r in o.relations)]
    if len(plain) == len(o.concepts):
        for (i, a), (j, b) in itertools.product(enumerate(M.iris), repeat=2):
            found = [m[i, j] for m in astuple(M.factors)]
            assert found == pytest.approx(reference(o, a, b), abs=1e-12)


@given(dags(rooted=True), st.sampled_from(["default", "cn_literature"]))
@settings(deadline=None, max_examples=80)
def test_range_symmetry_diagonal(o: Ontology, definitions: str) -> None:
    M = matrix(o, definitions=definitions)  # type: ignore[arg-type]
    for values in (*astuple(M.factors), M.sem):
        assert values.min() >= 0
        assert values.max() <= 1 + 1e-12
        assert (values == values.T).all()
        assert np.diag(values) == pytest.approx(1.0, abs=1e-12)


@given(dags(rooted=True))
@settings(deadline=None, max_examples=60)
def test_root_row_of_the_matrix_and_paths(o: Ontology) -> None:
    M = matrix(o)
    weights = root_weights(o)
    assert [w.sem for w in weights] == pytest.approx(M.sem[0], abs=1e-12)
    joined = {frozenset((r.source, r.target)) for r in o.relations if r.kind != "equivalent_to"}
    for w in weights:
        assert w.path[0] == o.root
        assert w.path[-1] == w.iri
        if "twin" not in w.path and len(w.path) > 1:
            assert all(frozenset(step) in joined for step in itertools.pairwise(w.path))
            assert w.factors.distance == pytest.approx(1 / len(w.path))


def test_the_best_of_several_shortest_paths_counts() -> None:
    o = ontology(
        "rabx", [("a", "part_of", "r"), ("b", "subclass_of", "r"), ("x", "subclass_of", "a"), ("x", "subclass_of", "b")]
    )
    found = {w.iri: w for w in root_weights(o)}["x"]
    assert found.factors.relation == pytest.approx(0.8)
    assert found.path == ("r", "b", "x")
    assert factors(o, "r", "a").relation == pytest.approx(0.6)
    mixed = ontology("rax", [("a", "part_of", "r"), ("x", "subclass_of", "a")])
    assert factors(mixed, "r", "x").relation == pytest.approx(math.sqrt(0.48))


def test_equal_paths_are_told_apart_by_their_iris() -> None:
    edges = [("b", "subclass_of", "r"), ("a", "subclass_of", "r"), ("x", "subclass_of", "b"), ("x", "subclass_of", "a")]
    assert {w.iri: w.path for w in root_weights(ontology("rbax", edges))}["x"] == ("r", "a", "x")


def test_unconnected_concepts_and_causes_edges() -> None:
    o = ontology("rabz", [("a", "subclass_of", "r"), ("b", "subclass_of", "r"), ("z", "causes", "a")])
    assert astuple(factors(o, "r", "z")) == (0, 0, 0, 0, 0)
    assert {w.iri: w.path for w in root_weights(o)}["z"] == ()
    assert astuple(factors(o, "z", "z")) == (1,) * 5


def test_one_concept_alone() -> None:
    assert root_weights(ontology("r", []))[0].sem == 1.0
    assert matrix(ontology("r", [])).sem.tolist() == [[1.0]]


def test_a_cycle_is_named() -> None:
    o = ontology(
        "rabc", [("a", "subclass_of", "b"), ("b", "part_of", "c"), ("c", "subclass_of", "a"), ("a", "subclass_of", "r")]
    )
    with pytest.raises(OntologyCycle, match="a -> b -> c -> a") as found:
        matrix(o)
    assert found.value.cycle == ("a", "b", "c", "a")


def test_bad_arguments() -> None:
    with pytest.raises(KeyError, match="no concept 9"):
        factors(TABLE1, "1", "9")
    with pytest.raises(ValueError, match="alpha: expected a positive"):
        factors(TABLE1, "1", "2", alpha=0)
    with pytest.raises(ValueError, match="sum to 1"):
        sem(Factors(1, 1, 1, 1, 1), (0.5, 0.5, 0.5, 0, 0))
    with pytest.raises(ValueError, match="definitions: expected one of"):
        matrix(TABLE1, definitions="other")  # type: ignore[arg-type]
    assert sum(COEFFICIENTS) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("definitions", ["default", "cn_literature"])
def test_a_matrix_of_2000_concepts_is_quick(definitions: str) -> None:
    rng = np.random.default_rng(1)
    names = [f"{i:05}" for i in range(2000)]
    edges = [
        (names[i], "part_of" if rng.random() < 0.2 else "subclass_of", names[p])
        for i in range(1, 2000)
        for p in {int(x) for x in rng.integers(max(0, i // 4 - 20), max(1, i // 2), 2)}
    ]
    o = ontology(names, edges)
    start = time.process_time()
    M = matrix(o, definitions=definitions)  # type: ignore[arg-type]
    assert time.process_time() - start < 2  # of the processor: other programs do not count
    assert M.sem.shape == (2000, 2000)

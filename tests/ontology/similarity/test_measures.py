"""Every measure: by hand on Table 1 of paper 000, against plain definitions on random DAGs, and what it promises."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.model import Ontology
from ontology.similarity import MEASURES, Similarities, UnknownMeasure, matrix, tversky
from tests.ontology.contexts import TERM_EXTENTS
from tests.ontology.similarity.graphs import TABLE1, dags, ontology

LN8 = math.log(8)
IC6 = 1 - math.log(3) / LN8
SUPPORT = {str(term): float(len(documents)) for term, documents in TERM_EXTENTS.items()}


@pytest.mark.parametrize(
    ("name", "pair", "expected"),
    [
        ("sem", "45", 0.447667),
        ("sem", "18", 0.418333),
        ("sem_cn_literature", "17", 0.481111),
        ("path", "45", 1 / 3),
        ("path", "46", 1 / 4),  # 4-3-1-6; the shorter 4-8-6 goes over a common descendant
        ("path", "48", 1 / 2),
        ("leacock_chodorow", "46", math.log(2)),  # 4 nodes, D = 4
        ("leacock_chodorow", "11", LN8),
        ("leacock_chodorow_normalised", "46", 1 / 3),
        ("wu_palmer", "48", 6 / 7),
        ("wu_palmer", "78", 4 / 7),
        ("resnik", "45", 1 / 3),  # T3 has three terms below it: 1 - ln 4 / ln 8
        ("resnik", "24", 0.0),
        ("resnik_normalised", "44", 2 / 3),
        ("lin", "45", 1 / 2),
        ("lin", "78", IC6),
        ("jiang_conrath", "45", 3 / 5),  # the distance is 2/3 + 2/3 - 2/3
        ("jiang_conrath_normalised", "45", 2 / 3),
        ("tversky", "48", 2 / 3),  # 3 shared, 3 + 6 together
        ("tversky_cotopy", "48", 2 * 4 / (4 + 6)),
        ("tversky_directed", "48", 3 / (3 + 0.2 * 3)),
        ("tversky_directed", "84", 3 / (3 + 0.8 * 3)),
    ],
)
def test_table_1_by_hand(name: str, pair: str, expected: float) -> None:
    assert Similarities.of(TABLE1).pair(pair[0], pair[1], name) == pytest.approx(expected, abs=5e-7)


def test_table_1_with_the_support_of_its_terms() -> None:
    prepared = Similarities.of(TABLE1, counts=SUPPORT, cumulative=True, smoothing=0)
    assert prepared.pair("4", "5", "resnik") == pytest.approx(math.log(5 / 3))
    assert prepared.pair("4", "5", "lin") == pytest.approx(math.log(5 / 3) / math.log(5 / 2))
    assert prepared.pair("7", "8", "jiang_conrath") == pytest.approx(1 / (1 + 2 * math.log(2)))
    assert prepared.pair("7", "7", "resnik_normalised") == pytest.approx(1)


class Plain:
    """The measures from their definitions, one pair at a time; no equivalent concepts."""

    def __init__(self, o: Ontology, counts: dict[str, float] | None) -> None:
        self.up = nx.DiGraph()
        self.up.add_nodes_from(c.iri for c in o.concepts)
        self.up.add_edges_from((r.source, r.target) for r in o.relations)
        self.anc = {c: {c} | nx.descendants(self.up, c) for c in self.up}
        self.desc = {c: {c} | nx.ancestors(self.up, c) for c in self.up}
        self.depth = max(map(self.dep, self.up))
        k = len(self.up)
        if counts is None:
            self.ic = {c: 1 - math.log(len(self.desc[c])) / math.log(k) if k > 1 else 0.0 for c in self.up}
        else:
            n = sum(counts.values()) + k
            self.ic = {c: -math.log(sum(counts.get(x, 0) + 1 for x in self.desc[c]) / n) for c in self.up}
        self.top = max(self.ic.values())

    def dep(self, c: str) -> int:
        return 1 + max((self.dep(p) for p in self.up.successors(c)), default=0)

    def edges(self, a: str, b: str) -> float:
        to = nx.shortest_path_length
        return min((to(self.up, a, x) + to(self.up, b, x) for x in self.anc[a] & self.anc[b]), default=math.inf)

    def mica(self, a: str, b: str) -> float | None:
        return max((self.ic[x] for x in self.anc[a] & self.anc[b]), default=None)

    def path(self, a: str, b: str) -> float:
        return 1 / (1 + self.edges(a, b))

    def leacock_chodorow(self, a: str, b: str) -> float:
        edges = self.edges(a, b)
        return -math.log((1 + edges) / (2 * self.depth)) if edges < math.inf else 0.0

    def leacock_chodorow_normalised(self, a: str, b: str) -> float:
        return self.leacock_chodorow(a, b) / math.log(2 * self.depth)

    def wu_palmer(self, a: str, b: str) -> float:
        lowest = max((self.dep(x) for x in self.anc[a] & self.anc[b]), default=0)
        return 2 * lowest / (self.dep(a) + self.dep(b))

    def resnik(self, a: str, b: str) -> float:
        return self.mica(a, b) or 0.0

    def resnik_normalised(self, a: str, b: str) -> float:
        return self.resnik(a, b) / self.top if self.top else 0.0

    def lin(self, a: str, b: str) -> float:
        mica, both = self.mica(a, b), self.ic[a] + self.ic[b]
        return 0.0 if mica is None else 2 * mica / both if both else 1.0

    def distance(self, a: str, b: str) -> float:
        return self.ic[a] + self.ic[b] - 2 * (self.mica(a, b) or 0.0)

    def jiang_conrath(self, a: str, b: str) -> float:
        return 1 / (1 + self.distance(a, b))

    def jiang_conrath_normalised(self, a: str, b: str) -> float:
        return 1 - self.distance(a, b) / (2 * self.top) if self.top else 1.0

    def ratio(self, one: set[str], other: set[str], alpha: float, beta: float) -> float:
        both = len(one & other)
        return both / (both + alpha * len(one - other) + beta * len(other - one)) if both else 0.0

    def tversky(self, a: str, b: str) -> float:
        return self.ratio(self.anc[a], self.anc[b], 0.5, 0.5)

    def tversky_cotopy(self, a: str, b: str) -> float:
        return self.ratio(self.anc[a] | self.desc[a], self.anc[b] | self.desc[b], 0.5, 0.5)

    def tversky_directed(self, a: str, b: str) -> float:
        return self.ratio(self.anc[a], self.anc[b], 0.8, 0.2)


PLAIN = [name for name in MEASURES if hasattr(Plain, name)]


def test_every_measure_but_sem_has_a_plain_definition() -> None:
    assert set(MEASURES) - set(PLAIN) == {"sem", "sem_cn_literature"}  # theirs are in test_five_factors.py


@st.composite
def counted(draw: st.DrawFn, o: Ontology) -> dict[str, float] | None:
    """No counts, or some of the concepts'."""
    if draw(st.booleans()):
        return None
    return {c.iri: float(draw(st.integers(0, 20))) for c in o.concepts if draw(st.booleans())}


@pytest.mark.slow
@given(dags(twins=False), st.data())
@settings(deadline=None, max_examples=100)
def test_every_pair_equals_the_definition(o: Ontology, data: Any) -> None:
    counts = data.draw(counted(o))
    prepared, plain = Similarities.of(o, counts=counts), Plain(o, counts)
    for name in PLAIN:
        found, defined = prepared.matrix(name), getattr(plain, name)
        expected = [[defined(a, b) for b in prepared.iris] for a in prepared.iris]
        assert found == pytest.approx(np.array(expected), abs=1e-9), name


@pytest.mark.slow
@given(dags(), st.data())
@settings(deadline=None, max_examples=100)
def test_what_every_measure_promises(o: Ontology, data: Any) -> None:
    counts = data.draw(counted(o))
    prepared = Similarities.of(o, counts=counts)
    without = Similarities.of(o)
    for measure in MEASURES.values():
        found, largest = prepared.matrix(measure), measure.largest(prepared.ground)
        itself = np.diag(found)
        assert found.min() >= 0, measure.name
        assert found.max() <= largest + 1e-12, measure.name
        assert (itself >= found.max(axis=1) - 1e-12).all(), f"{measure.name}: nothing is nearer than itself"
        if measure.symmetric:
            assert (found == found.T).all(), measure.name
        if measure.one_for_itself:
            assert itself == pytest.approx(largest, abs=1e-12), measure.name
        if not measure.needs_content:
            assert (found == without.matrix(measure)).all(), measure.name


@pytest.mark.slow
@given(dags(), st.data())
@settings(deadline=None, max_examples=60)
def test_the_matrix_equals_rows_and_pairs(o: Ontology, data: Any) -> None:
    prepared = Similarities.of(o, counts=data.draw(counted(o)))
    name = data.draw(st.sampled_from(list(MEASURES)))
    M = prepared.matrix(name)
    for (i, a), (j, b) in itertools.product(enumerate(prepared.iris), repeat=2):
        assert M[i, j] == pytest.approx(prepared.pair(a, b, name), abs=1e-12)
    at = data.draw(st.integers(0, len(prepared.iris) - 1))
    assert prepared.row(prepared.iris[at], name) == pytest.approx(M[at], abs=1e-12)


@pytest.mark.slow
@given(dags())
@settings(deadline=None, max_examples=60)
def test_equivalent_concepts_are_one(o: Ontology) -> None:
    prepared = Similarities.of(o)
    for r in o.edges("equivalent_to"):
        for name in MEASURES:
            assert (prepared.row(r.source, name) == prepared.row(r.target, name)).all()


@given(dags(rooted=True))
@settings(deadline=None, max_examples=40)
def test_sem_and_its_depth_factor_are_among_the_measures(o: Ontology) -> None:
    prepared, M = Similarities.of(o), matrix(o)
    assert (prepared.matrix("sem") == M.sem).all()
    assert (prepared.matrix("wu_palmer") == M.factors.depth).all()
    assert prepared.matrix(tversky(1, 1)) == pytest.approx(M.factors.coincidence, abs=1e-12)


def test_a_wide_and_a_narrow_table_of_features_share_alike() -> None:
    """Many features a concept (a chain) and few (a star): two ways of counting, one definition."""
    names = [f"{i:03}" for i in range(60)]
    chain = ontology(names, [(names[i], "subclass_of", names[i - 1]) for i in range(1, 60)])
    star = ontology(names, [(name, "subclass_of", names[0]) for name in names[1:]])
    below = np.minimum.outer(np.arange(60), np.arange(60)) + 1
    size = np.arange(60) + 1
    assert Similarities.of(chain).matrix("tversky") == pytest.approx(2 * below / np.add.outer(size, size), abs=1e-12)
    M = Similarities.of(star).matrix("tversky")
    assert (M[0, 1], M[1, 2], M[3, 3]) == pytest.approx((2 / 3, 1 / 2, 1))


def test_unconnected_concepts() -> None:
    prepared = Similarities.of(ontology("rabz", [("a", "subclass_of", "r"), ("b", "subclass_of", "r")]))
    content = 1 - math.log(3) / math.log(4)  # of r; z has 1
    expected = dict.fromkeys(MEASURES, 0.0)
    expected |= {"jiang_conrath": 1 / (2 + content), "jiang_conrath_normalised": (1 - content) / 2}
    found = {name: prepared.pair("r", "z", name) for name in MEASURES}
    assert found["sem_cn_literature"] > 0  # its density and depth look at each concept alone
    del found["sem_cn_literature"], expected["sem_cn_literature"]
    assert found == pytest.approx(expected, abs=1e-12)


def test_one_concept_alone() -> None:
    prepared = Similarities.of(ontology("r", []))
    found = {name: prepared.pair("r", "r", name) for name in MEASURES}
    assert found == {name: pytest.approx({"leacock_chodorow": math.log(2), "resnik": 0, "resnik_normalised": 0}
                                         .get(name, 1)) for name in MEASURES}  # fmt: skip


def test_part_of_edges_can_be_left_out() -> None:
    o = ontology("rab", [("a", "subclass_of", "r"), ("b", "part_of", "a")])
    assert Similarities.of(o).pair("a", "b", "path") == 0.5
    assert Similarities.of(o, kinds=("subclass_of",)).pair("a", "b", "path") == 0


def test_nearest() -> None:
    prepared = Similarities.of(TABLE1)
    near = prepared.nearest("8", "sem", n=3)
    row = dict(zip(prepared.iris, prepared.row("8"), strict=True))
    assert [iri for iri, _ in near] == ["4", "5", "6"]  # T4 and T5 tie, by IRI; T6 is one level higher
    assert all(value == row[iri] for iri, value in near)
    assert len(prepared.nearest("8", n=100)) == 7
    assert all(iri != "8" for iri, _ in prepared.nearest("8", n=100))


def test_bad_arguments() -> None:
    prepared = Similarities.of(TABLE1)
    with pytest.raises(UnknownMeasure, match="did you mean 'wu_palmer'"):
        prepared.pair("1", "2", "wupalmer")
    with pytest.raises(KeyError, match="no concept 9"):
        prepared.pair("1", "9")
    with pytest.raises(KeyError, match="no concept 9"):
        prepared.nearest("9")
    bad: list[Callable[[], Any]] = [lambda: tversky(-1, 1), lambda: tversky(1, math.inf)]
    for call in bad:
        with pytest.raises(ValueError, match="two non-negative numbers"):
            call()
    with pytest.raises(ValueError, match="features: expected one of ancestors, cotopy"):
        tversky(1, 1, "siblings")

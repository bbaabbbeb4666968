"""Topic weights by query on four ontologies, as loaded and after edges were added and removed in the graph itself.

Table 1 of paper 000, ours (rainstorm, typhoon), and foreign ones whose concepts have several parents.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import ontologies
from kg.load import load_ontology
from kg.store import GraphStore
from kg.weights import topic_weights
from ontology import owl
from ontology.concept_graph import ConceptGraph, OntologyCycle
from ontology.model import Ontology, Relation
from tests.kg.test_weights import FACTORS, table_1
from tests.ontology.similarity.root_weights import root_weights

OURS = Path(ontologies.__path__[0])
FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "data" / "ontologies"
GOLDEN = {  # five_factors_table1 of golden.json: Dis, Den, Dep, Coi, Rel, Sem
    "1": (1, 1, 1, 1, 1, 1),
    "2": (0.5, 1, 0.6666666666666666, 0.5, 0.8, 0.5743333333333333),
    "3": (0.5, 1, 0.6666666666666666, 0.5, 0.8, 0.5743333333333333),
    "4": (0.3333333333333333, 1, 0.5, 0.3333333333333333, 0.8, 0.43433333333333335),
    "5": (0.3333333333333333, 1, 0.5, 0.3333333333333333, 0.8, 0.43433333333333335),
    "6": (0.5, 1, 0.6666666666666666, 0.5, 0.8, 0.5743333333333333),
    "7": (0.3333333333333333, 1, 0.5, 0.3333333333333333, 0.8, 0.43433333333333335),
    "8": (0.3333333333333333, 1, 0.4, 0.16666666666666666, 0.8, 0.41833333333333333),
}


def foreign(name: str) -> Ontology:
    path = FOREIGN / name
    if not path.exists():
        pytest.skip(f"../shared/data/ontologies/{name} is not here")
    return owl.load(path).ontology


FOUR: dict[str, Callable[[], Ontology]] = {
    "table 1": table_1,
    "rainstorm": lambda: owl.read(OURS / "rainstorm.ttl"),
    "typhoon": lambda: owl.read(OURS / "typhoon.ttl"),
    "UNDRR hazards": lambda: foreign("dmdo/undrr-isc-hazard-classification.ttl"),
    "SWEET pressure": lambda: foreign("sweet/phenAtmoPressure.ttl"),
}
SEVERAL_PARENTS = {"UNDRR hazards": 300, "SWEET pressure": 5}


def differences(store: GraphStore, expected: Ontology) -> float:
    """The largest difference of a weight or a factor between the graph and memory; the paths are compared too."""
    found = {term.iri: term for term in topic_weights(store, expected.iri)}
    assert set(found) == {c.iri for c in expected.concepts}
    worst = 0.0
    for weight in root_weights(expected):
        term = found[weight.iri]
        assert len(term.path) == len(weight.path)
        worst = max(worst, abs(term.weight - weight.sem))
        worst = max(worst, *(abs(getattr(term.factors, name) - getattr(weight.factors, name)) for name in FACTORS))
    return worst


def weights(ontology: Ontology) -> dict[str, float]:
    return {weight.iri: weight.sem for weight in root_weights(ontology)}


def hierarchical(ontology: Ontology) -> list[Relation]:
    return [r for r in ontology.relations if r.kind in ("subclass_of", "part_of")]


def with_an_edge_more(before: Ontology, rng: random.Random) -> tuple[Relation, Ontology]:
    """An is-a edge that is not there, makes no cycle and changes a weight."""
    iris = [c.iri for c in before.concepts]
    ends = {(r.source, r.target) for r in before.relations}
    while True:
        edge = Relation(rng.choice(iris), "subclass_of", rng.choice(iris))
        if edge.source in (edge.target, before.root) or (edge.source, edge.target) in ends:
            continue
        after = replace(before, relations=(*before.relations, edge))
        try:
            ConceptGraph.of(after)
        except OntologyCycle:
            continue
        if weights(after) != weights(before):
            return edge, after


def with_an_edge_less(before: Ontology, rng: random.Random) -> tuple[Relation, Ontology]:
    """The ontology without one of its edges, where that changes a weight."""
    while True:
        edge = rng.choice(hierarchical(before))
        after = replace(before, relations=tuple(r for r in before.relations if r != edge))
        if weights(after) != weights(before):
            return edge, after


def test_the_golden_factors_of_table_1(store: GraphStore) -> None:
    load_ontology(store, table_1())
    found = {
        t.iri: (*(getattr(t.factors, name) for name in FACTORS), t.weight) for t in topic_weights(store, table_1().iri)
    }
    assert found.keys() == GOLDEN.keys()
    for name, values in GOLDEN.items():
        assert found[name] == pytest.approx(values, abs=1e-9), name


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUR)
def test_as_loaded_and_after_adding_and_removing_an_edge(store: GraphStore, name: str) -> None:
    rng = random.Random(name)
    ontology = FOUR[name]()
    load_ontology(store, ontology)
    assert differences(store, ontology) <= 1e-9
    edge, ontology = with_an_edge_more(ontology, rng)
    added = store.write(
        "MATCH (a:Concept {iri: $narrower}) MATCH (b:Concept {iri: $broader}) "
        "MERGE (a)-[r:SUBCLASS_OF {ontology: $ontology}]->(b) RETURN count(r) AS n",
        narrower=edge.source, broader=edge.target, ontology=ontology.iri,
    )  # fmt: skip
    assert added == [{"n": 1}]
    assert differences(store, ontology) <= 1e-9
    edge, ontology = with_an_edge_less(ontology, rng)
    removed = store.write(
        f"MATCH (:Concept {{iri: $narrower}})-[r:{edge.kind.upper()}]->(:Concept {{iri: $broader}}) "
        "WHERE r.ontology = $ontology WITH r, 1 AS one DELETE r RETURN count(one) AS n",
        narrower=edge.source, broader=edge.target, ontology=ontology.iri,
    )  # fmt: skip
    assert removed == [{"n": 1}]
    assert differences(store, ontology) <= 1e-9


@pytest.mark.parametrize(("name", "least"), SEVERAL_PARENTS.items())
def test_the_foreign_ontologies_have_several_parents(name: str, least: int) -> None:
    parents: dict[str, set[str]] = {}
    for edge in hierarchical(FOUR[name]()):
        parents.setdefault(edge.source, set()).add(edge.target)
    assert sum(len(above) > 1 for above in parents.values()) >= least

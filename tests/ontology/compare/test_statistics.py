"""Figures of an ontology: by hand, against networkx on random DAGs, and for odd shapes."""

from __future__ import annotations

from dataclasses import fields, replace

import networkx as nx
import pytest
from hypothesis import given, settings

from ontology.compare import DEFINITIONS, Statistics, statistics
from ontology.model import Concept, Ontology, Relation
from tests.ontology.similarity.graphs import TABLE1, dags, ontology


def test_table_1() -> None:
    found = statistics(TABLE1)
    assert (found.concepts, found.classes, found.roots, found.leaves) == (8, 8, ("1",), 3)  # leaves: T2, T7, T8
    assert (found.depth, found.levels) == (4, (1, 3, 3, 1))
    assert found.mean_depth == pytest.approx((1 + 3 * 2 + 3 * 3 + 4) / 8)
    assert (found.mean_branching, found.max_branching) == (pytest.approx(9 / 5), 3)  # T1, T3, T4, T5, T6 have children
    assert (found.multiple_parents, found.tangledness) == (1, 1 / 8)  # T8 is below T4, T5 and T6
    assert found.inheritance_richness == pytest.approx(9 / 8)
    assert (found.isolated, found.cycles, found.relationship_richness) == ((), (), 0)


def test_what_concepts_and_relations_carry() -> None:
    o = Ontology(
        "t", "global", "t", "1", "a",
        (
            Concept("a", "灾害", "disaster", definition="坏事。"),
            Concept("b", "洪水", None, ("洪涝", "大水"), ("deluge",)),
            Concept("c", "雨", "rain", definition="水。", definition_en="Water."), Concept("d", "", "wind"),
        ),
        (
            Relation("b", "subclass_of", "a", 3, 0.5, "head noun; documents included", ("d1",), "洪水是灾害。"),
            Relation("c", "causes", "b", evidence="documents included"), Relation("c", "part_of", "b", 0),
        ),
    )  # fmt: skip
    found = statistics(o)
    assert found.labels == {"zh": 3, "en": 3}
    assert found.synonyms == {"zh": 2, "en": 1}
    assert found.definitions == {"zh": 2, "en": 1}
    assert found.relations == {"subclass_of": 1, "part_of": 1, "equivalent_to": 0, "causes": 1, "measured_by": 0}
    assert list(found.evidence.items()) == [("documents included", 2), ("", 1), ("head noun", 1)]
    assert (found.with_support, found.with_documents, found.with_sentence) == (2, 1, 1)
    assert (found.isolated, found.roots) == (("d",), ("a", "c", "d"))
    assert found.relationship_richness == pytest.approx(2 / 3)


def test_equivalent_concepts_are_one_class() -> None:
    o = ontology(
        "rbac",
        [("a", "equivalent_to", "b"), ("b", "subclass_of", "r"), ("c", "subclass_of", "a"), ("a", "subclass_of", "b")],
    )
    found = statistics(o)
    assert (found.concepts, found.classes, found.roots, found.depth) == (4, 3, ("r",), 3)
    assert (found.cycles, found.max_branching) == ((), 1)


def test_cycles_are_named_and_counted_as_one_level() -> None:
    o = ontology("rabcz", [
        ("a", "subclass_of", "r"), ("a", "subclass_of", "b"), ("b", "subclass_of", "c"), ("c", "subclass_of", "a"),
        ("z", "subclass_of", "b"), ("z", "subclass_of", "z"),
    ])  # fmt: skip
    found = statistics(o)
    assert found.cycles == (("a", "b", "c"),)
    assert (found.depth, found.levels, found.roots) == (3, (1, 3, 1), ("r",))


def test_one_concept_alone() -> None:
    found = statistics(ontology("r", []))
    assert (found.roots, found.leaves, found.depth, found.levels, found.isolated) == (("r",), 1, 1, (1,), ("r",))
    assert (found.mean_branching, found.max_branching, found.inheritance_richness) == (0, 0, 0)


@given(dags(twins=False))
@settings(deadline=None, max_examples=80)
def test_the_shape_is_that_of_the_graph(o: Ontology) -> None:
    up = nx.DiGraph()
    up.add_nodes_from(c.iri for c in o.concepts)
    up.add_edges_from((r.source, r.target) for r in o.edges("subclass_of"))
    found = statistics(o)
    assert found.depth == nx.dag_longest_path_length(up) + 1
    assert found.levels == tuple(map(len, nx.topological_generations(up.reverse())))
    assert set(found.roots) == {c for c in up if not up.out_degree(c)}
    assert found.leaves == sum(not up.in_degree(c) for c in up)
    assert found.multiple_parents == sum(up.out_degree(c) > 1 for c in up)
    assert found.max_branching == max(d for _, d in up.in_degree())
    assert statistics(replace(o, concepts=o.concepts[::-1], relations=o.relations[::-1])) == found


def test_every_figure_is_defined() -> None:
    assert list(DEFINITIONS) == [f.name for f in fields(Statistics)]

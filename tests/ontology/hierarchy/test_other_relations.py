"""Which stated relations become edges of an ontology."""

from __future__ import annotations

import pytest

from ontology.concept_graph import ConceptGraph
from ontology.hierarchy.other_relations import with_relations
from ontology.model import Concept, Ontology, Relation, RelationKind

IS_A = (("a", "root"), ("b", "root"), ("c", "root"), ("below", "a"), ("lowest", "below"))
ONTOLOGY = Ontology(
    "o", "global", "t", "1", "root", tuple(Concept(name, name) for name in ("root", "a", "b", "c", "below", "lowest")),
    tuple(Relation(narrower, "subclass_of", broader) for narrower, broader in IS_A),
)  # fmt: skip


def claim(source: str, kind: RelationKind, target: str, documents: int = 1) -> Relation:
    ids = tuple(f"d{i}" for i in range(documents))
    return Relation(source, kind, target, documents, evidence="cue cue", documents=ids, sentence="sentence")


def added(*claims: Relation) -> set[tuple[str, str, str]]:
    ontology = with_relations(ONTOLOGY, claims)
    assert ontology.relations[: len(IS_A)] == ONTOLOGY.relations
    ConceptGraph.of(ontology)  # raises for a cycle
    return {(r.source, r.kind, r.target) for r in ontology.relations[len(IS_A) :]}


def test_an_edge_has_the_evidence_of_its_claim() -> None:
    (*_, edge) = with_relations(ONTOLOGY, [claim("a", "causes", "b", 2)]).relations
    assert edge == Relation("a", "causes", "b", 2, None, "cue cue", ("d0", "d1"), "sentence")


@pytest.mark.parametrize(("source", "target"), [("lowest", "a"), ("a", "lowest"), ("b", "root"), ("a", "elsewhere")])
def test_none_along_the_hierarchy_and_to_classes_elsewhere(source: str, target: str) -> None:
    for kind in ("causes", "part_of", "measured_by"):
        assert added(claim(source, kind, target)) == set()


def test_of_both_directions_the_better_supported_one() -> None:
    assert added(claim("a", "causes", "b"), claim("b", "causes", "a", 2)) == {("b", "causes", "a")}
    assert added(claim("a", "causes", "b", 2), claim("b", "causes", "a", 2)) == set()
    assert added(claim("a", "causes", "b"), claim("b", "part_of", "a")) == {("a", "causes", "b"), ("b", "part_of", "a")}


def test_parts_make_no_cycle_with_the_hierarchy() -> None:
    around = (claim("a", "part_of", "b"), claim("b", "part_of", "c", 3), claim("c", "part_of", "below", 2))
    assert added(*around) == {("b", "part_of", "c"), ("c", "part_of", "below")}
    causes = {("a", "causes", "b"), ("b", "causes", "c"), ("c", "causes", "a")}
    assert added(*(claim(source, "causes", target) for source, _, target in sorted(causes))) == causes

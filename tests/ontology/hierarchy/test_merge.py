from __future__ import annotations

from dataclasses import replace

import pytest

from ontology.concept_graph import ConceptGraph
from ontology.hierarchy import merge
from ontology.hierarchy.merge import Merged
from ontology.model import Concept, Ontology, Relation, RelationKind


def made(name: str, root: str, edges: list[tuple[str, str]], evidence: str = "curated") -> Ontology:
    names = dict.fromkeys([root, *(n for edge in edges for n in edge)])
    relations = [Relation(f"x:{u}", "subclass_of", f"x:{t}", 3, 0.5, evidence) for u, t in edges]
    concepts = tuple(Concept(f"x:{n}", n) for n in names)
    kind = "global" if name == "global" else "local"
    return Ontology(f"x:{name}", kind, "t", "1", f"x:{root}", concepts, tuple(relations))  # type: ignore[arg-type]


def edges(found: Merged) -> set[tuple[str, str]]:
    return {(r.source[2:], r.target[2:]) for r in found.ontology.edges("subclass_of")}


def also(ontology: Ontology, *more: tuple[str, RelationKind, str]) -> Ontology:
    """The ontology with more relations, before its own as in files."""
    return replace(ontology, relations=(*(Relation(f"x:{s}", k, f"x:{t}") for s, k, t in more), *ontology.relations))


WHOLE = made("global", "G", [("a", "G"), ("b", "a"), ("c", "b")])


def test_what_agrees_is_joined_without_a_conflict() -> None:
    found = merge(WHOLE, [made("l", "a", [("b", "a"), ("d", "b")])])
    assert found.conflicts == ()
    assert edges(found) == {("a", "G"), ("b", "a"), ("c", "b"), ("d", "b")}
    assert found.ontology.iri == WHOLE.iri


def test_a_local_root_that_is_new_hangs_under_the_global_one() -> None:
    found = merge(WHOLE, [made("l", "L", [("d", "L")])])
    assert {("L", "G"), ("d", "L")} <= edges(found)


def test_a_reversed_edge_is_shown_and_left_out() -> None:
    found = merge(WHOLE, [made("l", "G", [("b", "G"), ("a", "b")])])
    (conflict,) = [c for c in found.conflicts if c.kind == "reversed"]
    assert (conflict.concept, conflict.ours, conflict.theirs) == ("a", "b is a a", "a is a b")
    assert ("a", "b") not in edges(found)


def test_a_cycle_over_others_is_shown_with_its_way_and_left_out() -> None:
    found = merge(WHOLE, [made("l", "G", [("a", "c")])])
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.ours) == ("cycle", "c is a b is a a")
    assert ("a", "c") not in edges(found)


def test_two_locals_that_make_a_cycle_together() -> None:
    one, two = made("l1", "G", [("d", "G"), ("e", "d")]), made("l2", "G", [("e", "G"), ("d", "e")])
    assert [c.kind for c in merge(WHOLE, [one, two]).conflicts] == ["reversed"]


def test_other_places_are_shown_and_both_kept() -> None:
    found = merge(WHOLE, [made("l", "G", [("d", "G"), ("c", "d")])])
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.concept, conflict.ours, conflict.theirs) == (
        "parents", "c", "c is a b", "c is a d",
    )  # fmt: skip
    assert {("c", "b"), ("c", "d")} <= edges(found)


def test_a_broader_or_narrower_place_is_no_conflict() -> None:
    assert merge(WHOLE, [made("l", "G", [("c", "a")])]).conflicts == ()


def test_equal_labels_under_other_iris() -> None:
    local = made("l", "G", [("b", "G")])
    renamed = replace(local, concepts=(*local.concepts, Concept("y:c", "c")))
    found = merge(WHOLE, [renamed])
    (conflict,) = [c for c in found.conflicts if c.kind == "label"]
    assert (conflict.concept, conflict.ours, conflict.theirs) == ("c", "c is x:c", "c is y:c")
    assert {"x:c", "y:c"} <= set(found.ontology.by_iri)


@pytest.mark.parametrize("evidence", ["topic root", "topic root; lda, heads topic 1, phi 0.200"])
def test_stopgap_edges_to_a_root_give_way(evidence: str) -> None:
    whole = made("global", "G", [("a", "G"), ("b", "G")], evidence=evidence)
    local = made("l", "L", [("a", "L")], evidence="topic root")
    found = merge(whole, [local, made("l2", "G", [("b", "a")])])
    assert edges(found) == {("a", "G"), ("b", "a"), ("L", "G")}
    assert found.conflicts == ()


def test_labels_and_definitions_of_both() -> None:
    local = made("l", "G", [("b", "G")])
    fuller = tuple(
        replace(c, label_zh="乙", label_en="bee", definition="定义") if c.label_zh == "b" else c for c in local.concepts
    )
    found = merge(WHOLE, [replace(local, concepts=fuller)]).ontology.by_iri["x:b"]
    assert (found.label_zh, found.label_en, found.alt_zh, found.definition) == ("b", "bee", ("乙",), "定义")


def test_a_cycle_over_part_of_edges_is_shown_and_left_out() -> None:
    whole = also(made("global", "G", [("a", "G"), ("b", "G"), ("c", "G")]), ("a", "part_of", "b"))
    found = merge(whole, [also(made("l", "G", [("b", "a")]), ("b", "part_of", "a"))])
    assert [(c.kind, c.ours, c.theirs) for c in found.conflicts] == [
        ("reversed", "a is part of b", "b is part of a"), ("cycle", "a is part of b", "b is a a"),
    ]  # fmt: skip
    assert found.ontology == whole
    ConceptGraph.of(found.ontology)


def test_a_cycle_over_equivalent_classes_is_shown_and_left_out() -> None:
    whole = also(made("global", "G", [("a", "G"), ("b", "G"), ("c", "G")]), ("a", "equivalent_to", "b"))
    found = merge(whole, [made("l", "G", [("c", "a"), ("b", "c"), ("b", "a")])])
    assert [(c.kind, c.ours, c.theirs) for c in found.conflicts] == [("cycle", "c is a a is the same as b", "b is a c")]
    assert ("b", "a") in edges(found), "an edge between equivalent classes closes no cycle"
    ConceptGraph.of(found.ontology)


def test_an_equivalence_that_would_close_a_cycle_is_shown_and_left_out() -> None:
    edges = [("a", "G"), ("b", "G"), ("c", "G")]
    local = also(made("l", "G", edges), ("a", "equivalent_to", "c"), ("b", "equivalent_to", "c"))
    found = merge(WHOLE, [local])
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.concept) == ("cycle", "a")
    assert (conflict.ours, conflict.theirs) == ("c is a b is a a", "a is the same as c")
    assert [(r.source, r.target) for r in found.ontology.edges("equivalent_to")] == [("x:b", "x:c")]
    ConceptGraph.of(found.ontology)


@pytest.mark.parametrize("kind", ["subclass_of", "part_of"])
def test_no_edge_leads_up_from_the_global_root(kind: RelationKind) -> None:
    local = also(made("l", "L", [("x", "L"), ("G", "x")]), ("G", kind, "x"))
    found = merge(WHOLE, [local])
    assert {(c.kind, c.concept) for c in found.conflicts} == {("cycle", "G")}
    assert found.conflicts[0].ours == "G is the root"
    assert {("L", "G"), ("x", "L")} <= edges(found)
    assert found.ontology.parents["x:G"] == ()


def test_the_global_root_as_an_unplaced_term_of_a_local_one() -> None:
    found = merge(WHOLE, [made("l", "L", [("G", "L")], evidence="topic root")])
    assert found.conflicts == ()
    assert found.ontology.parents["x:G"] == ()


def test_a_class_that_loses_its_places_hangs_under_the_root() -> None:
    found = merge(WHOLE, [made("l", "G", [("a", "d"), ("d", "b")])])
    assert [(c.kind, c.ours, c.theirs) for c in found.conflicts] == [("cycle", "b is a a is a d", "d is a b")]
    (place,) = [r for r in found.ontology.relations if r.source == "x:d"]
    assert (place.target, place.evidence) == ("x:G", "topic root")

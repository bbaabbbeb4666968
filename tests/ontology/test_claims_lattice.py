"""The context of an ontology's claims: its lattice is the completion of the hierarchy, with each class at its place."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.claims_lattice import claims_context
from ontology.context import ContextError, bits_of
from ontology.hierarchy.topic_ontology import TOPIC_ROOT
from ontology.lattice import lattice
from ontology.model import Concept, Ontology, Relation


def ontology(names: str, edges: list[tuple[str, str]], *more: Relation, root: str = "r") -> Ontology:
    """Classes of one letter; (narrower, broader) edges."""
    concepts = tuple(Concept(f"x:{name}", name) for name in dict.fromkeys((root, *names)))
    relations = tuple(Relation(f"x:{a}", "subclass_of", f"x:{b}") for a, b in edges)
    return Ontology("x:o", "global", "t", "1", f"x:{root}", concepts, (*relations, *more))


def topic_root(child: str, also: str = "") -> Relation:
    return Relation(f"x:{child}", "subclass_of", "x:r", evidence=TOPIC_ROOT + also)


def intent(context: object, name: str) -> set[str]:
    row = context.rows[context.objects.index(name)]  # type: ignore[attr-defined]
    return {context.attributes[at] for at in bits_of(row)}  # type: ignore[attr-defined]


def test_rows_are_closed_upwards() -> None:
    context = claims_context(ontology("abcd", [("c", "b"), ("b", "a"), ("d", "a")], topic_root("a")))
    assert context.objects == context.attributes == ("a", "b", "c", "d")
    assert [intent(context, name) for name in "abcd"] == [{"a"}, {"a", "b"}, {"a", "b", "c"}, {"a", "d"}]


def test_the_root_is_in_it_where_something_is_claimed_to_be_a_kind_of_it() -> None:
    hung = (topic_root("a", "; lda, topic 3"), Relation("x:b", "subclass_of", "x:r", evidence="root of x:other"))
    assert claims_context(ontology("ab", [], *hung)).objects == ("a", "b")
    assert intent(claims_context(ontology("ab", [("b", "r")], topic_root("a"))), "b") == {"b", "r"}


def test_equivalent_classes_have_one_row_and_parts_are_no_kinds() -> None:
    same = Relation("x:a", "equivalent_to", "x:b")
    part = Relation("x:c", "part_of", "x:a")
    context = claims_context(ontology("abcd", [("d", "b")], same, part, topic_root("a"), topic_root("c")))
    assert intent(context, "a") == intent(context, "b") == {"a", "b"}
    assert intent(context, "d") == {"a", "b", "d"}
    assert intent(context, "c") == {"c"}
    made = lattice(context)
    assert sorted(names for names in made.own_attributes.values() if len(names) > 1) == [("a", "b")]


def test_the_completion_adds_what_a_hierarchy_lacks() -> None:
    """Two classes below the same two: their meet is a formal concept without a class of its own."""
    context = claims_context(ontology("abcd", [(low, high) for low in "cd" for high in "ab"]))
    made = lattice(context)
    assert len(made.concepts) == 4 + 3  # top, bottom, and the meet of a and b
    assert sum(not made.own_attributes.get(i) for i in range(len(made.concepts))) == 3


def test_nothing_but_a_root_claims_nothing() -> None:
    with pytest.raises(ContextError, match="no class beside its root"):
        claims_context(ontology("", []))


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_each_class_has_a_formal_concept_of_all_below_and_all_above(pairs: list[tuple[int, int]]) -> None:
    """The Dedekind-MacNeille completion: an order embedding, with equal object and attribute concepts."""
    edges = [("abcdefg"[a], "abcdefg"[b]) for a, b in pairs if a > b]
    context = claims_context(ontology("abcdefg", list(dict.fromkeys(edges))))
    above = {name: intent(context, name) for name in "abcdefg"}
    made = lattice(context)
    place = {name: at for at, names in made.own_attributes.items() for name in names}
    assert place == {name: at for at, names in made.own_objects.items() for name in names}
    for low, high in product("abcdefg", repeat=2):
        concept = made.concepts[place[high]]
        is_below = bool(concept.extent >> context.objects.index(low) & 1)
        assert is_below == (high in above[low])

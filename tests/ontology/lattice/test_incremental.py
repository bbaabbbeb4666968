from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.context import ContextError, FormalContext
from ontology.lattice import GrowingLattice, Lattice, LatticeTooLarge, lattice, stability, stable_part
from tests.ontology.contexts import contexts, named, table1


def same(found: Lattice, expected: Lattice) -> bool:
    return bool(
        found == expected
        and (found.extents == expected.extents).all()
        and (found.intents == expected.intents).all()
        and found.covers.shape == expected.covers.shape
        and (found.covers == expected.covers).all()
    )


def rows_of(context: FormalContext) -> list[tuple[str, tuple[str, ...]]]:
    return [(g, context.attribute_names(row)) for g, row in zip(context.objects, context.rows, strict=True)]


@given(contexts(8, 8))
@settings(deadline=None, max_examples=200)
def test_after_every_object_it_equals_the_batch_result(context: FormalContext) -> None:
    growing = GrowingLattice()
    known: list[tuple[str, tuple[str, ...]]] = []
    for name, attributes in rows_of(context):
        before = len(growing)
        growth = growing.add(name, attributes)
        known.append((name, attributes))
        pairs = [(g, m) for g, names in known for m in names]
        if not pairs:
            continue
        batch = lattice(FormalContext.from_pairs(pairs, objects=[g for g, _ in known]))
        assert same(growing.lattice(), batch)
        assert len(growing) == len(batch)
        assert growth.added == len(growing) - before
        assert growth.containing == sum(c.extent >> (len(known) - 1) & 1 for c in batch.concepts)


@given(contexts(8, 8), st.integers(1, 7))
@settings(deadline=None, max_examples=150)
def test_going_on_from_a_finished_lattice(context: FormalContext, first: int) -> None:
    first = min(first, len(context.objects))
    if not any(context.rows[:first]):
        return
    growing = GrowingLattice.of(lattice(context.restricted((1 << first) - 1)))
    for name, attributes in rows_of(context)[first:]:
        growing.add(name, attributes)
    assert same(growing.lattice(), lattice(context))


def test_new_attributes_after_an_object_that_had_all() -> None:
    growing = GrowingLattice()
    growing.add("g", "ab")
    assert len(growing) == 1
    growing.add("h", "bc")
    growing.add("i", "")
    growing.add("j", "abcd")
    context = FormalContext.from_pairs(
        [("g", "a"), ("g", "b"), ("h", "b"), ("h", "c"), *(("j", m) for m in "abcd")], objects=list("ghij")
    )
    assert same(growing.lattice(), lattice(context))


def test_a_chain_longer_than_the_recursion_limit() -> None:
    table = np.tri(1100, dtype=bool)
    growing = GrowingLattice()
    for i in reversed(range(1100)):
        growing.add(f"g{i}", (f"m{j}" for j in range(i + 1)))
    assert len(growing) == len(lattice(named(table))) == 1100


def test_growth_says_what_changed() -> None:
    growing = GrowingLattice.of(lattice(table1()))
    growth = growing.add("D6", ["T1", "T2", "T7"])
    assert (growth.added, len(growing)) == (2, 14)  # {T1, T2, T7} of D6 and {T1, T7} of D4, D6
    assert growth.containing == 4  # these, T1, and T1 T2
    assert growing.lattice().context.objects[-1] == "D6"
    again = growing.add("D7", ["T2", "T1"])
    assert (again.added, again.containing) == (0, 2)


def test_a_doubled_object_and_parts_of_lattices_are_refused() -> None:
    whole = lattice(table1())
    with pytest.raises(ContextError, match="'D1' is there already"):
        GrowingLattice.of(whole).add("D1", [])
    for part in (whole.iceberg(2), stable_part(whole, stability(whole), 0.0)):
        with pytest.raises(ContextError, match="expected a whole lattice"):
            GrowingLattice.of(part)
    with pytest.raises(ContextError, match="needs objects"):
        GrowingLattice().lattice()


def test_growth_beyond_the_limit_changes_nothing() -> None:
    growing = GrowingLattice.of(lattice(table1()), limit=13)
    before = growing.lattice()
    with pytest.raises(LatticeTooLarge, match="allowed are 13"):
        growing.add("D6", ["T1", "T2", "T7", "T9"])
    assert same(growing.lattice(), before)
    growing.add("D6", ["T1", "T2"])
    assert len(growing) == 12

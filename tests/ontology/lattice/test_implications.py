from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.context import ContextError, FormalContext
from ontology.lattice import BasisTooLarge, canonical_basis, lattice
from ontology.lattice.implications import LinClosure
from tests.ontology.contexts import contexts, named, table1
from tests.ontology.lattice.oracles import pseudo_intents, subsets


def naive_closure(implications: list[tuple[int, int]], X: int) -> int:
    while True:
        more = X
        for premise, conclusion in implications:
            if premise & ~more == 0:
                more |= conclusion
        if more == X:
            return X
        X = more


def test_the_basis_of_table_1() -> None:
    """T1 is everywhere; T7 only with T6, T5 and T4 only with T3; what is with T8 is the whole of D5."""
    named = {(" ".join(p), " ".join(c), s) for p, c, s in canonical_basis(table1(), min_support=1).named()}
    assert named == {
        ("", "T1", 5),
        ("T1 T7", "T6", 1),
        ("T1 T4", "T3", 2),
        ("T1 T5", "T3", 2),
        ("T1 T8", "T3 T4 T5 T6", 1),
        ("T1 T3 T6", "T4 T5 T8", 1),
        ("T1 T3 T4 T5", "T6 T8", 1),
    }


@pytest.mark.slow
@given(contexts())
@settings(deadline=None, max_examples=200)
def test_premises_are_the_pseudo_intents_and_closures_agree(context: FormalContext) -> None:
    basis = canonical_basis(context)
    found = {i.premise: i.premise | i.conclusion for i in basis.implications}
    assert found == pseudo_intents(context)
    assert len(found) == len(basis)
    for i in basis.implications:
        assert i.premise & i.conclusion == 0
        assert i.support == context.extent(i.premise).bit_count() == context.extent(found[i.premise]).bit_count()
    for X in range(2 ** len(context.attributes)):
        assert basis.close(X) == context.intent(context.extent(X))


@given(contexts())
@settings(deadline=None, max_examples=100)
def test_no_implication_is_redundant(context: FormalContext) -> None:
    pairs = [(i.premise, i.conclusion) for i in canonical_basis(context).implications]
    for k, (premise, conclusion) in enumerate(pairs):
        assert conclusion & ~naive_closure(pairs[:k] + pairs[k + 1 :], premise)


@given(contexts(), st.data())
@settings(deadline=None, max_examples=100)
def test_a_minimal_support_keeps_exactly_the_frequent_ones(context: FormalContext, data: st.DataObject) -> None:
    support = data.draw(st.integers(0, len(context.objects)))
    whole, part = canonical_basis(context), canonical_basis(context, min_support=support)
    assert part.implications == tuple(i for i in whole.implications if i.support >= support)
    for X in range(2 ** len(context.attributes)):
        if context.extent(X).bit_count() >= support:
            assert part.close(X) == whole.close(X)


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=12))
@settings(max_examples=100)
def test_lin_closure_equals_the_naive_one(implications: list[tuple[int, int]]) -> None:
    linear = LinClosure(implications)
    for X in subsets(255):
        assert linear.close(X) == naive_closure(implications, X)


def test_a_larger_context_is_sound_and_complete() -> None:
    context = named(np.random.default_rng(5).random((40, 20)) < 0.3)
    basis = canonical_basis(context)
    rng = np.random.default_rng(1)
    for X in rng.integers(0, 2**20, 2000).tolist() + [c.intent for c in lattice(context).concepts]:
        assert basis.close(X) == context.intent(context.extent(X))


def test_premises_stand_in_lectic_order() -> None:
    premises = [i.premise for i in canonical_basis(named(np.random.default_rng(5).random((20, 10)) < 0.4)).implications]
    keys = [[X >> j & 1 for j in range(10)] for X in premises]
    assert keys == sorted(keys)


def test_too_many_are_refused_and_bad_supports_too() -> None:
    with pytest.raises(BasisTooLarge, match=r"allowed are 1,000.*minimal support") as refusal:
        canonical_basis(named(~np.eye(26, dtype=bool)), limit=1000)
    assert refusal.value.found == 1001
    with pytest.raises(ContextError, match="expected 0 to 5"):
        canonical_basis(table1(), min_support=6)

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.context import ContextError, FormalContext, bits_of, bitsets, first_doubled, pack, unpack, words
from tests.ontology.contexts import contexts, table1


def test_g1_derivations_of_table_1() -> None:
    context = table1()
    t1_t2 = context.attribute_bits(["T1", "T2"])
    assert context.object_names(context.extent(t1_t2)) == ("D1", "D2", "D3")
    assert context.attribute_names(context.intent(context.object_bits(["D1", "D2", "D3"]))) == ("T1", "T2")
    assert context.incidences == 19
    assert context.density == pytest.approx(19 / 40)


@given(contexts(), st.data())
def test_galois_connection(context: FormalContext, data: st.DataObject) -> None:
    A = data.draw(st.integers(0, 2 ** len(context.objects) - 1))
    B = data.draw(st.integers(0, 2 ** len(context.attributes) - 1))
    assert (B & ~context.intent(A) == 0) == (A & ~context.extent(B) == 0)
    assert A & ~context.extent(context.intent(A)) == 0
    assert context.intent(context.extent(context.intent(A))) == context.intent(A)


@given(contexts())
def test_columns_are_the_transposed_rows(context: FormalContext) -> None:
    pairs = {(i, j) for i, row in enumerate(context.rows) for j in bits_of(row)}
    assert pairs == {(i, j) for j, column in enumerate(context.columns) for i in bits_of(column)}
    assert FormalContext.from_bools(context.objects, context.attributes, context.bools()) == context
    named = [(context.objects[i], context.attributes[j]) for i, j in sorted(pairs)]
    assert FormalContext.from_pairs(named, context.objects, context.attributes) == context


@pytest.mark.parametrize("n", [1, 63, 64, 65, 130])
def test_packing_is_lossless_over_word_borders(n: int) -> None:
    table = np.random.default_rng(n).random((5, n)) < 0.5
    assert (unpack(pack(table), n) == table).all()
    assert bitsets(pack(table)) == [sum(1 << i for i in range(n) if row[i]) for row in table]
    assert (words(bitsets(pack(table)), n) == pack(table)).all()
    assert pack(table).shape == words([0] * 5, n).shape == (5, math.ceil(n / 64))


def test_rows_without_columns_take_one_word() -> None:
    assert pack(np.zeros((3, 0), dtype=bool)).tolist() == words([0, 0, 0], 0).tolist() == [[0], [0], [0]]


@pytest.mark.parametrize(
    ("objects", "attributes", "rows", "message"),
    [
        ((), ("a",), (), "needs objects"),
        (("g",), (), (0,), "needs attributes"),
        (("g", "g"), ("a",), (1, 1), "found doubled: 'g'"),
        (("g",), ("a", "b", "a"), (1,), "found doubled: 'a'"),
        (("g", "h"), ("a",), (1,), "one row per object"),
        (("g",), ("a",), (2,), "bitset of 1 attributes"),
        (("g", "h"), ("a",), (0, 0), "no incidence"),
    ],
)
def test_impossible_contexts_are_refused(
    objects: tuple[str, ...], attributes: tuple[str, ...], rows: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ContextError, match=message):
        FormalContext(objects, attributes, rows)


def test_at_most_five_doubled_names_are_listed() -> None:
    for count, end in ((5, "'e'; rename"), (6, "'e' and 1 more; rename"), (7, "'e' and 2 more; rename")):
        with pytest.raises(ContextError, match=end):
            FormalContext(("g",), tuple("abcdefg"[:count]) * 2, (1,))


def test_the_first_doubled_name_is_the_first_that_came_before() -> None:
    assert first_doubled(["a", "b", "c", "b", "a"]) == 3
    assert first_doubled(["a", "b"]) is None


def test_the_message_about_a_context_without_incidence_says_what_to_do() -> None:
    with pytest.raises(ContextError, match="lower the minimal frequency"):
        FormalContext.from_bools(["g"], ["a"], [[False]])


def test_ragged_and_misshapen_tables_are_refused() -> None:
    with pytest.raises(ContextError, match="row 1: expected 2 cells"):
        FormalContext.from_bools(["g", "h"], ["a", "b"], [[True, False], [True]])
    with pytest.raises(ContextError, match="found shape"):
        FormalContext.from_bools(["g"], ["a", "b"], np.ones((2, 2), dtype=bool))
    with pytest.raises(ContextError, match="'x' is not one of the attributes passed"):
        FormalContext.from_pairs([("g", "x")], ["g"], ["a"])
    with pytest.raises(ContextError, match="no attribute 'x'"):
        table1().attribute_bits(["x"])
    with pytest.raises(ContextError, match="bitset of the 8 attributes"):
        table1().extent(1 << 8)


def test_restriction_keeps_order_and_refuses_nothing() -> None:
    part = table1().restricted(table1().object_bits(["D4", "D5"]), table1().attribute_bits(["T8", "T6"]))
    assert part == FormalContext(("D4", "D5"), ("T6", "T8"), (1, 3))
    with pytest.raises(ContextError, match="needs objects"):
        table1().restricted(0)

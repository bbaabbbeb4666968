"""Frequent itemsets and rules: exact against brute force, and on the example that the method was published with."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.context import FormalContext
from ontology.evidence.apriori import AprioriError, association_rules, frequent_itemsets

BASKETS = {"T100": "134", "T200": "235", "T300": "1235", "T400": "25"}
"""The database of the example of Agrawal and Srikant 1994, at a minimal support of two transactions."""


def context_of(rows: dict[str, str]) -> FormalContext:
    return FormalContext.from_pairs([(d, item) for d, items in rows.items() for item in items])


def sets_of(context: FormalContext, **options: float) -> dict[str, int]:
    found = frequent_itemsets(context, **options)  # type: ignore[arg-type]
    return {"".join(sorted(context.attributes[j] for j in s.items)): s.documents for s in found}


def test_the_example_of_the_paper() -> None:
    context = context_of(BASKETS)
    expected = {"1": 2, "2": 3, "3": 3, "5": 3, "13": 2, "23": 2, "25": 3, "35": 2, "235": 2}
    assert sets_of(context, min_support=0.5, max_size=4) == expected
    assert sets_of(context, min_support=0.5) == {items: n for items, n in expected.items() if len(items) < 3}
    rules = {
        ("".join(sorted(r.body)), "".join(sorted(r.head))): r
        for r in association_rules(context, min_support=0.5, min_confidence=1.0, max_size=3)
    }
    assert set(rules) == {("1", "3"), ("2", "5"), ("5", "2"), ("23", "5"), ("35", "2")}
    assert rules["1", "3"].lift == pytest.approx(4 / 3)
    assert (rules["23", "5"].support, rules["23", "5"].documents) == (0.5, 2)


def test_confidence_is_not_symmetric_and_lift_is() -> None:
    context = context_of({"a": "xy", "b": "xy", "c": "y", "d": "y", "e": "z"})
    rules = {r.body + r.head: r for r in association_rules(context, min_support=0.2, min_confidence=0.1)}
    assert rules["x", "y"].confidence == 1.0
    assert rules["y", "x"].confidence == 0.5
    assert rules["x", "y"].lift == pytest.approx(rules["y", "x"].lift) == pytest.approx(1.25)


def test_an_inclusion_of_the_lattice_is_a_rule_of_confidence_one() -> None:
    context = context_of({"D1": "12", "D2": "1234", "D3": "1235", "D4": "167", "D5": "134568"})
    sure = {r.body + r.head for r in association_rules(context, min_support=0.2, min_confidence=1.0)}
    extent = dict(zip(context.attributes, context.columns, strict=True))
    included = {(u, t) for u in extent for t in extent if u != t and extent[u] & ~extent[t] == 0}
    assert sure == included


tables = st.integers(1, 6).flatmap(
    lambda m: st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=1, max_size=9)
).filter(lambda rows: any(map(any, rows)))  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(tables, st.integers(1, 9), st.integers(1, 4), st.floats(0.05, 1.0))
def test_equals_brute_force(rows: list[list[bool]], least: int, size: int, confidence: float) -> None:
    n, m = len(rows), len(rows[0])
    context = FormalContext.from_bools([f"d{i}" for i in range(n)], [f"t{j}" for j in range(m)], rows)
    share = min(least, n) / n

    def count(items: tuple[int, ...]) -> int:
        return sum(all(row[j] for j in items) for row in rows)

    every = chain.from_iterable(combinations(range(m), k) for k in range(1, size + 1))
    expected = {items: count(items) for items in every if count(items) >= min(least, n)}
    found = frequent_itemsets(context, min_support=share, max_size=size)
    assert {s.items: s.documents for s in found} == expected
    assert len(found) == len(expected)
    rules = {
        (body, tuple(j for j in items if j not in body))
        for items in expected
        for k in range(1, len(items))
        for body in combinations(items, k)
        if count(items) / count(body) >= confidence - 1e-9
    }
    told = association_rules(context, min_support=share, min_confidence=confidence, max_size=size)
    assert {(tuple(int(t[1:]) for t in r.body), tuple(int(t[1:]) for t in r.head)) for r in told} == rules
    for r in told:
        body, head = (tuple(int(t[1:]) for t in side) for side in (r.body, r.head))
        both = count(tuple(sorted((*body, *head))))
        assert r.documents == both
        assert r.lift == pytest.approx(both * n / (count(body) * count(head)))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"min_support": 0.0, "min_confidence": 0.5}, "min_support: expected a number above 0 and at most 1, found 0"),
        ({"min_support": 1.5, "min_confidence": 0.5}, "min_support"),
        ({"min_support": 0.5, "min_confidence": 0.0}, "min_confidence"),
        ({"min_support": 0.5, "min_confidence": 0.5, "max_size": 0}, "max_size"),
        ({"min_support": float("nan"), "min_confidence": 0.5}, "found nan"),
    ],
)
def test_thresholds_out_of_range(options: dict[str, float], named: str) -> None:
    with pytest.raises(AprioriError, match=named):
        association_rules(context_of(BASKETS), **options)  # type: ignore[arg-type]

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.context import ContextError, FormalContext
from ontology.lattice import (
    Lattice,
    StabilityNeedsSampling,
    concept_stability,
    lattice,
    stability,
    stable_part,
)
from ontology.lattice.concept_stability import by_inclusion_exclusion, by_sampling
from tests.ontology.contexts import contexts, named, table1
from tests.ontology.lattice.oracles import extensional, extent_pairs, intensional, reduction, values


def test_stability_of_table_1_counted_by_hand() -> None:
    """C0 = ({D1..D5}, {T1}): a subset of the documents has exactly T1 in common unless it is within {D1, D2, D3},
    {D2, D3, D5} or {D4, D5}: 8 + 8 + 4 - 4 (D2, D3) - 1 - 2 (D5) + 1 = 14 of 32 are."""
    found = stability(lattice(table1()))
    assert found.values[0] == 18 / 32
    assert found.values[4] == 1 / 4  # C4 = ({D2, D5}, T1 T3 T4): only both together
    assert found.values[11] == 1  # the empty set has all attributes
    assert found.exact.all()
    assert not found.standard_error.any()


@pytest.mark.slow
@given(contexts())
@settings(deadline=None, max_examples=150)
def test_both_stabilities_equal_their_definitions(context: FormalContext) -> None:
    found = lattice(context)
    inner, outer = stability(found), stability(found, kind="extensional")
    for i, c in enumerate(found.concepts):
        assert inner.values[i] == pytest.approx(float(intensional(context, c.extent, c.intent)), abs=1e-12)
        assert outer.values[i] == pytest.approx(float(extensional(context, c.extent, c.intent)), abs=1e-12)


@pytest.mark.slow
@given(contexts(), st.data())
@settings(deadline=None, max_examples=60)
def test_an_iceberg_has_the_stability_of_the_whole(context: FormalContext, data: st.DataObject) -> None:
    support = data.draw(st.integers(1, len(context.objects)))
    whole, part = lattice(context), lattice(context, min_support=support)
    for kind in ("intensional", "extensional"):
        expected = stability(whole, kind=kind).values[: len(part)]
        assert stability(part, kind=kind).values == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@given(contexts())
@settings(deadline=None, max_examples=60)
def test_the_count_of_roth_equals_inclusion_and_exclusion(context: FormalContext) -> None:
    found = lattice(context)
    for kind in ("intensional", "extensional"):
        expected = stability(found, kind=kind).values
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(concept_stability, "FEW_TERMS", 0)
            patch.setattr(concept_stability, "MANY_TERMS", 0)
            assert stability(found, kind=kind).values == pytest.approx(expected, abs=1e-12)


def test_large_lattices_are_counted_alike_by_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    found = lattice(named(np.random.default_rng(2).random((40, 25)) < 0.35))
    expected = stability(found)
    monkeypatch.setattr(concept_stability, "FEW_TERMS", 0)
    monkeypatch.setattr(concept_stability, "MANY_TERMS", 0)
    again = stability(found)
    assert len(found) > 500
    assert again.values == pytest.approx(expected.values, abs=1e-9)


def test_the_boolean_lattice() -> None:
    """In the power set of k objects a concept is stable by its full extent alone: 2^-|A|."""
    found = lattice(named(~np.eye(12, dtype=bool)))
    assert stability(found).values == pytest.approx(0.5**found.supports, abs=1e-9)


def test_extents_beyond_any_double() -> None:
    """3,000 objects, of which 2,999 have b too: unstable by the toss of the one."""
    table = np.ones((3000, 2), dtype=bool)
    table[0, 1] = False
    found = stability(lattice(named(table)))
    assert found.values.tolist() == [0.5, 1.0]


SAMPLED = [[0b11, 0b1100, 0b10010], [1 << i for i in range(8)], [0xFF << i for i in range(0, 32, 4)]]


@pytest.mark.parametrize("events", SAMPLED)
def test_the_standard_error_is_honest(events: list[int]) -> None:
    """Over 300 seeds: unbiased, and the named error is the estimates' own spread."""
    truth = by_inclusion_exclusion(events, 1 << 20)
    runs = np.array([by_sampling(events, np.random.default_rng(seed), 200) for seed in range(300)])
    spread = runs[:, 0].std()
    assert abs(runs[:, 0].mean() - truth) < 4 * spread / np.sqrt(300)
    assert np.median(runs[:, 1]) == pytest.approx(spread, rel=0.2)


def sampled(monkeypatch: pytest.MonkeyPatch) -> Lattice:
    for name in ("FEW_TERMS", "MANY_TERMS", "SCAN_WORDS"):
        monkeypatch.setattr(concept_stability, name, 4)
    return lattice(named(np.random.default_rng(2).random((60, 20)) < 0.3))


@pytest.mark.slow
def test_what_can_not_be_counted_is_estimated_with_its_error_named(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = stability(lattice(named(np.random.default_rng(2).random((60, 20)) < 0.3))).values
    found = sampled(monkeypatch)
    with pytest.raises(StabilityNeedsSampling, match="default_rng"):
        stability(found)
    seen = stability(found, rng=np.random.default_rng(1), samples=4000)
    assert 10 < (~seen.exact).sum() < len(found)
    assert (seen.standard_error[seen.exact] == 0).all()
    off = np.abs(seen.values - expected)[~seen.exact]
    error = seen.standard_error[~seen.exact]
    assert (off <= 5 * error + 1e-3).all()
    assert (error < 0.02).all()
    again = stability(found, rng=np.random.default_rng(1), samples=4000)
    assert (again.values == seen.values).all()


@pytest.mark.slow
@given(contexts(), st.floats(0, 1))
@settings(deadline=None, max_examples=100)
def test_the_stable_part(context: FormalContext, minimum: float) -> None:
    whole = lattice(context)
    found = stability(whole)
    part = stable_part(whole, found, minimum)
    assert part.kept.tolist() == [i for i, v in enumerate(found.values) if v >= minimum or i == 0]
    assert values(part) == {(whole.concepts[i].extent, whole.concepts[i].intent) for i in part.kept.tolist()}
    assert extent_pairs(part) == reduction(values(part))
    for m, name in enumerate(context.attributes):
        having = [c for c in part.concepts if c.intent >> m & 1]
        assert {part.concepts[i] for i, names in part.own_attributes.items() if name in names} == {
            c for c in having if not any(d != c and c.extent & ~d.extent == 0 for d in having)
        }
        i = int(part.attribute_concepts[m])
        assert (i >= 0) == (context.columns[m] in {c.extent for c in part.concepts})
        assert i < 0 or part.concepts[i].extent == context.columns[m]
    for g, name in enumerate(context.objects):
        having = [c for c in part.concepts if c.extent >> g & 1]
        assert {part.concepts[i] for i, names in part.own_objects.items() if name in names} == {
            c for c in having if not any(d != c and d.extent & ~c.extent == 0 for d in having)
        }


def test_the_part_of_everything_is_the_lattice() -> None:
    whole = lattice(table1())
    part = stable_part(whole, stability(whole), 0.0)
    assert (part.covers == whole.covers).all()
    assert part.own_attributes == whole.own_attributes
    assert part.own_objects == whole.own_objects
    cut = part.iceberg(2)
    assert (cut.covers == whole.iceberg(2).covers).all()
    assert cut.kept.tolist() == list(range(7))


def test_bad_thresholds_are_refused() -> None:
    whole = lattice(table1())
    with pytest.raises(ContextError, match="expected 0 to 1, found 2"):
        stable_part(whole, stability(whole), 2)
    part = stable_part(whole, stability(whole), 0.5)
    with pytest.raises(ContextError, match="found a part of one"):
        stability(part)
    assert stability(whole).of(part.kept).values.min() >= 0.5
    with pytest.raises(ContextError, match="stability of 7 concepts, found that of 12"):
        stable_part(whole.iceberg(2), stability(whole), 0.5)

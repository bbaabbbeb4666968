from __future__ import annotations

from math import comb

import numpy as np
import pytest

from ontology.context import ContextError
from ontology.lattice import LatticeTooLarge, concept_lattice, lattice, lattice_that_fits
from ontology.lattice.closure import Tables
from ontology.lattice.pruning import order_reduction
from ontology.lattice.size import GROUPS, SURE, SizeEstimate, estimate_size
from tests.ontology.contexts import named, table1


def test_what_fits_is_not_cut() -> None:
    found, cut = lattice_that_fits(table1(), limit=12)
    assert (found, cut) == (lattice(table1()), None)


def all_but_the_diagonal(size: int, min_support: int) -> int:
    """Concepts of that context with so many objects: each set of its objects is an extent."""
    return sum(comb(size, k) for k in range(min_support, size + 1))


@pytest.mark.parametrize(("size", "limit"), [(12, 1), (12, 40), (26, 5000)])
def test_the_cut_is_the_largest_that_fits_and_says_so(size: int, limit: int) -> None:
    context = named(~np.eye(size, dtype=bool))
    found, cut = lattice_that_fits(context, limit=limit)
    assert cut is not None
    assert len(found) == all_but_the_diagonal(size, cut.min_support) <= limit
    assert all_but_the_diagonal(size, cut.min_support - 1) > limit
    assert found == lattice(context, min_support=cut.min_support, limit=limit)
    assert cut.limit == limit
    assert 2**size / 3 < cut.estimate < 3 * 2**size
    assert f"at least {cut.min_support} objects" in str(cut)


def test_the_cut_stays_above_the_support_that_was_asked_for() -> None:
    context = named(~np.eye(14, dtype=bool))
    found, cut = lattice_that_fits(context, min_support=9, limit=100)
    assert cut is not None
    assert found.min_support > 9
    with pytest.raises(ContextError, match="expected 0 to 14"):
        lattice_that_fits(context, min_support=15)


def test_the_limit_counts_the_bottom_too() -> None:
    assert len(lattice(table1(), limit=12)) == 12
    with pytest.raises(LatticeTooLarge, match="allowed are 11"):
        lattice(table1(), limit=11)


def test_a_hopeless_context_is_refused_long_before_the_limit() -> None:
    seen: list[int] = []
    with pytest.raises(LatticeTooLarge, match=r"minimal support of 1\d objects") as refusal:
        lattice(named(~np.eye(26, dtype=bool)), limit=2_000_000, watch=seen.append)
    assert refusal.value.found < 4 * concept_lattice.CHECK
    assert seen == sorted(seen)
    assert seen[-1] == refusal.value.found


def test_what_would_fit_is_not_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concept_lattice, "CHECK", 10)
    for size in range(4, 15):
        context = named(~np.eye(size, dtype=bool))
        assert len(lattice(context, limit=2**size)) == 2**size
    context = named(np.random.default_rng(0).random((500, 60)) < 0.1)
    assert len(lattice(context, limit=4439)) == 4439


def test_sure_is_sure() -> None:
    """The bound of 6.4e-5 on a wrong refusal is C(15, 8) / 10^8. Here the estimate is far off, the median is not."""
    wild = SizeEstimate(np.array([1]), np.array([1e9]), np.array([1e12] * 7 + [5.0] * 8))
    assert not wild.surely_over(5)
    assert SizeEstimate(np.array([1]), np.array([60.0]), np.full(15, 60.0)).surely_over(5)
    assert (GROUPS, SURE) == (15, 10)


def test_the_groups_of_walks_average_to_the_estimate() -> None:
    tables = Tables.of(named(np.random.default_rng(0).random((200, 30)) < 0.3))
    for support in (0, 20):
        size = estimate_size(tables, min_support=support)
        assert size.groups.mean() == pytest.approx(size.concepts)
        assert size.supports.min() >= support


def test_the_reduction_of_a_lattice_is_its_covers() -> None:
    found = lattice(named(np.random.default_rng(1).random((40, 70)) < 0.2))
    assert len(found) > 200
    assert (order_reduction(found.intents) == found.covers).all()

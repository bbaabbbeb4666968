"""Statistics of a comparison, against published values, the papers' tables (G16) and independent computations."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from ontocrawl.lab import statistics
from ontocrawl.lab.statistics import Friedman, StatisticsError, friedman

# Demšar (2006), Table 6: AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets. Voting, where three
# decimals are equal, has the ranks 2 and 3 there: a fourth one tells them apart
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip

# G16: mean ranks as the papers print them -> chi2, p, Iman and Davenport's F
PAPERS = {
    "000 table 5": ([8, 20 / 3, 8 / 3, 5, 7 / 3, 19 / 3, 4, 1], 3, 20.555556, 0.00449, 92.5),
    "002 table 2": ([6, 5, 3.5, 2.5, 2.25, 1.75], 4, 16.142857, 0.00645, 12.555556),
    "002 table 4": ([5.5, 5, 3, 3, 2.25, 2.25], 4, 11.285714, 0.0460, 3.885246),
    "002 table 6": ([7, 5.75, 5.25, 4, 2, 2.5, 1.5], 4, 22.392857, 0.00103, 41.8),
    "003 table 4": ([8, 6.5, 5.25, 3.5, 2.5, 5.75, 3, 1.5], 4, 23.083333, 0.00165, 14.084746),
    "003 sports": ([5, 4, 2.75, 2.25, 1], 4, 15.4, None, 77.0),
}
tables = arrays.arrays(
    np.float64, st.tuples(st.integers(2, 12), st.integers(3, 6)), elements=st.integers(0, 5).map(float)
)


def friedman_of_ranks(ranks: list[float], blocks: int) -> Friedman:
    """The test from mean ranks as papers print them, without a correction for ties."""
    R = np.asarray(ranks, dtype=np.float64)
    return statistics._tested(R, blocks, statistics._chi2(R, blocks))


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_tables(name: str) -> None:
    ranks, blocks, chi2, p, F = PAPERS[name]
    test = friedman_of_ranks(ranks, blocks)
    assert test.chi2 == pytest.approx(chi2, abs=5e-7)
    assert pytest.approx(F, abs=5e-7) == test.F
    if p is not None:
        assert test.p == pytest.approx(p, abs=5e-5)


def test_demsars_example() -> None:
    """Section 3.2.4: mean ranks 3.143, 2.000, 2.893, 1.964; chi2 9.28, F 3.69; critical difference 1.25."""
    ranks = statistics.block_ranks(DEMSAR).mean(axis=0)
    assert ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    printed = friedman_of_ranks(ranks.tolist(), 14)
    assert (round(printed.chi2, 2), round(printed.F, 2)) == (9.28, 3.69)
    assert printed.F_p == pytest.approx(stats.f.sf(printed.F, 3, 39))
    assert statistics.critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(
    ("alpha", "published"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_of_nemenyi(alpha: float, published: list[float]) -> None:
    """Demšar (2006), Table 5 (a): two to ten systems."""
    found = [statistics.critical_difference(k, 1, alpha) / math.sqrt(k * (k + 1) / 6) for k in range(2, 11)]
    assert found == pytest.approx(published, abs=1.5e-3)


@pytest.mark.slow
@given(tables)
def test_friedman_is_scipys(values: np.ndarray) -> None:
    test = friedman(values)
    if all(len(set(row)) == 1 for row in values.tolist()):  # nothing is ranked, and scipy divides by zero
        assert (test.chi2, test.p) == (0.0, 1.0)
        return
    chi2, p = stats.friedmanchisquare(*values.T)
    assert test.chi2 == pytest.approx(chi2) and test.p == pytest.approx(p)
    assert friedman(-values, more_is_better=False).ranks == pytest.approx(test.ranks)


def test_blocks_that_all_rank_alike() -> None:
    test = friedman([[3.0, 2.0, 1.0]] * 5)
    assert test.chi2 == pytest.approx(10.0)
    assert (test.F, test.F_p) == (math.inf, 0.0)
    assert test.ranks.tolist() == [1.0, 2.0, 3.0]


@given(st.lists(st.integers(1, 40).map(lambda n: n / 8), min_size=2, max_size=9), st.integers(0, 16))
def test_cliques_hold_what_does_not_differ(ranks: list[float], eighths: int) -> None:
    cd = eighths / 8
    groups = statistics.cliques(ranks, cd)
    together = {(i, j) for group in groups for i, j in product(group, repeat=2) if i != j}
    assert together == {
        (i, j) for i, j in product(range(len(ranks)), repeat=2) if i != j and abs(ranks[i] - ranks[j]) <= cd
    }
    assert not any(set(one) < set(other) for one, other in product(groups, repeat=2))


def test_signed_rank_of_wilcoxons_own_data() -> None:
    """Wilcoxon (1945): sixteen differences of pairs. The exact p of W = 19 and n = 16 is 0.0107."""
    d = [-2, 19, -9, -6, -36, 28, 40, 7, 12, 52, 41, 23, 33, 30, 49, 67]
    ranks = stats.rankdata(np.abs(d))
    less = sum(r for r, x in zip(ranks, d, strict=True) if x < 0)
    ways = np.array([1], dtype=object)  # of each sum of ranks: in how many of 2^n signs it arises
    for r in range(1, len(d) + 1):
        ways = np.concatenate([ways, [0] * r]) + np.concatenate([[0] * r, ways])
    assert statistics.signed_rank(d) == pytest.approx(2 * int(ways[: int(less) + 1].sum()) / 2**16)
    assert statistics.signed_rank([0, 0, 0]) == 1.0
    assert statistics.signed_rank([1, 1, 1, 1, 1, 1, 0]) == 2 / 2**6


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_signed_rank_counts_all_signs_of_tied_differences(d: list[int]) -> None:
    """Each sign of each difference is as likely; equal ones share their ranks, and zeros keep theirs out."""
    ranks = [float(r) for r, x in zip(stats.rankdata(np.abs(d)), d, strict=True) if x]
    observed = abs(sum(math.copysign(r, x) for r, x in zip(ranks, [x for x in d if x], strict=True)))
    sums = [abs(sum(s * r for s, r in zip(signs, ranks, strict=True))) for signs in product((-1, 1), repeat=len(ranks))]
    expected = sum(one >= observed for one in sums) / len(sums)
    assert statistics.signed_rank(d) == pytest.approx(expected)


def test_few_tied_blocks_are_never_significant() -> None:
    """The normal approximation gave 0.025 for five equal differences, of which the least possible p is 0.0625."""
    assert statistics.signed_rank([3, 3, 3, 3, 3]) == 0.0625
    assert statistics.signed_rank([-40, -30]) == 0.5
    assert statistics.signed_rank([-6, 0]) == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm(p: list[float]) -> None:
    adjusted = statistics.holm(p)
    order = sorted(range(len(p)), key=lambda i: p[i])
    for step, i in enumerate(order):  # the definition: the largest of (m - j) p_j up to here
        assert adjusted[i] == pytest.approx(min(1.0, max((len(p) - j) * p[order[j]] for j in range(step + 1))))
        assert p[i] <= adjusted[i] <= 1


def test_effects() -> None:
    assert statistics.rank_biserial([1, 2, 3]) == 1.0
    assert statistics.rank_biserial([-1, -2, -3]) == -1.0
    assert statistics.rank_biserial([0, 0]) == 0.0
    assert statistics.rank_biserial([5, -1, -2, -3]) == pytest.approx((4 - 6) / 10)


def test_the_interval_of_a_mean_holds_the_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    held = 0
    for trial in range(300):
        low, high = statistics.mean_interval(rng.normal(3.0, 1.0, 25), seed=trial, resamples=600)
        held += low <= 3.0 <= high
    assert 0.89 <= held / 300 <= 0.98
    assert statistics.mean_interval([2.0, 2.0]) == (2.0, 2.0)
    assert statistics.mean_interval([1.0, 2.0, 4.0], 5) == statistics.mean_interval([1.0, 2.0, 4.0], 5)


@pytest.mark.parametrize(
    "values", [[[1.0, 2.0]], [[1.0], [2.0]], [1.0, 2.0], [[1.0, math.nan], [1.0, 2.0]], [[1.0, math.inf], [1.0, 2.0]]]
)
def test_what_cannot_be_compared_is_refused(values: list[list[float]]) -> None:
    with pytest.raises(StatisticsError, match=r"needs (a|at)"):
        friedman(values)


def test_one_value_has_no_interval() -> None:
    with pytest.raises(StatisticsError, match="two finite values"):
        statistics.mean_interval([1.0])


def test_the_band_of_a_mean_agrees_with_the_normal_interval_of_many_curves() -> None:
    curves = np.cumsum(np.random.default_rng(4).normal(1.0, 0.5, (200, 30)), axis=1)
    low, high = statistics.mean_band(curves)
    half = 1.96 * curves.std(axis=0, ddof=1) / math.sqrt(200)
    assert low == pytest.approx(curves.mean(axis=0) - half, abs=0.06)
    assert high == pytest.approx(curves.mean(axis=0) + half, abs=0.06)
    with pytest.raises(StatisticsError, match="at least two curves"):
        statistics.mean_band(curves[:1])

"""Statistics of a comparison: k systems, each measured once in each of N blocks.

A block is what the systems share, for example one web, one seed and one budget; a measurement is one number of one
system there. Ranks are compared first, for all systems at once, then pairs of them.

Sources: M. Friedman (1937), JASA 32; R. L. Iman and J. M. Davenport (1980), Comm. in Statistics A9; P. B. Nemenyi
(1963) and the critical differences of J. Demšar (2006), JMLR 7; F. Wilcoxon (1945), Biometrics Bulletin 1; S. Holm
(1979), Scand. J. Statist. 6; D. S. Kerby (2014), Comprehensive Psychology 3; B. Efron (1987), JASA 82.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ontology.errors import OntocrawlError

Floats = NDArray[np.float64]


class StatisticsError(OntocrawlError, ValueError):
    """Error for measurements that cannot be compared; the message names what is wrong."""


@dataclass(frozen=True, slots=True)
class Friedman:
    """Friedman's test, and Iman and Davenport's form of it.

    Attributes:
        ranks: mean rank of each system over the blocks, shape (k,); 1 is the best.
        blocks: N.
        chi2: Friedman's statistic, chi-squared with k - 1 degrees of freedom.
        p: its p-value, in [0, 1].
        F: Iman and Davenport's statistic, F with k - 1 and (k - 1)(N - 1) degrees of freedom; infinite where all blocks
            rank alike.
        F_p: its p-value, in [0, 1]; the less conservative of the two.
    """

    ranks: Floats
    blocks: int
    chi2: float
    p: float
    F: float
    F_p: float


def block_ranks(values: ArrayLike, *, more_is_better: bool = True) -> Floats:
    """Rank the systems within each block.

    Args:
        values: measurements, shape (N, k).
        more_is_better: whether the largest value has rank 1; the smallest one otherwise.

    Returns:
        Ranks from 1, shape (N, k); equal values share the mean of their ranks.

    Raises:
        StatisticsError: not a table of at least two systems, or a value that is missing or infinite.

    >>> block_ranks([[0.9, 0.5, 0.5]]).tolist()
    [[1.0, 2.5, 2.5]]
    """
    x = _table(values)
    return np.asarray(stats.rankdata(-x if more_is_better else x, axis=1), dtype=np.float64)


def friedman(values: ArrayLike, *, more_is_better: bool = True) -> Friedman:
    """Test whether all systems rank alike.

    Args:
        values: measurements, shape (N, k) with N, k >= 2.
        more_is_better: whether the largest value has rank 1.

    Returns:
        The test. The statistic is corrected for ties;

    Raises:
        StatisticsError: as for `block_ranks`, or a single block.
    """
    ranks = block_ranks(values, more_is_better=more_is_better)
    N, k = ranks.shape
    if N < 2:
        raise StatisticsError("lab.test_over_blocks_needs")
    tied = sum(float(n**3 - n) for row in ranks for n in np.unique(row, return_counts=True)[1])
    correction = 1 - tied / (N * (k**3 - k))
    plain = _chi2(ranks.mean(axis=0), N)
    return _tested(ranks.mean(axis=0), N, plain / correction if correction > 0 else 0.0)


def _chi2(R: Floats, N: int) -> float:
    k = len(R)
    return float(12 * N / (k * (k + 1)) * (np.sum(R**2) - k * (k + 1) ** 2 / 4))


def _tested(R: Floats, N: int, chi2: float) -> Friedman:
    k = len(R)
    rest = N * (k - 1) - chi2
    F = (N - 1) * chi2 / rest if rest > 1e-9 * N * k else math.inf
    p, F_p = stats.chi2.sf(chi2, k - 1), stats.f.sf(F, k - 1, (k - 1) * (N - 1))
    return Friedman(R, N, chi2, float(p), F, float(F_p))


def critical_difference(systems: int, blocks: int, alpha: float = 0.05) -> float:
    """Compute the critical difference of Nemenyi's test: mean ranks further apart differ at the level alpha.

    Args:
        systems: k, at least 2.
        blocks: N.
        alpha: level of significance, in (0, 1).

    Returns:
        q_alpha sqrt(k (k + 1) / (6 N)), in ranks.

    >>> round(critical_difference(4, 14), 2)  # Demšar (2006), section 3.2.4
    1.25
    """
    q = stats.studentized_range.ppf(1 - alpha, systems, np.inf) / math.sqrt(2)
    return float(q * _standard_error(systems, blocks))


def _standard_error(k: int, N: int) -> float:
    return math.sqrt(k * (k + 1) / (6 * N))


def cliques(ranks: ArrayLike, difference: float) -> list[tuple[int, ...]]:
    """Group systems whose mean ranks are not further apart than a critical difference.

    Args:
        ranks: mean rank of each system, shape (k,).
        difference: the critical difference, in ranks.

    Returns:
        The largest groups of two systems or more, each by mean rank, the best group first: the bars of a
        critical-difference diagram.

    >>> cliques([1.0, 2.5, 1.8, 4.0], 1.0)
    [(0, 2), (2, 1)]
    """
    R = np.asarray(ranks, dtype=np.float64)
    order = sorted(range(len(R)), key=lambda i: (R[i], i))
    groups: list[tuple[int, ...]] = []
    for first, best in enumerate(order):
        group = tuple(i for i in order[first:] if R[i] - R[best] <= difference)
        if len(group) > 1 and not (groups and set(group) <= set(groups[-1])):
            groups.append(group)
    return groups


def signed_rank(differences: ArrayLike) -> float:
    """Compute the p-value of Wilcoxon's signed-rank test, two-sided.

    Args:
        differences: of each block, shape (N,). Zeros are split evenly between both signs.

    Returns:
        The p-value; 1 if all differences are zero. It is exact for N <= 50, with ties and zeros too: the normal
        approximation would be below the least possible value of few blocks.

    >>> signed_rank([1.0, 2.0, 3.0, 4.0, 5.0])
    0.0625
    >>> signed_rank([1.0, 1.0, 1.0, 1.0, 1.0])
    0.0625
    """
    d = np.asarray(differences, dtype=np.float64)
    if not d.any():
        return 1.0
    if len(d) > 50:
        return float(stats.wilcoxon(d, zero_method="zsplit", method="approx").pvalue)
    twice = np.rint(2 * stats.rankdata(np.abs(d))).astype(np.int64)  # tied ranks are halves
    P = np.ones(1)  # P[w]: probability that the doubled ranks of one sign add up to w
    for r in twice[d != 0].tolist():
        P = (np.pad(P, (0, r)) + np.pad(P, (r, 0))) / 2
    W = min(int(twice[d > 0].sum()), int(twice[d < 0].sum()))
    return min(1.0, 2 * float(P[: W + 1].sum()))


def holm(p: Sequence[float]) -> list[float]:
    """Adjust p-values for their number by Holm's step-down method.

    >>> [round(adjusted, 3) for adjusted in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    order = np.argsort(np.asarray(p, dtype=np.float64), kind="stable")
    adjusted, highest = [0.0] * len(p), 0.0
    for passed, i in enumerate(order.tolist()):
        highest = max(highest, min(1.0, (len(p) - passed) * p[i]))
        adjusted[i] = highest
    return adjusted


def rank_biserial(differences: ArrayLike) -> float:
    """Compute the matched-pairs rank-biserial correlation: the share of ranks for, less that against.

    Args:
        differences: of each block, shape (N,). A zero counts for neither side.

    Returns:
        The effect, in [-1, 1]; 0 if all differences are zero.

    >>> rank_biserial([1.0, 2.0, -3.0])
    0.0
    """
    d = np.asarray(differences, dtype=np.float64)
    d = d[d != 0]
    if not len(d):
        return 0.0
    ranks = stats.rankdata(np.abs(d))
    return float(np.sum(ranks * np.sign(d)) / np.sum(ranks))


def mean_interval(values: ArrayLike, seed: int = 0, resamples: int = 9999) -> tuple[float, float]:
    """Compute the 95 % interval of a mean by bootstrap, bias-corrected and accelerated (Efron's BCa).

    Args:
        values: measurements, shape (N,); differences of pairs for the interval of a difference.
        seed: seed of the resampling.
        resamples: how many samples are drawn.

    Returns:
        The bounds; both the value itself where all are equal.

    Raises:
        StatisticsError: fewer than two values, or one that is missing or infinite.
    """
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or len(x) < 2 or not np.isfinite(x).all():
        raise StatisticsError("lab.interval_needs_least_two", tolist=x.tolist())
    if np.ptp(x) == 0:
        return float(x[0]), float(x[0])
    rng = np.random.default_rng(seed)
    found = stats.bootstrap((x,), np.mean, n_resamples=resamples, method="BCa", rng=rng).confidence_interval
    return float(found.low), float(found.high)


def cluster_means(values: ArrayLike, clusters: Sequence[str]) -> dict[str, float]:
    """Compute the mean of each cluster of measurements.

    Args:
        values: measurements, shape (N,).
        clusters: cluster of each of them, N names.

    Returns:
        Cluster -> mean, in the order of first appearance.

    Raises:
        StatisticsError: another number of clusters than of values.

    >>> cluster_means([1.0, 3.0, 5.0], ["a", "a", "b"])
    {'a': 2.0, 'b': 5.0}
    """
    x = np.asarray(values, dtype=np.float64)
    if x.shape != (len(clusters),):
        raise StatisticsError("lab.each_value_needs_cluster", n_clusters=len(clusters), shape=x.shape)
    names = np.array(clusters, dtype=object)
    return {name: float(x[names == name].mean()) for name in dict.fromkeys(clusters)}


def cluster_interval(values: ArrayLike, clusters: Sequence[str]) -> tuple[float, float]:
    """Compute the 95 % interval of the mean of cluster means by a bootstrap that draws whole clusters (BCa).

    Values of one cluster, such as crawls of one web from several seeds, depend on each other; drawing them one by one
    would make the interval too narrow. Davison and Hinkley (1997), Bootstrap Methods and their Application, 3.8.

    Args:
        values: measurements, shape (N,); differences of pairs for the interval of a difference.
        clusters: cluster of each of them, N names of at least two clusters.

    Raises:
        StatisticsError: a single cluster, or a value that is missing or infinite.
    """
    return mean_interval(list(cluster_means(values, clusters).values()))


_BAND = 1999
"""Samples that are drawn for a band."""


def mean_band(curves: ArrayLike) -> tuple[Floats, Floats]:
    """Compute the 95 % interval of the mean of curves at each place, by bootstrap (percentiles).

    Whole curves are drawn, so that the places of one sample belong together. It is for plots; a single number has the
    better interval of `mean_interval`.

    Args:
        curves: measurements, shape (N, m) with N >= 2 curves.

    Returns:
        The bounds, shape (m,) each.

    Raises:
        StatisticsError: fewer than two curves.

    >>> low, high = mean_band([[0.0, 2.0], [0.0, 4.0]])
    >>> low.tolist(), high.tolist()
    ([0.0, 2.0], [0.0, 4.0])
    """
    y = np.asarray(curves, dtype=np.float64)
    if y.ndim != 2 or len(y) < 2:
        raise StatisticsError("lab.interval_needs_least_two_curves_not", shape=y.shape)
    n = len(y)
    shares = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=_BAND) / n
    low, high = np.percentile(shares @ y, (2.5, 97.5), axis=0)
    return low, high


def _table(values: ArrayLike) -> Floats:
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 2 or not len(x):
        raise StatisticsError("lab.comparison_needs_table_blocks", shape=x.shape)
    if not np.isfinite(x).all():
        raise StatisticsError("lab.comparison_needs_finite_number")
    return x

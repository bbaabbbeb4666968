"""The interval of Cohen's kappa, and shares of strata, against independent computations."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from ontology.compare.agreement import kappa_interval, kappa_of_counts
from ontology.shares import Z, stratified, wilson

COUNTS = {("a", "a"): 31, ("a", "b"): 6, ("b", "a"): 3, ("b", "b"): 22, ("c", "a"): 2, ("c", "c"): 9, ("b", "c"): 4}


def test_the_interval_is_that_of_the_delta_method() -> None:
    """The standard error from numerical derivatives of kappa by the cells of a multinomial table."""
    n = sum(COUNTS.values())
    gradient = {}
    for cell in COUNTS:
        step = 1e-4
        up, down = ({**COUNTS, cell: COUNTS[cell] + sign * step} for sign in (1, -1))
        high, low = kappa_of_counts(up), kappa_of_counts(down)
        assert high is not None and low is not None
        gradient[cell] = (high - low) / (2 * step) * n
    mean = sum(gradient[cell] * count / n for cell, count in COUNTS.items())
    variance = sum((gradient[cell] - mean) ** 2 * count / n for cell, count in COUNTS.items()) / n
    value, interval = kappa_of_counts(COUNTS), kappa_interval(Counter(COUNTS).elements())
    assert value is not None and interval is not None
    assert interval == pytest.approx((value - Z * math.sqrt(variance), value + Z * math.sqrt(variance)), abs=1e-6)


def test_no_interval_without_a_kappa() -> None:
    assert kappa_interval([]) is None and kappa_interval([("a", "a")] * 5) is None
    assert kappa_interval([("a", "a"), ("b", "b")] * 5) == (1.0, 1.0)


def test_weights_count_as_repetitions() -> None:
    doubled = {cell: 2.5 * count for cell, count in COUNTS.items()}
    assert kappa_of_counts(doubled) == pytest.approx(kappa_of_counts(COUNTS))


def test_one_large_stratum_has_the_interval_of_wilson() -> None:
    found = stratified([(12, 40, 10**12)])
    assert found == pytest.approx((0.3, *wilson(12, 40)), abs=1e-9)


def test_strata_that_were_not_counted_or_are_counted_completely() -> None:
    assert stratified([(3, 4, 10), (0, 0, 5)]) is None and stratified([]) is None
    assert stratified([(3, 4, 4), (0, 0, 0)]) == (0.75, 0.75, 0.75)
    share, low, high = stratified([(5, 5, 5), (1, 5, 45)]) or (0, 0, 0)
    assert (share, low, high) == pytest.approx((0.1 + 0.9 * 0.2, 0.1, 1), abs=0.5) and low >= 0.1


def test_the_interval_of_strata_covers_what_is_true() -> None:
    """Two strata of very different shares and sampling rates: about 95 in 100 intervals hold the share."""
    rng, sizes, drawn, covered = np.random.default_rng(0), (60, 900), (25, 50), 0
    for _ in range(1000):
        relevant = [rng.binomial(size, p) for size, p in zip(sizes, (0.8, 0.05), strict=True)]
        seen = [rng.hypergeometric(r, n - r, k) for r, n, k in zip(relevant, sizes, drawn, strict=True)]
        found = stratified(zip(seen, drawn, sizes, strict=True))
        assert found is not None
        covered += found[1] <= sum(relevant) / sum(sizes) <= found[2]
    assert 930 <= covered <= 990

"""The sampling trees: draws in proportion, the best first come, and sums that do not drift."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from crawler.frontier.queue import _MaxTree, _SumTree

VALUES = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 0.5, 1.0, 2.0]), min_size=1, max_size=70)


def filled(tree: _SumTree | _MaxTree, values: list[float]) -> None:
    tree.set(np.arange(len(values)), np.asarray(values, dtype=np.float64))


def test_draws_follow_the_weights() -> None:
    rng, weights = np.random.default_rng(1), np.random.default_rng(2).random(37)
    weights[[0, 5, 36]] = 0.0
    tree = _SumTree()
    filled(tree, weights.tolist())
    n = 40_000
    counts = np.bincount(tree.draw(rng, n), minlength=37)
    assert counts[[0, 5, 36]].sum() == 0
    inside = weights > 0
    assert chisquare(counts[inside], n * weights[inside] / weights.sum()).pvalue > 0.001


def test_sums_do_not_drift() -> None:
    rng, tree = np.random.default_rng(5), _SumTree()
    weights = np.zeros(500)
    for _ in range(3000):
        leaves = rng.choice(500, 20, replace=False)
        weights[leaves] = rng.random(20) * 10.0 ** rng.integers(-12, 6)
        tree.set(leaves, weights[leaves])
    fresh = _SumTree()
    filled(fresh, weights.tolist())
    assert tree.root == fresh.root
    assert tree.draw(np.random.default_rng(0), 500).tolist() == fresh.draw(np.random.default_rng(0), 500).tolist()


def test_no_weights_no_draw() -> None:
    for tree in (_SumTree(), _SumTree()):
        with pytest.raises(ValueError, match="all 0"):
            tree.draw(np.random.default_rng(0), 3)
        filled(tree, [0.0, 0.0])
    with pytest.raises(ValueError, match="no link is queued"):
        _MaxTree().best()


@given(VALUES)
def test_best_and_top_are_first_come_first_served(values: list[float]) -> None:
    tree = _MaxTree()
    filled(tree, values)
    order = sorted(range(len(values)), key=lambda i: (-values[i], i))
    assert tree.best() == order[0]
    for k in (0, 1, 3, len(values), len(values) + 5):
        assert tree.top(k).tolist() == order[:k]


def test_top_leaves_out_what_is_not_there() -> None:
    tree = _MaxTree()
    assert tree.top(3).tolist() == []
    filled(tree, [1.0, 3.0, 2.0])
    tree.set(np.array([1]), np.array([-np.inf]))
    assert tree.top(10).tolist() == [2, 0]


@given(st.lists(st.tuples(st.integers(0, 200), st.floats(0, 100)), max_size=60))
def test_growth_keeps_the_leaves(updates: list[tuple[int, float]]) -> None:
    total, naive = _SumTree(), dict[int, float]()
    for leaf, value in updates:
        total.set(np.array([leaf]), np.array([value]))
        naive[leaf] = value
    asked = np.arange(300)
    assert total.get(asked).tolist() == [naive.get(int(i), 0.0) for i in asked]
    assert total.root == pytest.approx(sum(naive.values()))

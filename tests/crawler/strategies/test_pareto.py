"""Pareto kernels against brute force, NFCS against golden numbers G14."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.kernels.pareto import domination, nfcs, pareto_picks
from crawler.model import Floats

G14 = np.array([[1, 0], [0.9, 0.3], [0.7, 0.6], [0.5, 0.75], [0.3, 0.9], [0, 1]])

points = st.integers(1, 4).flatmap(
    lambda d: st.lists(st.lists(st.integers(0, 4), min_size=d, max_size=d), min_size=1, max_size=25)
)


def beats(a: list[int], b: list[int]) -> bool:
    return all(x >= y for x, y in zip(a, b, strict=True)) and a != b


def first_front(rows: list[list[int]]) -> list[int]:
    """The definition: the rows that no other one dominates."""
    return [b for b in range(len(rows)) if not any(beats(row, rows[b]) for row in rows)]


@given(points)
def test_picks_are_different_rows_of_the_first_front(rows: list[list[int]]) -> None:
    F = np.array(rows, dtype=np.float64)
    front = first_front(rows)
    for K in (1, 3, 100):
        picks = pareto_picks(F, K).tolist()
        assert len(set(picks)) == len(picks) == min(K, len(front))
        assert set(picks) <= set(front)


def test_domination_needs_one_objective_that_is_better() -> None:
    F = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 0.5], [0.0, 2.0]])
    assert domination(F).tolist() == [
        [False, False, True, False],
        [False, False, True, False],
        [False, False, False, False],
        [False, False, False, False],
    ]


def test_g14_nfcs() -> None:
    assert nfcs(G14, 6).tolist()[:5] == [0, 5, 2, 1, 4]
    assert sorted(nfcs(G14, 6).tolist()) == list(range(6))
    assert nfcs(G14, 3).tolist() == [0, 5, 2]
    assert nfcs(G14, 1).tolist() == [0]
    distance = np.linalg.norm(G14[:, np.newaxis] - G14[[0, 5]], axis=2).min(axis=1)
    assert distance[2] == pytest.approx(0.6708, abs=1e-4)


def test_nfcs_of_nothing_of_one_and_of_equals() -> None:
    assert nfcs(np.empty((0, 3)), 4).tolist() == []
    assert nfcs(np.array([[0.2, 0.1]]), 4).tolist() == [0]
    assert nfcs(np.zeros((4, 2)), 3).tolist() == [0, 1, 2]


def greedy(F: Floats, K: int) -> float:
    """The smallest distance between two of the picks."""
    picks = F[nfcs(F, K)]
    distance = np.linalg.norm(picks[:, np.newaxis] - picks, axis=2)
    return float(distance[~np.eye(len(picks), dtype=np.bool_)].min())


def test_the_picks_spread_over_the_front() -> None:
    """Of a finely sampled quarter circle 5 picks are nearly evenly spaced; the best of them are 1/4 of it apart."""
    angle = np.linspace(0.0, np.pi / 2, 401)
    F = np.column_stack([np.cos(angle), np.sin(angle)])
    assert greedy(F, 5) == pytest.approx(2 * np.sin(np.pi / 16), rel=0.01)

"""Rows, order and places: nothing overlaps, nothing leaves the page, crossings are counted and few."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from ontology.draw.layout import _spread, lay_out, layers, most_passing, rows_within


@st.composite
def dags(draw: st.DrawFn) -> tuple[int, np.ndarray]:
    size = draw(st.integers(1, 14))
    possible = list(combinations(range(size), 2))
    chosen = draw(st.lists(st.sampled_from(possible), unique=True, max_size=30)) if possible else []
    names = draw(st.permutations(range(size)))
    return size, np.array([(names[u], names[v]) for u, v in chosen], dtype=np.int64).reshape(-1, 2)


@pytest.mark.slow
@given(dags())
def test_layers_are_longest_paths(dag: tuple[int, np.ndarray]) -> None:
    size, edges = dag
    level = layers(size, edges)
    for i in range(size):
        above = [int(level[u]) for u, v in edges.tolist() if v == i]
        assert level[i] == max(above, default=-1) + 1


def test_a_cycle_has_no_layers() -> None:
    with pytest.raises(ValueError, match="found 2 points"):
        layers(3, np.array([(0, 1), (1, 2), (2, 1)]))


@given(dags(), st.floats(20, 200))
@settings(deadline=None, max_examples=60)
def test_rows_keep_the_order_and_the_page(dag: tuple[int, np.ndarray], limit: float) -> None:
    size, edges = dag
    widths = np.linspace(5, 60, size)
    row = rows_within(layers(size, edges), widths, -np.arange(size, dtype=float), limit)
    assert all(row[u] < row[v] for u, v in edges.tolist())
    assert set(row.tolist()) == set(range(int(row.max()) + 1)), "no empty row"
    for r in range(int(row.max()) + 1):
        assert widths[row == r].sum() <= limit + 2 * widths.max(), "about the limit: rows are filled by whole points"


@pytest.mark.slow
@given(dags())
@settings(deadline=None, max_examples=80)
def test_points_and_bends_of_a_row_stand_apart(dag: tuple[int, np.ndarray]) -> None:
    size, edges = dag
    row = layers(size, edges)
    widths = np.linspace(10, 60, size)
    found = lay_out(row, edges, widths, gap=5.0, bend=3.0)
    standing = [(int(row[i]), float(found.x[i]), widths[i] + 5) for i in range(size)]
    standing += [(r, x, 3.0) for bends in found.bends for r, x in bends]
    for r in range(int(row.max()) + 1):
        here = sorted((x, room) for at, x, room in standing if at == r)
        assert all(b - a >= (v + w) / 2 - 1e-6 for (a, v), (b, w) in pairwise(here))
        assert all(x - room / 2 >= -1e-6 and x + room / 2 <= found.breadth + 1e-6 for x, room in here)
    packed = max(sum(room for at, _, room in standing if at == r) for r in range(int(row.max()) + 1))
    assert found.breadth <= packed + 1e-6, "no wider than the widest row"
    for (u, v), bends in zip(edges.tolist(), found.bends, strict=True):
        assert [r for r, _ in bends] == list(range(int(row[u]) + 1, int(row[v])))
    assert most_passing(row, edges) == max(
        (sum(at == r for b in found.bends for at, _ in b) for r in range(size)), default=0
    )
    again = lay_out(row, edges, widths, gap=5.0, bend=3.0)
    assert np.array_equal(again.x, found.x) and again.bends == found.bends


@pytest.mark.slow
@given(dags())
@settings(deadline=None, max_examples=80)
def test_crossings_are_counted_right(dag: tuple[int, np.ndarray]) -> None:
    size, edges = dag
    row = layers(size, edges)
    found = lay_out(row, edges, np.full(size, 10.0), gap=5.0, bend=3.0)
    pieces = []
    for (u, v), bends in zip(edges.tolist(), found.bends, strict=True):
        way = [(int(row[u]), float(found.x[u])), *bends, (int(row[v]), float(found.x[v]))]
        pieces += [(a[0], a[1], b[1]) for a, b in pairwise(way)]
    crossing = sum(
        1 for (r, a, b), (s, c, d) in combinations(pieces, 2) if r == s and (a - c) * (b - d) < 0
    )  # fmt: skip
    assert found.crossings == crossing


def test_a_tree_has_no_crossings() -> None:
    edges = np.array([(i // 3, i) for i in range(1, 40)])
    shuffled = np.random.default_rng(0).permutation(40)
    level = layers(40, shuffled[edges])
    assert lay_out(level, shuffled[edges], np.full(40, 10.0), gap=5.0, bend=3.0).crossings == 0


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(2, 20), st.floats(0.1, 5)), min_size=1, max_size=12),
    st.floats(0, 99),
)
@settings(deadline=None)
def test_spread_is_isotonic_regression_within_bounds(wanted: list[tuple[float, float, float]], more: float) -> None:
    wish, room, force = (np.array(column) for column in zip(*wanted, strict=True))
    half = float(room.sum()) / 2 + more
    x = _spread(wish, room, force, half)
    step = np.concatenate(([0.0], np.cumsum((room[1:] + room[:-1]) / 2)))
    free = isotonic_regression(wish - step, weights=force).x
    assert np.allclose(x - step, np.clip(free, room[0] / 2 - half, half - room[-1] / 2 - step[-1]), atol=1e-6)
    assert x[0] - room[0] / 2 >= -half - 1e-6 and x[-1] + room[-1] / 2 <= half + 1e-6

"""HITS: G4 of algorithms.md, its equations on random graphs, against networkx, warm start, bad arguments."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ranking.hits import hits
from kg.ranking.link_matrix import RankError

# A->B, A->C, B->C, C->A, D->C (algorithms.md, section 5)
SOURCE, TARGET = [0, 0, 1, 2, 3], [1, 2, 2, 0, 2]


def test_g4_hits() -> None:
    found = hits(4, SOURCE, TARGET, tolerance=1e-13, max_iterations=2_000)
    assert found.authority == pytest.approx([0, 0.382683, 0.923880, 0], abs=1e-6)
    assert found.hub == pytest.approx([0.707107, 0.5, 0, 0.5], abs=1e-6)


def test_g4_hits_after_one_step() -> None:
    found = hits(4, SOURCE, TARGET, max_iterations=1)
    assert found.authority == pytest.approx([0.301511, 0.301511, 0.904534, 0], abs=1e-6)
    assert found.hub == pytest.approx([0.676123, 0.507093, 0.169031, 0.507093], abs=1e-6)


@given(st.integers(2, 12), st.data())
@settings(max_examples=60, deadline=None)
def test_final_weights_are_singular_vectors_of_the_largest_singular_value(n: int, data: st.DataObject) -> None:
    ends = st.integers(0, n - 1)
    links = data.draw(st.lists(st.tuples(ends, ends), min_size=1, max_size=40))
    i, j = [a for a, _ in links], [b for _, b in links]
    A = np.zeros((n, n))
    np.add.at(A, (i, j), 1)
    found = hits(n, i, j, tolerance=1e-12, max_iterations=20_000)
    assert np.linalg.norm(found.authority) == pytest.approx(1)
    assert np.linalg.norm(found.hub) == pytest.approx(1)
    assert found.authority.min() >= 0
    assert found.hub.min() >= 0
    sigma = np.linalg.norm(A, 2)
    assert np.linalg.norm(A @ found.authority) == pytest.approx(sigma, rel=1e-4)
    assert sigma * found.hub == pytest.approx(A @ found.authority, abs=1e-4 * sigma)


def test_agrees_with_networkx() -> None:
    rng = np.random.default_rng(1)
    links = sorted({(int(a), int(b)) for a, b in rng.integers(0, 50, (300, 2)) if a != b})
    hubs, authorities = nx.hits(nx.DiGraph(links), max_iter=1_000, tol=1e-12)
    found = hits(50, [a for a, _ in links], [b for _, b in links], tolerance=1e-13, max_iterations=5_000)
    assert found.hub / found.hub.sum() == pytest.approx([hubs.get(k, 0) for k in range(50)], abs=1e-8)
    assert found.authority / found.authority.sum() == pytest.approx(
        [authorities.get(k, 0) for k in range(50)], abs=1e-8
    )


def test_a_warm_start_needs_fewer_iterations_and_gives_the_same() -> None:
    rng = np.random.default_rng(2)
    i, j = rng.integers(0, 300, 3_000), rng.integers(0, 300, 3_000)
    before = hits(300, i[:-3], j[:-3], tolerance=1e-12)
    cold, warm = hits(300, i, j, tolerance=1e-9), hits(300, i, j, start=before.hub, tolerance=1e-9)
    assert warm.iterations < cold.iterations
    assert warm.authority == pytest.approx(cold.authority, abs=1e-7)


def test_no_nodes_and_no_links() -> None:
    assert len(hits(0, [], []).hub) == 0
    assert hits(3, [], []).authority == pytest.approx([0, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"source": [0], "target": [7]}, "0 to 1"),
        ({"source": [0], "target": [1], "start": [0, 0]}, "not 0 everywhere"),
        ({"source": [0], "target": [1], "start": [1, -1]}, "0 or more"),
        ({"source": [0], "target": [1], "start": [1]}, "expected 2"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, list[int]], says: str) -> None:
    with pytest.raises(RankError, match=says):
        hits(2, **arguments)  # type: ignore[arg-type]

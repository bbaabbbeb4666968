"""Positions by forces: equal for equal graphs, near for linked nodes, and repulsion near to the sum over all pairs."""

from __future__ import annotations

import time

import numpy as np

from ontocrawl.graph.web_map import _force_layout, repulsion


def cliques(number: int, size: int) -> tuple[list[int], list[int]]:
    """Links of cliques in a ring, one link from each to the next."""
    inner = [(c * size + i, c * size + j) for c in range(number) for i in range(size) for j in range(i)]
    outer = [(c * size, (c + 1) % number * size + 1) for c in range(number)]
    source, target = zip(*inner, *outer, strict=True)
    return list(source), list(target)


def test_equal_graphs_have_equal_positions() -> None:
    links = cliques(4, 6)
    first = _force_layout(24, *links)
    assert np.array_equal(first, _force_layout(24, *links))
    assert np.array_equal(first, _force_layout(24, links[1] * 2, links[0] * 2)), "directions and copies do not count"
    assert first.shape == (24, 2) and np.abs(first).max() == 1


def test_the_nodes_of_a_group_are_near_each_other() -> None:
    x = _force_layout(60, *cliques(6, 10)).reshape(6, 10, 2)
    within = np.linalg.norm(x - x.mean(axis=1, keepdims=True), axis=2).mean()
    centres = x.mean(axis=1)
    between = np.linalg.norm(centres[:, None] - centres, axis=2)[~np.eye(6, dtype=bool)].min()
    assert between > 2 * within


def test_repulsion_is_near_the_sum_over_all_pairs() -> None:
    rng = np.random.default_rng(3)
    x, mass = rng.standard_normal((400, 2)).astype(np.float32), rng.integers(1, 9, 400).astype(np.float32)
    apart = x[:, None] - x
    squared = np.square(apart).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    exact = mass[:, None] * (apart * (mass / np.maximum(squared, 1e-3))[..., None]).sum(axis=1)
    error = np.linalg.norm(repulsion(x, mass) - exact, axis=1) / np.linalg.norm(exact, axis=1)
    assert np.median(error) < 0.1


def test_no_nodes_one_node_and_nodes_without_links() -> None:
    assert _force_layout(0, [], []).shape == (0, 2)
    assert _force_layout(1, [], []).tolist() == [[0, 0]]
    assert _force_layout(1, [0], [0]).tolist() == [[0, 0]]
    alone = _force_layout(7, [], [])
    assert np.isfinite(alone).all() and len(np.unique(alone.round(3), axis=0)) == 7


def test_a_node_without_links_does_not_push_the_others_into_a_corner() -> None:
    source, target = cliques(4, 6)
    for alone in (1, 5):
        x = _force_layout(24 + alone, source, target)
        linked = np.ptp(x[:24], axis=0).max()
        assert linked > 1.6, "of 2, the width of the map"


def test_two_thousand_nodes_take_a_moment() -> None:
    rng = np.random.default_rng(0)
    begun = time.process_time()
    x = _force_layout(2000, rng.integers(0, 2000, 20_000), rng.integers(0, 2000, 20_000))
    assert time.process_time() - begun < 4  # 0.4 s on one idle core; quadratic forces in Python take minutes
    assert np.isfinite(x).all()

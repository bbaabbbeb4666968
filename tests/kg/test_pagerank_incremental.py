"""PageRank that follows a graph: equal to batch after each of 1,000 random additions, replaced links, saved states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ranking.incremental_pagerank import IncrementalPageRank
from kg.ranking.link_matrix import Floats, RankError, link_matrix
from kg.ranking.pagerank import pagerank

Links = dict[int, list[tuple[int, float]]]


def batch(n: int, links: Links) -> Floats:
    """The same by solving the equations."""
    flat = [(page, target, R) for page, found in links.items() for target, R in found]
    i, j, R = ([row[k] for row in flat] for k in range(3))
    M = link_matrix(n, i, j, anchor_relevance=R).toarray()
    return np.asarray(np.linalg.solve(np.eye(n) - M, np.full(n, 0.15)))


def additions(count: int, seed: int) -> Iterator[tuple[int, list[int], list[float]]]:
    """Links as a crawl finds them: known pages, some of them popular, and new ones; now and then a page once more."""
    rng = np.random.default_rng(seed)
    known = 1
    for step in range(count):
        page = int(rng.integers(0, known)) if step % 5 == 4 else min(step // 2, known - 1)
        old = (known * rng.random(rng.integers(0, 4)) ** 3).astype(int).tolist()
        new = list(range(known, known + int(rng.integers(0, 2))))
        known += len(new)
        yield page, [*old, *new], rng.random(len(old) + len(new)).tolist()


@pytest.mark.slow
@pytest.mark.parametrize(("count", "tolerance"), [(1_000, 1e-6), (200, 1e-3)])
def test_equals_batch_within_the_tolerance_after_each_of_1000_additions(count: int, tolerance: float) -> None:
    tracked = IncrementalPageRank(tolerance=tolerance)
    source, target, relevance = [], [], []
    for page, targets, R in additions(count, seed=4):
        tracked.add_links(page, targets, R)
        source += [page] * len(targets)
        target += targets
        relevance += R
        n = len(tracked)
        expected = pagerank(
            n, source, target, anchor_relevance=relevance, start=tracked.values, tolerance=1e-11, max_iterations=1_000
        ).values
        assert np.abs(tracked.values / expected - 1).max() <= tolerance
        assert tracked.largest == tracked.values.max()
        assert tracked.error <= tolerance * (1 + 1e-9)
    assert n > count / 3
    assert tracked.links == len(source)


@pytest.mark.slow
def test_it_is_the_batch_function_on_the_same_arrays() -> None:
    tracked = IncrementalPageRank(tolerance=1e-9)
    source, target, relevance = [], [], []
    for page, targets, R in additions(200, seed=6):
        tracked.add_links(page, targets, R)
        source += [page] * len(targets)
        target += targets
        relevance += R
    expected = pagerank(len(tracked), source, target, anchor_relevance=relevance, tolerance=1e-13, max_iterations=1_000)
    assert tracked.values == pytest.approx(expected.values, rel=1e-8)
    M = link_matrix(len(tracked), source, target, anchor_relevance=relevance)
    assert tracked.matrix().toarray() == pytest.approx(M.toarray(), abs=1e-15)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 6), st.lists(st.integers(0, 6), max_size=5)), max_size=25))
@settings(max_examples=60, deadline=None)
def test_links_that_are_added_to_pages_that_have_some(changes: list[tuple[int, list[int]]]) -> None:
    tracked, links = IncrementalPageRank(tolerance=1e-7), Links()
    tracked.grow(7)
    for page, targets in changes:
        tracked.add_links(page, targets)
        links[page] = [*links.get(page, []), *((target, 0.0) for target in targets)]
        assert tracked.values == pytest.approx(batch(7, links), rel=1e-7)
        assert tracked.largest == tracked.values.max()


def test_without_relevance_it_is_equation_7() -> None:
    """G3 of algorithms.md: A->B,C; B->C; C->A; D->C."""
    tracked = IncrementalPageRank(tolerance=1e-10)
    for page, targets in ((0, [1, 2]), (1, [2]), (2, [0]), (3, [2])):
        tracked.add_links(page, targets)
    assert tracked.values == pytest.approx([1.490107, 0.783296, 1.576597, 0.15], abs=1e-6)


def test_settling_makes_it_as_exact_as_asked() -> None:
    tracked, links = IncrementalPageRank(tolerance=1e-2), Links()
    for page, targets, R in additions(300, seed=8):
        tracked.add_links(page, targets, R)
        links.setdefault(page, []).extend(zip(targets, R, strict=True))
    expected = batch(len(tracked), links)
    assert np.abs(tracked.values / expected - 1).max() > 1e-4
    tracked.settle(1e-11)
    assert tracked.values == pytest.approx(expected, rel=1e-10)
    assert tracked.largest == tracked.values.max()
    assert tracked.error <= 1e-11


@pytest.mark.slow
def test_a_restored_state_goes_on_to_the_last_bit() -> None:
    steps = list(additions(400, seed=3))
    one, other = IncrementalPageRank(tolerance=1e-4), IncrementalPageRank(tolerance=1e-4)
    for step in steps[:250]:
        one.add_links(*step)
    other.restore(one.state())
    assert (other.links, len(other)) == (one.links, len(one))
    for step in steps[250:]:
        one.add_links(*step)
        other.add_links(*step)
        assert np.array_equal(one.values, other.values)
    assert one.largest == other.largest


def test_a_far_page_is_not_touched_and_values_cannot_be_written() -> None:
    """Two parts without a link between them: a change in one leaves the other's values as they are."""
    tracked = IncrementalPageRank(tolerance=1e-6)
    for page in range(0, 100, 2):
        tracked.add_links(page, [page + 1, (page + 2) % 100])
    before = tracked.values.copy()
    tracked.add_links(200, [201, 202])
    tracked.add_links(201, [200])
    assert np.array_equal(tracked.values[:100], before[:100])
    with pytest.raises(ValueError, match="read-only"):
        tracked.values[0] = 2


def test_no_pages() -> None:
    tracked = IncrementalPageRank()
    assert (len(tracked), tracked.links, tracked.largest, tracked.error) == (0, 0, pytest.approx(0.15), 0)
    tracked.settle()
    tracked.restore(tracked.state())
    assert len(tracked.values) == 0


def test_bad_arguments_are_named() -> None:
    with pytest.raises(RankError, match="tolerance"):
        IncrementalPageRank(tolerance=0)
    with pytest.raises(RankError, match="d must be"):
        IncrementalPageRank(d=1)
    tracked = IncrementalPageRank()
    with pytest.raises(RankError, match="numbered from 0, found -2"):
        tracked.add_links(0, [1, -2])
    with pytest.raises(RankError, match=r"\[0, 1\]"):
        tracked.add_links(0, [1], [1.5])
    with pytest.raises(RankError, match="2 values, expected 1"):
        tracked.add_links(0, [1], [0.5, 0.5])
    assert (len(tracked), tracked.links) == (0, 0)

"""PageRank against golden numbers, networkx and the fixed-point equations; personalised, warm, printed and repaired."""

from __future__ import annotations

from functools import partial
from typing import get_args

import networkx as nx
import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse.linalg import ArpackNoConvergence

from kg.ranking.link_matrix import RankError, Reading, link_matrix, spectral_radius
from kg.ranking.pagerank import pagerank

# A->B, A->C, B->C, C->A, D->C (algorithms.md, section 5)
SOURCE, TARGET = [0, 0, 1, 2, 3], [1, 2, 2, 0, 2]
R = [0.8, 0.0, 0.5, 0.0, 0.3]
exact = partial(pagerank, tolerance=1e-13, max_iterations=5_000)


def test_g3_pagerank_equation_7() -> None:
    ranks = exact(4, SOURCE, TARGET)
    assert ranks.values == pytest.approx([1.490107405313736, 0.7832956472583378, 1.5765969474279249, 0.15], abs=1e-9)
    assert not ranks.diverges


def test_g3_pagerank_equation_8_printed() -> None:
    ranks = pagerank(4, SOURCE, TARGET, anchor_relevance=R, reading="printed", max_iterations=3_000)
    assert ranks.values == pytest.approx([11.38970116811832, 7.314122034746423, 13.223177844845083, 0.15], abs=1e-9)
    short = pagerank(4, SOURCE, TARGET, anchor_relevance=R, reading="printed", max_iterations=200)
    assert short.iterations == 200
    assert short.values[0] == pytest.approx(11.1529, abs=5e-5)


def test_g3_pagerank_equation_8_repaired() -> None:
    ranks = exact(4, SOURCE, TARGET, anchor_relevance=R)
    assert ranks.values == pytest.approx([1.4444346242907393, 0.8827011118378025, 1.5228642638714582, 0.15], abs=1e-9)


def test_g3_spectral_radius_of_the_printed_equation_8() -> None:
    assert spectral_radius(link_matrix(4, SOURCE, TARGET, anchor_relevance=R, reading="printed")) == pytest.approx(
        0.9814346300707484, abs=1e-12
    )
    all_high = link_matrix(4, SOURCE, TARGET, anchor_relevance=[0.8] * 5, reading="printed")
    assert spectral_radius(all_high) == pytest.approx(1.258, abs=1e-12)


def test_g3_printed_equation_8_diverges_and_says_so() -> None:
    ranks = pagerank(4, SOURCE, TARGET, anchor_relevance=[0.8] * 5, reading="printed", max_iterations=50)
    assert ranks.diverges
    assert ranks.iterations == 50
    assert ranks.values[0] == pytest.approx(243.888e3, rel=1e-5)


def test_t1_critical_relevance_of_the_printed_equation_8() -> None:
    critical = (1 / 0.85 - 1) / 0.6
    for R_all, beyond in ((critical - 1e-6, False), (critical + 1e-6, True)):
        pair = pagerank(2, [0, 1], [1, 0], anchor_relevance=[R_all] * 2, reading="printed", max_iterations=10)
        assert pair.diverges is beyond


def test_printed_equation_8_beyond_the_floating_point_is_an_error() -> None:
    with pytest.raises(RankError, match="repaired"):
        pagerank(2, [0, 1], [1, 0], anchor_relevance=[1, 1], reading="printed", max_iterations=3_000)


def test_only_the_printed_equation_8_takes_a_fixed_number_of_iterations() -> None:
    plain = pagerank(4, SOURCE, TARGET)
    printed = pagerank(4, SOURCE, TARGET, reading="printed")  # without anchors it is Eq. (7)
    repaired = pagerank(4, SOURCE, TARGET, anchor_relevance=R)
    assert printed.iterations == plain.iterations < 200
    assert printed.values.tolist() == plain.values.tolist()
    assert not printed.diverges
    assert repaired.iterations < 200
    assert repaired.residual <= 1e-9
    assert pagerank(4, SOURCE, TARGET, anchor_relevance=R, reading="printed").iterations == 200


def _graphs() -> st.SearchStrategy[tuple[int, list[tuple[int, int]]]]:
    return st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40, unique=True),
        )
    )


@given(_graphs(), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_t1_repaired_equation_8_is_equation_7_for_constant_relevance(
    graph: tuple[int, list[tuple[int, int]]], R_all: float
) -> None:
    n, links = graph
    i, j = [a for a, _ in links], [b for _, b in links]
    C = np.bincount(i, minlength=n) + 2
    plain = exact(n, i, j, out_degree=C)
    biased = exact(n, i, j, out_degree=C, anchor_relevance=[R_all] * len(links))
    assert biased.values == pytest.approx(plain.values, abs=1e-9)


@given(_graphs(), st.data())
@settings(max_examples=60, deadline=None)
def test_repaired_equation_8_solves_its_equation_and_stays_within_d(
    graph: tuple[int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    n, links = graph
    i, j = [a for a, _ in links], [b for _, b in links]
    relevance = data.draw(arrays(np.float64, len(links), elements=st.floats(0, 1)))
    M = link_matrix(n, i, j, anchor_relevance=relevance)
    assert spectral_radius(M) <= 0.85 + 1e-9
    ranks = exact(n, i, j, anchor_relevance=relevance)
    assert ranks.values == pytest.approx(np.linalg.solve(np.eye(n) - M.toarray(), np.full(n, 0.15)), rel=1e-8)


@given(_graphs())
@settings(max_examples=60, deadline=None)
def test_spectral_radius_equals_the_largest_eigenvalue(graph: tuple[int, list[tuple[int, int]]]) -> None:
    n, links = graph
    M = link_matrix(n, [a for a, _ in links], [b for _, b in links])
    assert spectral_radius(M) == pytest.approx(float(np.abs(np.linalg.eigvals(M.toarray())).max()), abs=1e-3)


def test_equation_7_agrees_with_networkx_where_every_page_has_links() -> None:
    rng = np.random.default_rng(3)
    n = 60
    links = {(a, int(b)) for a in range(n) for b in rng.choice(n, 4, replace=False) if a != b}
    i, j = [a for a, _ in sorted(links)], [b for _, b in sorted(links)]
    expected = nx.pagerank(nx.DiGraph(sorted(links)), alpha=0.85, tol=1e-13, max_iter=1_000)
    assert exact(n, i, j).values / n == pytest.approx([expected[k] for k in range(n)], abs=1e-9)


def test_t3_all_out_links_count_and_unfetched_pages_give_nothing_on() -> None:
    one_of_four = exact(3, [0], [1], out_degree=[4, 0, 0])
    assert one_of_four.values == pytest.approx([0.15, 0.15 + 0.85 * 0.15 / 4, 0.15], abs=1e-12)


def test_warm_start_needs_fewer_iterations_and_gives_the_same() -> None:
    rng = np.random.default_rng(5)
    i, j = rng.integers(0, 400, 3_000), rng.integers(0, 400, 3_000)
    cold = pagerank(400, i[:-5], j[:-5], tolerance=1e-12)
    warm = pagerank(400, i, j, start=cold.values, tolerance=1e-12)
    again = pagerank(400, i, j, tolerance=1e-12)
    assert warm.iterations < again.iterations
    assert warm.values == pytest.approx(again.values, rel=1e-9)


def test_a_warm_start_with_a_wrong_sum_is_scaled_in_one_step() -> None:
    ranks = exact(4, SOURCE, TARGET)
    assert ranks.iterations > 20
    for scale in (1e-3, 1e3):
        again = exact(4, SOURCE, TARGET, start=scale * ranks.values)
        assert again.iterations <= 2
        assert again.values == pytest.approx(ranks.values, abs=1e-9)


def test_a_start_of_zeros_is_allowed() -> None:
    assert exact(4, SOURCE, TARGET, start=[0.0] * 4).values == pytest.approx(exact(4, SOURCE, TARGET).values, abs=1e-9)


@given(_graphs(), st.data())
@settings(max_examples=60, deadline=None)
def test_personalised_ranks_solve_their_equation(graph: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
    n, links = graph
    i, j = [a for a, _ in links], [b for _, b in links]
    share = data.draw(arrays(np.float64, n, elements=st.floats(0.01, 1)))
    share[0] = 0.0 if n > 1 else 1.0
    M = link_matrix(n, i, j).toarray()
    expected = np.linalg.solve(np.eye(n) - M, 0.15 * n * share / share.sum())
    ranks = exact(n, i, j, personalisation=share)
    assert ranks.values == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_equal_shares_are_equation_7_and_only_the_topic_and_what_it_links_to_has_rank() -> None:
    plain = exact(4, SOURCE, TARGET).values
    assert exact(4, SOURCE, TARGET, personalisation=[7] * 4).values == pytest.approx(plain, abs=1e-12)
    only_d = exact(4, [0, 3], [1, 2], personalisation=[0, 0, 0, 1]).values
    assert only_d == pytest.approx([0, 0, 0.85 * 0.6, 0.6], abs=1e-12)


def test_personalised_ranks_agree_with_networkx_where_every_page_has_links() -> None:
    rng = np.random.default_rng(9)
    n = 40
    links = sorted({(a, int(b)) for a in range(n) for b in rng.choice(n, 4, replace=False) if a != b})
    share = {node: float(value) for node, value in enumerate(rng.random(n))}
    expected = nx.pagerank(nx.DiGraph(links), alpha=0.85, personalization=share, tol=1e-13, max_iter=1_000)
    ranks = exact(n, [a for a, _ in links], [b for _, b in links], personalisation=list(share.values()))
    assert ranks.values / n == pytest.approx([expected[k] for k in range(n)], abs=1e-9)


def test_parallel_links_count_each() -> None:
    thrice = exact(3, [0, 0, 0], [1, 1, 2]).values
    assert thrice == pytest.approx([0.15, 0.15 + 0.1275 * 2 / 3, 0.15 + 0.1275 / 3], abs=1e-12)
    biased = exact(3, [0, 0, 0], [1, 1, 2], anchor_relevance=[1, 0, 0.5]).values
    assert biased == pytest.approx([0.15, 0.15 + 0.1275 * 2.6 / 3.9, 0.15 + 0.1275 * 1.3 / 3.9], abs=1e-12)


@pytest.mark.slow
def test_spectral_radius_of_a_large_part_agrees_with_numpy() -> None:
    rng = np.random.default_rng(7)
    n = 400
    i = np.concatenate((np.arange(n), rng.integers(0, n, 2 * n)))
    j = np.concatenate((np.roll(np.arange(n), -1), rng.integers(0, n, 2 * n)))
    M = link_matrix(n, i, j, anchor_relevance=rng.random(3 * n), reading="printed")
    assert spectral_radius(M) == pytest.approx(float(np.abs(np.linalg.eigvals(M.toarray())).max()), abs=1e-8)


def test_a_spectral_radius_that_is_not_found_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def unfound(*_: object, **__: object) -> None:
        raise ArpackNoConvergence("no convergence", np.empty(0), np.empty(0))

    monkeypatch.setattr(scipy.sparse.linalg, "eigs", unfound)
    n = 400
    ring = link_matrix(n, np.arange(n), np.roll(np.arange(n), -1))
    with pytest.raises(RankError, match=r'a part of 400 nodes was not found .*reading="repaired"'):
        spectral_radius(ring)


def test_without_weight_the_relevance_of_anchors_changes_nothing() -> None:
    for reading in get_args(Reading):
        biased = exact(4, SOURCE, TARGET, anchor_relevance=R, omega=0.0, reading=reading)
        assert biased.values == pytest.approx(exact(4, SOURCE, TARGET).values, abs=1e-9)


def test_no_nodes_and_no_links() -> None:
    empty = pagerank(0, [], [])
    assert (len(empty.values), empty.iterations, empty.residual, empty.diverges) == (0, 0, 0.0, False)
    assert pagerank(3, [], []).values == pytest.approx([0.15] * 3)
    assert spectral_radius(link_matrix(3, [], [])) == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"source": [0], "target": [1, 0]}, "one of each"),
        ({"source": [0], "target": [7]}, "0 to 1"),
        ({"source": [0, 0], "target": [1, 2]}, "target names nodes from 1 to 2"),
        ({"source": [0], "target": [-1]}, "target names nodes from -1"),
        ({"source": [0, 0], "target": [1, 0], "out_degree": [1, 0]}, "out_degree of node 0"),
        ({"source": [0, 0, 1], "target": [1, 0, 0], "out_degree": [1, 9]}, "out_degree of node 0 is 1, but 2"),
        ({"source": [0], "target": [1], "anchor_relevance": [1.5]}, r"\[0, 1\]"),
        ({"source": [0], "target": [1], "start": [1.0]}, "expected 2"),
        ({"source": [0], "target": [1], "d": 1.0}, r"d must be"),
        ({"source": [0], "target": [1], "omega": -0.1}, r"omega must be"),
        ({"source": [0], "target": [1], "omega": np.inf}, r"omega must be"),
        ({"source": [0], "target": [1], "personalisation": [0, 0]}, "not 0 everywhere"),
        ({"source": [0], "target": [1], "personalisation": [1, -1]}, "0 or more"),
        ({"source": [0], "target": [1], "personalisation": [1]}, "expected 2"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(RankError, match=says):
        pagerank(2, **arguments)  # type: ignore[arg-type]

from __future__ import annotations

import numpy as np
import pytest

from ontology.context import FormalContext
from ontology.hierarchy import term_hierarchy
from ontology.hierarchy.tolerant import tolerant_inclusions
from tests.ontology.hierarchy.planted import edge_f1, planted


def of_rows(rows: list[str]) -> FormalContext:
    terms = sorted({t for row in rows for t in row})
    return FormalContext.from_bools([f"d{i}" for i in range(len(rows))], terms, [[t in r for t in terms] for r in rows])


def test_a_planted_taxonomy_is_what_it_says() -> None:
    one, again, noisy = planted(3), planted(3), planted(3, noise=0.05)
    assert one.context.rows == again.context.rows
    assert one.edges == noisy.edges
    assert (len(one.context.objects), len(one.context.attributes)) == (1000, 60)
    assert one.context.incidences == noisy.context.incidences
    clean, dirty = one.context.bools(), noisy.context.bools()
    assert (clean & ~dirty).sum() == (dirty & ~clean).sum() == round(0.05 * clean.sum())
    # 59 first parents and 18 second ones, but for those that the reduction finds implied
    assert 59 <= len(one.edges) <= 77
    assert any(sum(u == child for u, _ in one.edges) == 2 for child in one.context.attributes)


@pytest.mark.parametrize("reading", ["published", "tolerant"])
def test_planted_taxonomies_without_noise_are_found_exactly(reading: str) -> None:
    for seed in range(20, 26):
        truth = planted(seed)
        assert edge_f1(term_hierarchy(truth.context, reading=reading), truth) == 1.0  # type: ignore[arg-type]


@pytest.mark.slow
def test_planted_taxonomies_are_found_through_noise_by_one_threshold() -> None:
    truths = [planted(seed, noise=0.05) for seed in range(100, 120)]
    found = [edge_f1(term_hierarchy(truth.context, reading="tolerant"), truth) for truth in truths]
    assert np.mean(found) >= 0.85
    assert edge_f1(term_hierarchy(truths[0].context), truths[0]) < 0.2  # exact inclusion does not survive it


def test_f1_counts_wrong_and_missing_edges() -> None:
    truth = planted(0, terms=6, documents=60, second_parents=0)
    flat = term_hierarchy(truth.context, reading="published", min_support=1)
    assert edge_f1(flat, truth) == 1.0
    other = planted(1, terms=6, documents=60, second_parents=0)
    assert edge_f1(flat, other) < 1.0


def test_one_exception_in_many_is_borne_where_others_are_noisy_too() -> None:
    rows = ["abc"] * 38 + ["ac"] * 2 + ["ab"] * 30 + ["b"] * 2 + ["a"] * 20 + ["e"] * 20
    hierarchy = term_hierarchy(of_rows(rows), reading="tolerant")
    edges = {(hierarchy.nodes[e.child].label, hierarchy.nodes[e.parent].label) for e in hierarchy.edges}
    assert ("c", "b") in edges
    assert ("b", "a") in edges
    exact = term_hierarchy(of_rows(rows))
    assert ("c", "b") not in {(exact.nodes[e.child].label, exact.nodes[e.parent].label) for e in exact.edges}


def test_without_noise_no_exception_is_borne_and_chance_is_no_evidence() -> None:
    rows = ["ab"] * 30 + ["a"] * 30 + ["bc"] + ["ad"] + ["e"] * 40 + ["ef"] * 10 + ["gh"] * 5 + ["g"] * 5
    hierarchy = term_hierarchy(of_rows(rows), reading="tolerant")
    edges = {(hierarchy.nodes[e.child].label, hierarchy.nodes[e.parent].label) for e in hierarchy.edges}
    assert ("b", "a") not in edges
    assert ("d", "a") not in edges  # one document, in a term of half the corpus
    assert {("f", "e"), ("h", "g")} <= edges
    assert all("noise" in e.evidence for e in hierarchy.edges)


def test_inclusions_are_a_strict_order() -> None:
    above = tolerant_inclusions(planted(5, noise=0.1).context.bools())
    assert not above.diagonal().any()
    assert not (above & above.T).any()
    assert not ((above.astype(int) @ above.astype(int) > 0) & ~above).any()

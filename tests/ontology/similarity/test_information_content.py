"""Information content: intrinsic and from counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.concept_graph import ConceptGraph
from ontology.model import Ontology
from ontology.similarity import CountError
from ontology.similarity.information_content import from_counts, intrinsic
from tests.ontology.similarity.graphs import TABLE1, dags, ontology

GRAPH = ConceptGraph.of(TABLE1)


def test_intrinsic_content_of_table_1() -> None:
    ln3 = math.log(3) / math.log(8)
    expected = [0, 1, 1 / 3, 2 / 3, 2 / 3, 1 - ln3, 1, 1]  # 7, 0, 3, 1, 1, 2, 0, 0 terms below
    assert intrinsic(GRAPH).values == pytest.approx(expected, abs=1e-12)


def test_counts_are_added_up_once_whatever_the_number_of_ways() -> None:
    found = from_counts(GRAPH, {"8": 6.0, "2": 2.0}, smoothing=0.5).values
    freq = {"1": 8 + 4, "2": 2.5, "3": 6 + 2, "4": 7, "5": 7, "6": 6 + 1.5, "7": 0.5, "8": 6.5}
    assert found == pytest.approx([-math.log(freq[t] / 12) for t in GRAPH.names], abs=1e-12)


def test_cumulative_counts_are_not_added_up_but_raised() -> None:
    support = {"1": 10.0, "2": 5.0, "3": 4.0, "4": 2.0, "5": 5.0, "6": 3.0, "7": 1.0, "8": 2.0}
    found = from_counts(GRAPH, support, cumulative=True, smoothing=0).values
    raised = support | {"3": 5.0}  # its child T5 has more
    assert found == pytest.approx([-math.log(raised[t] / 10) for t in GRAPH.names], abs=1e-12)
    of_20 = from_counts(GRAPH, support, cumulative=True, smoothing=0, total=20).values
    assert of_20 == pytest.approx(found + math.log(2), abs=1e-12)


def test_equivalent_concepts_count_as_one() -> None:
    graph = ConceptGraph.of(
        ontology("rabc", [("a", "subclass_of", "r"), ("a", "equivalent_to", "b"), ("c", "subclass_of", "r")])
    )
    summed = from_counts(graph, {"a": 1.0, "b": 2.0, "c": 1.0}, smoothing=0)
    assert summed.values[graph.node["b"]] == pytest.approx(math.log(4 / 3))
    largest = from_counts(graph, {"a": 1.0, "b": 2.0, "c": 1.0, "r": 4.0}, smoothing=0, cumulative=True)
    assert largest.values[graph.node["a"]] == pytest.approx(math.log(2))


@pytest.mark.slow
@given(dags(), st.data())
@settings(deadline=None, max_examples=100)
def test_content_rises_downwards_and_is_not_negative(o: Ontology, data: Any) -> None:
    graph = ConceptGraph.of(o)
    counts = {c.iri: data.draw(st.floats(0, 100, allow_subnormal=False)) for c in o.concepts}
    cumulative = data.draw(st.booleans())
    for content in (intrinsic(graph), from_counts(graph, counts, cumulative=cumulative, smoothing=0.1)):
        assert (content.values >= 0).all()
        assert np.isfinite(content.values).all()
        assert content.largest == content.values.max()
        for c, p in graph.is_a:
            assert content.values[c] >= content.values[p]
    assert intrinsic(graph).largest <= 1


@pytest.mark.parametrize(
    ("counts", "options", "message"),
    [
        ({"9": 1.0}, {}, "9 is not a concept"),
        ({"1": -1.0}, {}, "non-negative number for 1, found -1"),
        ({"1": math.nan}, {}, "non-negative number for 1, found nan"),
        ({"1": 1.0}, {"smoothing": -1}, "smoothing: expected"),
        ({"1": 1.0}, {"smoothing": 0}, "and all below it have count 0"),
        ({}, {"smoothing": 0, "cumulative": True}, "count 0"),
        ({"1": 5.0}, {"total": 3}, "at least the largest frequency"),
        ({"1": 5.0}, {"total": math.nan}, "at least the largest frequency"),
    ],
)
def test_bad_counts(counts: dict[str, float], options: dict[str, Any], message: str) -> None:
    with pytest.raises(CountError, match=message):
        from_counts(GRAPH, counts, **options)

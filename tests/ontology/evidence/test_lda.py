"""Topics: planted ones are found again, the same ones each time."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from ontology.evidence import lda
from ontology.evidence.lda import TopicError, Topics, find_topics
from ontology.extras import MissingExtra

PLANTED = (("暴雨", "洪水", "内涝"), ("台风", "风暴潮", "登陆"), ("干旱", "土壤", "灌溉"))
TERMS = tuple(term for topic in PLANTED for term in topic)


def planted(documents: int = 120) -> np.ndarray:
    """Documents of one topic each, the first term of a topic the most frequent; topics as 3 : 2 : 1."""
    rng = np.random.default_rng(7)
    counts = np.zeros((documents, len(TERMS)), dtype=int)
    for row in counts:
        k = int(rng.choice(3, p=[1 / 2, 1 / 3, 1 / 6]))
        row[3 * k : 3 * k + 3] = rng.multinomial(20, [0.5, 0.3, 0.2])
    return counts


@pytest.fixture(scope="module")
def topics() -> Topics:
    return find_topics(TERMS, planted(), 3)


def test_planted_topics_are_found_by_falling_share(topics: Topics) -> None:
    assert [tuple(term for term, _ in topics.top(k, 3)) for k in range(3)] == list(PLANTED)
    assert topics.weight.tolist() == pytest.approx([1 / 2, 1 / 3, 1 / 6], abs=0.1)
    assert [phi for _, phi in topics.top(0, 3)] == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


def test_probabilities_are_such(topics: Topics) -> None:
    assert topics.phi.sum(axis=1) == pytest.approx(1.0)
    assert topics.given_term.sum(axis=1) == pytest.approx(1.0)
    assert topics.weight.sum() == pytest.approx(1.0)


def test_terms_of_one_topic_are_alike_and_others_not(topics: Topics) -> None:
    assert topics.similarity("暴雨", "内涝") > 0.99
    assert topics.similarity("暴雨", "干旱") < 0.1
    assert topics.similarity("台风", "登陆") == topics.similarity("登陆", "台风")
    k, chance = topics.topic_of("灌溉")
    assert (k, chance > 0.95) == (2, True)


def test_the_same_corpus_gives_the_same_topics(topics: Topics) -> None:
    again = find_topics(TERMS, planted(), 3)
    assert np.array_equal(topics.phi, again.phi)
    assert np.array_equal(topics.weight, again.weight)


def test_passes_end_when_no_topic_changes_its_heads(monkeypatch: pytest.MonkeyPatch, topics: Topics) -> None:
    model = importlib.import_module("sklearn.decomposition").LatentDirichletAllocation
    step, passes = model._em_step, []
    monkeypatch.setattr(model, "_em_step", lambda self, *a, **named: (passes.append(1), step(self, *a, **named))[1])
    find_topics(TERMS, planted(), 3)
    ended = len(passes)
    assert lda.STILL < ended < lda.PASSES
    monkeypatch.setattr(lda, "STILL", lda.PASSES)
    whole = find_topics(TERMS, planted(), 3)
    assert len(passes) == ended + lda.PASSES
    assert [{t for t, _ in whole.top(k, 3)} for k in range(3)] == [{t for t, _ in topics.top(k, 3)} for k in range(3)]


def test_documents_without_a_term_say_nothing(topics: Topics) -> None:
    padded = np.vstack([planted(), np.zeros((5, len(TERMS)), dtype=int)])
    assert np.allclose(find_topics(TERMS, padded, 3).phi, topics.phi)


@pytest.mark.parametrize(
    ("counts", "wanted", "named"),
    [
        (np.ones((4, 3)), 2, "one column for each of 9 terms"),
        (np.full((4, 9), -1), 2, "none below 0"),
        (np.ones((4, 9)), 5, "from 2 to the 4 that 4 documents with 9 terms can have, found 5"),
        (np.zeros((4, 9)), 2, "found 2; give more documents"),
        (np.ones((4, 9)), 1, "found 1"),
    ],
)
def test_what_has_no_topics(counts: np.ndarray, wanted: int, named: str) -> None:
    with pytest.raises(TopicError, match=named):
        find_topics(TERMS, counts, wanted)


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"lda.*needs sklearn.*ontocrawl\[topics\]"):
        find_topics(TERMS, planted(), 3)

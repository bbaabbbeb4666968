"""The semantic vector model over pairs of terms, and the crawlers that go by an ontology's vector."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.model import SLOT, SLOTS, Floats
from crawler.scoring.relevance import SemanticCosine, double_term_cosine, relevance
from crawler.scoring.statistics import Statistics
from crawler.scoring.vsm import cosine
from crawler.strategies.semantic_first import Ma2016, SemanticParameters, SsvsmGuide
from crawler.testing import view_of
from crawler.text import Vocabulary, Word

WEIGHTS = {"暴雨": 1.0, "洪水": 0.6, "滑坡": 0.4}
GTK = Vocabulary("GTK", tuple(Word(form, w, (("zh", form),)) for form, w in WEIGHTS.items()))
SEM = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])


def statistics(N: int = 10, N_i: tuple[int, ...] = (5, 2, 1)) -> Statistics:
    made = Statistics({"GTK": GTK})
    made.restore({"N": N, "containing": {"GTK": np.array(N_i)}})
    return made


def by_pairs(w_d: Floats, w_k: Floats, Sem: Floats) -> float:
    """The definition: both vectors written out, d_ij = w(t_i) Sem and q_ij = w(k_j) Sem."""
    D, Q = w_d[:, np.newaxis] * Sem, w_k[np.newaxis] * Sem
    return float((D * Q).sum() / np.sqrt((D**2).sum() * (Q**2).sum()))


def test_the_cosine_of_the_vectors_over_all_pairs_of_terms() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        n = int(rng.integers(1, 6))
        Sem, w_k, w_d = rng.random((n, n)), rng.random(n), rng.random((4, n))
        Sem = (Sem + Sem.T) / 2
        expected = [by_pairs(row, w_k, Sem) for row in w_d]
        assert double_term_cosine(w_d, w_k, Sem) == pytest.approx(expected)


def test_terms_that_are_like_themselves_only_give_the_plain_cosine() -> None:
    w_d, w_k = np.random.default_rng(1).random((5, 3)), GTK.weights
    assert double_term_cosine(w_d, w_k, np.eye(3)) == pytest.approx(cosine(w_k, w_d))


def test_a_text_without_the_topic_s_word_has_what_its_words_are_like_it() -> None:
    """The reason for the model: only 暴雨 is the topic, the text has 洪水 only."""
    w_k, w_d = np.array([1.0, 0.0, 0.0]), np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert cosine(w_k, w_d).tolist() == [0.0, 0.0]
    near, far = double_term_cosine(w_d, w_k, SEM)
    assert near > far > 0.0


def test_a_text_without_words_has_none() -> None:
    assert double_term_cosine(np.zeros((2, 3)), GTK.weights, SEM).tolist() == [0.0, 0.0]


def test_pages_and_anchors_by_name() -> None:
    ssvsm = relevance("ssvsm")
    assert isinstance(ssvsm, SemanticCosine)
    knowing = ssvsm.knowing({"GTK": SEM})
    counts = np.zeros((len(SLOTS), 3), dtype=np.int64)
    counts[SLOT["title"], 1], counts[SLOT["p"], 1] = 2, 1  # positions do not matter
    page = knowing.page(counts, GTK.weights, statistics(), "GTK", 100)
    assert page == pytest.approx(by_pairs(np.array([0.0, 1.0, 0.0]), GTK.weights, SEM))
    F = np.array([[0, 3, 0], [0, 0, 0]])
    assert knowing.anchors(F, GTK.weights, statistics(), "GTK").tolist() == pytest.approx([page, 0.0])
    assert ssvsm.page(counts, GTK.weights, statistics(), "GTK", 100) == pytest.approx(0.6 / np.sqrt(1.52))


def test_rare_words_count_more() -> None:
    one, two = np.array([[1, 1, 0]]), statistics(10, (9, 1, 1))
    even = relevance("ssvsm").anchors(one, np.array([0.0, 1.0, 0.0]), statistics(10, (5, 5, 5)), "GTK")
    rare = relevance("ssvsm").anchors(one, np.array([0.0, 1.0, 0.0]), two, "GTK")
    assert rare[0] > even[0]


def test_similarities_of_other_words_are_refused() -> None:
    knowing = SemanticCosine().knowing({"GTK": np.eye(2)})
    with pytest.raises(ValueError, match=r"GTK has 3 words.*\(2, 2\)"):
        knowing.anchors(np.ones((1, 3), dtype=np.int64), GTK.weights, statistics(), "GTK")


# ---- the crawlers


def test_order_by_anchor_and_pages_under_gtk() -> None:
    view = view_of({"anchor:GTK": [0.8, 0.0], "parents:GTK": [0.2, 0.6]}, [0.5, 0.3])
    for cls in (Ma2016, SsvsmGuide):
        assert cls().priority(view, view.links).tolist() == pytest.approx([0.5, 0.3])
        assert cls(SemanticParameters(a=0.0)).priority(view, view.links).tolist() == pytest.approx([0.2, 0.6])
        assert cls().choose(view, np.random.default_rng(0), 1).link.tolist() == [0]
    assert (SsvsmGuide.guide, Ma2016.guide) == ("ssvsm", "paper_000")

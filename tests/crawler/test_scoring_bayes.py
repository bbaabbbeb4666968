"""The Bayesian classifier of paper 003: golden numbers G8 and G11, traps T12 to T14, and scikit-learn as a witness."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.pages.page_classifier import PageClassifier, placed_words, words_of
from crawler.scoring.bayes import (
    LIKELIHOODS,
    POSITIONS,
    ClassifierError,
    Likelihood,
    NaiveBayes,
    PlacedWord,
    Position,
    Training,
    _likelihood,
    _prior,
    count,
    from_json,
    topic_weights,
)

TOY = {
    "RD": [["rain", "flood", "rain", "city"], ["rain", "flood", "warning"]],
    "SP": [["match", "goal", "city"], ["match", "rain", "goal", "team"]],
}
PAGE_A: list[PlacedWord] = [("flood", 2.0), ("rain", 1.0), ("match", 1.0), ("goal", 1.0)]
PAGE_B: list[PlacedWord] = [("rain", 2.0), ("rain", 1.0), ("flood", 1.0), ("warning", 1.0)]


def toy() -> Training:
    return count(TOY)


def lead(reading: Likelihood, position: Position, page: list[PlacedWord]) -> float:
    """lg of how much likelier RD is than SP."""
    score = NaiveBayes(toy(), reading, position).scores(page)
    return float(score[0] - score[1])


# ---- G8 and G11


def test_g8_topic_weights() -> None:
    """Eq. (1) for f = (6, 3, 1), N = 4, N_t = (2, 1, 4): one class has these counts, the texts of others the rest."""
    training = Training(("S", "other"), ("a", "b", "c"), np.array([2, 2]), np.array([[6, 3, 1], [1, 0, 2]]),
                        np.array([2, 1, 4]))  # fmt: skip
    assert topic_weights(training, "S") == pytest.approx([0.181918, 0.180943, 0.000432], abs=5e-7)
    with pytest.raises(ClassifierError, match="no class 'T'; it has S, other"):
        topic_weights(training, "T")


def test_g11_counts_and_idf() -> None:
    t = toy()
    assert t.c.sum(axis=1).tolist() == [7, 7] and len(t.words) == 7
    idf = dict(zip(t.words, t.idf.tolist(), strict=True))
    assert [idf[w] for w in ("flood", "rain", "warning")] == pytest.approx([0.303196, 0.128184, 0.603144], abs=5e-7)
    assert _prior(t.K).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("reading", "position", "page", "expected"),
    [
        ("laplace", "none", PAGE_A, -0.176091),
        ("laplace", "factor", PAGE_A, -0.176091),
        ("laplace", "exponent", PAGE_A, 0.301030),
        ("tf_idf", "none", PAGE_A, -0.049891),
        ("tf_idf", "exponent", PAGE_A, 0.172719),
        ("laplace", "none", PAGE_B, 1.380211),
        ("laplace", "exponent", PAGE_B, 1.681241),
        ("printed", "none", PAGE_B, -1.172779),
    ],
)
def test_g11_scores(reading: Likelihood, position: Position, page: list[PlacedWord], expected: float) -> None:
    assert lead(reading, position, page) == pytest.approx(expected, abs=5e-7)


def test_g11_likelihoods() -> None:
    flood = toy().row["flood"]
    assert _likelihood(toy(), "laplace")[:, flood] == pytest.approx([3 / 14, 1 / 14])
    assert _likelihood(toy(), "tf_idf")[:, flood] == pytest.approx([0.180549, 0.108140], abs=5e-7)


# ---- traps


def test_t13_print_prefers_words_that_a_class_lacks() -> None:
    printed = _likelihood(toy(), "printed")
    assert printed[:, toy().row["flood"]] == pytest.approx([0.006188, 0.071429], abs=5e-7)
    for reading in ("laplace", "tf_idf"):
        assert _likelihood(toy(), reading).sum(axis=1) == pytest.approx([1.0, 1.0])
    assert NaiveBayes(toy(), "printed", "none").classify(PAGE_B) == "SP"
    assert NaiveBayes(toy()).classify(PAGE_B) == "RD"


words = st.sampled_from([*toy().words, "unknown"])


def posterior(model: NaiveBayes, page: list[PlacedWord]) -> np.ndarray:
    """P(C_i | X), Eq. (5), from the logarithms that the model computes."""
    score = model.scores(page)
    P = 10.0 ** (score - score.max())
    return P / P.sum()


@given(
    st.lists(st.tuples(words, st.sampled_from([2.0, 1.5, 1.2, 1.0, 0.2])), max_size=12), st.sampled_from(LIKELIHOODS)
)
def test_t12_the_printed_factor_decides_nothing(page: list[PlacedWord], reading: Likelihood) -> None:
    plain = NaiveBayes(toy(), reading, "none")
    factor = NaiveBayes(toy(), reading, "factor")
    assert lead(reading, "factor", page) == pytest.approx(lead(reading, "none", page), abs=1e-9)
    assert posterior(factor, page) == pytest.approx(posterior(plain, page))


def test_t14_unknown_words_are_skipped_and_places_add_up() -> None:
    model = NaiveBayes(toy())
    assert model.scores([("flood", 2.0), ("tuba", 2.0)]) == pytest.approx(model.scores([("flood", 2.0)]))
    assert model.scores([("flood", 1.2), ("flood", 0.8)]) == pytest.approx(model.scores([("flood", 2.0)]))
    assert posterior(model, []) == pytest.approx([0.5, 0.5])
    assert posterior(model, PAGE_A).sum() == pytest.approx(1.0)


# ---- scikit-learn


@pytest.mark.parametrize("position", ["none", "exponent"])
def test_laplace_is_multinomial_naive_bayes(position: Position) -> None:
    """The Laplace reading equals scikit-learn's MultinomialNB, on counts and on counts weighted by place."""
    naive_bayes = pytest.importorskip("sklearn.naive_bayes", reason="scikit-learn is not installed (extra dev)")
    rng = np.random.default_rng(5)
    names = [f"w{i}" for i in range(40)]
    odds = rng.dirichlet(np.full(40, 0.3), 3)
    texts = {f"c{i}": [rng.choice(names, 25, p=odds[i]).tolist() for _ in range(20 + 10 * i)] for i in range(3)}
    training = count(texts)

    def matrix(pages: list[list[PlacedWord]]) -> Any:
        X = np.zeros((len(pages), len(training.words)))
        for row, page in zip(X, pages, strict=True):
            for word, L in page:
                row[training.row[word]] += L if position == "exponent" else 1.0
        return X

    train = [[(w, 1.0) for w in text] for name in training.classes for text in texts[name]]
    labels = [name for name in training.classes for _ in texts[name]]
    theirs = naive_bayes.MultinomialNB(alpha=1.0).fit(matrix(train), labels)
    ours = NaiveBayes(training, "laplace", position)
    known = list(training.words)
    pages = [
        [(str(w), float(L)) for w, L in zip(rng.choice(known, 12), rng.choice([2.0, 1.2, 0.2], 12), strict=True)]
        for _ in range(50)
    ]
    X = matrix(pages)
    assert theirs.feature_log_prob_ / np.log(10) == pytest.approx(np.log10(_likelihood(training, "laplace")))
    assert theirs.predict_proba(X) == pytest.approx(np.array([posterior(ours, page) for page in pages]))
    assert theirs.predict(X).tolist() == [ours.classify(page) for page in pages]


# ---- bad input, and storage


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"RD": [["a"]]}, "needs 2 classes or more, and 1 given: RD"),
        ({"RD": [["a"]], "SP": []}, "class 'SP' of the training set has no text"),
        ({"RD": [["a"]], "SP": [[], []]}, "class 'SP' of the training set has 2 texts without any word"),
    ],
)
def test_classes_that_cannot_be_trained(texts: dict[str, list[list[str]]], message: str) -> None:
    with pytest.raises(ClassifierError, match=message):
        count(texts)


def test_an_unknown_reading_is_refused() -> None:
    with pytest.raises(ClassifierError, match="likelihood must be one of tf_idf, laplace, printed, not 'x'"):
        NaiveBayes(toy(), "x")  # type: ignore[arg-type]
    with pytest.raises(ClassifierError, match="position must be one of exponent, factor, none"):
        NaiveBayes(toy(), "laplace", "x")  # type: ignore[arg-type]


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("reading", LIKELIHOODS)
def test_a_saved_classifier_decides_alike(reading: Likelihood, position: Position) -> None:
    model = NaiveBayes(toy(), reading, position)
    again = from_json(json.loads(json.dumps(model.as_json())))
    assert (again.likelihood, again.position, again.classes) == (reading, position, model.classes)
    for page in (PAGE_A, PAGE_B, []):
        assert again.scores(page).tolist() == model.scores(page).tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "csv"}, "not a classifier of this version"),
        ({"counts": [[[99, 1]], []]}, "damaged classifier"),
        ({"texts": [1]}, "texts must be 2 numbers above 0"),
        ({"likelihood": "x"}, "damaged classifier.*likelihood must be one of"),
    ],
)
def test_damaged_files(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ClassifierError, match=message):
        from_json(NaiveBayes(toy()).as_json() | change)
    with pytest.raises(ClassifierError, match="not a classifier"):
        from_json([])


# ---- words of pages


def test_words_are_segmented_and_placed() -> None:
    assert words_of("暴雨预警，Heavy-Rain在2013年的I/O") == ["暴雨", "预警", "heavy", "rain"]
    placed = placed_words([("title", "暴雨"), ("p", "暴雨"), ("p/a", "洪水"), ("h6", "灾害"), ("other", "天气")])
    assert placed == [("暴雨", 2.0), ("暴雨", 1.0), ("洪水", 1.0), ("灾害", 0.2), ("天气", 0.2)]


def test_a_title_outweighs_a_body() -> None:
    """Page A of G11 as a page: plain naive Bayes says sports, weighted by place it is rainstorm."""
    segments = [("title", "flood"), ("p", "rain match goal")]
    assert PageClassifier(NaiveBayes(toy(), "laplace", "none"))(segments) == "SP"
    assert PageClassifier(NaiveBayes(toy(), "laplace", "exponent"))(segments) == "RD"

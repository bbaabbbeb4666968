import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from crawler.model import SLOT, SLOTS
from crawler.scoring.vsm import PAPER_000, PAPER_003, PAPER_004, cosine, page_weights

RAINSTORM = np.array([0.8, 0.1, 0.1, 0.5, 0.3])  # 暴雨 气象 天气 灾害 预防
TYPHOON = np.array([0.8, 0.5, 0.3, 0.2, 0.2])  # 台风 风暴潮 暴雨 气压 风力


def g6_counts() -> np.ndarray:
    counts = np.zeros((len(SLOTS), 5), dtype=np.int64)
    counts[SLOT["title"], [0, 3]] = 1
    counts[SLOT["p"], [0, 3, 2, 4]] = 4, 2, 1, 1
    counts[SLOT["other"], 1] = 3
    return counts


def test_g5_cosine_of_the_rainstorm_words() -> None:
    assert cosine(RAINSTORM, np.eye(5)) == pytest.approx([0.8, 0.1, 0.1, 0.5, 0.3], abs=1e-6)
    assert cosine(RAINSTORM, np.ones(5)) == pytest.approx(0.804984, abs=1e-6)
    assert cosine(RAINSTORM, np.array([1, 0, 0, 1, 0.0])) == pytest.approx(0.919239, abs=1e-6)


def test_g5_cosine_of_the_typhoon_words() -> None:
    assert cosine(TYPHOON, np.eye(5)) == pytest.approx([0.777029, 0.485643, 0.291386, 0.194257, 0.194257], abs=1e-6)
    assert cosine(TYPHOON, np.ones(5)) == pytest.approx(0.868744, abs=1e-6)


def test_g6_page_by_equation_4() -> None:
    w_dk = page_weights(PAPER_000.term_frequencies(g6_counts()), PAPER_000.w)
    assert w_dk == pytest.approx([1.5, 0.2, 1.0, 2.0, 1.0])
    assert cosine(RAINSTORM, w_dk) == pytest.approx(0.909964, abs=1e-6)


def test_g6_raw_weighted_frequencies_and_equation_5() -> None:
    TF = PAPER_000.term_frequencies(g6_counts())
    raw = PAPER_000.w @ TF
    assert raw == pytest.approx([6, 0.6, 1, 4, 1])
    assert cosine(RAINSTORM, raw) == pytest.approx(0.984684, abs=1e-6)
    assert float(raw.sum()) == pytest.approx(12.6)  # Eq. (5), the unbounded relevance that paper 000 criticises


def test_equation_4_forgets_frequency_and_the_page_norm_does_not() -> None:
    """Trap T9: 100 times 暴雨 and once 天气 in the body."""
    counts = np.zeros((len(SLOTS), 5), dtype=np.int64)
    counts[SLOT["p"], [0, 2]] = 100, 1
    TF = PAPER_000.term_frequencies(counts)
    assert cosine(RAINSTORM, page_weights(TF, PAPER_000.w)) == pytest.approx(0.6364, abs=1e-4)
    assert cosine(RAINSTORM, page_weights(TF, PAPER_000.w, "page")) == pytest.approx(0.8010, abs=1e-4)


def test_tag_groups_of_the_three_papers() -> None:
    def group(groups: object, slot: str) -> float:
        return groups.w[groups.group[SLOT[slot]]]  # type: ignore[attr-defined]

    slots = ["title", "meta_keywords", "h1/a", "h2", "h3", "h4", "h6", "strong", "p", "td", "li/a", "other"]
    assert [group(PAPER_000, s) for s in slots] == [2, 2, 2, 1.5, 1.5, 1.2, 1.2, 1.2, 1, 1, 1, 0.2]
    assert [group(PAPER_003, s) for s in slots] == [2, 2, 2, 1.5, 1.5, 1.2, 0.2, 1.2, 1, 1, 1, 0.2]
    assert [group(PAPER_004, s) for s in slots] == [5, 2, 3, 1, 1, 1, 1, 1, 1, 1, 3, 1]


def test_a_page_without_topic_words_is_worth_nothing() -> None:
    TF = PAPER_000.term_frequencies(np.zeros((len(SLOTS), 5), dtype=np.int64))
    assert page_weights(TF, PAPER_000.w).tolist() == [0.0] * 5
    assert page_weights(TF, PAPER_000.w, "page").tolist() == [0.0] * 5
    assert cosine(RAINSTORM, np.zeros(5)) == 0.0
    assert cosine(np.zeros(5), np.ones(5)) == 0.0


COUNTS = arrays(np.int64, (len(SLOTS), 4), elements=st.integers(0, 50))
WEIGHTS = arrays(np.float64, 4, elements=st.floats(0, 1))


@given(COUNTS, WEIGHTS)
def test_relevance_is_in_the_unit_interval_and_rows_equal_single_vectors(counts: np.ndarray, w: np.ndarray) -> None:
    TF = PAPER_000.term_frequencies(counts)
    assert TF.sum() == counts.sum()
    rows = cosine(w, counts.astype(float))
    assert np.all((rows >= 0) & (rows <= 1))
    assert rows[3] == pytest.approx(float(cosine(w, counts[3].astype(float))))
    w_dk = page_weights(TF, PAPER_000.w)
    assert np.all((w_dk >= 0) & (w_dk <= PAPER_000.w.sum()))
    assert np.array_equal(w_dk == 0, counts.sum(axis=0) == 0)

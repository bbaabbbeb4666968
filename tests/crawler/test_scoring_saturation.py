"""Relevance by saturated counts: values by hand, and what a cosine does not have: no norm, no drowned anchors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.model import SLOTS, Counts, Floats
from crawler.scoring.relevance import relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary, Word

SATURATED = relevance("saturated")
WORDS = Vocabulary("GTK", tuple(Word(f"w{i}", 1.0, (("en", f"w{i}"),)) for i in range(3)))
NONE = Statistics({"GTK": WORDS})


def page(*f: int) -> Counts:
    """Counts of a page with all words in its first slot."""
    counts = np.zeros((len(SLOTS), len(f)), dtype=np.int64)
    counts[0] = f
    return counts


def R_page(w: Floats, *f: int) -> float:
    return SATURATED.page(page(*f), w, NONE, "GTK", 1000)


def R_anchor(w: Floats, *f: int) -> float:
    return float(SATURATED.anchors(np.array([f]), w, NONE, "GTK")[0])


def test_values_by_hand() -> None:
    w = np.array([1.0, 0.5, 0.0])
    assert R_anchor(w, 1, 0, 0) == pytest.approx(2 / 3)  # M = 1, h = 1/2
    assert R_anchor(w, 7, 0, 0) == pytest.approx(2 / 3)  # a word counts once
    assert R_anchor(w, 1, 1, 0) == pytest.approx(1.5 / 2.0)
    assert R_anchor(w, 0, 1, 9) == pytest.approx(0.5)
    assert R_page(w, 1, 0, 0) == pytest.approx(1 / 4)  # 2.2 / 2.2 = 1, h = 3
    assert R_page(w, 4, 0, 0) == pytest.approx((2.2 * 4 / 5.2) / (2.2 * 4 / 5.2 + 3))
    assert R_page(w, 1, 2, 5) == pytest.approx((1 + 0.5 * 4.4 / 3.2) / (1 + 0.5 * 4.4 / 3.2 + 3))


def test_nothing_found_and_no_weights_are_0() -> None:
    assert R_page(np.ones(3), 0, 0, 0) == R_anchor(np.ones(3), 0, 0, 0) == 0.0
    assert R_page(np.zeros(3), 1, 1, 1) == R_anchor(np.zeros(3), 1, 1, 1) == 0.0


def test_words_that_a_text_lacks_do_not_make_it_less_relevant() -> None:
    """A cosine falls with the square root of the number of words; that is why long vectors need this function."""
    short, long = np.ones(2), np.ones(200)
    f = [1, 1, *([0] * 198)]
    assert R_anchor(short, 1, 1) == R_anchor(long, *f)
    assert R_page(short, 1, 1) == R_page(long, *f)
    cosine = relevance("paper_001")
    assert cosine.page(page(*f), long, NONE, "GTK", 1000) == pytest.approx(0.1)


counts = st.lists(st.integers(0, 50), min_size=4, max_size=4)
weights = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=4, max_size=4).filter(any)


@given(counts, weights, st.integers(0, 3), st.floats(0.01, 100))
def test_in_0_1_growing_with_each_word_and_free_of_scale(f: list[int], u: list[float], more: int, scale: float) -> None:
    w = np.array(u)
    larger = [n + (at == more) for at, n in enumerate(f)]
    for R in (R_page, R_anchor):
        assert 0.0 <= R(w, *f) < 1.0
        assert R(w, *larger) >= R(w, *f) - 1e-12
        assert R(w * scale, *f) == pytest.approx(R(w, *f), abs=1e-9)


def test_it_does_not_change_while_a_crawl_goes_on() -> None:
    seen = Statistics({"GTK": WORDS})
    before = SATURATED.anchors(np.array([[1, 0, 2]]), WORDS.weights, seen, "GTK")
    seen.add({"GTK": page(3, 1, 0)})
    assert SATURATED.anchors(np.array([[1, 0, 2]]), WORDS.weights, seen, "GTK") == before

"""Relevance of paper 004: golden numbers G13, and words in several tags (trap T34)."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.model import SLOT, SLOTS, Counts
from crawler.scoring.relevance import relevance, tag_weights
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary, Word

WORDS = {
    "call for paper": 5, "information technology": 3, "IT": 3, "computer": 3, "software": 3, "network": 3,
    "database": 3, "artificial intelligence": 3, "multimedia": 3, "2009": 1,
}  # fmt: skip
TK = Vocabulary("TK", tuple(Word(form, w, (("en", form),)) for form, w in WORDS.items()))
CFP, COMPUTER, YEAR = 0, 3, 9


def page(**places: tuple[int, int]) -> Counts:
    """Slot -> (word, count); ``p/a`` is written p_a."""
    counts = np.zeros((len(SLOTS), len(WORDS)), dtype=np.int64)
    for slot, (word, count) in places.items():
        counts[SLOT[slot.replace("_a", "/a")], word] = count
    return counts


def S(counts: Counts, name: str = "paper_004") -> float:
    return relevance(name).page(counts, TK.weights, Statistics({"TK": TK}), "TK", 100)


def test_g13_singles() -> None:
    assert np.linalg.norm(TK.weights) == pytest.approx(9.899495)
    singles = [S(page(p=(word, 1))) for word in (CFP, COMPUTER, YEAR)]
    assert singles == pytest.approx([0.505076, 0.303046, 0.101015], abs=1e-6)


def test_g13_title_link_and_text() -> None:
    assert S(page(title=(CFP, 2), p_a=(COMPUTER, 1), p=(YEAR, 1))) == pytest.approx(0.577886, abs=1e-6)


def test_t28_one_word_of_any_kind_is_over_s0() -> None:
    assert min(S(page(p=(word, 1))) for word in range(len(WORDS))) > 0.05
    assert S(page()) == 0.0


def test_t34_a_word_in_several_tags() -> None:
    TF, W = np.array([[1, 0], [0, 0], [0, 0], [3, 2]]), np.array([5.0, 3.0, 2.0, 1.0])
    assert tag_weights(TF, W).tolist() == [5.0, 0.5]  # x = 4/4 and 2/4
    assert tag_weights(TF, W, "sum").tolist() == [6.0, 0.5]  # W = 5 + 1
    both = page(title=(CFP, 1), p=(CFP, 1), li=(COMPUTER, 2))
    assert S(both) == pytest.approx(S(page(title=(CFP, 2), li=(COMPUTER, 2))))
    assert S(both) == pytest.approx(28 / np.sqrt(98 * 26))  # beta = (5, 1)
    assert S(both, "paper_004_sum") == pytest.approx(33 / np.sqrt(98 * 37))  # beta = (6, 1)


def test_how_often_a_word_occurs_is_relative_to_the_most_frequent() -> None:
    assert S(page(p=(CFP, 1), li=(YEAR, 3))) == pytest.approx(S(page(p=(CFP, 10), li=(YEAR, 30))))


def test_anchors_are_all_in_one_tag() -> None:
    F = np.zeros((2, len(WORDS)), dtype=np.int64)
    F[0, CFP] = F[0, YEAR] = 1
    found = relevance("paper_004").anchors(F, TK.weights, Statistics({"TK": TK}), "TK")
    assert found.tolist() == pytest.approx([6 / np.sqrt(98 * 2), 0.0])

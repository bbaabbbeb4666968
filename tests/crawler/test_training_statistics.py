"""Eq. (1) of paper 003 counts the texts of the training set, for the short texts of a crawl with a classifier."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.pages.page_classifier import training_statistics
from crawler.scoring.bayes import Training, count
from crawler.scoring.relevance import OverTraining, relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary, Word

WEIGHTS = {"暴雨": 0.8, "气象": 0.1, "天气": 0.1, "灾害": 0.5, "预防": 0.3}
TK = Vocabulary("TK", tuple(Word(word, w, (("zh", word),)) for word, w in WEIGHTS.items()))
F = np.array([[1, 1, 0, 0, 0]])


def of_set(N: int, N_t: dict[str, int]) -> Training:
    words = tuple(sorted(N_t))
    counts = np.ones((2, len(words)), dtype=np.int64)
    return Training(("S", "other"), words, np.array([N - 1, 1]), counts, np.array([N_t[word] for word in words]))


@pytest.mark.parametrize(
    ("N", "of_rain", "of_weather", "expected"), [(5000, 900, 400, 0.532), (1000, 1000, 200, 0.105)]
)
def test_a_text_by_hand(N: int, of_rain: int, of_weather: int, expected: float) -> None:
    """f = (1, 1): cosine of the weights and (lg(N / N_1 + .01), lg(N / N_2 + .01)) / 2."""
    idf = np.log(np.array([N / of_rain, N / of_weather]) + 0.01)
    by_hand = (0.8 * idf[0] + 0.1 * idf[1]) / np.hypot(*idf)
    counted = training_statistics({"TK": TK}, of_set(N, {"暴雨": of_rain, "气象": of_weather}))
    crawled = Statistics({"TK": TK})
    guide = OverTraining(relevance("paper_003"), counted)
    found = guide.anchors(F, TK.weights, crawled, "TK")[0]
    assert found == pytest.approx(by_hand, abs=1e-9) == pytest.approx(expected, abs=6e-4)
    assert found != pytest.approx(relevance("paper_003").anchors(F, TK.weights, crawled, "TK")[0], abs=0.01)
    assert (guide.name, guide.title) == ("paper_003", relevance("paper_003").title)


def test_forms_of_a_word_and_words_of_a_form() -> None:
    training = count({"S": [["rainstorm", "暴雨"], ["storm", "warning"], ["暴雨"]], "other": [["warning", "goal"]]})
    words = (
        Word("暴雨", 1.0, (("zh", "暴雨"), ("en", "rainstorm"))),  # the more frequent form
        Word("storm warning", 1.0, (("en", "storm warning"),)),  # the rarer word
        Word("flood", 1.0, (("en", "flood"),)),
        Word("storm goal flood", 1.0, (("en", "storm flood"),)),
    )
    counted = training_statistics({"GTK": Vocabulary("GTK", words)}, training)
    assert counted.N == 4
    assert counted.containing("GTK").tolist() == [2, 1, 0, 0]

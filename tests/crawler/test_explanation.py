"""The nearest URLs, the parts of R, and a replay that gives the priorities of the journalled choices."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.explanation.explain import _edit_distance, _nearest
from crawler.explanation.page_scores import _contributions, relevance_parts
from crawler.model import SLOT, SLOTS, TextFigures
from crawler.scoring.relevance import RELEVANCE
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary, Word

KNOWN = [
    "http://www.a.cn/news/1.html",
    "http://www.a.cn/news/",
    "http://www.a.cn/list?page=2",
    "http://www.a.cn/index.html",
    "http://b.cn/",
]


@pytest.mark.parametrize(
    ("url", "near", "how"),
    [
        ("https://www.a.cn/news/1.html", KNOWN[0], "scheme"),
        ("http://a.cn/news/1.html", KNOWN[0], "www"),
        ("http://www.a.cn/news", KNOWN[1], "trailing slash"),
        ("http://www.a.cn/news/index.php", KNOWN[1], "index page"),
        ("http://www.a.cn/", KNOWN[3], "index page"),
        ("http://www.a.cn/News/1.html", KNOWN[0], "upper and lower case"),
        ("http://www.a.cn/list?page=3", KNOWN[2], "another query"),
        ("http://www.a.cn/list", KNOWN[2], "another query"),
        ("http://www.a.cn/news/2.html", KNOWN[0], "1 letter differs"),
        ("http://www.a.cn/new/1.htm", KNOWN[0], "2 letters differ"),
        ("http://www.a.com/news/1.html", KNOWN[0], "another host"),
        ("https://b.cn/", KNOWN[4], "scheme"),
    ],
)
def test_the_nearest_url_comes_first(url: str, near: str, how: str) -> None:
    first = _nearest(url, KNOWN)[0]
    assert (first.url, first.how) == (near, how)


def test_no_url_is_near_to_one_of_another_world() -> None:
    assert _nearest("https://quite-another.example.org/x", KNOWN) == []
    assert _nearest("http://www.a.cn/a/very/long/path/that/no/page/has/at/all.html?x=1", KNOWN) == []
    assert _nearest("http://a.cn/", []) == []


def test_at_most_as_many_as_asked_for() -> None:
    known = [f"http://a.cn/x?id={number}" for number in range(2_000)]
    assert len(_nearest("http://a.cn/x?id=no", known)) == 5
    assert len(_nearest("http://a.cn/y?id=77", known, limit=3)) == 3
    assert _nearest("http://a.cn/y?id=77", known, limit=1)[0].url == "http://a.cn/x?id=77"


@given(st.text("abc/", max_size=12), st.text("abc/", max_size=12))
def test_edit_distance_is_that_of_levenshtein(one: str, other: str) -> None:
    table = np.zeros((len(one) + 1, len(other) + 1), dtype=int)
    table[:, 0], table[0] = range(len(one) + 1), range(len(other) + 1)
    for i, a in enumerate(one, start=1):
        for j, b in enumerate(other, start=1):
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b))
    assert _edit_distance(one, other) == _edit_distance(other, one) == table[-1, -1]


# ---- the parts of R ---------------------------------------------------------------------------------------------

VOCABULARY = Vocabulary(
    "TK",
    tuple(
        Word(label, weight, (("zh", label),))
        for label, weight in (("暴雨", 0.8), ("灾害", 0.5), ("气象", 0.1), ("预防", 0.3))
    ),
)


def page(*placed: tuple[str, int, int]) -> np.ndarray:
    counts = np.zeros((len(SLOTS), len(VOCABULARY)), dtype=np.int64)
    for slot, word, count in placed:
        counts[SLOT[slot], word] = count
    return counts


@pytest.mark.parametrize("name", list(RELEVANCE))
def test_contributions_add_up_to_R_for_every_function(name: str) -> None:
    statistics = Statistics({"TK": VOCABULARY})
    for other in (page(("p", 0, 1)), page(("p", 2, 9)), page(("title", 3, 1)), page()):
        statistics.add({"TK": other})
    counts = page(("title", 0, 1), ("p", 0, 3), ("p", 1, 2), ("li/a", 2, 1))
    statistics.add({"TK": counts}, 350)
    text = TextFigures(350, 200, 80, counts.sum(axis=0))
    parts = relevance_parts(RELEVANCE[name], VOCABULARY, counts, statistics, 700, text)
    whole = RELEVANCE[name].page(counts, VOCABULARY.weights, statistics, "TK", 700, text)
    assert whole == parts.R and 0.0 <= whole <= 1.0
    assert sum(word.contribution for word in parts.words) == pytest.approx(whole, abs=1e-12)
    assert {word.word for word in parts.words} == {"暴雨", "灾害", "气象"}
    assert all(a.contribution >= b.contribution for a, b in pairwise(parts.words))
    first = next(word for word in parts.words if word.word == "暴雨")
    assert (first.weight, first.count, dict(first.slots)) == (0.8, 4, {"title": 1, "p": 3})


@pytest.mark.parametrize("name", list(RELEVANCE))
def test_a_page_without_topic_words_has_no_parts(name: str) -> None:
    statistics = Statistics({"TK": VOCABULARY})
    statistics.add({"TK": page()})
    text = TextFigures(9, 9, 9, page()[0])
    parts = relevance_parts(RELEVANCE[name], VOCABULARY, page(), statistics, 0, text)
    assert (parts.R, parts.words) == (0.0, ())


def test_contributions_of_a_cosine_by_hand() -> None:
    """paper_001: R = w c / (|w| |c|) with w = (.8, .5, .1, .3) and c = (2, 0, 1, 0)."""
    statistics = Statistics({"TK": VOCABULARY})
    parts = relevance_parts(RELEVANCE["paper_001"], VOCABULARY, page(("p", 0, 2), ("h1", 2, 1)), statistics, 9)
    norms = (0.64 + 0.25 + 0.01 + 0.09) ** 0.5 * 5**0.5
    assert [word.contribution for word in parts.words] == pytest.approx([1.6 / norms, 0.1 / norms])


def test_parts_without_a_positive_sum_contribute_nothing() -> None:
    assert _contributions(np.array([-1.0, 0.5]), 0.0).tolist() == [0.0, 0.0]

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from crawler.model import SLOT, SLOTS, TextFigures
from crawler.scoring.logistic_relevance import _PAGE_HALF
from crawler.scoring.relevance import RELEVANCE, OverTraining, RelevanceError, reads_text, relevance
from crawler.scoring.statistics import Statistics
from crawler.scoring.vsm import cosine
from crawler.text import Matcher, Vocabulary, Word

WORDS = {"暴雨": 0.8, "气象": 0.1, "天气": 0.1, "灾害": 0.5, "预防": 0.3}
TK = Vocabulary("TK", tuple(Word(form, w, (("zh", form),)) for form, w in WORDS.items()))
HAIYAN = np.array([1, 0.92, 0.57, 0.45, 0.32, 0.26, 0.24, 0.2, 0.2, 0.2, 0.19, 0.16])


def statistics(N: int = 100, N_i: tuple[int, ...] = (90, 50, 40, 60, 20)) -> Statistics:
    made = Statistics({"TK": TK})
    made.restore({"N": N, "containing": {"TK": np.array(N_i)}})
    return made


def body(*counts: int) -> np.ndarray:
    table = np.zeros((len(SLOTS), len(counts)), dtype=np.int64)
    table[SLOT["p"]] = counts
    return table


def test_g6_through_matcher_and_relevance() -> None:
    segments = [("title", "暴雨灾害"), ("p", "暴雨 暴雨,暴雨和暴雨;灾害 灾害 天气 预防"), ("other", "气象气象气象")]
    counts = Matcher([TK]).count_segments(segments)["TK"]
    assert relevance("paper_000").page(counts, TK.weights, statistics(), "TK", 40) == pytest.approx(0.909964, abs=1e-6)


def test_g7_through_matcher_and_relevance() -> None:
    F = Matcher([TK]).count_many(["暴雨天气灾害", "全部栏目"])["TK"]
    assert relevance("paper_000").anchors(F, TK.weights, statistics(), "TK") == pytest.approx([0.416232, 0], abs=1e-6)


def test_g12_page_and_anchors_of_paper_001() -> None:
    page = body(5, 3, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0)
    F = page[[SLOT["p"], SLOT["p"]]] * 0
    F[0, 0] = F[1, 0] = F[1, 1] = 1
    judge = relevance("paper_001")
    assert judge.page(page, HAIYAN, statistics(), "TK", 0) == pytest.approx(0.873463, abs=1e-6)
    assert judge.anchors(F, HAIYAN, statistics(), "TK") == pytest.approx([0.599426, 0.813808], abs=1e-6)


def test_paper_002_is_clamped() -> None:
    first = statistics(1, (1, 0, 1, 1, 1))
    page = body(4, 0, 1, 2, 1)
    assert relevance("paper_002").page(page, TK.weights, first, "TK", 0) == pytest.approx(0.980723, abs=1e-6)
    assert relevance("paper_002_printed").page(page, TK.weights, first, "TK", 0) == 0.0


def test_density_knows_how_long_a_page_is() -> None:
    density = relevance("density")
    assert density.page(body(10, 0, 0, 4, 0), TK.weights, statistics(), "TK", 1000) == pytest.approx(0.5)
    assert density.page(body(10, 0, 0, 4, 0), TK.weights, statistics(), "TK", 9000) == pytest.approx(0.1)
    assert density.page(body(90, 0, 0, 0, 0), TK.weights, statistics(), "TK", 100) == 1.0
    F = np.array([[3, 0, 0, 0, 0], [1, 0, 0, 1, 1], [0, 0, 0, 0, 0]])
    assert density.anchors(F, TK.weights, statistics(), "TK") == pytest.approx([0.8, 1.0, 0.0])


@pytest.mark.slow
@pytest.mark.parametrize("name", RELEVANCE)
@given(arrays(np.int64, (len(SLOTS), 5), elements=st.integers(0, 9)), st.integers(0, 50), st.integers(0, 10_000))
def test_every_function_stays_in_the_unit_interval(name: str, counts: np.ndarray, N: int, length: int) -> None:
    judge, known = RELEVANCE[name], statistics(N, tuple(min(N, k) for k in (90, 50, 0, 60, 20)))
    text = TextFigures(length // 2, length // 3, min(80, length // 2), np.minimum(counts.sum(axis=0), 3))
    assert 0.0 <= judge.page(counts, TK.weights, known, "TK", length, text) <= 1.0
    R = judge.anchors(counts, TK.weights, known, "TK")
    assert R.shape == (len(SLOTS),)
    assert np.all((R >= 0) & (R <= 1))
    assert np.all(R[counts.sum(axis=1) == 0] == 0)
    assert judge.page(counts * 0, TK.weights, known, "TK", length, text) == 0.0
    assert judge.name == name


def several_tags() -> np.ndarray:
    counts = np.random.default_rng(8).integers(0, 4, (len(SLOTS), 5))
    counts[:, 1] = 0
    return counts


@pytest.mark.parametrize("name", RELEVANCE)
def test_the_parts_of_the_words_make_the_relevance_of_a_page(name: str) -> None:
    counts, judge, w = several_tags(), RELEVANCE[name], TK.weights
    parts = judge.parts(counts, w, statistics(), "TK")
    assert parts.shape == (5,)
    assert parts[1] == 0 < parts[[0, 2, 3, 4]].min()
    if name == "evidence":  # of its probability the sum of the words is one feature
        assert parts == pytest.approx(relevance("saturated").parts(counts, w, statistics(), "TK"))
        return
    if name == "density":
        expected = parts.sum() / (10 * (9_000 / 1000 + 1))
    elif name == "saturated":
        expected = parts.sum() / (parts.sum() + _PAGE_HALF * w.max())
    else:  # a cosine of w and d has the summands w_i d_i
        expected = float(cosine(w, parts / w))
    text = None
    if name == "word_density":
        text, expected = TextFigures(830, 400, 0, counts[0]), parts.sum() / (0.06 * (830 + 170))
    assert judge.page(counts, w, statistics(), "TK", 9_000, text) == pytest.approx(min(1.0, expected))


def test_a_function_over_a_training_set_does_not_read_the_statistics_of_the_crawl() -> None:
    counted, crawled, counts, w = statistics(), statistics(10, (1, 2, 3, 4, 5)), several_tags(), TK.weights
    plain = relevance("paper_002")
    guide = OverTraining(plain, counted)
    assert (guide.name, guide.title) == (plain.name, plain.title)
    assert guide.page(counts, w, crawled, "TK", 40) == plain.page(counts, w, counted, "TK", 40)
    assert guide.page(counts, w, crawled, "TK", 40) != plain.page(counts, w, crawled, "TK", 40)
    assert np.array_equal(guide.parts(counts, w, crawled, "TK"), plain.parts(counts, w, counted, "TK"))
    assert np.array_equal(guide.anchors(counts, w, crawled, "TK"), plain.anchors(counts, w, counted, "TK"))


def test_two_functions_read_further_figures_of_the_text() -> None:
    assert [name for name, function in RELEVANCE.items() if reads_text(function)] == ["word_density", "evidence"]
    with pytest.raises(ValueError, match="word_density needs the figures"):
        relevance("word_density").page(several_tags(), TK.weights, statistics(), "TK", 9_000)


def test_a_chinese_page_and_its_english_length_have_about_the_same_word_density() -> None:
    """A page of 1,000 Chinese characters has 500 words, as an English one of 3,000 characters has."""
    counts = np.zeros((len(SLOTS), 5), dtype=np.int64)
    counts[0, 0] = 20
    text = TextFigures(500, 300, 0, counts[0])
    function = relevance("word_density")
    zh, en = (function.page(counts, TK.weights, statistics(), "TK", length, text) for length in (1_000, 3_000))
    assert zh == en == pytest.approx(20 * TK.weights[0] / (0.06 * 670))


def test_an_unknown_name_is_told_its_nearest() -> None:
    with pytest.raises(RelevanceError, match="did you mean paper_002"):
        relevance("papper_002")

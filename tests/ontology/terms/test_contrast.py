"""Terms that set documents apart, in small corpora whose counts are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ontology.model import Document
from ontology.terms import ContrastTerm, contrast_terms
from ontology.terms.ngrams import ngrams
from ontology.terms.token_stream import token_stream

ENDS = ("shines", "falls", "rises", "grows", "turns", "breaks")
FLOOD = [f"The Flood came and a sponge {'cities' if n % 2 else 'city'} {end} {end}." for n, end in enumerate(ENDS)]
OTHER = [f"Green apple pie {end} today, and green apple pie {end[:-1]} again." for end in ENDS]


def texts(*abstracts: str) -> list[Document]:
    return [Document(str(n), "", text, ()) for n, text in enumerate(abstracts)]


def found(wanted: list[str], others: list[str], **more: object) -> dict[str, ContrastTerm]:
    mask = np.array([True] * len(wanted) + [False] * len(others))
    return {t.text: t for t in contrast_terms(texts(*wanted, *others), mask, **more)}  # type: ignore[arg-type]


def test_a_term_of_wanted_documents_is_found_in_the_singular_and_one_of_the_others_is_not() -> None:
    terms = found(FLOOD, OTHER)
    assert terms["sponge city"].documents == 6
    assert not any("pie" in text for text in terms)
    assert "apple pie" in found(OTHER, FLOOD) or "green apple pie" in found(OTHER, FLOOD)


def test_a_term_as_common_elsewhere_is_not_found() -> None:
    assert "sponge city" not in found(FLOOD, FLOOD)
    assert found(FLOOD, OTHER + FLOOD[:3])["sponge city"].score < found(FLOOD, OTHER)["sponge city"].score
    assert "sponge city" in found(FLOOD, [])


def test_what_is_left_out() -> None:
    assert "sponge city" not in found(FLOOD, OTHER, min_documents=7)
    assert "sponge city" not in found(FLOOD, OTHER, stop=("sponge",))
    assert "sponge city" not in found(FLOOD, OTHER, is_known=lambda text: text == "sponge city")
    assert contrast_terms(texts(*FLOOD), np.zeros(6, bool)) == []
    assert contrast_terms([], np.zeros(0, bool)) == []


def test_names_are_no_terms() -> None:
    assert "sponge city" not in found([text.replace("sponge", "Sponge") for text in FLOOD], OTHER)


def test_a_part_of_a_longer_term_is_a_fragment() -> None:
    wanted = [text.replace("sponge", "green sponge") for text in FLOOD]
    terms = found(wanted, OTHER)
    assert "green sponge city" in terms
    assert "sponge city" not in terms


@pytest.mark.parametrize("text", ["需注意防范", "效应", "江澜市", "抢险队伍清理了", "海绵城市"])
def test_chinese_words_that_are_no_terms_and_one_that_is(text: str) -> None:
    around = ("甲方说{}很好。", "乙方看{}的图。", "丙方问{}吗？", "{}，丁方答。", "戊方写{}了。")
    terms = found([form.format(text) for form in around], ["苹果很甜。", "电影好看。"])
    assert (text in terms) == (text == "海绵城市")


def test_a_formula_counts_less_than_a_word_in_free_use() -> None:
    free = [f"{name}的沙袋墙，{verb}。" for name, verb in zip("甲乙丙丁戊己", "高低长短大小", strict=True)]
    formula = [f"共有{n}处；（沙袋墙）；共有{n + 1}处" for n in range(6)]
    assert found(free, [])["沙袋墙"].score > found(formula, [])["沙袋墙"].score


def test_free_entropy_takes_each_closed_neighbour_for_a_new_one() -> None:
    stream = token_stream(texts("rain gauge station", "rain gauge network", "new rain gauge, far", "old rain gauge"))
    grams = ngrams(stream)
    (number,) = (n for n in range(grams.size) if grams.text(n) == "rain gauge")
    assert grams.frequency[number] == 4
    assert grams.left_entropy[number] == pytest.approx(math.log(4) - 2 * math.log(2) / 4)
    assert grams.free_entropy[number] == pytest.approx(math.log(4))

"""Folding, English singulars and plurals, and that learning, proposals and the crawl agree on them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.text import Matcher, Vocabulary, Word
from ontology.enrichment.labels import Labels
from ontology.model import Concept, Document
from ontology.terms import term_counts
from ontology.terms.lexicon import EMPTY, word_list
from ontology.terms.segment import dictionary
from ontology.terms.term_figures import preferred
from ontology.terms.wordforms import fold, has_han, inflections, normal, plurals, simplified, singular

LIST = (Path(__file__).parent / "english_nouns.tsv").read_text(encoding="utf-8").splitlines()[1:]
NOUNS = [tuple(line.split("\t")) for line in LIST]


def test_singular_of_a_list_of_real_nouns() -> None:
    assert len(NOUNS) > 500
    assert [(word, singular(word), single) for word, single in NOUNS if singular(word) != single] == []


def test_a_singular_is_its_own() -> None:
    assert [single for _, single in NOUNS if singular(single) != single] == []


def test_learning_proposals_and_the_crawl_agree_on_the_list() -> None:
    for word, single in NOUNS:
        assert preferred(word, EMPTY) == single
        document = Document("d", "", f"the {word} of it", ())
        assert term_counts([document], [single])[0] == {single: 1}, word
        labels = Labels([Concept("iri", "", single)])
        assert labels.ending(f"The {word.upper()}") == "iri", word
        assert labels.is_trivial(word), word
        matcher = Matcher([Vocabulary("TK", (Word(single, 1.0, (("en", single),)),))])
        assert matcher.count(f"the {word} of it")["TK"].tolist() == [1], word


def test_words_that_are_no_plural_of_a_term_are_not_counted_for_it() -> None:
    for term, text in (("new", "news"), ("specie", "species"), ("physic", "physics"), ("len", "lens")):
        assert term_counts([Document("d", "", text, ())], [term])[0] == {}
        assert Labels([Concept("iri", "", term)]).ending(text) is None
        assert Matcher([Vocabulary("TK", (Word(term, 1.0, (("en", term),)),))]).count(text)["TK"][0] == 0


@pytest.mark.parametrize(
    ("term", "single"),
    [
        ("crop losses", "crop loss"), ("land use classes", "land use class"), ("species", "species"),
        ("flash-floods", "flash-flood"), ("GPS", "GPS"), ("MPAs", "MPA"), ("暴雨", "暴雨"), ("北斗gps", "北斗gps"),
        ("co2s", "co2s"), ("", ""), ("coronaviruses", "coronavirus"), ("aerodynamics", "aerodynamics"),
        ("beaches", "beach"), ("volcanoes", "volcano"), ("floods ", "floods "),
    ],
)  # fmt: skip
def test_singular_of_terms(term: str, single: str) -> None:
    assert singular(term) == single


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("city", ("cities",)), ("day", ("days",)), ("heavy rain", ("heavy rains",)), ("box", ("boxes",)),
        ("flood index", ("flood indexes", "flood indices")), ("hero", ("heros", "heroes")), ("species", ()),
        ("gas", ("gases",)), ("specimen", ("specimens",)), ("暴雨", ()), ("co2", ()), ("fisherman", None),
    ],
)  # fmt: skip
def test_plurals_of_terms(term: str, expected: tuple[str, ...] | None) -> None:
    assert plurals(term) == (("fishermans", "fishermen") if expected is None else expected)


def test_every_plural_of_the_table_is_one_of_its_singular() -> None:
    for entry in word_list("plurals_en"):
        plural, _, single = entry.partition("=")
        assert plural in inflections(single or plural)


ODD = st.sampled_from(
    "é e\u0301\u0338かか\u3099ﾊﾞ\u1100\u1161\u11a8각ßİſ…·￣´①℃㎡〇乾著沈覆瞭乾坤豈"
    "\u00ad\u200b\ufeff\u2028\x00\x1c\x85\xa0 -_\u2010\U00020000"
)


@given(st.text() | st.lists(ODD, max_size=30).map("".join), st.sampled_from([1, 40]))
def test_normal_is_fold_and_single_blanks(text: str, times: int) -> None:
    text = text * times + "暴雨，rain" * (times // 2)  # long texts are folded by a table
    plain = simplified(unicodedata.normalize("NFKC", text)).casefold()
    assert fold(text) == plain
    for hyphen in "-\u2010\u2011\u2012\u2013_":
        plain = plain.replace(hyphen, " ")
    assert normal(text) == " ".join(plain.replace("\u00ad", "").replace("\u200b", "").replace("\ufeff", "").split())


@given(st.text("sexychumainroz ", max_size=12))
def test_the_singular_of_a_singular_is_found_by_its_inflections(term: str) -> None:
    assert singular(term) in inflections(term)
    assert set(plurals(singular(term))) < set(inflections(term)) or not plurals(singular(term))


def test_has_han() -> None:
    assert has_han("a暴")
    assert not has_han("rain、")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("颱風災害", "台风灾害"), ("臺灣的溼地", "台湾的湿地"), ("裏面的羣衆", "里面的群众"), ("爲什麼", "为什么"),
        ("鬱金香與頭髮", "郁金香与头发"), ("皇后之後", "皇后之后"), ("乾燥", "干燥"), ("乾隆年間", "乾隆年间"),
        ("乾縣", "乾县"), ("乾县", "乾县"), ("瞭解沈澱", "了解沉淀"), ("瞭望", "瞭望"), ("計畫與圖畫", "计划与图画"),
        ("答覆覆蓋", "答复覆盖"), ("著名專著的著者", "著名专著的著者"), ("隨著著火", "随着着火"), ("打坏", "打坏"),
        ("山河逕流", "山河径流"), ("ＷＲＦ模式，頁碼①", "wrf模式,页码1"), ("\uf9d8師\u2f00", "律师一"),
        ("針灸🩺與𠮷", "针灸🩺与𠮷"), ("沈阳的覆盖与想像", "沈阳的覆盖与想像"),
    ],
)  # fmt: skip
def test_traditional_characters_become_simplified_ones(written: str, plain: str) -> None:
    assert fold(written) == plain == fold(plain)
    padded = simplified(written + "。" * 400)
    assert padded == simplified(written) + "。" * 400
    assert len(simplified(written)) == len(written)


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=300))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = simplified(text)
    assert len(once) == len(text)
    assert simplified(once) == once


@pytest.mark.slow
def test_words_of_the_dictionary_are_left_alone() -> None:
    frequent = (word for word, entry in dictionary().items() if entry.frequency >= 50 and len(word) > 1)
    assert {word: simplified(word) for word in frequent if simplified(word) != word} == {
        "执著": "执着", "哪吒": "哪咤", "拚命": "拼命", "沈思": "沉思", "公冶乾": "公冶干", "承乾宫": "承干宫",
        "言伯乾": "言伯干", "郭振乾": "郭振干",
    }  # fmt: skip
    assert all(simplified(word) == word for word in ("显著", "乾坤", "乾隆", "沉着", "什么", "专著", "覆盖", "瞭望台"))

"""Chinese terms that sentences show to be names, places, offices or verb phrases."""

from __future__ import annotations

import pytest

from ontology.enrichment.filters import _NAME_IN_QUOTES, _Phrase, _why_no_chinese_term, _why_organisation, _why_place
from ontology.enrichment.ranking import Place


def phrase(sentence: str, term: str) -> _Phrase:
    start = sentence.index(term)
    return _Phrase.at(sentence, Place(0, start, start + len(term), in_context=False))


@pytest.mark.parametrize("sentence", ["台风“摩羯”于昨日登陆。", "受台风「摩羯」影响，停课一天。", '台风"摩羯"减弱。'])
def test_what_stands_in_quotation_marks_is_a_name(sentence: str) -> None:
    assert _why_no_chinese_term("摩羯", phrase(sentence, "摩羯"), ()) == _NAME_IN_QUOTES


@pytest.mark.parametrize(
    "sentence", ["他说：“风暴潮将影响沿海。”", "专家解释“什么是风暴潮”的问题。", "风暴潮影响沿海。"]
)
def test_a_term_within_a_quoted_sentence_is_no_name(sentence: str) -> None:
    assert _why_no_chinese_term("风暴潮", phrase(sentence, "风暴潮"), ()) == ""


def test_a_term_that_is_listed_with_places_is_a_place() -> None:
    sentences = ["番禺、海珠、天河发布暴雨预警。", "荔湾、海珠、番禺积水。", "昨日海珠出现强降雨。"]
    assert _why_place([phrase(s, "海珠") for s in sentences], ()) == "place: listed with 番禺"


def test_a_term_that_one_list_of_many_has_beside_a_place_is_no_place() -> None:
    sentences = [
        "番禺、风暴潮、大浪预警。",
        "暴雨、风暴潮、大浪。",
        "洪水、风暴潮、暴雨。",
        "大浪、风暴潮。",
        "暴雨、风暴潮。",
    ]
    assert _why_place([phrase(s, "风暴潮") for s in sentences], ()) == ""
    assert _why_place([phrase("番禺、海珠发布预警。", "海珠")], ()) == "", "one sentence does not show it"


def test_labels_of_the_ontology_are_no_places() -> None:
    sentences = ["滨海、风暴潮、大浪。", "滨海、风暴潮。", "天河、风暴潮。"]
    assert _why_place([phrase(s, "风暴潮") for s in sentences], {"天河", "滨海"}) == ""


def test_a_district_that_the_dictionary_lists_only() -> None:
    assert _why_no_chinese_term("禅城区", phrase("禅城区应急管理局提醒市民。", "禅城区"), ()) == "place: 禅城区"
    assert _why_no_chinese_term("风景区", phrase("风景区今日关闭。", "风景区"), ()) == ""


@pytest.mark.parametrize(("term", "ending"), [("水利部", "部"), ("财政部", "部"), ("省防汛指挥部", "指挥部")])
def test_offices(term: str, ending: str) -> None:
    assert _why_organisation(term) == f"organisation: ends with {ending}"


@pytest.mark.parametrize("term", ["西北部", "头部", "根茎部", "局部"])
def test_parts_are_no_offices(term: str) -> None:
    assert _why_organisation(term) == ""


def test_a_fixed_phrase_of_adverb_and_verb_is_a_clause() -> None:
    assert (
        _why_no_chinese_term("切实做好", phrase("要切实做好防汛工作。", "切实做好"), ()) == "part of a clause: 切实做好"
    )

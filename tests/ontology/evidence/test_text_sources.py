"""Claims of names, sentences and curated classes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ontology.evidence import TermCorpus, collect
from ontology.evidence.claims import merged
from ontology.evidence.patterns import find
from ontology.evidence.spelling import contains, ends_with
from ontology.model import Document
from ontology.terms.lexicon import EMPTY, bundled
from tests.ontology.upper_classes import TOP, corpus


def said(texts: Sequence[str], terms: Sequence[str]) -> set[tuple[str, str]]:
    return {(c.narrower, c.broader) for c in find(corpus(texts), terms, EMPTY) if c.rule == "pattern"}


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("受暴雨、台风等气象灾害的影响", {("暴雨", "气象灾害"), ("台风", "气象灾害")}),
        ("研究了暴雨和台风等多种气象灾害", {("暴雨", "气象灾害"), ("台风", "气象灾害")}),
        ("包括暴雨、台风在内的气象灾害频发", {("暴雨", "气象灾害"), ("台风", "气象灾害")}),
        ("暴雨是一种常见的气象灾害。", {("暴雨", "气象灾害")}),
        ("台风是我国最严重的气象灾害之一", {("台风", "气象灾害")}),
        ("气象灾害主要包括暴雨、台风", {("暴雨", "气象灾害"), ("台风", "气象灾害")}),
        ("气象灾害（如暴雨、台风）增多", {("暴雨", "气象灾害"), ("台风", "气象灾害")}),
        ("暴雨、台风和其他气象灾害", {("暴雨", "气象灾害"), ("台风", "气象灾害")}),
        ("暴雨、台风等气象灾害风险", set()),  # the phrase ends with another word
        ("城市暴雨等气象灾害", set()),  # of cities only
        ("暴雨等方法分析气象灾害", set()),  # a verb and its object
        ("暴雨是气象灾害的原因", set()),
        ("气象灾害，暴雨", set()),
    ],
)
def test_chinese_patterns(text: str, pairs: set[tuple[str, str]]) -> None:
    assert said([text], ["暴雨", "台风", "气象灾害"]) == pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Hydrological models such as neural networks are used.", set()),
        ("Geological disasters such as landslides and debris flows are frequent.", {"滑坡", "泥石流"}),
        ("Such geological disasters as landslides are rare.", {"滑坡"}),
        ("Landslides, debris flows and other geological disasters follow.", {"滑坡", "泥石流"}),
        ("Geological disasters including landslides", {"滑坡"}),
        ("A landslide is a type of geological disaster.", {"滑坡"}),
        ("Geological disasters such as landslide monitoring", set()),
        ("Landslides follow geological disasters.", set()),
    ],
)
def test_english_patterns(text: str, pairs: set[str]) -> None:
    terms = ["滑坡", "泥石流", "地质灾害"]
    found = find([Document("d", "", "", abstract_en=text)], terms, bundled("earth"))
    assert {(c.narrower, c.broader) for c in found} == {(t, "地质灾害") for t in pairs}


def test_a_claim_names_its_documents_and_its_sentence() -> None:
    texts = ["暴雨等气象灾害增多。其他", "近年暴雨、台风等气象灾害频发", "暴雨等自然灾害"]
    found = {(c.narrower, c.broader): c for c in find(corpus(texts), ["暴雨", "台风", "气象灾害", "自然灾害"], EMPTY)}
    claim = found["暴雨", "气象灾害"]
    assert (claim.documents, claim.support, claim.sentence) == (("d0", "d1"), 2, "暴雨等气象灾害增多")
    assert claim.confidence == pytest.approx(2 / 3)
    assert found["台风", "气象灾害"].confidence == 1.0
    assert merged([claim, claim])[0].support == 2


def test_names_alone_make_claims() -> None:
    terms = ["SWAT模型", "暴雨", "山洪灾害", "气候模式", "发展模式"]
    claims = {(c.narrower, c.broader, c.rule) for c in collect(TermCorpus((), terms, upper_classes=TOP))}
    assert {
        ("暴雨", "降水", "top class"),
        ("降水", "现象", "top class"),
        ("山洪灾害", "灾害", "head noun"),
        ("SWAT模型", "模型", "head noun"),
        ("SWAT模型", "模型", "top class"),
        ("气候模式", "模型", "ending"),
    } <= claims
    assert not any(narrower == "发展模式" for narrower, _, _ in claims)


def test_words_inside_words() -> None:
    assert contains("心理台风眼效应", "台风")
    assert not ends_with("心理台风眼效应", "台风")
    assert ends_with("城市内涝", "内涝")
    assert ends_with("typhoon disaster", "Disaster")
    assert not contains("train", "rain")
    assert contains("rain gauge", "rain")
    assert contains("terrain, rain gauge", "rain")
    assert ends_with("WRF模式", "模式")
    assert contains("WRF模式", "WRF")
    assert not contains("内涝", "内涝")

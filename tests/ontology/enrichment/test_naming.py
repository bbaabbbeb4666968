"""Other names of classes: planted sentences that give them, and brackets that do not."""

from __future__ import annotations

import pytest

from tests.ontology.enrichment.small_web import BASE, OFF_TOPIC_EN, found, web

ZH = ("都市涝渍造成{n}处积水，暴雨未停。", "雨后的都市涝渍令{n}路公交停运。", "治理都市涝渍需要{n}年。")
EN = (
    "The street puddle stopped {n} buses after the rainstorm.",
    "Repairs of street puddle take {n} years.",
    "After the hail, street puddle closed {n} shops.",
)


@pytest.mark.parametrize(
    "sentence",
    [
        "城市内涝（又称都市涝渍）在{n}个小区出现。",
        "都市涝渍（即城市内涝）在{n}个小区出现。",
        "城市内涝，也叫都市涝渍，在{n}个小区出现。",
        "城市内涝（都市涝渍）在{n}个小区出现。",
    ],
)
def test_chinese_sentences_that_give_another_name(sentence: str) -> None:
    one = found(web([sentence, *ZH]))["都市涝渍"]
    assert (one.kind, one.relation, one.rule) == ("label", "synonym", "alias")
    assert one.target == BASE + "Waterlogging"
    assert "城市内涝" in one.sentences[0].text


@pytest.mark.parametrize(
    "sentence",
    [
        "Urban waterlogging, also known as street puddle, reached {n} districts.",
        "Urban waterlogging (also called street puddle) reached {n} districts.",
        "Street puddle (i.e. urban waterlogging) reached {n} districts.",
    ],
)
def test_english_sentences_that_give_another_name(sentence: str) -> None:
    one = found(web([sentence, *EN], off_topic=OFF_TOPIC_EN))["street puddle"]
    assert (one.kind, one.target) == ("label", BASE + "Waterlogging")


@pytest.mark.parametrize(
    "sentence",
    [
        "暴雨和城市内涝（{n}处）之后是都市涝渍。",
        "城市内涝（单位：处）共{n}，都市涝渍另计。",
        "治理城市内涝（都市涝渍除外）需要{n}年。",
        "老旧城市内涝的治理（都市涝渍点）共{n}项。",
    ],
)
def test_brackets_that_give_no_name(sentence: str) -> None:
    one = found(web([sentence, *ZH])).get("都市涝渍")
    assert one is None or one.kind == "concept"


def test_an_abbreviation_of_a_label_is_a_label() -> None:
    texts = (
        "Urban waterlogging (UWL) reached {n} districts.",
        "Models of urban waterlogging (UWL) need {n} gauges.",
        "The cost of UWL rose by {n} percent after the flood.",
    )
    one = found(web(texts, off_topic=OFF_TOPIC_EN))["UWL"]
    assert (one.kind, one.rule, one.target) == ("label", "alias", BASE + "Waterlogging")
    assert one.reason.startswith("short for urban waterlogging")
    assert all(s.text[s.start : s.end] == "UWL" for s in one.sentences)

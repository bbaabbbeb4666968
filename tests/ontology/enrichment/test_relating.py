"""Relations that planted sentences state, in both languages and directions."""

from __future__ import annotations

import pytest

from ontology.model import RelationKind
from tests.ontology.enrichment.small_web import BASE, OFF_TOPIC_EN, found, ontology, web


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("暴雨引发滑坡，{n}户转移。", "暴雨 causes 滑坡"),
        ("这次滑坡由暴雨引起，{n}户转移。", "暴雨 causes 滑坡"),
        ("暴雨造成城市内涝，{n}条路积水。", "暴雨 causes 城市内涝"),
    ],
)
def test_chinese_causes(text: str, expected: str) -> None:
    one = found(web([text]))[expected]
    assert (one.kind, one.rule, one.pages) == ("relation", "cue", 2)
    assert one.source is not None
    sentence = one.sentences[0]
    shown = sentence.text[sentence.start : sentence.end]
    assert shown.startswith(("暴雨", "滑坡"))
    assert shown.endswith(("滑坡", "城市内涝", "暴雨"))
    assert sentence.fetched == "2024-08-01T00:00:00Z"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The rainstorm caused a landslide near {n} farms.", "暴雨 causes 滑坡"),
        ("The landslide was caused by the rainstorm, said {n} people.", "暴雨 causes 滑坡"),
        ("A landslide can lead to floods in {n} valleys.", "滑坡 causes 洪水"),
    ],
)
def test_english_causes(text: str, expected: str) -> None:
    assert found(web([text], off_topic=OFF_TOPIC_EN))[expected].relation == "causes"


@pytest.mark.parametrize(
    "text",
    [
        "暴雨没有造成城市内涝，{n}条路畅通。",
        "暴雨未造成城市内涝，{n}条路畅通。",
        "暴雨并未引发滑坡，{n}户平安。",
        "暴雨是否导致滑坡，{n}位专家还在研究。",
        "暴雨和滑坡同日发生{n}次。",
    ],
)
def test_chinese_negations_questions_and_lists_state_nothing(text: str) -> None:
    assert not [name for name in found(web([text])) if " " in name]


@pytest.mark.parametrize(
    "text",
    [
        "The rainstorm did not cause a landslide near {n} farms.",
        "The rainstorm never led to floods in {n} years.",
        "Nobody knows whether the rainstorm caused the landslide of day {n}.",
        "The rainstorm and the landslide came within {n} hours.",
    ],
)
def test_english_negations_questions_and_lists_state_nothing(text: str) -> None:
    assert not [p for p in found(web([text], off_topic=OFF_TOPIC_EN)).values() if p.kind == "relation"]


@pytest.mark.parametrize(
    ("source", "kind", "target"),
    [("Rainstorm", "causes", "Landslide"), ("Rainstorm", "causes", "Geohazard"), ("Weather", "causes", "Geohazard")],
)
def test_what_the_ontology_has_of_the_classes_or_their_superclasses_is_not_proposed(
    source: str, kind: RelationKind, target: str
) -> None:
    known = ontology((source, kind, target))
    assert not [name for name in found(web(["暴雨引发滑坡，{n}户转移。"]), known) if " " in name]
    assert found(web(["滑坡引发洪水，{n}户转移。"]), known)["滑坡 causes 洪水"].target == BASE + "Flood"


def test_a_class_causes_no_kind_of_itself() -> None:
    assert not [name for name in found(web(["滑坡引发地质灾害，{n}户转移。"])) if " " in name]


def test_a_sentence_of_many_pages_is_shown_once_and_more_pages_score_higher() -> None:
    few, many = (found(web(["暴雨引发滑坡，{n}户转移。"], copies=n))["暴雨 causes 滑坡"] for n in (2, 8))
    assert (few.pages, many.pages) == (2, 8)
    assert many.score > few.score
    assert len({s.text for s in many.sentences}) == len(many.sentences) == 5

"""Defining sentences: what is a candidate, what is none, and the order in which a reviewer gets them."""

from __future__ import annotations

import pytest

from ontology.evidence.definitions import MOST, find_definitions, ranked
from ontology.model import Concept, DefinitionCandidate, Document, Ontology, Relation

CLASSES = {
    "disaster": ("自然灾害", "natural disaster"), "drought": ("干旱", "drought"),
    "flood": ("城市内涝", "urban waterlogging"), "risk": ("城市内涝风险", "urban waterlogging risk"),
    "radar": ("双偏振雷达", "dual-polarization radar"),
    "instrument": ("雷达", "radar"), "typhoon": ("台风", "typhoon"),
}  # fmt: skip
EDGES = (("drought", "disaster"), ("flood", "disaster"), ("radar", "instrument"), ("typhoon", "disaster"))


def ontology() -> Ontology:
    concepts = (Concept("root", "根"), *(Concept(iri, zh, en) for iri, (zh, en) in CLASSES.items()))
    relations = tuple(Relation(a, "subclass_of", b) for a, b in EDGES)
    return Ontology("http://x/o", "global", "t", "1", "root", concepts, relations)


def of(sentence: str, *, english: bool = False) -> list[tuple[str, str]]:
    """(class, pattern) of the candidates in one sentence."""
    texts = {"title_en": "A title", "abstract_en": sentence} if english else {"abstract": sentence}
    document = Document("d1", "题名", **texts)
    found = find_definitions([document], ontology())
    return [(iri, c.pattern) for iri, candidates in found.items() for c in candidates]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("城市内涝是指强降水超过城市排水能力致使城市内产生积水的现象。", [("flood", "defined as")]),
        ("所谓“干旱”，是指长期无雨或少雨使土壤水分不足的现象。", [("drought", "defined as")]),
        ("双偏振雷达（DPR）是一种能发射水平和垂直偏振波的雷达，应用很广。", [("radar", "is a")]),
        ("干旱是中国主要的自然灾害之一。", [("drought", "names its kind")]),
        ("城市内涝风险是指内涝发生的可能性及其造成损失的大小。", [("risk", "defined as")]),
        ("台风是影响本区降水分布的重要因素。", []),
        ("本文认为城市内涝是指城市内产生积水的一种现象。", []),
        ("干旱指数是指示土壤水分亏缺程度的一个数值。", []),
        ("双偏振雷达是指示降水粒子相态的仪器设备之一。", []),
        ("干旱是指缺水。", []),
        ("雷达和台风是指两个完全不同的事物与现象。", []),
    ],
)
def test_chinese_sentences(sentence: str, expected: list[tuple[str, str]]) -> None:
    assert of(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Drought is defined as a prolonged shortage of water in a region.", [("drought", "defined as")]),
        ("Urban waterlogging refers to water that stays in streets after rain.", [("flood", "defined as")]),
        ("A typhoon is a tropical cyclone that develops in the northwest Pacific.", [("typhoon", "is a")]),
        ("In this paper, drought is defined as a prolonged shortage of water.", []),
        ("Drought is an important factor of crop failure in the north of China.", []),
    ],
)
def test_english_sentences(sentence: str, expected: list[tuple[str, str]]) -> None:
    assert of(sentence, english=True) == expected


def test_the_order_of_candidates() -> None:
    sentences = {
        "d1": "干旱是中国主要的自然灾害之一。",
        "d2": "干旱是一种由长期少雨引起的自然灾害，影响广泛。",
        "d3": "干旱是一种由长期少雨引起的极端气候。",
        "d4": "干旱是指长期无雨或少雨使土壤水分不足的现象。",
        "d5": "干旱是指长期无雨或少雨使土壤水分不足的现象。",
    }
    found = find_definitions([Document(d, "题名", s) for d, s in sentences.items()], ontology())["drought"]
    assert [c.document for c in found] == ["d4", "d2", "d3"], (
        "stated, then a genus that is a superclass; d5 says the same"
    )
    assert len(found) == MOST and found[0].sentence == sentences["d4"].rstrip("。")
    assert find_definitions([], ontology()) == {}


def test_ranks_are_by_language() -> None:
    zh, en = (DefinitionCandidate(language, language, "d", "is a") for language in ("zh", "en"))
    assert [rank for rank, _ in ranked((zh, zh, en))] == [1, 2, 1]


def test_the_root_is_no_class_to_define() -> None:
    assert find_definitions([Document("d", "题名", "根是指植物吸收水分和养分的地下器官。")], ontology()) == {}

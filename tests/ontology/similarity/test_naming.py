"""A concept by what a person calls it."""

from __future__ import annotations

import pytest

from ontology.model import Concept, Ontology
from ontology.similarity import UnknownConcept, concept_named
from ontology.similarity.naming import Names

BASE = "https://w3id.org/ontocrawl/test#"
FLOODS = Ontology(
    "https://w3id.org/ontocrawl/test", "global", "test", "1", BASE + "Flood",
    (
        Concept(BASE + "Flood", "洪水", "flood", alt_zh=("洪涝",), alt_en=("flooding",)),
        Concept(BASE + "FlashFlood", "山洪", "flash flood", alt_en=("flooding",)),
        Concept(BASE + "WRF", "WRF模式", "WRF model"),
        Concept(BASE + "Flooding", "漫溢", None),
    ),
    (),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (BASE + "WRF", "WRF"), ("WRF", "WRF"), ("洪水", "Flood"), ("洪涝", "Flood"), ("flash flood", "FlashFlood"),
        ("Flash  FLOOD", "FlashFlood"), ("ＷＲＦ模式", "WRF"), ("wrf MODEL", "WRF"), ("Flooding", "Flooding"),
        ("flood", "Flood"),
    ],
)  # fmt: skip
def test_names(name: str, expected: str) -> None:
    assert concept_named(FLOODS, name).iri == BASE + expected


def test_a_name_of_two_concepts_is_refused_with_their_iris() -> None:
    doubled = Ontology(
        "t", "global", "t", "1", "a", (Concept("a", "雨", alt_zh=("降水",)), Concept("b", "雪", alt_zh=("降水",))), ()
    )
    with pytest.raises(UnknownConcept, match="names 2 concepts; give an IRI: a, b"):
        concept_named(doubled, "降水")


def test_an_unknown_name_gets_the_nearest_labels() -> None:
    with pytest.raises(UnknownConcept, match="nearest: flash flood"):
        concept_named(FLOODS, "flash floodd")
    with pytest.raises(UnknownConcept, match="nearest: 山洪"):
        concept_named(FLOODS, "山洪灾害")
    with pytest.raises(UnknownConcept, match="no label is near"):
        concept_named(FLOODS, "地震")
    assert Names.of(FLOODS).nearest("") == []
    assert Names.of(FLOODS).nearest("山", n=1) == ["山洪"]

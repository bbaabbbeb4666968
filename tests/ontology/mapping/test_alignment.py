"""Mappings by names: the rules one by one, the shipped ontologies, and the judged sample behind the confidences."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ontology import owl
from ontology.mapping import BROAD, CLOSE, EXACT, TermMapping, align
from ontology.mapping.alignment import RULES, confidence
from ontology.mapping.mappings import BACKGROUND, LABEL, SYNONYM
from ontology.model import Concept
from ontology.terms.lexicon import Entry, Lexicon
from tools import mapping_rules

ROOT = Path(__file__).resolve().parents[3]
RAINSTORM, TYPHOON = (owl.read(str(files("ontologies") / f"{name}.ttl")) for name in ("rainstorm", "typhoon"))
FLOODS = Lexicon((Entry("山洪", "flash flood", ("山洪暴发",), ("torrent",)),))


def one(*mappings: TermMapping) -> TermMapping:
    (mapping,) = mappings
    return mapping


def test_equal_labels_in_either_language() -> None:
    zh = one(*align([Concept("b:1", "ＷＲＦ模式", "x")], [Concept("a:1", "WRF模式", "y")]))
    assert (zh.subject, zh.predicate, zh.object, zh.match_string) == ("b:1", EXACT, "a:1", "wrf模式")
    assert (zh.comment, zh.subject_field, zh.object_field) == ("equal labels", LABEL, LABEL)
    en = one(*align([Concept("b:1", "", "Flash-floods")], [Concept("a:1", "山洪", "flash flood")]))
    assert (en.predicate, en.match_string) == (EXACT, "flash flood")


def test_one_gloss_of_two_chinese_labels_is_no_mapping() -> None:
    assert align([Concept("b:1", "停电", "power outage")], [Concept("a:1", "断供", "power outage")]) == ()
    assert align([Concept("b:1", "停电", "outage", (), ("storm",))], [Concept("a:1", "电力中断", "storm outage")]) == ()


def test_equal_iris_need_no_mapping() -> None:
    assert align([Concept("a:1", "洪水", "flood")], [Concept("a:1", "洪水", "flood")]) == ()


def test_a_synonym_needs_a_second_name_that_is_equal() -> None:
    outage = Concept("a:1", "电力中断", "", ("停电",))
    both = one(*align([Concept("b:1", "停电", "", ("电力中断",))], [outage]))
    assert (both.predicate, both.comment, both.object_field) == (EXACT, "label and synonym", SYNONYM)
    single = one(*align([Concept("b:1", "停电")], [outage]))
    assert (single.predicate, single.comment) == (CLOSE, "shared name")
    assert single.confidence == confidence("shared name")


def test_a_name_of_several_concepts_makes_none_of_them_one() -> None:
    two = [Concept("a:1", "洪涝", "", ("水灾", "洪灾")), Concept("a:2", "内涝", "", ("水灾", "洪灾"))]
    rows = align([Concept("b:1", "水灾", "", ("洪灾",))], two)
    assert [(m.predicate, m.object) for m in rows] == [(CLOSE, "a:1"), (CLOSE, "a:2")]
    assert {m.confidence for m in rows} == {confidence("shared name", 2)}


def test_of_equal_labels_the_first_is_exact_with_half_the_confidence() -> None:
    rows = align([Concept("b:1", "", "rockfall")], [Concept("a:1", "", "Rockfall"), Concept("a:2", "", "Rockfall")])
    assert [(m.predicate, m.object) for m in rows] == [(EXACT, "a:1"), (CLOSE, "a:2")]
    assert rows[0].confidence == confidence("equal labels", 2)


def test_a_concept_that_is_mapped_exactly_shares_other_names_only_closely() -> None:
    flooding, flood = Concept("a:1", "洪涝"), Concept("a:2", "洪水")
    rows = align([Concept("b:1", "洪涝", "", ("洪水",))], [flooding, flood])
    assert [(m.predicate, m.object) for m in rows] == [(EXACT, "a:1"), (CLOSE, "a:2")]


def test_the_lexicon_is_background_knowledge() -> None:
    row = one(*align([Concept("b:1", "山洪")], [Concept("a:1", "", "Flash Floods")], FLOODS))
    assert (row.predicate, row.justification, row.match_string) == (EXACT, BACKGROUND, "山洪 = flash flood")
    back = one(*align([Concept("b:1", "", "torrents")], [Concept("a:1", "山洪")], FLOODS))
    assert back.match_string == "torrent = 山洪"
    assert align([Concept("b:1", "山洪", "x")], [Concept("a:1", "山洪暴发", "flash flood")], FLOODS) == ()


def test_a_head_is_broader() -> None:
    warning = Concept("a:1", "预警", "warning")
    row = one(*align([Concept("b:1", "山洪灾害预警", "flash flood warning")], [warning]))
    assert (row.predicate, row.match_string, row.comment) == (BROAD, "预警", "head")
    assert align([Concept("b:1", "山洪灾害预警")], [warning], heads=False) == ()
    english = one(*align([Concept("b:1", "", "tropical cyclone warnings")], [warning]))
    assert english.match_string == "warning"
    assert align([Concept("b:1", "反气旋")], [Concept("a:1", "气旋")]) == (), "a privative is no modifier"


def test_two_chinese_names_are_not_compared_by_their_english_heads() -> None:
    assert align([Concept("b:1", "热带风暴", "tropical storm")], [Concept("a:1", "强对流天气", "storm")]) == ()


def test_the_shipped_pair() -> None:
    rows = align(TYPHOON.concepts, RAINSTORM.concepts)
    exact = {(m.subject_label, m.object_label): m for m in rows if m.predicate == EXACT}
    assert exact["洪涝", "洪涝"].comment == "equal labels"
    assert exact["停电", "电力中断"].comment == "label and synonym"
    assert ("洪涝", "洪水") not in exact
    assert len({m.subject for m in exact.values()}) == len({m.object for m in exact.values()}) == len(exact)


def test_confidences_follow_from_the_judged_sample() -> None:
    assert mapping_rules.COUNTS.read_text(encoding="utf-8") == mapping_rules.counts(), (
        "run: python -m tools.mapping_rules"
    )
    page = mapping_rules.PAGE.read_text(encoding="utf-8")
    assert mapping_rules.inserted() == page, "run: python -m tools.mapping_rules"
    right, total = mapping_rules.judged()["head"][::-1]
    assert confidence("head", 2) == round((right + 1) / (total + 2) / 2, 3)
    assert set(mapping_rules.judged()) == set(RULES)


names = st.sampled_from(["", "洪水", "洪涝", "水灾", "山洪"])
english = st.sampled_from([None, "flood", "Floods", "torrent"])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(names, english, names), max_size=4), st.lists(st.tuples(names, english, names), max_size=4))
def test_exact_mappings_are_one_to_one(left: list[tuple[str, str, str]], right: list[tuple[str, str, str]]) -> None:
    sides = [
        [Concept(f"{side}:{i}", zh, en, (alt,) if alt else ()) for i, (zh, en, alt) in enumerate(some)]
        for side, some in (("b", left), ("a", right))
    ]
    rows = align(sides[0], sides[1], FLOODS, heads=False)
    exact = [m for m in rows if m.predicate == EXACT]
    assert len({m.subject for m in exact}) == len({m.object for m in exact}) == len(exact)
    assert len({(m.subject, m.object) for m in rows}) == len(rows)
    assert all(m.confidence is not None and 0 < m.confidence < 1 for m in rows)

"""Parents of planted terms: by head, pattern, mapping and lattice, and none where only co-occurrence speaks for one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontology.enrichment import propose
from ontology.enrichment.placing import Classes, _is_loose
from ontology.model import Concept, Ontology, Relation
from tests.ontology.enrichment.small_web import BASE, OFF_TOPIC_EN, found, ontology, web


def test_the_head_of_an_english_term() -> None:
    texts = (
        "The glacier flood reached {n} villages after the rainstorm.",
        "A glacier flood is hard to forecast, the landslide took {n} days.",
        "Engineers fear a new glacier flood in {n} valleys.",
        "After the hail, glacier floods closed {n} roads.",
    )
    one = found(web(texts, off_topic=OFF_TOPIC_EN))["glacier flood"]
    assert (one.target, one.rule, one.reason) == (BASE + "Flood", "head", "ends with flood")


def test_a_chinese_pattern_places_a_term() -> None:
    texts = (
        "雪崩、滑坡等地质灾害频发，共{n}起。",
        "山口发生雪崩，{n}人被困，预警信号升级。",
        "专家说雪崩与暴雨无关，共有{n}次。",
        "救援队赶往雪崩现场，暴雨还要下{n}小时。",
    )
    one = found(web(texts))["雪崩"]
    assert (one.target, one.rule) == (BASE + "Geohazard", "pattern")
    assert "X等Y" in one.reason
    assert "等地质灾害" in one.sentences[0].text


def test_an_english_pattern_places_a_term() -> None:
    texts = (
        "Geological hazards such as snow avalanches closed {n} passes.",
        "The snow avalanche buried {n} houses after the hail.",
        "Rainstorm and snow avalanche came within {n} hours.",
        "Rescuers reached the snow avalanche at noon, and the flood rose by {n} feet.",
    )
    one = found(web(texts, off_topic=OFF_TOPIC_EN))["snow avalanche"]
    assert (one.target, one.rule) == (BASE + "Geohazard", "pattern")


def test_co_occurrence_is_no_parent() -> None:
    texts = (
        "暴雨中沙袋用去{n}个。",
        "暴雨来临之前，居民堆起沙袋，共{n}处。",
        "为了防御暴雨，仓库送来沙袋{n}车。",
        "有了沙袋，暴雨没有进入{n}号楼。",
    )
    one = found(web(texts, copies=5))["沙袋"]
    assert (one.target, one.rule, one.reason) == (None, None, "")


def test_a_mapped_superclass_of_another_ontology_is_a_parent() -> None:
    weather, gale = Concept("https://other.org/w#W", "气象灾害"), Concept("https://other.org/w#G", "雪崩")
    root = Concept("https://other.org/w#R", "事物")
    edges = (Relation(gale.iri, "subclass_of", weather.iri), Relation(weather.iri, "subclass_of", root.iri))
    other = Ontology(
        "https://other.org/w", "global", "other", "1", root.iri, (root, weather, gale), edges, title_zh="另一本体"
    )
    texts = (
        "昨天的雪崩埋住{n}辆车，预警信号升级。",
        "山口发生雪崩，{n}人被困，预警信号升级。",
        "专家说雪崩与暴雨无关，共有{n}次。",
        "救援队赶往雪崩现场，暴雨还要下{n}小时。",
    )
    proposals = propose(web(texts), [ontology()], others=[other])
    (one,) = (p for p in proposals if p.term == "雪崩")
    assert (one.target, one.rule, one.reason) == (BASE + "Weather", "mapping", "另一本体 has it, below 气象灾害")
    (one,) = (p for p in propose(web(texts), [ontology()], others=[]) if p.term == "雪崩")
    assert one.target is None


@pytest.mark.slow
def test_a_term_listed_with_kinds_of_a_class_in_its_pages_is_placed_by_the_lattice() -> None:
    texts = (
        "山区要防范滑坡、雪崩和泥石流，共{n}处。",
        "雪崩、崩塌又堵住{n}条路。",
        "泥石流和雪崩冲毁{n}座桥。",
        "今年雪崩、滑坡增加{n}起。",
    )
    rest = ("暴雨下了{n}小时。", "冰雹打坏{n}个大棚。", "洪水淹没{n}亩地。", "滑坡威胁{n}户人家。")
    others = [replace(page, url=page.url.replace("//on", "//more")) for page in web(rest, copies=8) if page.relevant]
    one = found(web(texts, copies=6) + others)["雪崩"]
    assert (one.target, one.rule) == (BASE + "Geohazard", "lattice")
    assert "listed with" in one.reason


def test_a_term_listed_with_classes_of_two_kinds_is_not_placed_by_the_lattice() -> None:
    texts = (
        "山区要防范滑坡、雪崩和暴雨，共{n}处。",
        "雪崩、洪水又堵住{n}条路。",
        "泥石流和雪崩冲毁{n}座桥。",
        "今年雪崩、冰雹增加{n}起。",
    )
    assert found(web(texts, copies=6))["雪崩"].target is None


def test_a_loose_name_is_no_head() -> None:
    severe = Concept(BASE + "S", "强对流天气", "severe convective weather", alt_en=("storm", "thunderstorm"))
    assert _is_loose("storm", severe)
    assert not _is_loose("thunderstorm", severe)
    assert not _is_loose("storm", Concept(BASE + "T", "", "storm"))
    concepts = (severe, Concept(BASE + "Flood", "洪水", "flood"))
    classes = Classes([Ontology("https://example.org/h", "global", "h", "1", severe.iri, concepts, ())])
    assert "storm" not in classes.names["en"]
    assert classes.labels.head_of("dust storm") == severe.iri

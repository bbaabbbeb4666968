from __future__ import annotations

from pathlib import Path

import pytest

from ontology.evidence import Skeleton, SkeletonError, read_classes, skeleton
from ontology.evidence.skeleton import EMPTY_SKELETON, bundled, parse_classes
from ontology.model import Concept, Ontology, Relation
from ontology.terms.lexicon import bundled as bundled_lexicon

HEAD = "zh\ten\tparents\tmembers\tendings\taccepts\n"


def ontology(edges: list[tuple[str, str]], alt: dict[str, tuple[str, ...]] | None = None) -> Ontology:
    names = dict.fromkeys(n for edge in edges for n in reversed(edge))
    return Ontology(
        "https://example.org/rain", "global", "rain", "1", "x:根",
        tuple(Concept(f"x:{n}", n, alt_zh=(alt or {}).get(n, ())) for n in names),
        tuple(Relation(f"x:{u}", "subclass_of", f"x:{t}") for u, t in edges),
    )  # fmt: skip


def test_the_bundled_classes_hold_together() -> None:
    top = bundled("earth")
    assert top.above("滑坡") == frozenset()
    assert top.above("地质灾害") == {"地质灾害", "自然灾害", "灾害"}
    english = [c.label_en.casefold() for c in top.classes if c.label_en]
    assert len(english) == len(top.classes) == len(set(english))
    for c in top.classes:
        assert not set(c.members) & top.above(c.label), c.label
    known = [e.zh for e in bundled_lexicon("earth").entries if top.knows(e.zh)]
    assert len(known) > len(bundled_lexicon("earth").entries) / 2


def test_the_longest_ending_wins_and_privatives_break_it() -> None:
    top = bundled("earth")
    assert top.class_by_ending("径流系数") == (top.by_label["比率与统计量"], "系数")
    assert top.class_by_ending("山洪气象灾害") == (top.by_label["气象灾害"], "气象灾害")
    assert top.class_by_ending("雷击灾害") == (top.by_label["灾害"], "灾害")
    assert top.class_by_ending("抗氧化") is None
    assert top.class_by_ending("模型") is None


def test_faulty_classes_are_named() -> None:
    with pytest.raises(SkeletonError, match="expected the header"):
        parse_classes("a\tb\n", "t")
    with pytest.raises(SkeletonError, match=r"t: expected the header .* found 'nothing'"):
        parse_classes("# only a remark\n", "t")
    with pytest.raises(SkeletonError, match="t, line 2"):
        parse_classes(HEAD + "\t\tx\n", "t")
    with pytest.raises(SkeletonError, match="its parent 'b' is no class"):
        Skeleton(parse_classes(HEAD + "a\t\tb\n", "t"))
    with pytest.raises(SkeletonError, match="a is above itself"):
        Skeleton(parse_classes(HEAD + "a\t\tb\nb\t\ta\n", "t"))
    with pytest.raises(SkeletonError, match="a label occurs twice: a"):
        Skeleton(parse_classes(HEAD + "a\na\n", "t"))
    with pytest.raises(SkeletonError, match="an ending occurs in two classes: x"):
        Skeleton(parse_classes(HEAD + "a\t\t\t\tx\nb\t\t\t\tx\n", "t"))


def test_an_english_class_needs_no_chinese_name() -> None:
    (found,) = parse_classes(HEAD + "\tliving thing\t\torganism\n", "t")
    assert (found.label, found.label_en, found.members) == ("living thing", "living thing", ("organism",))


def test_classes_of_ones_own_are_no_upper_level_of_a_field(tmp_path: Path) -> None:
    own = tmp_path / "own.tsv"
    own.write_text(HEAD + "武术类\t\t\t没有这个词\n", encoding="utf-8")
    assert not skeleton(own_classes=own).is_upper_level
    assert skeleton(field="earth").is_upper_level


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "top.tsv"
    path.write_text(HEAD + "# remark\n作物\tcrop\t\t小麦 | 水稻\n", encoding="utf-8")
    assert [c.label for c in read_classes(path).classes_of("水稻")] == ["作物"]
    with pytest.raises(SkeletonError, match="could not be read"):
        read_classes(tmp_path / "absent.tsv")


def test_own_classes_go_before_the_bundled_ones(tmp_path: Path) -> None:
    path = tmp_path / "top.tsv"
    path.write_text(
        HEAD + "岩土工程\tgeotechnics\t\t滑坡 | 岩爆\t滑坡\n岩爆灾害\trockburst\t自然灾害\n", encoding="utf-8"
    )
    top = skeleton(own_classes=path, field="earth")
    assert [c.label for c in top.classes_of("滑坡")] == ["岩土工程"]
    assert top.class_by_ending("降雨型滑坡") == (top.by_label["岩土工程"], "滑坡")
    assert "灾害" in top.above("岩爆灾害")
    assert [c.label for c in top.classes_of("泥石流")] == ["地质灾害"]
    with pytest.raises(SkeletonError, match="自然灾害"):
        skeleton(own_classes=path)


def test_curated_ontologies_join_without_their_root() -> None:
    curated = ontology([("预警", "根"), ("信号", "预警"), ("红色信号", "信号")], {"红色信号": ("红色警报",)})
    top = skeleton([curated])
    assert top.is_facet("预警")
    assert top.by_label["红色信号"].parents == ("信号",)
    assert [c.label for c in top.classes_of("红色警报")] == ["信号"]
    assert top.by_label["信号"].source == "curated ontology rain"
    assert skeleton() == EMPTY_SKELETON


def test_what_the_bundled_classes_know_keeps_its_place() -> None:
    curated = ontology([("监测工作", "根"), ("雷达", "监测工作"), ("暴雨", "监测工作"), ("城市特大暴雨", "暴雨")])
    top = skeleton([curated], field="earth")
    assert [c.label for c in top.classes_of("雷达")] == ["观测设施"]
    assert top.by_label["城市特大暴雨"].parents == ("暴雨",)
    assert top.by_label["暴雨"].parents == tuple(c.label for c in bundled("earth").classes_of("暴雨"))
    assert "监测工作" not in top.above("城市特大暴雨")


def test_facets_say_what_they_accept() -> None:
    top = bundled("earth")
    assert top.accepts("灾害", "现象与过程")
    assert top.accepts("影响因素", "时期")
    assert not top.accepts("活动", "灾害")

"""Chinese patterns beyond those of test_text_sources.py: classes that are no names, refused roles and properties."""

from __future__ import annotations

import pytest

from ontology.evidence.patterns import find
from ontology.evidence.patterns_zh import ChineseNames, statements
from ontology.terms.lexicon import EMPTY
from tests.ontology.upper_classes import corpus

NAMES = ("玉米", "小麦", "水稻", "粮食作物", "干旱", "自然灾害", "腐殖酸", "吸附", "参数检验", "社会学",
         "课程体系", "去除率", "脱色率", "环境因子")  # fmt: skip


def stated(text: str) -> set[tuple[str, str]]:
    names = ChineseNames({name: name for name in NAMES})
    return {(s.narrower, s.broader) for s in statements(text, names) if s.rule == "pattern"}


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("玉米、小麦等5种作物均受旱", {("玉米", "作物"), ("小麦", "作物")}),  # no name of the corpus
        ("玉米、小麦等粮食作物", {("玉米", "粮食作物"), ("小麦", "粮食作物")}),
        ("种植玉米、白薯、小麦等植物", {("玉米", "植物"), ("小麦", "植物")}),  # the list goes on over other words
        ("玉米（Zea mays）、小麦等植物", {("玉米", "植物"), ("小麦", "植物")}),
        ("社会学作为一门新兴的独立学科", {("社会学", "学科")}),
        ("干旱是自然灾害的一种", {("干旱", "自然灾害")}),
        ("去除率、脱色率等比率", {("去除率", "比率"), ("脱色率", "比率")}),
        ("对干旱、吸附等环境因子的适应", {("干旱", "环境因子"), ("吸附", "环境因子")}),
        ("腐殖酸等含量减少", set()),  # what has a content is none
        ("测定吸附等温线", set()),  # 等 within a word
        ("干旱是关键环节之一", set()),  # a role
        ("课程体系等方面深化改革", set()),
        ("玉米、小麦等的联系", set()),
        ("非参数检验等植物", set()),
        ("玉米、小麦等粮食作物产区", set()),  # of what the list is, or what is in it
    ],
)
def test_statements(text: str, pairs: set[tuple[str, str]]) -> None:
    assert stated(text) == pairs


def test_names_that_are_the_same() -> None:
    names = ("心肌梗死", "心梗", "硬化")
    (claim,) = find(corpus(["急性期，心肌梗死（又称心梗）多发。", "动脉硬化（又称心梗）"]), names, EMPTY)
    assert (claim.narrower, claim.broader, claim.rule, claim.evidence) == ("心肌梗死", "心梗", "synonym", "X又称Y")

"""Modifiers of names: more than one broader term where two modifiers meet."""

from __future__ import annotations

import pytest

from ontology.evidence import Claim, TermCorpus
from ontology.evidence.claims import Rule
from ontology.evidence.modifiers import SHARED_MODIFIERS, head_claims, modifier_of, name_parts


def heads(*pairs: tuple[str, str], rule: Rule = "head noun") -> list[Claim]:
    return [Claim(name, head, rule, rule) for name, head in pairs]


INFARCTIONS = heads(
    ("急性前壁心肌梗死", "前壁心肌梗死"),
    ("前壁心肌梗死", "心肌梗死"),
    ("急性心肌梗死", "心肌梗死"),
    ("急性脑梗死", "脑梗死"),
)


def shared(claims: list[Claim]) -> set[tuple[str, str]]:
    return {(c.narrower, c.broader) for c in SHARED_MODIFIERS.claims(TermCorpus((), ()), claims)}


def test_two_modifiers_give_two_broader_terms() -> None:
    assert shared(INFARCTIONS) == {("急性前壁心肌梗死", "急性心肌梗死")}
    (made,) = SHARED_MODIFIERS.claims(TermCorpus((), ()), INFARCTIONS)
    assert (made.rule, made.evidence) == ("head noun", "head 心肌梗死 and 急性")


def test_the_order_of_modifiers_does_not_matter_and_equal_ones_make_no_claim() -> None:
    claims = heads(
        ("老年急性心肌梗死", "急性心肌梗死"),
        ("急性心肌梗死", "心肌梗死"),
        ("急性老年心肌梗死", "老年心肌梗死"),
        ("老年心肌梗死", "心肌梗死"),
    )
    assert shared(claims) == {("老年急性心肌梗死", "老年心肌梗死"), ("急性老年心肌梗死", "急性心肌梗死")}


def test_suffixes_cut_names_and_patterns_do_not() -> None:
    claims = [
        *heads(("晚期胃癌", "胃癌"), ("早期胃癌", "胃癌")),
        *heads(("胃癌", "癌"), ("肺癌", "癌"), rule="suffix"),
        *heads(("白血病", "癌"), rule="pattern"),
    ]
    parts = name_parts(claims)
    assert (parts["晚期胃癌"].heads, parts["晚期胃癌"].modifiers) == (("胃癌", "癌"), ("晚期", "胃"))
    assert "白血病" not in parts


def test_suffixes_share_no_modifiers() -> None:
    pairs = (("政治社会学", "社会学"), ("社会学", "学"), ("政治学", "学"))
    assert not shared([*heads(pairs[0]), *heads(*pairs[1:], rule="suffix")])
    assert shared(heads(*pairs)) == {("政治社会学", "政治学")}


@pytest.mark.parametrize(
    ("name", "head", "modifier"),
    [
        ("heart failure trials", "trial", "heart failure"),
        ("acute kidney injury", "kidney injury", "acute"),
        ("trials", "trial", ""),
        ("heart failure", "trial", ""),
        ("heart failure", "kidney failure", ""),
        ("GIS技术", "技术", "GIS"),
        ("技术", "技术", ""),
        ("heart failure trial", "试验", ""),
    ],
)
def test_the_modifier_is_what_is_before_the_head(name: str, head: str, modifier: str) -> None:
    assert modifier_of(name, head) == modifier


def test_the_longest_head_counts() -> None:
    claims = heads(("急性前壁心肌梗死", "心肌梗死"), ("急性前壁心肌梗死", "前壁心肌梗死"), ("前壁心肌梗死", "心肌梗死"))
    assert name_parts(claims)["急性前壁心肌梗死"].modifiers == ("急性", "前壁")
    assert name_parts(claims[::-1]) == name_parts(claims)


def test_names_that_end_with_a_class_after_two_modifiers_are_cut() -> None:
    names = [
        "晚期胃部肿瘤",
        "早期肺部肿瘤",
        "胃部肿瘤",
        "肺部肿瘤",
        "肝脏肿瘤",
        "肿瘤",
        "acute kidney failure",
        "kidney failure",
    ]
    corpus = TermCorpus((), ("肿瘤", "kidney failure", "failure"), names=dict.fromkeys(names, 3))
    assert {(c.narrower, c.broader) for c in head_claims(corpus, {"肿瘤", "failure"})} == {
        ("晚期胃部肿瘤", "肿瘤"),
        ("早期肺部肿瘤", "肿瘤"),
        ("acute kidney failure", "kidney failure"),
        ("kidney failure", "failure"),
    }
    assert not head_claims(corpus, {"基因"})

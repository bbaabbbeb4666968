"""The reading "evidence": which claims become edges, and what becomes of terms without one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ontology.context import ContextError, FormalContext
from ontology.evidence import EMPTY_SKELETON, Claim, Skeleton, TermCorpus, collect
from ontology.hierarchy import TermHierarchy, term_hierarchy
from ontology.terms.lexicon import EMPTY
from tests.ontology.upper_classes import TOP, corpus


def learned(terms: Sequence[str], texts: Sequence[str], top: Skeleton = TOP, **options: str) -> TermHierarchy:
    """The hierarchy of terms that are found by their spelling."""
    table = np.array([[t in text for t in terms] for text in texts])
    context = FormalContext.from_bools([f"d{i}" for i in range(len(texts))], list(terms), table)
    claims = collect(TermCorpus(corpus(texts), terms, EMPTY, top))
    return term_hierarchy(context, reading="evidence", claims=claims, upper_classes=top, **options)  # type: ignore[arg-type]


def edges(hierarchy: TermHierarchy) -> dict[tuple[str, str], str]:
    return {(hierarchy.nodes[e.child].label, hierarchy.nodes[e.parent].label): e.evidence for e in hierarchy.edges}


def of_claims(terms: Sequence[str], claims: Sequence[Claim], **options: Any) -> TermHierarchy:
    """The hierarchy of terms that are in a document each, and of some claims."""
    context = FormalContext.from_bools(
        [f"d{i}" for i in range(len(terms))], list(terms), np.eye(len(terms), dtype=bool)
    )
    return term_hierarchy(context, reading="evidence", claims=claims, **options)


def head(narrower: str, broader: str) -> Claim:
    return Claim(narrower, broader, "head noun", "head noun")


def test_every_edge_carries_what_made_it() -> None:
    texts = ["降水、暴雨、台风等气象灾害", "暴雨与台风", "暴雨", "山洪灾害"]
    hierarchy = learned(["降水", "暴雨", "台风", "气象灾害", "山洪灾害"], texts)
    found = edges(hierarchy)
    assert found["暴雨", "降水"] == "top class"
    assert found["台风", "气象灾害"] == "pattern X等Y"
    assert found["山洪灾害", "灾害"] == "head noun"
    edge = next(e for e in hierarchy.edges if hierarchy.nodes[e.child].label == "台风")
    assert (edge.documents[0], edge.sentence) == ("d0", texts[0])
    assert (edge.support, edge.confidence) == (1, 0.5)


def test_facets_exclude_each_other_unless_they_accept() -> None:
    texts = ["气温、暴雨等模型", "暴雨等气象灾害", "气温等气象灾害", "降水"]
    hierarchy = learned(["气温", "暴雨", "降水", "气象灾害", "模型"], texts)
    assert set(edges(hierarchy)) >= {("暴雨", "降水"), ("暴雨", "气象灾害"), ("气温", "量")}
    assert not {("气温", "模型"), ("暴雨", "模型"), ("气温", "气象灾害")} & set(edges(hierarchy))
    reasons = {(r.child, r.parent): r.reason for r in hierarchy.rejected}
    assert "a 量 is no 灾害" in reasons["气温", "气象灾害"]
    assert "is no 方法" in reasons["暴雨", "模型"]


def test_words_without_content_are_no_parents() -> None:
    terms = ["降水方法", "方法", "暴雨影响"]
    claims = [
        head("降水方法", "方法"),
        head("暴雨影响", "影响"),
        Claim("方法", "影响", "pattern", "pattern", ("d0",), 3),
    ]
    hierarchy = of_claims(terms, claims, unplaced="root")
    assert not edges(hierarchy)
    assert {r.parent for r in hierarchy.rejected if "generic word" in r.reason} == {"方法", "影响"}


def test_unplaced_terms_are_dropped_and_listed_or_hang_under_the_root() -> None:
    terms = ["暴雨", "同位素", "稳定同位素", "氧同位素", "获取"]
    texts = [*terms, "".join(terms)]
    dropped = learned(terms, texts)
    labels = {n.label for n in dropped.nodes}
    assert "获取" not in labels
    assert labels >= {"暴雨", "同位素", "稳定同位素"}  # a narrower term keeps it
    why = {r.child: r.reason for r in dropped.unplaced}
    assert why["同位素"].startswith("hangs under the topic")
    assert why["获取"].startswith("dropped")
    kept = learned(terms, texts, unplaced="root")
    assert {"获取"} <= {kept.nodes[i].label for i in kept.roots}
    assert all(r.reason.startswith("hangs") for r in kept.unplaced)
    with pytest.raises(ContextError, match="expected one of drop, root, found 'aside'"):
        learned(terms, texts, unplaced="aside")


def test_a_term_with_one_narrower_term_stays() -> None:
    hierarchy = learned(["演变", "时空演变", "暴雨", "干旱"], ["演变", "时空演变", "暴雨", "干旱"])
    assert {n.label for n in hierarchy.nodes} == {"现象", "暴雨", "演变", "时空演变"}
    assert edges(hierarchy)["时空演变", "演变"] == "head noun"
    assert {(r.child, r.reason.split(":")[0]) for r in hierarchy.unplaced} == {
        ("演变", "hangs under the topic"),
        ("干旱", "dropped"),
    }


def test_equal_documents_alone_make_no_equivalent_classes() -> None:
    """Wrong equivalents that real abstracts gave: a narrower term in the same few documents."""
    terms = ["神经网络", "卷积神经网络", "低涡", "西南涡", "风速", "最大风速"]
    texts = ["神经网络卷积神经网络"] * 6 + ["低涡西南涡"] * 6 + ["风速最大风速"] * 6 + ["晴"] * 40
    hierarchy = learned(terms, texts, EMPTY_SKELETON, unplaced="root")
    assert all(len(n.terms) == 1 for n in hierarchy.nodes)
    assert {("卷积神经网络", "神经网络"), ("最大风速", "风速")} <= set(edges(hierarchy))
    rare = learned(["内涝", "积水"], ["内涝积水"] * 2 + ["晴"] * 9, EMPTY_SKELETON, unplaced="root")
    assert all(len(n.terms) == 1 for n in rare.nodes)
    often = learned(["内涝", "积水"], ["内涝积水"] * 6 + ["晴"] * 9, EMPTY_SKELETON, unplaced="root")
    assert [n.terms for n in often.nodes] == [("内涝", "积水")]


def test_a_sentence_makes_two_terms_one_class() -> None:
    texts = ["渍涝（又称湿害）减产", "渍涝", "湿害", "晴"]
    hierarchy = learned(["渍涝", "湿害"], texts, EMPTY_SKELETON, unplaced="root")
    assert [set(n.terms) for n in hierarchy.nodes] == [{"渍涝", "湿害"}]


def test_cycles_are_refused_and_implied_edges_left_out() -> None:
    claims = [
        Claim("b", "a", "pattern", "pattern", ("d0",), 2),
        Claim("c", "b", "pattern", "pattern", ("d0",), 2),
        Claim("a", "c", "pattern", "pattern", ("d0",), 2),
        Claim("c", "a", "pattern", "pattern", ("d0",), 2),
    ]
    context = FormalContext.from_bools(["d0", "d1"], ["a", "b", "c"], np.ones((2, 3), dtype=bool))
    hierarchy = term_hierarchy(
        context, reading="evidence", claims=claims, upper_classes=EMPTY_SKELETON, unplaced="root"
    )
    for i in range(len(hierarchy.nodes)):
        assert i not in hierarchy.ancestors(i)
    assert len(hierarchy.edges) == 2
    assert "would close a cycle" in {r.reason.split(": ")[1] for r in hierarchy.rejected}


def once(narrower: str, broader: str, document: str = "d0") -> Claim:
    return Claim(narrower, broader, "pattern", "pattern X等Y", (document,), 1, 1.0, f"{narrower}等{broader}")


def test_one_sentence_is_a_fact_of_a_class_without_others_below_it_and_else_a_suggestion() -> None:
    terms = ["肺肿瘤", "脑肿瘤", "肿瘤", "骨折", "微创手术", "手术"]
    claims = [head("肺肿瘤", "肿瘤"), head("脑肿瘤", "肿瘤"), head("微创手术", "手术")]
    hierarchy = of_claims(terms, [*claims, once("肿瘤", "手术"), once("骨折", "手术")])
    assert set(edges(hierarchy)) == {
        ("肺肿瘤", "肿瘤"),
        ("脑肿瘤", "肿瘤"),
        ("微创手术", "手术"),
        ("骨折", "手术"),
    }
    (one,) = hierarchy.suggested
    assert (one.child, one.parent, one.reason, one.below) == ("肿瘤", "手术", "one sentence", 2)
    assert (one.documents, one.sentence) == (("d0",), "肿瘤等手术")


@pytest.mark.parametrize(
    "more",
    [once("肿瘤", "手术", "d1"), Claim("肿瘤", "手术", "suffix", "suffix"), Claim("肿瘤", "手术", "decision", "d1")],
)
def test_a_second_document_or_other_evidence_moves_a_subtree(more: Claim) -> None:
    claims = [head("肺肿瘤", "肿瘤"), head("微创手术", "手术"), once("肿瘤", "手术"), more]
    hierarchy = of_claims(["肺肿瘤", "肿瘤", "微创手术", "手术"], claims)
    assert ("肿瘤", "手术") in edges(hierarchy) and not hierarchy.suggested


def test_what_single_sentences_put_below_a_class_does_not_move_by_one() -> None:
    pairs = [("猫", "猛兽"), ("虎", "猛兽"), ("猛兽", "哺乳类"), ("狗", "哺乳类"), ("牛", "哺乳类")]
    hierarchy = of_claims(["猫", "虎", "狗", "牛", "猛兽", "哺乳类"], [once(*pair) for pair in pairs])
    assert set(edges(hierarchy)) == {*pairs} - {("猛兽", "哺乳类")}
    assert [(s.child, s.parent, s.below) for s in hierarchy.suggested] == [("猛兽", "哺乳类", 2)]


def test_a_refused_claim_puts_nothing_below_a_class() -> None:
    pairs = [("猫", "猛兽"), ("猛兽", "哺乳类"), ("狗", "哺乳类")]
    hierarchy = of_claims(["猫", "狗", "猛兽", "哺乳类"], [once(*pair) for pair in pairs])
    assert set(edges(hierarchy)) == {("猛兽", "哺乳类"), ("狗", "哺乳类")}
    assert not hierarchy.suggested
    assert [(r.child, r.parent) for r in hierarchy.rejected] == [("猫", "猛兽")]


def test_curated_places_of_both_ends_are_other_evidence() -> None:
    texts = ["暴雨等气象灾害", "暴雨", "特大暴雨", "气象灾害"]
    hierarchy = learned(["暴雨", "特大暴雨", "气象灾害"], texts)
    assert ("暴雨", "气象灾害") in edges(hierarchy) and not hierarchy.suggested


def test_the_figures_of_an_edge_count_its_own_evidence() -> None:
    """What is below a class adds nothing to the edges above it."""
    terms = ["肺肿瘤", "脑肿瘤", "肿瘤", "骨折"]
    rows = [(1, 0, 1, 0), (1, 0, 1, 0), (0, 1, 1, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    context = FormalContext.from_bools([f"d{i}" for i in range(5)], terms, np.array(rows, dtype=bool))
    stated = Claim("肿瘤", "疾病", "pattern", "pattern X等Y", ("d2", "d3"), 2)
    claims = [head("肺肿瘤", "肿瘤"), head("脑肿瘤", "肿瘤"), stated, once("骨折", "疾病", "d4")]
    hierarchy = term_hierarchy(context, reading="evidence", claims=claims)
    figures = {(hierarchy.nodes[e.child].label, hierarchy.nodes[e.parent].label): e for e in hierarchy.edges}
    by_sentences = figures["肿瘤", "疾病"]
    assert (by_sentences.support, by_sentences.confidence) == (2, 0.5)  # of the four documents on 肿瘤
    assert (figures["肺肿瘤", "肿瘤"].support, figures["骨折", "疾病"].support) == (2, 1)
    assert hierarchy.nodes[hierarchy.index("疾病") or 0].document_frequency == 5


def test_idle_classes_go_and_classes_count_the_documents_below_them() -> None:
    hierarchy = learned(["暴雨", "天气"], ["暴雨", "天气", "暴雨天气"])
    at = {n.label: n for n in hierarchy.nodes}
    assert "方法" not in at  # nothing below
    assert "降水" not in at  # one class above, one term below
    assert at["现象"].document_frequency == 3
    assert edges(hierarchy)["暴雨", "现象"] == "top class"

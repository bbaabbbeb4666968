"""Found classes: heads and suffixes of names that are no terms, and where they stay."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.context import FormalContext
from ontology.evidence import EMPTY_SKELETON, Claim, TermCorpus
from ontology.evidence.claims import RULES, Rule
from ontology.hierarchy import TermHierarchy, term_hierarchy
from ontology.hierarchy.from_claims import _Above, _contracted, _reach, _reduced, _without_idle
from ontology.hierarchy.topic_ontology import to_ontology
from ontology.model import Concept, Header
from ontology.terms.lexicon import Entry, Lexicon
from tests.ontology.upper_classes import TOP, corpus

HEADER = Header("https://example.org/medicine", "global", "medicine", "1")


def learned(terms: Sequence[str], claims: Iterable[Claim], **options: Any) -> TermHierarchy:
    """The hierarchy of terms, each in one document of its own, and of some claims."""
    context = FormalContext.from_bools(
        [f"d{i}" for i in range(len(terms))], list(terms), np.eye(len(terms), dtype=bool)
    )
    return term_hierarchy(context, reading="evidence", claims=list(claims), **options)


def claim(narrower: str, broader: str, rule: Rule = "head noun", support: int = 0) -> Claim:
    return Claim(narrower, broader, rule, rule, support=support)


def edges(hierarchy: TermHierarchy) -> set[tuple[str, str]]:
    return {(hierarchy.nodes[e.child].label, hierarchy.nodes[e.parent].label) for e in hierarchy.edges}


def concept_of(terms: tuple[str, ...]) -> Concept:
    return Concept(f"https://example.org/medicine#{terms[0]}", terms[0], None, alt_zh=terms[1:])


INFARCTIONS = [
    claim("急性心肌梗死", "心肌梗死"),
    claim("陈旧性心肌梗死", "心肌梗死"),
    claim("心肌梗死", "梗死"),
    claim("脑梗死", "梗死"),
]


def test_a_head_that_is_no_term_becomes_a_class_with_the_documents_below_it() -> None:
    hierarchy = learned(["急性心肌梗死", "陈旧性心肌梗死", "脑梗死", "阿司匹林"], INFARCTIONS)
    assert edges(hierarchy) == {
        ("急性心肌梗死", "心肌梗死"),
        ("陈旧性心肌梗死", "心肌梗死"),
        ("心肌梗死", "梗死"),
        ("脑梗死", "梗死"),
    }
    documents = {node.label: node.document_frequency for node in hierarchy.nodes}
    assert (documents["梗死"], documents["心肌梗死"], documents["脑梗死"]) == (3, 2, 1)
    assert [hierarchy.nodes[i].label for i in hierarchy.roots] == ["梗死"]
    assert [r.child for r in hierarchy.unplaced] == ["阿司匹林"]


def test_a_head_with_one_term_below_it_stays_and_one_with_one_found_class_is_collapsed() -> None:
    hierarchy = learned(["急性心肌梗死", "脑梗死"], INFARCTIONS)
    assert edges(hierarchy) == {("急性心肌梗死", "心肌梗死"), ("心肌梗死", "梗死"), ("脑梗死", "梗死")}
    alone = learned(["急性心肌梗死", "胃癌"], INFARCTIONS)
    assert edges(alone) == {("急性心肌梗死", "心肌梗死")}  # 梗死 has only the found class 心肌梗死 below it
    (edge,) = alone.edges
    assert edge.rules == ("head noun",)
    assert [(r.child, r.reason.split(":")[0]) for r in alone.unplaced] == [("胃癌", "dropped")]


def test_a_class_with_one_term_below_it_needs_evidence_of_its_own() -> None:
    terms = ["急性心肌梗死", "知识分子", "哮喘"]
    claims = [claim("急性心肌梗死", "心肌梗死"), claim("知识分子", "分子"), claim("哮喘", "病症", "decision")]
    found = ["心肌梗死", "分子", "病症"]
    assert edges(learned(terms, claims, found=found)) == {
        ("急性心肌梗死", "心肌梗死"),
        ("知识分子", "分子"),
        ("哮喘", "病症"),
    }
    spoken_of = learned(terms, claims, found=found, alone=["心肌梗死"])
    assert edges(spoken_of) == {("急性心肌梗死", "心肌梗死"), ("哮喘", "病症")}
    assert [r.child for r in spoken_of.unplaced] == ["知识分子"]
    two = [*claims, claim("高级知识分子", "分子")]
    assert ("知识分子", "分子") in edges(learned([*terms, "高级知识分子"], two, found=found, alone=["心肌梗死"]))


def test_what_a_corpus_has_alone() -> None:
    texts = ["体育教师的培训。教师参加了教师的会议", "知识分子", "dna"]
    found = TermCorpus(corpus(texts), ["体育教师", "知识分子", "dna"], names={"教师": 1})
    assert found.alone(["教师", "分子", "DNA"]) == {"教师", "DNA"}


def test_a_term_with_one_term_below_it_stays() -> None:
    hierarchy = learned(["急性心肌梗死", "心肌梗死"], INFARCTIONS)
    assert edges(hierarchy) == {("急性心肌梗死", "心肌梗死"), ("心肌梗死", "梗死")}


def test_a_class_of_one_term_is_a_place_and_needs_no_weaker_evidence() -> None:
    claims = [
        claim("急性心肌梗死", "心肌梗死"),
        claim("胃癌", "癌"),
        claim("肺癌", "癌"),
        claim("急性心肌梗死", "癌", "verified"),
        claim("脓肿", "癌", "verified"),
    ]
    found = edges(learned(["急性心肌梗死", "胃癌", "肺癌", "癌", "脓肿"], claims))
    assert ("急性心肌梗死", "癌") not in found and ("脓肿", "癌") in found


def test_what_sentences_state_of_a_suffix_is_a_class_and_other_unknown_words_are_none() -> None:
    terms = ["胃炎", "肾炎", "肝炎", "哮喘"]
    claims = [claim(t, "炎", "suffix") for t in terms[:3]]
    claims += [
        claim("炎", "疾病", "pattern", 3),
        claim("哮喘", "疾病", "pattern", 3),
        claim("哮喘", "病症", "pattern", 3),
    ]
    assert edges(learned(terms, claims)) == {
        ("胃炎", "炎"),
        ("肾炎", "炎"),
        ("肝炎", "炎"),
        ("炎", "疾病"),
        ("哮喘", "疾病"),
    }


def test_a_synonym_is_no_class_of_its_own() -> None:
    lexicon = Lexicon((Entry("心肌梗死", "myocardial infarction", ("心梗",)), Entry("试验", "trial")))
    terms = ["急性心梗", "陈旧性心肌梗死", "heart failure trial", "drug trial"]
    claims = [
        claim("急性心梗", "心梗"),
        claim("陈旧性心肌梗死", "心肌梗死"),
        claim("heart failure trial", "trial"),
        claim("drug trial", "trial"),
    ]
    hierarchy = learned(terms, claims, lexicon=lexicon)
    assert edges(hierarchy) == {
        ("急性心梗", "心肌梗死"),
        ("陈旧性心肌梗死", "心肌梗死"),
        ("heart failure trial", "试验"),
        ("drug trial", "试验"),
    }
    known = learned([*terms, "心肌梗死"], claims, lexicon=lexicon)
    assert "心梗" not in {node.label for node in known.nodes}


def test_only_the_labels_passed_become_classes() -> None:
    terms = ["急性心肌梗死", "陈旧性心肌梗死"]
    assert not learned(terms, INFARCTIONS, found=()).nodes
    assert edges(learned(terms, INFARCTIONS, found=["心肌梗死"])) == {(t, "心肌梗死") for t in terms}


def test_found_classes_are_below_curated_ones() -> None:
    terms = ["山洪灾害", "雪崩灾害", "暴雨"]
    claims = [
        claim("山洪灾害", "山地灾害"),
        claim("雪崩灾害", "山地灾害"),
        claim("山地灾害", "灾害"),
        Claim("暴雨", "降水", "top class", "top class"),
        Claim("降水", "现象", "top class", "top class"),
        Claim("气象灾害", "灾害", "top class", "top class"),
    ]
    hierarchy = learned(terms, claims, upper_classes=TOP)
    assert {("山洪灾害", "山地灾害"), ("雪崩灾害", "山地灾害"), ("山地灾害", "灾害"), ("暴雨", "现象")} == edges(
        hierarchy
    )


def test_a_found_class_without_a_curated_place_does_not_compete_with_curated_ones() -> None:
    curated = [Claim(t, "量", "top class", "top class") for t in ("气温", "降水量", "径流量")]
    claims = [*curated, claim("降水量", "流量"), claim("径流量", "流量"), claim("交通流量", "流量")]
    assert edges(learned(["气温", "降水量", "径流量"], claims, upper_classes=TOP)) == {
        ("气温", "量"),
        ("降水量", "量"),
        ("径流量", "量"),
    }
    below = [*claims, claim("流量", "量")]
    assert ("降水量", "流量") in edges(learned(["气温", "降水量", "径流量"], below, upper_classes=TOP))
    others = [*claims, claim("信息流量", "流量")]
    hierarchy = learned(["气温", "降水量", "径流量", "交通流量", "信息流量"], others, upper_classes=TOP)
    assert {("降水量", "流量"), ("交通流量", "流量"), ("信息流量", "流量")} <= edges(hierarchy)


@pytest.mark.parametrize("root", ["梗死", "x"])
def test_the_topic_may_be_a_found_class(root: str) -> None:
    hierarchy = learned(
        ["急性心肌梗死", "陈旧性心肌梗死", "脑梗死", "胃癌", "肺癌"],
        [*INFARCTIONS, claim("胃癌", "癌"), claim("肺癌", "癌")],
    )
    ontology = to_ontology(hierarchy, header=HEADER, root_label=root, concept_of=concept_of)
    label = {c.iri: c.label for c in ontology.concepts}
    below = {label[r.source] for r in ontology.relations if r.target == ontology.root}
    assert label[ontology.root] == root
    assert below == ({"心肌梗死", "脑梗死", "癌"} if root == "梗死" else {"梗死", "癌"})
    top = hierarchy.index(root)
    placed = {"急性心肌梗死", "陈旧性心肌梗死", "胃癌", "肺癌"}
    terms = ["急性心肌梗死", "陈旧性心肌梗死", "脑梗死", "胃癌", "肺癌", "癌", "没有"]
    assert set(hierarchy.placed(terms, top)) == placed | (set() if root == "梗死" else {"脑梗死"})


def test_the_english_label_of_the_topic_may_be_a_class() -> None:
    hierarchy = learned(
        ["heart failure", "renal failure"], [claim("heart failure", "failure"), claim("renal failure", "failure")]
    )
    ontology = to_ontology(hierarchy, header=HEADER, root_label="衰竭", concept_of=concept_of, root_label_en="Failure")
    assert ontology.by_iri[ontology.root].label == "衰竭"
    assert len(ontology.concepts) == 3
    assert "failure" in ontology.by_iri[ontology.root].alt_zh


def test_edges_list_their_rules_most_trusted_first() -> None:
    claims = [
        Claim("胃癌", "肿瘤", "apriori", "apriori"),
        Claim("胃癌", "肿瘤", "pattern", "pattern X等Y", ("d0",), 2),
        claim("胃癌", "肿瘤", "suffix"),
        claim("脑肿瘤", "肿瘤"),
    ]
    hierarchy = learned(["胃癌", "脑肿瘤", "肿瘤"], claims)
    rules = {hierarchy.nodes[e.child].label: e.rules for e in hierarchy.edges}
    assert rules == {"胃癌": ("pattern", "suffix", "apriori"), "脑肿瘤": ("head noun",)}
    assert hierarchy.edges_by_rule == {"head noun": 1, "pattern": 1}


def test_an_empty_hierarchy_has_no_depth() -> None:
    hierarchy = learned(["gene", "asthma"], ())
    assert (hierarchy.nodes, hierarchy.depth, hierarchy.edges_by_rule) == ((), 0, {})
    ontology = to_ontology(hierarchy, header=HEADER, root_label="医学", concept_of=concept_of)
    assert [c.label for c in ontology.concepts] == ["医学"]


LABELS = "abcdefghij"
TRUSTED: tuple[Rule, ...] = tuple(rule for rule in RULES if rule not in ("synonym", "top class", "curated ontology"))


@st.composite
def claims_of_words(draw: st.DrawFn) -> tuple[list[str], list[Claim]]:
    """Some terms among ten words, and claims between any of these, of most rules."""
    terms = draw(st.lists(st.sampled_from(LABELS), min_size=1, unique=True))
    ends = st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS), st.sampled_from(TRUSTED), st.integers(0, 4))
    return terms, [claim(*one) for one in draw(st.lists(ends, max_size=30))]


@pytest.mark.slow
@given(claims_of_words(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_properties_of_every_hierarchy(made: tuple[list[str], list[Claim]], rng: random.Random) -> None:
    terms, claims = made
    hierarchy = learned(terms, claims, upper_classes=EMPTY_SKELETON)
    labels = {node.label for node in hierarchy.nodes}
    children: list[list[str]] = [[] for _ in hierarchy.nodes]
    for i, parents in enumerate(hierarchy.parents):
        assert i not in hierarchy.ancestors(i)
        for p in parents:
            children[p].append(hierarchy.nodes[i].label)
            assert not any(p in hierarchy.ancestors(other) for other in parents if other != p)
    for i, node in enumerate(hierarchy.nodes):
        assert node.label in terms or len(children[i]) > 1 or (children[i] and children[i][0] in terms)
        assert node.label in hierarchy.nodes[i].terms
    dropped = {r.child for r in hierarchy.unplaced if r.reason.startswith("dropped")}
    assert labels >= set(terms) - dropped
    assert not labels & dropped
    shuffled = rng.sample(claims, len(claims))
    again = learned(terms, shuffled)
    assert (again.nodes, again.edges, again.unplaced) == (hierarchy.nodes, hierarchy.edges, hierarchy.unplaced)
    all_of_them = learned(terms, claims, unplaced="root")
    assert {node.label for node in all_of_them.nodes} >= set(terms)


@st.composite
def orders(draw: st.DrawFn) -> tuple[_Above, frozenset[str], frozenset[str]]:
    """A DAG of ten words (a word is below earlier ones only), found classes and curated ones among them."""
    above: _Above = {word: {} for word in LABELS}
    for low, high in draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)):
        if high < low:
            above[LABELS[low]][LABELS[high]] = [claim(LABELS[low], LABELS[high])]
    kinds = draw(st.lists(st.sampled_from(("term", "found", "curated")), min_size=10, max_size=10))
    of_kind = {
        kind: frozenset(w for w, k in zip(LABELS, kinds, strict=True) if k == kind) for kind in ("found", "curated")
    }
    return above, of_kind["found"], of_kind["curated"]


@given(orders())
def test_contraction_is_idempotent_and_keeps_what_is_above_what(
    made: tuple[_Above, frozenset[str], frozenset[str]],
) -> None:
    above, found, curated = made
    once = _contracted(above, found, curated, ())
    assert _contracted(once, found, curated, ()) == once == _reduced(once)
    assert set(LABELS) - found - curated <= once.keys()
    for label in once:
        assert _reach(label, once) == _reach(label, above) & once.keys()


@given(orders(), st.permutations(LABELS))
def test_found_classes_go_in_any_order(made: tuple[_Above, frozenset[str], frozenset[str]], order: list[str]) -> None:
    """Classes are looked at by name, and other names for all of them give the same order of classes."""
    above, found, curated = made
    other = dict(zip(LABELS, order, strict=True))
    renamed = {other[low]: {other[high]: claims for high, claims in highs.items()} for low, highs in above.items()}
    kept = _reduced(_without_idle(above, found, curated))
    same = _reduced(_without_idle(renamed, {other[w] for w in found}, {other[w] for w in curated}))
    assert {other[k]: {other[high] for high in v} for k, v in kept.items()} == {k: set(v) for k, v in same.items()}

"""Suffixes that name classes, learned from the names of a corpus."""

from __future__ import annotations

from ontology.evidence import Claim, TermCorpus
from ontology.evidence.compounds import Compounds
from ontology.evidence.suffixes import SUFFIXES, stem_of, suffixes

AGENTS = ("催化剂", "添加剂", "吸附剂", "氧化剂", "还原剂")


def names(*labels: str) -> dict[str, int]:
    return dict.fromkeys(labels, 1)


def test_a_stem_is_a_word() -> None:
    compounds = Compounds(names("催化剂"))
    assert stem_of("催化剂", compounds) == "催化"
    assert stem_of("活性污泥法", compounds) == "活性污泥"
    assert stem_of("和谐社会", compounds) is None  # 社会 is the word
    assert stem_of("中小学", compounds) is None  # 小学 is commoner than 中小
    assert stem_of("药剂", compounds) is None  # one character before it
    assert stem_of("heart failure", compounds) is None


def test_a_suffix_has_four_free_stems() -> None:
    assert suffixes(Compounds(names(*AGENTS))) == {"剂"}
    assert suffixes(Compounds(names(*AGENTS[:3]))) == set()


def test_a_character_that_begins_more_words_is_no_suffix() -> None:
    others = ("剂量", "剂型", "剂子", "剂师", "剂例", "剂次")
    assert suffixes(Compounds(names(*AGENTS, *(f"{o}变化" for o in others)))) <= {"剂"}


def test_qualities_processes_and_what_stands_before_nouns_are_no_classes() -> None:
    qualities = names("有效性", "稳定性", "可靠性", "安全性", "现代化", "全球化", "市场化", "民主化")
    assert not suffixes(Compounds(qualities))
    adjectives = names("复合肥料", "催化剂中毒", "添加剂残留", "吸附剂再生", "氧化剂用量")
    assert not suffixes(Compounds(adjectives))


def test_a_term_with_a_head_is_not_placed_by_its_suffix() -> None:
    corpus = TermCorpus((), ["催化剂", "金属催化剂"], names=names(*AGENTS, "金属催化剂"))
    earlier = [Claim("金属催化剂", "催化剂", "head noun", "head noun")]
    assert [(c.narrower, c.broader, c.rule) for c in SUFFIXES.claims(corpus, earlier)] == [("催化剂", "剂", "suffix")]


def test_what_sentences_state_of_two_members_holds_for_the_class() -> None:
    corpus = TermCorpus((), ["催化剂", "添加剂"], names=names(*AGENTS))
    stated = [Claim(t, "化学品", "pattern", "pattern X等Y", (t,), 1, 1.0, f"{t}等化学品") for t in ("催化剂", "添加剂")]
    (linked,) = (c for c in SUFFIXES.claims(corpus, stated) if c.narrower == "剂")
    assert (linked.broader, linked.rule, linked.documents, linked.sentence) == (
        "化学品", "pattern", ("催化剂", "添加剂"), "催化剂等化学品",
    )  # fmt: skip
    assert not [c for c in SUFFIXES.claims(corpus, stated[:1]) if c.narrower == "剂"]

"""Suffixes that name classes, learned from the names of a corpus."""

from __future__ import annotations

from ontology.evidence import Claim, TermCorpus
from ontology.evidence.compounds import Compounds
from ontology.evidence.suffixes import SUFFIXES, is_member, stem_of, suffixes
from ontology.terms.lexicon import suffix_classes
from ontology.terms.term_rules import empty_heads

ENZYMES = ("过氧化氢酶", "歧化酶", "脱氢酶")
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


def test_a_suffix_without_a_noun_has_four_free_stems() -> None:
    assert suffixes(Compounds(names(*AGENTS))) == {"剂"}
    assert suffixes(Compounds(names(*AGENTS[:3]))) == set()


def test_two_stems_are_enough_for_a_suffix_whose_class_the_language_names() -> None:
    assert suffixes(Compounds(names(*ENZYMES[:2]))) == {"酶"}
    assert suffixes(Compounds(names(*ENZYMES[:1]))) == set()


def test_every_noun_of_a_suffix_says_what_a_thing_is() -> None:
    nouns = {row.noun for row in suffix_classes().values()}
    assert len(suffix_classes()) > 50
    assert not nouns & empty_heads()
    assert all(len(suffix) == 1 for suffix in suffix_classes())


def test_nouns_of_two_characters_are_members_where_the_language_says_so() -> None:
    compounds = Compounds(names("污水"))
    assert is_member("污水", compounds)
    assert not is_member("大学", compounds)  # 学: no short nouns
    assert not is_member("降水", compounds)  # a verb and its object
    assert not is_member("联合国", compounds)  # an organisation


def test_a_character_that_begins_more_words_is_no_suffix() -> None:
    others = ("剂量", "剂型", "剂子", "剂师", "剂例", "剂次")
    assert suffixes(Compounds(names(*AGENTS, *(f"{o}变化" for o in others)))) <= {"剂"}


def test_qualities_processes_and_what_stands_before_nouns_are_no_classes() -> None:
    qualities = names("有效性", "稳定性", "可靠性", "安全性", "现代化", "全球化", "市场化", "民主化")
    assert not suffixes(Compounds(qualities))
    adjectives = names("复合肥料", "催化剂中毒", "添加剂残留", "吸附剂再生", "氧化剂用量")
    assert not suffixes(Compounds(adjectives))


def test_a_term_is_placed_by_its_suffix_under_the_noun_of_the_class() -> None:
    corpus = TermCorpus((), ["教练员", "裁判员", "足球裁判员"], names=names("教练员", "裁判员", "足球裁判员"))
    earlier = [Claim("足球裁判员", "裁判员", "head noun", "head noun")]
    found = [(c.narrower, c.broader, c.rule, c.evidence) for c in SUFFIXES.claims(corpus, earlier)]
    assert found == [(name, "人员", "suffix", "suffix …员") for name in ("教练员", "裁判员")]


def test_a_suffix_without_a_noun_makes_no_class_by_itself() -> None:
    assert not SUFFIXES.claims(TermCorpus((), list(AGENTS), names=names(*AGENTS)), ())


def test_what_sentences_state_of_two_members_names_the_class() -> None:
    corpus = TermCorpus((), ["催化剂", "添加剂", "吸附剂"], names=names(*AGENTS))
    stated = [Claim(t, "化学品", "pattern", "pattern X等Y", (t,), 1, 1.0, f"{t}等化学品") for t in ("催化剂", "添加剂")]
    found = [(c.narrower, c.broader, c.rule) for c in SUFFIXES.claims(corpus, stated)]
    assert found == [(name, "化学品", "suffix") for name in ("催化剂", "添加剂", "吸附剂")]
    assert not SUFFIXES.claims(corpus, stated[:1])


def test_what_sentences_state_of_two_members_holds_for_a_class_with_a_noun() -> None:
    corpus = TermCorpus((), list(ENZYMES), names=names(*ENZYMES))
    stated = [Claim(t, "蛋白质", "pattern", "pattern X等Y", (t,), 1, 1.0, f"{t}等蛋白质") for t in ENZYMES[:2]]
    (linked,) = (c for c in SUFFIXES.claims(corpus, stated) if c.narrower == "酶")
    assert (linked.broader, linked.rule, linked.documents, linked.sentence) == (
        "蛋白质", "pattern", ENZYMES[:2], f"{ENZYMES[0]}等蛋白质",
    )  # fmt: skip

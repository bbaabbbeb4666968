from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.class_labels import ClassLabels
from ontology.iris import IriRegister, namespace
from ontology.model import Document
from ontology.terms import study_terms
from ontology.terms.abbreviations import _abbreviates, _long_form, abbreviation_lexicon, find_abbreviations
from ontology.terms.lexicon import EMPTY, Entry, Lexicon


def found(*texts: str) -> dict[str, str]:
    documents = [Document(f"d{n}", "", text) for n, text in enumerate(texts)]
    return {a.short: a.long for a in find_abbreviations(documents)}


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("An angiotensin-converting enzyme (ACE) inhibitor was given.", "ACE", "angiotensin-converting enzyme"),
        ("Patients with coronary heart disease (CHD) died.", "CHD", "coronary heart disease"),
        ("We measured BMI (body mass index) twice.", "BMI", "body mass index"),
        ("Beta receptor antagonists (BRAs) were compared.", "BRA", "beta receptor antagonist"),
    ],
)
def test_english_definitions_in_both_orders(text: str, short: str, long: str) -> None:
    assert found(text) == {short: long}


@pytest.mark.parametrize(
    "text",
    [
        "The dose was reduced (P < 0.05).",
        "All patients (see Table 2) were men.",
        "This was shown before (Smith et al., 1999).",
        "A class of patients (NYHA) was excluded.",
        "Grade three (III) tumours.",
        "法经济学(又称经济分析法学)是新学科。法经济学(又称经济分析法学)的发展。",
    ],
)
def test_other_parentheses_define_nothing(text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("研究国内生产总值(GDP)的变化。", "GDP", "国内生产总值"),
        ("采用遗传算法（genetic algorithm，GA）求解。", "GA", "遗传算法"),
        ("中国人民政治协商会议（简称政协）的职能。", "政协", "中国人民政治协商会议"),
        ("世贸组织（世界贸易组织）的规则。", "世贸组织", "世界贸易组织"),
    ],
)
def test_chinese_definitions(text: str, short: str, long: str) -> None:
    assert found(text, f"关于{long}。")[short] == long


@pytest.mark.parametrize("text", ["按预警系统(DART)分组。", "按DART(预警系统)分组。"])
def test_the_letters_of_a_short_form_need_words_of_the_name(text: str) -> None:
    more = "关于预警系统。临床肺部感染评分高。"
    assert found(text, more) == {}
    assert found(text.replace("DART", "WEA"), more) == {"WEA": "预警系统"}
    assert found("预警系统(drought and rain table，DART)。", more) == {"DART": "预警系统"}
    assert found("临床肺部感染评分(CPIS)下降。", more) == {"CPIS": "临床肺部感染评分"}


def test_a_short_form_with_two_long_forms_is_not_used() -> None:
    assert found("The heart rate (HR) rose.", "The hazard ratio (HR) fell.") == {}


def test_a_short_form_that_is_a_word_is_not_used() -> None:
    assert found("A light emitting diode (LED) is bright.", "It led to change.") == {}


def test_the_label_is_the_long_form_unless_hardly_used() -> None:
    rare = [Document("d0", "", "The deoxyribonucleic acid (DNA) of cells.")]
    rare += [Document(f"d{n}", "", f"DNA of species {n}.") for n in range(1, 8)]
    assert abbreviation_lexicon(find_abbreviations(rare), rare).entries == (
        Entry("", "DNA", (), ("deoxyribonucleic acid",)),
    )
    both = [Document(f"d{n}", "", "Heart failure (HF). Heart failure kills.") for n in range(3)]
    assert abbreviation_lexicon(find_abbreviations(both), both).entries == (Entry("", "heart failure", (), ("HF",)),)


def test_a_study_joins_both_forms_and_says_where_they_are_defined() -> None:
    texts = [
        "Chronic heart failure (CHF) is common.",
        "CHF was treated.",
        "Patients with chronic heart failure.",
        "CHF.",
    ]
    study = study_terms([Document(f"d{n}", "", text) for n, text in enumerate(texts)])
    assert study.canonical("CHF") == "chronic heart failure"
    assert study.measured["chronic heart failure"].document_frequency == 4
    assert "CHF" not in study.measured
    assert any("abbreviated as CHF in 1 document; d0" in reason for reason in study.why("chronic heart failure"))


def test_the_words_of_the_user_take_precedence() -> None:
    documents = [Document(f"d{n}", "", "Chronic heart failure (CHF) is common.") for n in range(3)]
    mine = Lexicon((Entry("", "congestive heart failure", (), ("CHF",)),))
    assert study_terms(documents, mine).canonical("CHF") == "congestive heart failure"


def test_a_corpus_without_definitions_leaves_the_lexicon_as_it_is() -> None:
    assert study_terms([Document("d", "", "Rain fell.")]).lexicon == EMPTY


@given(st.text(string.ascii_letters + " -", max_size=60), st.text(string.ascii_uppercase, min_size=2, max_size=5))
def test_a_long_form_has_the_letters_of_the_short_one_and_begins_with_its_first(before: str, short: str) -> None:
    long = _long_form(short, before)
    if long:
        rest = iter(long.lower())
        assert all(letter in rest for letter in short.lower())
        assert len(long) > len(short)
        assert long in " ".join(before.split())


@given(st.text("中国人民政治协商会议", min_size=1, max_size=6), st.text("中国人民政治协商会议", max_size=10))
def test_no_word_abbreviates_one_that_contains_it(short: str, long: str) -> None:
    assert not (_abbreviates(short, long) and short in long)
    assert not _abbreviates(long, long)


def test_short_forms_are_further_labels_of_the_class_in_both_languages() -> None:
    lexicon = Lexicon(
        (Entry("", "heart failure", (), ("HF",)), Entry("遗传算法", "genetic algorithm", ("GA",), ("GA",)))
    )
    labels = ClassLabels(
        {"遗传算法": "genetic algorithm"}, lexicon, IriRegister(namespace("medicine", "https://w3id.org/x/"))
    )
    english, chinese = labels.concept(("heart failure",)), labels.concept(("遗传算法",))
    assert (english.label_en, english.alt_en, english.label_zh, english.alt_zh) == ("heart failure", ("HF",), "", ())
    assert (chinese.label_zh, chinese.alt_zh, chinese.label_en, chinese.alt_en) == (
        "遗传算法", ("GA",), "genetic algorithm", ("GA",),
    )  # fmt: skip

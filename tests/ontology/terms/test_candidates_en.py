from __future__ import annotations

import pytest

from ontology.model import Document
from ontology.terms import study_terms
from ontology.terms.candidates_en import EnglishCandidates
from ontology.terms.noun_phrases_en import EnglishTexts

TRIALS = (
    "Captopril lowers the blood pressure of rats. Captopril is an ACE inhibitor.",
    "Enalapril reduces blood pressure. The effect of enalapril was larger than that of captopril and captopril alone.",
    "ACE inhibitors such as captopril and enalapril reduce blood pressure. We gave captopril for two years.",
    "In four years the blood pressure of patients fell by a very short treatment. An ACE inhibitor was better.",
    "Charles Darwin saw a short tail in London.",
    "A short tail was seen by Charles Darwin in London.",
    "In London Charles Darwin drew a short tail.",
)


def candidates() -> EnglishCandidates:
    return EnglishCandidates(TRIALS)


def test_terms_are_noun_phrases_in_the_singular() -> None:
    texts = study_terms([Document(f"d{n}", "", text) for n, text in enumerate(TRIALS)]).names
    assert {"captopril", "enalapril", "blood pressure", "ACE inhibitor"} <= texts.keys()
    assert not {"enalapril reduce", "captopril lower", "ACE inhibitors", "year", "effect"} & texts.keys()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("effect", "generic"),
        ("charles darwin", "name"),
        ("london", "name"),
        ("short tail", "describes"),
    ],
)
def test_why_a_candidate_is_no_term(text: str, reason: str) -> None:
    assert reason in candidates().why_no_term(text)


def test_units_are_no_terms() -> None:
    assert "unit" in EnglishCandidates(["They grow to 5 metres and 20 metres.", "A depth of 3 metres."]).why_no_term(
        "metre"
    )


def test_a_number_with_a_unit_begins_no_term() -> None:
    english = EnglishCandidates(["A 20 cm wingspan and 3 cm.", "The bird of 30 cm wingspan.", "It is 5 cm long."])
    assert "unit" in english.why_no_term("cm wingspan")


def test_a_word_in_every_text_once_is_general_and_one_repeated_in_few_is_not() -> None:
    texts = [f"The landscape of site {n}." for n in range(20)]
    texts += ["The enzyme binds. This enzyme cuts. An enzyme acts. Another enzyme."] * 2
    english = EnglishCandidates([f"{text} Number{n}." for n, text in enumerate(texts)])
    assert english.why_general("landscape")
    assert english.residual("enzyme") > 1


def test_a_plural_and_a_hyphen_count_for_one_candidate() -> None:
    english = EnglishCandidates(["A heavy-metal ion.", "Heavy metal ions.", "The heavy metal ion of lead."])
    assert english.counts["heavy metal ion"].documents == 3


def test_c_value_takes_off_what_longer_candidates_cover() -> None:
    english = EnglishCandidates(["The red blood cell. A red blood cell.", "Red blood cells.", "A blood cell."])
    assert english.counts["blood cell"].frequency == 4
    assert english.c_value("blood cell") == pytest.approx(1.585 * (4 - 3), abs=0.01)
    assert english.c_value("red blood cell") == pytest.approx(2 * 3)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Birds migrate in the breeding season.", ["birds", "breeding season"]),
        ("The drug given to patients failed.", ["drug", "patients"]),
        ("Cells e.g. neurons divide.", ["cells", "neurons"]),
        ("Cells divide, see Fig. 2 and eds. of doi 10.1.", ["cells"]),
    ],
)
def test_noun_phrases(text: str, phrases: list[str]) -> None:
    (found,) = EnglishTexts([text]).phrases()
    assert [" ".join(p.words).lower() for p in found] == phrases


def test_plurals_elsewhere_make_a_noun_of_an_adjective() -> None:
    texts = EnglishTexts(["Action potentials are waves.", "An action potential passes."])
    assert [" ".join(p.words) for phrases in texts.phrases() for p in phrases][-1] == "action potential"


def test_sentences_that_texts_share_are_boilerplate() -> None:
    texts = EnglishTexts(["A copyright notice.\nA cat."] * 2 + ["A copyright notice.\nA dog."])
    assert all("notice" not in p.words for phrases in texts.phrases() for p in phrases)


def test_no_text_gives_no_candidate() -> None:
    assert EnglishCandidates([]).counts == {}
    assert EnglishCandidates([""]).counts == {}

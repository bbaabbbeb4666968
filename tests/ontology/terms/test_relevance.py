"""Relevance: how much of a term's use other texts do not explain."""

from __future__ import annotations

import pytest

from ontology.model import Document
from ontology.terms import study_terms
from ontology.terms.document_frequencies import DocumentFrequencies, shipped
from ontology.terms.keyness import Background, general_english
from ontology.terms.relevance import relevance, relevance_by_documents, relevance_by_words

GENERAL = DocumentFrequencies({"水质": 10, "结果": 800}, 1000, "an example", 3)


@pytest.mark.parametrize(
    ("here", "elsewhere", "value"), [(0.5, 0.0, 1.0), (0.2, 0.05, 0.75), (0.1, 0.1, 0.0), (0.1, 0.9, 0.0)]
)
def test_relevance_is_the_share_of_use_that_other_texts_do_not_explain(
    here: float, elsewhere: float, value: float
) -> None:
    assert relevance(here, elsewhere) == pytest.approx(value)


def test_a_term_as_common_elsewhere_is_not_relevant() -> None:
    assert relevance_by_documents("结果", 80, 100, GENERAL) == pytest.approx(0, abs=0.01)
    assert relevance_by_documents("水质", 80, 100, GENERAL) > 0.98


def test_plurals_count_for_the_singular() -> None:
    table = Background({"engine": 10, "engines": 10}, 10_000, "an example")
    assert relevance_by_words("engine", 20, 1_000, table) == pytest.approx(1 - (20.5 / 10_000) / (20.5 / 1_000))


def test_general_english_ranks_words_by_how_common_they_are() -> None:
    counts = general_english().frequency
    assert counts["the"] > counts["house"] > counts["locomotive"] > 0
    assert sum(counts.values()) == general_english().total


def test_a_word_of_all_disciplines_ranks_low_unless_it_is_known_to_belong_to_the_field() -> None:
    texts = ["污泥的处理和结构", "污泥与结构", "污泥的结构变化", "厌氧污泥的结构"] * 3
    documents = [Document(str(n), text, "", keywords=("污泥", "土壤结构")) for n, text in enumerate(texts)]
    general = {t.text: t.score for t in study_terms(documents).best().terms}
    assert shipped().of(["结构"]) > 100 * shipped().of(["污泥"]) / 10
    plain, known = study_terms(documents), study_terms(documents, is_known=lambda term: True)
    for term in ("污泥", "土壤结构"):
        assert plain.measured[term].score <= known.measured[term].score
    assert general["污泥"] > 0

"""Explanations: each way to be kept or dropped, and the lists."""

from __future__ import annotations

import pytest

from ontology.model import Document
from ontology.terms import TermError, TermLists, TermStudy, explain_term, study_terms
from ontology.terms.lexicon import EMPTY, Entry, Lexicon

LEXICON = Lexicon(
    (
        Entry("洪涝灾害", "flood disaster", ("水灾",), ("flood hazard",)),
        Entry("沙尘暴", "dust storm"),
        Entry("暴雨", "rainstorm"),
    )
)


def corpus() -> list[Document]:
    texts = [
        ("城市内涝模拟", "暴雨引发城市内涝。雨洪耦合模型，研究区域为城区。", ("城市内涝", "时空分布", "新疆")),
        ("城市内涝预警", "暴雨预警与城市内涝的研究区域。雨洪耦合模型较好。", ("城市内涝", "GIS", "A/B词")),
        ("山洪与暴雨", "暴雨的影响。雨洪耦合模型。研究区域有心理台风眼效应。", ("山洪", "夏季")),
        ("水灾", "水灾严重，研究区域为城区，雨洪耦合模型，内涝积水点。", ("水灾",)),
    ]
    return [Document(f"d{n}", title, abstract, keywords) for n, (title, abstract, keywords) in enumerate(texts)]


@pytest.fixture(scope="module")
def study() -> TermStudy:
    return study_terms(corpus(), LEXICON)


def test_a_kept_keyword(study: TermStudy) -> None:
    found = explain_term(study, "城市内涝")
    assert found.status == "kept"
    assert found.reasons == ("author keyword of 2 documents",)
    assert (found.document_frequency, found.frequency) == (2, 6)  # keywords are text too
    assert (found.figures.documents, found.figures.frequency, found.figures.keyword_documents) == (2, 4, 2)
    assert found.rank is not None
    assert [t.text for t in study.ranked[0]][found.rank - 1] == "城市内涝"
    assert found.sentences[0] == ("d0", "城市内涝模拟")
    assert found.parts


def test_a_kept_compound(study: TermStudy) -> None:
    found = explain_term(study, "雨洪耦合模型")
    assert found.status == "kept"
    assert found.reasons == ("compound of 3 words in 4 documents",)
    assert not found.in_lexicon


def test_a_synonym_counts_for_its_preferred_word() -> None:
    study = study_terms(corpus(), LEXICON, min_documents=1)
    found = explain_term(study, "水灾")
    assert (found.term, found.status) == ("洪涝灾害", "kept")
    assert found.synonyms == ("水灾", "flood disaster", "flood hazard")
    assert found.reasons == ("author keyword of 1 document", "in the lexicon")
    assert explain_term(study, "Flood Hazard").term == "洪涝灾害"


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ("时空分布", "generic word or description"),
        ("新疆", "place"),
        ("夏季", "generic word or description"),
        ("GIS", "no Han character, in a Chinese record"),
        ("A/B词", "has marks that no term has"),
        ("山洪", "in 1 document, fewer than 2"),
        ("研究区域", "generic word or description"),
        ("耦合模型", "almost only within 雨洪耦合模型 (4 of 4 documents)"),
        ("洪涝灾害", "in 1 document, fewer than 2"),
    ],
)
def test_dropped_candidates(study: TermStudy, term: str, reason: str) -> None:
    found = explain_term(study, term)
    assert (found.status, found.reasons) == ("dropped", (reason,))
    assert found.rank is None


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ("火山", "none of 4 documents has it"),
        ("沙尘暴", "none of 4 documents has it"),
        ("暴雨的影响", "holds 的"),
        ("水", "2 characters or more"),
        ("心理台风眼", "fewer than 2"),
        ("雨洪耦合模型。研究区域", "longer than 4 words"),
    ],
)
def test_what_is_no_candidate(study: TermStudy, term: str, reason: str) -> None:
    found = explain_term(study, term)
    assert found.status == "no candidate"
    assert reason in found.reasons[0]


def test_a_term_that_only_longer_words_hold() -> None:
    lexicon = Lexicon((Entry("心理台风眼效应", "psychological typhoon eye effect"),))
    documents = [Document(f"d{i}", "心理台风眼效应与暴雨", "", ("暴雨",)) for i in range(3)]
    found = explain_term(study_terms(documents, lexicon), "台风眼")
    assert found.status == "no candidate"
    assert "inside longer words only, 心理台风眼效应 (3)" in found.reasons[0]
    assert found.longer == (("心理台风眼效应", 3),)


def test_a_general_word_that_one_author_names() -> None:
    documents = [Document(f"d{i}", "暴雨山洪", "还有情绪的", ("情绪",) if i == 0 else ()) for i in range(40)]
    found = explain_term(study_terms(documents, EMPTY), "情绪")
    assert found.status == "dropped"
    assert found.reasons[0].startswith("general word: in 40 documents, a keyword of 1")


def test_below_the_best(study: TermStudy) -> None:
    found = explain_term(study, "雨洪耦合模型", max_terms=1)
    assert found.status == "dropped"
    assert found.reasons == (f"rank {found.rank}, below the best 1",)


def test_white_terms_are_kept_whatever_the_rules_say() -> None:
    lists = TermLists(white=("时空分布", "沙尘暴", "山洪"))
    study = study_terms(corpus(), LEXICON, lists=lists)
    kept = {t.text for t in study.selection(1).terms}
    assert kept == {"时空分布", "山洪"}
    assert explain_term(study, "时空分布").reasons == ("on the white list",)
    assert explain_term(study, "山洪").reasons == ("on the white list", "author keyword of 1 document")
    assert explain_term(study, "沙尘暴").status == "no candidate"
    assert dict(study.selection().dropped)["沙尘暴"] == "in 0 documents, fewer than 1"


def test_black_terms_are_never_kept_but_wanted_ones_are() -> None:
    lists = TermLists(black=("暴雨", "雨洪耦合模型", "火山"))
    study = study_terms(corpus(), LEXICON, lists=lists)
    assert explain_term(study, "暴雨").reasons == ("on the black list",)
    assert explain_term(study, "雨洪耦合模型").reasons == ("on the black list",)
    assert explain_term(study, "火山").status == "dropped"
    wanted = study_terms(corpus(), LEXICON, wanted=["暴雨"], lists=lists).selection()
    assert wanted.why["暴雨"] == ("asked for", "in the lexicon")


def test_stop_words_drop_keywords_and_compounds() -> None:
    study = study_terms(corpus(), LEXICON, lists=TermLists(stop=("内涝", "模型")))
    for term in ("城市内涝", "雨洪耦合模型"):
        found = explain_term(study, term)
        assert found.status == "dropped"
        assert found.reasons == (f"begins or ends with a stop word of the user: {term}",)


def test_nothing_left_is_an_error() -> None:
    documents = corpus()
    every = tuple(t.text for t in study_terms(documents, EMPTY).selection().terms)
    with pytest.raises(TermError, match="4 records give no term"):
        study_terms(documents, EMPTY, lists=TermLists(black=every)).selection()


def test_generic_words_rank_low_and_domain_terms_high() -> None:
    words = ("影响", "区域", "研究", "分析", "指数")
    documents = [
        Document(
            f"d{i}",
            f"{'暴雨' if i % 2 else '台风'}灾害的影响",
            f"研究区域的分析，指数。{'暴雨' if i % 2 else '台风'}灾害严重。",
        )
        for i in range(8)
    ]
    kept = {t.text for t in study_terms(documents, EMPTY).selection().terms}
    assert {"暴雨灾害", "台风灾害"} <= kept
    assert not kept & set(words)


def test_english_documents_give_english_terms() -> None:
    texts = [
        ("Flash flood warning", "Storm surge models and radar rainfall. The results show storm surges."),
        ("Storm surge modelling", "Radar rainfall and flash floods. We present an analysis."),
        ("Radar rainfall", "Flash floods; a storm surge. The results show an effect."),
    ]
    documents = [
        Document(f"e{n}", "", title_en=t, abstract_en=a, keywords_en=("Landslide",)) for n, (t, a) in enumerate(texts)
    ]
    found = {t.text: t.document_frequency for t in study_terms(documents, EMPTY).selection().terms}
    assert found == {"landslide": 3, "storm surge": 3, "radar rainfall": 3, "flash flood": 3}
    lexicon = Lexicon((Entry("风暴潮", "storm surge"),))
    assert "风暴潮" in {t.text for t in study_terms(documents, lexicon).selection().terms}


def test_english_metadata_of_chinese_records_give_no_second_term() -> None:
    documents = [
        Document(
            f"d{i}", "城市内涝", "城市内涝严重", ("城市内涝",), "Urban flood", "Urban flood risk", ("urban flood",)
        )
        for i in range(3)
    ]
    assert [t.text for t in study_terms(documents, EMPTY).selection().terms] == ["城市内涝"]


def test_latin_words_are_spelled_as_in_the_texts() -> None:
    documents = [Document(f"d{i}", "WRF模式模拟", "用WRF模式模拟降水") for i in range(3)]
    assert "WRF模式" in {t.text for t in study_terms(documents, EMPTY).selection().terms}

"""Candidate terms, their ranking, and the incidence of terms in documents."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model import Document
from ontology.terms import TermError, incidence, study_terms, term_counts
from ontology.terms.form_matcher import FormMatcher
from ontology.terms.lexicon import EMPTY, Entry, Lexicon, bundled
from ontology.terms.occurrences import TermMatcher, is_chinese, is_head
from ontology.terms.segment import segmenter
from ontology.terms.term_rules import Rules
from ontology.terms.wordforms import normal

SAMPLE = Path(__file__).parents[3] / "ontocrawl" / "sample" / "abstracts.txt"


def document(number: int, title: str, abstract: str = "", keywords: tuple[str, ...] = (), **more: str) -> Document:
    return Document(f"d{number}", title, abstract, keywords, **more)  # type: ignore[arg-type]


def test_metaphor_is_no_occurrence_of_its_modifier() -> None:
    documents = [document(1, "心理台风眼效应研究", "台风眼"), document(2, "台风路径", "强台风登陆")]
    terms = ("台风", "心理台风眼效应", "强台风", "登陆")
    assert incidence(documents, terms, bundled("earth")) == (
        ("d1", "心理台风眼效应"),
        ("d2", "台风"),
        ("d2", "强台风"),
        ("d2", "登陆"),
    )


def test_the_head_of_a_compound_counts_and_no_other_part() -> None:
    (counts,) = term_counts([document(1, "山洪灾害", "大暴雨")], ("山洪灾害", "灾害", "山洪", "暴雨"))
    assert counts == Counter({"山洪灾害": 1, "灾害": 1, "暴雨": 1})


@pytest.mark.parametrize(
    ("form", "compound", "is_one"),
    [
        ("灾害", "山洪灾害", True),
        ("暴雨", "特大暴雨", True),
        ("大暴雨", "特大暴雨", False),
        ("气旋", "反气旋", False),
        ("台风", "台风眼", False),
        ("雨", "暴雨", False),
        ("暴雨", "暴雨", False),
    ],
)
def test_heads(form: str, compound: str, is_one: bool) -> None:
    assert is_head(form, compound) is is_one


def test_matching_is_leftmost_longest_folded_and_keeps_latin_words_whole() -> None:
    matcher = TermMatcher({"SAR": "sar", "WRF模式": "wrf", "暴雨": "rain"})
    assert matcher.count("SARS与ＳＡＲ影像，wrf模式模拟暴雨") == Counter(("sar", "wrf", "rain"))
    english = TermMatcher({"flood": "洪水", "flash flood": "山洪"}, english=True)
    assert english.count("Flash floods, flash-flood\nflooded, floods") == Counter({"山洪": 2, "洪水": 1})
    assert english.count("flash\nflood") == Counter({"洪水": 1})
    assert TermMatcher({}).count("暴雨") == Counter()


@given(st.lists(st.text("暴雨大水灾害ab", min_size=1, max_size=4), max_size=6), st.text("暴雨大水灾害ab ", max_size=40))
def test_matches_do_not_overlap_and_stand_in_the_text(forms: list[str], text: str) -> None:
    folded, free = normal(text), 0
    (spans,) = FormMatcher([{form: number for number, form in enumerate(forms)}]).spans(folded)
    for start, end, number in spans:
        assert start >= free
        assert folded[start:end] == forms[number]
        free = end


def test_synonyms_and_english_metadata_count_for_the_preferred_word() -> None:
    lexicon = Lexicon((Entry("洪涝灾害", "flood disaster", ("水灾",), ("flood hazard",)),))
    documents = [document(1, "一次水灾"), document(2, "无", abstract_en="Flood hazards in cities")]
    assert incidence(documents, ("洪涝灾害",), lexicon) == (("d1", "洪涝灾害"), ("d2", "洪涝灾害"))


def corpus() -> list[Document]:
    return [
        document(
            1, "城市内涝模拟", "暴雨引发城市内涝。雨洪耦合模型用于模拟。", ("城市内涝", "暴雨", "新疆", "时空分布")
        ),
        document(2, "城市内涝预警", "暴雨预警与城市内涝。雨洪耦合模型较好。", ("城市内涝", "预警", "塔里木盆地")),
        document(3, "山洪与暴雨", "暴雨山洪。雨洪耦合模型。", ("山洪", "暴雨", ";怪", "A/B词")),
        document(4, "水灾", "洪涝灾害严重。", ("水灾", "夏季")),
    ]


def test_extraction_keeps_domain_terms_and_explains_the_rest() -> None:
    selection = study_terms(corpus(), bundled("earth")).selection()
    kept = {t.text: t for t in selection.terms}
    assert kept["暴雨"].document_frequency == 2  # 暴雨预警 hides it in the second document
    assert kept["城市内涝"].is_keyword
    assert "雨洪耦合模型" in kept
    dropped = dict(selection.dropped)
    assert dropped["新疆"] == "place"
    assert dropped["塔里木盆地"] == "place"
    assert dropped["时空分布"].startswith("generic")
    assert dropped["A/B词"].startswith("has marks")
    assert dropped["洪涝灾害"] == "in 1 document, fewer than 2"
    scores = [t.score for t in selection.terms]
    assert scores == sorted(scores, reverse=True)


def test_wanted_terms_are_kept_and_one_without_document_is_an_error() -> None:
    texts = [t.text for t in study_terms(corpus(), bundled("earth"), wanted=["水灾"]).selection(1).terms]
    assert texts == ["洪涝灾害"]
    with pytest.raises(TermError, match="no document contains 沙尘暴"):
        study_terms(corpus(), bundled("earth"), wanted=["沙尘暴"]).selection()


def test_no_shared_term_is_an_error() -> None:
    with pytest.raises(TermError, match="give no term"):
        study_terms([document(1, "甲"), document(2, "乙")], EMPTY).selection()


def test_segmenters_do_not_see_each_others_words() -> None:
    assert [t.text for t in segmenter(("雨洪耦合模型",)).cut("雨洪耦合模型")] == ["雨洪耦合模型"]
    assert len(segmenter(()).cut("雨洪耦合模型")) > 1


def _cut(text: str) -> list[str]:
    return [t.text for t in segmenter(("雨洪耦合模型",)).cut(text)]


@pytest.mark.slow
def test_processes_that_start_together_share_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        answers = pool.map(_cut, ["雨洪耦合模型和暴雨"] * 6, chunksize=1)
    assert answers == [["雨洪耦合模型", "和", "暴雨"]] * 6
    assert [p.suffix for folder in tmp_path.iterdir() for p in folder.iterdir()] == [".cache"]


@pytest.mark.parametrize(
    ("keyword", "reason"),
    [
        ("贺兰山", "place"),
        ("博斯腾湖", "place"),
        ("毛乌素沙地", "place"),
        ("塔里木河下游", "place"),
        ("台风", ""),
        ("冰川湖", ""),
        ("海底火山", ""),
        ("滑坡", ""),
        ("时空演变", "generic word or description"),
        ("模型,动物", "has marks that no term has"),
        ("2021年", "time, number or foreign name"),
        ("一百零一个字太长的关键词没有人要", "not a Chinese word of 2 to 12 characters"),
    ],
)
def test_rules_for_keywords(keyword: str, reason: str) -> None:
    assert Rules(EMPTY).keyword(keyword) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("雨洪耦合模型", ""),
        ("流域为例", "为例"),
        ("降水58a", "number with a unit"),
        ("影响区域", "generic"),
        ("提高暴雨", "提高"),
        ("北京城市", "place"),
        ("海绵城市", ""),
        ("冰凌堆积坝", ""),
        ("潜水挖掘船", ""),
        ("出现冰凌", "person"),
        ("出现", "generic"),
        ("堆积", "is a verb"),
        ("郑州市", "place"),
        ("特征分析", "generic"),
        ("发挥作用", "generic"),
        ("有中国特色", "part of a clause"),
        ("无明显诱因", "part of a clause"),
        ("wave buoy network", ""),
        ("storm glass", ""),
        ("glass were", "were"),
    ],
)
def test_rules_for_candidates_of_the_texts(text: str, reason: str) -> None:
    rules = Rules(EMPTY)
    found = rules.candidate(rules.tokens(text))
    assert found == "" if not reason else reason in found


@pytest.mark.parametrize(
    ("title", "abstract", "chinese"),
    [
        ("暴雨研究", "WRF模式的模拟结果", True),
        ("暴雨研究", "", True),
        ("Landslides of the Yangtze (长江)", "Landslides are frequent in the basin of the river.", False),
        ("Landslides", "", False),
    ],
)
def test_an_english_text_with_a_chinese_name_is_english(title: str, abstract: str, chinese: bool) -> None:
    assert is_chinese(Document("d", title, abstract)) is chinese

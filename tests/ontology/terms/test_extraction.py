"""Candidate terms, their ranking, and the incidence of terms in documents."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model import Document
from ontology.terms import TermError, TermLists, incidence, study_terms, term_counts
from ontology.terms.form_matcher import FormMatcher
from ontology.terms.lexicon import EMPTY, Entry, Lexicon, bundled
from ontology.terms.occurrences import TermMatcher, is_chinese, is_head
from ontology.terms.segment import Token, segmenter
from ontology.terms.term_rules import (
    MIN_KEYNESS,
    Rules,
    weight,
    why_general_en,
    why_general_zh,
    why_hardly_a_keyword,
    why_no_kind,
    why_unlikely,
)
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_wanted_terms_are_kept_and_one_without_document_is_an_error() -> None:
    texts = [t.text for t in study_terms(corpus(), bundled("earth"), wanted=["水灾"]).selection(1).terms]
    assert texts == ["洪涝灾害"]
    with pytest.raises(TermError, match="no document contains 沙尘暴"):
        study_terms(corpus(), bundled("earth"), wanted=["沙尘暴"]).selection()


def test_no_shared_term_is_an_error() -> None:
    with pytest.raises(TermError, match="give no term"):
        study_terms([document(1, "甲"), document(2, "乙")], EMPTY).selection()


@pytest.mark.slow
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


def _of_lakes() -> list[Document]:
    """湖泊 is a keyword of two, the end of no longer name; 水库 of three; 灾害 the end of two."""
    keywords = ("湖泊", "水库", "高山灾害", "高山体系"), ("湖泊", "水库", "平原灾害", "高山体系"), ("水库", "平原灾害")
    names = (*keywords, ("灾害", "高山灾害"), ("灾害", "生态多样性"), ("生态多样性",))
    return [document(n, "、".join(words), "", words) for n, words in enumerate(names)]


def test_a_word_of_two_characters_needs_keywords_or_longer_names() -> None:
    selection = study_terms(_of_lakes()).selection()
    kept = {t.text for t in selection.terms}
    assert {"水库", "灾害", "高山灾害", "平原灾害"} <= kept and "湖泊" not in kept
    reason = "a word without a head, keyword of 2 (fewer than 3), end of 0 longer names (fewer than 2)"
    assert selection.general == (("湖泊", reason),)
    assert ("湖泊", reason) in selection.dropped


def test_a_keyword_of_two_documents_needs_no_nominal_last_word() -> None:
    """The dictionary calls many terms adjectives or set phrases: 水污染, 多样性."""
    texts = ("水污染很严重", "水污染不严重", "水库")
    found = [study_terms([document(n, t, "", k) for n, t in enumerate(texts)]).ranked for k in ((), ("水污染",))]
    assert [{t.text for t in kept} & {"水污染"} for kept, _ in found] == [set(), {"水污染"}]
    assert found[0][1]["水污染"].endswith("ends with 水污染, which is no noun")


@pytest.mark.parametrize("how", ["white", "wanted", "lexicon", "curated"])
def test_a_general_word_comes_back_by_a_list(how: str) -> None:
    given = {
        "white": {"lists": TermLists(white=("湖泊",))},
        "wanted": {"wanted": ["湖泊"]},
        "lexicon": {"lexicon": Lexicon((Entry("湖泊", "lake"),))},
        "curated": {"is_known": "湖泊".__eq__},
    }[how]
    selection = study_terms(_of_lakes(), **given).selection()  # type: ignore[arg-type]
    assert "湖泊" in {t.text for t in selection.terms}
    assert not selection.general


def test_a_name_with_an_empty_head_or_a_quality_is_weighted_down() -> None:
    study = study_terms(_of_lakes())
    before, after = ({t.text: t.score for t in terms} for terms in (study.accepted[0], study.ranked[0]))
    assert after["高山体系"] == pytest.approx(0.3 * before["高山体系"])
    assert after["生态多样性"] == before["生态多样性"]  # a keyword of two
    assert after["平原灾害"] == before["平原灾害"]
    assert weight(["生态", "多样性"], 1) == 0.3


def test_nothing_but_general_words_is_said() -> None:
    with pytest.raises(TermError, match="1 general words are no terms"):
        study_terms([document(n, "湖泊", "", ("湖泊",)) for n in range(2)]).selection()


def _words(text: str) -> list[Token]:
    return Rules(EMPTY).tokens(text)


@pytest.mark.parametrize(
    ("name", "ends", "reason"),
    [
        ("邓小平", 0, "person, place or organisation"),
        ("联合国", 0, "person, place or organisation"),
        ("联合国", 2, ""),
        ("冬小麦", 0, ""),  # tagged as a person, but it ends with a noun
        ("鲁棒性", 0, ""),
        ("中国社会", 0, "individual: of one country, 中国"),
        ("社会", 0, ""),
        ("手术后", 0, "part of a clause: ends with 后"),
        ("高中", 0, ""),
        ("政治与经济", 0, "part of a clause: 与 inside"),
        ("饱和脂肪酸", 0, ""),
        ("测试结果表明", 0, "part of a clause: 结果表明"),
        ("结果证明", 0, "part of a clause: 结果证明"),
        ("零知识证明", 0, ""),
        ("长期以来", 0, "part of a clause: ends with 以来"),
        ("世界各地", 0, "part of a clause: ends with 各地"),
        ("不平衡", 0, "no class: 平衡 is denied"),
        ("不锈钢", 0, ""),
    ],
)
def test_individuals_and_pieces_of_clauses(name: str, ends: int, reason: str) -> None:
    assert why_no_kind(_words(name), ends, named=0) == reason


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((Token("抗病性", "n"), Token("强", "a")), "part of a clause: 强 is no noun"),
        ((Token("所有", "b"), Token("患者", "n")), "no kind: 所有 picks out things"),
        ((Token("新", "a"), Token("算法", "n")), "no kind: 新 picks out things"),
    ],
)
def test_what_is_said_of_a_thing_is_a_name_only_where_several_authors_give_it(
    words: tuple[Token, ...], reason: str
) -> None:
    assert why_no_kind(words, 0, named=2) == reason
    assert why_no_kind(words, 0, named=3) == ""


def test_a_head_of_other_names_is_a_term_where_it_is_more_common_than_in_general_text() -> None:
    assert why_general_zh(named=0, ends=2, keyness=MIN_KEYNESS) == ""
    assert why_general_zh(named=3, ends=0, keyness=0.0) == ""
    assert why_general_zh(named=2, ends=9, keyness=3.0) == (
        "a word without a head, keyword of 2 (fewer than 3), 20.1 times as frequent as in general text (less than 54.6)"
    )


def test_a_name_that_hardly_any_author_would_give() -> None:
    told = "expected as an author's keyword in 0.04 documents, fewer than 0.05"
    assert (why_hardly_a_keyword(0.04), why_hardly_a_keyword(0.05)) == (told, "")


def test_a_set_phrase_that_nobody_gives_and_that_ends_like_no_name() -> None:
    told = "a set phrase, no author's keyword, and no other name ends like it"
    assert why_unlikely([Token("世纪之交", "l")], documents=9, alike=1) == told
    assert why_unlikely([Token("管理模式", "l")], documents=9, alike=2) == ""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("河流污染", ""),
        ("实践表明", "in 2 documents, and ends with 表明, which is no noun"),
        ("严重损害", "in 2 documents, and ends with 损害, which is no noun"),
        ("密切相关问题", "in 2 documents, and 密切相关 is an adverb or a set phrase"),
    ],
)
def test_names_of_two_documents_by_their_words(name: str, reason: str) -> None:
    assert why_unlikely(_words(name), documents=2, alike=2) == reason


@pytest.mark.parametrize(("other", "kept"), [("土壤污染", True), ("土壤侵蚀", False)])
def test_a_name_of_two_documents_that_no_author_gives_ends_like_another_name(other: str, kept: bool) -> None:
    """Without the other name nothing can place it."""
    texts = ("治理河流污染。", "河流污染严重。", f"治理{other}。", f"{other}严重。", f"观测{other}。")
    study = study_terms([document(n, "", text) for n, text in enumerate(texts)])
    chosen = study.selection()
    assert ("河流污染" in {t.text for t in chosen.terms}) is kept
    if not kept:
        assert "no other name ends like it" in dict(chosen.dropped)["河流污染"]


def test_what_follows_a_heading_or_a_group_is_part_of_a_sentence() -> None:
    rules = Rules(EMPTY)
    assert rules.candidate([Token("结果", "n"), Token("疗效", "n")]) == "part of a clause: begins with 结果"
    assert rules.candidate([Token("对照组", "n"), Token("血清", "n")]) == "part of a clause: begins with 对照组"
    assert rules.candidate([Token("基因组", "n"), Token("测序", "vn")]) == ""


def test_a_dictionary_word_of_three_characters_without_a_head_is_general() -> None:
    """生命力 ends like no other name, 传感器 with a suffix that names a class."""
    texts = ("生命力与传感器。", "传感器的生命力。", "生命力，传感器。")
    selection = study_terms([document(n, "", text) for n, text in enumerate(texts)]).selection()
    assert "传感器" in {t.text for t in selection.terms}
    assert dict(selection.general)["生命力"].startswith("a word without a head")


@pytest.mark.parametrize(
    ("word", "relevance", "ends", "general"),
    [
        ("gene", 0.97, 0, False),
        ("gene", 0.96, 2, True),
        ("gene", 0.7, 3, False),
        ("gene", 0.69, 30, True),
        ("system", 0.9, 30, True),  # says nothing of what a thing is
        ("system", 0.97, 0, False),
    ],
)
def test_english_single_words(word: str, relevance: float, ends: int, general: bool) -> None:
    assert bool(why_general_en(word, relevance, ends)) is general


def test_single_words_of_english_texts_are_compared_with_general_english() -> None:
    texts = (f"The {w} house has a mitochondrion. A house, a mitochondrion, the house {w} it." for w in ("old", "new"))
    documents = [
        document(n, "", text) for n, text in enumerate((*texts, *(f"They {w} {'and went on ' * 300}" for w in "no")))
    ]
    selection = study_terms(documents).selection()
    assert "mitochondrion" in {t.text for t in selection.terms}
    assert dict(selection.general)["house"].startswith("single word, relevance 0.")

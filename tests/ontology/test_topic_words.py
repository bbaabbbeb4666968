"""The words of a topic: the recipe on small texts, headings, words that persons give."""

from __future__ import annotations

import math

import pytest

from ontology import topic_words as words
from ontology.model import Document
from ontology.terms import paper_fields
from ontology.topic_words import GIVEN, LABEL, TopicWord


def _papers(*abstracts: str) -> words.WordCounts:
    return words.count_words(words.texts_of([Document(str(n), "", text) for n, text in enumerate(abstracts)])["en"])


def test_the_weight_follows_from_the_three_shares() -> None:
    p, g, o = 0.004, 2e-5, 1e-4
    ratio = math.log((p + 2e-6) / (0.5 * (g + 2e-6) + 0.5 * (o + 1e-5)))
    assert words.log_ratio(p, g, o) == pytest.approx(ratio)
    assert words.weight_of(p, g, o) == pytest.approx(0.25 * ratio / 6)
    assert words.weight_of(0.5, 0.0, 0.0) == 0.25 and words.weight_of(1e-6, 1e-3, None) == 0.0


def test_words_of_the_papers_are_ahead_of_general_words_and_of_how_papers_talk() -> None:
    counts = _papers(*("We show that the results of monetary inflation shocks matter" for _ in range(60)))
    talk = paper_fields.count("other", "其他", "other", ["We show that the results of galaxies matter"] * 9)
    alone = {one.word: one.weight for one in words.topic_words(counts)}
    compared = {one.word: one.weight for one in words.topic_words(counts, [talk])}
    assert compared["inflation"] > 2 * compared.get("show", 0.0) and compared["inflation"] > 2 * compared.get(
        "result", 0.0
    )
    assert compared.get("result", 0.0) < alone["result"]
    assert "shock" in compared and "shocks" not in compared


def test_a_word_of_one_abstract_counts_in_a_small_corpus_only() -> None:
    few, many = (_papers("an obscure quasar", *["a bright galaxy"] * n) for n in (10, 60))
    assert "quasar" in {one.word for one in words.topic_words(few)}
    assert "quasar" not in {one.word for one in words.topic_words(many)}


def test_numbers_and_single_characters_are_no_words_but_count_as_tokens() -> None:
    counts = words.count_words(["In 2021 x 雨 和 台风 h2o"])
    assert set(counts.counts) == {"in", "台风", "h2o"} and counts.tokens == 7


def test_what_references_leave_is_no_word() -> None:
    counts = words.count_words(
        [
            "Li et al. (Fig. 2) v. Wu, eds. and refs 3, pp. 4 vs. doi: 10.1/x",
            "如图 1 所示，台风见表2。",
            "A fig, et cetera; state of the art.",
        ]
    )
    assert set(counts.counts) == {"li", "wu", "and", "台风", "fig", "et", "cetera", "state", "of", "the", "art"}


def test_words_that_a_person_gives_have_at_least_a_quarter_of_their_weight() -> None:
    listed = [TopicWord("flood", (), ("flood",), 0.2), TopicWord("dam", (), ("dam",), 0.05)]
    found = {one.word: one for one in words.with_words(listed, {"Floods": 0.4, "dam": 1.0, "水库": 0.8}, GIVEN)}
    assert (found["flood"].weight, found["flood"].source) == (0.2, "corpus")
    assert (found["dam"].weight, found["dam"].source) == (0.25, GIVEN)
    assert found["水库"].forms == (("zh", "水库"),) and found["水库"].weight == 0.2


def test_the_label_is_a_phrase_and_its_content_words() -> None:
    label = words.label_words(["urban floods of the century", "城市内涝"], {"urban", "flood", "内涝"})
    found = words.with_words([], label, LABEL)
    assert {one.word for one in found} == {"urban floods of the century", "urban", "flood", "城市内涝", "内涝"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Objective: We study rain. Methods: A gauge. Results: It rains.", "We study rain. A gauge. It rains."),
        ("OBJECTIVE We study rain. METHODS A gauge.", "We study rain. A gauge."),
        ("目的 探讨暴雨。方法 收集资料。结果：有效。", "探讨暴雨。收集资料。有效。"),
        ("【目的】探讨暴雨。【方法】收集资料。", "探讨暴雨。收集资料。"),
    ],
)
def test_headings_of_structured_abstracts_are_dropped_in_any_language(text: str, left: str) -> None:
    plain = ["Plain text with a colon: here."] * 10
    found = words.without_headings([text] * 5 + plain)
    assert ["".join(one.split()) for one in found] == ["".join(left.split())] * 5 + ["".join(plain[0].split())] * 10


def test_a_heading_of_one_text_in_fifty_stays() -> None:
    texts = ["Note: this one is odd."] + ["Rain falls on hills."] * 49
    assert words.without_headings(texts) == texts


def test_the_weight_of_the_papers_per_word_is_above_that_of_general_text() -> None:
    counts = _papers(*["monetary inflation shocks the market of bonds"] * 60)
    own, general = words.expected_weight(words.topic_words(counts), counts)
    assert own > 10 * general > 0
    zh = words.count_words(["货币政策与通货膨胀的关系"] * 60)
    own, general = words.expected_weight(words.topic_words(zh), zh)
    assert own > 5 * general > 0

"""Bad pages and bad terms: they are refused or set apart, and what stands beside them is still found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontology.enrichment import PageText
from ontology.enrichment.filters import why_malformed
from ontology.enrichment.reading import _is_repetitive, is_unreadable, read
from tests.ontology.enrichment.small_web import OFF_TOPIC_EN, found, web

ICE_JAM = (
    "The ice jam raised the flood by {n} feet.",
    "An ice jam formed below bridge {n} after the rainstorm.",
    "Crews broke the ice jam before the landslide of day {n}.",
    "Near the old mill, ice jams and hail closed {n} roads.",
)
GOOD = web(ICE_JAM, off_topic=OFF_TOPIC_EN)


def relevant(text: str, number: int = 0, title: str = "") -> PageText:
    return PageText(f"http://spam{number}.example.com/", title, text, 1.0, True)


def test_the_good_pages_alone() -> None:
    assert "ice jam" in found(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "cheap pill " * 10_000,
        "cheap pill flood. " * 10_000,
        "".join(f"cheap pill flood {n}. " for n in range(10_000)),
        "cheap pill flood\n" * 10_000,
        "暴雨便宜药片" * 10_000,
        "便宜药片。暴雨。" * 10_000,
    ],
)
def test_a_page_that_repeats_its_words_without_end_pushes_none_of_them(text: str) -> None:
    pages = [*GOOD, *(relevant(text, n) for n in range(5))]
    terms = found(pages)
    assert "ice jam" in terms
    assert not [term for term in terms if "pill" in term or "药片" in term]


def test_repetition_is_told_from_prose() -> None:
    prose = "".join(f"{page.text} " for page in GOOD)
    assert not _is_repetitive(prose)
    assert _is_repetitive("rain " * 10_000)
    assert not _is_repetitive("rain " * 10)


@pytest.mark.parametrize(
    "sentence",
    [
        "The <b>wind throw</b> felled {n} trees after the flood.",
        "The wind throw&nbsp;felled {n} trees after the flood.",
        "The wind throw felled {n} trees&#8230; after the flood.",
        "The \u202ewind throw\u202c felled {n} trees after the flood.",
        "The wind\x07 throw felled {n} trees after the flood.",
    ],
)
def test_sentences_with_markup_control_characters_or_turned_text_are_set_apart(sentence: str) -> None:
    bad = [replace(page, url=page.url.replace("//on", "//bad")) for page in web([sentence], copies=8) if page.relevant]
    terms = found([*GOOD, *bad])
    assert "ice jam" in terms
    assert not [term for term in terms if "throw" in term or "nbsp" in term]
    for proposal in terms.values():
        assert not any(is_unreadable(s.text) or is_unreadable(proposal.term) for s in proposal.sentences)


def test_a_word_of_mixed_alphabets_is_no_term() -> None:
    sentence = "The w\u0456nd thr\u043ew felled {n} trees after the flood."
    bad = [replace(page, url=page.url.replace("//on", "//bad")) for page in web([sentence], copies=8) if page.relevant]
    assert not [term for term in found([*GOOD, *bad]) if "\u0456" in term or "\u043e" in term]
    assert why_malformed("w\u0456nd throw") == "mixes alphabets"
    assert why_malformed("WRF模式") == ""


def test_a_term_of_500_characters_is_refused() -> None:
    word = "flood" * 100
    bad = [relevant(f"The {word} rose after the rainstorm of day {n}.", n) for n in range(8)]
    terms = found([*GOOD, *bad])
    assert max(map(len, terms)) <= 60
    assert why_malformed(word) == "longer than 60 characters"
    assert why_malformed("暴雨" * 250) == "longer than 12 characters"


def test_a_sentence_without_end_is_no_evidence() -> None:
    endless = "the ice jam and the flood " + ", ".join(f"place{n}" for n in range(400))
    for proposal in found([*GOOD, relevant(endless)]).values():
        assert max(len(s.text) for s in proposal.sentences) <= 1_000


@pytest.mark.parametrize("text", ["", " \n\t ", "。。。", "\x00", "<p></p>", "\ud800"])
def test_empty_and_broken_pages_are_read_as_nothing(text: str) -> None:
    assert found([relevant(text, n) for n in range(3)]) == {}
    assert "ice jam" in found([*GOOD, relevant(text, title=text)])


def test_a_sentence_that_a_host_repeats_is_read_once_whatever_its_numbers() -> None:
    pages = [PageText(f"http://a.cn/{n}", "", f"第{n}条。暴雨持续{n}小时。", 0.9, True) for n in range(20)]
    assert len(read(pages).sentences) == 2

"""The corpus as numbered words, and the two engines that cut it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from ontology.corpus import read
from ontology.model import Document
from ontology.terms.lexicon import EMPTY, bundled
from ontology.terms.segment import WordSegmenter, dictionary
from ontology.terms.token_stream import BREAK, joined, latin_words, token_stream

SAMPLE = Path(__file__).parents[3] / "ontocrawl" / "sample" / "abstracts.txt"
BROAD = Path(__file__).parents[4] / "shared" / "data" / "abstracts_zh" / "disaster_core.jsonl"

needs_rjieba = pytest.mark.skipif(importlib.util.find_spec("rjieba") is None, reason="rjieba (extra: fast) is missing")


def runs(path: Path) -> list[str]:
    """All runs of Han characters of titles, abstracts and keywords."""
    texts = [t for d in read(path).documents for t in (d.title, d.abstract, *d.keywords)]
    parted = "".join(c if "\u3400" <= c <= "\u9fff" else " " for t in texts for c in f"{t}\n")
    return parted.split()


@pytest.mark.slow
@needs_rjieba
@pytest.mark.parametrize("path", [SAMPLE, BROAD], ids=["sample", "real"])
@pytest.mark.parametrize("words", [(), tuple(bundled("earth").by_zh)], ids=["plain", "lexicon"])
def test_both_engines_cut_alike(path: Path, words: tuple[str, ...]) -> None:
    if not path.exists():
        pytest.skip(f"real abstracts are not at {path}")
    slow, fast = WordSegmenter(words, "jieba"), WordSegmenter(words, "rjieba")
    texts = runs(path)
    assert len(texts) > 500
    assert [fast.cut(t) for t in texts] == [slow.cut(t) for t in texts]


@pytest.mark.slow
def test_without_rjieba_jieba_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rjieba", None)
    assert WordSegmenter().cut("城市暴雨灾害") == ["城市", "暴雨", "灾害"]


def test_words_of_the_caller_are_nouns_and_not_cut() -> None:
    own = WordSegmenter(("雨洪耦合模型",))
    assert own.cut("雨洪耦合模型模拟") == ["雨洪耦合模型", "模拟"]
    assert own.tag("雨洪耦合模型") == "nz"
    assert own.tag("暴雨") == dictionary()["暴雨"].tag == "n"
    assert own.tag("没有这样的词") == ""


def test_a_stream_keeps_titles_documents_and_breaks_apart() -> None:
    stream = token_stream([Document("a", "暴雨", "暴雨灾害"), Document("b", "ＷＲＦ模式", "β-环糊精，2.5 km")], EMPTY)
    words = [stream.words[i] for i in stream.ids]
    assert words == ["", "暴雨", "", "暴雨", "灾害", "", "wrf", "模式", "", "β-", "环糊精", ",", "2.5", "km", ""]
    assert [int(r) for r in stream.records] == [0] * 6 + [1] * 9
    assert [w for w, t in zip(words, stream.in_title, strict=True) if t and w] == ["暴雨", "wrf", "模式"]
    assert stream.ids[0] == stream.ids[-1] == BREAK
    assert stream.tokens == 9  # breaks and the comma are no words
    assert stream.closed[stream.number("2.5")] and stream.closed[stream.number(",")]
    assert not stream.closed[stream.number("wrf")]
    assert stream.number("不在") == -1


def test_keywords_and_english_metadata_are_not_read() -> None:
    bare = Document("a", "暴雨", "灾害")
    full = Document("a", "暴雨", "灾害", ("秘密词",), "secret title", "secret abstract", ("secret",))
    assert token_stream([full]).words == token_stream([bare]).words


def test_an_english_document_is_read_as_english() -> None:
    stream = token_stream([Document("a", "", title_en="Flash floods", abstract_en="The flood of 2021")])
    assert stream.words == ("", "flash", "floods", "the", "flood", "of", "2021")
    assert [bool(c) for c in stream.closed] == [True, False, False, True, False, True, True]


def test_latin_words_side_by_side_have_a_space() -> None:
    assert joined(["wrf", "模式"]) == "wrf模式"
    assert joined(["storm", "surge"]) == "storm surge"
    assert joined(["β-", "环糊精"]) == "β-环糊精"
    assert list(latin_words("ＷＲＦ与SAR影像İ3")) == ["WRF", "SAR", "3"]

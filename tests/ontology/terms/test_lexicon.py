"""The bilingual lexicon."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.terms.lexicon import Entry, Lexicon, LexiconError, bundled, choose, load, word_list

HEAD = "zh\ten\tsynonyms_zh\tsynonyms_en\n"


def test_bundled_lexicon_is_large_and_bilingual() -> None:
    lexicon = bundled("earth")
    assert len(lexicon.entries) >= 200
    assert lexicon.english("暴雨") == "rainstorm"
    assert lexicon.english("强暴雨") == "rainstorm"
    assert lexicon.canonical("水灾") == "洪涝灾害"
    assert lexicon.chinese("Mudslide") == "泥石流"
    assert lexicon.english("没有的词") is None
    assert lexicon.canonical("没有的词") == "没有的词"
    for entry in lexicon.entries:
        assert entry.en.isascii()
        assert not entry.zh.isascii()


def test_own_lexicon(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(HEAD + "暴雨\trainstorm\t豪雨 | 骤雨\theavy rain\n洪水\tflood\n", encoding="utf-8-sig")
    lexicon = load(path)
    assert lexicon.entries == (Entry("暴雨", "rainstorm", ("豪雨", "骤雨"), ("heavy rain",)), Entry("洪水", "flood"))


def test_a_lexicon_that_a_spreadsheet_saved(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(HEAD + '"暴雨"\t"rain, heavy"\t\t"the ""big"" rain | downpour"\n', encoding="utf-16")
    assert load(path).entries == (Entry("暴雨", "rain, heavy", (), ('the "big" rain', "downpour")),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1"),
        ("zh,en\n", "line 1"),
        (HEAD + "暴雨\train\n\t\t雨\n", "line 3"),
        (HEAD + "暴雨\ta\t\t\tx\n", "line 2"),
    ],
)
def test_broken_lexicon_names_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LexiconError, match=says):
        load(path)


def test_an_entry_may_have_english_words_only(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(HEAD + "\theart failure\t\tHF\n", encoding="utf-8")
    lexicon = load(path)
    assert lexicon.canonical("hf") == "heart failure"
    assert lexicon.chinese("HF") is None
    assert lexicon.entries[0].words == ("heart failure", "HF")
    assert "" not in lexicon.by_zh


def test_an_entry_without_english_has_none(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(HEAD + "暴雨\n洪水\t\t大水\n", encoding="utf-8")
    lexicon = load(path)
    assert lexicon.entries == (Entry("暴雨", ""), Entry("洪水", "", ("大水",)))
    assert lexicon.english("大水") is None
    assert lexicon.by_en == {}
    assert lexicon.entries[1].words == ("洪水", "大水")


def test_own_words_go_before_the_bundled_ones(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(HEAD + "内涝\twater on the street\n岩爆\trockburst\n", encoding="utf-8")
    joined = choose([path], field="earth")
    assert bundled("earth").english("内涝") != "water on the street"
    assert joined.english("内涝") == "water on the street"
    assert joined.english("岩爆") == "rockburst"
    assert joined.english("暴雨") == bundled("earth").english("暴雨")
    assert choose([path]) == load(path)
    assert choose() == Lexicon(())


def test_absent_lexicon(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="could not be read"):
        load(tmp_path / "none.tsv")


def test_a_word_belongs_to_one_entry() -> None:
    with pytest.raises(LexiconError, match="洪灾"):
        Lexicon((Entry("洪涝", "flooding", ("洪灾",)), Entry("洪水", "flood", ("洪灾",))))


def test_word_lists_have_no_lexicon_word_as_description() -> None:
    assert "特征" in word_list("generic_heads_zh")
    assert not word_list("generic_zh") & {"暴雨", "洪水", "台风", "灾害", "预警"}

"""White, black and stop lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.terms.term_lists import TermListError, TermLists, load_terms


def test_a_list(tmp_path: Path) -> None:
    path = tmp_path / "white.txt"
    path.write_text("# ours\n暴雨\n\n ＷＲＦ \nwrf\n100%保证率\n", encoding="utf-8-sig")
    assert load_terms(path) == ("暴雨", "ＷＲＦ", "100%保证率")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("暴雨\n洪水\t3\n", "line 2: .* tab"),
        ("暴雨;洪水\n", "line 1: .* several"),
        ("暴" * 80, "line 1: .* 80 characters"),
    ],
)
def test_a_malformed_list_names_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TermListError, match=says):
        load_terms(path)


def test_a_list_in_another_encoding_or_none(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    for encoding in ("utf-8", "utf-8-sig", "gbk", "utf-16"):
        path.write_bytes("暴雨\n洪涝".encode(encoding))
        assert load_terms(path) == ("暴雨", "洪涝")
    path.write_bytes(b"\x81\x00\xff\xff")
    with pytest.raises(TermListError, match="save it as UTF-8"):
        load_terms(path)
    with pytest.raises(TermListError, match="there is no such file"):
        load_terms(tmp_path / "none.txt")
    with pytest.raises(TermListError, match="it is a folder"):
        load_terms(tmp_path)


def test_white_and_black_contradict() -> None:
    with pytest.raises(TermListError, match="wrf"):
        TermLists(("WRF", "暴雨"), ("ｗｒｆ",))

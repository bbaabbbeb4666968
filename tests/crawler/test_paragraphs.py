"""Paragraphs of wrapped plain text."""

from __future__ import annotations

import textwrap
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crawler.pages.plain_pages import _unwrapped

STORM = (
    "Tropical cyclones form within areas of systems: monsoon troughs, tropical waves, non-tropical lows, and fronts. "
    "Their winds, rain and storm surges destroy houses, fields and harbours along the coasts of three continents."
)


def test_captions_and_headings_stay_lines_of_their_own() -> None:
    text = f"Cyclone\n\n{textwrap.fill(STORM, 72)}\nEnlarge\nA cyclone in 2004\n\n{textwrap.fill(STORM, 72)}\n"
    assert _unwrapped(text).split("\n") == ["Cyclone", STORM, "Enlarge", "A cyclone in 2004", STORM]


def test_lines_without_wrapping_stay() -> None:
    lines = [STORM, "short", STORM + STORM, "洪水", "暴雨灾害"]
    assert _unwrapped("\n\n".join(lines)).split("\n") == lines
    assert _unwrapped("暴雨\n台风登陆\n内涝").split("\n") == ["暴雨", "台风登陆", "内涝"]
    assert _unwrapped("") == ""


def test_chinese_lines_are_joined_without_blanks() -> None:
    text = "受台风影响，我市出现大范围强降雨，部分地区发生城市内涝，交通一度中断。气象部门继续发布预警。"
    lines = [text[first : first + 20] for first in range(0, len(text), 20)]
    assert _unwrapped("\n".join(lines)) == text


@pytest.mark.parametrize("width", [40, 72, 100])
@settings(max_examples=30)
@given(sizes=st.lists(st.integers(1, 12), min_size=80, max_size=100))
def test_what_a_program_wrapped_is_one_line_again(width: int, sizes: list[int]) -> None:
    paragraph = " ".join("x" * size for size in sizes)
    lines = textwrap.wrap(paragraph, width)
    longest = max(map(len, lines))
    assume(sum(len(f"{line} {after.split()[0]}") > longest for line, after in pairwise(lines)) > 1)
    fits = sum(len(f"{line} {after.split()[0]}") <= longest for line, after in pairwise(lines))
    again = _unwrapped("\n".join(lines))
    assert again.split() == paragraph.split()
    assert len(again.split("\n")) == 1 + fits

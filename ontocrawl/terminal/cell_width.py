"""Texts on a terminal, measured in cells: a Chinese character takes two. Cut, padded, wrapped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from rich.cells import cell_len

CUT = ".."
"""Stands for what was left out. Unlike the ellipsis it has the same width on every terminal."""


def cut_in_the_middle(text: str, width: int) -> str:
    """Shorten a text to a width in characters of the terminal, of which Chinese ones need two; keep both ends.

    Args:
        text: one line.
        width: maximum width, at least 1.

    >>> cut_in_the_middle("https://news.example/2013/11/08/typhoon/c_118064.html", 32)
    'https://news.examp…c_118064.html'
    """
    if cell_len(text) <= width:
        return text
    room = width - 1
    head = _longest_start(text, room * 3 // 5)
    return f"{head}…{_longest_start(text[::-1], room - cell_len(head))[::-1]}"


def _longest_start(text: str, width: int) -> str:
    """Return the longest beginning of a text that fits a width.

    >>> _longest_start("暴雨warning", 5)
    '暴雨w'
    """
    widths = accumulate(cell_len(character) for character in text)
    return text[: sum(1 for reached in widths if reached <= width)]


def longest_end(text: str, width: int) -> str:
    """Return the longest end of a text that fits a width.

    >>> longest_end("暴雨预警", 5)
    '预警'
    """
    return _longest_start(text[::-1], width)[::-1]


def cut(text: str, width: int) -> str:
    """Shorten a text to a width; two dots stand for its end.

    >>> cut("暴雨红色预警信号", 9), cut("暴雨", 9)
    ('暴雨红..', '暴雨')
    """
    return text if cell_len(text) <= width else _longest_start(text, width - len(CUT)) + CUT


def padded(text: str, width: int) -> str:
    """Fill a text with blanks to a width, or shorten it.

    >>> padded("暴雨", 6) + "|"
    '暴雨  |'
    """
    short = cut(text, width)
    return short + " " * (width - cell_len(short))


def cut_around(before: str, term: str, after: str, width: int) -> tuple[str, str, str]:
    """Shorten a sentence to a width so that its term stays in sight, with as much on both sides as fits.

    Args:
        before: the sentence up to the term.
        term: the term; it is cut only where it is wider than the width itself.
        after: the rest.
        width: maximum width of the three together.

    Returns:
        The three parts; two dots stand for what was left out.

    >>> cut_around("专家认为，单靠", "海绵城市", "难以消化特大暴雨，仍需骨干排水通道兜底。", 30)
    ('..为，单靠', '海绵城市', '难以消化..')
    """
    term = cut(term, width)
    room = width - cell_len(term)
    wide, other = cell_len(before), cell_len(after)
    left = min(wide, max(room // 2, room - other))
    right = min(other, room - left)
    if wide > left:
        before = CUT + longest_end(before, left - len(CUT)) if left > len(CUT) else ""
    if other > right:
        after = _longest_start(after, right - len(CUT)) + CUT if right > len(CUT) else ""
    return before, term, after


def wrapped(characters: Iterable[tuple[str, int]], width: int) -> Iterator[list[tuple[str, int]]]:
    """Break text into lines: between words, Chinese between any two characters; a word wider than a line is broken.

    Args:
        characters: each with a number that it keeps, such as a style.
        width: maximum width of a line, at least 2.

    Yields:
        The characters of each line, without blanks at its ends.

    >>> ["".join(c for c, _ in line) for line in wrapped(((c, 0) for c in "heavy rain 暴雨预警"), 10)]
    ['heavy rain', '暴雨预警']
    >>> ["".join(c for c, _ in line) for line in wrapped(((c, 0) for c in "暴雨、洪水（预警）。"), 8)]
    ['暴雨、洪', '水（预', '警）。']
    """
    line: list[tuple[str, int]] = []
    for character in characters:
        if sum(cell_len(c) for c, _ in line) + cell_len(character[0]) > width:
            end = _break(line, character[0])
            yield _stripped(line[:end])
            line = line[end:]
        if line or character[0] != " ":
            line.append(character)
    if line := _stripped(line):
        yield line


def _stripped(line: list[tuple[str, int]]) -> list[tuple[str, int]]:
    while line and line[-1][0] == " ":
        line = line[:-1]
    return line


_CLOSING, _OPENING = frozenset("，。、；：！？）】》〉」』”’…])"), frozenset("（【《〈「『“‘[(")
"""Marks with which no line begins, and those with which none ends."""


def _break(line: list[tuple[str, int]], following: str) -> int:
    """Return the place before which a full line is broken: the last one beside a blank or a wide character, or its end.

    Marks and brackets stay with what they follow or open.
    """
    text = [*(character for character, _ in line), following]
    for at in range(len(line), 0, -1):
        before, after = text[at - 1 : at + 1]
        is_between = before == " " or after == " " or cell_len(before) > 1 or cell_len(after) > 1
        if is_between and after not in _CLOSING and before not in _OPENING:
            return at
    return len(line)

"""Paragraphs of plain text: lines that were broken to a width are joined again.

A program that wraps text ends a line where the next word would not fit. So a line end is inside of a paragraph if the
first word of the next line would have exceeded the width of the text, which is its longest line. Other line ends
(headings, captions, entries of a list, the last line of a paragraph) stay.
"""

from __future__ import annotations

import re
from itertools import pairwise
from unicodedata import east_asian_width

WIDEST = 120
"""Columns of the widest lines that a text is wrapped to; a text with a longer line has a line for each paragraph."""
_LEAST = 2
"""Line ends that must be due to wrapping; of any few lines one is the longest."""
_UNSPACED = re.compile(r"[\u2e80-\ua4cf\uf900-\ufaff\ufe30-\uffef]")
"""Characters between which a line may be broken without a blank: Chinese, Japanese and their punctuation."""


def unwrapped(text: str) -> str:
    r"""Join the lines of a wrapped text to paragraphs, one a line, without indentation and empty lines.

    Args:
        text: plain text.

    >>> lines = ["Floods", "", "  A flood is an overflow of water that", "  submerges land which is usually dry. The",
    ...          "  word is old."]
    >>> unwrapped("\n".join(lines))
    'Floods\nA flood is an overflow of water that submerges land which is usually dry. The word is old.'
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    width = max((_columns(line) for line in lines if " " in line or _UNSPACED.search(line)), default=0)
    wrapped = [_is_wrapped(line, following, width) for line, following in pairwise(lines)]
    if width > WIDEST or sum(wrapped) < _LEAST:
        return "\n".join(line for line in lines if line)
    joined = lines[:1]
    for line, continues in zip(lines[1:], wrapped, strict=True):
        if not continues:
            joined.append(line)
        elif _UNSPACED.match(line[0]) and _UNSPACED.match(joined[-1][-1]):
            joined[-1] += line
        else:
            joined[-1] += f" {line}"
    return "\n".join(line for line in joined if line)


def _is_wrapped(line: str, following: str, width: int) -> bool:
    """Return whether the first word of the following line would not have fitted behind a line."""
    if not line or not following:
        return False
    unspaced = _UNSPACED.match(following)
    first = following[0] if unspaced else following.split(" ", 1)[0]
    between = 0 if unspaced and _UNSPACED.match(line[-1]) else 1
    return _columns(line) + between + _columns(first) > width


def _columns(text: str) -> int:
    return len(text) if text.isascii() else sum(1 + (east_asian_width(character) in "WF") for character in text)

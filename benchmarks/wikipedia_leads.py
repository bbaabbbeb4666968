"""The first paragraphs of encyclopaedia pages that were saved as plain text (../shared/data/wikispeedia).

In these files a page is its title at the left margin, then blocks of lines. A heading stands at the margin, a paragraph
is indented by three blanks and wrapped where the next word would pass the margin on the right, and a list has a mark
before each item. Captions of pictures are printed twice, with the word "Enlarge" between or after them, often without
an empty line before the paragraph that follows. Boxes of facts are blocks of short, centred or tabulated lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

INDENT = 3
WIDTH = 74
"""Column that no line of prose passes."""
SHORTEST = 80
"""Characters of the shortest paragraph: shorter ones introduce a list or refer to another page."""
PARAGRAPHS = 3
ALIKE = 0.8
"""Similarity of the two copies of a caption."""
_LISTED = re.compile(r"([*+#o|•·–—-]|\d+[.)]|\(\d+\)|\^) ")
_TABLE = re.compile(r"\S {3,}\S")
_END = re.compile(r"""[.!?]["')\]]*(\s*\[\d+\])*$""")
_NOTE = re.compile(
    r"(this article|this page|for (the|other|more|information|a|an)\b[^.]*\b(see|meanings)|see also|redirects? here)",
    re.I,
)
_ENLARGE = "Enlarge"


def lead(text: str, paragraphs: int = PARAGRAPHS) -> str:
    """Return the first paragraphs of a page, each on one line.

    Args:
        text: the page, with the title on its first line.
        paragraphs: number of paragraphs, fewer if the page has fewer.

    Returns:
        The paragraphs, joined by line ends; empty for a page without prose.
    """
    lines = text.splitlines()
    found = []
    for block in _blocks(lines[1:]):
        prose = _prose(_without_captions(block))
        if prose:
            found.append(prose)
        if len(found) == paragraphs:
            break
    return "\n".join(found)


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield runs of lines without an empty line or a heading, which stands at the left margin."""
    block: list[str] = []
    for line in (*lines, ""):
        if line.strip() and line.startswith(" "):
            block.append(line)
        elif block:
            yield block
            block = []


def _without_captions(block: list[str]) -> list[str]:
    """Remove captions: runs of lines that come twice, at once or with "Enlarge" between."""
    kept: list[str] = []
    position = 0
    while position < len(block):
        length = _caption(block, position)
        kept += [] if length else [block[position]]
        position += length or 1
    marks = [i for i, line in enumerate(kept) if line.strip() == _ENLARGE]
    return kept[marks[-1] + 1 :] if marks else kept


def _caption(block: Sequence[str], start: int) -> int:
    """Return the number of lines of the caption that starts at a line, both copies; 0 if none does."""
    for size in range((len(block) - start) // 2, 0, -1):
        middle = start + size
        marked = block[middle].strip() == _ENLARGE
        once, again = block[start:middle], block[middle + marked : middle + marked + size]
        if once == again or (marked and _alike(once, again)):
            end = middle + marked + size
            return end - start + (end < len(block) and block[end].strip() == _ENLARGE)
    return 0


def _alike(once: Sequence[str], again: Sequence[str]) -> bool:
    """Return whether two copies differ in a few letters only: the spelling of the second was made British."""
    return len(once) == len(again) and SequenceMatcher(None, " ".join(once), " ".join(again)).ratio() > ALIKE


def _prose(lines: list[str]) -> str:
    """Return a block as one line if it is a paragraph of prose, else an empty text."""
    while lines and not _is_prose_line(lines[0]):
        lines = lines[1:]  # what is left of a box or of a caption above the paragraph
    if not lines or not all(map(_is_prose_line, lines)):
        return ""
    breaks = [i + 1 for i, (line, below) in enumerate(pairwise(lines)) if _ends_early(line, below)]
    words = " ".join(" ".join(lines[breaks[-1] if breaks else 0 :]).split())
    words = re.sub(r"([(\[]) ", r"\1", re.sub(r" ([)\],.;:])", r"\1", words))
    words = re.sub(r"\s*\[\d+\]", "", words)
    good = len(words) >= SHORTEST and _END.search(words) and not _NOTE.match(words)
    return words if good else ""


def _is_prose_line(line: str) -> bool:
    words = line.strip()
    indent = len(line) - len(line.lstrip())
    return indent == INDENT and not _LISTED.match(words) and not _TABLE.search(words) and words != _ENLARGE


def _ends_early(line: str, below: str) -> bool:
    """Return whether the first word of the next line would have fitted: the next line is another text."""
    return len(line.rstrip()) + 1 + len(below.split(maxsplit=1)[0]) < WIDTH - 2

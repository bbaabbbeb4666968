"""The main text of a page: its blocks without menus, footers and lists of links.

Blocks are judged by their length and by the share of their text that stands in links, and by their neighbours, after
Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM 2010), section 4; the
thresholds are ours, so that they hold for Chinese, whose characters carry more than Latin letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MAX_LINK_SHARE = 1 / 3
_LONG = 80
"""UTF-8 bytes of a paragraph: some 27 Chinese characters or 14 English words."""
_SENTENCE = 30
_SENTENCE_END = re.compile(r"[。！？；…”」.!?;\"][\s)）]*$")
_ENOUGH = 200
"""UTF-8 bytes below which the found paragraphs are no article, and the page is taken for a list."""
_BYLINES, _BYLINE_CHARS = 12, 120


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text between two block boundaries."""

    text: str
    link_chars: int
    """Characters of it that stand inside links."""
    chrome: bool
    """Whether it stands in navigation, a footer, an aside or a form."""
    heading: bool = False


def bylines(pieces: Sequence[Piece]) -> list[str]:
    """The short texts right above the first long paragraph, nearest first: where an article names its source and date.

    Empty for a page without a paragraph.
    """
    body = [p for p in pieces if not p.chrome]
    first = next((at for at, p in enumerate(body) if _is_paragraph(p) and _weight(p) >= _LONG), 0)
    above = body[max(0, first - _BYLINES) : first]
    return [p.text for p in reversed(above) if len(p.text) <= _BYLINE_CHARS]


def main_text(pieces: Sequence[Piece]) -> str:
    """Paragraphs of the main text in reading order, one a line.

    A page without an article (a list of links) gives all its text outside of navigation; a page that is nothing but
    navigation gives all its text. So the answer is empty only where there is no text at all.
    """
    body = [p for p in pieces if not p.chrome]
    kept = _paragraphs(body)
    if sum(_weight(p) for p in kept) < _ENOUGH:
        kept = body or list(pieces)
    return "\n".join(p.text for p in kept)


def _paragraphs(body: Sequence[Piece]) -> list[Piece]:
    sure = [_is_paragraph(p) for p in body]
    kept = list(sure)
    for at, piece in enumerate(body):
        if sure[at] or _link_share(piece) > _MAX_LINK_SHARE:
            continue
        before, after = at > 0 and sure[at - 1], at + 1 < len(body) and sure[at + 1]
        kept[at] = after if piece.heading else before and after
    return [piece for piece, keep in zip(body, kept, strict=True) if keep]


def _is_paragraph(piece: Piece) -> bool:
    if _link_share(piece) > _MAX_LINK_SHARE or piece.heading:
        return False
    weight = _weight(piece)
    return weight >= _LONG or (weight >= _SENTENCE and _SENTENCE_END.search(piece.text) is not None)


def _link_share(piece: Piece) -> float:
    return piece.link_chars / max(1, len(piece.text))


def _weight(piece: Piece) -> int:
    return len(piece.text.encode("utf-8", "replace"))

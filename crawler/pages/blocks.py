"""The main text of a page: its blocks without menus, footers and lists of links.

Blocks are classified by their length, by the share of their text that is inside links, and by their neighbours, after
Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM 2010), section 4. The
thresholds are different, as a Chinese character carries more than a Latin letter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

_MOST_LINKS = 3
"""A block of which more than one part in three is inside links is a list of links."""
_LONG = 80
"""UTF-8 bytes of a paragraph: some 27 Chinese characters or 14 English words."""
_SENTENCE = 30
_SENTENCE_END = re.compile(r"[。！？；…”」.!?;\"][\s)）]*$")
_ENOUGH = 200
"""UTF-8 bytes of all paragraphs below which a page is taken for a list of links instead of an article."""
_BYLINES, _BYLINE_CHARS = 12, 120
_CHROME_ROLES = frozenset({"navigation", "contentinfo", "banner", "search", "complementary"})
_CHROME_CLASSES = frozenset(
    {"nav", "navbar", "navigation", "menu", "topbar", "footer", "foot", "sidebar", "breadcrumb", "breadcrumbs"}
    | {"crumbs", "copyright"}
)


class Piece(NamedTuple):
    """A run of text between two block boundaries."""

    text: str
    link_chars: int
    """Number of its characters that are inside links."""
    chrome: bool
    """Whether it is inside navigation, a footer, an aside or a form."""
    heading: bool = False


def bylines(pieces: Sequence[Piece]) -> list[str]:
    """Return the short texts right above the first long paragraph, nearest first; there articles name source and date.

    The list is empty for a page without a long paragraph.

    >>> article = Piece("The river rose by two metres in a day, and the town was under water. " * 2, 0, chrome=False)
    >>> bylines([Piece("Flood", 0, chrome=False, heading=True), Piece("2013-11-08 10:23", 0, chrome=False), article])
    ['2013-11-08 10:23', 'Flood']
    """
    body = [p for p in pieces if not p.chrome]
    first = next((index for index, p in enumerate(body) if _is_paragraph(p) and _weight(p) >= _LONG), 0)
    above = body[max(0, first - _BYLINES) : first]
    return [p.text for p in reversed(above) if len(p.text) <= _BYLINE_CHARS]


def main_text(pieces: Sequence[Piece]) -> str:
    """Return the paragraphs of the main text in reading order, one a line.

    For a page without an article (a list of links) this is all text outside of navigation, and for a page that is
    navigation only it is all text. So the result is empty only where there is no text at all.

    >>> menu = Piece("Home | Sports", 11, chrome=True)
    >>> main_text([menu, Piece("The river rose.", 0, chrome=False)]), main_text([menu])
    ('The river rose.', 'Home | Sports')
    """
    body = [p for p in pieces if not p.chrome]
    kept = _paragraphs(body)
    if not any(weight >= _ENOUGH for weight in accumulate(map(_weight, kept))):
        kept = body or list(pieces)
    return "\n".join(p.text for p in kept)


def _paragraphs(body: Sequence[Piece]) -> list[Piece]:
    sure = [_is_paragraph(p) for p in body]
    around = zip([False, *sure], sure, [*sure[1:], False], body, strict=False)
    return [
        piece
        for before, paragraph, after, piece in around
        if paragraph or (after and (before or piece.heading) and not _is_links(piece))
    ]


def _is_paragraph(piece: Piece) -> bool:
    if piece.heading or _is_links(piece):
        return False
    if len(piece.text) >= _LONG:
        return True
    weight = _weight(piece)
    return weight >= _LONG or (weight >= _SENTENCE and _SENTENCE_END.search(piece.text) is not None)


def _is_links(piece: Piece) -> bool:
    return _MOST_LINKS * piece.link_chars > len(piece.text)


def _weight(piece: Piece) -> int:
    return len(piece.text.encode("utf-8", "replace"))


def is_chrome(attributes: Mapping[str, str | None]) -> bool:
    """Return whether the role, the class or the id of a block says that it is navigation or a footer."""
    if not attributes:
        return False
    if (attributes.get("role") or "").lower() in _CHROME_ROLES:
        return True
    classes = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower().split()
    return not _CHROME_CLASSES.isdisjoint(classes)


# ---- markup that nests too deep


MAX_DEPTH = 10_000
"""Elements nested deeper than this are an attack: the parser's time grows with the square of the depth."""
_SELF_CLOSING = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    "frame", "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "rt",
    "rp", "html", "head", "body",
}  # fmt: skip
"""Elements whose end tag is missing or optional, so that they do not count for depth."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")


def is_too_deep(text: str) -> bool:
    """Return whether more than MAX_DEPTH elements are open at some point, by a count of the tags only."""
    if text.count("<") <= MAX_DEPTH:
        return False
    depth = 0
    for tag in _TAG.finditer(text):
        if tag[2].lower() not in _SELF_CLOSING:
            depth = max(0, depth - 1) if tag[1] else depth + 1
            if depth > MAX_DEPTH:
                return True
    return False

"""SVG text: width of words, escaping, the frame of a picture. Fonts are named, not embedded.

Chinese is drawn with a font of the list `FONTS` on the reader's machine; for pictures that must look the same
everywhere, fonts.py makes PNG with a bundled font.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from xml.sax.saxutils import escape, quoteattr

from ontology.printable import one_line, well_formed

FONTS = (
    "'Noto Sans SC','Noto Sans CJK SC','Source Han Sans SC','PingFang SC','Hiragino Sans GB','Microsoft YaHei',"
    "'WenQuanYi Micro Hei','Heiti SC',SimHei,Arial,sans-serif"
)
SIZE = 12.0
"""Font size in pixels."""
LEADING = 1.15
"""Distance of two lines of text, in font sizes."""
INK, SOFT, LINE, TERM, DOC, PAPER = "#1b1f24", "#5c646e", "#9aa4ae", "#0b4f8a", "#7a4a00", "#ffffff"
_NARROW, _BROAD = frozenset("iljtfrI.,;:'|!()[]{} /\\`·"), frozenset("mwMW@%&—…")


def text_width(text: str, size: float = SIZE) -> float:
    """Return the approximate width of a text in pixels, rather too large than too small.

    Args:
        text: one line; wide characters (Chinese) have one em.
        size: font size in pixels.
    """
    return size * sum(map(_ems, text))


def _ems(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF" or ord(character) > 0x1F000:
        return 1.0
    if unicodedata.combining(character):
        return 0.0
    if character in _NARROW:
        return 0.34
    if character in _BROAD:
        return 0.93
    return 0.68 if character.isupper() else 0.57


def short(text: str, ems: float) -> str:
    """Return a text in one line of limited width, without hidden characters; an ellipsis replaces what is cut off.

    Args:
        text: the text.
        ems: maximum width in font sizes.
    """
    text = one_line(text)
    ends = [*accumulate(map(_ems, text))]
    if not ends or ends[-1] <= ems:
        return text
    return text[: bisect_right(ends, ems - 0.93)].rstrip() + "…"


def few(names: Sequence[str], most: int, ems: float) -> tuple[str, ...]:
    """Return the lines of a label: the first names, each shortened, and "+5" for five further ones.

    Args:
        names: the names.
        most: maximum number of names.
        ems: maximum width of a name, in font sizes.

    >>> few(["rain", "flood", "storm"], 2, 10)
    ('rain', 'flood', '+1')
    """
    more = (f"+{len(names) - most}",) if len(names) > most else ()
    return (*(short(name, ems) for name in names[:most]), *more)


def clean(text: str) -> str:
    r"""Return text escaped for XML; characters that XML forbids become U+FFFD.

    >>> clean("a < b" + chr(1))
    'a &lt; b\ufffd'
    """
    return escape(well_formed(text), {'"': "&quot;"})


def label(x: float, y: float, lines: Sequence[str], colour: str, *, anchor: str = "middle", size: float = SIZE) -> str:
    """Return lines of text with a white edge, which keeps them readable before other lines.

    Args:
        x: horizontal position of the anchor.
        y: baseline of the first line.
        lines: the lines.
        colour: colour of the text.
        anchor: "start", "middle" or "end".
        size: font size in pixels.
    """
    shape = f'text-anchor="{anchor}"' + (f' font-size="{size:g}"' if size != SIZE else "")
    edge = f'stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
    if len(lines) == 1:
        inner = clean(lines[0])
        return f'<text x="{x:.1f}" y="{y:.1f}" {shape} fill="{colour}" {edge}>{inner}</text>'
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{y + i * size * LEADING:.1f}">{clean(text)}</tspan>' for i, text in enumerate(lines)
    )
    return f'<text {shape} fill="{colour}" {edge}>{spans}</text>'


def plain_text(x: float, y: float, text: str, colour: str, *, size: float = SIZE) -> str:
    """Return one line of text, without the white edge.

    Args:
        x: left end.
        y: baseline.
        text: the text.
        colour: colour of the text.
        size: font size in pixels.
    """
    shape = f' font-size="{size:g}"' if size != SIZE else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}"{shape}>{clean(text)}</text>'


def document(
    width: float, height: float, title: str, body: Iterable[str], *, shown_width: int | None = None
) -> str:  # fmt: skip
    """Return an SVG document.

    Args:
        width: width of the picture.
        height: height of the picture.
        title: plain text.
        body: elements.
        shown_width: its width on a page, in pixels; by default ``width``.
    """
    scale = 1.0 if shown_width is None else shown_width / width
    attributes: Mapping[str, str] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {width:.0f} {height:.0f}",
        "width": f"{width * scale:.0f}",
        "height": f"{height * scale:.0f}",
        "font-family": FONTS,
        "font-size": f"{SIZE:.0f}",
        "role": "img",
    }
    head = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    background = f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'
    return "\n".join([f"<svg {head}>", f"<title>{clean(title)}</title>", background, *body, "</svg>", ""])

"""SVG text: how wide words are, escaping, the frame of a picture. Fonts are named, not embedded.

Chinese is drawn by whatever the reader's machine has of the list `FONTS`; for pictures that must look the same
everywhere, fonts.py makes PNG with a font of its own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

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
    """Approximate width in pixels, rather too much than too little: wide characters (Chinese) have one em."""
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
    """A text in one line of at most ``ems`` font sizes; what is cut off is shown by an ellipsis."""
    text = " ".join(text.split())
    if text_width(text, 1.0) <= ems:
        return text
    while text and text_width(text, 1.0) > ems - 0.93:
        text = text[:-1]
    return text.rstrip() + "…"


def few(names: Sequence[str], most: int, ems: float) -> tuple[str, ...]:
    """The first names, each cut to ``ems``, and "+5" for five more: the lines of a label."""
    more = (f"+{len(names) - most}",) if len(names) > most else ()
    return (*(short(name, ems) for name in names[:most]), *more)


def clean(text: str) -> str:
    """Escaped for XML; characters that XML forbids become U+FFFD."""
    allowed = "".join(c if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff" and not 0xD800 <= ord(c) < 0xE000)
                      else "\ufffd" for c in text)  # fmt: skip
    return escape(allowed, {'"': "&quot;"})


def label(x: float, y: float, lines: Sequence[str], colour: str, *, anchor: str = "middle", size: float = SIZE) -> str:
    """Lines of text, the baseline of the first at ``y``, with a white edge so that lines behind don't strike it out."""
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
    """One line of text, without the white edge."""
    shape = f' font-size="{size:g}"' if size != SIZE else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}"{shape}>{clean(text)}</text>'


def document(
    width: float, height: float, title: str, body: Iterable[str], *, shown_width: int | None = None
) -> str:  # fmt: skip
    """An SVG document. ``shown_width`` is its width on a page, in pixels; by default its own."""
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

"""Pictures as PNG with a bundled open font, so that Chinese is readable on a machine without fonts.

The font is Noto Sans SC (SIL Open Font License), from a package of the extra ``pictures``; resvg draws, fontTools lists
the characters of the font. A character that it lacks is written as its code point, and reported.
"""

from __future__ import annotations

import base64
import io
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from ontology.errors import OntocrawlError
from ontology.extras import require

_EXTRA, _PURPOSE = "pictures", "a PNG picture"
SCALE, WIDEST, MOST_PIXELS = 2.0, 8000, 120_000_000
"""Pixels for one of the SVG's; no picture is wider by default; more pixels are refused."""


class PictureError(OntocrawlError, ValueError):
    """A picture that cannot be made; the message says what is possible."""


@dataclass(frozen=True)
class Picture:
    """A PNG file's bytes, its size in pixels, and the characters that the font lacks."""

    data: bytes
    width: int
    height: int
    missing: tuple[str, ...]


def png(svg: str, *, width: int | None = None) -> Picture:
    """Draw an SVG document of this package as PNG.

    Args:
        svg: the document; system fonts are not used.
        width: in pixels; by default twice that of the SVG, but at most `WIDEST`.

    Raises:
        MissingExtra: resvg, fontTools or the font is not installed.
        PictureError: no SVG, or more than `MOST_PIXELS` pixels.
    """
    resvg = require("resvg_py", _EXTRA, _PURPOSE)
    own_width, own_height = _size(svg)
    target_width = width if width is not None else round(min(SCALE * own_width, max(WIDEST, own_width)))
    height = round(target_width * own_height / own_width)
    if target_width < 1 or target_width * height > MOST_PIXELS:
        raise PictureError(
            "draw.png_x_pixels_expected", target_width=target_width, height=height, most_pixels=MOST_PIXELS
        )
    missing = missing_glyphs(_text(svg))
    family = _family(str(_font_path()))
    data: bytes = resvg.svg_to_bytes(
        svg_string=svg.translate(_written_out(missing)), width=target_width, skip_system_fonts=True,
        font_files=[str(_font_path())], font_family=family, sans_serif_family=family,
    )  # fmt: skip
    return Picture(data, target_width, height, tuple(c for c in missing if not _invisible(c)))


def _font_path() -> Path:
    """Return the font's file; raise MissingExtra if its package is not installed."""
    path: Path = require("pylopdf_fonts_zh_cn", _EXTRA, _PURPOSE).sans_path()
    return path


def missing_glyphs(text: str) -> tuple[str, ...]:
    """Return the characters of a text without a glyph in the font, sorted; white space is not counted."""
    known = _characters(str(_font_path()))
    return tuple(sorted({c for c in text if ord(c) not in known and not c.isspace()}))


def font_face(text: str) -> str:
    """Return CSS that embeds the font, reduced to the characters of a text, for pages without system fonts.

    The licence (SIL OFL 1.1) allows embedding in documents. Raises MissingExtra.
    """
    require("fontTools.ttLib", _EXTRA, "an embedded font")
    subset = require("fontTools.subset", _EXTRA, "an embedded font")
    options = subset.Options(flavor="woff", notdef_outline=True, desubroutinize=True, layout_features=[], hinting=False)
    font = subset.load_font(str(_font_path()), options)
    try:
        cutter = subset.Subsetter(options)
        cutter.populate(text=text)
        cutter.subset(font)
        stream = io.BytesIO()
        subset.save_font(font, stream, options)
    finally:
        font.close()
    data = base64.b64encode(stream.getvalue()).decode()
    return f"@font-face{{font-family:'Noto Sans SC';src:url(data:font/woff;base64,{data}) format('woff')}}\n"


@cache
def _characters(path: str) -> frozenset[int]:
    font = require("fontTools.ttLib", _EXTRA, _PURPOSE).TTFont(path, lazy=True)
    try:
        return frozenset(font.getBestCmap())
    finally:
        font.close()


@cache
def _family(path: str) -> str:
    font = require("fontTools.ttLib", _EXTRA, _PURPOSE).TTFont(path, lazy=True)
    try:
        return str(font["name"].getBestFamilyName())
    finally:
        font.close()


def _text(svg: str) -> str:
    """Return the characters that are drawn as text, without tooltips and titles."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - made by this package
    return "".join("".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text"))


def _size(svg: str) -> tuple[float, float]:
    match = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg[:4000])
    if match is None or not svg.startswith("<svg"):
        raise PictureError("draw.expected_svg_document_viewbox", svg=svg[:40])
    return float(match[1]), float(match[2])


def _written_out(missing: tuple[str, ...]) -> dict[int, str | None]:
    return {ord(c): None if _invisible(c) else f"[U+{ord(c):04X}]" for c in missing}


def _invisible(character: str) -> bool:
    """Return whether a character is a joiner or variation selector, which has no glyph."""
    return unicodedata.category(character) in ("Cf", "Mn")

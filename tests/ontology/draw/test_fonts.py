"""PNG by an open font of our own: Chinese is never boxes, and what the font lacks is said."""

from __future__ import annotations

import struct
import sys

import pytest

from ontology.draw import PictureError, hierarchy_tree, lattice_svg, png
from ontology.draw.fonts import MOST_PIXELS, font_face, missing_glyphs
from ontology.extras import MissingExtra
from ontology.lattice import lattice
from ontology.model import Concept
from tests.ontology.contexts import table1
from tests.ontology.draw.pictures import ontology

pytest.importorskip("resvg_py", reason="extra pictures")
pytest.importorskip("pylopdf_fonts_zh_cn", reason="extra pictures")


def named(label: str) -> str:
    """A picture of one class, whose only text of interest is the label."""
    return hierarchy_tree(ontology([Concept("r", label)], [], "r", title_zh="题"))


def test_size_and_format() -> None:
    svg = lattice_svg(lattice(table1()))
    picture = png(svg)
    assert picture.data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture.data[16:24]) == (picture.width, picture.height)
    assert f'width="{picture.width // 2}"' in svg, "twice the SVG by default"
    assert picture.missing == ()
    assert png(svg, width=333).width == 333
    assert struct.unpack(">I", png(svg, width=333).data[16:20]) == (333,)
    assert png(svg).data == picture.data


def test_chinese_is_no_row_of_boxes() -> None:
    """Boxes of equal number look the same; these words don't."""
    assert missing_glyphs("暴雨洪涝台风↗·，…（）") == ()
    pictures = {png(named(word)).data for word in ("暴雨", "洪涝", "台风")}
    assert len(pictures) == 3


def test_a_missing_glyph_is_written_out_and_reported() -> None:
    odd = "\U0001f327"
    assert missing_glyphs(f"暴雨{odd}") == (odd,)
    picture = png(named(f"雨{odd}"))
    assert picture.missing == (odd,)
    assert picture.data == png(named(f"雨{odd}").replace(odd, "[U+1F327]")).data
    joined = png(named("雨\ufe0f\u200d"))
    assert joined.missing == () and joined.data == png(named("雨\ufe0f\u200d").replace("\ufe0f\u200d", "")).data


def test_requests_that_cannot_be_met(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = named("暴雨")
    with pytest.raises(PictureError, match="expected an SVG"):
        png("<html>")
    with pytest.raises(PictureError, match="pixels"):
        png(svg, width=MOST_PIXELS)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"ontocrawl\[pictures\]"):
        png(svg)


def test_an_embedded_font_has_the_characters_and_no_more() -> None:
    few, many = font_face("暴雨"), font_face("暴雨灾害洪涝台风滑坡泥石流")
    assert few.startswith("@font-face{font-family:'Noto Sans SC';src:url(data:font/woff;base64,")
    assert len(few) < len(many) < 60_000

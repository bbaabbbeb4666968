"""HTML of a page in one of three styles: with sectioning elements, with a layout table, with plain blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from crawler.worlds.synthetic.templates import Host
from crawler.worlds.synthetic.text import PageText

_DECORATION = """<style>body{font:16px/1.6 sans-serif}nav a{margin:0 8px}</style>
<script>var page={hits:0};page.hits++;</script>"""
STYLES = ("sections", "table", "blocks")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as it is written in the markup."""

    href: str
    text: str
    place: str


@dataclass(frozen=True)
class Sheet:
    """All contents of a page."""

    host: Host
    text: PageText
    anchors: tuple[Anchor, ...]
    side_title: str
    footer: str
    published: str
    """The line with the date, empty where the host has it elsewhere."""

    def at(self, place: str) -> list[Anchor]:
        """Return the links of a place."""
        return [a for a in self.anchors if a.place == place]


def render(sheet: Sheet, style: str) -> bytes:
    """Return the page in the encoding of its host.

    Args:
        sheet: contents of the page.
        style: one of ``STYLES``.
    """
    body = {"sections": _sections_body, "table": _table_body, "blocks": _blocks_body}[style](sheet)
    language = "zh-CN" if sheet.host.lang == "zh" else "en"
    head = f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n{_head(sheet)}\n</head>\n'
    return f"{head}<body>\n{body}\n</body>\n</html>\n".encode(sheet.host.encoding)


def _head(sheet: Sheet) -> str:
    first = sheet.text.sections[0].paragraphs[0][0]
    lines = [
        f'<meta charset="{"gb2312" if sheet.host.encoding == "gbk" else "utf-8"}">',
        f"<title>{escape(sheet.text.title)} - {escape(sheet.host.title)}</title>",
        f'<meta name="keywords" content="{escape(",".join(sheet.text.keywords))}">',
        f'<meta name="description" content="{escape(first)}">',
    ]
    if sheet.host.dates == "meta":
        year, month, day = sheet.text.date
        lines.append(f'<meta property="article:published_time" content="{year}-{month:02}-{day:02}T08:30:00+08:00">')
    return "\n".join([*lines, _DECORATION])


def _a(anchor: Anchor) -> str:
    return f'<a href="{escape(anchor.href)}">{escape(anchor.text)}</a>'


def _inline(sheet: Sheet) -> Iterator[str]:
    """Yield the links of the text, as remarks in brackets."""
    zh = sheet.host.lang == "zh"
    for anchor in sheet.at("text"):
        yield f"（参见{_a(anchor)}）" if zh else f" (see {_a(anchor)})"


def _paragraphs(sheet: Sheet, level: int) -> list[str]:
    """Return headings and paragraphs, with the links of the text at the ends of the first paragraphs."""
    remarks, lines, joint = _inline(sheet), [], "" if sheet.host.lang == "zh" else " "
    for section in sheet.text.sections:
        if section.heading:
            lines.append(f"<h{level}>{escape(section.heading)}</h{level}>")
        lines += [f"<p>{escape(joint.join(sentences))}{next(remarks, '')}</p>" for sentences in section.paragraphs]
    lines += [f"<p>{remark}</p>" for remark in remarks]
    return lines


def _items(anchors: Sequence[Anchor]) -> str:
    return "<ul>" + "".join(f"<li>{_a(a)}</li>" for a in anchors) + "</ul>" if anchors else ""


def _sections_body(sheet: Sheet) -> str:
    return "\n".join(
        [
            f"<header><nav>{''.join(_a(a) for a in sheet.at('menu'))}</nav></header>",
            f"<main><article><h1>{escape(sheet.text.title)}</h1>",
            *([f'<div class="info">{escape(sheet.published)}</div>'] if sheet.published else []),
            *_paragraphs(sheet, 2),
            f"{_items(sheet.at('list'))}</article></main>",
            f"<aside><h3>{escape(sheet.side_title)}</h3>{_items(sheet.at('side'))}</aside>",
            _footer(sheet),
        ]
    )


def _table_body(sheet: Sheet) -> str:
    menu = " | ".join(_a(a) for a in sheet.at("menu"))
    side = "<br>".join(_a(a) for a in sheet.at("side"))
    return "\n".join(
        [
            f'<div id="nav">{menu}</div>',
            f'<table width="960"><tr><td class="content"><h1>{escape(sheet.text.title)}</h1>',
            *([f'<span class="date">{escape(sheet.published)}</span>'] if sheet.published else []),
            *_paragraphs(sheet, 4),
            f"{_items(sheet.at('list'))}</td>",
            f'<td class="sidebar"><strong>{escape(sheet.side_title)}</strong><br>{side}</td></tr></table>',
            _footer(sheet),
        ]
    )


def _blocks_body(sheet: Sheet) -> str:
    return "\n".join(
        [
            f'<div class="menu">{_items(sheet.at("menu"))}</div>',
            f'<div id="main"><h1>{escape(sheet.text.title)}</h1>',
            *([f'<p class="date">{escape(sheet.published)}</p>'] if sheet.published else []),
            *_paragraphs(sheet, 3),
            f'<div class="related">{_items(sheet.at("list"))}</div></div>',
            f'<div class="side">{escape(sheet.side_title)}{_items(sheet.at("side"))}</div>',
            _footer(sheet),
        ]
    )


def _footer(sheet: Sheet) -> str:
    friends = "".join(_a(a) for a in sheet.at("foot"))
    extra = '<a href="javascript:void(0)">TOP</a> <a href="mailto:desk@example.com">desk@example.com</a>'
    return f'<footer class="footer">{friends} {extra} {escape(sheet.footer)}</footer>'

"""Escaped pieces of HTML: every text of the report passes through here, whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any
from urllib.parse import urlsplit

ZH = "zh-Hans"

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def plain(value: Any) -> str:
    """A value as escaped text, safe between tags and in quoted attributes, in HTML and in XML.

    Control characters and lone surrogates become U+FFFD: no browser shows them, and UTF-8 can't hold the latter.
    """
    return escape(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", str(value)), quote=True)


def text(value: Any) -> str:
    """A value as escaped text with its language marked; isolated, so that its writing direction ends with it."""
    lang = f' lang="{ZH}"' if _HAN.search(str(value)) else ""
    return f"<bdi{lang}>{plain(value)}</bdi>"


def zh(words: str) -> str:
    """Chinese words of our own, beside the English ones."""
    return f'<span class="zh" lang="{ZH}">{plain(words)}</span>'


def number(value: float | None, digits: int = 3) -> str:
    """A number in a fixed form, an en dash for none."""
    if value is None:
        return "\N{EN DASH}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def percent(value: float | None) -> str:
    """A share in [0, 1] as percent."""
    return "\N{EN DASH}" if value is None else f"{100 * value:.1f}%"


def link(url: str, label: Any) -> str:
    """A hyperlink to a Web address. Any other address (javascript:, data:, a broken one) is shown, not linked."""
    if not is_web_address(url):
        return f'{text(label)} <code class="url">{plain(url)}</code>'
    return f'<a href="{plain(url)}" rel="noopener noreferrer nofollow">{text(label)}</a>'


def is_web_address(url: str) -> bool:
    """Whether a URL is absolute http(s) with a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and not _UNPRINTABLE.search(url)


def value(item: Any) -> str:
    """One cell of a query's answer: a number, a list as a path, a truth value, a text."""
    if item is None:
        return "\N{EN DASH}"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, int | float):
        return number(item, 4)
    if isinstance(item, list | tuple):
        return " › ".join(value(part) for part in item)
    if isinstance(item, str) and is_web_address(item):
        return link(item, item)
    return text(item)


def table(head: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]], numeric: Iterable[int] = ()) -> str:
    """A table in a box that scrolls sideways on a narrow screen.

    ``head`` are (English, Chinese) names, rows are cells of finished HTML, ``numeric`` the columns that stand right.
    """
    right = frozenset(numeric)
    css = ['class="num"' if at in right else "" for at in range(len(head))]
    names = "".join(
        f'<th scope="col" {css[at]}>{plain(en)}{zh(zh_) if zh_ else ""}</th>' for at, (en, zh_) in enumerate(head)
    )
    body = "".join(f"<tr>{''.join(f'<td {css[at]}>{cell}</td>' for at, cell in enumerate(row))}</tr>\n" for row in rows)
    filled = f"<thead><tr>{names}</tr></thead>\n<tbody>\n{body}</tbody>"
    return f'<div class="scroll" tabindex="0"><table>{filled}</table></div>'

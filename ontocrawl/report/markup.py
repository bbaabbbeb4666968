"""HTML fragments of the report. All text is escaped here, whatever its source."""

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
    """Escape a value as text, safe between tags and in quoted attributes, in HTML and in XML.

    Control characters and surrogates are replaced by U+FFFD: browsers do not show them, and UTF-8 has no surrogates.

    >>> plain('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return escape(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", str(value)), quote=True)


def text(value: Any) -> str:
    """Format a value as an escaped <bdi> element, with its language if it is Chinese."""
    lang = f' lang="{ZH}"' if _HAN.search(str(value)) else ""
    return f"<bdi{lang}>{plain(value)}</bdi>"


def zh(words: str) -> str:
    """Format the Chinese translation of an English heading."""
    return f'<span class="zh" lang="{ZH}">{plain(words)}</span>'


def number(value: float | None, digits: int = 3) -> str:
    """Format a number with thousands separators, and floats with fixed digits; None is an en dash.

    >>> number(12345), number(0.5)
    ('12,345', '0.500')
    """
    if value is None:
        return "\N{EN DASH}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def percent(value: float | None) -> str:
    """Format a share in [0, 1] as percent; None is an en dash."""
    return "\N{EN DASH}" if value is None else f"{100 * value:.1f}%"


def link(url: str, label: Any) -> str:
    """Format a hyperlink. A URL that is not http or https (javascript:, data:, invalid) is shown, not linked."""
    if not is_web_address(url):
        return f'{text(label)} <code class="url">{plain(url)}</code>'
    return f'<a href="{plain(url)}" rel="noopener noreferrer nofollow">{text(label)}</a>'


def is_web_address(url: str) -> bool:
    """Return whether a URL is an absolute http or https URL with a host.

    >>> is_web_address("https://example.org/a"), is_web_address("javascript:alert(1)")
    (True, False)
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and not _UNPRINTABLE.search(url)


def value(item: Any) -> str:
    """Format a value of a query result: number, list (as a path), boolean, URL or text."""
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
    """Format a table in a box that scrolls sideways on a narrow screen.

    Args:
        head: (English, Chinese) names of the columns.
        rows: rows of cells, as HTML.
        numeric: indices of the right-aligned columns.

    Returns:
        The HTML element.
    """
    right = frozenset(numeric)
    css = ['class="num"' if column in right else "" for column in range(len(head))]
    names = "".join(
        f'<th scope="col" {css[column]}>{plain(en)}{zh(zh_) if zh_ else ""}</th>'
        for column, (en, zh_) in enumerate(head)
    )
    body = "".join(f"<tr>{''.join(f'<td {css[i]}>{cell}</td>' for i, cell in enumerate(row))}</tr>\n" for row in rows)
    filled = f"<thead><tr>{names}</tr></thead>\n<tbody>\n{body}</tbody>"
    return f'<div class="scroll" tabindex="0"><table>{filled}</table></div>'

"""Parsing of a page: from bytes to a ParsedPage. Only this module and the reader of its trees use the HTML parser.

Every text token belongs to exactly one slot: the innermost element around it that a published page weighting lists
(paper 000, Table 2; algorithms.md 1.2), and whether it is inside a link. Scripts, styles, templates, <noscript>,
drawings, comments and text in attributes only (alt, title) are no text of the page.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from crawler.model import Division, Failure, ParsedPage, Response
from crawler.pages.blocks import bylines, main_text
from crawler.pages.charset import Decoded, decode
from crawler.pages.dates import published
from crawler.pages.directives import ROBOT, declared_canonical, directives
from crawler.pages.links import LinkList
from crawler.pages.plain_page import RECORD_TYPE, read_plain, read_record
from crawler.pages.reader import PageReader
from crawler.url import canonical

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
MAX_DEPTH = 10_000
"""Elements nested deeper than this are an attack: the parser's time grows with the square of the depth."""
_SELF_CLOSING = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    "frame", "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "rt",
    "rp", "html", "head", "body",
}  # fmt: skip
"""Elements whose end tag is missing or optional, so that they do not count for depth."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")


def parse(response: Response, robot: str | None = ROBOT) -> ParsedPage | Failure:
    """Parse a response by its content type: HTML, a corpus record, or plain text.

    Args:
        response: a response with a body.
        robot: name of the crawler in directives for robots; None to ignore these.

    Returns:
        The page, or a Failure with one of the reasons ``not_html`` (another type), ``undecodable`` (bytes that are no
        text), ``malformed`` (an invalid record, or markup that the parser refuses), ``too_deep`` (elements nested
        deeper than ``MAX_DEPTH``), ``empty`` (neither text nor links).
    """
    content_type = response.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower() or _sniffed(response.body)
    if kind == RECORD_TYPE:
        page = read_record(response)
    elif kind in HTML_TYPES or kind == "text/plain":
        decoded = decode(response.body, content_type, html=kind != "text/plain")
        if decoded is None:
            return Failure(response.url, "undecodable", f"the {len(response.body)} bytes are text in no encoding tried")
        plain = kind == "text/plain"
        page = _plain(response, decoded.text, robot) if plain else _html(response, decoded, robot)
    else:
        return Failure(response.url, "not_html", f"a page of type {kind} is not read; HTML and plain text are")
    if isinstance(page, ParsedPage) and not page.segments and not page.links:
        return Failure(response.url, "empty", "the page has neither text nor links")
    return page


def _sniffed(body: bytes) -> str:
    """Guess the content type of a response without one."""
    start = body[:1024]
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        start = start[2:].replace(b"\0", b"")
    start = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return "text/html" if start.startswith(b"<") or b"<html" in start else "text/plain"


def _plain(response: Response, text: str, robot: str | None) -> ParsedPage:
    headers = response.headers
    return replace(
        read_plain(response.url, text),
        canonical=declared_canonical((), headers.get("link", ""), response.url),
        noindex=directives(robot, header=headers.get("x-robots-tag", "")).noindex,
    )


# ---- HTML -------------------------------------------------------------------------------------------------------


def _html(response: Response, decoded: Decoded, robot: str | None) -> ParsedPage | Failure:
    text, encoding, headers = decoded.text, decoded.encoding, response.headers
    if _too_deep(text):
        return Failure(
            response.url, "too_deep", f"the page nests more than {MAX_DEPTH} elements; no page for readers does"
        )
    try:
        tree = LexborHTMLParser(text)
    except SelectolaxError as error:
        return Failure(response.url, "malformed", f"the HTML parser refuses the page: {error}")
    root = tree.root
    if root is None:
        return Failure(response.url, "empty", "the page has neither text nor links")
    element = tree.css_first("base[href]")
    href = element.attributes.get("href") if element is not None else None
    base = canonical(href or "", response.url, encoding=encoding) or response.url
    reading = PageReader(root)
    body = main_text(reading.pieces)
    rules = directives(robot, reading.metadata, headers.get("x-robots-tag", ""))
    honour = robot is not None
    links = LinkList(response.url, nofollow=rules.nofollow, honour=honour, base=base, encoding=encoding)
    for anchor in reading.anchors:
        links.add(anchor)
    return ParsedPage(
        title=reading.title or reading.meta.get("og:title", ""),
        segments=tuple(reading.segments),
        text=body,
        links=links.out_links(reading.context),
        published=published(reading.meta, reading.json_ld, reading.times, response.url, bylines(reading.pieces)),
        canonical=declared_canonical(reading.canonicals, headers.get("link", ""), response.url, base, encoding),
        noindex=rules.noindex,
        skipped=links.skipped,
        divisions=tuple(
            Division(" ".join("".join(texts).split()), innermost)
            for texts, innermost in zip(reading.divisions, reading.innermost, strict=True)
        ),
    )


def _too_deep(text: str) -> bool:
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

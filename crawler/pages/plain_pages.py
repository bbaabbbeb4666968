"""Pages without markup: data files, records of a corpus, and plain text, whose lines are joined to paragraphs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any
from unicodedata import east_asian_width

from crawler.fetching.fetch import CHALLENGE
from crawler.model import Failure, ParsedPage, Response
from crawler.pages.charset import Decoded
from crawler.pages.dates import date_in_url, date_of
from crawler.pages.directives import declared_canonical, directives
from crawler.pages.links import Anchor, LinkList
from crawler.pages.ways import Ways, header_ways, read_data

DATA_TYPE = re.compile(r"(?:application|text)/(?:x-)?(?:javascript|ecmascript|json)|application/(?!ld\+)[\w.-]+\+json")
"""Types of the data files that scripts load."""
_LOOKED = 64
"""Characters among which a JSON document begins."""


def is_data_file(url: str, kind: str, text: str) -> bool:
    """Return whether HTML or plain text by its header is a data file: JSON, or plain text with the name of a script.

    >>> is_data_file("http://a.cn/", "text/html", '[{"url": "/1"}]'), is_data_file("http://a.cn/", "text/plain", "[1]:")
    (True, False)
    """
    if kind == "text/plain" and url.partition("?")[0].lower().endswith((".js", ".json")):
        return True
    if text[:_LOOKED].lstrip()[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def plain_page(response: Response, decoded: Decoded, robot: str | None, ways: Ways) -> ParsedPage:
    """Return a text as a page: one segment, and the links of its headers Refresh and Link."""
    page = _read_plain(response.url, decoded.text)
    return _with_headers(page, response, decoded, robot, _links(response, robot, ways))


def data_page(response: Response, decoded: Decoded, robot: str | None, ways: Ways) -> ParsedPage:
    """Return a JSON document or a script as a page: its strings for readers, and the addresses in it."""
    found, texts = read_data(decoded.text)
    links = _links(response, robot, ways)
    for way in found:
        links.add_way(way)
    page = ParsedPage(
        title="", segments=tuple(("p", text) for text in texts), text="\n".join(texts), links=(),
        published=date_in_url(response.url),
    )  # fmt: skip
    return _with_headers(page, response, decoded, robot, links)


def _with_headers(
    page: ParsedPage, response: Response, decoded: Decoded, robot: str | None, links: LinkList
) -> ParsedPage:
    """Return a page without markup with its links, and what its headers say."""
    headers = response.headers
    return replace(
        page,
        links=links.out_links(),
        skipped=links.skipped,
        canonical=declared_canonical((), headers.get("link", ""), response.url),
        noindex=directives(robot, header=headers.get("x-robots-tag", "")).noindex,
        encoding=decoded.encoding,
        confidence=decoded.confidence,
    )


def _links(response: Response, robot: str | None, ways: Ways) -> LinkList:
    """Return a list with the links of the headers Refresh and Link, for a page without markup."""
    headers = response.headers
    rules = directives(robot, header=headers.get("x-robots-tag", ""))
    links = LinkList(response.url, nofollow=rules.nofollow, honour=robot is not None, without=ways.without)
    for way in header_ways(headers, response.url):
        links.add_way(way)
    return links


RECORD_TYPE = "application/x-ontocrawl-page+json"
"""A page of a corpus: a JSON object {title, text, links: [{url, anchor}], published}, each key optional."""


def _read_plain(url: str, text: str) -> ParsedPage:
    """Return a page of plain text: one body segment, no links."""
    body = " ".join(text.split())
    segments = (("p", body),) if body else ()
    return ParsedPage(title="", segments=segments, text=_unwrapped(text), links=(), published=date_in_url(url))


def read_record(response: Response) -> ParsedPage | Failure:
    """Return the page of a corpus record, or a Failure ``malformed``."""
    try:
        record = json.loads(response.body)
        title, text = _string(record, "title"), _string(record, "text")
        links = LinkList(response.url, nofollow=False)
        for link in record.get("links", []):
            links.add(Anchor(href=_string(link, "url"), text=_string(link, "anchor")))
        day = date_of(_string(record, "published")) or date_in_url(response.url)
    except (ValueError, TypeError, AttributeError) as error:
        return Failure(response.url, "malformed", f"not a record {{title, text, links: [{{url, anchor}}]}}: {error}")
    parts = (("title", " ".join(title.split())), ("p", " ".join(text.split())))
    segments = tuple(part for part in parts if part[1])
    return ParsedPage(title, segments, _unwrapped(text), links.out_links(), day, skipped=links.skipped)


def _string(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key) or ""
    if not isinstance(value, str):
        raise TypeError(f"{key} is not a string but {type(value).__name__}")
    return value.encode("utf-8", "replace").decode("utf-8")


# ---- paragraphs of plain text: lines that were broken to a width are joined again
#
# A program that wraps text ends a line where the next word would not fit. So a line end is inside of a paragraph if
# the first word of the next line would have exceeded the width of the text, which is its longest line. Other line
# ends (headings, captions, entries of a list, the last line of a paragraph) stay.


WIDEST = 120
"""Columns of the widest lines that a text is wrapped to; a text with a longer line has a line for each paragraph."""
_LEAST = 2
"""Line ends that must be due to wrapping; of any few lines one is the longest."""
_UNSPACED = re.compile(r"[\u2e80-\ua4cf\uf900-\ufaff\ufe30-\uffef]")
"""Characters between which a line may be broken without a blank: Chinese, Japanese and their punctuation."""


def _unwrapped(text: str) -> str:
    r"""Join the lines of a wrapped text to paragraphs, one a line, without indentation and empty lines.

    Args:
        text: plain text.

    >>> lines = ["Floods", "", "  A flood is an overflow of water that", "  submerges land which is usually dry. The",
    ...          "  word is old."]
    >>> _unwrapped("\n".join(lines))
    'Floods\nA flood is an overflow of water that submerges land which is usually dry. The word is old.'
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    width = max((_columns(line) for line in lines if " " in line or _UNSPACED.search(line)), default=0)
    wrapped = [_is_wrapped(line, following, width) for line, following in pairwise(lines)]
    if width > WIDEST or sum(wrapped) < _LEAST:
        return "\n".join(line for line in lines if line)
    return _joined(lines, wrapped)


FULL = 0.75
"""Part of the width of a page's long lines from which a line is full, so that its text goes on in the next one."""


def joined_lines(text: str) -> str:
    r"""Join the lines of a page of a document to paragraphs, one a line.

    Letters of a document differ in width, so that it is not known whether a word would have fitted into a line. A line
    goes on in the next one where it is about as long as nine of ten lines of the page. Sentences end at their marks.

    >>> joined_lines("防汛预案\n第一条 为做好暴雨灾害的防范与应对工作，最大程度减少人员\n伤亡，制定本预案。\n第二条")
    '防汛预案\n第一条 为做好暴雨灾害的防范与应对工作，最大程度减少人员伤亡，制定本预案。\n第二条'
    """
    lines = [line for row in text.splitlines() if (line := " ".join(row.split()))]
    if not lines:
        return ""
    widths = [_columns(line) for line in lines]
    full = FULL * sorted(widths)[(len(widths) - 1) * 9 // 10]
    return _joined(lines, [width >= full and width > _SHORT for width in widths[:-1]])


_SHORT = 20
"""Columns of a line that never goes on: a page of a few words is a title page or a slide."""


def _joined(lines: Sequence[str], continues: Sequence[bool]) -> str:
    """Return lines as paragraphs, one a line, where it is known of each but the last whether it goes on."""
    joined = list(lines[:1])
    for line, goes_on in zip(lines[1:], continues, strict=True):
        if not goes_on:
            joined.append(line)
        elif _UNSPACED.match(line[0]) and _UNSPACED.match(joined[-1][-1]):
            joined[-1] += line
        else:
            joined[-1] += f" {line}"
    return "\n".join(line for line in joined if line)


def _is_wrapped(line: str, following: str, width: int) -> bool:
    """Return whether the first word of the following line would not have fitted behind a line."""
    if not line or not following:
        return False
    unspaced = _UNSPACED.match(following)
    first = following[0] if unspaced else following.split(" ", 1)[0]
    between = 0 if unspaced and _UNSPACED.match(line[-1]) else 1
    return _columns(line) + between + _columns(first) > width


def _columns(text: str) -> int:
    return len(text) if text.isascii() else sum(1 + (east_asian_width(character) in "WF") for character in text)


def nothing(response: Response) -> Failure:
    """Return the failure of a page without text and links."""
    if b"document.cookie" in response.body:
        return Failure(response.url, CHALLENGE, "the page is a script that sets a cookie", response.status)
    return Failure(response.url, "empty", "the page has neither text nor links")

"""Pages that are not HTML: records of a corpus, and plain text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from crawler.model import Failure, ParsedPage, Response
from crawler.pages.dates import date_in_url, date_of
from crawler.pages.links import Anchor, LinkList
from crawler.pages.paragraphs import unwrapped

RECORD_TYPE = "application/x-ontocrawl-page+json"
"""A page of a corpus: a JSON object {title, text, links: [{url, anchor}], published}, each key optional."""


def read_plain(url: str, text: str) -> ParsedPage:
    """Return a page of plain text: one body segment, no links."""
    body = " ".join(text.split())
    segments = (("p", body),) if body else ()
    return ParsedPage(title="", segments=segments, text=unwrapped(text), links=(), published=date_in_url(url))


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
    return ParsedPage(title, segments, unwrapped(text), links.out_links(), day, skipped=links.skipped)


def _string(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key) or ""
    if not isinstance(value, str):
        raise TypeError(f"{key} is not a string but {type(value).__name__}")
    return value.encode("utf-8", "replace").decode("utf-8")

"""From a URL to all that a crawl keeps of its page: fetch, parse, count."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from crawler.fetch import Fetcher
from crawler.model import Counts, Failure, OutLink
from crawler.parse import parse
from crawler.text import Matcher


@dataclass(frozen=True)
class PageRecord:
    """One fetch as the journal keeps it; ``failure`` is None exactly when the page counts as fetched."""

    final_url: str
    hops: tuple[str, ...] = ()
    status: int | None = None
    failure: str | None = None
    detail: str = ""
    title: str = ""
    text: str = ""
    published: str | None = None
    content_hash: str | None = None
    length: int = 0
    """Characters of all segments; the density relevance needs it."""
    links: tuple[OutLink, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    """(href, reason code) of hyperlinks that lead nowhere a crawl may go."""
    counts: Mapping[str, Counts] = field(default_factory=dict)
    """Vocabulary -> counts of its words per slot, shape (len(SLOTS), n)."""


def failed(url: str, failure: Failure) -> PageRecord:
    """The record of a fetch that gave no page."""
    code = failure.reason.removeprefix("http_")
    status = int(code) if failure.reason.startswith("http_") and code.isdigit() else None
    return PageRecord(final_url=failure.url or url, status=status, failure=failure.reason, detail=failure.detail)


def read_page(fetcher: Fetcher, matcher: Matcher, url: str) -> PageRecord:
    """Fetch a page (redirects followed, robots obeyed), parse it, count the words of every vocabulary."""
    got = fetcher.get(url)
    if isinstance(got, Failure):
        return failed(url, got)
    document = parse(got.response)
    if isinstance(document, Failure):
        return failed(url, document)
    return PageRecord(
        final_url=got.final_url,
        hops=tuple(got.hops),
        status=got.response.status,
        title=document.title,
        text=document.text,
        published=document.published,
        content_hash=hashlib.blake2b(document.text.encode(), digest_size=16).hexdigest(),
        length=sum(len(text) for _, text in document.segments),
        links=document.links,
        skipped=document.skipped,
        counts=matcher.count_segments(document.segments),
    )

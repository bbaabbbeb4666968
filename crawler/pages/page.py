"""From a URL to all that a crawl keeps of its page: fetch, parse, count."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from crawler.fetching.fetch import Fetcher
from crawler.model import Bools, Counts, Failure, Ids, OutLink, ParsedPage
from crawler.pages.parse import parse
from crawler.text import Matcher


@dataclass(frozen=True)
class Divisions:
    """The content blocks of a page (paper 003, section 4.1) that have links in them."""

    of: Ids
    """Row of the block that each of the page's links stands in, shape (links,)."""
    counts: Counts
    """Counts of the words of TK in each block, shape (blocks, n)."""
    innermost: Bools
    """Whether a block has no other in it, shape (blocks,)."""


@dataclass(frozen=True)
class Extras:
    """What a strategy asks of a page besides the counts of its words; nothing by default."""

    divisions: Matcher | None = None
    """Counts the words of TK, its only vocabulary, in each content block."""
    classify: Callable[[Sequence[tuple[str, str]]], str] | None = None
    """Class of a page from its (slot, text) segments."""


NO_EXTRAS = Extras()


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
    class_: str | None = None
    divisions: Divisions | None = None
    """Both where they were asked for; no divisions of a page without markup."""


def failed(url: str, failure: Failure) -> PageRecord:
    """The record of a fetch that gave no page."""
    code = failure.reason.removeprefix("http_")
    status = int(code) if failure.reason.startswith("http_") and code.isdigit() else None
    return PageRecord(final_url=failure.url or url, status=status, failure=failure.reason, detail=failure.detail)


def read_page(fetcher: Fetcher, matcher: Matcher, url: str, extras: Extras = NO_EXTRAS) -> PageRecord:
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
        class_=None if extras.classify is None else extras.classify(document.segments),
        divisions=None if extras.divisions is None else _divisions(document, extras.divisions),
    )


def _divisions(document: ParsedPage, matcher: Matcher) -> Divisions | None:
    if not document.divisions:
        return None
    rows, of = np.unique([link.division for link in document.links], return_inverse=True)
    blocks = [document.divisions[int(row)] for row in rows]
    (counts,) = matcher.count_many([block.text for block in blocks]).values()
    return Divisions(of.astype(np.int64), counts, np.array([block.innermost for block in blocks], dtype=np.bool_))

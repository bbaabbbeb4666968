"""The record of a page in a crawl: parse the page, count its topic words."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from crawler.fetching.fetch import Fetched
from crawler.fetching.pool import DOCUMENT, NOINDEX, PAGE, SHELL
from crawler.model import SLOT, SLOTS, Bools, Counts, Failure, Ids, ParsedPage, Rendering
from crawler.pages.dates import time_sent
from crawler.pages.directives import ROBOT
from crawler.pages.fingerprint import Fingerprint, fingerprint
from crawler.pages.parse import parse
from crawler.pages.tokens import PageTokens, Tokenizer
from crawler.pages.ways import ALL_WAYS, Ways
from crawler.pages.words import WordTotals, word_totals
from crawler.text import Matcher, Matches


@dataclass(frozen=True)
class Divisions:
    """The content blocks of a page (paper 003, section 4.1) that contain links."""

    block_of: Ids
    """Row of the block that contains each link of the page, shape (links,)."""
    counts: Counts
    """Counts of the words of TK in each block, shape (blocks, n)."""
    innermost: Bools
    """Whether a block contains no other block, shape (blocks,)."""


@dataclass(frozen=True)
class Extras:
    """Parts of a page that a strategy needs besides the counts of its words; none by default."""

    divisions: Matcher | None = None
    """Matcher of TK, its only vocabulary, for the content blocks."""
    classify: Callable[[Sequence[tuple[str, str]]], str] | None = None
    """Classifier of a page by its (slot, text) segments."""
    robot: str | None = ROBOT
    """Name of the crawler in directives of pages for robots; None to ignore these."""
    ways: Ways = ALL_WAYS
    """The kinds of links that are followed."""
    words: bool = False
    """Whether to count all words of a page, not only those of the topic."""
    tokens: Tokenizer | None = None
    """Cuts the page and its links into tokens."""
    documents: bool = False
    """Whether PDF and Word files are read (`crawler.pages.parser_processes.DocumentReaders`)."""
    crawled: bool = False
    """Whether a crawl follows the links of the page and journals its texts: these parts are made where it is parsed."""


NO_EXTRAS = Extras()
VALIDATORS = ("etag", "last-modified")
"""Headers of a response that make a later request conditional."""
NO_TEXT = hashlib.blake2b(b"", digest_size=16).hexdigest()
"""``content_hash`` of a page without text."""
NO_PAGE = ParsedPage("", (), "", ())
"""The page of a fetch that failed."""


@dataclass(frozen=True)
class PageRecord:
    """A fetch as the journal keeps it; ``failure`` is None exactly when the page counts as fetched."""

    final_url: str
    hops: tuple[str, ...] = ()
    status: int | None = None
    failure: str | None = None
    detail: str = ""
    page: ParsedPage = NO_PAGE
    """The parsed page without its divisions; ``title`` and ``text`` are empty where it asks robots not to use its text,
    and ``segments`` where it was read from a journal."""
    content_hash: str | None = None
    length: int = 0
    """Characters of all segments; the density relevance needs it."""
    counts: Mapping[str, Counts] = field(default_factory=dict)
    """Vocabulary -> counts of its words per slot, shape (len(SLOTS), n)."""
    class_: str | None = None
    divisions: Divisions | None = None
    """Class and content blocks, where ``Extras`` asks for them; no blocks for a page without markup."""
    fingerprint: Fingerprint | None = field(default=None, compare=False)
    """Fingerprint of the main text; None where it is too short, and for a page that was read from a journal."""
    words: WordTotals | None = None
    """Number of words, where ``Extras`` asks for it."""
    partial: str = ""
    """What is wrong with a body that was kept all the same (`crawler.model.Response`)."""
    weights: int = field(default=0, compare=False)
    """Number of the weights whose words were counted (``Matcher.number``)."""
    anchors: Matches | None = field(default=None, compare=False)
    """Matches in the anchors of the links of the page; None where it is not of a crawl."""
    packed: PackedTexts | None = field(default=None, compare=False)
    """The texts of the page as a journal keeps them; None where they were not packed yet."""
    tokens: PageTokens | None = field(default=None, compare=False)
    """The tokens, where ``Extras`` asks for them."""
    rendering: Rendering | None = None
    """What came of the page in a browser; None where it was in none."""
    sent: str | None = field(default=None, compare=False)
    """Time of the response by the clock of its server, ISO 8601 in UTC; None where it says none."""
    validators: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The VALIDATORS of the response that it has."""


class PackedTexts(NamedTuple):
    """The texts of a page, compressed."""

    text: bytes
    segments: bytes | None
    """JSON: [number of the slot, text] of each segment; None where the page asks robots not to use its text, or has
    none."""


def packed_texts(page: ParsedPage) -> PackedTexts:
    """Compress the texts of a page, in half the time of the default level and to 1 to 7 % more bytes."""
    text = zlib.compress(page.text.encode(), zlib.Z_BEST_SPEED)
    if page.noindex or not page.segments:
        return PackedTexts(text, None)
    segments = json.dumps([(SLOT[slot], text) for slot, text in page.segments], ensure_ascii=False)
    return PackedTexts(text, zlib.compress(segments.encode(), zlib.Z_BEST_SPEED))


def unpacked_segments(data: bytes) -> tuple[tuple[str, str], ...]:
    """Return the (slot, text) segments that `packed_texts` compressed."""
    return tuple((SLOTS[slot], text) for slot, text in json.loads(zlib.decompress(data)))


def failed(url: str, failure: Failure) -> PageRecord:
    """Return the record of a failed fetch of a URL."""
    code = failure.reason.removeprefix("http_")
    status = int(code) if failure.reason.startswith("http_") and code.isdigit() else failure.status
    return PageRecord(final_url=failure.url or url, status=status, failure=failure.reason, detail=failure.detail)


def mark(record: PageRecord) -> str:
    """Return the mark of a record, by which it may be rendered in a browser; of a failure its reason."""
    page = record.page
    kinds = {DOCUMENT: page.document is not None, NOINDEX: page.noindex, SHELL: page.shell}
    return record.failure or next((kind for kind, is_so in kinds.items() if is_so), PAGE)


def page_record(url: str, fetched: Fetched | Failure, matcher: Matcher, extras: Extras = NO_EXTRAS) -> PageRecord:
    """Parse a page and count the words of every vocabulary. A pure function, safe to call in any thread.

    Args:
        url: canonical URL that was requested.
        fetched: the response, or the failure to get one.
        matcher: counter of the words of all vocabularies.
        extras: further parts of the page that the strategy needs.

    Returns:
        The page, or the record of a failure.
    """
    if isinstance(fetched, Failure):
        return failed(url, fetched)
    document = parse(fetched.response, extras.robot, extras.ways, divided=extras.divisions is not None)
    if isinstance(document, Failure):
        return failed(url, document)
    page = _without_text(document) if document.noindex else replace(document, divisions=())
    return PageRecord(
        final_url=fetched.final_url,
        hops=tuple(fetched.hops),
        status=fetched.response.status,
        page=page,
        content_hash=None if document.noindex else hashlib.blake2b(document.text.encode(), digest_size=16).hexdigest(),
        length=document.length,
        counts=matcher.count_segments(document.segments),
        class_=None if extras.classify is None else extras.classify(document.segments),
        divisions=None if extras.divisions is None else _divisions(document, extras.divisions),
        fingerprint=None if document.noindex else fingerprint(document.text),
        words=word_totals(text for _, text in document.segments) if extras.words else None,
        partial=fetched.response.partial,
        weights=matcher.number,
        anchors=matcher.matches([link.anchor for link in document.links]) if extras.crawled else None,
        packed=packed_texts(page) if extras.crawled else None,
        tokens=None if extras.tokens is None else extras.tokens.page(document),
        sent=time_sent(fetched.response.headers),
        validators={name: value for name in VALIDATORS if (value := fetched.response.headers.get(name))},
    )


def _without_text(document: ParsedPage) -> ParsedPage:
    return replace(document, title="", text="", divisions=())


def _divisions(document: ParsedPage, matcher: Matcher) -> Divisions | None:
    if not document.divisions:
        return None
    row_of = {division: row for row, division in enumerate(sorted({link.division for link in document.links}))}
    block_of = np.array([row_of[link.division] for link in document.links], dtype=np.int64)
    blocks = [document.divisions[division] for division in row_of]
    (counts,) = matcher.count_many([block.text for block in blocks]).values()
    innermost = np.array([block.innermost for block in blocks], dtype=np.bool_)
    return Divisions(block_of, counts, innermost)

"""Records of an archive to rows of pages, links, failures and texts: the one function that every engine runs.

It is pure: Arrow in, Arrow out, no state, no file, no network. What a crawl makes of a response is made here by the
same functions, from the reading of the HTTP message on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from crawler.archives.record import Header
from crawler.fetching.fetch import Fetched
from crawler.model import SLOTS, Counts, Failure, Response
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.pages.text_figures import text_figures
from crawler.text import Matcher, Vocabulary
from crawler.url import canonical
from crawler.worlds.archive import recorded_reply
from ontocrawl.archives.schema import COUNTED, FAILURES, LINKS, TEXTS
from ontology.terms.occurrences import is_chinese_text

_SIGNED = 1 << 63
_LANGUAGE_CHARACTERS = 20_000
"""Characters of a page from which its language is told."""


@dataclass(frozen=True)
class Reading:
    """How pages are read: the words to count, and the limits. It can be sent to another process.

    Attributes:
        vocabularies: the topic vectors; the first one is that of the judge.
        robot: name of the crawler in directives of pages for robots; None to ignore these.
        max_bytes: maximum size of a page, decoded.
        matcher: counter of the words of all vocabularies.
    """

    vocabularies: tuple[Vocabulary, ...]
    robot: str | None
    max_bytes: int
    matcher: Matcher = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "matcher", Matcher(self.vocabularies))


class PageTables(NamedTuple):
    """The rows of a batch of records; each record is a page or a failure."""

    pages: pa.RecordBatch
    """Schema COUNTED."""
    links: pa.RecordBatch
    """Schema LINKS."""
    failures: pa.RecordBatch
    """Schema FAILURES."""
    texts: pa.RecordBatch
    """Schema TEXTS, a row for each page; empty for a page that asks robots not to use its text."""


def pages(records: pa.RecordBatch, reading: Reading) -> PageTables:
    """Make the rows of some records.

    Args:
        records: records of the schema RECORDS.
        reading: the words to count, and the limits.

    Returns:
        Rows in the order of the records. A record without a page is a row of ``failures`` with its reason.
    """
    rows, links, failures, texts = list[Any](), list[Any](), list[Any](), list[Any]()
    for record in records.to_pylist():
        place = {name: record[name] for name in ("file", "offset", "skip")}
        page = _page(record, reading)
        if isinstance(page, Failure):
            failures.append({**place, "url": page.url, "reason": page.reason, "detail": _text(page.detail)})
            continue
        rows.append({**place, "url": page.final_url, "fetched": record["date"], **_columns(page, reading)})
        texts.append({**place, "url": page.final_url, "text": _text(page.text)})
        for position, link in enumerate(page.links):
            where = {"position": position, "url": page.final_url, "target": link.url, "anchor": _text(link.anchor)}
            links.append({**place, **where})
    return PageTables(
        pa.RecordBatch.from_pylist(rows, COUNTED),
        pa.RecordBatch.from_pylist(links, LINKS),
        pa.RecordBatch.from_pylist(failures, FAILURES),
        pa.RecordBatch.from_pylist(texts, TEXTS),
    )


def _page(record: Mapping[str, Any], reading: Reading) -> PageRecord | Failure:
    """Return the page of a record, or the failure to get one."""
    told = _text(record["url"] or "")
    url = canonical(told) or told
    if record["reason"] is not None:
        return Failure(url, record["reason"], record["detail"])
    if not url.startswith(("http://", "https://")):
        return Failure(url, "not_http", f"a {record['kind']} record of {url[:200]!r}")
    if record["kind"] == "revisit":
        return Failure(url, "revisit", "the record repeats the page of another one")
    if url.endswith("/robots.txt") and url.count("/") == 3:
        return Failure(url, "robots_file", "a robots.txt file")
    header = Header(json.loads(record["header"]))
    reply = recorded_reply(url, header, record["content"], reading.max_bytes)
    if isinstance(reply, Response) and reply.status != 200:
        reply = Failure(url, f"http_{reply.status}", f"status {reply.status}")
    if isinstance(reply, Failure):
        return reply
    page = page_record(url, Fetched(reply, url), reading.matcher, Extras(robot=reading.robot, words=True))
    return page if page.failure is None else Failure(url, page.failure, page.detail)


def _columns(page: PageRecord, reading: Reading) -> dict[str, Any]:
    """Return the values of a page that its text determines."""
    judged = reading.vocabularies[0].name
    figures = text_figures(reading.matcher, judged, page.words, page.title, page.text)
    bits, numbers = page.simhash or (None, None)
    return {
        "title": _text(page.title),
        "language": _language(page),
        "published": page.published,
        "canonical": page.canonical,
        "noindex": page.noindex,
        "characters": page.length,
        "words": figures.words,
        "distinct_words": figures.distinct,
        "links": len(page.links),
        "content_hash": page.content_hash,
        "simhash": _signed(bits),
        "simhash_numbers": _signed(numbers),
        "counts": [row for v in reading.vocabularies for row in _occurrences(v, page.counts[v.name])],
        "lead_words": figures.lead_words,
        "lead": [{"word": n, "count": int(figures.lead[n])} for n in np.flatnonzero(figures.lead).tolist()],
    }


def _occurrences(vocabulary: Vocabulary, counts: Counts) -> list[dict[str, Any]]:
    """Return a row for each word of a vocabulary in each position where it occurs, by word."""
    return [
        {
            "vocabulary": vocabulary.name,
            "word": word,
            "label": vocabulary.words[word].label,
            "slot": SLOTS[slot],
            "count": int(counts[slot, word]),
        }
        for word in np.flatnonzero(counts.any(axis=0)).tolist()
        for slot in np.flatnonzero(counts[:, word]).tolist()
    ]


def _language(page: PageRecord) -> str | None:
    """Return zh or en, as papers are told apart; None for a page without words, or one not to be used."""
    text = page.text[:_LANGUAGE_CHARACTERS]
    if not (page.words and page.words.words) or not (page.title or text):
        return None
    return "zh" if is_chinese_text(f"{page.title}\n{text}") else "en"


def _signed(bits: int | None) -> int | None:
    """Return 64 bits as a signed number, which every reader of Parquet has."""
    return None if bits is None else (bits ^ _SIGNED) - _SIGNED


def _text(text: str) -> str:
    """Return a text without surrogates, which UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode()

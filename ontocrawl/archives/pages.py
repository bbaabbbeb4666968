"""Records of an archive to rows of pages, links, failures and texts: the one function that every engine runs.

It is pure: Arrow in, Arrow out, no state, no file, no network. What a crawl makes of a response is made here by the
same functions, from the reading of the HTTP message on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from crawler.archives.index import archive_files
from crawler.archives.reading import record_at
from crawler.archives.record import Header, HeaderError
from crawler.archives.scan import Copies, Found, Unpacked, scan
from crawler.crawl_options import Judge
from crawler.fetching.fetch import Fetched
from crawler.model import SLOT, SLOTS, Counts, Failure, Response, TextFigures
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.pages.text_figures import text_figures
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher, Vocabulary
from crawler.url import canonical
from crawler.worlds.archive import recorded_reply
from ontology.terms.occurrences import is_chinese_text

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
        texts.append({**place, "url": page.final_url, "text": _text(page.page.text)})
        for position, link in enumerate(page.page.links):
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
    if isinstance(reply, Response) and not reply.is_page:
        reply = Failure(url, f"http_{reply.status}", f"status {reply.status}")
    if isinstance(reply, Failure):
        return reply
    page = page_record(url, Fetched(reply, url), reading.matcher, Extras(robot=reading.robot, words=True))
    return page if page.failure is None else Failure(url, page.failure, page.detail)


def _columns(record: PageRecord, reading: Reading) -> dict[str, Any]:
    """Return the values of a page that its text determines."""
    judged = reading.vocabularies[0].name
    figures = text_figures(reading.matcher, judged, record.words, record.page.title, record.page.text)
    return {
        "title": _text(record.page.title),
        "language": _language(record),
        "published": record.page.published,
        "canonical": record.page.canonical,
        "noindex": record.page.noindex,
        "characters": record.length,
        "words": figures.words,
        "distinct_words": figures.distinct,
        "links": len(record.page.links),
        "content_hash": record.content_hash,
        "simhash": None,  # null: earlier versions had another fingerprint
        "simhash_numbers": None,
        "fingerprint": None if record.fingerprint is None else record.fingerprint.packed(),
        "counts": [row for v in reading.vocabularies for row in _occurrences(v, record.counts[v.name])],
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


def _language(record: PageRecord) -> str | None:
    """Return zh or en, as papers are told apart; None for a page without words, or one not to be used."""
    text = record.page.text[:_LANGUAGE_CHARACTERS]
    if not (record.words and record.words.words) or not (record.page.title or text):
        return None
    return "zh" if is_chinese_text(f"{record.page.title}\n{text}") else "en"


def _text(text: str) -> str:
    """Return a text without surrogates, which UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode()


# ---- the relevance of the pages of an archive, as columns, by the document frequencies of the whole archive


class Frequencies:
    """Document frequencies of some pages: N, the number of their words, and N_i of each word of the judge's vector.

    Frequencies of parts of an archive add up to those of the archive, in any order.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._name = vocabulary.name
        self.N, self.words = 0, 0
        self.N_i = np.zeros(len(vocabulary), dtype=np.int64)

    def add_pages(self, pages: pa.RecordBatch) -> None:
        """Add pages of the schema COUNTED."""
        self.N += pages.num_rows
        for words, counts in zip(pages["words"].to_pylist(), pages["counts"].to_pylist(), strict=True):
            self.words += words
            self.N_i[[*{row["word"] for row in counts if row["vocabulary"] == self._name}]] += 1

    def add(self, values: Mapping[str, Any]) -> None:
        """Add frequencies that ``as_json`` returned."""
        self.N += values["N"]
        self.words += values["words"]
        self.N_i += np.array(values["N_i"], dtype=np.int64)

    def as_json(self) -> dict[str, Any]:
        """Return the frequencies as values of JSON."""
        return {"N": self.N, "words": self.words, "N_i": self.N_i.tolist()}

    def statistics(self, vocabulary: Vocabulary) -> Statistics:
        """Return them as relevance functions read them."""
        statistics = Statistics({self._name: vocabulary})
        statistics.restore({"N": self.N, "words": self.words, "containing": {self._name: self.N_i}})
        return statistics


def with_relevance(pages: pa.RecordBatch, judge: Judge, vocabulary: Vocabulary, statistics: Statistics) -> pa.Table:
    """Add the relevance of pages, and the judge's decisions.

    Args:
        pages: pages of the schema COUNTED.
        judge: relevance function and threshold.
        vocabulary: the topic vector of the judge.
        statistics: document frequencies of the whole archive.

    Returns:
        The pages by the schema PAGES.
    """
    figures = (pages[name].to_pylist() for name in ("counts", "characters", "words", "distinct_words", "lead_words"))
    relevance = []
    for counts, length, words, distinct, lead_words, lead in zip(*figures, pages["lead"].to_pylist(), strict=True):
        text = TextFigures(words, distinct, lead_words, _lead(lead, len(vocabulary)))
        by_slot = _by_slot(counts, vocabulary)
        w, name = vocabulary.weights, vocabulary.name
        relevance.append(judge.relevance.page(by_slot, w, statistics, name, length, text))
    R = pa.array(relevance, pa.float64())
    relevant = pa.array([judge.verdict(r) for r in relevance], pa.bool_())
    return pa.Table.from_arrays([*pages.columns, R, relevant], schema=PAGES)


def _by_slot(rows: Iterable[Mapping[str, Any]], vocabulary: Vocabulary) -> Counts:
    """Return the counts of the words of a vocabulary by slot, shape (len(SLOTS), n)."""
    counts = np.zeros((len(SLOTS), len(vocabulary)), dtype=np.int64)
    for row in rows:
        if row["vocabulary"] == vocabulary.name:
            counts[SLOT[row["slot"]], row["word"]] = row["count"]
    return counts


def _lead(rows: Iterable[Mapping[str, Any]], n: int) -> Counts:
    """Return the counts of the words at the beginning of the text, shape (n,)."""
    counts = np.zeros(n, dtype=np.int64)
    for row in rows:
        counts[row["word"]] = row["count"]
    return counts


# ---- parts of an archive, the units of work: ranges of bytes of its files, so that a large file is read by several


PART_BYTES = 16_000_000
"""Bytes of a file in a part; a compressed part is some thousands of pages."""
_BATCH_ROWS, _BATCH_BYTES = 1000, 32_000_000
"""Where a batch of records ends, so that a part of any size needs little memory."""


@dataclass(frozen=True, slots=True)
class Part:
    """A range of bytes of a file of an archive: the records that begin in it, the first one that is found included."""

    number: int
    path: Path
    name: str
    """Name of the file in the rows: its path in the archive."""
    begin: int
    end: int

    def __str__(self) -> str:
        return f"{self.name}, bytes {self.begin} to {self.end}"


def parts_of(archive: Path, part_bytes: int = PART_BYTES) -> list[Part]:
    """Divide an archive into parts, in the order of its files. Large plain files are scanned for that.

    Args:
        archive: a folder of WARC files, or one file.
        part_bytes: size of a part.

    Raises:
        ArchiveError: there is no such file, or a folder without any.
    """
    parts: list[Part] = []
    for path in archive_files(archive):
        name = path.name if path == archive else path.relative_to(archive).as_posix()
        name = name.encode("utf-8", "replace").decode()  # Arrow has no names that are not UTF-8
        begins = _begins(path, part_bytes)
        for begin, end in pairwise([*begins, max(path.stat().st_size, begins[-1] + 1)]):
            parts.append(Part(len(parts), path.absolute(), name, begin, end))
    return parts


def _begins(path: Path, part_bytes: int) -> list[int]:
    """Return where the parts of a file begin: anywhere in a compressed one, else where a scan of it finds something."""
    file = Unpacked(path)
    file.close()
    if file.compressed or file.size <= part_bytes:
        return [*range(0, max(1, file.size), part_bytes)]
    begins = [0]
    for found in scan(path):
        offset = found.place.offset if isinstance(found, Found) else found.offset
        if offset >= begins[-1] + part_bytes:
            begins.append(offset)
    return begins


def records_of(part: Part, limit: int) -> Iterator[pa.RecordBatch]:
    """Read the records of a part that say what came of a request, and its losses, in the order of the file.

    Args:
        part: the part.
        limit: maximum size of the content of a record; a larger one is a row with the reason ``too_large``.

    Yields:
        Batches of the schema RECORDS.

    Raises:
        OSError: the file cannot be read.
    """
    rows: list[dict[str, Any]] = []
    size = 0
    for row in _rows(part, limit):
        rows.append(row)
        size += len(row["content"] or b"")
        if len(rows) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield pa.RecordBatch.from_pylist(rows, _RECORDS)
            rows, size = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, _RECORDS)


def _rows(part: Part, limit: int) -> Iterator[dict[str, Any]]:
    copies: Copies = {}
    file = Unpacked(part.path, copies)
    try:
        for found in scan(part.path, copies, part.begin, part.end):
            if not isinstance(found, Found):
                yield _row(part, found.offset, 0, reason=found.reason, detail=found.detail)
                continue
            header, place = found.header, found.place
            if not header.answers:
                continue
            about: dict[str, Any] = {"url": header.url, "kind": header.kind, "date": header.fields.get("warc-date")}
            try:
                _, content = record_at(file, place, limit)
            except HeaderError as error:
                yield _row(part, *place, **about, reason=error.reason, detail=error.detail)
            else:
                yield _row(part, *place, **about, header=json.dumps(header.fields), content=content)
    finally:
        file.close()


def _row(part: Part, offset: int, skip: int, **values: Any) -> dict[str, Any]:
    empty = dict.fromkeys(("url", "kind", "date", "header", "content", "reason", "detail"))
    return empty | {"file": part.name, "offset": offset, "skip": skip} | values


# ---- the tables of an archive, as Arrow schemas. docs/operate.md describes the columns of those that are written


_PLACE = [("file", pa.string()), ("offset", pa.int64()), ("skip", pa.int64())]
"""Where a record is: its file in the archive, the offset in that file, the unpacked bytes before it in its member."""
_COUNT = pa.struct([
    ("vocabulary", pa.string()), ("word", pa.int32()), ("label", pa.string()), ("slot", pa.string()),
    ("count", pa.int32()),
])  # fmt: skip
_LEAD = pa.struct([("word", pa.int32()), ("count", pa.int32())])

_RECORDS = pa.schema([
    *_PLACE, ("url", pa.string()), ("kind", pa.string()), ("date", pa.string()), ("header", pa.string()),
    ("content", pa.binary()), ("reason", pa.string()), ("detail", pa.string()),
])  # fmt: skip
"""Records as they are read: the fields of the header as a JSON object, and the content; or the reason of a loss."""

COUNTED = pa.schema([
    *_PLACE, ("url", pa.string()), ("fetched", pa.string()), ("title", pa.string()), ("language", pa.string()),
    ("published", pa.string()), ("canonical", pa.string()), ("noindex", pa.bool_()), ("characters", pa.int64()),
    ("words", pa.int64()), ("distinct_words", pa.int64()), ("links", pa.int32()), ("content_hash", pa.string()),
    ("simhash", pa.int64()), ("simhash_numbers", pa.int64()), ("fingerprint", pa.binary()),
    ("counts", pa.list_(_COUNT)), ("lead_words", pa.int32()),
    ("lead", pa.list_(_LEAD)),
])  # fmt: skip
"""Pages without their relevance, which needs the document frequencies of the whole archive."""

PAGES = COUNTED.append(pa.field("relevance", pa.float64())).append(pa.field("relevant", pa.bool_()))

LINKS = pa.schema([
    *_PLACE, ("position", pa.int32()), ("url", pa.string()), ("target", pa.string()), ("anchor", pa.string()),
])  # fmt: skip

TEXTS = pa.schema([*_PLACE, ("url", pa.string()), ("text", pa.string())])
"""The main text of each page, in the order of PAGES."""

FAILURES = pa.schema([*_PLACE, ("url", pa.string()), ("reason", pa.string()), ("detail", pa.string())])

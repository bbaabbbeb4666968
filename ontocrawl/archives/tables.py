"""Read the tables of a scored archive batch by batch: the newest record of each page, its links, and their ends.

A URL that was recorded several times is one page here: the record with the latest date, of equal dates the last one.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from crawler.model import Bools
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.simhash import Fingerprint
from ontocrawl.archives import memory_model, parquet_files, work
from ontocrawl.archives.url_numbers import Numbers, UrlNumbers

_PLACE = ("file", "offset", "skip")
_WHEN = ("url", "fetched")
_BITS = 32
"""Bits of the number of a node where both ends of a link are one integer."""
_UNSIGNED = (1 << 64) - 1
Place = tuple[str, int, int]


class Link(NamedTuple):
    """A link of a page."""

    source: str
    target: str
    anchor: str


@dataclass(frozen=True, eq=False)
class Ends:
    """The link graph of the tables: n nodes, of which the first k are pages, and m different links."""

    urls: pa.ChunkedArray
    """URL of each node, (n,): the pages in the order of their rows, then what only links name."""
    pages: int
    """Number k of pages."""
    source: Numbers
    """Node at the start of each link, (m,); links are sorted by source, then target."""
    target: Numbers
    """Node at the end of each link, (m,)."""


@dataclass(frozen=True)
class Tables:
    """A folder that `archive score` made, and the topic that its pages were scored by."""

    folder: Path
    topic: str

    def rows(self, *columns: str) -> Iterator[dict[str, Any]]:
        """Yield some columns of the newest record of each page, in the order of the rows."""
        for batch in self._newest_batches(*columns):
            yield from batch.to_pylist()

    def pages(self, *columns: str) -> Iterator[dict[str, Any]]:
        """Yield the newest record of each page, in the order of the rows.

        Args:
            *columns: columns of the table that the rows have, beside ``near_duplicate_of``: the URL of the first page
                with nearly the same text, or None.
        """
        seen, urls = NearDuplicates(), _Texts()
        for page in self.rows(*{"url", "simhash", "simhash_numbers", *columns}):
            first = _first(seen, len(urls), page["simhash"], page["simhash_numbers"])
            yield {**{name: page[name] for name in columns},
                   "near_duplicate_of": None if first is None else urls[first]}  # fmt: skip
            urls.append(page["url"])

    def links(self) -> Iterator[Link]:
        """Yield the links of the newest record of each page, those of a page one after another."""
        for batch in self._link_batches("url", "target", "anchor"):
            yield from map(Link, *(column.to_pylist() for column in batch.columns))

    def ends(self, *advice: object) -> Ends:
        """Return the link graph; a link that a page has several times counts once.

        Args:
            *advice: what to do where there is too little memory, as parts of a message.

        Raises:
            CommandError: ranks of the link graph need more memory than there is.
        """
        free, rows = memory_model.free(), self.count("links.parquet")
        numbers = UrlNumbers()
        for batch in self._newest_batches("url"):
            numbers.of(batch["url"])
        k, m = len(numbers), 0
        memory_model.check(k, numbers.text_bytes, rows, free, *advice)
        key = np.empty(rows, dtype=np.int64)
        for batch in self._link_batches("url", "target"):
            start, end = (numbers.of(batch[name]).astype(np.int64) for name in ("url", "target"))
            key[m : m + len(batch)] = start << _BITS | end
            m += len(batch)
            memory_model.check(len(numbers), numbers.text_bytes, rows, free, *advice)
        key = key[:m]
        key.sort()
        different = np.append(True, key[1:] != key[:-1])[:m]
        key = key if different.all() else key[different]
        source: Numbers = (key >> _BITS).astype(np.int32)
        key &= (1 << _BITS) - 1
        target: Numbers = key.astype(np.int32)
        return Ends(numbers.urls(), k, source, target)

    def count(self, table: str) -> int:
        """Return the number of rows of a table, older records among them."""
        return sum(map(parquet_files.number_of_rows, self._files(table)))

    def require_whole(self, made: Mapping[str, Any]) -> None:
        """Compare the tables with what was made, for a copy that was interrupted.

        Args:
            made: what `archive score` wrote of them: the numbers of pages and of failures, and the request.

        Raises:
            UsageError: a table, or a part of one, is missing.
        """
        texts = [work.TEXTS] if made["request"].get("texts") else []
        parts = [path.name for path in self._files("pages.parquet")]
        for table in ("links.parquet", *texts):
            if [path.name for path in self._files(table)] != parts:
                raise parquet_files.damaged(self.folder / table, "it has other parts than pages.parquet")
        promised = [("pages.parquet", "pages"), ("failures.parquet", "failed"), *((name, "pages") for name in texts)]
        for table, number in promised:
            found = self.count(table)
            if found != made[number]:
                raise parquet_files.damaged(self.folder / table, f"it has {found} rows of {made[number]}")

    def reasons(self) -> Counter[str]:
        """Return the number of failures by reason."""
        reasons = Counter[str]()
        for batch in self._batches("failures.parquet", "reason"):
            reasons.update(batch["reason"].to_pylist())
        return reasons

    @cached_property
    def _newest(self) -> Bools:
        """Which rows of the pages are the newest record of their URL, by row."""
        numbers = UrlNumbers()
        batches = [(numbers.of(batch["url"]), batch["fetched"]) for batch in self._batches("pages.parquet", *_WHEN)]
        if not batches:
            return np.zeros(0, dtype=np.bool_)
        code = np.concatenate([batch for batch, _ in batches])
        dates = pa.chunked_array([dates for _, dates in batches]).cast(pa.large_string()).combine_chunks()
        when = pc.rank(pc.fill_null(dates, ""), tiebreaker="dense").to_numpy()
        order = np.lexsort((when, code))  # it is stable: of equal dates the last row is the newest
        newest = np.zeros(len(code), dtype=np.bool_)
        newest[order[np.append(code[order][1:] != code[order][:-1], True)]] = True
        return newest

    @cached_property
    def _older(self) -> frozenset[Place]:
        """Places of the records that are not the newest of their URL."""
        if self._newest.all():
            return frozenset()
        batches = self._marked_batches(~self._newest, *_PLACE)
        return frozenset((row["file"], row["offset"], row["skip"]) for batch in batches for row in batch.to_pylist())

    def _newest_batches(self, *columns: str) -> Iterator[pa.RecordBatch]:
        return self._marked_batches(self._newest, *columns)

    def _marked_batches(self, marks: Bools, *columns: str) -> Iterator[pa.RecordBatch]:
        """Yield some columns of marked pages."""
        row = 0
        for batch in self._batches("pages.parquet", *columns):
            yield batch.filter(pa.array(marks[row : row + len(batch)]))
            row += len(batch)

    def _link_batches(self, *columns: str) -> Iterator[pa.RecordBatch]:
        """Yield some columns of the links of the newest records."""
        older = self._older
        if not older:
            yield from self._batches("links.parquet", *columns)
            return
        for batch in self._batches("links.parquet", *_PLACE, *columns):
            places = zip(*(batch[name].to_pylist() for name in _PLACE), strict=True)
            yield batch.filter(pa.array([place not in older for place in places], pa.bool_())).select(list(columns))

    def _batches(self, table: str, *columns: str) -> Iterator[pa.RecordBatch]:
        """Yield some columns of a table, in the order of ``columns``."""
        for path in self._files(table):
            yield from parquet_files.batches(path, columns)

    def _files(self, table: str) -> list[Path]:
        return sorted((self.folder / table).glob("*.parquet"))


class _Texts:
    """Texts that are only added, in their bytes and 8 more each."""

    def __init__(self) -> None:
        self._bytes, self._ends = bytearray(), array("q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> str:
        return self._bytes[self._ends[number] : self._ends[number + 1]].decode()

    def append(self, text: str) -> None:
        self._bytes += text.encode()
        self._ends.append(len(self._bytes))


def opened(folder: Path) -> Tables:
    """Return the tables in a folder. Raises UsageError for a folder without finished and whole tables."""
    made = work.made_in(folder)
    tables = Tables(folder, str(made["request"]["topic"]))
    tables.require_whole(made)
    return tables


def _first(seen: NearDuplicates, number: int, bits: int | None, numbers: int | None) -> int | None:
    """Return the number of the first page that is nearly the same as a page, which is added."""
    if bits is None or numbers is None:
        return None
    return seen.add(number, number, Print(Fingerprint(bits & _UNSIGNED, numbers & _UNSIGNED)))


def degrees(nodes: Numbers, n: int) -> NDArray[np.int64]:
    """Return how often each of n nodes occurs, shape (n,)."""
    return np.bincount(nodes, minlength=n).astype(np.int64)

"""Read the tables of a scored archive batch by batch: the newest record of each page, its links, and their ends.

A URL that was recorded several times is one page here: the record with the latest date, of equal dates the last one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from crawler.model import Bools, Ids
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.simhash import Fingerprint
from ontocrawl.archives import work

_PLACE = ("file", "offset", "skip")
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

    urls: tuple[str, ...]
    """URL of each node, (n,): the pages in the order of their rows, then what only links name."""
    pages: int
    """Number k of pages."""
    source: Ids
    """Node at the start of each link, (m,); links are sorted by source, then target."""
    target: Ids
    """Node at the end of each link, (m,)."""


@dataclass(frozen=True)
class Tables:
    """A folder that `archive score` made, and the topic that its pages were scored by."""

    folder: Path
    topic: str

    def rows(self, *columns: str) -> Iterator[dict[str, Any]]:
        """Yield some columns of the newest record of each page, in the order of the rows."""
        row = 0
        for batch in self._batches("pages.parquet", *columns):
            yield from batch.filter(pa.array(self._newest[row : row + len(batch)])).to_pylist()
            row += len(batch)

    def pages(self, *columns: str) -> Iterator[dict[str, Any]]:
        """Yield the newest record of each page, in the order of the rows.

        Args:
            *columns: columns of the table that the rows have, beside ``near_duplicate_of``: the URL of the first page
                with nearly the same text, or None.
        """
        seen, urls = NearDuplicates(), list[str]()
        for page in self.rows(*{"url", "simhash", "simhash_numbers", *columns}):
            first = _first(seen, len(urls), page["simhash"], page["simhash_numbers"])
            yield {**{name: page[name] for name in columns},
                   "near_duplicate_of": None if first is None else urls[first]}  # fmt: skip
            urls.append(page["url"])

    def links(self) -> Iterator[Link]:
        """Yield the links of the newest record of each page, those of a page one after another."""
        older = self._older
        for batch in self._batches("links.parquet", *_PLACE, "url", "target", "anchor"):
            rows = zip(*(batch.column(name).to_pylist() for name in batch.schema.names), strict=True)
            for *place, url, target, anchor in rows:
                if not older or tuple(place) not in older:
                    yield Link(url, target, anchor)

    def ends(self) -> Ends:
        """Return the link graph; a link that a page has several times counts once."""
        node: dict[str, int] = {}
        for page in self.rows("url"):
            node.setdefault(page["url"], len(node))
        k = len(node)
        pairs = np.fromiter(
            (node.setdefault(url, len(node)) for link in self.links() for url in (link.source, link.target)),
            dtype=np.int64,
        ).reshape(-1, 2)
        n = len(node)
        key = np.unique(pairs[:, 0] * n + pairs[:, 1])
        return Ends(tuple(node), k, key // max(n, 1), key % max(n, 1))

    def count(self, table: str) -> int:
        """Return the number of rows of a table, older records among them."""
        return sum(pq.read_metadata(path).num_rows for path in self._files(table))

    @cached_property
    def _newest(self) -> Bools:
        """Which rows of the pages are the newest record of their URL, by row."""
        table = self._places
        if not len(table):
            return np.zeros(0, dtype=np.bool_)
        code = pc.rank(table["url"].combine_chunks(), tiebreaker="dense").to_numpy()
        when = pc.rank(pc.fill_null(table["fetched"].combine_chunks(), ""), tiebreaker="dense").to_numpy()
        order = np.lexsort((when, code))  # it is stable: of equal dates the last row is the newest
        newest = np.zeros(len(table), dtype=np.bool_)
        newest[order[np.append(code[order][1:] != code[order][:-1], True)]] = True
        return newest

    @cached_property
    def _older(self) -> frozenset[Place]:
        """Places of the records that are not the newest of their URL."""
        rows = self._places.filter(pa.array(~self._newest)).select(_PLACE).to_pylist()
        return frozenset((row["file"], row["offset"], row["skip"]) for row in rows)

    @cached_property
    def _places(self) -> pa.Table:
        batches = list(self._batches("pages.parquet", *_PLACE, "url", "fetched"))
        return pa.Table.from_batches(batches) if batches else pa.table({name: [] for name in (*_PLACE, "url")})

    def _batches(self, table: str, *columns: str) -> Iterator[pa.RecordBatch]:
        """Yield some columns of a table, in the order of ``columns``."""
        for path in self._files(table):
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(columns=list(columns)):
                    yield batch.select(list(columns))

    def _files(self, table: str) -> list[Path]:
        return sorted((self.folder / table).glob("*.parquet"))


def opened(folder: Path) -> Tables:
    """Return the tables in a folder. Raises UsageError for a folder without finished tables."""
    return Tables(folder, str(work.request_of(folder)["topic"]))


def _first(seen: NearDuplicates, number: int, bits: int | None, numbers: int | None) -> int | None:
    """Return the number of the first page that is nearly the same as a page, which is added."""
    if bits is None or numbers is None:
        return None
    return seen.add(number, number, Print(Fingerprint(bits & _UNSIGNED, numbers & _UNSIGNED)))


def degrees(nodes: Ids, n: int) -> NDArray[np.int64]:
    """Return how often each of n nodes occurs, shape (n,)."""
    return np.bincount(nodes, minlength=n).astype(np.int64)

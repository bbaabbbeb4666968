"""Read the tables of a scored archive batch by batch: the newest record of each page, its links, and their ends.

A URL that was recorded several times is one page here: the record with the latest date, of equal dates the last one.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from crawler.model import Bools
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.fingerprint import Fingerprint
from crawler.pages.page import NO_TEXT
from ontocrawl.archives import work
from ontocrawl.errors import CommandError, UsageError

# ---- numbers of URLs in the order in which they come first, in less memory than a dictionary of texts
#
# A URL is known by 96 bits of a hash: 64 by which it is looked up, and 32 that must agree. So two URLs of 10^9 get
# one number with a probability below 10^-10, and two that agree in the 64 bits alone are an error. The hashes are in
# sorted arrays, each at least twice as long as the next one: a new one is merged with those that are not.


_Numbers = NDArray[np.int32]
_HASH = np.dtype([("key", "<u8"), ("check", "<u4")])


class _Run(NamedTuple):
    """URLs sorted by their keys."""

    key: NDArray[np.uint64]
    check: NDArray[np.uint32]
    number: _Numbers


class _UrlNumbers:
    """Numbers 0, 1, 2 .. of different URLs."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._texts: list[pa.Array] = []
        self._count = 0
        self.text_bytes = 0
        """Bytes of the URLs together."""

    def __len__(self) -> int:
        return self._count

    def urls(self) -> pa.ChunkedArray:
        """Return the URLs by number."""
        return pa.chunked_array(self._texts, pa.string())

    def of(self, urls: pa.Array) -> _Numbers:
        """Return the number of each URL; new ones get the next numbers.

        Args:
            urls: texts without nulls, (b,).

        Raises:
            CommandError: two URLs cannot be told apart.
        """
        encoded = urls.dictionary_encode()
        hashed = _hashes(encoded.dictionary)
        number = self._known(hashed)
        new = np.flatnonzero(number < 0)
        number[new] = np.arange(self._count, self._count + len(new))
        self._add(hashed[new], number[new])
        self._texts.append(encoded.dictionary.take(pa.array(new)))
        self.text_bytes += pc.sum(pc.binary_length(self._texts[-1])).as_py() or 0
        of_each: _Numbers = number[encoded.indices.to_numpy()]
        return of_each

    def _known(self, hashed: NDArray[np.void]) -> _Numbers:
        number = np.full(len(hashed), -1, dtype=np.int32)
        for run in self._runs:
            place = np.minimum(np.searchsorted(run.key, hashed["key"]), len(run.key) - 1)
            same = run.key[place] == hashed["key"]
            if np.any(run.check[place[same]] != hashed["check"][same]):
                raise CommandError("archives.two_urls_archive_same")
            number[same] = run.number[place[same]]
        return number

    def _add(self, hashed: NDArray[np.void], number: _Numbers) -> None:
        if not len(hashed):
            return
        self._count += len(hashed)
        self._runs.append(_sorted([_Run(hashed["key"], hashed["check"], number)]))
        while len(self._runs) > 1 and len(self._runs[-2].key) < 2 * len(self._runs[-1].key):
            self._runs[-2:] = [_sorted(self._runs[-2:])]


def _hashes(urls: pa.Array) -> NDArray[np.void]:
    digests = b"".join(blake2b(url.encode(), digest_size=12).digest() for url in urls.to_pylist())
    return np.frombuffer(digests, dtype=_HASH)


def _sorted(runs: list[_Run]) -> _Run:
    """Return runs as one."""
    key = np.concatenate([run.key for run in runs])
    order = np.argsort(key, kind="stable")
    return _Run(key[order], *(np.concatenate(column)[order] for column in list(zip(*runs, strict=True))[1:]))


# ---- read the tables of a scored archive batch by batch: the newest record of each page, its links, and their ends


_PLACE = ("file", "offset", "skip")
_WHEN = ("url", "fetched")
_BITS = 32
"""Bits of the number of a node where both ends of a link are one integer."""
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
    source: _Numbers
    """Node at the start of each link, (m,); links are sorted by source, then target."""
    target: _Numbers
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
                with the same or nearly the same text, or None. Tables of an earlier version have no fingerprints;
                there only equal texts are found.
        """
        seen, urls = NearDuplicates(), _Texts()
        of_text = {"fingerprint"} & {name for path in self._files("pages.parquet") for name in _names(path)}
        for page in self.rows(*{"url", "content_hash", *of_text, *columns}):
            first = _first(seen, len(urls), page["content_hash"], page.get("fingerprint"))
            yield {**{name: page[name] for name in columns},
                   "near_duplicate_of": None if first is None else urls[first]}  # fmt: skip
            urls.append(page["url"])

    def links(self) -> Iterator[Link]:
        """Yield the links of the newest record of each page, those of a page one after another."""
        for batch in self._link_batches("url", "target", "anchor"):
            yield from map(Link, *(column.to_pylist() for column in batch.columns))

    def ends(self, advice: str) -> Ends:
        """Return the link graph; a link that a page has several times counts once.

        Args:
            advice: what to do where there is too little memory.

        Raises:
            CommandError: ranks of the link graph need more memory than there is.
        """
        free, rows = _free(), self.count("links.parquet")
        numbers = _UrlNumbers()
        for batch in self._newest_batches("url"):
            numbers.of(batch["url"])
        k, m = len(numbers), 0
        _check(k, numbers.text_bytes, rows, free, advice)
        key = np.empty(rows, dtype=np.int64)
        for batch in self._link_batches("url", "target"):
            start, end = (numbers.of(batch[name]).astype(np.int64) for name in ("url", "target"))
            key[m : m + len(batch)] = start << _BITS | end
            m += len(batch)
            _check(len(numbers), numbers.text_bytes, rows, free, advice)
        key = key[:m]
        key.sort()
        different = np.append(True, key[1:] != key[:-1])[:m]
        key = key if different.all() else key[different]
        source: _Numbers = (key >> _BITS).astype(np.int32)
        key &= (1 << _BITS) - 1
        target: _Numbers = key.astype(np.int32)
        return Ends(numbers.urls(), k, source, target)

    def count(self, table: str) -> int:
        """Return the number of rows of a table, older records among them."""
        return sum(map(_number_of_rows, self._files(table)))

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
                raise damaged(self.folder / table, "it has other parts than pages.parquet")
        promised = [("pages.parquet", "pages"), ("failures.parquet", "failed"), *((name, "pages") for name in texts)]
        for table, number in promised:
            found = self.count(table)
            if found != made[number]:
                raise damaged(self.folder / table, f"it has {found} rows of {made[number]}")

    def reasons(self) -> Counter[str]:
        """Return the number of failures by reason."""
        reasons = Counter[str]()
        for batch in self._batches("failures.parquet", "reason"):
            reasons.update(batch["reason"].to_pylist())
        return reasons

    @cached_property
    def _newest(self) -> Bools:
        """Which rows of the pages are the newest record of their URL, by row."""
        numbers = _UrlNumbers()
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
            yield from batches(path, columns)

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


def _first(seen: NearDuplicates, number: int, content_hash: str | None, packed: bytes | None) -> int | None:
    """Return the number of the first page that is a copy or nearly the same as a page, which is added."""
    if content_hash in (None, NO_TEXT):
        return None
    text = Print(int(str(content_hash)[:16], 16), None if packed is None else Fingerprint.unpacked(packed))
    first = seen.first(text)
    seen.add(number, number, text, first)
    return first


def degrees(nodes: _Numbers, n: int) -> NDArray[np.int64]:
    """Return how often each of n nodes occurs, shape (n,)."""
    return np.bincount(nodes, minlength=n).astype(np.int64)


# ---- the memory that the link graph of an archive needs on one machine, by its nodes and links, and what is free
#
# The largest of three moments counts. Sizes are those of numpy, scipy and Arrow: 8 bytes for a number of 64 bits.
#
#     numbering   node: its URL and 4 bytes of Arrow; hash, check and number 16, twice while sorted arrays are
#   merged, and
#                 the order 8.  link: both ends 8
#     sorting     link: both ends 8, those that differ 8, a flag 1, source and target 8
#     ranking     node: 10 vectors of 8 bytes.  link: source and target 8; values 8 and their matrix 8 + 4, which
#   HITS has
#                 in both orders
#
# What does not grow with the archive, as batches of rows that are read, is a sum for all.


NODE, LINK, FIXED = 80, 44, 150_000_000
"""Bytes of a node beside its URL, of a link, and of all that does not grow."""
_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def needed(nodes: int, text: int, links: int) -> int:
    """Return the bytes that the ranks of a link graph need beside what the process has.

    Args:
        nodes: number n of nodes.
        text: bytes of their URLs together.
        links: number m of links.

    >>> needed(1_000_000, 50_000_000, 10_000_000)
    720000000
    """
    return FIXED + text + NODE * nodes + LINK * links


def largest(memory: int, links_of_node: float, url: float) -> int:
    """Return the number of links of the largest archive whose ranks fit into some memory.

    Args:
        memory: bytes.
        links_of_node: mean number of links of a node, above 0; a URL that only links name is a node.
        url: mean bytes of a URL.

    >>> largest(8_000_000_000, 2.0, 50.0)
    72018348
    """
    return int((memory - FIXED) / (LINK + (NODE + url) / links_of_node))


def _free() -> int | None:
    """Return the bytes that this machine, or the group of processes this one is in, can still give; None if unknown."""
    found = [value for value in (_of_machine(), _of_group()) if value is not None]
    return min(found, default=None)


def _check(nodes: int, text: int, links: int, free_bytes: int | None, advice: str) -> None:
    """Raise CommandError where the ranks of a link graph need more memory than was free.

    Args:
        nodes: number of nodes.
        text: bytes of their URLs together.
        links: number of links.
        free_bytes: what was free before; None if it is not known.
        advice: what to do.
    """
    if free_bytes is not None and needed(nodes, text, links) > free_bytes:
        asked, there = needed(nodes, text, links) / 1e9, free_bytes / 1e9
        raise CommandError("archives.ranks_memory", nodes=nodes, links=links, asked=asked, free=there, advice=advice)


def _of_machine() -> int | None:
    if not _MEMINFO.exists():
        return None
    fields = dict(line.split(":", 1) for line in _MEMINFO.read_text().splitlines())
    return int(fields["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in fields else None


def _of_group() -> int | None:
    """Return what is free by the limit of a container (cgroup version 2)."""
    limit, used = _GROUP / "memory.max", _GROUP / "memory.current"
    if not (limit.exists() and used.exists()) or limit.read_text().strip() == "max":
        return None
    return max(int(limit.read_text()) - int(used.read_text()), 0)


# ---- the files of the tables, read so that a damaged one is an error that names it and says what to do


def batches(path: Path, columns: Sequence[str], size: int = 65_536) -> Iterator[pa.RecordBatch]:
    """Yield some columns of a file, in the order of ``columns``, in batches of at most ``size`` rows.

    Raises:
        UsageError: the file is missing or damaged, or has other columns.
    """
    try:
        with pq.ParquetFile(path) as file:
            found = file.iter_batches(size, columns=list(columns)) if file.num_row_groups else ()
            for batch in found:  # older versions of pyarrow refuse a file without rows
                yield batch.select(list(columns))
    except (pa.ArrowInvalid, KeyError, OSError) as error:
        raise damaged(path, error) from error


def _names(path: Path) -> list[str]:
    """Return the names of the columns of a file. Raises UsageError for a damaged one."""
    try:
        return list(pq.read_schema(path).names)
    except (pa.ArrowInvalid, OSError) as error:
        raise damaged(path, error) from error


def _number_of_rows(path: Path) -> int:
    """Return the number of rows of a file. Raises UsageError for a damaged one."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except (pa.ArrowInvalid, OSError) as error:
        raise damaged(path, error) from error


def damaged(path: Path, reason: object) -> UsageError:
    """Return the error for a file of the tables, or a table, that cannot be read or is not whole."""
    said = (str(reason).strip("'\"").splitlines() or ["no reason"])[0].rstrip(".")
    return UsageError("archives.cannot_read_remove_folder", path=path, said=said)

"""Parts of an archive, the units of work: ranges of bytes of its files, so that a large file is read by several."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from crawler.archives.index import archive_files
from crawler.archives.reading import record_at
from crawler.archives.record import HeaderError
from crawler.archives.scan import Found, scan
from crawler.archives.unpacked import Copies, Unpacked
from ontocrawl.archives.schema import RECORDS

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
            yield pa.RecordBatch.from_pylist(rows, RECORDS)
            rows, size = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, RECORDS)


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

"""The records of a WARC file in order, to its end, whatever is damaged in it.

Each record that cannot be used is reported with a reason: ``bad_gzip`` (the compressed bytes are damaged), ``cut_off``
(the file ends within it), ``bad_header`` (no header of a record), ``bad_length`` (Content-Length is missing, or does
not lead to the next record), ``arc_format`` (the older format ARC, for the whole file). Reading goes on at the next
record that can be found: the next member of a compressed file, or the next line that begins a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from crawler.archives.record import VERSION, Header, HeaderError
from crawler.archives.unpacked import Copies, Place, Unpacked

_HEADER_LINES = 1000
_LONGEST_LINE = 65535


@dataclass(frozen=True, slots=True)
class Found:
    """A record that can be read."""

    place: Place
    header: Header
    end: int
    """Offset in the file after it; of a compressed file, of the member that follows."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A record that cannot be used."""

    path: Path
    offset: int
    reason: str
    detail: str

    def __str__(self) -> str:
        return f"{self.path.name}, offset {self.offset}: {self.reason} ({self.detail})"


def scan(path: Path, copies: Copies | None = None, begin: int = 0, end: int | None = None) -> Iterator[Found | Loss]:
    """Yield the records and the losses of a file, in order, with little in memory.

    Parts of a file that follow each other have all its records, each once. A part of a compressed file begins with the
    first member at or after ``begin`` that begins with a record, and has what is found up to the next part; so
    any offset may divide it. A plain file can be divided only where a scan of it found something: what looks like the
    beginning of a record may be in a page about WARC files.

    Args:
        path: a WARC file, plain or compressed in any way.
        copies: receives what makes places in it quick to read again (crawler.archives.unpacked).
        begin: offset in the file where the part begins.
        end: offset where it ends; None for the end of the file.

    Yields:
        Each record, or each loss.

    Raises:
        OSError: the file cannot be read.
    """
    file = Unpacked(path, copies)
    try:
        if file.peek(11) == b"filedesc://":
            if begin == 0:
                yield Loss(path, 0, "arc_format", "an ARC file; `warcio recompress` makes a WARC file of it")
            return
        if not file.compressed:
            file.seek(Place(begin, 0))
        elif begin and not file.next_member(begin):
            return
        while True:
            yield from _segment(file, path, end)
            if file.damage is None or not file.compressed or not file.next_member():
                return
    finally:
        file.close()


def read_header(file: Unpacked) -> Header:
    """Read a header from its version line to the blank line; the content comes next.

    Raises:
        HeaderError: it is no header of a record, or it does not end.
    """
    line = file.line()
    if not VERSION.fullmatch(line):
        raise HeaderError("bad_header" if line else "cut_off", f"{line[:40]!r} begins no record")
    lines: list[bytes] = []
    while (line := file.line()) not in (b"\r\n", b"\n"):
        lines.append(line)
        if not line.endswith(b"\n"):
            raise HeaderError("bad_header" if len(line) > _LONGEST_LINE else "cut_off", "its header does not end")
        if len(lines) > _HEADER_LINES:
            raise HeaderError("bad_header", f"its header has more than {_HEADER_LINES} lines")
    header = Header.of_lines(lines)
    header.require()
    return header


def _segment(file: Unpacked, path: Path, stop: int | None) -> Iterator[Found | Loss]:
    """Yield what is found up to the next part, to the end of the file or to damage of its compression."""
    while True:
        file.skip_blank_lines()
        start = file.place()
        if stop is not None and start.offset >= stop and file.begins_member(start):
            return
        if not file.peek(1):
            if file.damage is not None:
                yield Loss(path, start.offset, file.damage, "compressed bytes that cannot be unpacked")
            return
        found = _record(file, start)
        if isinstance(found, Header):
            more = file.peek(1) or file.damage is not None
            yield Found(start, found, file.place().offset if more else file.size)
            continue
        yield Loss(path, start.offset, *found)
        if file.damage is not None:
            return


def _record(file: Unpacked, start: Place) -> Header | tuple[str, str]:
    """Pass a record, and return its header; or go to the next one, and return reason and detail of the loss."""
    try:
        header = read_header(file)
    except HeaderError as error:
        damage = file.damage
        file.seek(start)
        file.line()
        return (error.reason if _find_next(file) else damage or error.reason), error.detail
    content = file.place()
    missing = file.skip(header.length)
    ended = file.peek(4) == b"\r\n\r\n"
    file.skip_blank_lines()
    if not missing and (ended or file.peek(5) in (b"", b"WARC/")):
        return header
    damage = file.damage
    file.seek(content)
    told = f"Content-Length is {header.length}"
    if _find_next(file):
        return "bad_length", f"{told}, and the next record is elsewhere"
    if damage is not None:
        return damage, f"{told}, and {missing} bytes of it cannot be unpacked"
    if missing:
        return "cut_off", f"{told}, and the file ends {missing} bytes before"
    return "bad_length", f"{told}, and what follows is no record"


def _find_next(file: Unpacked) -> bool:
    """Go to the next line that begins a record; return whether there is one before the end."""
    while True:
        place = file.place()
        line = file.line()
        if VERSION.fullmatch(line):
            file.seek(place)
            return True
        if not line:
            return False

"""The records of a WARC file in order, to its end, whatever is damaged in it.

Each record that cannot be used is reported with a reason: ``bad_gzip`` (the compressed bytes are damaged), ``cut_off``
(the file ends within it), ``bad_header`` (no header of a record), ``bad_length`` (Content-Length is missing, or does
not lead to the next record), and for a whole file ``arc_format`` (the older format ARC), ``wacz_format`` (a ZIP file
without WARC records) and ``zstd_format`` (Zstandard, without the library that unpacks it). Reading goes on at the next
record that can be found: the next member of a compressed file, or the next line that begins a record.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from crawler.archives.record import VERSION, Header, HeaderError
from ontology.extras import MissingExtra, zstd

# ---- the bytes of a WARC file, unpacked where it is compressed, and places in it to come back to
#
# A place is the offset of a gzip member in the file, and a number of unpacked bytes after its beginning. Where each
# record is a member, as it should be, that number is 0. Where a whole file is one member, copies of the state of its
# decompressor are kept at intervals, so that a record far behind the beginning is read without unpacking all before
# it.


_MAGIC = b"\x1f\x8b\x08"
_ZSTD, _DICTIONARY = b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
"""How a frame of Zstandard begins, and one with the dictionary of all frames after it, which a file may begin with."""
_ZIP = b"PK\x03\x04"
_LARGEST_DICTIONARY = 1 << 27
_CHUNK = 1 << 17
_INTERVAL = 1 << 23
"""Unpacked bytes of a member between two copies of its decompressor (some 50 kB each)."""

_HEAD = 64
"""Unpacked bytes at the beginning of a member that are looked at."""
_BLANK = re.compile(rb"[\r\n]*")


class Place(NamedTuple):
    """Where something begins in a file."""

    offset: int
    """Offset of a gzip member; of the thing itself in a file that is not compressed."""
    skip: int
    """Unpacked bytes from there."""


class _Copy(NamedTuple):
    skip: int
    packed: int
    """Offset in the file of the first byte that the decompressor has not received."""
    inflate: Any


Copies = dict[int, list[_Copy]]
"""Offset of a member -> copies of its decompressor, in order."""


def _gzip_member() -> Any:
    return zlib.decompressobj(31)


class Zstandard:
    """A decompressor of one frame of Zstandard with the interface of zlib's, but for ``copy``.

    Args:
        library: the module of Zstandard.
        options: those of its decompressor.
    """

    unconsumed_tail = b""

    def __init__(self, library: ModuleType, **options: Any) -> None:
        self._error = library.ZstdError
        self._inner = library.ZstdDecompressor(**options)

    @property
    def eof(self) -> bool:
        """Whether the frame has ended."""
        return bool(self._inner.eof)

    @property
    def unused_data(self) -> bytes:
        """What came behind the frame."""
        return bytes(self._inner.unused_data)

    def decompress(self, data: bytes, limit: int) -> bytes:
        """Return what the next bytes give, at most ``limit`` bytes. Raises zlib.error for damage."""
        try:
            return bytes(self._inner.decompress(data, limit))
        except self._error as error:
            raise zlib.error(str(error)) from error


def _frames(start: bytes) -> Callable[[], Any]:
    """Return what makes decompressors for a file of Zstandard, from its beginning. Raises MissingExtra, zlib.error."""
    library, dictionary = zstd("a WARC file in Zstandard"), b""
    if start.startswith(_DICTIONARY):
        dictionary = start[8 : 8 + int.from_bytes(start[4:8], "little")]
    if dictionary.startswith(_ZSTD):
        dictionary = Zstandard(library).decompress(dictionary, _LARGEST_DICTIONARY)
    made = library.ZstdDict(dictionary) if dictionary else None
    return lambda: Zstandard(library, zstd_dict=made)


class Unpacked:
    """A reader of one file. Reading ends at the end of the file, or at damage, which ``damage`` names.

    A file is compressed if it begins as gzip or Zstandard does; its name does not matter. A ZIP file is read as the
    gzip members that are stored in it, which is the form of WACZ files.

    Attributes:
        compressed: whether the file is packed.
        is_zip: whether it is a ZIP file.
        refusal: reason code and sentence where the file cannot be read at all.
    """

    def __init__(self, path: Path, copies: Copies | None = None) -> None:
        """Open a file.

        Args:
            path: the file.
            copies: where copies of decompressors are kept and found, for one that is read again.

        Raises:
            OSError: it cannot be opened.
        """
        self._file = path.open("rb")
        start = self._file.read(8)
        self.is_zip = start.startswith(_ZIP)
        self.refusal: tuple[str, str] | None = None
        self._magic = _MAGIC
        self._new: Callable[[], Any] = _gzip_member
        if start.startswith((_ZSTD, _DICTIONARY)):
            self._magic = _ZSTD
            try:
                self._new = _frames(start + self._file.read(int.from_bytes(start[4:], "little") % _LARGEST_DICTIONARY))
            except (MissingExtra, zlib.error) as error:
                self.refusal = "zstd_format", str(error)
        self.compressed = self.is_zip or start.startswith((_MAGIC, _ZSTD, _DICTIONARY))
        self.size = self._file.seek(0, 2)
        self._copies: Copies = {} if copies is None else copies
        self.damage: str | None = None
        """What is wrong with the compressed bytes where reading ended: bad_gzip or cut_off."""
        self._end: Place | None = None
        """The end of the last member, once it was reached."""
        self._member = self._before = self._at = 0
        self._buffer = b""
        self.seek(Place(0, 0))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def seek(self, place: Place) -> None:
        """Continue at a place; a plain file counts all from its beginning."""
        at = (place.skip if self.compressed else place.offset) - self._before
        if self._buffer and 0 <= at <= len(self._buffer) and (place.offset == self._member or not self.compressed):
            self._at = at
            return
        self.damage = None
        self._buffer, self._at, self._packed = b"", 0, b""
        self._inflate: Any = None
        if not self.compressed:
            self._before = place.offset
            self._file.seek(self._before)
            return
        earlier = [copy for copy in self._copies.get(place.offset, ()) if copy.skip <= place.skip]
        self._member, self._before = place.offset, 0
        self._file.seek(place.offset)
        if earlier:
            self._before, packed, inflate = earlier[-1]
            self._file.seek(packed)
            self._inflate = inflate.copy()
        self.skip(place.skip - self._before)

    def place(self) -> Place:
        """Return the place of the next byte."""
        self._ready()
        position = self._before + self._at
        return Place(self._member, position) if self.compressed else Place(position, 0)

    def read(self, count: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        pieces = []
        while count and self._ready():
            piece = self._buffer[self._at : self._at + count]
            self._at += len(piece)
            count -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)

    def peek(self, count: int) -> bytes:
        """Return the next bytes without passing them, fewer at the end."""
        place = self.place()
        found = self.read(count)
        if found:
            self.seek(place)
        return found

    def skip_blank_lines(self) -> None:
        """Skip the ends of lines."""
        while self._ready():
            blank = _BLANK.match(self._buffer, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._buffer):
                return

    def skip(self, count: int) -> int:
        """Skip bytes, and return how many were missing at the end; then the place is not certain."""
        if not self.compressed:
            target = min(self._before + self._at + count, self.size)
            missing = self._before + self._at + count - target
            if target > self._before + len(self._buffer):
                self._file.seek(target)
                self._before, self._buffer, self._at = target, b"", 0
            else:
                self._at = target - self._before
            return missing
        if self._end is not None and self._end.offset == self._member:
            missing = self._before + self._at + count - self._end.skip
            if missing > 0:  # known without unpacking the rest again, for each of many records of a wrong length
                return missing
        while count and self._ready():
            step = min(count, len(self._buffer) - self._at)
            self._at += step
            count -= step
        return count

    def line(self, limit: int = 65536) -> bytes:
        """Return the next line with its end; a longer one than the limit in parts."""
        pieces, room = [], limit
        while room and self._ready():
            end = self._buffer.find(b"\n", self._at, self._at + room) + 1
            piece = self._buffer[self._at : end or self._at + room]
            self._at += len(piece)
            room -= len(piece)
            pieces.append(piece)
            if end:
                break
        return b"".join(pieces)

    def begins_member(self, place: Place) -> bool:
        """Return whether a record is the first thing in its member, as `next_member` finds it; yes in a plain file."""
        return not self.compressed or (place.skip < _HEAD and self._begins_record(place.offset))

    def is_between_members(self) -> bool:
        """Return whether a ZIP file has something else than a member of gzip where reading ended."""
        self._file.seek(self._member)
        return self.is_zip and self._file.read(len(self._magic)) != self._magic

    def next_member(self, at: int | None = None) -> bool:
        """Go to the next member that begins with a record. Return whether there is one.

        Args:
            at: offset in the file from which to look; None to go on after damage.
        """
        at = self._member + 1 if at is None else at
        while True:
            self._file.seek(at)
            block = self._file.read(_CHUNK)
            found = block.find(self._magic)
            if found < 0:
                if len(block) < _CHUNK:
                    return False
                at += len(block) - len(self._magic) + 1
                continue
            if self._begins_record(at + found):
                self.seek(Place(at + found, 0))
                return True
            at += found + 1

    def _begins_record(self, offset: int) -> bool:
        """Return whether there is a member that begins with a record, perhaps after blank lines."""
        position = self._file.tell()
        self._file.seek(offset)
        try:
            return bool(self._new().decompress(self._file.read(4096), _HEAD).lstrip().startswith(b"WARC/"))
        except zlib.error:
            return False
        finally:
            self._file.seek(position)

    def _ready(self) -> bool:
        """Make sure that the buffer has a byte; return False at the end."""
        while self._at >= len(self._buffer):
            self._before += len(self._buffer)
            self._at, self._buffer = 0, b""
            if self.damage is not None:
                return False
            if not self.compressed:
                self._buffer = self._file.read(_CHUNK)
                return bool(self._buffer)
            if not self._inflate_some():
                return False
        return True

    def _inflate_some(self) -> bool:
        """Unpack some bytes of the member, or begin the next one; return False at the end."""
        if self._inflate is None:
            self._packed = self._packed or self._file.read(_CHUNK)
            if not self._packed:
                self._end = Place(self._member, self._before)
                return False
            self._member, self._before = self._file.tell() - len(self._packed), 0
            self._inflate = self._new()
        copies = self._copies.setdefault(self._member, []) if self._before >= _INTERVAL else []
        if self._before >= _INTERVAL * (len(copies) + 1) and self._magic == _MAGIC:
            copies.append(_Copy(self._before, self._file.tell() - len(self._packed), self._inflate.copy()))
        try:
            self._buffer = self._inflate.decompress(self._packed, _CHUNK)
        except zlib.error:
            self.damage = "bad_gzip"
            return False
        if self._inflate.eof:
            self._packed, self._inflate = self._inflate.unused_data, None
            return True
        self._packed = self._inflate.unconsumed_tail
        if not self._buffer and not self._packed:
            self._packed = self._file.read(_CHUNK)
            if not self._packed:
                self.damage = "cut_off"
                return False
        return True


# ---- the records of a WARC file in order, to its end, whatever is damaged in it


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
        copies: receives what makes places in it quick to read again (crawler.archives.scan).
        begin: offset in the file where the part begins.
        end: offset where it ends; None for the end of the file.

    Yields:
        Each record, or each loss.

    Raises:
        OSError: the file cannot be read.
    """
    file = Unpacked(path, copies)
    try:
        if file.refusal is not None:
            if begin == 0:
                yield Loss(path, 0, *file.refusal)
            return
        if file.peek(11) == b"filedesc://":
            if begin == 0:
                yield Loss(path, 0, "arc_format", "an ARC file; `warcio recompress` makes a WARC file of it")
            return
        if not file.compressed:
            file.seek(Place(begin, 0))
        elif (begin or file.is_zip) and not file.next_member(begin):
            if begin == 0:
                yield Loss(path, 0, "wacz_format", "a ZIP file in which no WARC records are stored")
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
            if file.damage is not None and not file.is_between_members():
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

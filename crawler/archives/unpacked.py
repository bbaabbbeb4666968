"""The bytes of a WARC file, unpacked where it is compressed, and places in it to come back to.

A place is the offset of a gzip member in the file, and a number of unpacked bytes after its beginning. Where each
record is a member, as it should be, that number is 0. Where a whole file is one member, copies of the state of its
decompressor are kept at intervals, so that a record far behind the beginning is read without unpacking all before it.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Any, NamedTuple

MAGIC = b"\x1f\x8b\x08"
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


class Unpacked:
    """A reader of one file. Reading ends at the end of the file, or at damage, which ``damage`` names.

    A file is compressed if it begins as gzip does; its name does not matter.
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
        self.compressed = self._file.read(len(MAGIC)) == MAGIC
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

    def next_member(self, at: int | None = None) -> bool:
        """Go to the next member that begins with a record. Return whether there is one.

        Args:
            at: offset in the file from which to look; None to go on after damage.
        """
        at = self._member + 1 if at is None else at
        while True:
            self._file.seek(at)
            block = self._file.read(_CHUNK)
            found = block.find(MAGIC)
            if found < 0:
                if len(block) < _CHUNK:
                    return False
                at += len(block) - len(MAGIC) + 1
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
            return zlib.decompressobj(31).decompress(self._file.read(4096), _HEAD).lstrip().startswith(b"WARC/")
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
            self._inflate = zlib.decompressobj(31)
        copies = self._copies.setdefault(self._member, []) if self._before >= _INTERVAL else []
        if self._before >= _INTERVAL * (len(copies) + 1):
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

"""A small .xls (BIFF8 in an OLE file) written byte by byte: no maintained library writes one."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def workbook(rows: Sequence[Sequence[str | float]], sheet: str = "Sheet1", hidden: Sequence[int] = ()) -> bytes:
    """One sheet with these rows; texts and numbers; rows are hidden by their numbers, of which the first is 1."""
    flags = [(number, 0x20 * (number + 1 in hidden)) for number in range(len(rows) if hidden else 0)]
    sizes = b"".join(_record(0x0208, struct.pack("<6HI", n, 0, 9, 255, 0, 0, 0x100 | flag)) for n, flag in flags)
    cells = sizes + b"".join(_cell(r, c, v) for r, row in enumerate(rows) for c, v in enumerate(row))
    name = sheet.encode("utf-16-le")
    title = struct.pack("<BB", len(sheet), 1) + name
    begin = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0x0DBB, 0x07CC, 0, 6))
    bound = _record(0x0085, struct.pack("<IH", len(begin) + 4 + 6 + len(title) + 4, 0) + title)
    body = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0x0DBB, 0x07CC, 0, 6)) + cells + _record(0x000A, b"")
    return _ole(begin + bound + _record(0x000A, b"") + body)


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _cell(row: int, column: int, value: str | float) -> bytes:
    if isinstance(value, str):
        wide = value.encode("utf-16-le")
        return _record(0x0204, struct.pack("<HHHHB", row, column, 0, len(wide) // 2, 1) + wide)
    return _record(0x0203, struct.pack("<HHHd", row, column, 0, value))


def _ole(stream: bytes) -> bytes:
    """A compound file with one stream, ``Workbook``: header, one FAT sector, one directory sector, the stream."""
    stream = stream.ljust(4096, b"\0")
    stream += b"\0" * (-len(stream) % _SECTOR)
    sectors = len(stream) // _SECTOR
    assert sectors <= 126
    chain = [_FAT, _END, *range(3, 2 + sectors), _END]
    fat = struct.pack("<128I", *chain, *[_FREE] * (128 - len(chain)))
    magic = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header = struct.pack("<8s16x5H6x10I", magic, 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, _END, 0, _END, 0, 0)
    header += struct.pack("<108I", *[_FREE] * 108)
    entries = _entry("Root Entry", 5, 1, _END, 0) + _entry("Workbook", 2, _FREE, 2, len(stream))
    return header[:_SECTOR] + fat + entries.ljust(_SECTOR, b"\0") + stream


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    wide = (name + "\0").encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sIQQIII", wide, len(wide), kind, 1, _FREE, _FREE, child, b"", 0, 0, 0, start, size, 0
    )

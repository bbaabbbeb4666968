"""Records of an archive by their place."""

from __future__ import annotations

import re
from pathlib import Path

from crawler.archives.record import Header, HeaderError
from crawler.archives.scan import Copies, Place, Unpacked, read_header

_BLANK_LINE = re.compile(rb"\n\r?\n")
_INTERIM = re.compile(rb"HTTP/1\.\d 1\d\d\b")
_LONGEST_INFO = 4_000_000


def read_record(path: Path, place: Place, copies: Copies, limit: int) -> tuple[Header, bytes]:
    """Read a record.

    Args:
        path: its file.
        place: its place.
        copies: as for `crawler.archives.scan.Unpacked`.
        limit: maximum size of the content.

    Returns:
        Header and content.

    Raises:
        HeaderError: the record is damaged, or larger than the limit.
        OSError: the file cannot be read.
    """
    file = Unpacked(path, copies)
    try:
        return record_at(file, place, limit)
    finally:
        file.close()


def record_at(file: Unpacked, place: Place, limit: int) -> tuple[Header, bytes]:
    """Read a record of an open file; arguments and errors are those of `read_record`."""
    file.seek(place)
    header = read_header(file)
    if header.length > limit:
        raise HeaderError("too_large", f"the record has {header.length} bytes, more than {limit}")
    content = file.read(header.length)
    if len(content) < header.length:
        raise HeaderError("incomplete_body", f"the record ends {header.length - len(content)} bytes early")
    return header, content


def file_info(path: Path) -> dict[str, str]:
    """Return the fields of the warcinfo record at the beginning of a file; none where there is no such record."""
    try:
        header, content = read_record(path, Place(0, 0), {}, _LONGEST_INFO)
    except (HeaderError, OSError):
        return {}
    return fields_of(content) if header.kind == "warcinfo" else {}


def fields_of(content: bytes) -> dict[str, str]:
    r"""Parse content of the type application/warc-fields.

    >>> fields_of(b"software: x/1\r\nbroken\r\n")
    {'software': 'x/1'}
    """
    lines = (line.partition(":") for line in content.decode("utf-8", "replace").splitlines())
    return {name.strip().lower(): value.strip() for name, colon, value in lines if colon}


def split_message(message: bytes) -> tuple[bytes, bytes]:
    r"""Split an HTTP message into its head, with the blank line, and its body, without interim responses before it.

    >>> split_message(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\na: b\r\n\r\nbody")
    (b'HTTP/1.1 200 OK\r\na: b\r\n\r\n', b'body')
    """
    while (blank := _BLANK_LINE.search(message)) is not None and _INTERIM.match(message):
        message = message[blank.end() :]
    end = blank.end() if blank is not None else len(message)
    return message[:end], message[end:]

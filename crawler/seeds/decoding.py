"""The bytes of a document, unpacked and decoded piece by piece, within limits."""

from __future__ import annotations

import codecs
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from crawler.pages.charset import python_encoding
from ontology.errors import OntocrawlError

PIECE = 1 << 16
MAX_BYTES = 50 * 1024 * 1024
"""Maximum size of an unpacked document, which is that of a sitemap by its protocol."""
_GZIP = b"\x1f\x8b"
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_UNMARKED = ((b"<\x00", "utf-16-le"), (b"\x00<", "utf-16-be"))
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)


class DamageError(OntocrawlError):
    """Error for a document that cannot be read further. What was read before is valid."""


def pieces_of(document: bytes | Path) -> Iterator[bytes]:
    """Yield bytes, or those of a file, in pieces."""
    with document.open("rb") if isinstance(document, Path) else io.BytesIO(document) as stream:
        while piece := stream.read(PIECE):
            yield piece


def unpacked(pieces: Iterable[bytes], max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    """Yield the bytes of a document, of which none is larger than ``PIECE``; gzip is recognised by its mark.

    Args:
        pieces: the document, packed or not.
        max_bytes: maximum size, unpacked.

    Raises:
        DamageError: the document is larger, or its gzip data is cut off or damaged.
    """
    size = 0
    for piece in _inflated(iter(pieces)):
        size += len(piece)
        if size > max_bytes:
            yield piece[: max_bytes - size]
            raise DamageError("seeds.larger_than_bytes_unpacked", max_bytes=max_bytes)
        yield piece


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    first = next(pieces, b"")
    if not first.startswith(_GZIP):
        yield first
        yield from pieces
        return
    inflate, data = zlib.decompressobj(31), first
    while True:
        try:
            yield inflate.decompress(data, PIECE)
        except zlib.error as error:
            raise DamageError("seeds.gzip_data_damaged", error=error) from error
        data = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
        if inflate.eof and data.startswith(_GZIP):
            inflate = zlib.decompressobj(31)
        elif inflate.eof and len(data) > 1:
            return  # what follows the last member is no data
        elif not data:
            more = next(pieces, None)
            if more is None:
                break
            data = more
            if inflate.eof:
                if not data.startswith(_GZIP):
                    return
                inflate = zlib.decompressobj(31)
    if not inflate.eof:
        raise DamageError("seeds.gzip_data_ends_early")


def text_of(pieces: Iterable[bytes], content_type: str = "") -> Iterator[str]:
    """Yield the text of a document: decoded by its mark, its declaration or the header; UTF-8 without any of these.

    Bytes that are no text in the encoding become U+FFFD.

    Args:
        pieces: bytes of the document.
        content_type: value of the Content-Type header.
    """
    rest = iter(pieces)
    first = next(rest, b"")
    decoder = codecs.getincrementaldecoder(_encoding(first, content_type))("replace")
    yield decoder.decode(first).removeprefix("\ufeff")
    for piece in rest:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def _encoding(first: bytes, content_type: str) -> str:
    for mark, encoding in (*_MARKS, *_UNMARKED):
        if first.startswith(mark):
            return encoding
    declared, charset = _DECLARED.search(first), _CHARSET.search(content_type)
    labels = [declared[1].decode("ascii")] if declared else []
    labels += [charset[1]] if charset else []
    names = [name for name in map(python_encoding, labels) if name and not name.startswith("utf-16")]
    return names[0] if names else "utf-8"

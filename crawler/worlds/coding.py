"""Incremental decoding of content codings, with a limit of size against decompression bombs.

Headers about the coding are often wrong, and browsers show such pages. So the bytes decide where they contradict the
header: names that are no coding (``none``, ``utf-8``, ``binary``) stand for none, and a body that is plain text is read
as it is.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import Any

from crawler.archives.scan import Zstandard
from ontology.extras import MissingExtra, require, zstd

_GZIP = b"\x1f\x8b"
_ZLIB = (b"x\x01", b"x^", b"x\x9c", b"x\xda")
UNSAID = "unsaid"
"""In place of a coding: the body is gzip if it begins with its mark, though no header says so, else as it is."""
_PACKED = frozenset({"gzip", "deflate", "br", "zstd", "compress"})
_LOOKED = 16
"""Bytes at the beginning of a body that tell packed data from text."""
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<[!?/A-Za-z]")
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
"""The binary data bytes of the standard MIME Sniffing, section 3."""


class CodingError(Exception):
    """Error for a body of which nothing can be decoded."""


class TooLargeError(Exception):
    """Error for a body that is larger than the limit."""


class _Brotli:
    """A decompressor of Brotli with the interface of zlib's."""

    unconsumed_tail = unused_data = b""

    def __init__(self) -> None:
        self._brotli = require("brotlicffi", "archive", "content-encoding br")
        self._inner = self._brotli.Decompressor()
        if not hasattr(self._inner, "can_accept_more_data"):
            raise CodingError("content-encoding br needs brotlicffi 1.2 or later, which limits what it unpacks at once")

    @property
    def eof(self) -> bool:
        return bool(self._inner.is_finished())

    def decompress(self, data: bytes, limit: int) -> bytes:
        pieces = []
        try:
            while limit > 0 and (piece := self._inner.process(data, output_buffer_limit=limit)):
                pieces.append(piece)
                limit, data = limit - len(piece), b""
        except self._brotli.error as error:
            raise zlib.error(str(error)) from error
        return b"".join(pieces)


def _zstd() -> Zstandard:
    library = zstd("content-encoding zstd")
    return Zstandard(library, options={library.DecompressionParameter.window_log_max: 23})  # 8 MB, limit of RFC 9659


class Decoder:
    """Incremental decoder of gzip (also several members), deflate (with or without a zlib header), br and zstd.

    The last two are asked for nowhere, are in archives, and need the extra ``archive``.

    >>> decoder = Decoder("deflate", max_bytes=100)
    >>> decoder.feed(zlib.compress(b"flood"))
    >>> decoder.body()
    b'flood'

    Attributes:
        coding: gzip, deflate, br, zstd, compress (which cannot be read) or identity.
        full: whether what is above the limit was ignored.
        fault: what is wrong with packed data of which the beginning was decoded; empty for sound data.
    """

    def __init__(self, coding: str, max_bytes: int, *, cuts: bool = False) -> None:
        """Start to decode a body.

        Args:
            coding: value of the content-encoding header, empty for identity, or UNSAID.
            max_bytes: maximum size of the decoded body; no more is ever held in memory.
            cuts: whether to ignore what is above the limit; ``full`` is True from then on.

        Raises:
            CodingError: several codings at once.
        """
        names = coding.lower().split(",") if coding else ()
        named = (name.partition(";")[0].strip().removeprefix("x-") for name in names)
        packed = [name for name in named if name in _PACKED]
        if len(set(packed)) > 1:
            raise CodingError(f"content-encoding {coding!r} names several codings")
        self.coding = packed[0] if packed else UNSAID if coding == UNSAID else "identity"
        self._named_twice = len(packed) > 1
        """As two programs write it of which one packed the body."""
        self._max, self._cuts = max_bytes, cuts
        self.full = False
        self.fault = ""
        self._pieces: list[bytes] = []
        self._size = 0
        self._start = b""
        """The first bytes of the body or of a further member, until there are enough to tell what they are."""
        self._new: Callable[[], Any] | None = None
        self._inflate: Any = None
        self._packed: list[bytes] = []
        """The bytes of the member that is being read, to rescue what stands before damage."""
        self._before = 0
        """Size of the decoded body before this member."""
        self._members = 0
        self._over = False

    @property
    def is_complete(self) -> bool:
        """Whether packed data came to its end mark."""
        return self._members > 0 and self._inflate is None and not self.fault

    def tail(self, count: int) -> bytes:
        """Return the last bytes that were decoded so far."""
        last = self._pieces[-1:]
        return b"".join(last if last and len(last[0]) >= count else self._pieces)[-count:]

    def feed(self, data: bytes) -> None:
        """Decode the next bytes of the body. Raises CodingError, TooLargeError."""
        while data and not (self.full or self.fault or self._over):
            if self.coding == "identity":
                self._keep(data)
                return
            data = self._opened(data) if self._inflate is None else self._inflated(data)

    def body(self) -> bytes:
        """Return the decoded body, or what could be decoded of it. Raises CodingError where that is nothing."""
        if self._start and not self._members and self._inflate is None:
            self.feed(self._begun())
        if self._inflate is not None and not (self.full or self.fault):
            self._fail(f"the {self.coding} body ends before its end mark")
        return b"".join(self._pieces)[: self._max if self.full else None]

    def _opened(self, data: bytes) -> bytes:
        """Collect the first bytes of a member, begin it; ignore what follows the last one, as browsers do."""
        self._start += data
        if len(self._start) < (len(_GZIP) if self._members else _LOOKED):
            return b""
        if not self._members:
            return self._begun()
        self._over = self.coding != "gzip" or not self._start.startswith(_GZIP)
        data, self._start = self._start, b""
        self._begin_member()
        return data

    def _begun(self) -> bytes:
        """Decide from the first bytes how the body is packed, and return them."""
        data, self._start = self._start, b""
        if self.coding == UNSAID and data.startswith(_GZIP):
            self.coding = "gzip"
        is_text = self.coding == "gzip" and self._wbits(data) < 0 and not _BINARY.search(data)
        if self.coding == UNSAID or is_text or _MARKUP.match(data):
            self.coding = "identity"
            return data
        if self.coding in ("gzip", "deflate"):
            wbits = self._wbits(data)
            if self.coding == "gzip" and wbits < 0:
                raise CodingError("the body is not gzip: it does not begin with its mark")
            self._new = lambda: zlib.decompressobj(wbits)
        elif self.coding == "compress":
            raise CodingError("content-encoding compress, which is not read")
        else:
            self._new = _Brotli if self.coding == "br" else _zstd
        self._begin_member()
        return data

    def _wbits(self, data: bytes) -> int:
        """Return the format of a body for zlib: gzip, deflate with a header of zlib (RFC 1950, 2.2) or without one."""
        if data.startswith(_GZIP):
            return 31
        framed = data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0
        return 15 if data.startswith(_ZLIB) or (framed and self.coding == "deflate") else -15

    def _begin_member(self) -> None:
        if self._over or self._new is None:
            return
        try:
            self._inflate = self._new()
        except MissingExtra as error:
            raise CodingError(str(error)) from error
        self._packed, self._before = [], self._size

    def _inflated(self, data: bytes) -> bytes:
        """Decode some of the data; return the rest of it."""
        self._packed.append(data)
        try:
            piece = self._inflate.decompress(data, self._max + 1 - self._size)
        except zlib.error as error:
            if not self._size and not _BINARY.search(b"".join(self._packed)):
                self.coding, self._inflate, whole = "identity", None, b"".join(self._packed)
                return whole
            self._keep(self._rescued())
            self._fail(f"the body is not {self.coding}: {error}")
            return b""
        if self._named_twice and not self._size and piece.startswith(_GZIP):
            raise CodingError(f"the body is packed twice by {self.coding}")
        self._keep(piece)
        if not self._inflate.eof:
            return bytes(self._inflate.unconsumed_tail)
        rest = bytes(self._inflate.unused_data)
        self._inflate, self._packed = None, []
        self._members += 1
        return rest

    def _rescued(self) -> bytes:
        """Return what the damaged member has before the damage and was not decoded; zlib loses it with its error."""
        again, pieces, size = self._new() if self._new else None, list[bytes](), 0
        packed, most = b"".join(self._packed), self._max + 1 - self._before
        for at in range(len(packed)):
            try:
                pieces.append(again.decompress(packed[at : at + 1], most))  # type: ignore[union-attr]
            except zlib.error:
                break
            size += len(pieces[-1])
            if size >= most:
                break
        return b"".join(pieces)[self._size - self._before :]

    def _fail(self, fault: str) -> None:
        self.fault = fault
        if not self._size:
            raise CodingError(fault)

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        self.full = self._size > self._max
        if self.full and not self._cuts:
            raise TooLargeError(f"more than {self._max} bytes")
        self._pieces.append(piece)

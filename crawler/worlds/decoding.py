"""Incremental decoding of content codings, with a limit of size against decompression bombs."""

from __future__ import annotations

import zlib

_GZIP = b"\x1f\x8b"
_NOT_BEGUN = zlib.decompressobj()


class CodingError(Exception):
    """Error for a body that does not match its content-encoding, or with a coding that was not requested."""


class TooLargeError(Exception):
    """Error for a body that is larger than the limit."""


class Decoder:
    """Incremental decoder of identity, gzip (also several members) or deflate (with or without a zlib header).

    >>> decoder = Decoder("deflate", max_bytes=100)
    >>> decoder.feed(zlib.compress(b"flood"))
    >>> decoder.body()
    b'flood'
    """

    def __init__(self, coding: str, max_bytes: int, *, cuts: bool = False) -> None:
        """Start to decode a body.

        Args:
            coding: value of the content-encoding header, empty for identity.
            max_bytes: maximum size of the decoded body; no more is ever held in memory.
            cuts: whether to ignore what is above the limit; ``full`` is True from then on.

        Raises:
            CodingError: another coding, or several codings at once.
        """
        self.coding = coding.strip().lower().replace("x-gzip", "gzip") or "identity"
        if self.coding not in ("identity", "gzip", "deflate"):
            raise CodingError(f"content-encoding {coding!r}; only gzip and deflate were asked for")
        self._max = max_bytes
        self._cuts = cuts
        self.full = False
        self._pieces: list[bytes] = []
        self._size = 0
        self._mark = b""
        """The first two bytes of a member, its magic number; they may arrive in two pieces."""
        self._inflate = _NOT_BEGUN
        self._inside = False
        self._members = 0

    def feed(self, data: bytes) -> None:
        """Decode the next bytes of the body. Raises CodingError, TooLargeError."""
        if self.coding == "identity":
            self._keep(data)
            return
        while data and not self.full:
            data = self._inflated(data) if self._inside else self._opened(data)

    def body(self) -> bytes:
        """Return the whole decoded body. Raises CodingError where it is cut off, but by its limit."""
        if self.full:
            return b"".join(self._pieces)[: self._max]
        if self._inside or (self._mark and not self._members):
            raise CodingError(f"the {self.coding} body ends before its end mark")
        return b"".join(self._pieces)

    def _opened(self, data: bytes) -> bytes:
        """Begin a member; ignore other data after the last one, as browsers do."""
        missing = 2 - len(self._mark)
        self._mark, rest = self._mark + data[:missing], data[missing:]
        if len(self._mark) < 2:
            return b""
        if self.coding == "gzip" and self._mark != _GZIP and not self._members:
            raise CodingError("the body is not gzip: it does not begin with its mark")
        if self._members and (self.coding == "deflate" or self._mark != _GZIP):
            return b""
        framed = self._mark[0] & 15 == 8 and int.from_bytes(self._mark, "big") % 31 == 0  # RFC 1950, 2.2
        self._inflate = zlib.decompressobj(31 if self.coding == "gzip" else 15 if framed else -15)
        self._inside, data, self._mark = True, self._mark + rest, b""
        return data

    def _inflated(self, data: bytes) -> bytes:
        """Decode some of the data; return the rest of it."""
        try:
            piece = self._inflate.decompress(data, self._max + 1 - self._size)
        except zlib.error as error:
            raise CodingError(f"the body is not {self.coding}: {error}") from error
        self._keep(piece)
        if not self._inflate.eof:
            return self._inflate.unconsumed_tail
        self._inside = False
        self._members += 1
        return self._inflate.unused_data

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        self.full = self._size > self._max
        if self.full and not self._cuts:
            raise TooLargeError(f"more than {self._max} bytes")
        self._pieces.append(piece)

"""Content codings undone piece by piece, so that a small body cannot become a large one before anyone looks."""

from __future__ import annotations

import zlib

_GZIP = b"\x1f\x8b"


class CodingError(Exception):
    """A body that is not what its content-encoding says, or in a coding that was not asked for."""


class TooLargeError(Exception):
    """A body that grows past the cap."""


class Decoder:
    """Undoes one content-encoding: identity, gzip (several members too) or deflate (with or without zlib's frame).

    ``max_bytes`` caps what comes out; no more than that is ever held.
    """

    def __init__(self, coding: str, max_bytes: int) -> None:
        """Raises CodingError for a coding other than these three, and for several on top of each other."""
        self.coding = coding.strip().lower().replace("x-gzip", "gzip") or "identity"
        if self.coding not in ("identity", "gzip", "deflate"):
            raise CodingError(f"content-encoding {coding!r}; only gzip and deflate were asked for")
        self._max = max_bytes
        self._pieces: list[bytes] = []
        self._size = 0
        self._mark = b""
        """The first two bytes of a member, which tell what it is; they may come apart."""
        self._inflate = zlib.decompressobj()
        self._inside = False
        self._members = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes as they came over the wire. Raises CodingError, TooLargeError."""
        if self.coding == "identity":
            self._keep(data)
            return
        while data:
            data = self._inflated(data) if self._inside else self._opened(data)

    def body(self) -> bytes:
        """The whole decoded body. Raises CodingError where it is cut off."""
        if self._inside or (self._mark and not self._members):
            raise CodingError(f"the {self.coding} body ends before its end mark")
        return b"".join(self._pieces)

    def _opened(self, data: bytes) -> bytes:
        """Begin a member; what follows the last one and is none is passed over, as browsers do."""
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
        """Decode some of the data; answers what is left of it."""
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
        if self._size > self._max:
            raise TooLargeError(f"more than {self._max} bytes")
        self._pieces.append(piece)

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
        self._began = False
        self._whole = False  # a member came to its end
        self._inflate = zlib.decompressobj(31 if self.coding == "gzip" else 15)

    def feed(self, data: bytes) -> None:
        """Take the next bytes as they came over the wire. Raises CodingError, TooLargeError."""
        if self.coding == "identity":
            self._keep(data)
            return
        while data:
            data = self._inflated(data)

    def body(self) -> bytes:
        """The whole decoded body. Raises CodingError where the last member is cut off."""
        if self._began and not self._whole:
            raise CodingError(f"the {self.coding} body ends before its end mark")
        return b"".join(self._pieces)

    def _inflated(self, data: bytes) -> bytes:
        """Decode some of the data; answers what is left of it."""
        if self._inflate.eof:
            if self.coding == "deflate" or data[:2] != _GZIP:
                return b""  # padding and rubbish after the end are common and harmless
            self._inflate, self._whole = zlib.decompressobj(31), False
        try:
            piece = self._inflate.decompress(data, self._max + 1 - self._size)
        except zlib.error as error:
            if self.coding == "deflate" and not self._began:
                self._inflate, self._began = zlib.decompressobj(-15), True  # raw deflate, as old servers send it
                return data
            raise CodingError(f"the body is not {self.coding}: {error}") from error
        self._began = True
        self._keep(piece)
        self._whole = self._inflate.eof
        return self._inflate.unused_data if self._whole else self._inflate.unconsumed_tail

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._max:
            raise TooLargeError(f"more than {self._max} bytes")
        self._pieces.append(piece)

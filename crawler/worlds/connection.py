"""One connection to a server: a request goes out, and its response comes back before a deadline.

``http.client`` of the standard library reads the responses, and limits the length of a line. Time, size and the size of
the head are limited below it, where the bytes arrive; so is the number of headers, which it would limit to 100.
"""

from __future__ import annotations

import io
import math
import re
import socket
import ssl
from email.errors import MissingHeaderBodySeparatorDefect
from http.client import HTTPResponse
from typing import TYPE_CHECKING, NamedTuple, Self, cast

from crawler.worlds.decoding import Decoder, TooLargeError
from crawler.worlds.dialing import NetworkError, seconds_left

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BUFFER = 32768
_PIECE = 65536
_HEAD_BYTES = 131072
"""What a response may have on the wire besides its body: headers, interim responses, sizes of chunks, trailers."""
_INTERIM = 10
_GROUP = 32768
"""Bytes of header lines that are read as one; less than what http.client accepts as a line."""
_BLANK = (b"\r\n", b"\n", b"")
_END = re.compile(rb"\n\r?\n")


class Reply(NamedTuple):
    """A response with its decoded body. Header names are in lower case, repeated headers are joined by commas."""

    status: int
    headers: dict[str, str]
    body: bytes
    keep: bool
    """Whether the connection can carry another request."""
    wire: bytes = b""
    """Headers and body as they were on the wire, if the connection keeps them."""


class _Wire(io.RawIOBase):
    """The bytes that a server sends, up to a deadline and a number."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.deadline: float | None = None
        """Time of ``time.monotonic``; without one a read does not wait."""
        self.bytes_left = 0
        self.in_head = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        self.sock.settimeout(0.0 if self.deadline is None else seconds_left(self.deadline))
        count = self.sock.recv_into(buffer)
        if not count and self.in_head:  # http.client would take what came for all headers
            raise ConnectionResetError("the server closed the connection before the end of its headers")
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise TooLargeError("the response is larger than the limit")
        return count


class MessageReader(io.BufferedReader):
    """A buffer that HTTPResponse takes for a socket. It closes the buffer after a response; the next one needs it.

    http.client counts the lines of a head and refuses more than 100, which some servers send; the limit is a global of
    its module, and other users of it keep it. So several header lines are read as one here, which it joins to the same
    text. Their limit is that of the whole head.
    """

    _head_left: int | None = None
    """Bytes that the head may still have; None outside of a head."""
    _in_headers = False
    _held = b""
    """Lines that came after a group was full, or the blank one after it."""

    def makefile(self, _: str) -> Self:
        """Return itself, as a socket returns a file."""
        return self

    def close(self) -> None:
        """Do nothing; the connection is used again."""

    def begin_head(self) -> None:
        """Expect status lines, each with its headers."""
        self._head_left, self._in_headers, self._held = _HEAD_BYTES, False, b""

    def end_head(self) -> None:
        """Expect a body."""
        self._head_left = None

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read a line, or several lines of a head."""
        if self._head_left is None:
            return super().readline(size)
        if not self._in_headers:
            self._in_headers = True
            return self._line(size)
        lines = self._held or self._lines(size)
        self._held = b""
        self._in_headers = lines not in _BLANK
        while self._in_headers:
            more = self._lines(size)
            if more in _BLANK or len(lines) + len(more) > _GROUP:
                self._held = more
                break
            lines += more
        return lines

    def _lines(self, size: int | None) -> bytes:
        """Read the whole lines that have come, up to a blank one; else one line."""
        waiting = self.peek(1)
        end = _END.search(waiting)
        stop = end.start() + 1 if end else waiting.rfind(b"\n") + 1
        return self._line(size) if not stop or waiting[0] in b"\r\n" else self._counted(super().read(stop))

    def _line(self, size: int | None) -> bytes:
        return self._counted(super().readline(size))

    def _counted(self, lines: bytes) -> bytes:
        self._head_left = (self._head_left or 0) - len(lines)
        if self._head_left < 0:
            raise TooLargeError(f"the headers are larger than {_HEAD_BYTES} bytes")
        return lines


class _Taping(MessageReader):
    """A buffer that keeps the bytes that HTTPResponse takes from it; what it does not take belongs to no response."""

    def __init__(self, wire: _Wire, size: int) -> None:
        super().__init__(wire, size)
        self.tape: list[bytes] = []

    def readline(self, size: int | None = -1, /) -> bytes:
        self.tape.append(super().readline(size))
        return self.tape[-1]

    def read(self, size: int | None = -1, /) -> bytes:
        self.tape.append(super().read(size))
        return self.tape[-1]

    def read1(self, size: int = -1, /) -> bytes:
        self.tape.append(super().read1(size))
        return self.tape[-1]


class Connection:
    """A connection to a server, plain or TLS. One thread uses it at a time."""

    def __init__(self, sock: socket.socket, *, keep_wire: bool = False) -> None:
        """Take over a connected socket.

        Args:
            sock: the socket.
            keep_wire: whether replies have the bytes of the wire.
        """
        self._wire = _Wire(sock)
        self._reader = (_Taping if keep_wire else MessageReader)(self._wire, _BUFFER)
        self._tape = self._reader.tape if isinstance(self._reader, _Taping) else []

    def get(self, request: bytes, max_bytes: int, deadline: float, *, cuts: bool = False) -> Reply:
        """Send a request and read its response; interim responses (1xx) are skipped.

        Args:
            request: request line and headers, with the blank line.
            max_bytes: maximum size of the body, decoded and (with what surrounds it) on the wire.
            deadline: time of ``time.monotonic`` by which the whole response must have arrived.
            cuts: whether only the beginning of a larger body is read, which is not an error then.

        Returns:
            The response.

        Raises:
            NetworkError: timeout, incomplete_body or bad_response.
            HTTPException: the response is malformed.
            TooLargeError: the response is larger than the limit.
            CodingError: the body does not match its content coding.
            OSError: the network failed.
        """
        wire = self._wire
        wire.deadline, wire.bytes_left, wire.in_head = deadline, max_bytes + _HEAD_BYTES, True
        wire.sock.settimeout(seconds_left(deadline))
        wire.sock.sendall(request)
        self._reader.begin_head()
        for _ in range(_INTERIM):
            self._tape.clear()
            response = HTTPResponse(cast(socket.socket, self._reader), method="GET")
            response.begin()
            if response.status >= 200 or response.status == 101:
                break
        else:
            raise NetworkError("bad_response", f"more than {_INTERIM} interim responses")
        wire.in_head = False
        self._reader.end_head()
        headers = header_fields(response)
        _check_length(response, headers, math.inf if cuts else max_bytes)
        decoder = Decoder(headers.get("content-encoding", ""), max_bytes, cuts=cuts)
        while response.length != 0 and not decoder.full:
            piece = response.read1(_PIECE)  # read would trust a size of chunk below zero
            if not piece:
                break
            decoder.feed(piece)
        if response.length and not decoder.full:
            raise NetworkError("incomplete_body", f"{response.length} announced bytes did not come")
        keep = not response.will_close and response.status != 101 and not decoder.full
        return Reply(response.status, headers, decoder.body(), keep, b"".join(self._tape))

    def is_idle(self) -> bool:
        """Return whether the server has neither closed a kept connection nor sent anything more."""
        self._wire.deadline = None
        try:
            self._reader.peek(1)
        except (BlockingIOError, ssl.SSLWantReadError):
            return True
        except (OSError, TooLargeError):
            return False
        return False

    def close(self) -> None:
        """Close the connection."""
        self._wire.sock.close()


def header_fields(response: HTTPResponse) -> dict[str, str]:
    """Return the headers by lower-case name. Raises NetworkError where http.client lost some of them."""
    if any(isinstance(defect, MissingHeaderBodySeparatorDefect) for defect in response.headers.defects):
        raise NetworkError("bad_response", "a line among the headers is no header")
    headers: dict[str, list[str]] = {}
    for name, text in response.headers.items():
        headers.setdefault(name.lower(), []).append(" ".join(line.strip(" \t\r") for line in text.split("\n")))
    return {name: ", ".join(values) for name, values in headers.items()}


def _check_length(response: HTTPResponse, headers: dict[str, str], max_bytes: float) -> None:
    """Raise NetworkError where it is unclear how long the body is, TooLargeError where it is too long."""
    if response.length is not None and response.length > max_bytes:
        raise TooLargeError(f"{response.length} bytes are announced, more than {max_bytes}")
    if response.chunked:
        return
    lengths = headers.get("content-length")
    if lengths is not None and (response.length is None or len(set(lengths.split(", "))) > 1):
        raise NetworkError("bad_response", f"content-length {lengths[:40]}: expected one number")
    coding = headers.get("transfer-encoding", "identity")
    if coding.lower() != "identity":
        raise NetworkError("bad_response", f"transfer-encoding {coding[:40]}: only chunked can be read")

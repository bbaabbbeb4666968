"""HTTP/1.1 over one connection: a request goes out and its response comes back before a deadline (RFC 9112).

The reader accepts what browsers accept of old servers: bare line feeds, folded lines, lines that are no header. It
limits all that a server can make long: the head, its lines, and the body, on the wire and decoded.
"""

from __future__ import annotations

import re
import select
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from crawler.worlds.decoding import Decoder, TooLargeError

_CHUNK = 65536
_HEAD_BYTES = 65536
_HEADERS = 100
_INTERIM = 10
_SLACK = 0.05
"""Seconds that a read may end after the deadline; setting a timeout anew is a system call."""
_BLANK_LINE = re.compile(rb"\n\r?\n")
_STATUS = re.compile(r"HTTP/(1\.[0-9])[ \t]+([1-9][0-9]{2})(?![0-9])")
_FOLD = re.compile(r"\r?\n[ \t]+")
"""Where a header continues on the next line."""
_CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]{1,16})[ \t]*(?:;.*)?\r?\n?", re.DOTALL)


class NetworkError(Exception):
    """Error with a reason code and a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def seconds_left(deadline: float) -> float:
    """Return the seconds until ``deadline``, a time of ``time.monotonic``. Raises NetworkError after it."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise NetworkError("timeout", "no complete answer within the time limit")
    return seconds


class Reply(NamedTuple):
    """A response with its decoded body. Header names are in lower case, repeated headers are joined by commas."""

    status: int
    headers: dict[str, str]
    body: bytes
    keep: bool
    """Whether the connection can carry another request."""


class Connection:
    """A connection to a server, plain or TLS. One thread uses it at a time."""

    def __init__(self, sock: socket.socket) -> None:
        """Take over a connected socket."""
        self._sock = sock
        self._timeout = 0.0
        self._deadline = 0.0
        self._data = b""
        self._at = 0
        self._ended = False

    def get(self, request: bytes, max_bytes: int, deadline: float) -> Reply:
        """Send a request and read its response; interim responses (1xx) are skipped.

        Args:
            request: request line and headers, with the blank line.
            max_bytes: maximum size of the body, both on the wire and decoded.
            deadline: time of ``time.monotonic`` by which the whole response must have arrived.

        Returns:
            The response.

        Raises:
            NetworkError: timeout, connection_reset, incomplete_body or bad_response.
            TooLargeError: the body is larger than the limit.
            CodingError: the body does not match its content coding.
            OSError: the network failed.
        """
        self._deadline = deadline
        self._limit_time()
        self._sock.sendall(request)
        for _ in range(_INTERIM):
            version, status, headers = _parse_head(self._head())
            if status >= 200 or status == 101:
                break
        else:
            raise NetworkError("bad_response", f"more than {_INTERIM} interim responses")
        body = b"" if status in (101, 204, 304) else self._body(headers, max_bytes)
        clean = status != 101 and not self._ended and self._at == len(self._data)
        self._data, self._at = b"", 0
        return Reply(status, headers, body, clean and _persistent(version, headers.get("connection", "")))

    def is_idle(self) -> bool:
        """Return whether the server has neither closed a kept connection nor sent anything more."""
        if isinstance(self._sock, ssl.SSLSocket) and self._sock.pending():
            return False
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(self._sock, select.POLLIN)
            return not poll.poll(0)
        return not select.select([self._sock], [], [], 0)[0]

    def close(self) -> None:
        """Close the connection."""
        self._sock.close()

    def _limit_time(self) -> None:
        left = seconds_left(self._deadline)
        if not left <= self._timeout <= left + _SLACK:
            self._timeout = left + _SLACK / 2
            self._sock.settimeout(self._timeout)

    def _receive(self) -> bool:
        """Append what arrives next to the data; return False at the end of the connection."""
        self._limit_time()
        piece = self._sock.recv(_CHUNK)
        self._data = self._data[self._at :] + piece if self._at < len(self._data) else piece
        self._at = 0
        self._ended = not piece
        return not self._ended

    def _head(self) -> bytes:
        """Return the next head, without its blank line."""
        while (blank := _BLANK_LINE.search(self._data, self._at)) is None and len(self._data) <= _HEAD_BYTES:
            if not self._receive():
                got = "a part of its headers" if self._data else "no answer"
                raise NetworkError("connection_reset", f"the server closed the connection after {got}")
            if not self._data.startswith(b"HTTP/"[: len(self._data)]):
                raise NetworkError("bad_response", f"the answer begins with {self._data[:20]!r}, not with HTTP/")
        if blank is None or blank.start() - self._at > _HEAD_BYTES:
            raise NetworkError("bad_response", f"more than {_HEAD_BYTES} bytes of headers")
        head, self._at = self._data[self._at : blank.start()], blank.end()
        return head

    def _body(self, headers: Mapping[str, str], max_bytes: int) -> bytes:
        length = None
        if headers.get("transfer-encoding", "").lower() == "chunked":
            pieces = self._chunks()
        else:
            length = _announced(headers.get("content-length", ""))
            if length is not None and length > max_bytes:
                raise TooLargeError(f"{length} bytes are announced, more than {max_bytes}")
            pieces = self._pieces(length)
        decoder = Decoder(headers.get("content-encoding", ""), max_bytes)
        taken = 0
        for piece in pieces:
            taken += len(piece)
            if taken > max_bytes:
                raise TooLargeError(f"more than {max_bytes} bytes")
            decoder.feed(piece)
        return decoder.body()

    def _pieces(self, length: int | None) -> Iterator[bytes]:
        """Yield a body of some length, or up to the end of the connection where its length is unknown."""
        taken = 0
        while length is None or taken < length:
            if self._at == len(self._data) and not self._receive():
                if length is None:
                    return
                raise NetworkError("incomplete_body", f"{taken} bytes came of {length} announced")
            end = len(self._data) if length is None else self._at + length - taken
            piece = self._data[self._at : end]
            self._at += len(piece)
            taken += len(piece)
            yield piece

    def _chunks(self) -> Iterator[bytes]:
        """Yield a chunked body, and skip its trailers."""
        while True:
            line = self._line()
            size = _CHUNK_SIZE.fullmatch(line)
            if size is None:
                raise NetworkError("incomplete_body", f"a chunk begins with {line[:20]!r}, not with its size")
            if int(size[1], 16) == 0:
                break
            yield from self._pieces(int(size[1], 16))
            self._line()
        for _ in range(_HEADERS):
            if self._line() in (b"\r\n", b"\n", b""):
                return
        raise NetworkError("bad_response", f"more than {_HEADERS} trailers")

    def _line(self) -> bytes:
        """Return the next line; at the end of the connection what is left of it."""
        while (end := self._data.find(b"\n", self._at)) < 0:
            if len(self._data) - self._at > _HEAD_BYTES:
                raise NetworkError("bad_response", f"a line of more than {_HEAD_BYTES} bytes between chunks")
            if not self._receive():
                end = len(self._data) - 1
                break
        line, self._at = self._data[self._at : end + 1], end + 1
        return line


def _parse_head(head: bytes) -> tuple[str, int, dict[str, str]]:
    """Return version, status, and the headers by lower-case name; lines that are no header are ignored."""
    text = head.decode("latin-1")
    if "\n " in text or "\n\t" in text:
        text = _FOLD.sub(" ", text)
    first, *lines = text.split("\n")
    status = _STATUS.match(first)
    if status is None:
        raise NetworkError("bad_response", f"the answer begins with {first[:40]!r}, not with a status of HTTP/1")
    if len(lines) > _HEADERS:
        raise NetworkError("bad_response", f"more than {_HEADERS} headers")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        name, value = name.rstrip(" \t").lower(), value.strip(" \t\r")
        if colon and name:
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return status[1], int(status[2]), headers


def _announced(value: str) -> int | None:
    """Return the length of a body by its header; None where that is no number. Raises NetworkError for two lengths."""
    lengths = {length.strip() for length in value.split(",")}
    if len(lengths) > 1:
        raise NetworkError("bad_response", f"the lengths {value} are announced for one body")
    length = lengths.pop()
    return int(length) if length.isascii() and length.isdigit() else None


def _persistent(version: str, connection: str) -> bool:
    """Return whether the connection stays open after a response."""
    options = connection.lower()
    return "keep-alive" in options if version == "1.0" else "close" not in options

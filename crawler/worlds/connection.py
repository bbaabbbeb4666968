"""One connection to a server: a request goes out, and its response comes back before a deadline.

``http.client`` of the standard library reads the responses, and limits the length of a line. Time, size and the size of
the head are limited below it, where the bytes arrive; so is the number of headers, which it would limit to 100.
"""

from __future__ import annotations

import io
import math
import queue
import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from email.errors import MissingHeaderBodySeparatorDefect
from http.client import HTTPResponse
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, cast

from crawler.worlds.addresses import refusal, split_address

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# ---- incremental decoding of content codings, with a limit of size against decompression bombs


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


# ---- one connection to a server: a request goes out, and its response comes back before a deadline


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


# ---- connections of the live world: name resolution and checks of addresses, each before the deadline of a request


_TRIED = 8
"""Maximum number of addresses of a name that are tried."""


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


Address: TypeAlias = tuple[int, Any]
"""(family, address) as sockets take them."""


class Dialer:
    """Opener of connections: resolves names by the resolve table, then by the DNS, and checks every address.

    A name is resolved once for a connection, and the connection goes to an address of that answer which was checked:
    another answer of the DNS in between changes nothing.
    """

    def __init__(
        self,
        table: Mapping[str, str],
        allow_loopback: bool,
        *,
        look_up: Callable[[str, int, float], list[Address]] | None = None,
        connect: Callable[[int, Any, float], socket.socket] | None = None,
    ) -> None:
        """Create a dialer.

        Args:
            table: HOST:PORT -> ADDR:PORT; these addresses are not checked.
            allow_loopback: whether names may have loopback addresses.
            look_up: returns the addresses of a name and port before a deadline; None for the system's resolver.
            connect: connects to a family and address before a deadline; None for a TCP connection.
        """
        self._table = table
        self._allow_loopback = allow_loopback
        self._look_up = look_up or _look_up
        self._connect = connect or _connected

    def dial(self, host: str, port: int, deadline: float) -> socket.socket:
        """Open a connection.

        Each address has an equal share of the time that is left, so that one that does not respond leaves some to the
        others.

        Args:
            host: name or address of a host.
            port: number of a port.
            deadline: time of ``time.monotonic`` by which the connection must be open.

        Returns:
            A connected socket.

        Raises:
            NetworkError: no address, no allowed address, or no connection before the deadline.
        """
        problem = NetworkError("dns", f"{host} has no address")
        addresses = _alternating(self._addresses(host, port, deadline))[:_TRIED]
        for position, (family, address) in enumerate(addresses):
            share = seconds_left(deadline) / (len(addresses) - position)
            try:
                return self._connect(family, address, time.monotonic() + share)
            except NetworkError as error:
                problem = error
        raise problem

    def _addresses(self, host: str, port: int, deadline: float) -> list[Address]:
        named = self._table.get(f"{host.lower()}:{port}")
        if named is not None:
            pair = split_address(named)
            assert pair is not None  # noqa: S101 - the table was checked when the world was opened
            return [(family, at) for family, _, _, _, at in socket.getaddrinfo(*pair, type=socket.SOCK_STREAM)]
        addresses = self._look_up(host, port, deadline)
        refused = {str(at[0]): refusal(str(at[0]), allow_loopback=self._allow_loopback) for _, at in addresses}
        allowed = [(family, at) for family, at in addresses if refused[str(at[0])] is None]
        if addresses and not allowed:
            address, why = next(iter(refused.items()))
            raise NetworkError(
                "blocked_address", f"{host} is {address}, {why}; name it in the resolve table to allow it"
            )
        return allowed


def _alternating(addresses: list[Address]) -> list[Address]:
    """Return addresses with their families in turn (RFC 8305, 4), so that one family cannot use up all tries."""
    first = [address for address in addresses if address[0] == addresses[0][0]]
    others = [address for address in addresses if address[0] != addresses[0][0]]
    return [address for pair in zip_longest(first, others) for address in pair if address is not None]


def _look_up(host: str, port: int, deadline: float) -> list[Address]:
    """Resolve a name. A look-up cannot be cancelled, so it runs in a thread that is abandoned at the deadline."""
    answer: queue.SimpleQueue[list[Address] | OSError | UnicodeError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
            answer.put([(family, at) for family, _, _, _, at in rows])
        except (OSError, UnicodeError) as error:  # UnicodeError: a label that is empty or too long
            answer.put(error)

    threading.Thread(target=ask, daemon=True, name=f"look-up of {host}").start()
    try:
        result = answer.get(timeout=seconds_left(deadline))
    except queue.Empty:
        raise NetworkError("timeout", f"no answer from the DNS for {host} within the time limit") from None
    if isinstance(result, Exception):
        raise NetworkError("dns", f"{host}: {result}")
    return result


def _connected(family: int, address: Any, deadline: float) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(seconds_left(deadline))
        sock.connect(address)
    except TimeoutError:
        sock.close()
        raise NetworkError("timeout", f"no connection to {address[0]} within the time limit") from None
    except ConnectionRefusedError:
        sock.close()
        raise NetworkError("refused", f"{address[0]} port {address[1]} refuses connections") from None
    except OSError as error:
        sock.close()
        raise NetworkError("unreachable", f"{address[0]}: {error.strerror or error}") from None
    except NetworkError:
        sock.close()
        raise
    return sock

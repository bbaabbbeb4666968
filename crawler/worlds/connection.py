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
from collections.abc import Callable, Mapping
from contextlib import closing
from http.client import HTTPException, HTTPResponse, IncompleteRead
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, cast

from crawler.model import PAGE_STATUSES
from crawler.pages.media_type import HTML_TYPES, declared_type
from crawler.worlds.addresses import LOOPBACK, refusal, split_address
from crawler.worlds.coding import UNSAID, CodingError, Decoder, TooLargeError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# ---- one connection to a server: a request goes out, and its response comes back before a deadline


_BUFFER = 32768
_PIECE = 65536
_HEAD_BYTES = 131072
"""What a response may have on the wire besides its body: headers, interim responses, sizes of chunks, trailers."""
_INTERIM = 10
_GROUP = 32768
"""Bytes of header lines that are read as one; less than what http.client accepts as a line."""
_BLANK = (b"\r\n", b"\n", b"")
_VERSION = re.compile(rb"^(?:HTTP/[23](?:\.0)?|http/1\.1)(?= )", re.IGNORECASE)
"""Versions of a status line that http.client refuses, which a server or a program that records has written."""
_END = re.compile(rb"\n\r?\n")
_SOUND = re.compile(rb"(?:[!-9;-~]+:[^\r\n]*\r?\n|[ \t][^\r\n]*\r?\n)*")
"""Header lines as http.client reads them; it would take any other line for the end of the headers."""
_FIELD = re.compile(rb"([!#-'*+.0-9A-Z^-z|~-]+)[ \t]*:")
"""A name of a header and its colon, also with blanks before it, which browsers ignore."""
_APART = ("set-cookie", "location")
"""Headers of which several are not one list; commas are part of their values."""
_LENGTH = re.compile(r"\d{1,18}", re.ASCII)
_GRACE = 2.0
"""Seconds to wait for more of a body whose packed data has ended before the announced length."""
_TAIL = 4096
"""Bytes at the end of a page among which it has its end tag."""


class Reply(NamedTuple):
    """A response with its decoded body. Header names are in lower case, repeated headers are joined by commas."""

    status: int
    headers: dict[str, str]
    body: bytes
    keep: bool
    """Whether the connection can carry another request."""
    wire: bytes = b""
    """Headers and body as they were on the wire, if the connection keeps them."""
    partial: str = ""
    """As of `crawler.model.Response`."""


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
    text. Their limit is that of the whole head. A line that is no header is left out, with the lines that continue it,
    as browsers do; http.client would take it for the end of the headers.
    """

    _head_left: int | None = None
    """Bytes that the head may still have; None outside of a head."""
    _in_headers = False
    _held = b""
    """Lines that came after a group was full, or the blank one after it."""
    _leaves_out = False
    """Whether the last header line was left out."""

    def makefile(self, _: str) -> Self:
        """Return itself, as a socket returns a file."""
        return self

    def close(self) -> None:
        """Do nothing; the connection is used again."""

    def begin_head(self) -> None:
        """Expect status lines, each with its headers."""
        self._head_left, self._in_headers, self._held, self._leaves_out = _HEAD_BYTES, False, b"", False

    def end_head(self) -> None:
        """Expect a body."""
        self._head_left = None

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read a line, or several lines of a head."""
        if self._head_left is None:
            return super().readline(size)
        if not self._in_headers:
            self._in_headers = True
            while self.peek(1)[:1] in (b"\r", b"\n"):  # what some servers send behind the response before
                super().read(1)
            return _VERSION.sub(b"HTTP/1.1", self._line(size))
        lines = self._held or self._fields(size)
        self._held = b""
        self._in_headers = lines not in _BLANK
        while self._in_headers:
            more = self._fields(size)
            if more in _BLANK or len(lines) + len(more) > _GROUP:
                self._held = more
                break
            lines += more
        return lines

    def _fields(self, size: int | None) -> bytes:
        """Read lines that are headers, or the blank one after them."""
        while True:
            lines = self._lines(size)
            if (not self._leaves_out and _SOUND.fullmatch(lines)) or lines in _BLANK or not lines.endswith(b"\n"):
                return lines
            kept = b"".join(map(self._field, lines.splitlines(keepends=True)))
            if kept:
                return kept

    def _field(self, line: bytes) -> bytes:
        if line[:1] not in b" \t":
            name = _FIELD.match(line)
            self._leaves_out = name is None
            line = line if name is None else name[1] + line[name.end() - 1 :]
        return b"" if self._leaves_out else line

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

    def _counted(self, lines: bytes) -> bytes:
        self.tape.append(lines)
        return super()._counted(lines)

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        if self._head_left is None:
            self.tape.append(line)
        return line

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

    def get(
        self,
        request: bytes,
        max_bytes: int,
        deadline: float,
        *,
        cuts: bool = False,
        limit_of: Callable[[Mapping[str, str]], int] | None = None,
    ) -> Reply:
        """Send a request and read its response; interim responses (1xx) are skipped.

        Args:
            request: request line and headers, with the blank line.
            max_bytes: maximum size of the body, decoded and (with what surrounds it) on the wire.
            deadline: time of ``time.monotonic`` by which the whole response must have arrived.
            cuts: whether only the beginning of a larger body is read, which is not an error then.
            limit_of: the maximum size by the headers of the response, in place of ``max_bytes``.

        Returns:
            The response.

        Raises:
            NetworkError: timeout or bad_response; incomplete_body where nothing of the body came, or it ``cuts``.
            HTTPException: the response is malformed.
            TooLargeError: the response is larger than the limit.
            CodingError: nothing of the body can be decoded.
            OSError: the network failed.
        """
        wire = self._wire
        wire.deadline, wire.bytes_left, wire.in_head = deadline, max_bytes + _HEAD_BYTES, True
        wire.sock.settimeout(seconds_left(deadline))
        wire.sock.sendall(request)
        self._reader.begin_head()
        for _ in range(_INTERIM):
            self._tape.clear()
            # closed here: http.client flushes it when nothing uses it any more, when its connection may be closed
            with closing(HTTPResponse(cast(socket.socket, self._reader), method="GET")) as response:
                response.begin()
                if response.status >= 200 or response.status == 101:
                    return self._reply(response, max_bytes, limit_of, cuts=cuts)
        raise NetworkError("bad_response", f"more than {_INTERIM} interim responses")

    def _reply(
        self,
        response: HTTPResponse,
        max_bytes: int,
        limit_of: Callable[[Mapping[str, str]], int] | None,
        *,
        cuts: bool,
    ) -> Reply:
        """Read the body of a response; arguments and errors are those of `get`."""
        self._wire.in_head = False
        self._reader.end_head()
        headers = header_fields(response)
        if limit_of is not None:
            limit = limit_of(headers)
            self._wire.bytes_left += limit - max_bytes
            max_bytes = limit
        _check_length(response, headers, math.inf if cuts else max_bytes)
        decoder = Decoder(coding_of(headers), max_bytes, cuts=cuts)
        missing, error = self._receive(response, decoder)
        if error is not None and not is_whole(decoder):
            raise error
        body, partial = received(response, decoder, missing, whole_only=cuts)
        counted = "content-length" in headers and response.status in PAGE_STATUSES
        if counted and not (partial or cuts or is_whole(decoder)) and self._more().strip():
            partial = f"bad_framing: more came than the {headers['content-length']} announced bytes, and is left out"
        keep = not (response.will_close or response.status == 101 or decoder.full or missing)
        return Reply(response.status, headers, body, keep, b"".join(self._tape), partial)

    def _receive(self, response: HTTPResponse, decoder: Decoder) -> tuple[str, Exception | None]:
        """Read the body; return what is missing of it as a sentence, and the error by which it ended early."""
        try:
            while response.length != 0 and not decoder.full:
                if decoder.is_complete and response.length:  # its length is that of the unpacked body
                    self._wire.deadline = min(self._wire.deadline or 0.0, time.monotonic() + _GRACE)
                piece = response.read1(_PIECE)  # read would trust a size of chunk below zero
                if not piece:
                    break
                decoder.feed(piece)
        except IncompleteRead:
            return "a chunk of the body is missing or malformed", None
        except (NetworkError, HTTPException, OSError) as error:
            return f"the connection failed before its announced end ({error})", error
        if response.length and not decoder.full:
            return f"{response.length} announced bytes did not come", None
        return "", None

    def _more(self) -> bytes:
        """Return what has come after the announced end of a body, as far as it waits already."""
        self._wire.deadline = None
        try:
            return self._reader.peek(1)
        except (OSError, TooLargeError):  # nothing waits
            return b""

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


def coding_of(headers: Mapping[str, str]) -> str:
    """Return how a body is packed by its headers; of a page that none says so of, its first bytes tell."""
    is_page = declared_type(headers.get("content-type", ""))[0] in HTML_TYPES
    return headers.get("content-encoding") or (UNSAID if is_page else "")


def is_whole(decoder: Decoder) -> bool:
    """Return whether a body seems whole by itself: packed data with its end mark, or a page with its end tag."""
    return decoder.is_complete or b"</html" in decoder.tail(_TAIL).lower()


def received(response: HTTPResponse, decoder: Decoder, missing: str, *, whole_only: bool = False) -> tuple[bytes, str]:
    """Return the body of a response, or what came of it, and what is wrong with it (`crawler.model.Response.partial`).

    Args:
        response: the response, of which only a page has to be whole.
        decoder: the decoder that the body was fed to.
        missing: what did not come, as a sentence; empty where all came.
        whole_only: whether a part of a body is an error.

    Raises:
        NetworkError: incomplete_body, where nothing came or ``whole_only``.
        CodingError: nothing can be decoded.
    """
    body = decoder.body()
    fault = missing or decoder.fault
    if not fault or response.status not in PAGE_STATUSES:
        return body, ""
    whole = is_whole(decoder)
    if not body or (whole_only and not whole):
        raise NetworkError("incomplete_body", missing) if missing else CodingError(decoder.fault)
    return body, f"{'bad_framing' if whole else 'incomplete_body'}: {fault}"


def header_fields(response: HTTPResponse) -> dict[str, str]:
    """Return the headers by lower-case name; several of one name are joined by commas.

    Cookies and different locations are joined by line ends. A location that is sent twice is one, as in browsers.
    """
    headers: dict[str, list[str]] = {}
    for name, text in response.headers.items():
        headers.setdefault(name.lower(), []).append(" ".join(line.strip(" \t\r") for line in text.split("\n")))
    if "location" in headers:
        headers["location"] = [*dict.fromkeys(headers["location"])]
    return {name: ("\n" if name in _APART else ", ").join(values) for name, values in headers.items()}


def _check_length(response: HTTPResponse, headers: dict[str, str], max_bytes: float) -> None:
    """Raise NetworkError where it is unclear how long the body is, TooLargeError where it is too long."""
    if response.chunked:
        return
    if (written := headers.get("content-length")) is not None:
        lengths = {length.strip() for length in written.split(",")}
        length = lengths.pop() if len(lengths) == 1 else ""
        if response.length is None and _LENGTH.fullmatch(length):  # repeated: RFC 9110, 8.6
            response.length = int(length)
        if response.length is None or not length:
            raise NetworkError("bad_response", f"content-length {written[:40]}: expected one number")
    if response.length is not None and response.length > max_bytes:
        raise TooLargeError(f"{response.length} bytes are announced, more than {max_bytes}")
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
            way = "--allow-loopback" if why and why.code == LOOPBACK else "a line of --resolve"
            is_address = "" if host.strip("[]") == address else f"{address}, "
            raise NetworkError("blocked_address", f"{host} is {is_address}{why}; {way} allows it")
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

"""The live web over HTTP: one hop, limited in time and size, to public addresses only.

A request has one deadline for everything: look-up, connection, handshake, headers and body. Timeouts of sockets do not
ensure that, because every byte from a slow server resets them; here each wait ends at the deadline of the request.
"""

from __future__ import annotations

import re
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from http.client import HTTPException
from typing import NamedTuple, Protocol

import certifi
from ada_url import URL

from crawler.fetching.robots_file import MAX_BYTES as ROBOTS_BYTES
from crawler.model import Failure, Rendering, Response, World
from crawler.pages.media_type import declares_document
from crawler.worlds.addresses import parse_resolve
from crawler.worlds.coding import CodingError, TooLargeError
from crawler.worlds.connection import Connection, Dialer, NetworkError, Reply, seconds_left
from crawler.worlds.cookies import CookieJar, without_values
from crawler.worlds.errors import WorldError

USER_AGENT = "ontocrawl/0.1"
_PORTS = {"http": 80, "https": 443}
_KEPT = 256
"""Maximum number of connections kept open between requests."""
_WIRE = ("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "trailer")
"""Headers about the bytes on the wire; a Response holds the decoded body and does not have them."""
_CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
"""Header of a response -> header of a request for what has changed since."""
_PLAIN_URL = re.compile(
    r"(https?)://((?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*)(?::([0-9]{2,5}))?(/[\w!$%&'()*+,./:;=?@~-]*)", re.ASCII
)
"""Absolute URLs in which a parser would change nothing; most canonical URLs are of this form. A host whose last label
begins with a digit may be an IPv4 address in another form (``0x7f.1``), which a parser writes as usual."""


class _Server(NamedTuple):
    scheme: str
    host: str
    port: int


class _KeptConnections:
    """Open connections that wait for the next request; the longest unused one makes room."""

    def __init__(self) -> None:
        self._waiting: list[tuple[_Server, Connection]] = []
        self._limit = _KEPT
        self._lock = threading.Lock()

    def take(self, server: _Server) -> Connection | None:
        """Return a connection that the server has not closed, the last used one first; None if there is none."""
        while True:
            with self._lock:
                index = next((i for i, (kept, _) in enumerate(self._waiting) if kept == server), None)
                if index is None:
                    return None
                connection = self._waiting.pop(index)[1]
            if connection.is_idle():
                return connection
            connection.close()

    def give(self, server: _Server, connection: Connection) -> None:
        """Keep a connection."""
        with self._lock:
            self._waiting.insert(0, (server, connection))
            excess = self._waiting[self._limit :]
            del self._waiting[self._limit :]
        for _, unused in excess:
            unused.close()

    def close(self) -> None:
        """Close all connections, and those that come back later."""
        with self._lock:
            self._limit = 0
            waiting, self._waiting = self._waiting, []
        for _, connection in waiting:
            connection.close()


class LiveWorld:
    """The web. Redirects are returned, not followed; proxies and netrc of the environment are not used.

    Records of requests have no cookies.

    Reasons of its failures: bad_url, dns, refused, unreachable, blocked_address, timeout, tls, connection_reset,
    incomplete_body, bad_response, bad_content_encoding, too_large. Safe to use from several threads.
    """

    name = "live"

    def __init__(
        self,
        *,
        timeout: float = 20.0,
        max_bytes: int = 8 * 1024 * 1024,
        max_document_bytes: int | None = None,
        resolve: Mapping[str, str] | None = None,
        allow_loopback: bool = False,
        user_agent: str = USER_AGENT,
        ca_file: str | None = None,
        cookies: CookieJar | None = None,
    ) -> None:
        """Create a client.

        Args:
            timeout: seconds for one hop in total.
            max_bytes: maximum size of a body decoded, and of a response on the wire (plus 128 kB for its headers). Of
                a robots.txt file 500 KiB are read, of a longer one too.
            max_document_bytes: the same for PDF and Word files; None for ``max_bytes``.
            resolve: HOST:PORT -> ADDR:PORT; these hosts may be at any address. URL and Host header do not change.
            allow_loopback: whether hosts that resolve to this machine may be fetched.
            user_agent: name of the crawler; include an address where its operator can be reached.
            ca_file: certificates (PEM) to trust instead of the bundled ones.
            cookies: keeps the cookies of the hosts, and sends them; None for a client without cookies.

        Raises:
            WorldError: a value out of range, a malformed resolve table, or a file without certificates.
        """
        if not timeout > 0 or max_bytes < 1:
            raise WorldError("worlds.timeout_max_bytes_must", timeout=timeout, max_bytes=max_bytes)
        if not (user_agent.isascii() and user_agent.isprintable()):
            raise WorldError("worlds.user_agent_must_line", user_agent=user_agent)
        self._timeout = timeout
        self._max_bytes, self._max_document_bytes = max_bytes, max_document_bytes or max_bytes
        self._ca_file = ca_file
        self.cookies = cookies
        self.validators: Mapping[str, Mapping[str, str]] = {}
        """URL -> ``etag`` and ``last-modified`` of its last response, with which its request is conditional."""
        if ca_file is not None:
            try:
                _ = self._tls
            except OSError as error:
                raise WorldError("worlds.no_certificates_read_expected", ca_file=ca_file, error=error) from None
        table = parse_resolve(f"{key}={value}" for key, value in (resolve or {}).items())
        self._dialer = Dialer(table, allow_loopback)
        self._kept = _KeptConnections()
        self._recorder: _Recorder | None = None
        self._headers = (
            f"User-Agent: {user_agent}\r\n"
            "Accept: text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.1\r\n"
            "Accept-Language: zh-CN,zh;q=0.9,en;q=0.8\r\n"
            "Accept-Encoding: gzip, deflate\r\n"
        )

    def fetch(self, url: str) -> Response | Failure:
        """Request a URL by GET; the result is the response of this hop, or a failure."""
        return self._get(url, self.cookies.header(url) if self.cookies is not None else "")

    def load(self, url: str, *, page: str, cookies: str) -> Response | Failure:
        """Request what a page in a browser loads, as `fetch` does.

        Args:
            url: the URL.
            page: URL of the page, for the record.
            cookies: value of the header Cookie.
        """
        return self._get(url, cookies if self.cookies is not None else "", page)

    def _get(self, url: str, sent: str, page: str = "") -> Response | Failure:
        deadline = time.monotonic() + self._timeout
        try:
            server, target = _parts(url)
        except ValueError as error:
            return self._recorded(Failure(url, "bad_url", str(error)), page=page)
        host = server.host if server.port == _PORTS[server.scheme] else f"{server.host}:{server.port}"
        conditions = "" if page else _conditions(self.validators.get(url, {}))
        recorded = f"GET {target} HTTP/1.1\r\nHost: {host}\r\n{self._headers}{conditions}".encode("ascii")
        request = recorded + (f"Cookie: {sent}\r\n\r\n".encode("utf-8", "replace") if sent else b"\r\n")
        kept = self._kept.take(server)
        answer, wire = self._attempt(url, server, request, deadline, kept)
        if kept is not None and isinstance(answer, Failure) and answer.reason in ("connection_reset", "tls"):
            answer, wire = self._attempt(url, server, request, deadline, None)  # the server had closed it meanwhile
        if self.cookies is not None and isinstance(answer, Response):
            if field := answer.headers.get("set-cookie"):
                self.cookies.store(url, field.split("\n"))
            wire = _without_own(wire) if self.cookies.is_own(url) else wire
        return self._recorded(answer, recorded + b"\r\n", wire, page)

    def record_with(self, recorder: _Recorder) -> None:
        """Record all further requests with the bytes of the wire."""
        self._recorder = recorder

    def record(self, failure: Failure) -> None:
        """Record the failure of a request that was not made, if requests are recorded."""
        self._recorded(failure)

    def record_rendering(self, url: str, rendering: Rendering, html: bytes) -> None:
        """Record what came of a page in a browser, if requests are recorded."""
        if self._recorder is not None:
            self._recorder.write_rendering(url, rendering, html)

    def close(self) -> None:
        """Close kept connections."""
        self._kept.close()

    def _recorded(
        self, answer: Response | Failure, request: bytes = b"", wire: bytes = b"", page: str = ""
    ) -> Response | Failure:
        if self._recorder is not None:
            self._recorder.write(answer, request, wire, page)
        return answer

    def _attempt(
        self, url: str, server: _Server, request: bytes, deadline: float, kept: Connection | None
    ) -> tuple[Response | Failure, bytes]:
        """Make a request, and return the response with its bytes of the wire, if they are kept; or the failure."""
        connection = kept
        try:
            connection = connection or self._open(server, deadline)
            limit, cuts = body_limit(url, self._max_bytes)
            limit_of = None if cuts else partial(self._limit, url)
            reply = connection.get(request, limit, deadline, cuts=cuts, limit_of=limit_of)
        except (NetworkError, HTTPException, TooLargeError, CodingError, OSError) as error:
            if connection is not None:
                connection.close()
            return Failure(url, *reason_of_error(error)), b""
        if reply.keep:
            self._kept.give(server, connection)
        else:
            connection.close()
        return Response(url, reply.status, delivered_headers(reply), reply.body, reply.partial), reply.wire

    def _limit(self, url: str, headers: Mapping[str, str]) -> int:
        return self._max_document_bytes if declares_document(headers, url) else self._max_bytes

    def _open(self, server: _Server, deadline: float) -> Connection:
        sock = self._dialer.dial(server.host, server.port, deadline)
        keep_wire = self._recorder is not None
        if server.scheme == "http":
            return Connection(sock, keep_wire=keep_wire)
        try:
            sock.settimeout(seconds_left(deadline))
            secured = self._tls.wrap_socket(sock, server_hostname=server.host.strip("[]."))
            return Connection(secured, keep_wire=keep_wire)
        except BaseException:
            sock.close()
            raise

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self._ca_file or certifi.where())
        context.set_alpn_protocols(["http/1.1"])
        return context


def _conditions(validators: Mapping[str, str]) -> str:
    r"""Return the headers of a conditional request; none of a validator that a header cannot carry.

    >>> _conditions({"etag": 'W/"1"', "last-modified": "yesterday\r\nCookie: a=b"})
    'If-None-Match: W/"1"\r\n'
    """
    fit = {name: value for name, value in validators.items() if value.isascii() and value.isprintable()}
    return "".join(f"{header}: {fit[name]}\r\n" for name, header in _CONDITIONS.items() if name in fit)


def _without_own(wire: bytes) -> bytes:
    """Return a response on the wire without the values of its cookies."""
    head, blank, body = wire.partition(b"\r\n\r\n")
    return without_values(head) + blank + body


def body_limit(url: str, max_bytes: int) -> tuple[int, bool]:
    """Return the maximum size of the body of a URL, and whether the rest of a larger one is cut off, not refused.

    Of a robots.txt file all that counts is read, whatever the limit of pages (RFC 9309, 2.5); the byte after it shows
    that the last line is cut.

    >>> body_limit("http://a.cn/1.html", 1000), body_limit("http://a.cn/robots.txt", 1000)
    ((1000, False), (512001, True))
    """
    is_robots = url.endswith("/robots.txt") and url.count("/") == 3
    return (ROBOTS_BYTES + 1, True) if is_robots else (max_bytes, False)


def _parts(url: str) -> tuple[_Server, str]:
    """Return the server of a URL and the target of a request to it. Raises ValueError where there is none."""
    plain = _PLAIN_URL.fullmatch(url)
    if plain is not None and int(plain[3] or 0) < 65536:
        scheme, host, port, target = plain.groups()
        return _Server(scheme, host, int(port or _PORTS[scheme])), target
    try:
        parsed = URL(url)
    except ValueError:
        raise ValueError("no absolute URL with a valid host") from None
    scheme = parsed.protocol.removesuffix(":")
    if scheme not in _PORTS:
        raise ValueError("only http and https can be fetched")
    return _Server(scheme, parsed.hostname, int(parsed.port or _PORTS[scheme])), parsed.pathname + parsed.search


def delivered_headers(reply: Reply) -> dict[str, str]:
    """Return the headers without those about the wire, and with a location that is no ASCII as browsers read it.

    A location in UTF-8 is decoded. The bytes of any other one are escaped as they are: the server knows its encoding.
    """
    headers = reply.headers
    for name in _WIRE:
        headers.pop(name, None)
    location = headers.get("location", "")
    if not location.isascii():
        try:
            headers["location"] = location.encode("latin-1").decode("utf-8")
        except UnicodeError:
            headers["location"] = "".join(byte if byte.isascii() else f"%{ord(byte):02X}" for byte in location)
    return headers


def reason_of_error(error: Exception) -> tuple[str, str]:
    """Return (reason code, sentence) of an error of a connection."""
    if isinstance(error, NetworkError):
        return error.reason, error.detail
    if isinstance(error, HTTPException):
        return "bad_response", f"no valid response of HTTP/1 ({type(error).__name__}: {error})"[:200]
    codes: tuple[tuple[type[Exception], str], ...] = (
        (TooLargeError, "too_large"),
        (CodingError, "bad_content_encoding"),
        (ssl.SSLError, "tls"),
        (TimeoutError, "timeout"),
        (ConnectionError, "connection_reset"),
    )
    code = next((code for kind, code in codes if isinstance(error, kind)), "unreachable")
    return code, str(error) or type(error).__name__


# ---- recording of a world: whatever it returns is also written, in the form in which a later crawl can read it again


class _Recorder(Protocol):
    """A writer of requests and what came of them. Safe to use from several threads."""

    def write(self, reply: Response | Failure, request: bytes = b"", wire: bytes = b"", page: str = "") -> None:
        """Write a request and its response or failure.

        Args:
            reply: the response, with its body decoded, or the failure.
            request: the request as it was sent; empty where none was.
            wire: headers and body of the response as they were on the wire; empty to make them of the response.
            page: URL of the page that loaded this in a browser; empty for a request of the crawl.
        """
        ...

    def write_rendering(self, url: str, rendering: Rendering, html: bytes) -> None:
        """Write what came of a page in a browser.

        Args:
            url: URL of the page.
            rendering: what came of it.
            html: the page; empty where it failed.
        """
        ...


class RecordingWorld:
    """A world whose responses are recorded as they are delivered, because they were on no wire."""

    def __init__(self, world: World, recorder: _Recorder) -> None:
        self.name = world.name
        self.clock: Callable[[], float] = getattr(world, "clock", time.monotonic)
        self._world = world
        self._recorder = recorder

    def fetch(self, url: str) -> Response | Failure:
        """Request a URL of the world, and record the result."""
        reply = self._world.fetch(url)
        self._recorder.write(reply)
        return reply

    def close(self) -> None:
        """Close the world, not the recorder."""
        self._world.close()

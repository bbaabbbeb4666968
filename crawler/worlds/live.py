"""The live web over HTTP: one hop, bounded in time and size, to public addresses only. No other file knows requests.

A request has one deadline for everything: look-up, connection, handshake, headers and body. Time limits of sockets
alone do not give that, because a server that sends a byte now and then resets them; so the sockets here count down.
"""

from __future__ import annotations

import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, IncompleteRead
from urllib3.util.ssl_ import create_urllib3_context

from crawler.model import Failure, Response
from crawler.worlds.addresses import parse_resolve, refusal, split_address
from crawler.worlds.decoding import CodingError, Decoder, TooLargeError
from crawler.worlds.errors import WorldError

USER_AGENT = "ontocrawl/0.1"
_CHUNK = 16384
_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "trailer"})
"""Headers that speak of the bytes on the wire; a Response holds the decoded body, so they are left out of it."""


class _NetworkError(Exception):
    """A reason code and a sentence. Not an OSError, so that urllib3 passes it on as it is."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class _Attempt(threading.local):
    """What the request that this thread makes may do, and whether it had to open a connection."""

    deadline = 0.0
    opened = False

    def begin(self, deadline: float) -> None:
        self.deadline = deadline
        self.opened = False

    def left(self) -> float:
        """Seconds until the deadline. Raises _NetworkError once it has passed."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise _NetworkError("timeout", "no complete answer within the time limit")
        return seconds


_ATTEMPT = _Attempt()


class _PlainSocket(socket.socket):
    """A socket whose reads end at the deadline of the request that reads."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(_ATTEMPT.left())
        try:
            return super().recv_into(*args, **kwargs)
        except TimeoutError:
            raise _NetworkError("timeout", "no complete answer within the time limit") from None


class _TlsSocket(ssl.SSLSocket):
    """The same over TLS."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(_ATTEMPT.left())
        try:
            return super().recv_into(*args, **kwargs)
        except TimeoutError:
            raise _NetworkError("timeout", "no complete answer within the time limit") from None


class _Dialer:
    """Opens connections: looks names up in the resolve table, then in the DNS, and checks every address."""

    def __init__(self, table: Mapping[str, str], allow_loopback: bool) -> None:
        self._table = table
        self._allow_loopback = allow_loopback

    def dial(self, host: str, port: int) -> socket.socket:
        """A connected socket. Raises _NetworkError."""
        _ATTEMPT.opened = True
        problem = _NetworkError("dns", f"{host} has no address")
        for family, address in self._addresses(host, port):
            try:
                return _connected(family, address)
            except _NetworkError as error:
                problem = error
        raise problem

    def _addresses(self, host: str, port: int) -> list[tuple[int, Any]]:
        named = self._table.get(f"{host.lower()}:{port}")
        if named is not None:
            pair = split_address(named)
            assert pair is not None  # noqa: S101 - the table was checked when the world was opened
            return [(family, at) for family, _, _, _, at in socket.getaddrinfo(*pair, type=socket.SOCK_STREAM)]
        found = _look_up(host, port)
        refused = {str(at[0]): refusal(str(at[0]), allow_loopback=self._allow_loopback) for _, at in found}
        allowed = [(family, at) for family, at in found if refused[str(at[0])] is None]
        if found and not allowed:
            address, why = next(iter(refused.items()))
            raise _NetworkError(
                "blocked_address", f"{host} is {address}, {why}; name it in the resolve table to allow it"
            )
        return allowed


def _look_up(host: str, port: int) -> list[tuple[int, Any]]:
    """Addresses of a name. A look-up cannot be stopped, so it runs beside and is left behind at the deadline."""
    answer: queue.SimpleQueue[list[tuple[int, Any]] | OSError | UnicodeError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
            answer.put([(family, at) for family, _, _, _, at in rows])
        except (OSError, UnicodeError) as error:  # UnicodeError: a label that is empty or too long
            answer.put(error)

    threading.Thread(target=ask, daemon=True, name=f"look-up of {host}").start()
    try:
        found = answer.get(timeout=_ATTEMPT.left())
    except queue.Empty:
        raise _NetworkError("timeout", f"no answer from the DNS for {host} within the time limit") from None
    if isinstance(found, Exception):
        raise _NetworkError("dns", f"{host}: {found}")
    return found


def _connected(family: int, address: Any) -> socket.socket:
    sock = _PlainSocket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(_ATTEMPT.left())
        sock.connect(address)
    except TimeoutError:
        sock.close()
        raise _NetworkError("timeout", f"no connection to {address[0]} within the time limit") from None
    except ConnectionRefusedError:
        sock.close()
        raise _NetworkError("refused", f"{address[0]} port {address[1]} refuses connections") from None
    except OSError as error:
        sock.close()
        raise _NetworkError("unreachable", f"{address[0]}: {error.strerror or error}") from None
    except _NetworkError:
        sock.close()
        raise
    return sock


def _pools(dialer: _Dialer) -> dict[str, type[HTTPConnectionPool]]:
    """Pool classes whose connections are dialled by ``dialer``; host, port, Host header and SNI stay the URL's."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return dialer.dial(self.host, self.port or 80)

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return dialer.dial(self.host, self.port or 443)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


class _Adapter(HTTPAdapter):
    def __init__(self, dialer: _Dialer) -> None:
        self._dialer = dialer
        super().__init__(pool_connections=256, pool_maxsize=4, max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        context = create_urllib3_context()
        context.sslsocket_class = _TlsSocket
        super().init_poolmanager(*args, ssl_context=context, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _pools(self._dialer)


class LiveWorld:
    """The web. Redirects are answered, not followed; cookies, proxies and netrc of the environment are not used.

    Reasons of its failures: bad_url, dns, refused, unreachable, blocked_address, timeout, tls, connection_reset,
    incomplete_body, bad_response, bad_content_encoding, too_large. Safe to use from several threads.
    """

    name = "live"

    def __init__(
        self,
        *,
        timeout: float = 20.0,
        max_bytes: int = 8 * 1024 * 1024,
        resolve: Mapping[str, str] | None = None,
        allow_loopback: bool = False,
        user_agent: str = USER_AGENT,
        ca_file: str | None = None,
    ) -> None:
        """Nothing is connected yet.

        Args:
            timeout: seconds for one hop, all of it.
            max_bytes: cap of a body, on the wire and decoded.
            resolve: HOST:PORT -> ADDR:PORT; these hosts may be at any address. URL and Host header stay as they are.
            allow_loopback: whether hosts that resolve to this machine may be fetched.
            user_agent: what the crawler calls itself; tell an address where it can be reached.
            ca_file: certificates (PEM) to trust in place of the bundled ones.

        Raises:
            WorldError: a value out of range or a malformed resolve table.
        """
        if not timeout > 0 or max_bytes < 1:
            raise WorldError(f"timeout and max_bytes must be positive, not {timeout} and {max_bytes}")
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._trusted: str | bool = ca_file or True
        table = parse_resolve(f"{key}={value}" for key, value in (resolve or {}).items())
        self._adapter = _Adapter(_Dialer(table, allow_loopback))
        self._headers = {
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.1",
            "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8",
            "Accept-Encoding": "gzip, deflate",
        }

    def fetch(self, url: str) -> Response | Failure:
        """GET one URL."""
        try:
            request = requests.Request("GET", url, headers=self._headers).prepare()
        except (requests.RequestException, UnicodeError) as error:
            return Failure(url, "bad_url", str(error))
        if not str(request.url).startswith(("http://", "https://")):
            return Failure(url, "bad_url", "only http and https can be fetched")
        _ATTEMPT.begin(time.monotonic() + self._timeout)
        answer = self._attempt(url, request)
        if isinstance(answer, Failure) and answer.reason == "connection_reset" and not _ATTEMPT.opened:
            return self._attempt(url, request)  # a kept connection that the server had closed meanwhile
        return answer

    def close(self) -> None:
        """Close kept connections."""
        self._adapter.close()

    def _attempt(self, url: str, request: requests.PreparedRequest) -> Response | Failure:
        try:
            reply = self._adapter.send(request, stream=True, timeout=_ATTEMPT.left(), verify=self._trusted, proxies={})
            try:
                headers = _headers(reply.raw.headers)
                body = self._body(reply.raw, headers)
                reply.raw.release_conn()
            finally:
                reply.raw.close()
        except _NetworkError as error:
            return Failure(url, error.reason, error.detail)
        except TooLargeError as error:
            return Failure(url, "too_large", str(error))
        except CodingError as error:
            return Failure(url, "bad_content_encoding", str(error))
        except (requests.RequestException, HTTPError, http.client.HTTPException, OSError) as error:
            return Failure(url, *_reason(error))
        return Response(url, int(reply.status_code), {k: v for k, v in headers.items() if k not in _WIRE}, body)

    def _body(self, raw: Any, headers: Mapping[str, str]) -> bytes:
        length = _announced(headers)
        if length is not None and length > self._max_bytes:
            raise TooLargeError(f"{length} bytes are announced, more than {self._max_bytes}")
        decoder = Decoder(headers.get("content-encoding", ""), self._max_bytes)
        taken = 0
        while piece := raw.read(_CHUNK, decode_content=False):
            taken += len(piece)
            if taken > self._max_bytes:
                raise TooLargeError(f"more than {self._max_bytes} bytes")
            decoder.feed(piece)
        if length is not None and taken < length:
            raise _NetworkError("incomplete_body", f"{taken} bytes came of {length} announced")
        return decoder.body()


def _announced(headers: Mapping[str, str]) -> int | None:
    """The length that a server announces, None where it announces none that counts."""
    given = headers.get("content-length", "")
    counts = given.isascii() and given.isdigit() and "transfer-encoding" not in headers
    return int(given) if counts else None


def _headers(raw: Mapping[str, str]) -> dict[str, str]:
    """Header names in lower case, repeated ones joined; a location that is UTF-8 on the wire is read as such."""
    headers = {name.lower(): raw[name] for name in raw}  # items() of this mapping does not join repeated ones
    if not headers.get("location", "").isascii():
        try:
            headers["location"] = headers["location"].encode("latin-1").decode("utf-8")
        except UnicodeError:
            return headers  # neither ASCII nor UTF-8: as the bytes are
    return headers


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it wraps, outermost first."""
    seen: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting:
        current = waiting.pop(0)
        if not isinstance(current, BaseException) or any(current is s for s in seen):
            continue
        seen.append(current)
        yield current
        waiting += [*current.args, getattr(current, "reason", None), current.__cause__, current.__context__]


_REASONS: tuple[tuple[str, tuple[type[BaseException], ...]], ...] = (
    ("tls", (ssl.SSLError,)),
    ("incomplete_body", (IncompleteRead, http.client.IncompleteRead)),
    ("connection_reset", (ConnectionError,)),
    ("timeout", (TimeoutError,)),
    ("bad_response", (http.client.HTTPException, HTTPError, ValueError)),
)


def _reason(error: BaseException) -> tuple[str, str]:
    """(reason code, sentence) of an error of the libraries below."""
    chain = list(_causes(error))
    for reason, kinds in _REASONS:
        found = [e for e in chain if isinstance(e, kinds) and not isinstance(e, requests.RequestException)]
        if found:
            return reason, str(found[-1]) or type(found[-1]).__name__
    return "unreachable", str(error)

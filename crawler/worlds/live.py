"""The live web over HTTP: one hop, limited in time and size, to public addresses only. The only user of requests.

A request has one deadline for everything: look-up, connection, handshake, headers and body. Timeouts of sockets do not
ensure that, because every byte from a slow server resets them; so the sockets here have the deadline of the request.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, IncompleteRead
from urllib3.util.ssl_ import create_urllib3_context

from crawler.model import Failure, Response
from crawler.worlds.addresses import parse_resolve
from crawler.worlds.decoding import CodingError, Decoder, TooLargeError
from crawler.worlds.dialing import ATTEMPT, Dialer, NetworkError, TlsSocket
from crawler.worlds.errors import WorldError

USER_AGENT = "ontocrawl/0.1"
_CHUNK = 16384
_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "trailer"})
"""Headers about the bytes on the wire; a Response holds the decoded body and does not have them."""


def _pools(dialer: Dialer) -> dict[str, type[HTTPConnectionPool]]:
    """Return pool classes whose connections ``dialer`` opens; host, port, Host header and SNI are those of the URL."""

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
    def __init__(self, dialer: Dialer) -> None:
        self._dialer = dialer
        super().__init__(pool_connections=256, pool_maxsize=4, max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        context = create_urllib3_context()
        context.sslsocket_class = TlsSocket
        super().init_poolmanager(*args, ssl_context=context, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _pools(self._dialer)


class LiveWorld:
    """The web. Redirects are returned, not followed; cookies, proxies and netrc of the environment are not used.

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
        """Create a client.

        Args:
            timeout: seconds for one hop in total.
            max_bytes: maximum size of a body, both on the wire and decoded.
            resolve: HOST:PORT -> ADDR:PORT; these hosts may be at any address. URL and Host header do not change.
            allow_loopback: whether hosts that resolve to this machine may be fetched.
            user_agent: name of the crawler; include an address where its operator can be reached.
            ca_file: certificates (PEM) to trust instead of the bundled ones.

        Raises:
            WorldError: a value out of range or a malformed resolve table.
        """
        if not timeout > 0 or max_bytes < 1:
            raise WorldError(f"timeout and max_bytes must be positive, not {timeout} and {max_bytes}")
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._trusted: str | bool = ca_file or True
        table = parse_resolve(f"{key}={value}" for key, value in (resolve or {}).items())
        self._adapter = _Adapter(Dialer(table, allow_loopback))
        self._headers = {
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.1",
            "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8",
            "Accept-Encoding": "gzip, deflate",
        }

    def fetch(self, url: str) -> Response | Failure:
        """Request a URL by GET; the result is the response of this hop, or a failure."""
        try:
            request = requests.Request("GET", url, headers=self._headers).prepare()
        except (requests.RequestException, UnicodeError) as error:
            return Failure(url, "bad_url", str(error))
        if not str(request.url).startswith(("http://", "https://")):
            return Failure(url, "bad_url", "only http and https can be fetched")
        if "%" in (urlsplit(str(request.url)).hostname or ""):  # older urllib3 quotes what no host has, and looks it up
            return Failure(url, "bad_url", "the host has characters that no host name has")
        ATTEMPT.begin(time.monotonic() + self._timeout)
        answer = self._attempt(url, request)
        if isinstance(answer, Failure) and answer.reason == "connection_reset" and not ATTEMPT.opened:
            return self._attempt(url, request)  # a kept connection that the server had closed meanwhile
        return answer

    def close(self) -> None:
        """Close kept connections."""
        self._adapter.close()

    def _attempt(self, url: str, request: requests.PreparedRequest) -> Response | Failure:
        try:
            reply = self._adapter.send(request, stream=True, timeout=ATTEMPT.left(), verify=self._trusted, proxies={})
            try:
                headers = _headers(reply.raw.headers)
                body = self._body(reply.raw, headers)
                reply.raw.release_conn()
            finally:
                reply.raw.close()
        except NetworkError as error:
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
            raise NetworkError("incomplete_body", f"{taken} bytes came of {length} announced")
        return decoder.body()


def _announced(headers: Mapping[str, str]) -> int | None:
    """Return the content length that a server announces; None where there is no valid one."""
    length = headers.get("content-length", "")
    valid = length.isascii() and length.isdigit() and "transfer-encoding" not in headers
    return int(length) if valid else None


def _headers(raw: Mapping[str, str]) -> dict[str, str]:
    """Return headers with names in lower case, repeated ones joined, and a location in UTF-8 decoded."""
    headers = {name.lower(): raw[name] for name in raw}  # items() of this mapping does not join repeated ones
    if not headers.get("location", "").isascii():
        try:
            headers["location"] = headers["location"].encode("latin-1").decode("utf-8")
        except UnicodeError:
            return headers  # neither ASCII nor UTF-8: as the bytes are
    return headers


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and the errors that it wraps, outermost first."""
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
    """Return (reason code, sentence) of an error of requests, urllib3 or the standard library."""
    chain = list(_causes(error))
    for reason, kinds in _REASONS:
        causes = [e for e in chain if isinstance(e, kinds) and not isinstance(e, requests.RequestException)]
        if causes:
            return reason, str(causes[-1]) or type(causes[-1]).__name__
    return "unreachable", str(error)

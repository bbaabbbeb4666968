"""Who may read and change a workspace through the explorer: hosts, origins, the token, and the session of a browser."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from ontocrawl.errors import UsageError

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
_CSRF_HEADER = "x-csrf-token"
COOKIE = "ontocrawl_session"
SESSION = "/session"
"""Path at which a session begins."""
OPEN = (SESSION, "/health")
"""Paths that everybody can read: they say nothing of the workspace."""
STATEMENTS = ("/api/cypher", "/api/tables/cypher", "/api/history")
"""Paths at which a statement of the asker's own is run, or is told which ones were."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,200}")
"""Tokens of a file: 22 characters of base64url are 128 bits; nothing has to be escaped in an address or a header."""
_OF_HTTP = 80
"""Port that a browser leaves out."""
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Code:
    """A code for one session, in the address that the server prints; the next one takes its place when it is used.

    Args:
        used: called when a session has begun by a code.
    """

    def __init__(self, used: Callable[[], None] = lambda: None) -> None:
        self.value = secrets.token_urlsafe(16)
        self._used, self._lock = used, Lock()

    def take(self, given: str) -> bool:
        """Return whether a text is the code, which is then replaced."""
        with self._lock:
            if not _equal(given, self.value):
                return False
            self.value = secrets.token_urlsafe(16)
        self._used()
        return True


@dataclass(frozen=True)
class Access:
    """The rules of access of one server.

    A browser begins a session by a code that works once, or by the token in a form. It is then given a cookie that
    pages of other sites cannot send. A browser sends cookies to all servers of a host, whatever their ports, so the
    cookie's path is one that only this server's own pages have. Programs send the token itself.
    """

    token: str
    """Secret of this server, at least 128 random bits."""
    port: int
    host: str = "127.0.0.1"
    """Address that the server listens on."""
    public_read: bool = False
    """Whether everybody who can connect may read."""
    https: bool = False
    """Whether browsers come over a proxy that speaks TLS with them."""
    code: Code = field(default_factory=Code, compare=False)
    start: str = field(default_factory=lambda: secrets.token_hex(16), compare=False)
    """Random text of this start of the server, with which its sessions end."""

    @property
    def loopback(self) -> bool:
        """Whether only this computer can connect."""
        name = self.host.strip("[]")
        return name == "localhost" or _is_loopback(name)

    @property
    def root(self) -> str:
        """Path below which a session sees everything: ``/`` and 32 random hexadecimal digits."""
        return f"/{self._derived('path')[:32]}"

    @property
    def session(self) -> str:
        """Value of the session's cookie."""
        return self._derived(f"session {self.start}")

    @property
    def csrf(self) -> str:
        """Value that a page sends with each change, to show that the page is of this server."""
        return self._derived(f"csrf {self.start}")

    @property
    def scheme(self) -> str:
        """Scheme of the server's pages as a browser sees them."""
        return "https" if self.https else "http"

    def knows_host(self, header: str) -> bool:
        """Return whether a ``Host`` header names this server; a name that was rebound to its address does not.

        On another address than loopback, and behind a proxy, every name is known: the cookie binds a session to one.
        """
        if not self.loopback or self.https:
            return bool(header)
        ports = (f":{self.port}", "") if self.port == _OF_HTTP else (f":{self.port}",)
        return header.lower() in {f"{name}{port}" for name in (*_LOOPBACK, self.host) for port in ports}

    def same_origin(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request comes from a page of this server, or from no page at all."""
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return False
        origin = headers.get("origin")
        return origin is None or origin.lower() == f"{self.scheme}://{headers.get('host', '').lower()}"

    def is_session(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request has the cookie of a session."""
        return any(_equal(value, self.session) for value in _cookies(headers.get("cookie", "")))

    def is_bearer(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request has the token as ``Authorization: Bearer TOKEN``."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and _equal(given.strip(), self.token)

    def is_token(self, given: str) -> bool:
        """Return whether a text is the token."""
        return _equal(given, self.token)

    def may_read(self, headers: Mapping[str, str], root: str, *, statement: bool = False) -> bool:
        """Return whether a request may read.

        Args:
            headers: its headers.
            root: the part of its path in front of that of a page: ``self.root``, or nothing.
            statement: whether it is a statement of the asker's own, which may take long and is not for everybody.
        """
        by_place = self.is_session(headers) if root else self.public_read and not statement
        return by_place or self.is_bearer(headers)

    def may_change(self, headers: Mapping[str, str], root: str) -> bool:
        """Return whether a request may change something: by the token, or by a session and its CSRF value."""
        by_session = bool(root) and self.is_session(headers) and _equal(headers.get(_CSRF_HEADER, ""), self.csrf)
        return by_session or self.is_bearer(headers)

    def _derived(self, purpose: str) -> str:
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def token_of(path: Path) -> str:
    """Read the token of a server from a file. Raises UsageError, which shows no part of it, for an unfit one."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not ASCII text"
        raise UsageError("explorer.token_file_cannot_read", path=path, why=why) from error
    if not _TOKEN.fullmatch(token):
        raise UsageError("explorer.token_file_no_fit", path=path)
    return token


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def _cookies(header: str) -> list[str]:
    """Return the values of the session's cookie: other programs of this computer can set one of the same name."""
    pairs = (part.partition("=") for part in header.split(";"))
    return [value.strip() for name, _, value in pairs if name.strip() == COOKIE]

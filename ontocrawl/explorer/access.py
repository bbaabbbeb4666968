"""Who may read and change a workspace through the explorer: hosts, origins, the token and the session that shows it."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ontocrawl.errors import UsageError

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
CSRF_HEADER = "x-csrf-token"
OPEN = ("/session", "/health")
"""Paths that can be read without the token: they say nothing of the workspace."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,200}")
"""Tokens of a file: 22 characters of base64url are 128 bits; nothing has to be escaped in an address or a header."""
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Access:
    """The rules of access of one server.

    A browser shows the token once, in the URL that the server prints, and is given a session: a cookie that pages of
    other sites cannot send, and whose value does not lead back to the token. Programs send the token itself.
    """

    token: str
    """Secret of this server, at least 128 random bits."""
    port: int
    host: str = "127.0.0.1"
    """Address that the server listens on."""

    @property
    def loopback(self) -> bool:
        """Whether only this computer can connect; then reading needs no token."""
        name = self.host.strip("[]")
        return name == "localhost" or _is_loopback(name)

    @property
    def session(self) -> str:
        """Value of the session's cookie."""
        return self._derived("session")

    @property
    def csrf(self) -> str:
        """Value that a page sends with each change, to show that the page is of this server."""
        return self._derived("csrf")

    @property
    def cookie(self) -> str:
        """Name of the session's cookie. It has the port, since cookies of all servers of a host are sent to each."""
        return f"ontocrawl_{self.port}"

    def knows_host(self, header: str) -> bool:
        """Return whether a ``Host`` header names this server; a name that was rebound to its address does not.

        On another address than loopback every name is known: there the token, which the cookie binds to one name,
        guards reading too.
        """
        if not self.loopback:
            return bool(header)
        return header.lower() in {f"{name}:{self.port}" for name in (*_LOOPBACK, self.host)}

    def same_origin(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request comes from a page of this server, or from no page at all."""
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return False
        origin = headers.get("origin")
        return origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()

    def is_session(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request has the cookie of a session."""
        return _equal(_cookies(headers.get("cookie", "")).get(self.cookie, ""), self.session)

    def is_bearer(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request has the token as ``Authorization: Bearer TOKEN``."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and _equal(given.strip(), self.token)

    def is_token(self, given: str) -> bool:
        """Return whether a text is the token."""
        return _equal(given, self.token)

    def may_read(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request may read."""
        return self.loopback or self.is_bearer(headers) or self.is_session(headers)

    def may_change(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request may change something: by the token, or by a session and its CSRF value."""
        return self.is_bearer(headers) or (self.is_session(headers) and _equal(headers.get(CSRF_HEADER, ""), self.csrf))

    def _derived(self, purpose: str) -> str:
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def token_of(path: Path) -> str:
    """Read the token of a server from a file. Raises UsageError, which shows no part of it, for an unfit one."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not ASCII text"
        raise UsageError(f"the token file {path} cannot be read: {why}") from error
    if not _TOKEN.fullmatch(token):
        raise UsageError(
            f"the token file {path} has no fit token: expected one line of 22 to 200 random characters of A-Z, a-z, "
            "0-9, '_' and '-'"
        )
    return token


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def _cookies(header: str) -> dict[str, str]:
    """Return name -> value. Cookies of other programs at this address may be malformed, and do not hide the own one."""
    pairs = (part.partition("=") for part in header.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}

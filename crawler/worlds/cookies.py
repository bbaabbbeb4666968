"""The cookies of a crawl, by RFC 6265bis: kept by host, with public suffixes and limits, and saved with the run.

Those of a person's own session (a file in Netscape's form) are kept in memory only, and so is whatever a host that gets
them sets: ``state`` has nothing of these hosts.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from crawler.scope.hosts import domain, is_suffix
from crawler.url import hostname, path
from crawler.worlds.errors import WorldError

_LARGEST, _LONGEST_ATTRIBUTE, _LONGEST_HEADER = 4096, 1024, 16_384
"""Characters of a name with its value, of an attribute, and of all cookies of a request."""
_PER_SITE, _ALL = 50, 3000
"""Most cookies of a registrable domain, and of a crawl; the longest unused ones make room."""
_LONGEST_LIFE = 400 * 86_400.0
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_HTTPS = "https:"


@dataclass(frozen=True, slots=True)
class _Cookie:
    name: str
    value: str
    domain: str
    path: str
    host_only: bool
    secure: bool
    expires: float | None
    """Seconds since 1970; None for a cookie of the session, which is that of the run."""
    used: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        return self.name, self.domain, self.path

    def is_for(self, host: str) -> bool:
        return host == self.domain or (not self.host_only and _is_below(host, self.domain))


class CookieJar:
    """The cookies of one run. Safe to use from several threads."""

    def __init__(self, own: Iterable[_Cookie] = (), clock: Callable[[], float] = time.time) -> None:
        """Start with the cookies of a person's own session.

        Args:
            own: these cookies, as ``read_cookies`` returns them.
            clock: function that returns seconds since 1970.
        """
        self._clock = clock
        self._lock = threading.Lock()
        self._cookies = {cookie.key: cookie for cookie in own}
        self._own = frozenset(domain(cookie.domain) for cookie in self._cookies.values())
        """Registrable domains of the person's own session."""
        self.changed = False
        """Whether a cookie that ``state`` has was set since the last call of it."""

    def header(self, url: str) -> str:
        """Return the value of the header Cookie for a request; empty for none."""
        host, now = hostname(url), self._clock()
        if not self._cookies:
            return ""
        with self._lock:
            found = [
                cookie
                for cookie in self._cookies.values()
                if cookie.is_for(host)
                and (not cookie.secure or url.startswith(_HTTPS))
                and _is_on_path(path(url), cookie.path)
                and (cookie.expires is None or cookie.expires > now)
            ]
            for cookie in found:
                self._cookies[cookie.key] = replace(cookie, used=now)
        ordered = sorted(found, key=lambda cookie: -len(cookie.path))
        pairs = (f"{cookie.name}={cookie.value}" if cookie.name else cookie.value for cookie in ordered)
        return _joined(pairs)

    def is_own(self, url: str) -> bool:
        """Return whether the host of a URL gets cookies of a person's own session."""
        return bool(self._own) and domain(hostname(url)) in self._own

    def store(self, url: str, fields: Sequence[str]) -> None:
        """Keep the cookies of a response.

        Args:
            url: URL of the request.
            fields: the values of its headers Set-Cookie.
        """
        now = self._clock()
        with self._lock:
            for field in fields:
                cookie = _parsed(field, url, now)
                if cookie is not None and not self._overlays_secure(cookie, url):
                    self._put(cookie, now)

    def _overlays_secure(self, cookie: _Cookie, url: str) -> bool:
        """Return whether a cookie of an insecure page would replace or hide a secure one."""
        if url.startswith(_HTTPS):
            return False
        return any(
            other.secure and other.name == cookie.name and (other.is_for(cookie.domain) or cookie.is_for(other.domain))
            for other in self._cookies.values()
        )

    def _put(self, cookie: _Cookie, now: float) -> None:
        before = self._cookies.pop(cookie.key, None)
        if cookie.expires is None or cookie.expires > now:
            self._cookies[cookie.key] = cookie
        site = domain(cookie.domain)
        if site not in self._own and (before is None or before.value != cookie.value):
            self.changed = True
        of_site = [other for other in self._cookies.values() if domain(other.domain) == site]
        for kept, most in ((of_site, _PER_SITE), ([*self._cookies.values()], _ALL)):
            for oldest in sorted(kept, key=lambda other: other.used)[: max(0, len(kept) - most)]:
                self._cookies.pop(oldest.key, None)

    def state(self) -> list[dict[str, Any]]:
        """Return what ``restore`` needs, without anything of a person's own session."""
        with self._lock:
            self.changed = False
            kept = [cookie for cookie in self._cookies.values() if domain(cookie.domain) not in self._own]
        return [asdict(cookie) for cookie in kept]

    def restore(self, saved: Iterable[dict[str, Any]]) -> None:
        """Add the cookies of a saved state."""
        with self._lock:
            for item in saved:
                cookie = _Cookie(**item)
                self._cookies.setdefault(cookie.key, cookie)


def _joined(pairs: Iterable[str]) -> str:
    """Return as many cookies as a request may have."""
    text = ""
    for pair in pairs:
        longer = f"{text}; {pair}" if text else pair
        if len(longer) > _LONGEST_HEADER:
            break
        text = longer
    return text


def _is_below(host: str, name: str) -> bool:
    return host.endswith(f".{name}") and not host.rpartition(".")[2].isdigit()


def _is_on_path(of_url: str, of_cookie: str) -> bool:
    of_url = of_url.partition("?")[0]
    return of_url == of_cookie or (
        of_url.startswith(of_cookie) and (of_cookie.endswith("/") or of_url[len(of_cookie) : len(of_cookie) + 1] == "/")
    )


def _parsed(field: str, url: str, now: float) -> _Cookie | None:
    """Return the cookie of a header Set-Cookie; None for one that is refused.

    >>> cookie = _parsed("sid=1; Domain=.gov.cn; Path=/a", "http://www.gd.gov.cn/a/1.html", 0.0)
    >>> cookie is None  # gov.cn is a public suffix
    True
    """
    if _CONTROL.search(field):
        return None
    pair, *rest = field.split(";")
    name, equals, value = pair.partition("=")
    name, value = (name.strip(), value.strip()) if equals else ("", pair.strip())
    if not (name or value) or len(name) + len(value) > _LARGEST:
        return None
    named = {key.strip().lower(): text.strip() for key, _, text in (part.partition("=") for part in rest)}
    attributes = {key: text for key, text in named.items() if len(text) <= _LONGEST_ATTRIBUTE}
    host, secure = hostname(url), "secure" in attributes
    wide = attributes.get("domain", "").removeprefix(".").lower()
    if wide and is_suffix(wide):
        if wide != host:
            return None
        wide = ""
    if (wide and not (wide == host or _is_below(host, wide))) or (secure and not url.startswith(_HTTPS)):
        return None
    on = attributes.get("path", "")
    on = on if on.startswith("/") else path(url).partition("?")[0].rpartition("/")[0] or "/"
    if name.lower().startswith(("__secure-", "__host-")) and not secure:
        return None
    if name.lower().startswith("__host-") and (wide or on != "/"):
        return None
    return _Cookie(name, value, wide or host, on, not wide, secure, _expiry(attributes, now), now)


def _expiry(attributes: dict[str, str], now: float) -> float | None:
    age = attributes.get("max-age", "")
    if re.fullmatch(r"-?\d+", age):
        return now + min(float(age[:12]), _LONGEST_LIFE)
    if date := attributes.get("expires"):
        try:
            return min(parsedate_to_datetime(date).timestamp(), now + _LONGEST_LIFE)
        except (ValueError, OverflowError):
            return None
    return None


def read_cookies(file: Path) -> list[_Cookie]:
    """Read the cookies of a person's own session, in Netscape's form, as browsers and curl export them.

    Args:
        file: lines of domain, subdomains, path, secure, expiry, name and value, separated by tabs.

    Raises:
        WorldError: the file cannot be read, has another form, or no cookie. The message has no value of it.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise WorldError("files.cannot_be_read", path=file, error=reason) from None
    found = [*_netscape(file, lines, time.time())]
    if not found:
        raise WorldError("worlds.no_cookie_valid_now", file=file)
    return found


def _netscape(file: Path, lines: Sequence[str], now: float) -> Iterator[_Cookie]:
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix("#HttpOnly_")
        if not text.strip() or text.startswith("#"):
            continue
        parts = text.split("\t")
        if len(parts) != 7 or not parts[4].removeprefix("-").isdigit():
            raise WorldError("worlds.line_expected_domain_subdomains", file=file, number=number, n_parts=len(parts))
        name, subdomains, on, secure, expiry, key, value = parts
        host, expires = name.removeprefix(".").lower(), float(expiry)
        if _CONTROL.search(key + value) or (0 < expires <= now):
            continue
        host_only = subdomains.upper() != "TRUE" or is_suffix(host)
        yield _Cookie(key, value, host, on or "/", host_only, secure.upper() == "TRUE", expires or None, now)


_SET_COOKIE = re.compile(rb"(?im)^(set-cookie2?[ \t]*:[ \t]*)([^=;\r\n]*)([^\r\n]*)")


def without_values(head: bytes) -> bytes:
    r"""Return headers on the wire with empty cookies, for the record of a host that gets a person's own session.

    >>> without_values(b"HTTP/1.1 302 Found\r\nSet-Cookie: sid=secret; Path=/\r\nLocation: /\r\n\r\n")
    b'HTTP/1.1 302 Found\r\nSet-Cookie: sid=\r\nLocation: /\r\n\r\n'
    """
    return _SET_COOKIE.sub(lambda field: field[1] + (field[2] + b"=" if field[3][:1] == b"=" else b"="), head)

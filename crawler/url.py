"""Canonical URLs: two spellings of one address become one string, and nothing else does.

Joining and parsing follow the WHATWG URL standard (the package ada-url, which passes the test cases of the browsers). A
few more changes that keep the page the same are made on top of it; ``canonical`` lists them with their reasons.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from ada_url import URL

SCHEMES = ("http:", "https:")
DROPPED_PARAMETERS = frozenset(
    {"utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "fbclid", "msclkid"}
    | {"jsessionid", "phpsessid", "aspsessionid"}
)
"""Query parameters that name a campaign or a session and never a page. Lower case; nothing else is taken out."""

_PERCENT = re.compile(r"(?<!%)(?<!%[0-9a-fA-F])%[0-9a-fA-F]{2}")
"""An escape; one right after a lone ``%`` is left alone, because to unescape it could make a new escape."""
_SESSION_IN_PATH = re.compile(r";jsessionid=[^/;?]*", re.IGNORECASE)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def canonical(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str | None:
    """Return the canonical absolute form of a URL. Idempotent.

    By the standard: spaces around it stripped, joined to the base, scheme and host in lower case, international host
    names in Punycode, default port and dot segments removed, and a query that is not ASCII escaped in the encoding of
    the page. Beyond the standard: the fragment and user information are dropped (they must not reach a server), so are
    a root dot after the host, an empty query and ``DROPPED_PARAMETERS``; percent-escapes are in upper case, and
    unescaped where RFC 3986 calls the character unreserved.

    Args:
        url: a URL as written on a page.
        base: base URL of the page; None for an absolute ``url``.
        encoding: Python's name of the encoding of the page, in which its server reads queries.

    Returns:
        The canonical URL; None where ``url`` is malformed or is not http or https.

    >>> canonical("HTTP://News.CN:80/a/../b%7e.html?utm_source=x&id=1#top")
    'http://news.cn/b~.html?id=1'
    >>> canonical("../2.html", "http://news.cn/2013/1.html")
    'http://news.cn/2.html'
    >>> canonical("mailto:desk@news.cn") is None
    True
    """
    encoded = url if encoding == "utf-8" or url.isascii() else _encode_query(url, encoding)
    try:
        parsed = URL(encoded, base=base) if base is not None else URL(encoded)
    except ValueError:
        return None
    if parsed.protocol not in SCHEMES:
        return None
    name, route = parsed.hostname, _SESSION_IN_PATH.sub("", parsed.pathname)
    port = f":{parsed.port}" if parsed.port else ""
    if name.endswith(".") or route != parsed.pathname:
        # Without the root dot or the session the host may be no host, or the path have new dot segments: parse again.
        shorter = name.removesuffix(".")
        return canonical(f"{parsed.protocol}//{shorter}{port}{route}{parsed.search}") if shorter else None
    return f"{parsed.protocol}//{name}{port}{_escapes(route)}{_query(parsed.search)}"


def origin(url: str) -> str:
    """Return ``scheme://host[:port]`` of a canonical URL: the URLs that one robots.txt governs.

    >>> origin("https://news.cn:8443/a/1.html")
    'https://news.cn:8443'
    """
    return url[: _path_at(url)]


def host(url: str) -> str:
    """Return ``host`` or ``host:port`` of a canonical URL, which has no default port.

    >>> host("https://news.cn:8443/a/1.html")
    'news.cn:8443'
    """
    return url[url.index("//") + 2 : _path_at(url)]


def hostname(url: str) -> str:
    """Return the host of a canonical URL without its port; an IPv6 address keeps its brackets.

    >>> hostname("https://news.cn:8443/a/1.html"), hostname("http://[::1]:80/")
    ('news.cn', '[::1]')
    """
    name, colon, port = host(url).rpartition(":")
    return name if colon and port.isdigit() else host(url)


def path(url: str) -> str:
    """Return the path of a canonical URL, from its first slash up to the query.

    >>> path("http://news.cn/a/1.html?id=7")
    '/a/1.html'
    """
    return url[_path_at(url) :].partition("?")[0]


def directory(url: str, depth: int | None = None) -> str:
    """Return the host and the directories of a canonical URL, ending in a slash (the niches of paper 004).

    Args:
        url: a canonical URL.
        depth: number of directories to keep; None for all.

    >>> directory("http://a.cn/news/2013/1.html"), directory("http://a.cn/news/2013/1.html", depth=1)
    ('a.cn/news/2013/', 'a.cn/news/')
    """
    folders = path(url).split("/")[1:-1]
    return "/".join([host(url), *folders[:depth], ""])


def _path_at(url: str) -> int:
    return url.index("/", url.index("//") + 2)


def _escape(match: re.Match[str]) -> str:
    character = unquote(match.group(), encoding="latin-1")
    return character if character in _UNRESERVED else match.group().upper()


def _escapes(text: str) -> str:
    return _PERCENT.sub(_escape, text) if "%" in text else text


def _encode_query(url: str, encoding: str) -> str:
    rest, hash_, fragment = url.partition("#")
    route, mark, query = rest.partition("?")
    # A character that the encoding lacks becomes a numeric reference, as the standard says.
    escaped = "".join(c if c.isascii() else quote(c.encode(encoding, "xmlcharrefreplace"), safe="") for c in query)
    return f"{route}{mark}{escaped}{hash_}{fragment}"


def _query(search: str) -> str:
    kept = [p for p in search[1:].split("&") if p.partition("=")[0].lower() not in DROPPED_PARAMETERS]
    query = _escapes("&".join(kept))
    return f"?{query}" if query else ""

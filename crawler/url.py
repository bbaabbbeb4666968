"""Canonical URLs: two spellings of one address become one string, and nothing else does.

Joining and parsing follow the WHATWG URL standard (the package ada-url, which browsers' own test cases check). On top
of it stands a short list of changes that keep the page the same, each with the reason beside it.
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
    """The canonical absolute form of a URL as it stands on a page at ``base``.

    By the standard: spaces around it stripped, joined to the base, scheme and host in lower case, international host
    names in Punycode, default port and dot segments gone, and a query that is not ASCII escaped in the page's
    ``encoding`` (Python's name of it), because its server reads it so. Beyond it: the fragment and user information
    are dropped (they never reach a server, and must not), so are a root dot after the host, an empty query and
    ``DROPPED_PARAMETERS``; percent-escapes are in upper case, and unescaped where RFC 3986 calls the character
    unreserved. Idempotent.

    Returns:
        None where the URL is malformed or is not http or https.
    """
    given = url if encoding == "utf-8" or url.isascii() else _encode_query(url, encoding)
    try:
        parsed = URL(given, base=base) if base is not None else URL(given)
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
    """``scheme://host[:port]`` of a canonical URL: what a robots.txt speaks for."""
    return url[: _path_at(url)]


def host(url: str) -> str:
    """``host`` or ``host:port`` of a canonical URL; a default port is not in it."""
    return url[url.index("//") + 2 : _path_at(url)]


def hostname(url: str) -> str:
    """The host of a canonical URL without its port; an IPv6 address keeps its brackets."""
    name, colon, port = host(url).rpartition(":")
    return name if colon and port.isdigit() else host(url)


def path(url: str) -> str:
    """The path of a canonical URL, from its first slash up to the query."""
    return url[_path_at(url) :].partition("?")[0]


def directory(url: str, depth: int | None = None) -> str:
    """Host and directories of a canonical URL, ending in a slash; ``depth`` keeps only so many directories.

    ``http://a.cn/news/2013/1.html`` is in ``a.cn/news/2013/``; at depth 1 in ``a.cn/news/`` (the niches of paper 004).
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

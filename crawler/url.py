"""Canonical URLs: two spellings of one address become one string, and nothing else does.

Joining and parsing follow the WHATWG URL standard (the package ada-url, which passes the test cases of the browsers). A
few more changes that keep the page the same are made on top of it; ``canonical`` lists them with their reasons.

``Joiner`` does the same for the many links of one page at a fraction of the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from string import ascii_letters, digits, hexdigits
from urllib.parse import parse_qsl, quote

from ada_url import URL, join_url, normalize_url

SCHEMES = ("http:", "https:")
DROPPED_PARAMETERS = frozenset(
    {"utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "fbclid", "msclkid"}
    | {"jsessionid", "phpsessid", "aspsessionid"}
)
"""Query parameters that name a campaign or a session and never a page. Lower case."""
_SESSION_PARAMETERS = frozenset(
    {"sid", "s", "sessionid", "session_id", "session", "oscsid", "zenid", "cfid", "cftoken"}
)
"""Query parameters that name a session where their value is a token, and else may name a page."""
_TOKEN = re.compile(r"(?=[0-9]*[a-z])(?=[a-z]*[0-9])[0-9a-z]{24,64}", re.IGNORECASE)
"""The value of such a parameter: letters with digits, as long as those of PHP and forums; longer than most ids."""

_PERCENT = re.compile(r"(?<!%)(?<!%[0-9a-fA-F])%[0-9a-fA-F]{2}")
"""An escape; one right after a lone ``%`` is left alone, because to unescape it could make a new escape."""
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid)=[^/;?]*", re.IGNORECASE)
_PARTS = re.compile(r"(https?:)//(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(:\d+)?(/[^?#]*)(\?[^#]*)?")
"""The parts of a parsed URL; in one, no ``/``, ``?``, ``#`` or ``@`` is in a part before the one that it begins."""
_PLAIN = re.compile(r"(?!\.)([\w\-.~!$&()*+,=@]*)(\?[\w\-.~!$&()*+,;=:@%?|]*)?(?:#[\w\-.~!$&()*+,;=:@%?|]*)?", re.ASCII)
"""The end of a reference in characters that the standard neither removes nor escapes: a name, a query, a fragment."""
_RELATIVE = re.compile(r"((?:\.\./)*)[\w\-.~!$&()*+,=@][\w\-.~!$&()*+,=@/]*(?:[?#]|\Z)", re.ASCII)
"""The path of a relative reference in such characters, and the way up at its start."""
_LONGEST = 1000
"""Characters of a reference and its base; longer ones are not kept."""
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.\-]*:", re.IGNORECASE)
_UNRESERVED = frozenset(f"{ascii_letters}{digits}-._~")
_ESCAPES = {
    f"%{high}{low}": chr(code) if chr(code := int(high + low, 16)) in _UNRESERVED else f"%{code:02X}"
    for high in hexdigits
    for low in hexdigits
}
"""The one spelling of each percent-escape."""


def canonical(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str | None:
    """Return the canonical absolute form of a URL. Idempotent.

    By the standard: spaces around it stripped, joined to the base, scheme and host in lower case, international host
    names in Punycode, default port and dot segments removed, and a query that is not ASCII escaped in the encoding of
    the page. Beyond the standard: the fragment and user information are dropped (they must not reach a server), so are
    a root dot after the host, an empty query, ``DROPPED_PARAMETERS`` and tokens of sessions; percent-escapes are in
    upper case, and unescaped where RFC 3986 calls the character unreserved.

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
        href = join_url(base, encoded) if base is not None else normalize_url(encoded)
    except ValueError:
        return None
    parts = _PARTS.match(href)
    if parts is None:
        return None
    scheme, name, port, given, search = parts.groups("")
    route = _SESSION_IN_PATH.sub("", given)
    if name.endswith(".") or route != given:
        # Without the root dot or the session the host may be no host, or the path have new dot segments: parse again.
        shorter = name.removesuffix(".")
        return canonical(f"{scheme}//{shorter}{port}{route}{search}") if shorter else None
    return f"{scheme}//{name}{port}{_escapes(route)}{_query(search)}"


def has_credentials(url: str, base: str | None = None) -> bool:
    """Return whether a URL as written has a user name or password, which ``canonical`` drops.

    Args:
        url: a URL as written on a page.
        base: base URL of the page; None for an absolute ``url``.

    >>> has_credentials("//user:secret@news.cn/", "http://a.cn/"), has_credentials("http://news.cn/@user")
    (True, False)
    """
    if "@" not in url:
        return False
    try:
        parsed = URL(url, base)
    except ValueError:
        return False
    return bool(parsed.username or parsed.password)


class Joiner:
    """The canonical URLs of the references of one page.

    Most links are in few directories. So the part up to the last slash is parsed once and kept, for other pages too,
    and a name that the standard leaves alone is put behind it. The links that pages have in common are kept whole.
    Calls do not change a joiner.

    >>> join = Joiner("http://news.cn/2013/1.html")
    >>> join("../2.html#top"), join("//b.cn/x?utm_source=y"), join("mailto:desk@news.cn")
    ('http://news.cn/2.html', 'http://b.cn/x', None)
    """

    def __init__(self, base: str, encoding: str = "utf-8") -> None:
        """Set the base.

        Args:
            base: base URL of the page.
            encoding: Python's name of the encoding of the page.
        """
        self._base, self._encoding = base, encoding
        self._folders: list[str] = []
        if canonical(base) == base:
            self._root = f"{origin(base)}/"
            self._folders += _folders(base.partition("?")[0], len(self._root))
        else:
            self._root = canonical("/", base) or base

    def __call__(self, reference: str) -> str | None:
        """Return what ``canonical(reference, base, encoding=encoding)`` does."""
        if len(reference) + len(self._base) <= _LONGEST:
            if reference.startswith(("/", "http://", "https://")):
                url = _plainly_joined(reference, self._root)
            elif self._folders and (way := _RELATIVE.match(reference)) is not None:
                folder = self._folders[min(way.end(1) // 3, len(self._folders) - 1)]
                url = _plainly_joined(folder + reference[way.end(1) :], self._root)
            else:
                url = _plainly_joined(reference, self._base)
            if url is not None:
                return url
        return None if _OTHER_SCHEME.match(reference) else canonical(reference, self._base, encoding=self._encoding)


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


def same_but_for_values(one: str, other: str) -> bool:
    """Return whether two canonical URLs are of one page, with queries of the same parameters.

    >>> same_but_for_values("http://a.cn/x?t=1", "http://a.cn/x?t=2")
    True
    >>> same_but_for_values("http://a.cn/x", "http://a.cn/x?t=1")
    False
    """
    (page, _, query), (other_page, _, other_query) = (url.partition("?") for url in (one, other))
    names = [[name for name, _ in parse_qsl(text, keep_blank_values=True)] for text in (query, other_query)]
    return page == other_page and bool(query) and names[0] == names[1]


@lru_cache(maxsize=1 << 14)
def _plainly_joined(reference: str, base: str) -> str | None:
    """Return the canonical URL of a reference that is a plain name in a directory; None for any other reference."""
    parts = _PLAIN.fullmatch(reference, reference.rfind("/") + 1)
    if parts is None:
        return None
    written, (name, search) = reference[: parts.start()], parts.groups("")
    directory = _directory(written, base)
    return None if directory is None or not (name or written) else f"{directory}{name}{_query(search)}"


@lru_cache(maxsize=1 << 14)
def _directory(written: str, base: str) -> str | None:
    """Return the canonical URL of a directory; None where a name behind it is not in it."""
    directory = None if "?" in written or "#" in written else canonical(written or "./", base)
    return directory if directory is not None and directory.endswith("/") else None


def _folders(page: str, root: int) -> Iterator[str]:
    """Yield the directories that a canonical URL is in, the innermost first; ``root`` is the length of the last one."""
    end = len(page)
    while (end := page.rfind("/", root - 1, end)) >= 0:
        yield page[: end + 1]


def _path_at(url: str) -> int:
    return url.index("/", url.index("//") + 2)


def _escapes(text: str) -> str:
    return _PERCENT.sub(lambda match: _ESCAPES[match.group()], text) if "%" in text else text


def _encode_query(url: str, encoding: str) -> str:
    rest, hash_, fragment = url.partition("#")
    route, mark, query = rest.partition("?")
    # A character that the encoding lacks becomes a numeric reference, as the standard says.
    escaped = "".join(c if c.isascii() else quote(c.encode(encoding, "xmlcharrefreplace"), safe="") for c in query)
    return f"{route}{mark}{escaped}{hash_}{fragment}"


def _is_dropped(name: str, value: str) -> bool:
    key = name.lower()
    return key in DROPPED_PARAMETERS or (key in _SESSION_PARAMETERS and _TOKEN.fullmatch(value) is not None)


def _query(search: str) -> str:
    kept = [item for item in search[1:].split("&") if not _is_dropped(*item.partition("=")[::2])]
    query = _escapes("&".join(kept))
    return f"?{query}" if query else ""

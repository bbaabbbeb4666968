"""The known URLs that are nearest to an unknown one: other spellings of the page, another query, similar letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nlargest

from crawler.url import host, path

_INDEX = re.compile(r"/(?:index|default|home)\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
_COMPARED = 200
"""URLs of the host that are compared letter by letter: those with the longest common beginning and end."""
_FAR = 0.34
"""Largest number of edits, as a share of the length of the URL."""


@dataclass(frozen=True, slots=True)
class Near:
    """A known URL and what makes it near."""

    url: str
    how: str


def edit_distance(one: str, other: str) -> int:
    """Return the number of letters to insert, delete or replace to get one text from the other (Levenshtein).

    >>> edit_distance("/news/1.html", "/new/12.html"), edit_distance("flood", "flood")
    (2, 0)
    """
    begin, end = _common(one, other)
    one, other = one[begin : len(one) - end], other[begin : len(other) - end]
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        previous, row[0] = row[0], at
        for place, target in enumerate(other, start=1):
            previous, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, previous + (letter != target))
    return row[-1]


def nearest(url: str, known: Sequence[str], limit: int = 5) -> list[Near]:
    """Find the known URLs that are nearest to an unknown one.

    Args:
        url: a canonical URL.
        known: the known canonical URLs.
        limit: maximum number of results.

    Returns:
        First other spellings of the same page (http or https, www, index page, trailing slash), then the same path with
        another query, then URLs of the host by the number of edits. Where no URL of the host is known, those of the
        host with the nearest name.

    >>> [(near.url, near.how) for near in nearest("https://a.cn/x/", ["http://www.a.cn/x", "http://b.cn/"])]
    [('http://www.a.cn/x', 'scheme, www, trailing slash')]
    """
    sites = dict.fromkeys(map(_site, known))
    site = _site(url)
    if site not in sites:
        close = get_close_matches(site, sites, n=1)
        if not close:
            return []
        moved = nearest(url.replace(site, close[0], 1), known, limit)
        return [Near(near.url, f"another host, {near.how}".rstrip(", ")) for near in moved]
    same: list[Near] = []
    queries: list[Near] = []
    others: list[str] = []
    bare = _bare(url)
    for candidate in known:
        if _site(candidate) != site:
            continue
        if _bare(candidate) == bare:
            same.append(Near(candidate, ", ".join(_differences(url, candidate))))
        elif _bare(candidate).partition("?")[0] == bare.partition("?")[0]:
            queries.append(Near(candidate, "another query"))
        else:
            others.append(candidate)
    first = [*same, *queries][:limit]
    return [*first, *_by_edits(url, others, limit - len(first))]


def _by_edits(url: str, others: list[str], limit: int) -> list[Near]:
    compared = nlargest(_COMPARED, others, key=lambda other: sum(_common(url, other)) - abs(len(url) - len(other)))
    edits = sorted((edit_distance(url, other), other) for other in compared)
    return [
        Near(other, f"{count} letter{'s' * (count != 1)} differ{'s' * (count == 1)}")
        for count, other in edits[:limit]
        if count <= max(2.0, _FAR * len(url))
    ]


def _common(one: str, other: str) -> tuple[int, int]:
    """Return the length of the common beginning, and that of the common end of the rest."""
    shorter = min(len(one), len(other))
    begin = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    rest = shorter - begin
    end = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    return begin, end


def _site(url: str) -> str:
    return host(url).removeprefix("www.")


def _bare(url: str) -> str:
    """Return a URL without scheme, www, index page, trailing slash and the case of its letters."""
    route, mark, query = url.partition("?")
    return f"{_site(url)}{_INDEX.sub('', path(route)).rstrip('/')}{mark}{query}".lower()


def _differences(url: str, other: str) -> Iterator[str]:
    """Yield what differs between two spellings with the same ``_bare`` form; nothing for equal URLs."""
    routes = path(url), path(other)
    if url.partition(":")[0] != other.partition(":")[0]:
        yield "scheme"
    if host(url) != host(other):
        yield "www"
    if any(map(_INDEX.search, routes)):
        yield "index page"
    elif routes[0].endswith("/") != routes[1].endswith("/"):
        yield "trailing slash"
    names = [
        (_INDEX.sub("", route).rstrip("/"), query) for route, query in zip(routes, _queries(url, other), strict=True)
    ]
    if names[0] != names[1]:
        yield "upper and lower case"


def _queries(*urls: str) -> list[str]:
    return [url.partition("?")[2] for url in urls]

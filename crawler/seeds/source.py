"""The description of a source of seeds: its kind, its place, and which of its URLs are wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from crawler.pages.dates import date_of
from crawler.url import canonical, has_credentials
from ontology.errors import Message, OntocrawlError

KINDS = ("sitemap", "feed", "links", "query")
FORMS = "sitemap:URL|FILE|HOST, feed:URL|FILE, links:FILE.html, query:NAME|FILE.cypher"
"""The forms that ``parse_source`` reads."""
MOST = 50_000
"""Maximum number of URLs of a source, which is that of a sitemap file by its protocol."""
QUERY_FILE = ".cypher"
"""Ending of a file with a statement; any other place of a query is a name of the library."""
_OPTIONS = re.compile(r"#((?:since|limit)=[^#]*)\Z")
_HOST = re.compile(r"(?:[\w-]+\.)+[\w-]+(?::\d+)?|localhost(?::\d+)?")


class SeedError(OntocrawlError, ValueError):
    """Error for a source of seeds that cannot be understood or opened; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of seeds. Exactly one of ``url``, ``file``, ``host`` and ``query`` is set."""

    text: str
    """The source as it was written."""
    kind: str
    """sitemap, feed, links or query."""
    url: str = ""
    file: Path | None = None
    host: str = ""
    """A host, whose robots.txt names its sitemaps."""
    query: str = ""
    """Name of a query of the library, whose column ``url`` is asked from the graph; of a query in a file, ``file``."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Values for the parameters of a query, by name."""
    since: str = ""
    """Only URLs dated on or after this day, YYYY-MM-DD; empty for all."""
    limit: int = MOST
    """Maximum number of URLs to take."""
    note: str = ""
    """What the user should know of it."""


def parse_source(text: str) -> Source | None:
    """Parse the description of a source; None for one of another form, such as a URL.

    Options may follow: ``#since=2013-11-01`` and ``#limit=500``, or both, joined by ``&``. Those of a query are values
    of its parameters, in which ``&``, ``#`` and ``%`` are written %26, %23 and %25.

    Args:
        text: a source of the form ``FORMS``.

    Raises:
        SeedError: a wrong place or option; a file that does not exist.

    >>> source = parse_source("sitemap:https://news.cn/sitemap.xml#since=2013-11-01&limit=500")
    >>> source.kind, source.url, source.since, source.limit
    ('sitemap', 'https://news.cn/sitemap.xml', '2013-11-01', 500)
    >>> parse_source("https://news.cn/") is None
    True
    """
    kind, colon, place = text.strip().partition(":")
    if not colon or kind not in KINDS:
        return None
    if kind == "query":
        return _query(text, place)
    since, limit = "", MOST
    options = _OPTIONS.search(place)
    if options is not None:
        place = place[: options.start()]
        since, limit = _options(text, options[1])
        if since and kind == "links":
            raise SeedError("seeds.seed_no_dates", text=text)
    if "://" in place:
        return _at_url(text, kind, place, since, limit)
    file = Path(place)
    if place and file.is_file():
        return Source(text, kind, file=file, since=since, limit=limit)
    if kind == "sitemap" and _HOST.fullmatch(place) and not file.suffix.lower().startswith((".xml", ".gz", ".txt")):
        return Source(text, kind, host=place, since=since, limit=limit)
    raise SeedError("seeds.seed_source", text=text, place=place or "(nothing was named)", forms=FORMS)


def _query(text: str, place: str) -> Source:
    """Return the source of a query of the library, or of one in a file."""
    name, mark, written = place.partition("#")
    parts = [part.partition("=") for part in written.split("&")] if mark else []
    if bad := ["".join(part) for part in parts if not (part[0].strip() and part[1])]:
        raise SeedError("seeds.seed_query_option", text=text, bad=bad[0])
    values = {parameter.strip(): unquote(value) for parameter, _, value in parts}
    limit = _limit(text, values["limit"]) if "limit" in values else MOST
    if Path(name).suffix != QUERY_FILE:
        return Source(text, "query", query=name, values=values, limit=limit)
    if not Path(name).is_file():
        raise SeedError("seeds.seed_source", text=text, place=name, forms=FORMS)
    return Source(text, "query", file=Path(name), values=values, limit=limit)


def _at_url(text: str, kind: str, place: str, since: str, limit: int) -> Source:
    if kind == "links":
        raise SeedError("seeds.seed_links_url", text=text)
    url = canonical(place)
    if url is None:
        raise SeedError("seeds.seed_source_url", text=text, place=place)
    if not has_credentials(place):
        return Source(text, kind, url=url, since=since, limit=limit)
    note = Message("seeds.no_credentials", url=url)
    return Source(text.replace(place, url), kind, url=url, since=since, limit=limit, note=note)


def _options(text: str, written: str) -> tuple[str, int]:
    """Return the day and the limit that a source asks for."""
    given = dict(part.partition("=")[::2] for part in written.split("&"))
    unknown = set(given) - {"since", "limit"}
    if unknown:
        raise SeedError("seeds.seed_option", text=text, unknown=min(unknown))
    since = given.get("since", "")
    day = date_of(since) if since else ""
    if day is None:
        raise SeedError("seeds.seed_since", text=text, since=since)
    return day, _limit(text, given.get("limit", str(MOST)))


def _limit(text: str, limit: str) -> int:
    if not limit.isdecimal() or not 0 < int(limit) <= MOST:
        raise SeedError("seeds.seed_limit", text=text, limit=limit, most=MOST)
    return int(limit)

"""The description of a source of seeds: its kind, its place, and which of its URLs are wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from crawler.pages.dates import date_of
from crawler.url import canonical, has_credentials
from ontology.errors import OntocrawlError

KINDS = ("sitemap", "feed", "links")
FORMS = "sitemap:URL|FILE|HOST, feed:URL|FILE, links:FILE.html"
"""The forms that ``parse_source`` reads."""
MOST = 50_000
"""Maximum number of URLs of a source, which is that of a sitemap file by its protocol."""
_OPTIONS = re.compile(r"#((?:since|limit)=[^#]*)\Z")
_HOST = re.compile(r"(?:[\w-]+\.)+[\w-]+(?::\d+)?|localhost(?::\d+)?")


class SeedError(OntocrawlError, ValueError):
    """Error for a source of seeds that cannot be understood or opened; the message says what to write."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of seeds. Exactly one of ``url``, ``file`` and ``host`` is set."""

    text: str
    """The source as it was written."""
    kind: str
    """sitemap, feed or links."""
    url: str = ""
    file: Path | None = None
    host: str = ""
    """A host, whose robots.txt names its sitemaps."""
    since: str = ""
    """Only URLs dated on or after this day, YYYY-MM-DD; empty for all."""
    limit: int = MOST
    """Maximum number of URLs to take."""
    note: str = ""
    """What the user should know of it."""


def parse_source(text: str) -> Source | None:
    """Parse the description of a source; None for one of another form, such as a URL.

    Options may follow: ``#since=2013-11-01`` and ``#limit=500``, or both, joined by ``&``.

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
    since, limit = "", MOST
    options = _OPTIONS.search(place)
    if options is not None:
        place = place[: options.start()]
        since, limit = _options(text, options[1])
        if since and kind == "links":
            raise SeedError(f"{text}: the links of a saved page have no dates; leave out since=")
    if "://" in place:
        return _at_url(text, kind, place, since, limit)
    file = Path(place)
    if place and file.is_file():
        return Source(text, kind, file=file, since=since, limit=limit)
    if kind == "sitemap" and _HOST.fullmatch(place) and not file.suffix.lower().startswith((".xml", ".gz", ".txt")):
        return Source(text, kind, host=place, since=since, limit=limit)
    raise SeedError(f"{text}: there is no file {place or '(nothing was named)'}; sources of seeds are {FORMS}")


def _at_url(text: str, kind: str, place: str, since: str, limit: int) -> Source:
    if kind == "links":
        raise SeedError(f"{text}: save the page in a browser, and give its file, links:FILE.html")
    url = canonical(place)
    if url is None:
        raise SeedError(f"{text}: {place!r} is not an http or https URL")
    if not has_credentials(place):
        return Source(text, kind, url=url, since=since, limit=limit)
    note = f"{url}: its user name and password are left out, a crawl sends none"
    return Source(text.replace(place, url), kind, url=url, since=since, limit=limit, note=note)


def _options(text: str, written: str) -> tuple[str, int]:
    """Return the day and the limit that a source asks for."""
    given = dict(part.partition("=")[::2] for part in written.split("&"))
    unknown = set(given) - {"since", "limit"}
    if unknown:
        raise SeedError(f"{text}: there is no option {min(unknown)!r}; a source has since=YYYY-MM-DD and limit=N")
    since = given.get("since", "")
    day = date_of(since) if since else ""
    if day is None:
        raise SeedError(f"{text}: since={since} is no day; write since=YYYY-MM-DD")
    limit = given.get("limit", str(MOST))
    if not limit.isdecimal() or not 0 < int(limit) <= MOST:
        raise SeedError(f"{text}: limit={limit} is no whole number from 1 to {MOST}")
    return day, int(limit)

"""When a page was published: from its metadata, its URL, or the line under its headline.

Paper 001, section 4, reads the date from the URL ("/20080905/"); metadata comes first here because it is meant to be
read, and the byline of Chinese news sites ("2013-11-08 10:23") last. Only full dates count.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import date
from email.utils import parsedate_to_datetime

FIRST_YEAR, LAST_YEAR = 1990, 2099

META_NAMES = (
    "article:published_time",
    "og:published_time",
    "og:article:published_time",
    "datepublished",
    "publishdate",
    "publish_date",
    "publishtime",
    "pubdate",
    "og:release_date",
    "citation_publication_date",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.created",
    "weibo:article:create_at",
    "apub:time",
    "date",
)
"""Names (lower case) of metadata that give a day of publication, the most explicit first."""

_YEAR, _MONTH, _DAY = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>0?[1-9]|1[0-2])", r"(?P<d>0?[1-9]|[12]\d|3[01])"
_MONTH2, _DAY2 = r"(?P<m>0[1-9]|1[0-2])", r"(?P<d>0[1-9]|[12]\d|3[01])"
_IN_URL = (
    re.compile(rf"(?<!\d){_YEAR}(?P<s>[-/_.]){_MONTH}(?P=s){_DAY}(?!\d)"),
    re.compile(rf"(?<!\d){_YEAR}[-/_]?{_MONTH2}[-/_]?{_DAY2}(?!\d)"),
)
_IN_VALUE = (
    re.compile(rf"^\s*{_YEAR}(?P<s>[-/.]){_MONTH}(?P=s){_DAY}(?!\d)"),
    re.compile(rf"^\s*{_YEAR}年\s?{_MONTH}月\s?{_DAY}日"),
    re.compile(rf"^\s*{_YEAR}{_MONTH2}{_DAY2}(?!\d)"),
)
_BYLINE = re.compile(
    rf"(?<!\d){_YEAR}(?:[-/.]|年){_MONTH}(?:[-/.]|月){_DAY}日?\s*[T ]?\s*(?:[01]?\d|2[0-3])[::][0-5]\d"
)
_JSON_LD = re.compile(r'"datePublished"\s*:\s*"([^"]{8,40})"')
_BYLINE_WITHIN = 3000


def date_in_url(url: str) -> str | None:
    """The date in a URL's path or query, as YYYY-MM-DD; its directories are read before runs of digits."""
    return next((day for pattern in _IN_URL for m in pattern.finditer(url) if (day := _iso(m))), None)


def date_of(value: str) -> str | None:
    """The date that a metadata value begins with, or the date of an RFC 2822 time, as YYYY-MM-DD."""
    for pattern in _IN_VALUE:
        if (match := pattern.search(value)) and (day := _iso(match)):
            return day
    try:
        found = parsedate_to_datetime(value).date()
    except (ValueError, IndexError):
        return None
    return found.isoformat() if FIRST_YEAR <= found.year <= LAST_YEAR else None


def published(meta: Mapping[str, str], json_ld: Iterable[str], times: Iterable[str], url: str, text: str) -> str | None:
    """The day of publication, YYYY-MM-DD, from the best witness that gives one.

    Args:
        meta: metadata by lower-case name (name, property or itemprop).
        json_ld: contents of the page's JSON-LD scripts; broken JSON is read too.
        times: values of the page's <time> elements that are marked as its publication.
        url: canonical URL of the page.
        text: main text; only a date with a time of day near its beginning counts.
    """
    values = [value for script in json_ld for value in _JSON_LD.findall(script)]
    values += [meta[name] for name in META_NAMES if name in meta]
    for value in (*values, *times):
        if day := date_of(value):
            return day
    if day := date_in_url(url):
        return day
    byline = _BYLINE.search(text[:_BYLINE_WITHIN])
    return _iso(byline) if byline else None


def day_number(day: str | None) -> float:
    """Proleptic Gregorian ordinal of a YYYY-MM-DD date, for the frontier's date column; NaN for None."""
    return math.nan if day is None else float(date.fromisoformat(day).toordinal())


def _iso(match: re.Match[str]) -> str | None:
    """The matched date, None where there is no such day or its year is out of range."""
    try:
        found = date(int(match["y"]), int(match["m"]), int(match["d"]))
    except ValueError:
        return None
    return found.isoformat() if FIRST_YEAR <= found.year <= LAST_YEAR else None

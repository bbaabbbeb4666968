"""The date of publication of a page: from its URL, its metadata, or the line under its headline.

Paper 001, section 4, reads the date from the URL ("/20080905/"), so that a link has the date that its page will have;
metadata comes next, and the byline of Chinese news sites ("2013-11-08 10:23") last. Only full dates count.
"""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Iterable, Mapping
from datetime import UTC, date
from email.utils import parsedate_to_datetime
from functools import lru_cache

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
    "og:time",
    "dateupdate",
    "date",
)
"""Names (lower case) of metadata that hold a day of publication, the most explicit first."""

_YEAR, _MONTH, _DAY = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>0?[1-9]|1[0-2])", r"(?P<d>0?[1-9]|[12]\d|3[01])"
_MONTH2, _DAY2 = r"(?P<m>0[1-9]|1[0-2])", r"(?P<d>0[1-9]|[12]\d|3[01])"
_DOTTED = rf"{_DAY}\.{_MONTH}\.{_YEAR}(?!\d)"
"""A day as most of Europe writes it. With slashes or hyphens the day may stand after the month."""
_ALONE = r"(?:(?<!/)(?P<d>{0})(?!\d)|(?<=/)(?P<D>{0})(?=[/?#&]|$))"
"""A day; after a slash only where that part of the path is nothing else, as it may be the number of an article."""
_IN_URL = (
    re.compile(rf"(?<!\d){_YEAR}(?P<s>[-/_.]){_MONTH}(?P=s)" + _ALONE.format(r"0?[1-9]|[12]\d|3[01]")),
    re.compile(rf"(?<!\d){_YEAR}[-/_]?{_MONTH2}[-/_]?" + _ALONE.format(r"0[1-9]|[12]\d|3[01]")),
    re.compile(rf"(?<![\d.]){_DOTTED}"),
)
_IN_VALUE = (
    re.compile(rf"^\s*{_YEAR}(?P<s>[-/.]){_MONTH}(?P=s){_DAY}(?!\d)"),
    re.compile(rf"^\s*{_YEAR}年\s?{_MONTH}月\s?{_DAY}日"),
    re.compile(rf"^\s*{_YEAR}{_MONTH2}{_DAY2}(?!\d)"),
    re.compile(rf"^\s*{_DOTTED}"),
)
_W3C = re.compile(rf"\s*{_YEAR}(?:-{_MONTH2})?\s*")
_BYLINES = (
    re.compile(rf"(?<!\d){_YEAR}(?:[-/.]|年){_MONTH}(?:[-/.]|月){_DAY}(?!\d)"),
    re.compile(rf"(?<![\d.]){_DOTTED}"),
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = rf"(?P<m>(?:{'|'.join(_MONTHS)})[a-z]*)\.?"
_IN_TEXT = (
    *_BYLINES,
    re.compile(rf"\b{_NAMED}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}(?!\d)", re.IGNORECASE),
    re.compile(rf"(?<!\d){_DAY}(?:st|nd|rd|th)?\s+{_NAMED},?\s+{_YEAR}(?!\d)", re.IGNORECASE),
)
_MARKED = re.compile(
    r"\d[日,\s]*(?:[01]?\d|2[0-3])[:\uff1a][0-5]\d|时间|時間|日期|发布|發布|发表|發表|来源|來源|[Pp]ublished|[Pp]osted"
)
"""What a line must have besides a date to be the line that dates the article: a time of day or such a word."""
PUBLISHED = re.compile(
    r"publish|pubdate|posted|(?:entry|post|article|news|meta)[-_]*(?:meta[-_]*)?(?:full[-_]*meta[-_]*)?(?:date|time)"
    r"|(?<![\w-])date(?![\w-])"
)
CHANGED = re.compile("updated|modified|comment")
"""Classes of <time> in the themes of WordPress, Ghost, Hugo, Jekyll, Hexo and others."""
_JSON_LD = re.compile(r'"(?:datePublished|pubDate)"\s*:\s*"([^"]{8,40})"')


def date_in_url(url: str) -> str | None:
    """Return the date in a URL's path or query, as YYYY-MM-DD; directories are read before runs of digits.

    >>> date_in_url("http://news.cn/2008/09/05/1.html"), date_in_url("http://news.cn/20080905/1.html")
    ('2008-09-05', '2008-09-05')
    >>> date_in_url("http://news.cn/2008/09/05-things.html"), date_in_url("http://news.cn/2008/09/5.html")
    (None, None)
    """
    if "20" not in url and "19" not in url:
        return None
    return next((day for pattern in _IN_URL for m in pattern.finditer(url) if (day := _iso(m))), None)


def date_in_text(text: str) -> str | None:
    """Return the first full date in a text, as YYYY-MM-DD; None where it has none.

    >>> date_in_text("2013年11月8日"), date_in_text("on November 8, 2013"), date_in_text("8 Nov 2013")
    ('2013-11-08', '2013-11-08', '2013-11-08')
    """
    dates = sorted((m.start(), day) for pattern in _IN_TEXT for m in pattern.finditer(text) if (day := _iso(m)))
    return dates[0][1] if dates else None


def date_of(value: str) -> str | None:
    """Return the date at the start of a metadata value, or the date of an RFC 2822 time, as YYYY-MM-DD.

    >>> date_of("2013-11-08T10:23:00+08:00"), date_of("Fri, 08 Nov 2013 10:23:00 GMT"), date_of("yesterday")
    ('2013-11-08', '2013-11-08', None)
    """
    for pattern in _IN_VALUE:
        if (match := pattern.search(value)) and (day := _iso(match)):
            return day
    try:
        day_sent = parsedate_to_datetime(value).date()
    except (ValueError, IndexError):
        return None
    return day_sent.isoformat() if FIRST_YEAR <= day_sent.year <= LAST_YEAR else None


def latest_day(value: str) -> str | None:
    """Return the last day that a date of a sitemap or feed can mean, as YYYY-MM-DD; None where it is none.

    The forms are those of W3C, of which a year or a month is one, of `date_of` and of `date_in_text`.

    >>> latest_day("2024"), latest_day("2024-02"), latest_day("2024-05-01T10:00:00+08:00"), latest_day("May 1, 2024")
    ('2024-12-31', '2024-02-29', '2024-05-01', '2024-05-01')
    """
    if (period := _W3C.fullmatch(value)) is None:
        return date_of(value) or date_in_text(value)
    year, month = int(period["y"]), int(period["m"] or 12)
    return f"{year}-{month:02}-{monthrange(year, month)[1]}" if FIRST_YEAR <= year <= LAST_YEAR else None


def time_sent(headers: Mapping[str, str]) -> str | None:
    """Return the time at which a response was sent by the clock of its server, ISO 8601 in UTC.

    A crawl reads no clock of its own, so that a replay is exact; the header ``Date`` (RFC 9110, section 6.6.1) comes
    with the response and is kept in archives.

    Args:
        headers: headers of the response, names in lower case.

    Returns:
        The time to the second; None without a valid header.

    >>> time_sent({"date": "Fri, 08 Nov 2013 18:23:00 +0800"}), time_sent({"date": "today"}), time_sent({})
    ('2013-11-08T10:23:00+00:00', None, None)
    """
    return _time_of(headers.get("date", ""))


@lru_cache(maxsize=1 << 8)
def _time_of(value: str) -> str | None:
    """Return the time of a header ``Date``; a server sends many pages in a second."""
    try:
        sent = parsedate_to_datetime(value)
        sent = sent.replace(tzinfo=UTC) if sent.tzinfo is None else sent.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return sent.isoformat(timespec="seconds") if FIRST_YEAR <= sent.year <= LAST_YEAR else None


def published(
    meta: Mapping[str, str], json_ld: Iterable[str], times: Iterable[str], url: str, bylines: Iterable[str]
) -> str | None:
    """Return the day of publication of a page, from the most reliable source that has one.

    The sources in order: the URL, JSON-LD, ``META_NAMES``, <time> elements, bylines.

    Args:
        meta: metadata by lower-case name (name, property or itemprop).
        json_ld: contents of the page's JSON-LD scripts; broken JSON is read too.
        times: values of the page's <time> elements that are marked as its publication.
        url: canonical URL of the page.
        bylines: short texts above the article; a date counts there with a time of day or a word such as "来源".

    Returns:
        The day as YYYY-MM-DD; None where no source has one.

    >>> published({"pubdate": "2013-11-08"}, [], [], "http://news.cn/1.html", [])
    '2013-11-08'
    """
    if day := date_in_url(url):
        return day
    values = [value for script in json_ld for value in _JSON_LD.findall(script)]
    values += [meta[name] for name in META_NAMES if name in meta]
    for value in (*values, *times):
        if day := date_of(value):
            return day
    marked = (pattern.search(line) for line in bylines if _MARKED.search(line) for pattern in _BYLINES)
    return next((day for match in marked if match and (day := _iso(match))), None)


def day_number(day: str | None) -> float:
    """Return the proleptic Gregorian ordinal of a YYYY-MM-DD date, for the frontier's date column; NaN for None.

    >>> day_number("2013-11-08"), day_number(None)
    (735180.0, nan)
    """
    return math.nan if day is None else float(date.fromisoformat(day).toordinal())


def day_of(number: float) -> str | None:
    """Return the YYYY-MM-DD date of a day number; None for NaN.

    >>> day_of(735180.0)
    '2013-11-08'
    """
    return None if math.isnan(number) else date.fromordinal(int(number)).isoformat()


def _iso(match: re.Match[str]) -> str | None:
    """Return the matched date; None where there is no such day or its year is out of range."""
    month = match["m"].lower()
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
    try:
        day = date(int(match["y"]), number, int(match["d"] or match["D"]))
    except ValueError:
        return None
    return day.isoformat() if FIRST_YEAR <= day.year <= LAST_YEAR else None

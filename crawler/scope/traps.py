"""Rules against crawler traps: pages that a server makes without end. Each looks at one URL."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from crawler.scope.rules import Decision, rejected
from crawler.url import path


@dataclass(frozen=True, slots=True)
class LoopRule:
    """Rejects paths with a repeated run of segments, ``/a/b/a/b/a/b/``, a sign of relative links that form a loop.

    ``repeats`` is the number of equal runs in a row that is rejected; for runs of digits it is one more, because dates
    repeat by chance (/11/11/11.html).

    >>> LoopRule().decide("http://a.cn/x/y/x/y/x/y/1.html").name, LoopRule().decide("http://a.cn/11/11/11.html").name
    ('REJECT', 'NONE')
    """

    repeats: int = 3
    reason: str = "repeating_path"

    def decide(self, url: str) -> Decision:
        """Reject a path with a run of segments that occurs ``repeats`` times in a row."""
        if url.count("/") < self.repeats + 2:
            return Decision.NONE
        segments = path(url).strip("/").split("/")
        if len(set(segments)) == len(segments):
            return Decision.NONE
        return rejected(any(self._runs(segments, size) for size in range(1, len(segments) // self.repeats + 1)))

    def _runs(self, segments: list[str], size: int) -> bool:
        """Return whether some run of ``size`` segments occurs too often in a row."""
        equal = 0
        for start in range(len(segments) - size):
            equal = equal + 1 if segments[start] == segments[start + size] else 0
            digits = all(s.isdigit() for s in segments[start : start + size])
            if equal >= size * (self.repeats - 1 + digits):
                return True
        return False


@dataclass(frozen=True, slots=True)
class RepeatedSegmentsRule:
    """Rejects paths in which one segment that is no number occurs more than ``limit`` times, in a row or not.

    >>> RepeatedSegmentsRule().decide("http://a.cn/en/a/en/b/en/c/en/d.html").name
    'REJECT'
    """

    limit: int = 3
    reason: str = "repeated_segments"

    def decide(self, url: str) -> Decision:
        """Reject a path with a segment that occurs too often."""
        if url.count("/") < self.limit + 4:
            return Decision.NONE
        segments = path(url).strip("/").split("/")
        if len(segments) - len(set(segments)) < self.limit:
            return Decision.NONE
        return rejected(any(n > self.limit and s and not s.isdigit() for s, n in Counter(segments).items()))


@dataclass(frozen=True, slots=True)
class ParametersRule:
    """Rejects queries of more than ``limit`` parameters, or with one and the same parameter more than three times.

    Filters that can be combined (facets) and links that append their parameter to a query again make such URLs.

    >>> ParametersRule().decide("http://a.cn/?tag=rain&tag=rain&tag=rain&tag=rain").name
    'REJECT'
    """

    limit: int = 16
    reason: str = "too_many_parameters"

    def decide(self, url: str) -> Decision:
        """Reject a query with too many parameters."""
        if url.count("&") < 3:
            return Decision.NONE
        items = url.partition("?")[2].split("&")
        return rejected(len(items) > self.limit or (len(items) - len(set(items)) >= 3 and _most(items) > 3))


def _most(items: list[str]) -> int:
    return max(Counter(items).values())


_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_CALENDAR = r"(?:calend[ae]r|kalender|rili|agenda|diary|schedule|events?|month|week|day)"


class CalendarRule:
    """Rejects the pages of a calendar for dates long before or after the crawl, as endless calendars have them.

    A date is a year with a month or more, written as calendars write it: at the end of the path, in parameters such as
    ``date`` or ``year`` and ``month``, or after a word such as ``calendar``. A number or a year alone is no date, and a
    date before the name of an article is not looked at.

    >>> rule = CalendarRule(1970, 2028)
    >>> urls = "http://a.cn/?date=2031-05-01", "http://a.cn/2031/05/01/", "http://a.cn/2031/05/01/rain.html"
    >>> [rule.decide(url).name for url in urls]
    ['REJECT', 'REJECT', 'NONE']
    """

    reason = "calendar"

    def __init__(self, first: int, last: int) -> None:
        """Set the first and the last year in scope."""
        years = rf"(?:{_years(1000, first - 1)}|{_years(last + 1, 2999)})"
        after = rf"(?:[/_%-]|{_MONTH}(?:\d\d)?(?!\d)|(?<=[yr]=\d{{4}})(?:&|$))"
        self.may_be_outside = re.compile(rf"[/=_-]{years}{after}", re.IGNORECASE).search
        """Function that finds what may be such a date, at a fraction of the cost of the next three."""
        self._date = re.compile(
            rf"/{years}-{_MONTH}(?:-{_DAY})?(?:/|\.\w+)?(?:\?|$)"
            rf"|/{years}/{_MONTH}/{_DAY}/?(?:\?|$)"
            rf"|[?&][^=&]*={years}(?:-|/|%2F)(?:{_MONTH}|[1-9])(?:(?:-|/|%2F)(?:{_DAY}|[1-9]))?(?:&|T|$)"
            rf"|[?&][^=&]*(?:date|day|month|ym|cal)[^=&]*={years}{_MONTH}(?:{_DAY})?(?:&|$)"
            rf"|{_CALENDAR}[/=_-](?:\w+[/_-])?{years}[/_-]?(?:{_MONTH}|[1-9])(?:[/_-]?(?:{_DAY}|[1-9]))?"
            r"(?:/|\.\w+)?(?:[?&]|$)",
            re.IGNORECASE,
        )
        self._key = re.compile(rf"[?&][^=&]*(?:year|yr)={years}(?:&|$)|[?&]y={years}(?:&|$)", re.IGNORECASE)
        self._month = re.compile(r"[?&](?:[^=&]*mon(?:th)?|m)=\d", re.IGNORECASE)

    def decide(self, url: str) -> Decision:
        """Reject a date outside of the years in scope."""
        if self.may_be_outside(url) is None:
            return Decision.NONE
        if self._date.search(url) is not None:
            return Decision.REJECT
        return rejected(self._key.search(url) is not None and self._month.search(url) is not None)


def _years(first: int, last: int) -> str:
    r"""Return a regular expression of the years from ``first`` to ``last``, of four digits.

    >>> _years(1898, 1912), _years(2029, 2999)
    ('189[8-9]|190\\d|191[0-2]', '2029|20[3-9]\\d|2[1-9]\\d\\d')
    """
    parts: list[str] = []
    while first <= last:
        size = next(size for size in (1000, 100, 10, 1) if first % size == 0 and first + size - 1 <= last)
        within = 10 * size - first % (10 * size)
        count = min((last - first + 1) // size, within // size)
        digit = first // size % 10
        lead = str(first // size)[:-1]
        free = r"\d" * (len(str(size)) - 1)
        parts.append(f"{lead}{digit if count == 1 else f'[{digit}-{digit + count - 1}]'}{free}")
        first += count * size
    return "|".join(parts)

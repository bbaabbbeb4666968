"""The scope of a crawl: a list of rules, each of which accepts a URL, rejects it or makes no decision.

The last decision wins, so that a later, narrower rule can override an earlier, wider one. A link that is out of scope
is journalled with the reason code of the rule that rejected it. Limits that depend on what was crawled are values here
(``Bounds``); crawler.scope.distances and crawler.scope.distances apply them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from crawler.scope.hosts import (
    DOCUMENT_SUFFIXES,
    MEDIA_SUFFIXES,
    AcceptRule,
    Decision,
    DepthRule,
    HostRule,
    LengthRule,
    PatternRule,
    Patterns,
    Rule,
    SchemeRule,
    ScopeError,
    Stay,
    SuffixRule,
    host_name,
    rejected,
    stay_at,
)
from crawler.url import SCHEMES, path
from ontology.errors import Option

# ---- rules against crawler traps: pages that a server makes without end. Each looks at one URL


@dataclass(frozen=True, slots=True)
class _LoopRule:
    """Rejects paths with a repeated run of segments, ``/a/b/a/b/a/b/``, a sign of relative links that form a loop.

    ``repeats`` is the number of equal runs in a row that is rejected; for runs of digits it is one more, because dates
    repeat by chance (/11/11/11.html).

    >>> _LoopRule().decide("http://a.cn/x/y/x/y/x/y/1.html").name, _LoopRule().decide("http://a.cn/11/11/11.html").name
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
class _RepeatedSegmentsRule:
    """Rejects paths in which one segment that is no number occurs more than ``limit`` times, in a row or not.

    >>> _RepeatedSegmentsRule().decide("http://a.cn/en/a/en/b/en/c/en/d.html").name
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
class _ParametersRule:
    """Rejects queries of more than ``limit`` parameters, or with one and the same parameter more than three times.

    Filters that can be combined (facets) and links that append their parameter to a query again make such URLs.

    >>> _ParametersRule().decide("http://a.cn/?tag=rain&tag=rain&tag=rain&tag=rain").name
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


class _CalendarRule:
    """Rejects the pages of a calendar for dates long before or after the crawl, as endless calendars have them.

    A date is a year with a month or more, written as calendars write it: at the end of the path, in parameters such as
    ``date`` or ``year`` and ``month``, or after a word such as ``calendar``. A number or a year alone is no date, and a
    date before the name of an article is not looked at.

    >>> rule = _CalendarRule(1970, 2028)
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


# ---- the scope of a crawl: a list of rules, each of which accepts a URL, rejects it or makes no decision


RULES_OF_VERSION_1: tuple[Rule, ...] = (SuffixRule(), LengthRule(), DepthRule(), _LoopRule(), SchemeRule())
"""The rules of runs that began before a scope could be chosen; they resume with these."""
_STANDARD_RULES: tuple[Rule, ...] = (
    SuffixRule(),
    LengthRule(),
    DepthRule(),
    _LoopRule(),
    _RepeatedSegmentsRule(),
    _ParametersRule(),
    SchemeRule(),
)
"""Rules for every crawl of the web: no media, no crawler traps, http and https only."""
FIRST_YEAR, YEARS_AHEAD = 1970, 2
"""Years of a calendar that are in scope: from the first one to so many after the year in which the crawl began."""
LONGEST_SEQUENCE = 100
"""Pages in a row whose URLs differ in their numbers alone, from which the next one is a trap."""


@dataclass(frozen=True)
class Bounds:
    """Limits for links that depend on what was crawled; 0 for no limit."""

    depth: int = 0
    """Links on the shortest known path from a seed (``max_depth``)."""
    offtopic_depth: int = 0
    """Pages in a row, at the end of the best known path, that are not relevant (``max_offtopic_depth``)."""
    sequence: int = 0
    """Pages in a row, at the end of the best known path, whose URLs differ in their numbers alone."""
    per_host: int = 0
    """Links chosen of a host (``max_per_host``); likewise of a directory and of a URL pattern."""
    per_directory: int = 0
    per_pattern: int = 0
    permutations: bool = False
    """Whether a URL is rejected that differs from a known one in the order of its parameters alone."""


class Scope:
    """The rules of a crawl, in order. A URL that no rule decides about is in scope. Each crawl has one of its own.

    >>> scope = Scope([HostRule(frozenset({"news.cn"}), only=True, reason="host_not_listed")])
    >>> scope.decide("http://www.news.cn/1.html"), scope.decide("http://a.com/")
    (None, 'host_not_listed')
    """

    def __init__(
        self, rules: Iterable[Rule] = _STANDARD_RULES, stay: Stay | None = None, bounds: Bounds | None = None
    ) -> None:
        """Create a scope.

        Args:
            rules: rules for URLs; the last decision wins.
            stay: the places of the seeds; None to leave them. It comes after all rules.
            bounds: limits that depend on what was crawled; None for no limits.
        """
        self.rules = tuple(rules)
        self.stay = stay
        self.bounds = bounds or Bounds()
        self._data_files: set[str] = set()
        self._is_plain = _plain_test([rule for rule in self.rules if isinstance(rule, _STANDARD)])
        self._beyond = tuple(rule for rule in self.rules if not isinstance(rule, _STANDARD))

    def decide(self, url: str) -> str | None:
        """Return None where a canonical URL is in scope, else the reason code of the rule that rejects it."""
        reason = self._by_rules(url)
        if reason == "media_suffix" and url in self._data_files:
            reason = None
        return self.stay.reason if self.stay is not None and self.stay.decide(url) is Decision.REJECT else reason

    def _by_rules(self, url: str) -> str | None:
        reason: str | None = None
        for rule in self._beyond if self._is_plain(url) else self.rules:
            decision = rule.decide(url)
            if decision is Decision.REJECT:
                reason = rule.reason
            elif decision is Decision.ACCEPT:
                reason = None
        return reason

    def accept_data(self, urls: Iterable[str]) -> None:
        """Accept data files that pages load by their scripts, in spite of their suffix."""
        self._data_files.update(urls)

    def decide_redirect(self, start: str, target: str) -> str | None:
        """Return None where a redirect is followed, else the reason code of the rule that rejects its target.

        Args:
            start: the link that was chosen. A seed may redirect to another place of its registrable domain.
            target: canonical URL of the target.
        """
        if self.stay is not None and self.stay.follows(start, target):
            return self._by_rules(target)
        return self.decide(target)

    def extend(self, start: str, targets: Iterable[str]) -> bool:
        """Stay also where a seed redirected to.

        Args:
            start: the link that was chosen.
            targets: the URLs to which it redirected, one after the other.

        Returns:
            Whether the scope has changed.
        """
        if self.stay is None or start not in self.stay.seeds:
            return False
        before, self.stay = self.stay, self.stay.extended(targets)
        return before.places != self.stay.places

    def restore_places(self, places: Iterable[str]) -> None:
        """Stay at the given places, those of a saved scope."""
        if self.stay is not None:
            self.stay = self.stay.at(places)

    def as_now(self) -> Scope:
        """Return the scope as it is now, which later calls of ``extend`` do not change."""
        now = Scope.__new__(Scope)
        now.__dict__.update(self.__dict__)
        return now

    def __reduce__(self) -> tuple[type[Scope], tuple[object, ...]]:
        """Return how another process makes the scope."""
        return Scope, (self.rules, self.stay, self.bounds)


def scope_of(
    *,
    seeds: Iterable[str] = (),
    stay: str | None = None,
    hosts: Iterable[str] = (),
    excluded_hosts: Iterable[str] = (),
    accept: Iterable[str] = (),
    reject: Iterable[str] = (),
    year: int | None = None,
    bounds: Bounds | None = None,
    documents: bool = False,
) -> Scope:
    """Build a scope of the standard rules and some for one crawl.

    Rules of hosts come last: no ``accept`` overrides them.

    Args:
        seeds: canonical URLs at which the crawl begins, for ``stay``.
        stay: stay at the host, domain or prefix of the seeds; None to leave them.
        hosts: the only hosts in scope, with their subdomains (``host_not_listed``); empty for all.
        excluded_hosts: hosts out of scope, with their subdomains (``host_excluded``).
        accept: regular expressions; a URL with a match of one is in scope whatever suffix, path or length it has, and
            others are not (``not_accepted``). Empty for all URLs.
        reject: regular expressions; a URL with a match is out of scope (``reject_pattern``).
        year: the year in which the crawl began, for calendars; None for no rule about them.
        bounds: limits that depend on what was crawled; None for no limits.
        documents: whether file names of PDF and Word files are in scope.

    Returns:
        The scope.

    Raises:
        ScopeError: an invalid host name or regular expression, or an unknown kind of ``stay``.

    >>> scope = scope_of(hosts=["news.cn"], reject=["/sports/"])
    >>> urls = "http://news.cn/1.html", "http://news.cn/sports/1.html", "http://news.cn/1.jpg", "http://a.com/"
    >>> [scope.decide(url) for url in urls]
    [None, 'reject_pattern', 'media_suffix', 'host_not_listed']
    """
    rules: list[Rule] = list(_STANDARD_RULES[:-1])
    if documents:
        rules[0] = SuffixRule(MEDIA_SUFFIXES - DOCUMENT_SUFFIXES)
    if year is not None:
        rules.append(_CalendarRule(FIRST_YEAR, year + YEARS_AHEAD))
    if accepted := tuple(accept):
        rules.append(AcceptRule(_patterns(accepted, "accept")))
    if unwanted := tuple(reject):
        rules.append(PatternRule(_patterns(unwanted, "reject"), accept=False))
    if listed := frozenset(map(host_name, hosts)):
        rules.append(HostRule(listed, only=True, reason="host_not_listed"))
    if excluded := frozenset(map(host_name, excluded_hosts)):
        rules.append(HostRule(excluded, only=False, reason="host_excluded"))
    return Scope([*rules, _STANDARD_RULES[-1]], None if stay is None else stay_at(stay, seeds), bounds)


def _patterns(expressions: Sequence[str], option: str) -> Patterns:
    for expression in expressions:
        if not expression:
            raise ScopeError("scope.expression_empty", option=Option(f"--{option} ''"))
        try:
            Patterns([expression])
        except ValueError as error:
            given = Option(f"--{option} {expression!r}")
            raise ScopeError("scope.no_regular_expression", option=given, error=error) from error
    return Patterns(expressions)


# ---- a quick test for most URLs, to which no standard rule objects; it costs a fraction of asking each rule


_STANDARD = (
    SchemeRule, SuffixRule, LengthRule, DepthRule, _LoopRule, _RepeatedSegmentsRule, _ParametersRule, _CalendarRule,
)  # fmt: skip


def _plain_test(rules: Sequence[Rule]) -> Callable[[str], bool]:
    """Return a function that tells whether a canonical URL is plain: none of some standard rules rejects it.

    Args:
        rules: rules of the types ``_STANDARD``.

    Returns:
        The function. It returns False for some URLs that no rule rejects, too.

    >>> test = _plain_test([SchemeRule(), SuffixRule(), _LoopRule()])
    >>> test("http://a.cn/news/1.html"), test("http://a.cn/1.jpg"), test("http://a.cn/x/x/1.html")
    (True, False, False)
    """
    suffixes = frozenset[str]().union(*(rule.suffixes for rule in rules if isinstance(rule, SuffixRule)))
    longest = min((rule.limit for rule in rules if isinstance(rule, LengthRule)), default=1 << 20)
    deepest = min((rule.limit for rule in rules if isinstance(rule, DepthRule)), default=1 << 20) + 2
    years = [rule.may_be_outside for rule in rules if isinstance(rule, _CalendarRule)]

    def is_plain(url: str) -> bool:
        if len(url) > longest or not url.startswith(SCHEMES) or url.count("&") > 2:
            return False
        route = url.partition("?")[0]
        parts = route.removesuffix("/").split("/")
        name = parts[-1]
        if len(parts) > deepest or len(set(parts)) < len(parts):
            return False
        if "." in name and name.rpartition(".")[2].lower() in suffixes and not route.endswith("/"):
            return False
        return not any(may_be_outside(url) for may_be_outside in years)

    return is_plain

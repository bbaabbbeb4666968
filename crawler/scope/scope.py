"""The scope of a crawl: a list of rules, each of which accepts a URL, rejects it or makes no decision.

The last decision wins, so that a later, narrower rule can override an earlier, wider one. A link that is out of scope
is journalled with the reason code of the rule that rejected it. Limits that depend on what was crawled are values here
(``Bounds``); crawler.scope.distances and crawler.scope.caps apply them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from crawler.scope.hosts import HostRule, ScopeError, Stay, host_name, stay_at
from crawler.scope.plain import STANDARD, plain_test
from crawler.scope.rules import AcceptRule, Decision, DepthRule, LengthRule, PatternRule, Rule, SchemeRule, SuffixRule
from crawler.scope.traps import CalendarRule, LoopRule, ParametersRule, RepeatedSegmentsRule
from ontology.errors import Option

RULES_OF_VERSION_1: tuple[Rule, ...] = (SuffixRule(), LengthRule(), DepthRule(), LoopRule(), SchemeRule())
"""The rules of runs that began before a scope could be chosen; they resume with these."""
STANDARD_RULES: tuple[Rule, ...] = (
    SuffixRule(),
    LengthRule(),
    DepthRule(),
    LoopRule(),
    RepeatedSegmentsRule(),
    ParametersRule(),
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
        self, rules: Iterable[Rule] = STANDARD_RULES, stay: Stay | None = None, bounds: Bounds | None = None
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
        self._is_plain = plain_test([rule for rule in self.rules if isinstance(rule, STANDARD)])
        self._beyond = tuple(rule for rule in self.rules if not isinstance(rule, STANDARD))

    def decide(self, url: str) -> str | None:
        """Return None where a canonical URL is in scope, else the reason code of the rule that rejects it."""
        reason = self._by_rules(url)
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

    Returns:
        The scope.

    Raises:
        ScopeError: an invalid host name or regular expression, or an unknown kind of ``stay``.

    >>> scope = scope_of(hosts=["news.cn"], reject=["/sports/"])
    >>> urls = "http://news.cn/1.html", "http://news.cn/sports/1.html", "http://news.cn/1.jpg", "http://a.com/"
    >>> [scope.decide(url) for url in urls]
    [None, 'reject_pattern', 'media_suffix', 'host_not_listed']
    """
    rules: list[Rule] = list(STANDARD_RULES[:-1])
    if year is not None:
        rules.append(CalendarRule(FIRST_YEAR, year + YEARS_AHEAD))
    if accepted := tuple(_compiled(pattern, "accept") for pattern in accept):
        rules.append(AcceptRule(accepted))
    rules += [PatternRule(_compiled(pattern, "reject"), accept=False) for pattern in reject]
    if listed := frozenset(map(host_name, hosts)):
        rules.append(HostRule(listed, only=True, reason="host_not_listed"))
    if excluded := frozenset(map(host_name, excluded_hosts)):
        rules.append(HostRule(excluded, only=False, reason="host_excluded"))
    return Scope([*rules, STANDARD_RULES[-1]], None if stay is None else stay_at(stay, seeds), bounds)


def _compiled(pattern: str, option: str) -> re.Pattern[str]:
    if not pattern:
        raise ScopeError(Option(f"--{option} ''"), " matches every URL: give a regular expression, or leave it out")
    try:
        return re.compile(pattern)
    except re.error as error:
        message = f" is not a regular expression ({error}): correct it, or escape the character with \\"
        raise ScopeError(Option(f"--{option} {pattern!r}"), message) from error

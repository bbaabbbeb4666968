"""The scope of a crawl: a list of rules, each of which accepts a URL, rejects it or makes no decision.

The last decision wins, so that a later, narrower rule can override an earlier, wider one. A link that is out of scope
is journalled with the reason code of the rule that rejected it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from crawler.url import SCHEMES, hostname, path


class Decision(Enum):
    """The decision of a rule about a URL."""

    ACCEPT = "accept"
    REJECT = "reject"
    NONE = "none"


class Rule(Protocol):
    """A rule for URLs."""

    @property
    def reason(self) -> str:
        """Code in snake case with which the journal records a rejected link."""
        ...

    def decide(self, url: str) -> Decision:
        """Accept or reject a canonical URL, or make no decision."""
        ...


_MEDIA = (
    "jpg jpeg png gif bmp ico svg webp tif tiff psd "
    "mp3 mp4 m4a m4v avi mov wmv flv mkv mpg mpeg wav wma ogg rm rmvb swf webm "
    "zip rar 7z gz tgz bz2 xz tar iso dmg exe msi apk ipa deb rpm jar bin cab "
    "pdf doc docx xls xlsx ppt pptx wps et dps odt ods odp rtf epub caj kdh nh "
    "css js json xml rss atom woff woff2 ttf otf eot map torrent"
)
MEDIA_SUFFIXES = frozenset(_MEDIA.split())
"""File name suffixes of files that are not text pages. Other files are filtered by content type after the fetch."""


def _rejected(bad: bool) -> Decision:
    return Decision.REJECT if bad else Decision.NONE


@dataclass(frozen=True, slots=True)
class SchemeRule:
    """Rejects URLs that are not http or https."""

    reason: str = "scheme"

    def decide(self, url: str) -> Decision:
        """Reject another scheme."""
        return _rejected(not url.startswith(SCHEMES))


@dataclass(frozen=True, slots=True)
class SuffixRule:
    """Rejects file names with the suffix of media, archives, office files, style sheets or scripts."""

    suffixes: frozenset[str] = MEDIA_SUFFIXES
    reason: str = "media_suffix"

    def decide(self, url: str) -> Decision:
        """Reject a file name with one of the suffixes."""
        name = path(url).rpartition("/")[2]
        _, dot, suffix = name.rpartition(".")
        return _rejected(bool(dot) and suffix.lower() in self.suffixes)


@dataclass(frozen=True, slots=True)
class LengthRule:
    """Rejects URLs of more than ``limit`` characters, which are crawler traps or contain data."""

    limit: int = 1024
    reason: str = "url_too_long"

    def decide(self, url: str) -> Decision:
        """Reject a URL that is too long."""
        return _rejected(len(url) > self.limit)


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
        segments = path(url).strip("/").split("/")
        if len(set(segments)) == len(segments):
            return Decision.NONE
        return _rejected(any(self._runs(segments, size) for size in range(1, len(segments) // self.repeats + 1)))

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
class DepthRule:
    """Rejects paths of more than ``limit`` segments."""

    limit: int = 16
    reason: str = "path_too_deep"

    def decide(self, url: str) -> Decision:
        """Reject a path with too many segments."""
        return _rejected(path(url).count("/") > self.limit)


@dataclass(frozen=True, slots=True)
class HostRule:
    """Rejects hosts with all their subdomains, or with ``only`` every host but these. Ports are ignored."""

    names: frozenset[str]
    only: bool
    reason: str

    def decide(self, url: str) -> Decision:
        """Reject a URL by its host."""
        labels = hostname(url).split(".")
        listed = any(".".join(labels[first:]) in self.names for first in range(len(labels)))
        return _rejected(listed != self.only)


@dataclass(frozen=True, slots=True)
class PatternRule:
    """Accepts or rejects the URLs that contain a match of a regular expression."""

    pattern: re.Pattern[str]
    accept: bool
    reason: str = "pattern"

    def decide(self, url: str) -> Decision:
        """Accept or reject a URL with a match; make no decision about others."""
        if not self.pattern.search(url):
            return Decision.NONE
        return Decision.ACCEPT if self.accept else Decision.REJECT


STANDARD_RULES: tuple[Rule, ...] = (SuffixRule(), LengthRule(), DepthRule(), LoopRule(), SchemeRule())
"""Rules for every crawl of the web: no media, no crawler traps, http and https only."""


class Scope:
    """The rules of a crawl, in order. A URL that no rule decides about is in scope.

    >>> scope = Scope([HostRule(frozenset({"news.cn"}), only=True, reason="host_not_listed")])
    >>> scope.decide("http://www.news.cn/1.html"), scope.decide("http://a.com/")
    (None, 'host_not_listed')
    """

    def __init__(self, rules: Iterable[Rule] = STANDARD_RULES) -> None:
        self.rules = tuple(rules)

    def decide(self, url: str) -> str | None:
        """Return None where a canonical URL is in scope, else the reason code of the rule that rejects it."""
        reason: str | None = None
        for rule in self.rules:
            decision = rule.decide(url)
            if decision is Decision.REJECT:
                reason = rule.reason
            elif decision is Decision.ACCEPT:
                reason = None
        return reason


def scope_of(
    *,
    hosts: Iterable[str] = (),
    excluded_hosts: Iterable[str] = (),
    accept: Iterable[str] = (),
    reject: Iterable[str] = (),
) -> Scope:
    """Build a scope of the standard rules and some for one crawl.

    Rules of schemes and hosts come last: no ``accept`` overrides them.

    Args:
        hosts: the only hosts in scope, with their subdomains (``host_not_listed``); empty for all.
        excluded_hosts: hosts out of scope, with their subdomains (``host_excluded``).
        accept: regular expressions; a URL with a match is in scope whatever suffix, path or length it has.
        reject: regular expressions; a URL with a match is out of scope (``pattern``).

    Returns:
        The scope.

    Raises:
        re.error: an expression that cannot be compiled.

    >>> scope = scope_of(hosts=["news.cn"], reject=["/sports/"])
    >>> urls = "http://news.cn/1.html", "http://news.cn/sports/1.html", "http://news.cn/1.jpg", "http://a.com/"
    >>> [scope.decide(url) for url in urls]
    [None, 'pattern', 'media_suffix', 'host_not_listed']
    """
    rules: list[Rule] = list(STANDARD_RULES[:-1])
    rules += [PatternRule(re.compile(p), accept=True, reason="accepted") for p in accept]
    rules += [PatternRule(re.compile(p), accept=False) for p in reject]
    listed, excluded = _names(hosts), _names(excluded_hosts)
    if listed:
        rules.append(HostRule(listed, only=True, reason="host_not_listed"))
    if excluded:
        rules.append(HostRule(excluded, only=False, reason="host_excluded"))
    return Scope([*rules, STANDARD_RULES[-1]])


def _names(hosts: Iterable[str]) -> frozenset[str]:
    return frozenset(host.lower().rstrip(".") for host in hosts)

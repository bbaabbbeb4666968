"""Which URLs a crawl may touch at all: a list of rules, each of which accepts, rejects or says nothing.

The last rule that is decisive wins, so that a later, narrower rule can take back an earlier, wider one. A link that is
out of scope is journalled with the reason code of the rule that rejected it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from crawler.url import SCHEMES, hostname, path


class Decision(Enum):
    """What one rule says of one URL."""

    ACCEPT = "accept"
    REJECT = "reject"
    NONE = "none"


class Rule(Protocol):
    """One rule. ``reason`` is the code (snake case) that a rejected link carries in the journal."""

    @property
    def reason(self) -> str: ...

    def decide(self, url: str) -> Decision:
        """What the rule says of a canonical URL."""
        ...


_MEDIA = (
    "jpg jpeg png gif bmp ico svg webp tif tiff psd "
    "mp3 mp4 m4a m4v avi mov wmv flv mkv mpg mpeg wav wma ogg rm rmvb swf webm "
    "zip rar 7z gz tgz bz2 xz tar iso dmg exe msi apk ipa deb rpm jar bin cab "
    "pdf doc docx xls xlsx ppt pptx wps et dps odt ods odp rtf epub caj kdh nh "
    "css js json xml rss atom woff woff2 ttf otf eot map torrent"
)
MEDIA_SUFFIXES = frozenset(_MEDIA.split())
"""File name endings of what is no page of text. What has none of them is judged by its content type after the fetch."""


def _rejected(bad: bool) -> Decision:
    return Decision.REJECT if bad else Decision.NONE


@dataclass(frozen=True, slots=True)
class SchemeRule:
    """Rejects what is not http or https."""

    reason: str = "scheme"

    def decide(self, url: str) -> Decision:
        return _rejected(not url.startswith(SCHEMES))


@dataclass(frozen=True, slots=True)
class SuffixRule:
    """Rejects file names that end like media, archives, office files or page furniture."""

    suffixes: frozenset[str] = MEDIA_SUFFIXES
    reason: str = "media_suffix"

    def decide(self, url: str) -> Decision:
        name = path(url).rpartition("/")[2]
        _, dot, suffix = name.rpartition(".")
        return _rejected(bool(dot) and suffix.lower() in self.suffixes)


@dataclass(frozen=True, slots=True)
class LengthRule:
    """Rejects URLs of more than ``limit`` characters: they are traps or carry data, not addresses."""

    limit: int = 1024
    reason: str = "url_too_long"

    def decide(self, url: str) -> Decision:
        return _rejected(len(url) > self.limit)


@dataclass(frozen=True, slots=True)
class LoopRule:
    """Rejects paths in which a run of segments follows itself, ``/a/b/a/b/a/b/``: relative links gone round in circles.

    ``repeats`` is the number of equal runs in a row that is too many. Segments of digits alone are counted with one
    more, because dates repeat by chance (/11/11/11.html).
    """

    repeats: int = 3
    reason: str = "repeating_path"

    def decide(self, url: str) -> Decision:
        segments = path(url).strip("/").split("/")
        return _rejected(any(self._runs(segments, size) for size in range(1, len(segments) // self.repeats + 1)))

    def _runs(self, segments: list[str], size: int) -> bool:
        """Whether some run of ``size`` segments stands too often in a row."""
        equal = 0
        for at in range(len(segments) - size):
            equal = equal + 1 if segments[at] == segments[at + size] else 0
            digits = all(s.isdigit() for s in segments[at : at + size])
            if equal >= size * (self.repeats - 1 + digits):
                return True
        return False


@dataclass(frozen=True, slots=True)
class DepthRule:
    """Rejects paths of more than ``limit`` segments."""

    limit: int = 16
    reason: str = "path_too_deep"

    def decide(self, url: str) -> Decision:
        return _rejected(path(url).count("/") > self.limit)


@dataclass(frozen=True, slots=True)
class HostRule:
    """Speaks of hosts and all their subdomains, ports aside.

    With ``only`` set, it rejects every other host; otherwise it rejects exactly these.
    """

    names: frozenset[str]
    only: bool
    reason: str

    def decide(self, url: str) -> Decision:
        labels = hostname(url).split(".")
        named = any(".".join(labels[at:]) in self.names for at in range(len(labels)))
        return _rejected(named != self.only)


@dataclass(frozen=True, slots=True)
class PatternRule:
    """Accepts or rejects the URLs that contain a match of a regular expression."""

    pattern: re.Pattern[str]
    accept: bool
    reason: str = "pattern"

    def decide(self, url: str) -> Decision:
        if not self.pattern.search(url):
            return Decision.NONE
        return Decision.ACCEPT if self.accept else Decision.REJECT


STANDARD_RULES: tuple[Rule, ...] = (SuffixRule(), LengthRule(), DepthRule(), LoopRule(), SchemeRule())
"""What every crawl of the web needs: no media, no traps, http and https only."""


class Scope:
    """The rules of a crawl, in order; without a decisive one a URL is in scope."""

    def __init__(self, rules: Iterable[Rule] = STANDARD_RULES) -> None:
        self.rules = tuple(rules)

    def decide(self, url: str) -> str | None:
        """None where a canonical URL is in scope, else the reason code of the rule that had the last word."""
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
    """The standard rules and a crawl's own.

    Args:
        hosts: where given, only these hosts and their subdomains (``host_not_listed``).
        excluded_hosts: never these hosts, nor their subdomains (``host_excluded``).
        accept: regular expressions; a URL with a match is in scope whatever suffix, path or length it has.
        reject: regular expressions; a URL with a match is out of scope (``pattern``).

    Schemes and hosts have the last word: no ``accept`` takes a crawl off the web or off its hosts.

    Raises:
        re.error: an expression that cannot be compiled.
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

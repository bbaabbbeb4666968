"""Rules for the form of a URL, and patterns. A rule accepts a URL, rejects it or makes no decision."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Protocol
from urllib.parse import unquote

from crawler.url import SCHEMES, path


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


def rejected(bad: bool) -> Decision:
    """Return REJECT where ``bad``, else NONE."""
    return Decision.REJECT if bad else Decision.NONE


@dataclass(frozen=True, slots=True)
class SchemeRule:
    """Rejects URLs that are not http or https."""

    reason: str = "scheme"

    def decide(self, url: str) -> Decision:
        """Reject another scheme."""
        return rejected(not url.startswith(SCHEMES))


@dataclass(frozen=True, slots=True)
class SuffixRule:
    """Rejects file names with the suffix of media, archives, office files, style sheets or scripts."""

    suffixes: frozenset[str] = MEDIA_SUFFIXES
    reason: str = "media_suffix"

    def decide(self, url: str) -> Decision:
        """Reject a file name with one of the suffixes."""
        name = url.partition("?")[0].rpartition("/")[2]
        return rejected("." in name and name.rpartition(".")[2].lower() in self.suffixes)


@dataclass(frozen=True, slots=True)
class LengthRule:
    """Rejects URLs of more than ``limit`` characters, which are crawler traps or contain data."""

    limit: int = 1024
    reason: str = "url_too_long"

    def decide(self, url: str) -> Decision:
        """Reject a URL that is too long."""
        return rejected(len(url) > self.limit)


@dataclass(frozen=True, slots=True)
class DepthRule:
    """Rejects paths of more than ``limit`` segments."""

    limit: int = 16
    reason: str = "path_too_deep"

    def decide(self, url: str) -> Decision:
        """Reject a path with too many segments."""
        return rejected(url.count("/") > self.limit + 2 and path(url).count("/") > self.limit)


def matches(pattern: re.Pattern[str], url: str) -> bool:
    """Return whether a canonical URL contains a match, as it stands or as people read it.

    >>> matches(re.compile("/视频/"), "http://a.cn/%E8%A7%86%E9%A2%91/1.html")
    True
    """
    if pattern.search(url):
        return True
    return "%" in url and not pattern.pattern.isascii() and pattern.search(unquote(url)) is not None


@dataclass(frozen=True, slots=True)
class PatternRule:
    """Accepts or rejects the URLs that contain a match of a regular expression."""

    pattern: re.Pattern[str]
    accept: bool
    reason: str = "reject_pattern"

    def decide(self, url: str) -> Decision:
        """Accept or reject a URL with a match; make no decision about others."""
        if not matches(self.pattern, url):
            return Decision.NONE
        return Decision.ACCEPT if self.accept else Decision.REJECT


@dataclass(frozen=True, slots=True)
class AcceptRule:
    """Accepts the URLs that contain a match of any of some regular expressions, and rejects all others."""

    patterns: tuple[re.Pattern[str], ...]
    reason: str = "not_accepted"

    def decide(self, url: str) -> Decision:
        """Accept a URL with a match; reject others."""
        found = any(matches(pattern, url) for pattern in self.patterns)
        return Decision.ACCEPT if found else Decision.REJECT

"""Rules for hosts: the hosts that a crawl may ask, and staying where its seeds are.

Registrable domains are those of the public suffix list that the package publicsuffixlist contains; nothing is
downloaded.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from typing import Any, Protocol
from urllib.parse import unquote

import re2

from crawler.url import SCHEMES, canonical, hostname, origin, path
from ontology.errors import OntocrawlError

KINDS = {"host": "other_host", "domain": "other_domain", "prefix": "outside_prefix"}
"""Kind of ``Stay`` -> reason code of the links that leave."""


class ScopeError(OntocrawlError, ValueError):
    """Error for an invalid scope; the message names the host, pattern or kind."""


@dataclass(frozen=True, slots=True)
class HostRule:
    """Rejects hosts with all their subdomains, or with ``only`` every host but these. Ports are ignored."""

    names: frozenset[str]
    only: bool
    reason: str

    def decide(self, url: str) -> Decision:
        """Reject a URL by its host."""
        name, dot = hostname(url), "."
        while dot and name not in self.names:
            _, dot, name = name.partition(".")
        return rejected((name in self.names) != self.only)


@dataclass(frozen=True, slots=True)
class Stay:
    """Rejects URLs elsewhere than the seeds, and than where redirects of the seeds led."""

    kind: str
    """host (scheme, name and port), domain (the registrable domain) or prefix (the directory of a URL on its host)."""
    seeds: frozenset[str]
    places: frozenset[str] = frozenset()
    """Origins, domains or directories in scope."""

    @property
    def reason(self) -> str:
        """The reason code of its kind."""
        return KINDS[self.kind]

    def decide(self, url: str) -> Decision:
        """Reject a URL in none of the places."""
        if self.kind == "prefix":
            return rejected(not any(folder in self.places for folder in _folders(url)))
        return rejected(self._place(url) not in self.places)

    def extended(self, urls: Iterable[str]) -> Stay:
        """Return the rule with the places of more URLs."""
        return self.at(self.places | {self._place(url) for url in urls})

    def at(self, places: Iterable[str]) -> Stay:
        """Return the rule with other places."""
        return replace(self, places=frozenset(places))

    def follows(self, seed: str, target: str) -> bool:
        """Return whether a URL is a seed, and its redirect to a target in another place is followed."""
        return seed in self.seeds and domain(hostname(seed)) == domain(hostname(target))

    def _place(self, url: str) -> str:
        if self.kind == "domain":
            return domain(hostname(url))
        site = origin(url)
        return site if self.kind == "host" else url[: url.partition("?")[0].rindex("/", len(site)) + 1]


def _folders(url: str) -> Iterator[str]:
    """Yield the directories that contain a canonical URL, as URLs, from the root of its host on."""
    at, end = url.index("/", 8), url.find("?")
    while at >= 0:
        yield url[: at + 1]
        at = url.find("/", at + 1, len(url) if end < 0 else end)


def stay_at(kind: str, seeds: Iterable[str]) -> Stay:
    """Make the rule for a crawl from its seeds.

    Args:
        kind: host, domain or prefix.
        seeds: canonical URLs.

    Returns:
        The rule.

    Raises:
        ScopeError: an unknown kind.

    >>> stay = stay_at("prefix", ["http://a.cn/news/1.html?p=2/3"])
    >>> [stay.decide(url).name for url in ("http://a.cn/news/2013/2.html", "http://a.cn/", "https://a.cn/news/")]
    ['NONE', 'REJECT', 'REJECT']
    """
    if kind not in KINDS:
        raise ScopeError("scope.stay", kind=kind, kinds=", ".join(KINDS))
    given = frozenset(seeds)
    return Stay(kind, given).extended(given)


@lru_cache(maxsize=1 << 14)
def domain(name: str) -> str:
    """Return the registrable domain of a host, by the public suffix list.

    Args:
        name: host name of a canonical URL, without port.

    Returns:
        The public suffix and the label before it. An IP address, a name of one label and a public suffix are their
        own domain.

    >>> domain("www.gd.gov.cn"), domain("a.github.io"), domain("192.0.2.7"), domain("localhost")
    ('gd.gov.cn', 'a.github.io', '192.0.2.7', 'localhost')
    """
    if name.startswith("[") or name.rpartition(".")[2].isdigit():  # an IP address; no top-level domain is a number
        return name
    return _suffixes().privatesuffix(name) or name


def is_suffix(name: str) -> bool:
    """Return whether a host name is a public suffix, or a name of one label.

    >>> is_suffix("gov.cn"), is_suffix("gd.gov.cn"), is_suffix("192.0.2.7")
    (True, False, False)
    """
    if name.startswith("[") or name.rpartition(".")[2].isdigit():
        return False
    return _suffixes().privatesuffix(name) is None


@cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList  # 50 ms, for crawls that stay somewhere

    return PublicSuffixList()


def host_name(text: str) -> str:
    """Return the canonical form of a host name as users write it, for ``HostRule``.

    ``*.news.cn`` and ``.news.cn`` are ``news.cn``, which means its subdomains too.

    Raises:
        ScopeError: not a host name alone.

    >>> host_name("News.CN."), host_name("*.中国.cn")
    ('news.cn', 'xn--fiqs8s.cn')
    """
    name = text.strip().removeprefix("*").strip(".")
    url = canonical(f"http://{name}/") if name and ".." not in name and not set(name) & set("/?#@\\*, ") else None
    if url is None or origin(url) != f"http://{hostname(url)}" or (":" in name and not name.startswith("[")):
        raise ScopeError("scope.host_name", text=text)
    return hostname(url)


# ---- rules for the form of a URL, and patterns. A rule accepts a URL, rejects it or makes no decision


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
DOCUMENT_SUFFIXES = frozenset({"pdf", "docx"})
"""Those of documents that a crawl can read."""


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


class Patterns:
    """Regular expressions of which one is to be found in a canonical URL, as it stands or as people read it.

    They are run by RE2, whose time is proportional to the length of the URL whatever the expressions are: a page cannot
    hold up a crawl by a link on which one of them would take exponential time.

    Args:
        expressions: regular expressions of Python without look-around and back-references.

    Raises:
        ValueError: an expression is invalid; the message says why.

    >>> Patterns(["/视频/"]).found_in("http://a.cn/%E8%A7%86%E9%A2%91/1.html")
    True
    """

    __slots__ = ("_escaped", "_expression", "expressions")

    def __init__(self, expressions: Iterable[str]) -> None:
        self.expressions = tuple(expressions)
        checked = list(map(_checked, self.expressions))
        self._expression = _compiled("|".join(f"(?:{expression})" for expression in checked))
        self._escaped = all(map(str.isascii, checked))

    def __reduce__(self) -> tuple[type[Patterns], tuple[tuple[str, ...]]]:
        return Patterns, (self.expressions,)

    def found_in(self, url: str) -> bool:
        """Return whether one of the expressions has a match in a URL."""
        if self._expression.search(url.encode()):
            return True
        return "%" in url and not self._escaped and bool(self._expression.search(unquote(url).encode()))


_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # they are raised
_OPTIONS.never_capture = True
_PART = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|\[\^?\]?|\]|\{,(?=\d+\})", re.DOTALL)
"""What RE2 reads in another way, or that tells whether it is within a set: an escape, a bracket, a repeat."""
_OF_ALL = {"w": r"\p{L}\p{N}_", "d": r"\p{Nd}"}
"""Sets of Python that have letters and digits of all scripts."""


def _compiled(expression: str) -> Any:
    return re2.compile(expression.encode(), _OPTIONS)


def _checked(expression: str) -> str:
    """Return an expression of Python in the syntax of RE2. Raises ValueError where one of them does not take it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)  # of a set in a set, which RE2 knows and Python does not
        try:
            re.compile(expression)
        except (re.error, FutureWarning) as error:
            raise ValueError(str(error)) from error
    written = _of_re2(expression)
    try:
        _compiled(written)
    except re2.error as refused:
        why = refused.args[0].decode()
    else:
        return written
    raise ValueError(
        f"{why}; look-around and back-references, which can take exponential time, possessive repeats and comments are "
        "not available"
    )


def _of_re2(expression: str) -> str:
    r"""Return an expression of Python in the syntax of RE2.

    >>> print(_of_re2(r"[\u4e00-\u9fff]\d{,2}[\w-]\w\Z"))
    [一-鿿][\p{Nd}]{0,2}[\p{L}\p{N}_-][\p{L}\p{N}_]\z
    """
    within = False

    def written(part: re.Match[str]) -> str:
        nonlocal within
        code, letter = part[1] or part[2], part[3]
        if code:
            return re.escape(chr(int(code, 16)))
        if letter is None:
            if part[0] == "{,":
                return "{," if within else "{0,"
            within = part[0] != "]" if not within or part[0] == "]" else within
            return part[0]
        if letter.lower() in _OF_ALL and not (within and letter.isupper()):
            these = _OF_ALL[letter.lower()]
            return these if within else f"[{'^' * letter.isupper()}{these}]"
        return r"\z" if letter == "Z" else part[0]

    return _PART.sub(written, expression)


@dataclass(frozen=True, slots=True)
class PatternRule:
    """Accepts or rejects the URLs that contain a match of one of some regular expressions."""

    patterns: Patterns
    accept: bool
    reason: str = "reject_pattern"

    def decide(self, url: str) -> Decision:
        """Accept or reject a URL with a match; make no decision about others."""
        if not self.patterns.found_in(url):
            return Decision.NONE
        return Decision.ACCEPT if self.accept else Decision.REJECT


@dataclass(frozen=True, slots=True)
class AcceptRule:
    """Accepts the URLs that contain a match of any of some regular expressions, and rejects all others."""

    patterns: Patterns
    reason: str = "not_accepted"

    def decide(self, url: str) -> Decision:
        """Accept a URL with a match; reject others."""
        return Decision.ACCEPT if self.patterns.found_in(url) else Decision.REJECT

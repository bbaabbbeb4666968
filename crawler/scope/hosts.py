"""Rules for hosts: the hosts that a crawl may ask, and staying where its seeds are.

Registrable domains are those of the public suffix list that the package publicsuffixlist contains; nothing is
downloaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from crawler.scope.rules import Decision, rejected
from crawler.url import canonical, hostname, origin
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
        raise ScopeError(f"stay = {kind!r}: a crawl can stay at its {', '.join(KINDS)}")
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
        raise ScopeError(f"{text!r} is not the name of a host: write one such as news.cn, without scheme, port or path")
    return hostname(url)

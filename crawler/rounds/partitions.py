"""The links of a round by host: each host in one partition only, so that politeness and robots.txt hold in each task.

Source: Apache Nutch's generator, which partitions a fetch list by host (R. Khare, D. Cutting, K. Sitaker, A. Rifkin,
Nutch: A flexible and scalable open-source web search engine, CommerceNet Labs TR 04-04, 2004).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from crawler.url import host


@dataclass(frozen=True, slots=True)
class Link:
    """A link to fetch in a round."""

    number: int
    """Number of its pick in the crawl."""
    url: str
    hops: tuple[str, ...] = ()
    """The URLs that redirected here from a host of another partition."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Links that one task fetches."""

    name: str
    """``ROUND.PART``, and ``ROUND.PART+WAVE`` for redirects that led to other hosts."""
    links: tuple[Link, ...]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of the links, each once, in order of their first link."""
        return tuple(dict.fromkeys(host(link.url) for link in self.links))

    def __str__(self) -> str:
        shown = ", ".join(self.hosts[:3]) + (" .." if len(self.hosts) > 3 else "")
        return f"{self.name} ({len(self.links)} links of {len(self.hosts)} hosts: {shown})"


def by_host(links: Iterable[Link], n: int, label: str, wave: int = 0) -> tuple[Partition, ...]:
    """Share out links to at most ``n`` partitions of about the same size.

    The host with the most links goes first, each to the partition with the fewest links so far.

    Args:
        links: the links, best first.
        n: number of partitions, at least 1.
        label: number of the round, for the names.
        wave: 0 for the chosen links, 1 .. for those that redirects led to.

    Returns:
        The partitions that have links, whose links keep their order.

    >>> urls = "http://a.cn/1", "http://a.cn/2", "http://b.cn/1", "http://c.cn/1"
    >>> [str(part) for part in by_host((Link(i, url) for i, url in enumerate(urls)), 2, "3")]
    ['3.1 (2 links of 1 hosts: a.cn)', '3.2 (2 links of 2 hosts: b.cn, c.cn)']
    """
    of_host: dict[str, list[Link]] = {}
    for link in links:
        of_host.setdefault(host(link.url), []).append(link)
    parts: list[list[Link]] = [[] for _ in range(min(n, len(of_host)))]
    smallest = [(0, row) for row in range(len(parts))]
    for group in sorted(of_host.values(), key=len, reverse=True):
        size, row = heapq.heappop(smallest)
        parts[row] += group
        heapq.heappush(smallest, (size + len(group), row))
    suffix = f"+{wave}" if wave else ""
    ordered = (tuple(sorted(part, key=lambda link: link.number)) for part in parts)
    return tuple(Partition(f"{label}.{row}{suffix}", part) for row, part in enumerate(ordered, start=1))

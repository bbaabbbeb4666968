"""What earlier crawls found out, as the beginning of what a crawl learns of ranks, hosts and words of links.

Not published; a reconstruction of "link structure goes back into the graph for PageRank" [R]:

    ranks   PR(P_l) is the larger one of that of the crawl and that of an earlier crawl: links are only ever added, so
            the larger value is that of the crawl that knew more links to the page. It is as it stands in the graph, by
            Eq. (7) of paper 000, also beside a column by Eq. (8)
    hosts   an earlier crawl counts as pages of the host, in hp_h = (rel_h + 1) / (cr_h + 2)
    words   it counts as pages that links with these words led to, and as pages with these tokens in their URLs

Counts of earlier crawls are scaled to PAGES pages together, so that the crawl's own pages outweigh them soon. An empty
prior changes no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from crawler.frontier.growable import Column
from crawler.frontier.url_ids import UrlIds
from crawler.model import Floats, Ids

PAGES = 30
"""Pages as which all earlier crawls count together."""
PARTS = ("ranks", "hosts", "words")
"""What a strategy may read of a prior."""
Pair = tuple[float, float]
"""Relevant pages, and all pages."""


@dataclass(frozen=True)
class Prior:
    """Figures of earlier crawls; empty by default.

    Attributes:
        runs: names of the crawls.
        ranks: URL -> PageRank, not scaled.
        hosts: host -> pages that were read there.
        words: hash of a token -> pages to which links with the token in their anchors led.
        urls: hash of a token -> pages with the token in their URL.
        led: all pages to which a link with an anchor led.
        read: all pages that were read.
    """

    runs: tuple[str, ...] = ()
    ranks: Mapping[str, float] = field(default_factory=dict)
    hosts: Mapping[str, Pair] = field(default_factory=dict)
    words: Mapping[int, Pair] = field(default_factory=dict)
    urls: Mapping[int, Pair] = field(default_factory=dict)
    led: Pair = (0.0, 0.0)
    read: Pair = (0.0, 0.0)


class TokenPrior:
    """Pages of earlier crawls by token.

    >>> tokens = TokenPrior({7: (1.0, 2.0)}, (3.0, 9.0))
    >>> [part.tolist() for part in tokens.of(np.array([5, 7]))], tokens.total
    ([[0.0, 1.0], [0.0, 2.0]], (3.0, 9.0))
    """

    def __init__(self, pages: Mapping[int, Pair], total: Pair) -> None:
        self.total = total
        """Relevant pages and all pages of the earlier crawls."""
        self._hashes = np.array(sorted(pages), dtype=np.int64)
        self._pages = np.array([pages[token] for token in self._hashes.tolist()], dtype=np.float64).reshape(-1, 2)

    def of(self, hashes: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """Return relevant pages and all pages with each token, shapes (m,); 0 for a token that none had."""
        found = np.zeros((len(hashes), 2))
        if len(self._hashes):
            at = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
            known = self._hashes[at] == hashes
            found[known] = self._pages[at[known]]
        return found[:, 0], found[:, 1]


class LinkPrior:
    """A prior by the ids of a crawl's links and the numbers of its hosts. Ids that are new are looked up once.

    >>> urls = UrlIds()
    >>> _ = urls.add(["http://a.cn/1", "http://b.cn/"])
    >>> prior = LinkPrior(Prior(("first",), {"http://b.cn/": 2.5}, {"a.cn": (1.0, 4.0)}), urls)
    >>> prior.ranks(np.array([0, 1])).tolist(), [part.tolist() for part in prior.hosts(np.array([0, 1]))]
    ([0.0, 2.5], [[1.0, 0.0], [4.0, 0.0]])
    >>> with prior.left_out():
    ...     bool(prior), prior.ranks(np.array([1])).tolist()
    (False, [0.0])
    """

    def __init__(self, prior: Prior, urls: UrlIds) -> None:
        self.of = prior
        self.largest = max(prior.ranks.values(), default=0.0)
        """The largest PageRank."""
        self._urls = urls
        self.words = TokenPrior(prior.words, prior.led)
        """Pages by the words of the links that led to them."""
        self.url_tokens = TokenPrior(prior.urls, prior.read)
        """Pages by the tokens of their URLs."""
        self._rank, self._relevant, self._pages = Column(), Column(), Column()
        self._known = [0, 0]
        """Number of links and of hosts that were looked up."""
        self.is_left_out = False
        """Whether it is to count as empty for a while; who reads words sees to that itself."""

    def __bool__(self) -> bool:
        return bool(self.of.runs) and not self.is_left_out

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Let the prior count as empty within the block, so that what comes of it can be told apart."""
        self.is_left_out = True
        try:
            yield
        finally:
            self.is_left_out = False

    def ranks(self, links: Ids) -> Floats:
        """Return the PageRank of links in earlier crawls, 0 for those without one; shape (m,)."""
        if not self or not self.of.ranks:
            return np.zeros(len(links))
        new = self._urls.since(self._known[0])
        _append(self._rank, self._known[0], [self.of.ranks.get(url, 0.0) for url in new])
        self._known[0] += len(new)
        return self._rank.get(links)

    def hosts(self, hosts: Ids) -> tuple[Floats, Floats]:
        """Return relevant pages and all pages of hosts, given by their numbers; shapes (m,)."""
        if not self or not self.of.hosts:
            return np.zeros(len(hosts)), np.zeros(len(hosts))
        new = self._urls.hosts_since(self._known[1])
        for column, part in ((self._relevant, 0), (self._pages, 1)):
            _append(column, self._known[1], [self.of.hosts.get(host, (0.0, 0.0))[part] for host in new])
        self._known[1] += len(new)
        return self._relevant.get(hosts), self._pages.get(hosts)


def _append(column: Column, known: int, values: list[float]) -> None:
    column.grow(known + len(values))
    column.set(np.arange(known, known + len(values)), np.array(values))

"""A web as arrays: its pages, links and labels, read once by breadth-first search, for figures and for an oracle."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.fetching.fetch import Fetched, Fetcher
from crawler.model import ParsedPage, World
from crawler.pages.parse import parse

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Web:
    """The part of a web that can be reached from some seeds.

    Attributes:
        urls: final URL of each of the n pages, in order of discovery; seeds come first.
        titles: title of each page.
        relevant: whether each page is relevant by label, shape (n,); None without labels.
        distance: least number of links from a seed to each page, shape (n,).
        source: page of each link, shape (m,); links between pages only, one for each pair.
        target: page that each link leads to, shape (m,).
        anchors: anchor text of each link.
        seeds: the pages that are seeds.
        failed: number of links' targets that are no page: an error, a page closed to robots, no text.
        labelled: number of URLs that are relevant by label; None without labels.
        reached: number of those that were reached; None without labels.
        complete: whether no limit ended the reading.
    """

    urls: tuple[str, ...]
    titles: tuple[str, ...]
    relevant: NDArray[np.bool_] | None
    distance: Ints
    source: Ints
    target: Ints
    anchors: tuple[str, ...]
    seeds: tuple[int, ...]
    failed: int
    labelled: int | None
    reached: int | None
    complete: bool

    def __len__(self) -> int:
        """Number of pages."""
        return len(self.urls)

    def out_links(self) -> list[Ints]:
        """Return the targets of each page's links."""
        order = np.argsort(self.source, kind="stable")
        counts = np.bincount(self.source, minlength=len(self))
        return np.split(self.target[order], np.cumsum(counts)[:-1])


def read(
    world: World,
    seeds: Sequence[str],
    labels: Collection[str] | None,
    *,
    user_agent: str,
    limit: int | None = None,
    on_page: Callable[[int], None] = lambda pages: None,
) -> Web:
    """Read a web breadth-first, following every link that a crawl may follow.

    robots.txt and rel=nofollow are obeyed, and redirects followed, as a crawl does it.

    Args:
        world: the web.
        seeds: URLs to begin with.
        labels: URLs of the relevant pages; None for no labels. Only the result has them.
        user_agent: name of the crawler.
        limit: largest number of pages; None for all.
        on_page: called with the number of pages after each one.

    Returns:
        The web. A page is relevant if a URL of it, or one that redirects to it, is.
    """
    reading = _Reading(Fetcher(world, user_agent=user_agent), frozenset(labels) if labels is not None else None)
    for url in seeds:
        reading.queue(url, 0)
    while reading.waiting and (limit is None or len(reading.urls) < limit):
        reading.fetch_next()
        on_page(len(reading.urls))
    return reading.web(seeds)


class _Reading:
    """What is known while a web is read."""

    def __init__(self, fetcher: Fetcher, labels: frozenset[str] | None) -> None:
        self.fetcher, self.labels = fetcher, labels
        self.waiting: deque[str] = deque()
        self.distances: dict[str, int] = {}
        """URL that a link names -> its least distance from a seed."""
        self.page_of: dict[str, int] = {}
        """URL that was requested, or to which it redirects -> number of its page."""
        self.urls: list[str] = []
        self.titles: list[str] = []
        self.relevant: list[bool] = []
        self.distance: list[int] = []
        self.links: list[tuple[int, str, str]] = []
        self.failed = 0

    def queue(self, url: str, distance: int) -> None:
        if url not in self.distances:
            self.distances[url] = distance
            self.waiting.append(url)

    def fetch_next(self) -> None:
        url = self.waiting.popleft()
        if url in self.page_of:
            return
        fetched = self.fetcher.get(url)
        page = parse(fetched.response) if isinstance(fetched, Fetched) else None
        if not isinstance(fetched, Fetched) or not isinstance(page, ParsedPage):
            self.failed += 1
            return
        addresses = (url, *fetched.hops, fetched.final_url)
        number = self.page_of.get(fetched.final_url)
        if number is None:
            number = self._add(fetched.final_url, page, self.distances[url])
        for address in addresses:
            self.page_of[address] = number
        if self.labels is not None and not self.labels.isdisjoint(addresses):
            self.relevant[number] = True

    def _add(self, url: str, page: ParsedPage, distance: int) -> int:
        number = len(self.urls)
        self.urls.append(url)
        self.titles.append(page.title)
        self.relevant.append(False)
        self.distance.append(distance)
        for link in page.links:
            self.links.append((number, link.url, link.anchor))
            self.queue(link.url, distance + 1)
        return number

    def web(self, seeds: Sequence[str]) -> Web:
        found = dict[tuple[int, int], str]()
        for source, url, anchor in self.links:
            target = self.page_of.get(url)
            if target is not None and target != source:
                found.setdefault((source, target), anchor)
        ends: Any = np.array(list(found), dtype=np.int64).reshape(-1, 2)
        return Web(
            urls=tuple(self.urls),
            titles=tuple(self.titles),
            relevant=None if self.labels is None else np.array(self.relevant, dtype=np.bool_),
            distance=np.array(self.distance, dtype=np.int64),
            source=ends[:, 0],
            target=ends[:, 1],
            anchors=tuple(found.values()),
            seeds=tuple(dict.fromkeys(self.page_of[url] for url in seeds if url in self.page_of)),
            failed=self.failed,
            labelled=None if self.labels is None else len(self.labels),
            reached=None if self.labels is None else len(self.labels & self.page_of.keys()),
            complete=not self.waiting,
        )

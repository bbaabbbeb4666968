"""Responses and parsed pages of a web, kept between the crawls of a lab: each page is made and parsed once a process.

The world of a crawl is a `KeptWorld`. It answers requests and counts them, and has nothing else: a crawl cannot reach
the labels of the web behind it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from crawler.fetching.fetch import Fetched
from crawler.model import Counts, Failure, Response, World
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.text import Matcher

MOST = 30_000
"""Responses and pages that are kept, each; those that were used last. About 1 GB of pages of a synthetic web."""
T = TypeVar("T")


class Kept(OrderedDict[Hashable, T]):
    """Values by key, at most so many; the one that was not asked for longest is forgotten."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self.most = most

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, which is made if it is not kept."""
        if key in self:
            self.move_to_end(key)
            return self[key]
        value = self[key] = make()
        if len(self) > self.most:
            self.popitem(last=False)
        return value


@dataclass(frozen=True, slots=True)
class PackedPage:
    """A page whose counts of words, nearly all of them 0, are kept without the zeros: a tenth of the memory."""

    rest: PageRecord
    counts: Mapping[str, tuple[tuple[int, ...], NDArray[np.int32], Counts]]
    """Vocabulary -> shape of its counts, and places and values of those that are not 0."""

    @classmethod
    def of(cls, record: PageRecord) -> Self:
        """Pack a page."""
        packed = {}
        for name, F in record.counts.items():
            at = np.flatnonzero(F)
            packed[name] = (F.shape, at.astype(np.int32), F.reshape(-1)[at])
        return cls(replace(record, counts={}), packed)

    def record(self) -> PageRecord:
        """Return the page."""
        counts = {}
        for name, (shape, at, values) in self.counts.items():
            F = np.zeros(shape, dtype=values.dtype)
            F.reshape(-1)[at] = values
            counts[name] = F
        return replace(self.rest, counts=counts)


class KeptPages:
    """The pages of one web, which never changes."""

    def __init__(self, world: World, most: int = MOST) -> None:
        self._world = world
        self._responses: Kept[Response | Failure] = Kept(most)
        self._records: Kept[PackedPage] = Kept(most)

    def response(self, url: str) -> Response | Failure:
        """Return the response to a request."""
        return self._responses.get_or_make(url, lambda: self._world.fetch(url))

    def record(self, words: str, url: str, fetched: Fetched | Failure, matcher: Matcher, extras: Extras) -> PageRecord:
        """Return a parsed page.

        Args:
            words: digest of the vocabularies of the matcher, and of the file of the classifier if there is one.
            url: URL that was requested.
            fetched: its response.
            matcher: counter of the words.
            extras: further parts of the page.
        """
        parts = (extras.classify is not None, extras.divisions is not None, extras.words, extras.tokens is not None)
        key = (words, url, extras.robot, *parts)
        made = self._records.get_or_make(key, lambda: PackedPage.of(page_record(url, fetched, matcher, extras)))
        return made.record()


class KeptWorld:
    """What a crawl sees of a web: an answer to each request."""

    __slots__ = ("_ask", "requests")

    name = "kept"

    def __init__(self, pages: KeptPages) -> None:
        self._ask = pages.response
        self.requests = 0
        """Requests so far, those for robots.txt not counted."""

    def fetch(self, url: str) -> Response | Failure:
        """Return the response to a request."""
        self.requests += not url.endswith("/robots.txt")
        return self._ask(url)

    def close(self) -> None:
        """Do nothing: the web is used by other crawls."""

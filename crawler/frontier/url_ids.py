"""Ids of canonical URLs, in the order of discovery, and the numbers of their hosts and directories.

A dictionary of a million strings takes some 80 bytes for each, besides the strings. Here a table of numbers with open
addressing takes 7 to 14; a string is found by comparing it with those of the numbers at its place.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from crawler.model import Ids

_FREE = -1
_FILL = 0.6
"""Largest share of the places of a table that may be taken."""


class _Index:
    """Numbers 0, 1, .. of distinct strings, which their owner keeps.

    Args:
        text_of: returns the string of a number.
    """

    def __init__(self, text_of: Callable[[int], str]) -> None:
        self._text_of = text_of
        self._places = array("i", [_FREE]) * 64
        self._size = 0

    def find(self, text: str) -> int | None:
        """Return the number of a string; None for an unknown one."""
        places, text_of = self._places, self._text_of
        mask = len(places) - 1
        at = hash(text) & mask
        while (number := places[at]) != _FREE:
            if text_of(number) == text:
                return number
            at = (at + 1) & mask
        return None

    def add(self, text: str) -> None:
        """Assign the next number to a new string, of which ``text_of`` is called from now on."""
        if self._size >= _FILL * len(self._places):
            self.extend(())
        places = self._places
        mask = len(places) - 1
        at = hash(text) & mask
        while places[at] != _FREE:
            at = (at + 1) & mask
        places[at] = self._size
        self._size += 1

    def extend(self, texts: Sequence[str]) -> None:
        """Assign the next numbers to new strings, and make room for more."""
        hashes = np.fromiter(map(hash, (*map(self._text_of, range(self._size)), *texts)), dtype=np.int64)
        self._size = len(hashes)
        size = len(self._places)
        while self._size >= _FILL * size:
            size *= 2
        self._places = array("i", [_FREE]) * size
        places: NDArray[np.int32] = np.frombuffer(self._places, dtype=np.int32)
        waiting, at = np.arange(self._size, dtype=np.int32), hashes & (size - 1)
        while len(waiting):
            free = places[at] == _FREE
            places[at[free]] = waiting[free]  # of several numbers with one place the last stays
            placed = places[at] == waiting
            waiting, at = waiting[~placed], (at[~placed] + 1) & (size - 1)


class UrlIds:
    """Bidirectional map of URLs and ids. Ids are 0, 1, .. and never change.

    >>> ids = UrlIds()
    >>> ids.add(["http://a.cn/1.html", "http://a.cn/news/2.html"])
    ([0, 0], [0, 1])
    >>> ids.id("http://a.cn/news/2.html"), ids.url(0)
    (1, 'http://a.cn/1.html')
    """

    def __init__(self) -> None:
        self._url: list[str] = []
        self._ids = _Index(self._url.__getitem__)
        self._host: dict[str, int] = {}
        self._in_directory = array("i")
        """Directory -> its first URL, which has its name."""
        self._directories = _Index(lambda number: _directory(self._url[self._in_directory[number]]))

    def __len__(self) -> int:
        return len(self._url)

    def __contains__(self, url: str) -> bool:
        return self._ids.find(url) is not None

    def url(self, link: int) -> str:
        """Return the URL of an id."""
        return self._url[link]

    def id(self, url: str) -> int | None:
        """Return the id of a URL; None for an unknown one."""
        return self._ids.find(url)

    def since(self, n: int) -> list[str]:
        """Return the URLs with ids n, n+1, .."""
        return self._url[n:]

    def hosts_since(self, n: int) -> list[str]:
        """Return the hosts with numbers n, n+1, .."""
        return [*islice(self._host, n, None)]

    def add(self, new: Iterable[str]) -> tuple[list[int], list[int]]:
        """Assign the next ids to new URLs.

        Returns:
            The numbers of the hosts of the URLs, and those of their directories.
        """
        hosts, directories = [], []
        for url in new:
            self._url.append(url)
            self._ids.add(url)
            name = _directory(url)
            hosts.append(self._host.setdefault(name[: name.index("/")], len(self._host)))
            number = self._directories.find(name)
            if number is None:
                number = len(self._in_directory)
                self._in_directory.append(len(self._url) - 1)
                self._directories.add(name)
            directories.append(number)
        return hosts, directories

    def restore(self, known: Sequence[str], hosts: Ids, directories: Ids) -> None:
        """Restore all URLs into a new object.

        Args:
            known: URLs by id.
            hosts: number of the host of each, as ``add`` returned it, shape (n,).
            directories: number of the directory of each, shape (n,).
        """
        self._url.extend(known)
        self._ids.extend(known)
        for first in np.unique(hosts, return_index=True)[1].tolist():
            name = _directory(known[first])
            self._host[name[: name.index("/")]] = len(self._host)
        self._in_directory.extend(np.unique(directories, return_index=True)[1].tolist())
        self._directories.extend([_directory(known[first]) for first in self._in_directory])


def _directory(url: str) -> str:
    """Return the host and the directories of a canonical URL, as ``crawler.url.directory`` does, but faster."""
    start, query = url.index("//") + 2, url.find("?")
    return url[start : url.rindex("/", start, len(url) if query < 0 else query) + 1]

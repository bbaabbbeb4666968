"""Ids of canonical URLs, in the order of discovery, and the numbers of their hosts and directories."""

from __future__ import annotations

from collections.abc import Iterable

from crawler import url as urls


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
        self._id: dict[str, int] = {}
        self._host: dict[str, int] = {}
        self._directory: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._url)

    def __contains__(self, url: str) -> bool:
        return url in self._id

    def url(self, link: int) -> str:
        """Return the URL of an id."""
        return self._url[link]

    def id(self, url: str) -> int | None:
        """Return the id of a URL; None for an unknown one."""
        return self._id.get(url)

    def since(self, n: int) -> list[str]:
        """Return the URLs with ids n, n+1, .."""
        return self._url[n:]

    def add(self, new: Iterable[str]) -> tuple[list[int], list[int]]:
        """Assign the next ids to new URLs.

        Returns:
            The numbers of the hosts of the URLs, and those of their directories.
        """
        hosts, directories = [], []
        for url in new:
            self._id[url] = len(self._url)
            self._url.append(url)
            hosts.append(self._host.setdefault(urls.host(url), len(self._host)))
            directories.append(self._directory.setdefault(urls.directory(url), len(self._directory)))
        return hosts, directories

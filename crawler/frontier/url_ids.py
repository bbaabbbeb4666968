"""The ids of canonical URLs, in the order of discovery, and the numbers of their hosts and directories."""

from __future__ import annotations

from collections.abc import Iterable

from crawler import url as urls


class UrlIds:
    """URL <-> id. Ids are 0, 1, .. and never change."""

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
        return self._url[link]

    def id(self, url: str) -> int | None:
        """Id of a known URL, else None."""
        return self._id.get(url)

    def since(self, n: int) -> list[str]:
        """The URLs with ids n, n+1, .."""
        return self._url[n:]

    def add(self, new: Iterable[str]) -> tuple[list[int], list[int]]:
        """Give ids to URLs that have none.

        Returns:
            The number of the host of each URL, and that of its directory.
        """
        hosts, directories = [], []
        for url in new:
            self._id[url] = len(self._url)
            self._url.append(url)
            hosts.append(self._host.setdefault(urls.host(url), len(self._host)))
            directories.append(self._directory.setdefault(urls.directory(url), len(self._directory)))
        return hosts, directories

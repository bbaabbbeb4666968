"""Caps: how many links of a host, a directory or a URL pattern are chosen. They count requests chosen, not pages.

When a cap is reached, the links of its group that wait in the queue are withdrawn, and later ones are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.frontier import Frontier
from crawler.frontier.growable import with_room
from crawler.frontier.link_set import LinkSet
from crawler.model import Ids
from crawler.scope.scope import Bounds

_ID = r"(?=[0-9a-f-]*[0-9])[0-9a-f]{8}(?:-?[0-9a-f]{4}){2,}[0-9a-f-]*"
_NUMBER = re.compile(rf"(?<![0-9a-z])({_ID})(?![0-9a-z])|\d+", re.IGNORECASE)


def url_pattern(url: str) -> str:
    """Return the pattern of a canonical URL.

    Numbers and hexadecimal ids of 16 digits or more in its path are placeholders; the names of the parameters stand
    without their values, sorted.

    >>> url_pattern("http://a.cn/news/2013/88.html?page=2&cat=7")
    'http://a.cn/news/{n}/{n}.html?cat&page'
    >>> url_pattern("http://a.cn/x/0af3c9d1-77b2-4c1e-9a01-5f0c4b7d2e11")
    'http://a.cn/x/{id}'
    """
    at = url.index("/", 8)
    route, _, query = url[at:].partition("?")
    names = sorted({item.partition("=")[0] for item in query.split("&")}) if query else ()
    pattern = _NUMBER.sub(lambda match: "{id}" if match.group(1) else "{n}", route)
    return f"{url[:at]}{pattern}{'?' if names else ''}{'&'.join(names)}"


class _Cap:
    """A cap of one kind of group, with the number of links counted of each."""

    def __init__(self, limit: int, reason: str) -> None:
        self.limit, self.reason = limit, reason
        self.counts: dict[int, int] = {}
        self.full = LinkSet()

    def count(self, group: int) -> bool:
        """Count a link of a group; return whether the group has become full."""
        self.counts[group] = count = self.counts.get(group, 0) + 1
        if count != self.limit:
            return False
        self.full.add(group)
        return True


class Caps:
    """The caps of a crawl; without any it costs nothing."""

    def __init__(self, bounds: Bounds, frontier: Frontier) -> None:
        """Start without links; the frontier knows the hosts and directories of links."""
        self._frontier = frontier
        self._patterns: dict[str, int] = {}
        self._pattern: NDArray[np.int32] = np.zeros(64, dtype=np.int32)
        kinds = (
            ("host", bounds.per_host, "host_cap"),
            ("directory", bounds.per_directory, "directory_cap"),
            ("pattern", bounds.per_pattern, "pattern_cap"),
        )
        self._caps = {kind: _Cap(limit, reason) for kind, limit, reason in kinds if limit}
        self._counted = LinkSet()
        self._over: dict[int, str] = {}
        """Link -> reason code of those that were chosen when their group was full."""

    def add(self, links: Ids, urls: Sequence[str]) -> None:
        """Add new links."""
        if "pattern" in self._caps:
            self._pattern = with_room(self._pattern, int(links.max(initial=-1)) + 1)
            numbers = [self._patterns.setdefault(url_pattern(url), len(self._patterns)) for url in urls]
            self._pattern[links] = numbers

    def choose(self, links: Sequence[int]) -> dict[int, str]:
        """Count links that were chosen, in order.

        Links whose group was full by then are in ``over``: they must fail without a request.

        Returns:
            Link -> reason code of those that were withdrawn from the queue because their group has become full.
        """
        return self._count(links, strict=True) if self._caps else {}

    def read(self, final: int) -> dict[int, str]:
        """Count the link to whose URL another one redirected, even of a full group; as ``choose`` otherwise."""
        return self._count([final], strict=False) if self._caps else {}

    def over(self, link: int) -> str | None:
        """Return the reason code of a link that was chosen when its group was full, else None."""
        return self._over.get(link)

    def refusals(self, links: Ids) -> dict[int, str]:
        """Return link -> reason code of those whose group is full; the host counts before directory and pattern."""
        refused: dict[int, str] = {}
        for kind, cap in reversed(self._caps.items()):
            full = cap.full.mask(self._groups(kind, links))
            refused |= dict.fromkeys(links[full & ~self._counted.mask(links)].tolist(), cap.reason)
        return refused

    def _count(self, links: Sequence[int], *, strict: bool) -> dict[int, str]:
        became_full = False
        for link in links:
            if link in self._counted:  # it is tried again
                continue
            reason = self.refusals(np.array([link])).get(link) if strict else None
            if reason is not None:
                self._over[link] = reason
                continue
            self._counted.add(link)
            for kind, cap in self._caps.items():
                became_full |= cap.count(int(self._groups(kind, np.array([link]))[0]))
        return self._withdraw() if became_full else {}

    def _withdraw(self) -> dict[int, str]:
        queued = self._frontier.queued()
        withdrawn = self.refusals(queued)
        self._frontier.take(np.fromiter(withdrawn, dtype=np.int64))
        return withdrawn

    def _groups(self, kind: str, links: Ids) -> Ids:
        return self._pattern[links].astype(np.int64) if kind == "pattern" else self._frontier.numbers(kind, links)

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return what ``restore`` needs besides the URLs and the columns of the frontier."""
        return {"counted": self._counted.packed(), "over": [[link, reason] for link, reason in self._over.items()]}

    def restore(self, saved: Mapping[str, Any], urls: Sequence[str], columns: Mapping[str, Any]) -> None:
        """Restore a state.

        Args:
            saved: the result of ``state``.
            urls: all known URLs by id.
            columns: the saved columns of the frontier.
        """
        if not self._caps:
            return
        self.add(np.arange(len(urls), dtype=np.int64), urls)
        self._counted.restore(saved["counted"])
        self._over = {int(link): str(reason) for link, reason in saved["over"]}
        counted = self._counted.members()
        for kind, cap in self._caps.items():
            groups, counts = np.unique(
                self._pattern[counted] if kind == "pattern" else columns[kind][counted], return_counts=True
            )
            cap.counts = dict(zip(groups.tolist(), counts.tolist(), strict=True))
            cap.full.update(groups[counts >= cap.limit].astype(np.int64))

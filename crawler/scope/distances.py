"""How far links are from the seeds: lengths of the best known paths, which get shorter as nearer pages are read.

The length of a link is the least over the pages that contain it; each page adds to its own length or starts anew, by
the measure. So the lengths are a function of what was read, in whatever order, and a resumed crawl computes them again.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.frontier import Frontier
from crawler.frontier.growable import with_room
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.link_set import LinkSet
from crawler.model import Ids
from crawler.scope.scope import Bounds

_FAR = np.iinfo(np.int32).max - 1
"""Length of a link that no page which was read contains."""
Lengths = NDArray[np.int32]
Step = Callable[[Ids, Ids, Lengths], Lengths]
"""Lengths of targets over the pages that contain them, from pages, targets and the lengths of the pages; of shape ()
where all targets of one page have the same."""


class _Length:
    """The lengths of all links by one measure, and the links over its limit."""

    def __init__(self, limit: int, reason: str, step: Step) -> None:
        self.limit, self.reason, self._step = limit, reason, step
        self.of: Lengths = np.full(64, _FAR, dtype=np.int32)

    def grow(self, n: int) -> None:
        self.of = with_room(self.of, n, _FAR)

    def over(self, links: Ids) -> Ids:
        """Return which of the links are over the limit."""
        return links[self.of[links] > self.limit]

    def shorten(self, pages: Ids, targets: Ids) -> tuple[Ids, Ids]:
        """Shorten the lengths of targets over pages that contain them.

        Args:
            pages: a page for each target, shape (m,); or one page, shape (), of distinct targets.
            targets: links, shape (m,).

        Returns:
            The links with a new length; those of them that were over the limit and are not any more.
        """
        new, before = self._step(pages, targets, self.of[pages]), self.of[targets]
        better = new < before
        links, before = targets[better], before[better]
        new = new[better] if new.ndim else new
        if pages.ndim == 0:
            self.of[links] = new
        else:
            np.minimum.at(self.of, links, new)
            links, first = np.unique(links, return_index=True)
            before = before[first]
        was_over = (before > self.limit) & (before < _FAR)
        return links, links[was_over & (self.of[links] <= self.limit)] if was_over.any() else _NONE


class Distances:
    """The lengths that the bounds of a crawl limit; without such bounds it costs nothing."""

    def __init__(self, bounds: Bounds, graph: LinkGraph) -> None:
        """Start without links.

        Args:
            bounds: the limits.
            graph: the links between known pages; its owner adds them before ``read`` is called.
        """
        self._graph = graph
        self._form: NDArray[np.uint32] = np.zeros(64, dtype=np.uint32)
        """A number of the URL without the digits after its host, where a measure needs it."""
        self._relevant, self._pages = LinkSet(), LinkSet()
        self._same: dict[int, list[int]] = {}
        """Link -> the links of the same page, by a redirect."""
        limits = (
            (bounds.depth, "max_depth", _further),
            (bounds.offtopic_depth - 1, "max_offtopic_depth", self._further_offtopic),
            (bounds.sequence, "endless_sequence", self._further_in_sequence),
        )
        given = (bounds.depth, bounds.offtopic_depth, bounds.sequence)
        self._lengths = [_Length(*limit) for limit, is_given in zip(limits, given, strict=True) if is_given]
        self._forms = bounds.sequence > 0

    def add(self, links: Ids, urls: Sequence[str], hosts: Sequence[int] | Ids) -> None:
        """Add new links with the numbers of their hosts."""
        n = int(links[-1]) + 1 if len(links) else 0
        for length in self._lengths:
            length.grow(n)
        if self._forms:
            self._form = with_room(self._form, n)
            self._form[links] = list(map(_form, urls))
            self._form[links] ^= np.asarray(hosts, dtype=np.uint32) * np.uint32(_SPREAD)

    def plant(self, seeds: Ids) -> None:
        """Note which links are seeds; they have the length 0."""
        for length in self._lengths:
            length.of[seeds] = 0

    def read(self, page: int, final: int, targets: Ids, *, relevant: bool) -> Ids:
        """Note a page that was read.

        Args:
            page: the link that was chosen.
            final: the link of the URL at which the page was read, the same one without a redirect.
            targets: the distinct links of the page, shape (m,).
            relevant: the judge's decision about it.

        Returns:
            Other links that were over a limit and are over none any more, shape (k,), distinct.
        """
        if not self._lengths:
            return _NONE
        self._pages.add(page)
        if relevant:
            self._relevant.add(page)
        freed = list[Ids]()
        if page != final:
            self._join(page, final)
        for length in self._lengths:
            if page != final:
                length.of[[page, final]] = min(length.of[page], length.of[final])
            nearer, more = length.shorten(np.array(page), targets)
            freed += [links for links in (more, *self._spread(length, nearer)) if len(links)]
        if not freed:
            return _NONE
        other = np.setdiff1d(np.concatenate(freed), targets)
        for length in self._lengths:
            other = other[length.of[other] <= length.limit]
        return other

    def refusals(self, links: Ids) -> dict[int, str]:
        """Return link -> reason code of those that are too far away; the first limit counts."""
        refused: dict[int, str] = {}
        for length in reversed(self._lengths):
            refused |= dict.fromkeys(length.over(links).tolist(), length.reason)
        return refused

    def _join(self, page: int, final: int) -> None:
        self._same.setdefault(page, []).append(final)
        self._same.setdefault(final, []).append(page)

    def _spread(self, length: _Length, nearer: Ids) -> Iterable[Ids]:
        """Shorten the lengths behind pages that were read before and came nearer; yield the links that are freed."""
        while len(nearer):
            for link in nearer.tolist() if self._same else ():
                for other in self._same.get(link, ()):
                    if length.of[other] > length.of[link]:
                        length.of[other] = length.of[link]
                        nearer = np.append(nearer, other)
            pages = nearer[self._pages.mask(nearer)]
            if not len(pages):
                return
            nearer, freed = length.shorten(*self._graph.links_of(pages))
            yield freed

    # ---- measures -----------------------------------------------------------------------------------------------

    def _further_offtopic(self, pages: Ids, targets: Ids, lengths: Lengths) -> Lengths:
        return np.where(self._relevant.mask(pages), np.int32(0), lengths + np.int32(1))

    def _further_in_sequence(self, pages: Ids, targets: Ids, lengths: Lengths) -> Lengths:
        return np.where(self._form[pages] == self._form[targets], lengths + np.int32(1), np.int32(0))

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return what ``restore`` needs besides the URLs and the graph."""
        pairs = [(link, other) for link, others in self._same.items() for other in others if link < other]
        return {"relevant": self._relevant.packed(), "same": np.array(pairs, dtype=np.int64).reshape(-1, 2)}

    def restore(self, saved: Mapping[str, Any], urls: Sequence[str], hosts: Ids, seeds: Ids) -> None:
        """Restore a state, with the lengths as the graph says.

        Args:
            saved: the result of ``state``.
            urls: all known URLs by id.
            hosts: numbers of their hosts.
            seeds: the links that were planted.
        """
        if not self._lengths:
            return
        self._relevant.restore(saved["relevant"])
        for page, other in saved["same"].tolist():
            self._join(page, other)
        ids = np.arange(len(urls), dtype=np.int64)
        self.add(ids, urls, hosts)
        self._pages.update(self._graph.pages)
        self.plant(seeds)
        for length in self._lengths:
            for _ in self._spread(length, seeds):
                pass


_NONE: Ids = np.empty(0, dtype=np.int64)
_DIGITS = b"0123456789"
_SPREAD = 2_654_435_761
"""An odd number that spreads small numbers over 32 bits."""


def _further(pages: Ids, targets: Ids, lengths: Lengths) -> Lengths:
    return lengths + np.int32(1)


def _form(url: str) -> int:
    """Return a number of a URL without its digits."""
    return zlib.crc32(url.encode().translate(None, _DIGITS))


# ---- caps: how many links of a host, a directory or a URL pattern are chosen. They count requests chosen, not pages
#
# When a cap is reached, the links of its group that wait in the queue are withdrawn, and later ones are refused.


_ID = r"(?=[0-9a-f-]*[0-9])[0-9a-f]{8}(?:-?[0-9a-f]{4}){2,}[0-9a-f-]*"
_NUMBER = re.compile(rf"(?<![0-9a-z])({_ID})(?![0-9a-z])|\d+", re.IGNORECASE)


def _url_pattern(url: str) -> str:
    """Return the pattern of a canonical URL.

    Numbers and hexadecimal ids of 16 digits or more in its path are placeholders; the names of the parameters stand
    without their values, sorted.

    >>> _url_pattern("http://a.cn/news/2013/88.html?page=2&cat=7")
    'http://a.cn/news/{n}/{n}.html?cat&page'
    >>> _url_pattern("http://a.cn/x/0af3c9d1-77b2-4c1e-9a01-5f0c4b7d2e11")
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
            numbers = [self._patterns.setdefault(_url_pattern(url), len(self._patterns)) for url in urls]
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

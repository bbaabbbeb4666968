"""How far links are from the seeds: lengths of the best known paths, which get shorter as nearer pages are read.

The length of a link is the least over the pages that contain it; each page adds to its own length or starts anew, by
the measure. So the lengths are a function of what was read, in whatever order, and a resumed crawl computes them again.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

"""The known links of a crawl: ids, rows in the frontier, dates, and which of them are out of scope.

Whether a link is in scope may change: a nearer page comes up, the hosts of the seeds are extended by a redirect, a cap
is reached. All of this follows from the pages that were read, in their order, and from the choices.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from crawler.frontier import Frontier
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.link_set import LinkSet
from crawler.frontier.url_ids import UrlIds
from crawler.model import Ids
from crawler.pages.dates import date_in_url, day_number
from crawler.scope import Scope
from crawler.scope.distances import Caps, Distances

_PERMUTED = "permuted_parameters"
"""Reason of a URL that differs from a known one in the order of its parameters alone."""


@dataclass(frozen=True)
class ScopeChange:
    """What a page changed about the scope of links that are not its own."""

    freed: Ids = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Links that were out of scope and are not any more, shape (k,)."""
    withdrawn: Mapping[int, str] = field(default_factory=dict)
    """Link -> reason code of those that were queued and are not any more."""


class Discovery:
    """What a crawl knows of a URL from the moment when it first sees it."""

    def __init__(self, scope: Scope, frontier: Frontier, graph: LinkGraph) -> None:
        """Start with no links; each one gets a row in ``frontier`` and ``graph``."""
        self.urls = UrlIds()
        self._scope = scope
        self._frontier = frontier
        self._graph = graph
        self._out_of_scope = LinkSet()
        self._permuted = LinkSet()
        self._queries = set[bytes]()
        """Digests of the known URLs in scope with several parameters, whatever the order of these."""
        self._data = LinkSet()
        """Data files that pages load by their scripts, which are in scope in spite of their suffix."""
        self._seeds = 0
        self._asked: list[int] = []
        """Links that a person or the crawl itself asked for; like seeds, they have no distance."""
        self._distances = Distances(scope.bounds, graph)
        self._caps = Caps(scope.bounds, frontier)
        self._dated = LinkSet()
        """Links with a date in their URL, which no date of a parent replaces."""

    def plant(self, seeds: Sequence[str]) -> Ids:
        """Assign the first ids to the seeds, which are fetched whatever the scope; return them, shape (m,)."""
        ids = self.add(seeds, 0)
        self._seeds = len(seeds)
        self._distances.plant(ids)
        return ids

    def ask(self, url: str, step: int) -> int:
        """Return the id of a page that a person or the crawl itself asks for, to be fetched whatever its distance.

        Args:
            url: its canonical URL, known or not.
            step: number of pages fetched so far.
        """
        known = self.urls.id(url)
        link = int(self.add([url], step)[0]) if known is None else known
        self._asked.append(link)
        self._distances.plant(np.array([link]))
        return link

    def may_ask(self, url: str) -> bool:
        """Return whether a URL is not known and in scope, so that the crawl itself may ask for it (``ask``)."""
        return self.urls.id(url) is None and self._scope.decide(url) is None

    def add(
        self, new: Sequence[str], step: int, blocks: Sequence[int] | None = None, data: Collection[str] = ()
    ) -> Ids:
        """Assign ids and rows in the frontier to new URLs, with the date in the URL if there is one.

        Args:
            new: unknown canonical URLs, each once.
            step: number of pages fetched so far.
            blocks: number of the content block of each link; None for 0.
            data: those of them that are data files, in scope in spite of their suffix.

        Returns:
            Their ids, shape (m,).
        """
        if not new:
            return np.empty(0, dtype=np.int64)
        hosts, directories = self.urls.add(new)
        dates = [day_number(date_in_url(url)) for url in new]
        ids = self._frontier.discover(
            host=hosts, directory=directories, block=blocks or [0] * len(new), step=[step] * len(new), date=dates
        )
        self._graph.grow(self._frontier.n)
        self._dated.update(ids[~np.isnan(dates)])
        if data:
            self._scope.accept_data(data)
            self._data.update(int(i) for i, url in zip(ids, new, strict=True) if url in data)
        self._out_of_scope.update(int(i) for i, url in zip(ids, new, strict=True) if self._scope.decide(url))
        if self._scope.bounds.permutations:
            self._find_permutations(ids, new)
        self._distances.add(ids, new, hosts)
        self._caps.add(ids, new)
        return ids

    def _find_permutations(self, ids: Ids, urls: Sequence[str]) -> None:
        for link, url in [item for item in zip(ids.tolist(), urls, strict=True) if "&" in item[1]]:
            if link in self._out_of_scope:
                continue
            digest = _without_order(url)
            if digest in self._queries:
                self._permuted.add(link)
            self._queries.add(digest)

    def inherit_date(self, links: Ids, day: float) -> None:
        """Set the date of links from the date of a parent, where it is the newest one (paper 001, section 4).

        Args:
            links: ids, shape (m,).
            day: day number of the parent; NaN where unknown.
        """
        dates = self._frontier.column("date", links)
        older = np.isnan(dates) | ((dates < day) & ~self._dated.mask(links))
        self._frontier.set_date(links[older], day)

    def read(self, page: int, final_url: str, hops: Sequence[str], targets: Ids, *, relevant: bool) -> ScopeChange:
        """Note a page that was read, before its links are offered.

        Args:
            page: the link that was chosen.
            final_url: the URL at which the page was read; it is known.
            hops: the URLs that redirected there, the link first.
            targets: the distinct links of the page, shape (m,).
            relevant: the judge's decision about the page.

        Returns:
            How the scope of other links has changed.
        """
        final = self.urls.id(final_url)
        final = page if final is None else final
        withdrawn = {} if final == page else self._caps.read(final)
        freed = self._distances.read(page, final, targets, relevant=relevant)
        if hops and self._scope.extend(self.urls.url(page), (*hops[1:], final_url)):
            freed = np.union1d(freed, self._back_in_scope())
        return ScopeChange(np.setdiff1d(freed, targets) if len(freed) else freed, withdrawn)

    def _back_in_scope(self) -> Ids:
        """Decide about the links out of scope again, and return those that are in scope now."""
        outside = self._out_of_scope.members().tolist()
        back = [link for link in outside if self._scope.decide(self.urls.url(link)) is None]
        self._out_of_scope.difference_update(back)
        return np.array(back, dtype=np.int64)

    def choose(self, links: Sequence[int]) -> Mapping[int, str]:
        """Note links that were chosen, in order; those over a cap must fail (``over_cap``).

        Returns:
            Link -> reason code of those that were queued and are not any more.
        """
        return self._caps.choose(links)

    def over_cap(self, link: int) -> str | None:
        """Return the reason code of a link that was chosen when its cap was reached, else None."""
        return self._caps.over(link)

    def is_refused(self, link: int) -> bool:
        """Return whether a link is out of scope whatever page contains it."""
        return link in self._out_of_scope or link in self._permuted

    def refusals(self, links: Ids) -> dict[int, str]:
        """Return link -> reason code of those that are out of scope: by the rules, else by caps, else by distance."""
        refused = self._distances.refusals(links) | self._caps.refusals(links)
        refused |= dict.fromkeys(links[self._permuted.mask(links)].tolist(), _PERMUTED)
        for link in links[self._out_of_scope.mask(links)].tolist():
            refused[link] = self._scope.decide(self.urls.url(link)) or "out_of_scope"
        return refused

    def state(self) -> dict[str, Any]:
        """Return what ``restore`` needs besides the URLs, the graph and the columns of the frontier."""
        return {
            "out_of_scope": self._out_of_scope.packed(),
            "dated": self._dated.packed(),
            "permuted": self._permuted.packed(),
            "data": self._data.packed(),
            "stay": [] if self._scope.stay is None else sorted(self._scope.stay.places),
            "seeds": self._seeds,
            "asked": list(self._asked),
            "distances": self._distances.state(),
            "caps": self._caps.state(),
        }

    def restore(self, saved: Mapping[str, Any], known: Sequence[str], columns: Mapping[str, Any]) -> None:
        """Restore a state, after the graph was restored.

        Args:
            saved: the result of ``state``.
            known: all known URLs by id.
            columns: the saved columns of the frontier.
        """
        self.urls.restore(known, columns["host"], columns["directory"])
        self._out_of_scope.restore(saved["out_of_scope"])
        self._dated.restore(saved["dated"])
        if "caps" not in saved:  # of a version that had no scope which depends on the crawl
            return
        self._permuted.restore(saved["permuted"])
        if "data" in saved:  # not of a version that read no data files
            self._data.restore(saved["data"])
            self._scope.accept_data(known[link] for link in self._data.members().tolist())
        self._seeds = int(saved["seeds"])
        if self._scope.stay is not None:
            self._scope.restore_places(saved["stay"])
        if self._scope.bounds.permutations:
            urls = (url for link, url in enumerate(known) if "&" in url and link not in self._out_of_scope)
            self._queries = {_without_order(url) for url in urls}
        self._asked = list(saved.get("asked", ()))  # of a version without such pages
        planted = np.array([*range(self._seeds), *self._asked], dtype=np.int64)
        self._distances.restore(saved["distances"], known, columns["host"], planted)
        self._caps.restore(saved["caps"], known, columns)


def _without_order(url: str) -> bytes:
    """Return a digest of a URL that is the same for all orders of its parameters."""
    route, _, query = url.partition("?")
    return blake2b("&".join((route, *sorted(query.split("&")))).encode(), digest_size=8).digest()

"""The known links of a crawl: ids, rows in the frontier, dates, and which of them are out of scope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crawler.fetching.scope import Scope
from crawler.frontier import Frontier
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.link_set import LinkSet
from crawler.frontier.url_ids import UrlIds
from crawler.model import Ids
from crawler.pages.dates import date_in_url, day_number


class Discovery:
    """What a crawl knows of a URL from the moment when it first sees it."""

    def __init__(self, scope: Scope, frontier: Frontier, graph: LinkGraph) -> None:
        """Start with no links; each one gets a row in ``frontier`` and ``graph``."""
        self.urls = UrlIds()
        self._scope = scope
        self._frontier = frontier
        self._graph = graph
        self._out_of_scope = LinkSet()
        self._dated = LinkSet()
        """Links with a date in their URL, which no date of a parent replaces."""

    def add(self, new: Sequence[str], step: int, blocks: Sequence[int] | None = None) -> Ids:
        """Assign ids and rows in the frontier to new URLs, with the date in the URL if there is one.

        Args:
            new: unknown canonical URLs, each once.
            step: number of pages fetched so far.
            blocks: number of the content block of each link; None for 0.

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
        self._out_of_scope.update(int(i) for i, url in zip(ids, new, strict=True) if self._scope.decide(url))
        return ids

    def inherit_date(self, links: Ids, day: float) -> None:
        """Set the date of links from the date of a parent, where it is the newest one (paper 001, section 4).

        Args:
            links: ids, shape (m,).
            day: day number of the parent; NaN where unknown.
        """
        dates = self._frontier.column("date", links)
        older = np.isnan(dates) | ((dates < day) & ~self._dated.mask(links))
        self._frontier.set_date(links[older], day)

    def is_refused(self, link: int) -> bool:
        """Return whether a link is out of scope."""
        return link in self._out_of_scope

    def refusals(self, links: Ids) -> dict[int, str]:
        """Return link -> reason code of those that are out of scope."""
        refused = links[self._out_of_scope.mask(links)].tolist()
        return {link: self._scope.decide(self.urls.url(link)) or "out_of_scope" for link in refused}

    def state(self) -> dict[str, Any]:
        """Return what ``restore`` needs besides the URLs and the columns of the frontier."""
        return {"out_of_scope": self._out_of_scope.packed(), "dated": self._dated.packed()}

    def restore(self, saved: Mapping[str, Any], known: Sequence[str], columns: Mapping[str, Any]) -> None:
        """Restore a state.

        Args:
            saved: the result of ``state``.
            known: all known URLs by id.
            columns: the saved columns of the frontier.
        """
        self.urls.restore(known, columns["host"], columns["directory"])
        self._out_of_scope.restore(saved["out_of_scope"])
        self._dated.restore(saved["dated"])

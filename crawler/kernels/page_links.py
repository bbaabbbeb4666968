"""Out-links by fetched page, to find the links that share a page with a given one.

The link graph returns the pages that contain a link; the other links of these pages it has only as one matrix. Here the
links of a few pages are looked up without reading all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier.link_graph import LinkGraph
from crawler.model import Ids


class PageLinks:
    """Distinct out-links by page. Mutable: ``add`` changes it."""

    def __init__(self) -> None:
        self._links: dict[int, Ids] = {}

    def add(self, page: int, links: Ids) -> None:
        """Add a fetched page; ``links`` are its distinct out-links, shape (m,)."""
        self._links[page] = links

    def siblings(self, graph: LinkGraph, pages: Ids) -> Ids:
        """Return the distinct links on pages that link to ``pages``, in ascending order.

        Args:
            graph: the link graph of the crawl.
            pages: ids, shape (k,); they are siblings of themselves.
        """
        parents = {parent for page in pages.tolist() for parent in graph.parents(page)}
        parts = [self._links[parent] for parent in sorted(parents & self._links.keys())]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs, as arrays."""
        pages = np.array(list(self._links), dtype=np.int64)
        count = np.array([len(links) for links in self._links.values()], dtype=np.int64)
        links = np.concatenate([np.empty(0, dtype=np.int64), *self._links.values()])
        return {"pages": pages, "page_links": links, "page_link_counts": count}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        ends = np.cumsum(np.asarray(state["page_link_counts"], dtype=np.int64))
        parts = np.split(np.array(state["page_links"], dtype=np.int64), ends[:-1]) if len(ends) else []
        self._links = dict(zip(np.asarray(state["pages"]).tolist(), parts, strict=True))

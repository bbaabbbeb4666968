"""The links of each fetched page, as a strategy was told of them: what stands beside a link on the same page.

The link graph answers which pages contain a link; what else these pages contain it gives as one matrix only. Here the
links of some pages are found without reading the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier.link_graph import LinkGraph
from crawler.model import Ids


class PageLinks:
    """Distinct out-links by page. A handle: ``add`` changes it."""

    def __init__(self) -> None:
        self._of: dict[int, Ids] = {}

    def add(self, page: int, links: Ids) -> None:
        """A page was fetched; ``links`` are its distinct out-links, shape (m,)."""
        self._of[page] = links

    def siblings(self, graph: LinkGraph, pages: Ids) -> Ids:
        """The different links, by number, that stand on pages which point to ``pages``, these included."""
        parents = {parent for page in pages.tolist() for parent in graph.parents(page)}
        parts = [self._of[parent] for parent in sorted(parents & self._of.keys())]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs, as arrays."""
        pages = np.array(list(self._of), dtype=np.int64)
        count = np.array([len(links) for links in self._of.values()], dtype=np.int64)
        links = np.concatenate([np.empty(0, dtype=np.int64), *self._of.values()])
        return {"pages": pages, "page_links": links, "page_link_counts": count}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take a saved state back."""
        ends = np.cumsum(np.asarray(state["page_link_counts"], dtype=np.int64))
        parts = np.split(np.array(state["page_links"], dtype=np.int64), ends[:-1]) if len(ends) else []
        self._of = dict(zip(np.asarray(state["pages"]).tolist(), parts, strict=True))

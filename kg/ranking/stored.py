"""Whether the figures of a crawl's links are stored, and all of them: queries that read them ask here first.

The crawl has their version in its property ``link_figures``. It is removed when links or figures are written and set
when all are written, so that an interrupted writing, or a graph of an older ontocrawl, is recognised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import queries
from kg.store import GraphStore

PROPERTY = "link_figures"
VERSION = 1
"""To be raised when a figure is added or computed otherwise."""


def crawl_without(store: GraphStore, crawl: str = "") -> str | None:
    """Return the crawl that a query would look at if its figures are not stored, otherwise None.

    Args:
        store: an open graph.
        crawl: id of the crawl; empty for the newest one. An unknown crawl needs no figures.
    """
    rows = store.read(queries.get("rank/stored").text, crawl=crawl)
    return None if not rows or rows[0]["version"] == VERSION else str(rows[0]["id"])


def forget(store: GraphStore, crawl: str) -> None:
    """Mark the figures of a crawl as not stored.

    Args:
        store: an open graph.
        crawl: id of the crawl.
    """
    store.write(queries.get("rank/forget").text, crawl=crawl)


def complete(store: GraphStore, crawl: str, figures: Mapping[str, Any]) -> None:
    """Mark the figures of a crawl as stored.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        figures: figures of the crawl itself, which are stored too; one that is None is removed.
    """
    store.write(queries.get("rank/complete").text, [{"crawl": crawl, "figures": {**figures, PROPERTY: VERSION}}])

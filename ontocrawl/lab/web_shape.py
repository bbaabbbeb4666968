"""Figures of the shape of a web: dead ends, the page with most links, islands of relevant pages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ontocrawl.lab.web import Web


def dead_ends(web: Web) -> float | None:
    """Return the share of the pages that link to no page."""
    out = np.bincount(web.source, minlength=len(web))
    return round(float(np.mean(out == 0)), 4) if len(web) else None


def most_linked(web: Web) -> float | None:
    """Return the share of the pages that link to the page with most links to it."""
    to = np.bincount(web.target, minlength=len(web))
    return round(float(to.max()) / len(web), 4) if len(web) else None


def islands(web: Web, label: NDArray[np.bool_]) -> dict[str, float]:
    """Return how the relevant pages hang together by links between relevant pages, in whatever direction.

    Args:
        web: the web.
        label: whether each page is relevant, shape (n,).

    Returns:
        ``largest``: share of the relevant pages in the largest connected part; ``single``: share of those that no link
        joins to a relevant page. Both are 0 without relevant pages.
    """
    pages = np.flatnonzero(label)
    if not len(pages):
        return {"largest": 0.0, "single": 0.0}
    number = np.full(len(web), -1, dtype=np.int64)
    number[pages] = np.arange(len(pages))
    inside = label[web.source] & label[web.target]
    ends = number[web.source[inside]], number[web.target[inside]]
    joined = coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(len(pages), len(pages)))
    _, part = connected_components(joined.tocsr(), directed=False)
    sizes = np.bincount(part)
    largest, single = int(sizes.max()), int(np.sum(sizes == 1))
    return {"largest": round(largest / len(pages), 4), "single": round(single / len(pages), 4)}

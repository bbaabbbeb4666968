"""Breadth-first search, the baseline of papers 000, 002 and 003.

Steps (algorithms.md 3.1): 1 seeds to a queue; 2 take its head; 3 fetch it; 4 append its unseen links in page order;
5 until the limit is reached or the queue is empty. Ids are numbered in the order of discovery, so a queue with
equal priorities is first in, first out.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids
from crawler.strategies.base import SEED_PRIORITY
from crawler.strategies.numbered_picks import TopOfQueue


class BreadthFirst(TopOfQueue):
    """Chooses links in the order of discovery: first in, first out."""

    name = "breadth_first"
    title = "Breadth-first search"
    paper = "Standard method; the baseline BFS of papers 000 (Table 4), 002 (Table 1) and 003 (Table 3)"
    readings: ClassVar = {
        "T11": "A link is queued once: known, queued and fetched links are not queued again.",
    }

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the same priority for all links."""
        return np.full(len(links), SEED_PRIORITY)

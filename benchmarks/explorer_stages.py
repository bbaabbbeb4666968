"""Seconds of the stages of a map, by clocks around the functions that make it in this process."""

from __future__ import annotations

import statistics
import time
from typing import Any

from benchmarks.crawl_stages import Stage, clocks
from kg import networks
from kg.engine import embedded
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import web_map
from ontocrawl.graph.web_map import Around

SIZES = (300, 2_000)
REPEATS = 4
"""Maps of each size; the first one does not count."""


STAGES = (
    Stage("queries: pages with the highest PageRank", 0, networks, "favoured_pages"),
    Stage("query: links between them", 0, networks, "links_between"),
    Stage("query: concepts that they name", 0, networks, "concept_named_most"),
    Stage("layout", 0, web_map, "_force_layout"),
    Stage("whole map", 0, web_map, "pages_around"),
)


def measure(space: Workspace, run: str) -> list[dict[str, Any]]:
    """Return the median seconds of each stage for each size of a map."""
    found: list[dict[str, Any]] = [{"stage": stage.name} for stage in STAGES]
    with embedded.open_embedded(space.graph) as store:
        for size in SIZES:
            rounds = []
            for _ in range(REPEATS):
                spent: dict[str, list[float]] = {stage.name: [] for stage in STAGES}
                with clocks(STAGES, spent, time.perf_counter):
                    web_map.pages_around(space, store, run, Around(limit=size))
                rounds.append(spent)
            for row in found:
                row[str(size)] = round(statistics.median(sum(times[row["stage"]]) for times in rounds[1:]), 3)
    return found

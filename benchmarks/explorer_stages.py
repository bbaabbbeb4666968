"""Seconds of the stages of a map, by clocks around the functions that make it in this process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from kg import networks
from kg.engine import embedded
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import web_map
from ontocrawl.graph.web_map import Around

SIZES = (300, 2_000)
REPEATS = 4
"""Maps of each size; the first one does not count."""


class Stage(NamedTuple):
    """A stage: its name, and the function, by its owner and name."""

    name: str
    owner: Any
    function: str


STAGES = (
    Stage("queries: pages with the highest PageRank", networks, "favoured_pages"),
    Stage("query: links between them", networks, "links_between"),
    Stage("query: concepts that they name", networks, "concept_named_most"),
    Stage("layout", web_map, "_force_layout"),
    Stage("whole map", web_map, "pages_around"),
)


def measure(space: Workspace, run: str) -> list[dict[str, Any]]:
    """Return the median seconds of each stage for each size of a map."""
    found: list[dict[str, Any]] = [{"stage": stage.name} for stage in STAGES]
    with embedded.open_embedded(space.graph) as store:
        for size in SIZES:
            rounds = []
            for _ in range(REPEATS):
                with _clocks() as spent:
                    web_map.pages_around(space, store, run, Around(limit=size))
                rounds.append(spent)
            for row in found:
                row[str(size)] = round(statistics.median(times[row["stage"]] for times in rounds[1:]), 3)
    return found


@contextmanager
def _clocks() -> Iterator[dict[str, float]]:
    """Add up the seconds in each function of the stages."""
    spent = dict.fromkeys((stage.name for stage in STAGES), 0.0)
    with ExitStack() as patches:
        for stage in STAGES:
            timed = _timed(getattr(stage.owner, stage.function), spent, stage.name)
            patches.enter_context(patch.object(stage.owner, stage.function, timed))
        yield spent


def _timed(function: Callable[..., Any], spent: dict[str, float], name: str) -> Callable[..., Any]:
    def timed(*args: Any, **named: Any) -> Any:
        started = time.perf_counter()
        try:
            return function(*args, **named)
        finally:
            spent[name] += time.perf_counter() - started

    return timed

"""Processor time of the stages of a crawl, by clocks around its functions in a crawl of this process.

The clocks are those of the threads: a thread that waits for another one, for the network or the disk, takes no time.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

from crawler import crawl
from crawler.journal import Journal
from crawler.pages import page
from crawler.protocol import Scheduler
from crawler.scoring.guided import GuidedFeatures
from crawler.state import CrawlState
from crawler.text import Matcher
from crawler.url import Joiner
from crawler.worlds.live import LiveWorld
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawl_setup, crawling
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics.topics import Topic

_HREF = re.compile(rb'href="([^"]*)"')


class Stage(NamedTuple):
    """A stage: its name, its depth below other stages, and the function, by its owner and name."""

    name: str
    depth: int
    owner: Any
    function: str


STAGES = (
    Stage("fetch hop", 0, LiveWorld, "fetch"),
    Stage("page to record", 0, page, "page_record"),
    Stage("parse", 1, page, "parse"),
    Stage("count words", 1, Matcher, "count_segments"),
    Stage("choose", 0, Scheduler, "choose"),
    Stage("absorb", 0, CrawlState, "absorb"),
    Stage("relevance", 1, CrawlState, "_relevance_by_guide"),
    Stage("decision of the judge", 1, CrawlState, "_score"),
    Stage("discover links, graph, anchors", 1, CrawlState, "_add_links"),
    Stage("feature columns added", 2, GuidedFeatures, "add_links"),
    Stage("offer links", 1, Scheduler, "offer"),
    Stage("feature columns computed", 2, GuidedFeatures, "compute"),
    Stage("score all queued links again", 1, Scheduler, "refresh_if_due"),
    Stage("journal: outcome", 0, Journal, "outcome"),
    Stage("journal: choice", 0, Journal, "choice"),
    Stage("journal: commit", 0, Journal, "commit"),
    Stage("snapshot", 0, crawl.Crawl, "_save"),
)
WORKERS = ("fetch hop", "page to record")
SCORED = ("page to record", "relevance", "decision of the judge")
"""The stages from the response to the scored record."""


def measure(space: Workspace, topic: Topic, config: RunConfig, seeds: Sequence[str]) -> dict[str, Any]:
    """Crawl in this process.

    Returns:
        The rows of all stages, milliseconds of processor time a page in the thread of the crawl (``loop``) and in the
        workers (``workers``), and the median of a page to its scored record (``scored``).

    Raises:
        RuntimeError: the crawl did not call the function of such a stage, as where pages are parsed in a process.
    """
    times: dict[str, list[float]] = {stage.name: [] for stage in STAGES}
    with _clocks(times):
        loop, whole = time.thread_time(), time.process_time()
        result = crawling.start(space, topic, config, seeds, lambda step: None)
        loop, whole = time.thread_time() - loop, time.process_time() - whole
    pages = result.end.fetched
    if uncalled := [name for name in SCORED if not times[name]]:
        raise RuntimeError(f"not called in this process: {', '.join(uncalled)}")
    rows = [_row(stage, times[stage.name], pages) for stage in STAGES]
    ms = {row["stage"]: row["ms"] for row in rows}
    return {
        "strategy": config.strategy,
        "fetched": pages,
        "loop": round(loop / pages * 1000, 3),
        "workers": round((whole - loop) / pages * 1000, 3),
        "scored": round(sum(ms[name] for name in SCORED), 3),
        "rows": rows,
    }


def canonical_links(bodies: Sequence[bytes], url: str) -> float:
    """Milliseconds for the canonical URLs of the links of a page, the median of some pages."""
    times = []
    for body in bodies:
        references = [found.decode() for found in _HREF.findall(body)]
        started = time.thread_time()
        join = Joiner(url)
        for reference in references:
            join(reference)
        times.append(time.thread_time() - started)
    return round(statistics.median(times) * 1000, 3)


@contextmanager
def _clocks(times: Mapping[str, list[float]]) -> Iterator[None]:
    """Note the processor time of every call of the functions of the stages."""
    with clocks(STAGES, times, time.thread_time):
        crawl_of = partial(crawl_setup.crawl_of, page=page.page_record)  # its default is the function without a clock
        with patch.object(crawl_setup, "crawl_of", crawl_of):
            yield


@contextmanager
def clocks(stages: Sequence[Stage], times: Mapping[str, list[float]], clock: Callable[[], float]) -> Iterator[None]:
    """Add the time of every call of the functions of stages, by a clock, to the list of its stage."""
    with ExitStack() as patches:
        for stage in stages:
            timed = _timed(getattr(stage.owner, stage.function), times[stage.name], clock)
            patches.enter_context(patch.object(stage.owner, stage.function, timed))
        yield


def _timed(function: Callable[..., Any], times: list[float], clock: Callable[[], float]) -> Callable[..., Any]:
    def timed(*args: Any, **named: Any) -> Any:
        started = clock()
        try:
            return function(*args, **named)
        finally:
            times.append(clock() - started)

    return timed


def _row(stage: Stage, times: Sequence[float], pages: int) -> dict[str, Any]:
    return {
        "stage": stage.name,
        "depth": stage.depth,
        "in": "worker" if stage.name in WORKERS or stage.name in ("parse", "count words") else "loop",
        "calls": len(times),
        "ms": round(statistics.median(times) * 1000, 3) if times else 0.0,
        "ms_a_page": round(sum(times) / pages * 1000, 3),
    }

"""One cell of a lab: a crawl in a temporary folder, and the trace that is made of it afterwards."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Picks, World
from crawler.step import Step
from crawler.strategies.base import Strategy
from crawler.weights import digest_of
from ontocrawl.errors import UsageError
from ontocrawl.lab import oracle, web
from ontocrawl.lab.brief_crawl import BriefCrawl, BriefJournal
from ontocrawl.lab.kept_pages import KeptPages, KeptWorld
from ontocrawl.lab.printed_dp import AdmittedPages
from ontocrawl.lab.references import LABEL_ORACLE
from ontocrawl.lab.trace import Row, Trace
from ontocrawl.runs import crawl_setup
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.seeds import url_in_world

_BUDGET_SPENT = "limit_requests"
"""Why a crawl ended: it had made all its requests."""


@dataclass(frozen=True)
class Job:
    """A cell to crawl, or to read whole for an oracle."""

    config: RunConfig
    starts: tuple[str, ...]
    """Seeds as a user writes them; empty for those of a synthetic web."""
    requests: int
    """Requests for pages that the crawl may make."""
    oracle: str = ""
    """Name of an oracle of `references`, in the place of a crawl; empty for a crawl."""
    by_label: int = 0
    """Number of seeds that are drawn from the labelled pages, where none are written."""
    free_look_ahead: bool = False
    """Whether only the chosen pages count as requests, not those that were looked at ahead."""


class Webs:
    """The web that a process crawls, with its pages; the one before is closed."""

    def __init__(self) -> None:
        self._spec: str | None = None
        self._world: World | None = None
        self._pages: KeptPages | None = None

    def open(self, config: RunConfig) -> tuple[World, KeptPages]:
        """Return the web of a run."""
        if self._spec != config.world or self._world is None or self._pages is None:
            self.close()
            self._spec, self._world = config.world, crawl_setup.world_of(config)
            self._pages = KeptPages(self._world)
        return self._world, self._pages

    def close(self) -> None:
        """Close the web, if one is open."""
        if self._world is not None:
            self._world.close()
        self._spec = self._world = self._pages = None


def run(job: Job, webs: Webs, notes: Crawled | None = None) -> Trace:
    """Crawl a cell.

    The crawl sees a world of answers only (`KeptWorld`); labels are read when it has ended.

    Args:
        job: the cell.
        webs: the web of this process.
        notes: what takes the notes of the crawl, for other measurements; None for a new one.

    Returns:
        The trace.

    Raises:
        UsageError: there are no seeds, or the labels cannot be read.
        OntocrawlError: the cell cannot be crawled, as by a strategy that needs an ontology where there is none.
    """
    world, pages = webs.open(job.config)
    seeds = tuple(url_in_world(item, world) for item in job.starts) or tuple(getattr(world, "seeds", ()))
    if job.by_label:
        labelled = sorted(_labels(job.config, world) or ())
        order = np.random.default_rng(job.config.crawl.seed).permutation(len(labelled))
        seeds = tuple(labelled[row] for row in order[: job.by_label].tolist())
    if not seeds:
        raise UsageError("lab.no_seeds_give_world", world=job.config.world)
    config = job.config.model_copy(update={"seeds": seeds})
    if job.oracle:
        return _oracle(job.oracle, config, KeptWorld(pages), _labels(config, world), job.requests)
    crawled = Crawled() if notes is None else notes
    _crawl(config, KeptWorld(pages), pages, job, crawled)
    return crawled.trace(_labels(config, world))


def _labels(config: RunConfig, world: World) -> frozenset[str] | None:
    labels = crawl_setup.labels_seen(config, world)
    return None if labels is None else frozenset(labels)


class Crawled:
    """What is noted while a cell is crawled; without labels."""

    def __init__(self) -> None:
        self.rows = list[Row]()
        self.admitted: AdmittedPages | None = None
        self.found_on: dict[str, int] = {}
        self.facts: dict[str, Any] = {}

    def note(self, step: Step, requests: int) -> None:
        """Note a step, after so many requests."""
        score = step.outcome.page_score
        if score is None:
            return
        number = len(self.rows)
        for link in step.record.page.links:
            self.found_on.setdefault(link.url, number)
        parent = min(self.found_on.get(step.url, -1), number - 1)
        self.rows.append(Row(requests, (step.url, step.record.final_url), score.judged, score.relevant, parent))
        if self.admitted is not None:
            self.admitted.note(step.outcome.link, requests)

    def trace(self, targets: frozenset[str] | None) -> Trace:
        """Return the trace, with labels."""
        facts = {**self.facts, "targets": None if targets is None else len(targets)}
        admitted = self.admitted
        printed = _trace(admitted.rows, targets, facts) if admitted is not None and admitted.is_known else None
        return replace(_trace(self.rows, targets, facts), printed=printed)


def _trace(rows: Sequence[Row], targets: frozenset[str] | None, facts: dict[str, Any]) -> Trace:
    labelled = None
    if targets is not None:
        labelled = np.array([not targets.isdisjoint(row.urls) for row in rows], dtype=np.bool_)
    return Trace(
        requests=np.array([row.requests for row in rows], dtype=np.int64),
        R=np.array([row.R for row in rows], dtype=np.float64),
        judged=np.array([row.judged for row in rows], dtype=np.bool_),
        labelled=labelled,
        parent=np.array([row.parent for row in rows], dtype=np.int64),
        pages=np.array([hash_of(row.urls[1]) for row in rows], dtype=np.uint64),
        facts=facts,
    )


def hash_of(url: str) -> int:
    """Return a 64-bit hash of a URL, the same on every machine."""
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "little")


def _crawl(config: RunConfig, world: KeptWorld, pages: KeptPages, job: Job, crawled: Crawled) -> None:
    page = partial(pages.record, f"{digest_of(config.vocabularies)} {config.classifier_digest}")
    with (
        tempfile.TemporaryDirectory(prefix="ontocrawl-lab-") as folder,
        closing(BriefJournal(Path(folder) / "journal.db")) as journal,
    ):
        crawl = crawl_setup.crawl_of(config, world, journal, kind=BriefCrawl, page=page)
        choosing = timed(crawl.state.setup.strategy)
        crawled.admitted = AdmittedPages(crawl.state)
        crawl.begin(config.model_dump(mode="json"))
        began, spent, requests = time.perf_counter(), False, 0
        for number, step in enumerate(crawl.steps(), start=1):
            requests = number if job.free_look_ahead else world.requests
            crawled.note(step, requests)
            if requests >= job.requests:
                spent = crawl.stop_reason is None
                break
        crawled.facts = {
            "requests": requests if job.free_look_ahead else world.requests,
            "stop": _BUDGET_SPENT if spent else crawl.stop_reason,
            "seconds": round(time.perf_counter() - began, 3),
            "choice_us": round(statistics.median(choosing or [0.0]) * 1e6, 1),
            "counts": crawl.state.strategy.counts,
        }


def timed(strategy: Strategy) -> list[float]:
    """Return the seconds of each choice of a strategy, a list that is filled while it chooses."""
    seconds, choose = list[float](), strategy.choose

    def choose_timed(view: FrontierView, rng: Any, n: int) -> Picks:
        began = time.perf_counter()
        picks = choose(view, rng, n)
        seconds.append(time.perf_counter() - began)
        return picks

    strategy.choose = choose_timed  # type: ignore[method-assign]
    return seconds


def _oracle(name: str, config: RunConfig, world: KeptWorld, labels: Collection[str] | None, requests: int) -> Trace:
    """Return the order of an oracle: as a crawl that knows all labels, whose pages have no R."""
    if labels is None:
        raise UsageError("lab.oracle_needs_labels_name")
    began = time.perf_counter()
    read = web.read(world, config.seeds, labels, user_agent=config.crawl.user_agent)
    whole = oracle.by_label(read) if name == LABEL_ORACLE else oracle.oracle(read).order
    order = np.array(whole[:requests], dtype=np.int64)
    relevant = np.array(read.relevant, dtype=np.bool_)
    n = len(order)
    return Trace(
        requests=np.arange(1, n + 1),
        R=np.zeros(n),
        judged=np.zeros(n, dtype=np.bool_),
        labelled=relevant[order],
        parent=np.full(n, -1, dtype=np.int64),
        pages=np.array([hash_of(read.urls[page]) for page in order], dtype=np.uint64),
        facts={
            "targets": len(labels), "reached": int(relevant.sum()), "requests": n, "stop": name,
            "choice_us": 0.0, "counts": "fetched",
            "seconds": round(time.perf_counter() - began, 3),
        },
    )  # fmt: skip

"""Run a lab: every cell that is not in the cache, in several processes; a cell that fails is kept with its reason."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

from crawler.worlds import SyntheticWorld
from ontocrawl.base.config import CrawlSettings
from ontocrawl.base.process_pool import process_pool
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.lab import classifiers, crawling, look_ahead, references, trace
from ontocrawl.lab.crawling import Job, Webs
from ontocrawl.lab.definition import AXES, Cell, Lab, LabWorld, Value
from ontocrawl.lab.lab_ontologies import name_and_settings
from ontocrawl.lab.program import program
from ontocrawl.lab.steering import Steering
from ontocrawl.lab.trace import Trace
from ontocrawl.lab.turns import Turns
from ontocrawl.runs import plan
from ontocrawl.runs.plan import CrawlOptions
from ontology import files
from ontology.errors import OntocrawlError

CELLS = "cells"
"""Folder of the traces, by the digest of what determines each one."""


@dataclass(frozen=True)
class Outcome:
    """What became of a cell.

    Attributes:
        cell: the cell.
        trace: its trace; None if it failed.
        error: why it failed; empty otherwise.
        expected: whether the error is one of what was asked for, such as a strategy without the ontology it needs.
    """

    cell: Cell
    trace: Trace | None
    error: str = ""
    expected: bool = True


def oracle_cells(lab: Lab) -> list[Cell]:
    """Return the cells of the references, for each web and seed, in the order of the others."""
    return [
        Cell(world.name, world.topic, name, "", "", (), seed)
        for world in lab.worlds
        for seed in range(lab.seeds)
        for name in references.names(world.references, tuple(map(str, lab.axes_of(world.name)["guide"])))
    ]


def run(
    lab: Lab,
    space: Workspace,
    out: Path,
    jobs: int,
    on_cell: Callable[[Outcome, bool], None],
    on_note: Callable[[str], None] = lambda line: None,
) -> list[Outcome]:
    """Run a lab.

    Args:
        lab: the lab.
        space: a workspace for its topics and their graph.
        out: folder of the results; traces that it has are not made again.
        jobs: number of processes, at least 1.
        on_cell: called with each outcome, and whether it was in the cache.
        on_note: called with each message for the user.

    Returns:
        The outcomes of all cells, those of the references last; the same for any number of processes.
    """
    steering = Steering(lab, space, on_note)
    cells = [*lab.cells(), *oracle_cells(lab)]
    outcomes: dict[Cell, Outcome] = {}
    waiting: dict[Cell, tuple[Job, Path]] = {}

    def ended(outcome: Outcome, cached: bool = False) -> None:
        outcomes[outcome.cell] = outcome
        on_cell(outcome, cached)

    for cell in cells:
        try:
            job = job_of(lab, cell, steering, space)
        except OntocrawlError as error:
            ended(Outcome(cell, None, str(error)))
            continue
        path = out / CELLS / f"{key_of(job)}.npz"
        if (known := _known(path)) is not None:
            ended(Outcome(cell, known), cached=True)
        else:
            waiting[cell] = job, path
    for outcome in _crawled(waiting, jobs):
        ended(outcome)
    return [outcomes[cell] for cell in cells]


def job_of(lab: Lab, cell: Cell, steering: Steering, space: Workspace) -> Job:
    """Make the job of a cell.

    Raises:
        UsageError, UnknownStrategyError, RelevanceError, SetupError, FeatureError: the cell cannot be crawled.
    """
    world = lab.world(cell.world)
    if references.is_reference(cell.strategy):
        return _reference(lab, world, cell, steering, space)
    name, given = name_and_settings(cell.strategy)
    ontology, of_it = name_and_settings(cell.ontology)
    settings = {
        "limit_pages": lab.fetches_of(world.name), "limit_time": 0.0, "seed": cell.seed, "guide": cell.guide,
        "snapshot_every": 10**9, **world.settings, **dict(cell.settings), **of_it,
    }  # fmt: skip
    weights = settings.get("weights")
    vectors = steering.vectors(cell.topic, ontology, None if weights is None else str(weights))
    options = CrawlOptions(
        strategy=name, world=world.spec(cell.seed), labels=world.labels, run="lab",
        parameters=plan.parameters(classifiers.with_file(lab.classifiers, given, space)), settings=settings,
    )  # fmt: skip
    config = plan.configuration(space, vectors, options)
    return Job(config, world.start(cell.seed), lab.requests_of(world.name))


def _reference(lab: Lab, world: LabWorld, cell: Cell, steering: Steering, space: Workspace) -> Job:
    """Make the job of a reference: an order by labels, or a look-ahead under the first value of each other axis."""
    guide = references.guide_of(cell.strategy)
    fetches = lab.fetches_of(world.name)
    settings: dict[str, Value] = {"guide": "published", "limit_pages": fetches}
    if guide is not None:
        others = {name: values[0] for name, values in lab.axes_of(world.name).items() if name not in AXES}
        settings |= {"limit_time": 0.0, "snapshot_every": 10**9, **world.settings, **others}
        settings |= {"guide": guide, "target": "oracle"}
    options = CrawlOptions(
        strategy="best_first" if guide is None else look_ahead.PLACE, world=world.spec(cell.seed),
        labels=world.labels, run="lab", graph=False, settings=settings,
    )  # fmt: skip
    config = plan.configuration(space, steering.words(cell.topic), options)
    known = cell.strategy if guide is None else ""
    return Job(config, world.start(cell.seed), fetches, known, free_look_ahead=guide is not None)


# ---- the cache --------------------------------------------------------------------------------------------------


def key_of(job: Job) -> str:
    """Return a digest of all that a trace depends on: configuration, seeds, labels, pages of a corpus, program."""
    unimportant = {"run", "started", "limit_time", "topic_file"}
    config = job.config.model_dump(mode="json", exclude=unimportant)
    config["crawl"] = {k: v for k, v in config["crawl"].items() if k in CrawlSettings.model_fields}
    content = {
        "config": config, "starts": job.starts, "requests": job.requests, "oracle": job.oracle,
        "free": job.free_look_ahead,
        "labels": _digest_of_labels(job.config.labels), "web": _digest_of_web(job.config.world),
        "program": program(job.config.crawl.strategy),
    }  # fmt: skip
    return hashlib.blake2b(json.dumps(content, sort_keys=True, ensure_ascii=False).encode(), digest_size=16).hexdigest()


@cache
def _digest_of_labels(labels: str | None) -> str:
    return "" if labels is None else files.digest(Path(labels.partition("#")[0]))


@cache
def _digest_of_web(spec: str) -> str:
    kind, _, place = spec.partition(":")
    if kind not in ("corpus", "archive"):
        return ""
    root = Path(place)
    found = sorted(path for path in root.rglob("*") if path.is_file()) if root.is_dir() else [root]
    return hashlib.blake2b("".join(map(files.digest, found)).encode(), digest_size=16).hexdigest()


def _known(path: Path) -> Trace | None:
    """Return the trace in a file; None where there is none, or none that can be read."""
    if not path.exists():
        return None
    found: Trace | None = None
    with suppress(BadZipFile, zlib.error, RuntimeError, ValueError, KeyError, EOFError):
        found = trace.read(path)
    if found is None or not _whole(found):
        path.unlink()  # damaged: it is made again
        return None
    return found


def _whole(found: Trace) -> bool:
    """Return whether a trace has all its arrays; a file whose list of arrays is damaged lacks some."""
    unlabelled = found.facts["targets"] is None
    return all(getattr(found, name) is not None for name in trace.ARRAYS if not (unlabelled and name == "labelled"))


# ---- processes --------------------------------------------------------------------------------------------------


def _crawled(waiting: Mapping[Cell, tuple[Job, Path]], jobs: int) -> Iterator[Outcome]:
    """Crawl cells and store their traces; yield the outcomes as they come."""
    webs_of = {cell: job.config.world for cell, (job, _) in waiting.items()}
    turns = Turns(webs_of)
    if jobs == 1 or len(waiting) < 2:
        webs, web = Webs(), None
        try:
            while (cell := turns.next(web, ())) is not None:
                web = webs_of[cell]
                yield _outcome(cell, _crawl(*waiting[cell], webs))
        finally:
            webs.close()
        return
    with process_pool(jobs) as pool:
        running = dict[Future[Trace | tuple[str, bool]], Cell]()

        def begin(web: str | None) -> None:
            cell = turns.next(web, [webs_of[other] for other in running.values()])
            if cell is not None:
                running[_submitted(pool, *waiting[cell])] = cell

        for _ in range(jobs):
            begin(None)
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                cell = running.pop(future)
                begin(webs_of[cell])  # the process that ended it is the one that is free
                yield _outcome(cell, _result(future))


def _submitted(pool: ProcessPoolExecutor, job: Job, path: Path) -> Future[Trace | tuple[str, bool]]:
    try:
        return pool.submit(_in_process, job, path)
    except BrokenExecutor as error:  # a process was killed: all cells that are left fail, with this reason
        failed = Future[Trace | tuple[str, bool]]()
        failed.set_exception(error)
        return failed


_webs = Webs()
"""The web of this process."""


def _in_process(job: Job, path: Path) -> Trace | tuple[str, bool]:
    return _crawl(job, path, _webs)


def _crawl(job: Job, path: Path, webs: Webs) -> Trace | tuple[str, bool]:
    """Crawl a cell and store its trace; for an error return its text, and whether it is one of what was asked for."""
    try:
        found = crawling.run(job, webs)
    except OntocrawlError as error:
        return str(error), True
    except Exception as error:
        return f"{type(error).__name__}: {error}", False
    trace.write(path, found)
    return found


def _result(future: Future[Trace | tuple[str, bool]]) -> Trace | tuple[str, bool]:
    error = future.exception()
    return future.result() if error is None else (f"{type(error).__name__}: {error}", False)


def _outcome(cell: Cell, found: Trace | tuple[str, bool]) -> Outcome:
    return Outcome(cell, found) if isinstance(found, Trace) else Outcome(cell, None, found[0], found[1])


def default_jobs() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def labelled(lab: Lab) -> Sequence[str]:
    """Return the names of the worlds of a lab whose labels are known."""
    return [w.name for w in lab.worlds if w.labels is not None or w.world.startswith(SyntheticWorld.name)]


def refuse(lab: Lab) -> None:
    """Raise UsageError for a lab on the live web, whose crawls could not be compared."""
    for world in lab.worlds:
        if world.world == "live":
            raise UsageError(
                f"world {world.name!r}: crawls of the live web cannot be repeated; record one and use archive:DIR"
            )

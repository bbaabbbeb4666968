"""A run that is crawled in rounds: what it needs, where its tasks run, and the table of its frontier."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from crawler import strategies
from crawler.crawl_options import Fetching
from crawler.fetching.hosts import HostSchedule
from crawler.model import World
from crawler.rounds import frontier_table
from crawler.rounds.crawl import RoundsCrawl, RoundsFetching, is_eligible, require_eligible
from crawler.rounds.runners import InProcess, LocalProcesses, RoundError, Runner
from crawler.rounds.task import Agent
from crawler.strategies.base import Strategy
from ontocrawl.archives.java import check_java
from ontocrawl.base.options import RoundsSettings
from ontocrawl.errors import Option, UsageError
from ontocrawl.runs.run_config import RunConfig
from ontology.extras import require

_FRONTIER = "frontier"
"""Folder of a run with the tables of its frontier."""


def _eligible() -> list[str]:
    """Return the names of the registered strategies that can crawl in rounds."""
    return [name for name, strategy in strategies.STRATEGIES.items() if is_eligible(strategy)]


def check(strategy: type[Strategy], rounds: RoundsSettings, target: str, warc: str | Path | None) -> None:
    """Check that a crawl can be made in rounds.

    Args:
        strategy: the class of its strategy.
        rounds: how to crawl in rounds.
        target: the look-ahead.
        warc: folder in which it is to be recorded.

    Raises:
        SetupError: the strategy cannot crawl in rounds.
        UsageError: an option that does not fit.
        MissingExtra: a library is not installed.
        SparkError: Spark would find no Java, or one that is too old.
    """
    if not is_eligible(strategy):
        require_eligible(strategy, _eligible())
    if target == "oracle":
        raise UsageError("runs.fetches_pages_behind_link")
    if warc is not None:
        raise UsageError("runs.records_requests_process_tasks")
    require("pyarrow", "archive", "--rounds")
    if rounds.spark is not None:
        _require_spark()


def _require_spark() -> None:
    require("pyspark", "spark", "--spark")
    check_java()


def elsewhere(config: RunConfig, jobs: int | None, spark: str | None) -> dict[str, Any]:
    """Return the changed fields of a run in rounds whose tasks are to run elsewhere when it is resumed.

    Args:
        config: the configuration of the run.
        jobs: number of tasks at once; None for the default.
        spark: master of Spark; None for processes of this machine.

    Raises:
        UsageError: the run is not crawled in rounds.
    """
    if jobs is None and spark is None:
        return {}
    if config.rounds is None:
        option = Option("--jobs", "jobs") if spark is None else Option("--spark", "spark")
        raise UsageError("runs.crawls_rounds_run_none", option=option, run=config.run)
    if spark is not None:
        _require_spark()
    elsewhere = config.rounds.model_copy(update={"jobs": jobs, "spark": spark})
    return {"rounds": elsewhere.model_dump(mode="json")}


def fetching_of(
    config: RunConfig, rounds: RoundsSettings, fetching: Fetching, open_world: Callable[[], World]
) -> RoundsFetching:
    """Return how a run in rounds fetches, and start what runs its tasks.

    Args:
        config: the configuration of the run.
        rounds: its rounds.
        fetching: how it would fetch otherwise.
        open_world: opens its world in another process.

    Raises:
        SparkError: Spark does not start.
    """
    schedule = fetching.schedule or HostSchedule(0.0)
    delay = config.crawl.delay if config.world == "live" and config.politeness else 0.0
    agent = Agent(
        config.crawl.user_agent, open_world, deepcopy(schedule), delay, dict(fetching.retries), fetching.workers
    )
    return RoundsFetching(
        fetching.fetcher,
        in_flight=rounds.size,
        reproducible=fetching.reproducible,
        workers=fetching.workers,
        schedule=schedule,
        retries=fetching.retries,
        runner=_runner(rounds, agent, fetching.fetcher.world),
    )


def _runner(rounds: RoundsSettings, agent: Agent, world: World) -> Runner:
    if rounds.spark is not None:
        from ontocrawl.archives.spark_tasks import SparkTasks

        return SparkTasks(agent, rounds.spark, rounds.jobs)
    return InProcess(agent, world) if rounds.jobs is None else LocalProcesses(agent, rounds.jobs)


class Rounds(RoundsCrawl):
    """A crawl in rounds that writes the table of its frontier beside its journal after each round."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.on_round = lambda crawl: _save_frontier(crawl, self.journal.path.parent / _FRONTIER)


def _save_frontier(crawl: RoundsCrawl, folder: Path) -> None:
    """Write the table of the frontier after a round. Raises RoundError where it cannot be written."""
    try:
        frontier_table.write(folder, crawl.round, crawl.state.frontier, crawl.state.urls)
    except OSError as error:
        raise RoundError(
            "runs.frontier_after_round_cannot", round=crawl.round, folder=folder, strerror=error.strerror or error
        ) from error

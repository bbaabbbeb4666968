"""Starting a crawl that was planned: its world, its seeds, its labels."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from ontocrawl import crawl_setup, plan, runs
from ontocrawl.run_config import RunConfig
from ontocrawl.runs import OnStep, RunResult
from ontocrawl.topics import Topic
from ontocrawl.workspace import Workspace


def start(space: Workspace, topic: Topic, config: RunConfig, seeds: Sequence[str], on_step: OnStep) -> RunResult:
    """Crawl by a configuration until the crawl stops.

    Args:
        space: the workspace that keeps the run.
        topic: gives seeds where neither ``seeds`` nor the world does.
        config: as `plan.plan` makes it, without seeds.
        seeds: as a user gives them (`crawl_setup.seeds_from`); may be empty.
        on_step: called after each fetch.

    Returns:
        The figures of the run.

    Raises:
        UsageError: no seeds, labels that cannot be read, or a run's name that is taken.
    """
    with closing(crawl_setup.world_of(config)) as world:
        crawl_setup.read_labels(config.labels, world)
        chosen = plan.seeds(seeds, topic, world)
        return runs.begin(space, config.model_copy(update={"seeds": chosen}), world, on_step)

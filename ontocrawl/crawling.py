"""Start a planned crawl: open its world, and resolve its seeds and labels."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from ontocrawl import crawl_setup, plan, runs
from ontocrawl.run_config import RunConfig
from ontocrawl.runs import OnStep, RunResult
from ontocrawl.topics import Topic
from ontocrawl.workspace import Workspace


def start(space: Workspace, topic: Topic, config: RunConfig, seeds: Sequence[str], on_step: OnStep) -> RunResult:
    """Start the crawl of a configuration, and crawl until it stops.

    Args:
        space: the workspace that keeps the run.
        topic: the topic, whose seeds are used where neither ``seeds`` nor the world has any.
        config: a configuration without seeds, as returned by `plan.plan`.
        seeds: seeds as the user wrote them (`crawl_setup.seeds_from`); may be empty.
        on_step: called after each fetch.

    Returns:
        The measures of the run.

    Raises:
        UsageError: no seeds, labels that cannot be read, or a run name that is already in use.
    """
    with closing(crawl_setup.world_of(config)) as world:
        crawl_setup.read_labels(config.labels, world)
        chosen = plan.seeds(seeds, topic, world)
        return runs.begin(space, config.model_copy(update={"seeds": chosen}), world, on_step)

"""The options of `crawl run` that were given, as settings of the workspace and of a crawl."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ontocrawl.cli import arguments

if TYPE_CHECKING:
    from ontocrawl.runs.plan import CrawlOptions
    from ontocrawl.runs.run_config import RoundsSettings


def of_crawl(context: typer.Context, resolve: Path | None) -> CrawlOptions:
    """Return how to crawl. Raises UsageError for values that are no parameters, or an option that needs --rounds.

    Args:
        context: the command with its options as they were written.
        resolve: the only one of them that is a path.
    """
    from ontocrawl.runs import crawl_setup, plan

    given = context.params
    return plan.CrawlOptions(
        strategy=given["strategy"], world=given["world"], like=given["like"] or (), unlike=given["unlike"] or (),
        labels=given["labels"], run=given["run_name"], warc=given["warc"], graph=not given["no_graph"],
        resolve=crawl_setup.resolve_table(resolve), allow_loopback=given["allow_loopback"],
        politeness=not given["no_politeness"], settings=of_workspace(given), rounds=_rounds(given),
        parameters=plan.parameters(arguments.parameters(given["parameter"] or [])),
    )  # fmt: skip


def _rounds(options: Mapping[str, Any]) -> RoundsSettings | None:
    """Return how to crawl in rounds; None without --rounds. Raises UsageError for an option that needs it."""
    from ontocrawl.errors import UsageError
    from ontocrawl.runs.run_config import RoundsSettings

    names = {"round_size": "size", "round_per_host": "per_host", "jobs": "jobs", "spark": "spark"}
    given = {name: options[name] for name in names if options[name] is not None}
    if options["rounds"]:
        return RoundsSettings(**{names[name]: value for name, value in given.items()})
    for name in given:
        raise UsageError(f"--{name.replace('_', '-')} is for crawls in rounds: add --rounds, or leave it out")
    return None


def of_workspace(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are keys of the workspace's [crawl] table, as far as they were given."""
    from ontocrawl.base.config import CrawlSettings

    keys = CrawlSettings.model_fields.keys() - {"topic", "strategy"}
    return {key: value for key, value in options.items() if key in keys and not _is_absent(value)}


def _is_absent(value: object) -> bool:
    return value is None or value is False or value in ([], ())

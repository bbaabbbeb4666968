"""The options of `crawl run` that were given, as settings of the workspace and of a crawl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ontocrawl.run_config import RoundsSettings


def settings(context: typer.Context) -> dict[str, Any]:
    """Return the options of a crawl that are settings of the workspace, about rounds or about the graph."""
    given = context.params
    return {"settings": of_workspace(given), "rounds": _rounds(given), "graph": not given["no_graph"]}


def _rounds(options: Mapping[str, Any]) -> RoundsSettings | None:
    """Return how to crawl in rounds; None without --rounds. Raises UsageError for an option that needs it."""
    from ontocrawl.errors import UsageError
    from ontocrawl.run_config import RoundsSettings

    names = {"round_size": "size", "round_per_host": "per_host", "jobs": "jobs", "spark": "spark"}
    given = {name: options[name] for name in names if options[name] is not None}
    if options["rounds"]:
        return RoundsSettings(**{names[name]: value for name, value in given.items()})
    for name in given:
        raise UsageError(f"--{name.replace('_', '-')} is for crawls in rounds: add --rounds, or leave it out")
    return None


def of_workspace(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are keys of the workspace's [crawl] table, as far as they were given."""
    from ontocrawl.config import CrawlSettings

    keys = CrawlSettings.model_fields.keys() - {"topic", "strategy"}
    return {key: value for key, value in options.items() if key in keys and not _is_absent(value)}


def _is_absent(value: object) -> bool:
    return value is None or value is False or value in ([], ())

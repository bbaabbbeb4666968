"""The scope of a run, from its settings."""

from __future__ import annotations

from collections.abc import Sequence

from crawler.scope import Bounds, Scope, scope_of
from crawler.scope.hosts import ScopeError
from crawler.scope.scope import LONGEST_SEQUENCE, RULES_OF_VERSION_1
from ontocrawl.config import ScopeSettings
from ontocrawl.errors import UsageError
from ontocrawl.run_config import RunConfig

VERSION = 2
"""Version of the rules that every crawl has; a run keeps the version that it began with."""


def scope_of_run(config: RunConfig) -> Scope:
    """Return a new scope for the crawl of a run, as it was when the run began."""
    if config.scope_version < VERSION:
        return Scope(RULES_OF_VERSION_1)
    return _scope(config.crawl, config.seeds, int(config.started[:4]))


def scope_of_seeds(settings: ScopeSettings) -> Scope:
    """Return the scope of URLs that may become seeds: all rules but to stay where the seeds are."""
    return _scope(settings.model_copy(update={"stay": "any"}), (), None)


def check(settings: ScopeSettings) -> None:
    """Raise UsageError for a host or pattern that is invalid."""
    try:
        _scope(settings, (), None)
    except ScopeError as error:
        raise UsageError(*error.args) from error


def _scope(settings: ScopeSettings, seeds: Sequence[str], year: int | None) -> Scope:
    return scope_of(
        seeds=seeds,
        stay=None if settings.stay == "any" else settings.stay,
        hosts=settings.host,
        excluded_hosts=settings.exclude_host,
        accept=settings.accept,
        reject=settings.reject,
        year=year,
        bounds=Bounds(
            depth=settings.max_depth,
            offtopic_depth=settings.max_offtopic_depth,
            sequence=LONGEST_SEQUENCE,
            per_host=settings.max_per_host,
            per_directory=settings.max_per_directory,
            per_pattern=settings.max_per_pattern,
            permutations=True,
        ),
    )

"""The limits of a crawl, and how it fetches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from crawler.fetching.fetch import Fetcher
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.retries import NO_RETRIES, Retry


@dataclass(frozen=True)
class Limits:
    """Limits of a crawl; 0 for no limit."""

    pages: int = 0
    seconds: float = 0.0
    failures_in_a_row: int = 25
    """Links in a row without a response, from which the network may be down (crawler.reachability)."""


@dataclass(frozen=True)
class Fetching:
    """How a crawl fetches."""

    fetcher: Fetcher
    in_flight: int = 1
    """Maximum number of links in flight; 1 is the sequence of the papers."""
    reproducible: bool = False
    """Whether outcomes are absorbed in the order of choice, so that the trace does not depend on the network's pace."""
    workers: int = 0
    """Number of threads that make requests; 0 for a world in memory."""
    schedule: HostSchedule | None = None
    """The clocks of the hosts; None for no delays."""
    retries: Mapping[str, Retry] = field(default_factory=lambda: NO_RETRIES)

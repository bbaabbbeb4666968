"""What a crawl would cost, before it begins: pages by its limits, time by delays and by earlier runs, disk by these."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from crawler.url import host
from ontocrawl import crawl_setup, runs
from ontocrawl.run_config import RunConfig
from ontocrawl.run_status import disk_use
from ontocrawl.workspace import Workspace

RUNS = 20
"""Largest number of earlier runs that an estimate uses, the latest ones."""


@dataclass(frozen=True)
class Earlier:
    """Totals of earlier runs over the same kind of world: live, synthetic, corpus or archive."""

    runs: int = 0
    pages: int = 0
    seconds: float = 0.0
    disk: int = 0
    """Bytes of all files of the runs."""

    @property
    def pages_per_second(self) -> float | None:
        """Pages per second; None where nothing was fetched."""
        return self.pages / self.seconds if self.pages and self.seconds > 0 else None

    @property
    def bytes_per_page(self) -> float | None:
        """Bytes on the disk for each page; None where nothing was fetched."""
        return self.disk / self.pages if self.pages else None


@dataclass(frozen=True)
class Estimate:
    """What a crawl would cost. None means that it is not known, or not limited."""

    pages: int | None
    """Maximum number of pages, by ``limit_pages``."""
    limit_time: float | None
    """Maximum number of seconds."""
    delay: float
    """Seconds between two requests to one host; 0 where there is no delay."""
    hosts: int
    """Number of hosts of the seeds."""
    in_flight: int
    """Maximum number of pages in flight."""
    seconds_by_delay: float | None
    """Seconds that the delays alone take if all pages are on the hosts of the seeds, in equal parts."""
    seconds_by_rate: float | None
    """Seconds at the rate of the earlier runs."""
    disk: float | None
    """Bytes on the disk, at the bytes for each page of the earlier runs."""
    disk_free: int | None
    """Bytes that are free on the disk of the workspace."""
    earlier: Earlier

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as values of JSON."""
        of_runs = {"pages_per_second": self.earlier.pages_per_second, "bytes_per_page": self.earlier.bytes_per_page}
        return {**asdict(self), "earlier": {**asdict(self.earlier), **of_runs}}


def estimate(space: Workspace, config: RunConfig) -> Estimate:
    """Estimate what a crawl would cost.

    With n pages at most, a delay of d seconds and seeds on h hosts, the delays take n d / h seconds if no page is on
    another host; pages on more hosts take less. Earlier runs of the same kind of world give a rate and a size of pages.

    Args:
        space: the workspace of the run.
        config: the configuration with its seeds, as far as they are known.

    Returns:
        The estimate. Times are not larger than the limit of time.
    """
    kind = kind_of(config.world)
    before = earlier(space, kind)
    n, most = config.limit_pages or None, config.limit_time or None
    delay = config.crawl.delay if kind == "live" and config.politeness else 0.0
    hosts = len(set(map(host, config.seeds)))
    by_delay = n * delay / hosts if n and delay and hosts else None
    by_rate = n / before.pages_per_second if n and before.pages_per_second else None
    return Estimate(
        pages=n,
        limit_time=most,
        delay=delay,
        hosts=hosts,
        in_flight=crawl_setup.places(config.crawl, config.world),
        seconds_by_delay=_at_most(by_delay, most),
        seconds_by_rate=_at_most(by_rate, most),
        disk=n * before.bytes_per_page if n and before.bytes_per_page else None,
        disk_free=_free(space.root),
        earlier=before,
    )


def kind_of(world: str) -> str:
    """Return the kind of a world: live, synthetic, corpus or archive.

    >>> kind_of("synthetic:planted?pages=600")
    'synthetic'
    """
    return world.partition(":")[0]


def earlier(space: Workspace, kind: str) -> Earlier:
    """Sum up the latest RUNS runs of a workspace over a kind of world, from the measures stored at their end."""
    total = Earlier()
    for folder, measures in _ended(space):
        if total.runs < RUNS and kind_of(measures["world"]) == kind:
            total = Earlier(
                total.runs + 1,
                total.pages + measures["fetched"],
                total.seconds + measures["seconds"],
                total.disk + disk_use(folder),
            )
    return total


def _ended(space: Workspace) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield folder and measures of the runs that have ended, the latest first."""
    files = [path for name in space.run_names() if (path := space.run(name) / runs.SUMMARY).exists()]
    for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            measures = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:  # written in part on a full disk; the estimate does without it
            continue
        if measures.keys() >= {"world", "fetched", "seconds"}:  # else it is of an early version
            yield path.parent, measures


def _at_most(seconds: float | None, limit: float | None) -> float | None:
    return seconds if seconds is None or limit is None else min(seconds, limit)


def _free(folder: Path) -> int | None:
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None

"""What a crawl is doing now, written beside its journal for other processes: at most once a second, in one small file.

The file says what the journal does not have: memory, the clocks of hosts, what each page in flight waits for. It is no
part of the crawl's state, and nothing is decided by it. It is removed when the crawl ends in order; that of a killed
process stays, and says for how long the process had run.
"""

from __future__ import annotations

import json
import math
import os
import socket
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from crawler.crawl import Crawl
from crawler.expected_gain import ExpectedGain
from crawler.fetching.pool import OpenJob
from crawler.fetching.retries import LEFT_ALONE
from crawler.journal import Journal, ledger
from crawler.step import Step
from crawler.url import host

FILE = "live.json"
INTERVAL = 1.0
"""Seconds between two writes."""
MINUTE = 60.0
SHOWN, MOST_HOSTS = 20, 500
"""Largest number of pages in flight, and of hosts, in the file."""


@dataclass(frozen=True, slots=True)
class WaitingHost:
    """A host that is not requested for a while, or for which pages in flight wait."""

    host: str
    reason: str
    """A code of `crawler.fetching.hosts.WAITS`."""
    until: float | None
    """Seconds since 1970; None where a request to the host, or to any other one, has to end first."""
    waiting: int
    """Pages in flight that wait for it."""


@dataclass(frozen=True, slots=True)
class PageInFlight:
    """A page in flight."""

    url: str
    """URL that is requested, or is to be requested next."""
    since: float
    """Seconds since 1970 when it was chosen."""
    waits: str | None
    """None while the request is made; else a code of `crawler.fetching.hosts.WAITS`, ``retry``, ``robots`` or
    ``browser``."""


@dataclass(frozen=True)
class Beat:
    """The state of a crawl at a time. Times are seconds since 1970."""

    pid: int
    computer: str
    started: float
    """When this process began to fetch."""
    written: float
    seconds: float
    """Seconds of the whole run, of earlier processes too."""
    fetched: int
    relevant: int
    expected_gain: ExpectedGain | None
    """Relevant pages that are expected among the next ones; None for too few pages."""
    per_minute: float | None
    """Pages fetched in the last minute, scaled where the process is younger; None before it has run for a second."""
    failures: Mapping[str, int]
    """Failures of the run by reason."""
    queued: int
    in_flight: int
    requests: int
    """Requests that are being made."""
    draining: bool
    """Whether no more links are chosen."""
    limit_pages: int
    limit_time: float
    memory: int | None
    """Bytes of the process (`_memory`)."""
    last_url: str | None = None
    last_at: float | None = None
    """When the last page came, and which."""
    next_at: float | None = None
    """Where all pages in flight wait: the first time at which a request may be made."""
    waiting_hosts: int = 0
    hosts: tuple[WaitingHost, ...] = ()
    """The hosts that can be requested first, at most MOST_HOSTS of ``waiting_hosts``."""
    pages: tuple[PageInFlight, ...] = ()
    """The pages longest in flight, at most SHOWN."""
    received: int = 0
    """Bytes of all bodies that this process received, decoded."""
    remarks: tuple[str, ...] = ()
    """What looked wrong after the first pages, for the user."""
    waits: Mapping[str, int] = field(default_factory=dict)
    """Code of `crawler.fetching.hosts.WAITS` -> number of ``waiting_hosts``."""
    retries: int = 0
    """Pages that wait to be tried again; while another one may be in flight, they take no place."""
    next_retry: float | None = None
    """When the first of them is tried again."""


def failed(journal: Journal) -> dict[str, int]:
    """Return the failures of a run by reason, the most frequent one first."""
    return dict(_by_reason(ledger.failures(journal)).most_common())


def _by_reason(failures: Mapping[tuple[int, str], int]) -> Counter[str]:
    counts = Counter[str]()
    for (_, reason), number in failures.items():
        counts[reason] += number
    return counts


def _memory() -> int | None:
    """Return the bytes of memory of this process; the largest number so far where the present one is not told."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def read(folder: Path) -> Beat | None:
    """Read the file of a run; None where there is none, or where another version wrote it."""
    try:
        data = json.loads((folder / FILE).read_text(encoding="utf-8"))
        hosts, pages, gain = data.pop("hosts"), data.pop("pages"), data.pop("expected_gain")
        remarks = tuple(data.pop("remarks", ()))
        return Beat(
            **data,
            expected_gain=None if gain is None else ExpectedGain(**gain),
            hosts=tuple(WaitingHost(**one) for one in hosts),
            pages=tuple(PageInFlight(**one) for one in pages),
            remarks=remarks,
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def seconds_of(journal: Journal) -> float:
    """Return the seconds for which a run was crawled, by a process that crawls it now or was killed, too."""
    beat = read(journal.path.parent)
    return max(journal.get("seconds") or 0.0, 0.0 if beat is None else beat.seconds)


class Heartbeat:
    """Writes the file of a crawl from its own thread, as a context manager around its steps."""

    def __init__(
        self,
        folder: Path,
        crawl: Crawl,
        seconds: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Prepare to write.

        Args:
            folder: folder of the run.
            crawl: a crawl that has begun or was resumed.
            seconds: seconds of earlier processes of the run.
            clock: function that returns seconds; the one of the crawl's pool.
            wall: function that returns seconds since 1970.
        """
        self._path, self._crawl, self._earlier = folder / FILE, crawl, seconds
        self._clock, self._wall = clock, wall
        self._started, self._next = clock(), -math.inf
        failures = ledger.failures(crawl.journal)
        self._failures = _by_reason(failures)
        self._left_alone = {link: reason for link, reason in failures if reason in LEFT_ALONE}
        """Link -> reason of those that were not requested, until they are queued again."""
        self._last: tuple[str, float] | None = None
        self.remarks: tuple[str, ...] = ()
        self._counts = deque([(self._started, crawl.scheduler.fetched)])
        """(time, pages fetched) of the last minute."""

    @property
    def seconds(self) -> float:
        """Seconds of the whole run so far."""
        return self._earlier + self._clock() - self._started

    def __enter__(self) -> Heartbeat:
        self._crawl.pool.on_time = self._on_time
        self._on_time(self._clock())
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._crawl.pool.on_time = lambda now: math.inf
        if kind is not None:  # the file stays, as after a kill
            self._write(self._clock())

    def remove(self) -> None:
        """Remove the file, once the journal has the seconds of the run."""
        self._path.unlink(missing_ok=True)

    def count(self, step: Step) -> None:
        """Count a page or failure."""
        if step.outcome.failure is not None:
            self._failures[step.outcome.failure] += 1
            if step.outcome.failure in LEFT_ALONE:
                self._left_alone[step.outcome.link] = step.outcome.failure
        self._last = step.url, self._clock()
        if self._last[1] >= self._next:
            self._on_time(self._last[1])

    def _on_time(self, now: float) -> float:
        if now >= self._next:
            self._next = now + INTERVAL
            self._counts.append((now, self._crawl.scheduler.fetched))
            while len(self._counts) > 2 and self._counts[1][0] <= now - MINUTE:
                self._counts.popleft()
            self._write(now)
        return self._next

    def _write(self, now: float) -> None:
        part = self._path.with_suffix(".part")
        with suppress(OSError):  # a full disk is the journal's to report
            part.write_text(json.dumps(asdict(self.beat(now)), allow_nan=False), encoding="utf-8")
            part.replace(self._path)

    def beat(self, now: float) -> Beat:
        """Return what the crawl is doing at a time of the clock."""
        crawl, pool = self._crawl, self._crawl.pool
        shift = self._wall() - now
        for link in crawl.requeued:
            if (reason := self._left_alone.pop(link, None)) is not None:
                self._failures[reason] -= 1
        crawl.requeued.clear()
        jobs = pool.open_jobs()
        hosts = self._waiting_hosts(jobs, now, shift)
        began, before = self._counts[0]
        since = now - began
        first = math.inf if pool.active else min((job.until for job in jobs), default=math.inf)
        return Beat(
            pid=os.getpid(),
            computer=socket.gethostname(),
            started=self._started + shift,
            written=now + shift,
            seconds=self.seconds,
            fetched=crawl.scheduler.fetched,
            relevant=crawl.state.harvest.relevant,
            expected_gain=crawl.state.harvest.gain,
            per_minute=(crawl.scheduler.fetched - before) * MINUTE / since if since >= INTERVAL else None,
            failures=dict(+self._failures),
            queued=len(crawl.scheduler.frontier),
            in_flight=len(crawl.scheduler.in_flight),
            requests=pool.active,
            draining=pool.draining,
            limit_pages=crawl.limits.pages,
            limit_time=crawl.limits.seconds,
            memory=_memory(),
            last_url=self._last[0] if self._last else None,
            last_at=self._last[1] + shift if self._last else None,
            next_at=first + shift if now < first < math.inf else None,
            waiting_hosts=len(hosts),
            hosts=tuple(hosts[:MOST_HOSTS]),
            pages=tuple(PageInFlight(job.url, job.since + shift, job.waits) for job in jobs[:SHOWN]),
            received=pool.received,
            remarks=self.remarks,
            waits=dict(Counter(one.reason for one in hosts)),
            retries=pool.retries(),
            next_retry=pool.next_retry() + shift if pool.retries() else None,
        )

    def _waiting_hosts(self, jobs: list[OpenJob], now: float, shift: float) -> list[WaitingHost]:
        """Return the hosts that pages in flight wait for, and those left alone, the first to be ready first."""
        waiting = Counter(host(job.url) for job in jobs if job.waits not in (None, "robots", "browser"))
        found = {name: (reason, until) for name, reason, until in self._crawl.pool.closed_hosts()}
        for job in jobs:
            if job.waits not in (None, "robots", "browser", "retry"):
                found.setdefault(host(job.url), (job.waits, job.until))
        ordered = sorted(found.items(), key=lambda item: (item[1][1], item[0]))
        return [
            WaitingHost(name, reason, until + shift if now < until < math.inf else None, waiting[name])
            for name, (reason, until) in ordered
        ]

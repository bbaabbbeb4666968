"""What a run is doing now, for another process than the one that crawls it: rates, waits, estimated end, reasons."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crawler import heartbeat
from crawler.fetching.hosts import WAITS
from crawler.heartbeat import Beat, WaitingHost
from crawler.journal import JournalError, recounts
from crawler.journal.recounts import WeightsTaken
from kg.engine.files import FileLock
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import run_files, runs

SILENT = 10.0
"""Seconds without a sign of the process, or without a page, from which that is said."""
BRIEF = 2.0
"""Seconds of a pause of all hosts that is not worth a word: the usual delay between two requests."""
_NAMED = 3
"""Largest number of hosts that a sentence names."""


@dataclass(frozen=True)
class Stall:
    """A reason why a run does not go on, or goes on slowly."""

    code: str
    """interrupted, process_gone, process_stopped, process_silent, restoring, draining, queue_empty, all_hosts_wait,
    one_host or slow_response."""
    text: str
    until: str | None = None
    """Time at which it goes on, ISO 8601, where that is known."""


@dataclass(frozen=True)
class Now:
    """A run at this moment. Times are seconds since 1970."""

    run: str
    state: str
    """running, draining, or ended: interrupted or finished."""
    at: float
    beat: Beat | None
    """What the process wrote last; None where no process crawls the run, or none has begun to fetch."""
    stalls: tuple[Stall, ...]
    disk: int
    """Bytes of all files of the run."""
    rescored: tuple[WeightsTaken, ...] = ()
    """The weights that the run took after it had begun."""

    @property
    def running(self) -> bool:
        """Whether a process crawls the run."""
        return self.state in ("running", "draining")

    @property
    def pages_per_second(self) -> float | None:
        """Pages per second over the whole run."""
        return self.beat.fetched / self.beat.seconds if self.beat and self.beat.seconds > 0 else None

    @property
    def pages_per_second_last_minute(self) -> float | None:
        """Pages per second in the last minute."""
        return None if self.beat is None or self.beat.per_minute is None else self.beat.per_minute / heartbeat.MINUTE

    @property
    def harvest(self) -> float | None:
        """Share of the fetched pages that are relevant."""
        return self.beat.relevant / self.beat.fetched if self.beat and self.beat.fetched else None

    def end(self) -> tuple[float, str] | None:
        """Return when the run will end and by which limit, at the rate of the last minute; None if that is unknown."""
        beat, ends = self.beat, []
        if beat is None or not self.running:
            return None
        rate = self.pages_per_second_last_minute
        if beat.limit_pages and rate:
            ends.append((beat.written + max(0, beat.limit_pages - beat.fetched) / rate, "limit_pages"))
        if beat.limit_time:
            ends.append((beat.started + beat.limit_time, "limit_time"))
        return min(ends, default=None)

    def as_json(self) -> dict[str, Any]:
        """Return ``live`` of ``crawl status RUN --json``, with times in ISO 8601."""
        beat, end = self.beat, self.end()
        whole = {
            "state": self.state,
            "at": _iso(self.at),
            "disk": self.disk,
            "stalls": [asdict(stall) for stall in self.stalls],
            "rescored": [asdict(taken) for taken in self.rescored],
        }
        if beat is None:
            return whole
        return whole | {
            "process": beat.pid,
            "computer": beat.computer,
            "started": _iso(beat.started),
            "seconds": round(beat.seconds, 3),
            "updated": _iso(beat.written),
            "fetched": beat.fetched,
            "relevant": beat.relevant,
            "harvest": self.harvest,
            "expected_gain": None if beat.expected_gain is None else asdict(beat.expected_gain),
            "pages_per_second": self.pages_per_second,
            "pages_per_second_last_minute": self.pages_per_second_last_minute,
            "queued": beat.queued,
            "in_flight": beat.in_flight,
            "requests": beat.requests,
            "retries": {"waiting": beat.retries, "next": _iso(beat.next_retry)},
            "failures": dict(beat.failures),
            "memory": beat.memory,
            "limit_pages": beat.limit_pages,
            "limit_time": beat.limit_time,
            "last_page": None if beat.last_at is None else {"url": beat.last_url, "at": _iso(beat.last_at)},
            "estimated_end": None if end is None else {"at": _iso(end[0]), "by": end[1]},
            "remarks": list(beat.remarks),
            "waiting_hosts": beat.waiting_hosts,
            "hosts": [{**asdict(one), "until": _iso(one.until)} for one in beat.hosts],
            "pages_in_flight": [{**asdict(page), "since": _iso(page.since)} for page in beat.pages],
        }


def now(space: Workspace, name: str, *, wall: Callable[[], float] = time.time) -> Now:
    """Look at a run without reading its journal's pages, so that it can be done every second.

    Args:
        space: the workspace of the run.
        name: name of the run.
        wall: function that returns seconds since 1970.

    Returns:
        The run at this moment.

    Raises:
        UsageError: there is no such run.
    """
    folder = space.existing_run(name)
    held = FileLock(folder / runs.LOCK).is_held()
    beat = heartbeat.read(folder)
    with runs.open_journal(space, name) as journal:
        state, rescored = runs.state_of(journal, running=held), recounts.taken(journal)
    at = wall()
    stalls = tuple(_stalls(name, state, beat, at))
    return Now(name, state, at, beat if held else None, stalls, disk_use(folder), rescored)


def disk_use(folder: Path) -> int:
    """Return the bytes of all files of a run."""
    used = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # a snapshot that was replaced meanwhile
            used += path.stat().st_size
    return used


# ---- reasons ----------------------------------------------------------------------------------------------------


def _stalls(name: str, state: str, beat: Beat | None, at: float) -> Iterator[Stall]:
    if state == "interrupted":
        gone = f"process {beat.pid} is gone" if beat else "the run was stopped"
        yield Stall("process_gone" if beat else "interrupted", f"{gone}: `ontocrawl crawl resume {name}` continues it")
    if state not in ("running", "draining"):
        return
    alive = None if beat is None else _process_state(beat.pid, beat.computer)
    if beat is None or alive == "gone":
        yield Stall("restoring", "the process prepares the crawl: it reads the topic, or restores the state of the run")
        return
    if alive == "stopped":
        text = f"process {beat.pid} is stopped by a signal: `kill -CONT {beat.pid}` lets it go on"
        yield Stall("process_stopped", text)
    elif at - beat.written > SILENT:
        text = f"process {beat.pid} has written nothing since {clock(beat.written, at)}: it computes, or is suspended"
        yield Stall("process_silent", text)
    yield from _waits(beat, at)


def _waits(beat: Beat, at: float) -> Iterator[Stall]:
    if beat.draining:
        yield Stall("draining", f"no more links are chosen: the run ends after {_count(beat.requests, 'request')}")
    elif beat.in_flight and not beat.queued:
        yield Stall(
            "queue_empty", f"the queue is empty: {_count(beat.in_flight, 'page')} in flight may add links to it"
        )
    hosts = [host for host in beat.hosts if host.waiting]
    if beat.next_at is not None and beat.next_at - max(at, beat.written) > BRIEF:
        text = f"all hosts wait until {clock(beat.next_at, at)}: {_named(hosts, beat.waiting_hosts)}"
        yield Stall("all_hosts_wait", text, _iso(beat.next_at))
    elif len(hosts) == beat.waiting_hosts == 1 and hosts[0].waiting + beat.requests == beat.in_flight > 1:
        why = "one request at a time" if hosts[0].reason == "request" else WAITS.get(hosts[0].reason, hosts[0].reason)
        yield Stall("one_host", f"all {beat.in_flight} pages in flight are of {hosts[0].host} ({why})")
    requested = next((page for page in beat.pages if page.waits is None), None)
    last = beat.last_at or beat.started
    if requested and at - max(last, requested.since) > SILENT:
        text = f"no page since {clock(last, at)}: {requested.url} has not come for {at - requested.since:.0f} s"
        yield Stall("slow_response", text)


def _named(hosts: Sequence[WaitingHost], number: int) -> str:
    named = ", ".join(f"{host.host} ({WAITS.get(host.reason, host.reason)})" for host in hosts[:_NAMED])
    more = number - min(len(hosts), _NAMED)
    return (named or "failed requests are made again then") + (f" and {more} others" if named and more > 0 else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _process_state(pid: int, computer: str) -> str | None:
    """Return "gone" or "stopped" for a process of this computer that is so; None for others, and where unknown."""
    if computer != socket.gethostname() or os.name != "posix":
        return None
    with suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "stopped" if fields[0] in "Tt" else "gone" if fields[0] in "ZX" else None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except OSError:
        return None
    return None


def clock(seconds: float, at: float) -> str:
    """Return a time of day of this computer, with the date where that is not the one of ``at``."""
    moment, today = (datetime.fromtimestamp(value, UTC).astimezone() for value in (seconds, at))  # as the user's watch
    return f"{moment:%H:%M:%S}" if moment.date() == today.date() else f"{moment:%Y-%m-%d %H:%M:%S}"


def _iso(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def measures(space: Workspace, name: str) -> dict[str, Any]:
    """Return the document of ``crawl run --json`` of an existing run: as stored at its end, else from its journal."""
    found = _with_failures(space, name)
    del found["failed"]
    return found


def document(space: Workspace, name: str) -> Mapping[str, Any]:
    """Return the document of ``crawl status RUN --json``: the measures of the run, and what it is doing now."""
    return {**_with_failures(space, name), "live": now(space, name).as_json()}


def _with_failures(space: Workspace, name: str) -> dict[str, Any]:
    """Return the measures of a run, and ``failed``: its failures by reason."""
    folder = space.existing_run(name)
    running = FileLock(folder / runs.LOCK).is_held()
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        stored = None if running else run_files.stored_measures(folder / runs.SUMMARY, journal)
        return stored or {**runs.sum_up(journal, running=running).as_json(), "failed": heartbeat.failed(journal)}


def listed(space: Workspace) -> list[Mapping[str, Any]]:
    """Return the measures of each run of a workspace; of one whose journal cannot be read, the reason."""
    found: list[Mapping[str, Any]] = []
    for name in space.run_names():
        try:
            found.append(measures(space, name))
        except (JournalError, UsageError) as error:  # or a folder whose name is not that of a run
            found.append({"run": name, "error": str(error)})
    return found

"""What a run is doing now, for another process than the one that crawls it: rates, waits, estimated end, reasons."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from crawler import heartbeat
from crawler.fetching.hosts import HostSchedule, why_it_waits
from crawler.fetching.retries import HOST_DOWN, HOST_PAUSED
from crawler.heartbeat import Beat, WaitingHost
from crawler.journal import Journal, JournalError, ledger, recounts, visits
from crawler.journal.recounts import WeightsTaken
from crawler.reasons import group_of
from crawler.url import host
from kg.engine.files import FileLock
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import run_files, runs
from ontology.errors import Message
from ontology.files import Stamp, stamp

SILENT = 10.0
"""Seconds without a sign of the process, or without a page, from which that is said."""
_BRIEF = 2.0
"""Seconds of a pause of all hosts that is not worth a word: the usual delay between two requests."""
_NAMED = 3
"""Largest number of hosts that a sentence names."""


@dataclass(frozen=True)
class Stall:
    """A reason why a run does not go on, or goes on slowly."""

    code: str
    """interrupted, process_gone, process_stopped, process_silent, restoring, revisiting, draining, queue_empty,
    all_hosts_wait, one_host or slow_response."""
    text: Message
    until: str | None = None
    """Time at which it goes on, ISO 8601, where that is known."""

    def as_json(self) -> dict[str, Any]:
        """Return the reason as values of JSON, with code and values of its text under ``message``."""
        return {**asdict(self), "message": self.text.as_json()}


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
            "stalls": [stall.as_json() for stall in self.stalls],
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
            "hosts": [{**asdict(one), "until": _iso(one.until)} for one in beat.hosts[: heartbeat.SHOWN]],
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
        again = visits.summary(journal) if held and beat is None and journal.get(visits.RUNNING) else None
    at = wall()
    stalls = (_revisiting(again),) if again else tuple(_stalls(name, state, beat, at))
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
        gone = Message("stalls.process_gone", pid=beat.pid, name=name) if beat else None
        yield _stall(gone or Message("stalls.interrupted", name=name))
    if state not in ("running", "draining"):
        return
    alive = None if beat is None else _process_state(beat.pid, beat.computer)
    if beat is None or alive == "gone":
        yield _stall(Message("stalls.restoring"))
        return
    if alive == "stopped":
        yield _stall(Message("stalls.process_stopped", pid=beat.pid))
    elif at - beat.written > SILENT:
        yield _stall(Message("stalls.process_silent", pid=beat.pid, since=clock(beat.written, at)))
    yield from _waits(beat, at)


def _stall(why: Message, until: str | None = None) -> Stall:
    return Stall(why.code.partition(".")[2], why, until)


def _revisiting(again: Mapping[str, Any]) -> Stall:
    about = {"revisits": again["revisits"], "visits": sum(again[change] for change in visits.CHANGES)}
    ended = again["state"] == "finished"
    why = Message("stalls.revisit_ended", **about) if ended else Message("stalls.revisiting", **about)
    return Stall("revisiting", why)


def _waits(beat: Beat, at: float) -> Iterator[Stall]:
    if beat.draining:
        yield _stall(Message("stalls.draining", requests=beat.requests))
    elif beat.in_flight and not beat.queued:
        yield _stall(Message("stalls.queue_empty", pages=beat.in_flight))
    hosts = [host for host in beat.hosts if host.waiting]
    if beat.next_at is not None and beat.next_at - max(at, beat.written) > _BRIEF:
        named = _named(hosts, beat.waiting_hosts)
        why = Message("stalls.all_hosts_wait", until=clock(beat.next_at, at), hosts=named)
        yield _stall(why, _iso(beat.next_at))
    elif len(hosts) == beat.waiting_hosts == 1 and hosts[0].waiting + beat.requests == beat.in_flight > 1:
        reason = hosts[0].reason
        why_one = Message("stalls.one_request") if reason == "request" else why_it_waits(reason)
        yield _stall(Message("stalls.one_host", pages=beat.in_flight, host=hosts[0].host, why=why_one))
    requested = next((page for page in beat.pages if page.waits is None), None)
    last = beat.last_at or beat.started
    if requested and at - max(last, requested.since) > SILENT:
        about = {"since": clock(last, at), "url": requested.url, "seconds": at - requested.since}
        yield _stall(Message("stalls.slow_response", **about))


def _named(hosts: Sequence[WaitingHost], number: int) -> list[Message]:
    named = [Message("stalls.host", host=host.host, why=why_it_waits(host.reason)) for host in hosts[:_NAMED]]
    more = number - len(named)
    return named + [Message("stalls.others", number=more)] * (more > 0) if named else [Message("stalls.retries_wait")]


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


def marked(space: Workspace, name: str) -> dict[str, Any]:
    """Return the measures of an existing run with its note, its tags, and whether it is hidden."""
    return {**measures(space, name), **run_files.read_marks(space.existing_run(name)).as_json()}


def document(space: Workspace, name: str) -> dict[str, Any]:
    """Return the document of ``crawl status RUN --json``: the measures of the run, and what it is doing now."""
    with runs.open_journal(space, name) as journal:
        found = visits.summary(journal)
    again = {} if found is None else {"again": found}
    marks = run_files.read_marks(space.existing_run(name)).as_json()
    return {**_with_failures(space, name), **marks, "live": now(space, name).as_json(), **again}


def diagnosis_of(space: Workspace, name: str) -> Mapping[str, Any]:
    """Return ``diagnosis`` of ``crawl status RUN --json``; of a run that is being crawled, what can be said so far."""
    if not FileLock(space.existing_run(name) / runs.LOCK).is_held():
        ended: Mapping[str, Any] = measures(space, name)["diagnosis"]
        return ended
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        return asdict(runs.diagnosis_so_far(journal))


def begun(space: Workspace, name: str) -> tuple[str, bool]:
    """Return when an existing run began, ISO 8601, and whether it belongs into the graph."""
    folder = space.existing_run(name)
    return _begun(folder, _state(folder))


def _with_failures(space: Workspace, name: str) -> dict[str, Any]:
    """Return the measures of a run, and ``failed``: its failures by reason."""
    folder = space.existing_run(name)
    if FileLock(folder / runs.LOCK).is_held():
        with runs.open_journal(space, name) as journal, journal.at_one_moment():
            return {**runs.sum_up(journal, running=True).as_json(), "failed": heartbeat.failed(journal)}
    return {**_ended(folder, _state(folder))}


_KEPT = 2_000
"""Runs whose measures are kept, as long as their files are the same."""
_State = tuple[Stamp | None, ...]


def _state(folder: Path) -> _State:
    """Return what differs after each change of the journal of a run, or of the measures that it stored."""
    return tuple(stamp(folder / name) for name in (JOURNAL, f"{JOURNAL}-wal", runs.SUMMARY))


@lru_cache(maxsize=_KEPT)
def _begun(folder: Path, state: _State) -> tuple[str, bool]:
    with closing(Journal(folder / JOURNAL)) as journal:
        config = runs.read_config(journal)
    return config.started, config.graph


@lru_cache(maxsize=_KEPT)
def _ended(folder: Path, state: _State) -> Mapping[str, Any]:
    with closing(Journal(folder / JOURNAL)) as journal, journal.at_one_moment():
        stored = run_files.stored_measures(folder / runs.SUMMARY, journal)
        return stored or {**runs.sum_up(journal).as_json(), "failed": heartbeat.failed(journal)}


def listed(space: Workspace, *, hidden: bool = False, tag: str = "") -> list[Mapping[str, Any]]:
    """Return the measures and marks of each run of a workspace; of one that cannot be read, the reason.

    Args:
        space: the workspace.
        hidden: whether hidden runs are listed too.
        tag: only runs with this tag; empty for all.
    """
    found: list[Mapping[str, Any]] = []
    for name in space.run_names():
        try:
            marks = run_files.read_marks(space.run(name))
            if (hidden or not marks.hidden) and (not tag or tag in marks.tags):
                found.append({**measures(space, name), **marks.as_json()})
        except (JournalError, UsageError) as error:  # or a folder whose name is not that of a run
            found.append({"run": name, "error": str(error)})
    return found


def hidden_runs(space: Workspace) -> int:
    """Return the number of runs that `listed` leaves out because they are hidden."""
    count = 0
    for name in space.run_names():
        with suppress(UsageError):  # which `listed` names
            count += run_files.read_marks(space.run(name)).hidden
    return count


# ---- hosts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HostState:
    """What a run does about a host now."""

    state: str
    """A code of `crawler.fetching.hosts.WAITS` for a host that is not requested for a while; in_flight; host_down or
    host_paused: it was given up for a time; closed: robots.txt closes all links to it that were tried; queued: links
    to it are in the queue; host_cap: the run has as many of its pages as it may have; done, failed: all that was
    requested came, or nothing did; unasked: none of its links was taken."""
    until: float | None
    """Seconds since 1970 until which it is not requested, where that is known."""
    waiting: int
    """Pages in flight that wait for it."""
    queued: int
    """Links to it in the queue."""
    closed: int
    """Links to it that robots.txt closes."""


def host_states(space: Workspace, name: str, *, wall: Callable[[], float] = time.time) -> Mapping[str, HostState]:
    """Return the state of each host that a run knows a link to, or waits for.

    Args:
        space: the workspace of the run.
        name: name of the run.
        wall: function that returns seconds since 1970.

    Returns:
        Host -> its state.

    Raises:
        UsageError: there is no such run.
    """
    folder = space.existing_run(name)
    beat = heartbeat.read(folder) if FileLock(folder / runs.LOCK).is_held() else None
    fates = defaultdict[str, Counter[str]](Counter)
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        for _, url, fate in ledger.fates(journal):
            fates[host(url)][fate] += 1
        waits = _paused(journal.get("pauses"), wall()) if beat is None else beat.hosts
    waiting = {one.host: one for one in waits}
    return {one: _host_state(fates[one], waiting.get(one)) for one in (*fates, *(waiting.keys() - fates.keys()))}


def _paused(saved: Mapping[str, Any] | None, at: float) -> Iterator[WaitingHost]:
    """Yield the hosts whose pauses had not ended when the journal's last snapshot was taken, and have not since."""
    schedule = HostSchedule()
    passed = 0.0 if saved is None else at - saved["at"]
    left = {} if saved is None else saved["hosts"]
    schedule.restore({one: (seconds - passed, *more) for one, (seconds, *more) in left.items()}, at)
    for one, reason, until in schedule.closed(at):
        yield WaitingHost(one, reason, until, 0)


def _host_state(fates: Counter[str], wait: WaitingHost | None) -> HostState:
    closed, failed = (sum(n for code, n in fates.items() if group_of(code) == kind) for kind in ("robots", "failure"))
    states = {
        "" if wait is None else wait.reason: wait is not None,
        ledger.IN_FLIGHT: fates[ledger.IN_FLIGHT],
        HOST_DOWN: fates[HOST_DOWN],
        HOST_PAUSED: fates[HOST_PAUSED],
        "closed": closed and not fates[ledger.FETCHED],
        ledger.QUEUED: fates[ledger.QUEUED],
        "host_cap": fates["host_cap"],
        "done": fates[ledger.FETCHED],
        "failed": failed,
    }
    state = next((code for code, holds in states.items() if holds), "unasked")
    until, waiting = (None, 0) if wait is None else (wait.until, wait.waiting)
    return HostState(state, until, waiting, fates[ledger.QUEUED], closed)

"""Crawls as processes of their own, which go on when the process that started them ends: start, go on, pause, look."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from crawler.journal import DamagedJournalError
from kg.engine.files import FileLock
from ontocrawl.base.workspace import JOURNAL, Workspace, make_folder
from ontocrawl.errors import RESUMABLE, CommandError, UsageError
from ontocrawl.runs import crawl_request, run_status, run_stopping, runs
from ontocrawl.runs.crawl_request import CrawlRequest, FieldError
from ontology.errors import Language

LOG = "process.log"
"""File in the folder of a run with what its last process wrote to stderr."""
_SHOWN = 8000
"""Bytes of the log that are shown, the last ones."""


@dataclass(frozen=True)
class ProcessState:
    """What the process of a run does."""

    run: str
    state: str
    """starting (no page was chosen yet), crawling, ending (it writes the graph), failed (it could not begin), ended."""
    code: int | None
    """Exit code, where the process was started here and has ended."""
    log: str
    """The end of what it wrote to stderr; empty where it was started elsewhere."""

    def as_json(self) -> dict[str, Any]:
        """Return the state as values of JSON; ``wrong`` says whether the process ended with an error."""
        return {**asdict(self), "wrong": self.state == "failed" or self.code not in (None, 0, RESUMABLE)}


class CrawlProcesses:
    """The processes that were started here. They do not end with this one."""

    def __init__(self, space: Workspace) -> None:
        self._space, self._lock = space, Lock()
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._at: dict[str, float] = {}
        """When each process was started, as file times."""

    def start(self, request: CrawlRequest, language: Language = "en") -> str:
        """Check a request, and start its crawl.

        Args:
            request: the crawl that is asked for.
            language: of what the process writes.

        Returns:
            The name of the run.

        Raises:
            FieldError: a value is refused.
            OntocrawlError: as for `crawl_request.check`.
            CommandError: the process cannot be started.
        """
        checked = crawl_request.check(self._space, request).config
        with self._lock:
            name = checked.run if request.options.run else self._reserved(checked.strategy)
            if self._alive(name):
                raise FieldError("run", "runs.run_starting", name=name)
            make_folder(self._space.run(name))
            self._spawn(name, request.arguments(name, checked.topic_file), language)
        return name

    def resume(self, name: str, limits: Mapping[str, Any], language: Language = "en") -> None:
        """Let a run go on.

        Args:
            name: name of the run.
            limits: limits by the names of `options.LIMITS`, as sent; those that are absent stay.
            language: of what the process writes.

        Raises:
            UsageError: there is no such run, it is being crawled, or a limit is refused.
            FieldError: it has all pages of its limit, and no larger one is given.
            CommandError: the process cannot be started.
        """
        folder = self._space.existing_run(name)
        changed = crawl_request.check_limits(limits)
        with self._lock:
            if self._alive(name) or FileLock(folder / runs.LOCK).is_held():
                raise UsageError("runs.run_crawled", name=name)
            self._require_pages_left(name, changed.get("limit_pages"))
            given = [f"--{key.replace('_', '-')}={value}" for key, value in changed.items()]
            self._spawn(name, ["crawl", "resume", name, *given], language)

    def _require_pages_left(self, name: str, most: int | None) -> None:
        done = run_status.measures(self._space, name)
        if done["stop_reason"] == "limit_pages" and (most is None or 0 < most <= done["fetched"]):
            raise FieldError("limit_pages", "runs.has_its_pages", name=name, fetched=done["fetched"])

    def state(self, name: str) -> ProcessState:
        """Return what the process of a run does. Raises UsageError for a run that exists not, and was not started."""
        folder = self._space.run(name)
        process = self._started.get(name)
        if process is None and not (folder / LOG).exists():
            folder = self._space.existing_run(name)
        begun, code = self._has_begun(name), None if process is None else process.poll()
        if FileLock(folder / runs.LOCK).is_held():
            state = "crawling" if begun else "starting"
        elif process is not None and code is None:
            state = "ending" if _written_since(folder / runs.SUMMARY, self._at[name]) else "starting"
        elif self._space.writes_into_graph(name):
            state = "ending"
        else:
            state = "ended" if begun else "failed"
        return ProcessState(name, state, code, _end_of(folder / LOG))

    def has_not_begun(self, name: str) -> bool:
        """Return whether a run was started, and has no page that could be shown."""
        return (self._space.run(name) / LOG).exists() and not self._has_begun(name)

    def _has_begun(self, name: str) -> bool:
        if not (self._space.run(name) / JOURNAL).exists():
            return False
        try:
            runs.config_of(self._space, name)
        except DamagedJournalError:  # the journal was made, and has no configuration yet
            return False
        return True

    def _alive(self, name: str) -> bool:
        process = self._started.get(name)
        return process is not None and process.poll() is None

    def _reserved(self, strategy: str) -> str:
        """Return an unused name of a run, and make its folder, so that no other crawl takes the name."""
        make_folder(self._space.runs)
        while True:
            name = runs.fresh_name(self._space, strategy)
            try:
                self._space.run(name).mkdir()
            except FileExistsError:
                continue
            return name

    def _spawn(self, name: str, arguments: Sequence[str], language: Language) -> None:
        line = [sys.executable, "-m", "ontocrawl", f"--lang={language}", *arguments, f"--workspace={self._space.root}"]
        log = self._space.run(name) / LOG
        try:
            with log.open("wb") as errors:
                process = subprocess.Popen(  # noqa: S603 - this Python and this package, its arguments checked
                    line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, **_apart()
                )
        except OSError as error:
            raise CommandError("runs.run_not_started", name=name, strerror=error.strerror or error) from error
        self._started[name], self._at[name] = process, log.stat().st_mtime
        Thread(target=process.wait, daemon=True).start()  # or a process that has ended stays in the system's table


def pause(space: Workspace, name: str) -> None:
    """End the crawl of a run in order, as Ctrl-C does: pages in flight are waited for, and the run can go on later.

    Args:
        space: the workspace of the run.
        name: name of the run.

    Raises:
        UsageError: no process crawls the run, or this process may not end it; the message says why.
    """
    now = run_status.now(space, name)
    if not now.running:
        raise UsageError("runs.run_not_crawled", name=name, state=now.state)
    if now.state == "draining" or (now.beat and now.beat.draining):
        raise UsageError("runs.run_ending", name=name)
    folder = space.existing_run(name)
    who = run_stopping.read(folder)
    if who is None:
        raise UsageError("runs.run_not_here", name=name)
    here = run_stopping.this_process(who.signal)
    if who.computer != here.computer:
        raise UsageError("runs.run_computer", name=name, computer=who.computer)
    if who.user != here.user:
        raise UsageError("runs.run_user", name=name)
    if now.beat is not None and now.beat.pid != who.pid:
        raise UsageError("runs.run_changed", name=name)
    if run_stopping.take(folder):
        try:
            os.kill(who.pid, who.signal)
        except OSError as error:
            raise UsageError("runs.run_cannot_end", pid=who.pid, name=name, strerror=error.strerror) from error


def _written_since(path: Path, time: float) -> bool:
    return path.exists() and path.stat().st_mtime > time


def _apart() -> dict[str, Any]:
    """Return arguments of Popen for a process that no signal of this one's terminal reaches."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS}
    return {"start_new_session": True}


def _end_of(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _SHOWN))
            return file.read().decode("utf-8", "replace").strip()
    except FileNotFoundError:
        return ""

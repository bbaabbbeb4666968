"""Start, use and end of the embedded engine: a private graph server without set-up.

The first command on a data folder starts it, later ones connect to it, and it ends a little after its last user
(``ONTOCRAWL_ENGINE_IDLE`` seconds, 20 by default), or at once with ``stop``. kg/engine/supervisor.py supervises it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kg import interruption
from kg.bolt import BoltStore, Trace
from kg.engine import data as engine_data
from kg.engine import java as engine_java
from kg.engine import revision as engine_revision
from kg.engine.data import DamagedGraphError
from kg.engine.files import TOLD_SECONDS, EngineFolder, EngineState, FileLock, log, prepare, refuse_foreign
from kg.engine.revision import end_marked
from kg.store import StoreError, StoreUnavailable
from ontology.errors import Message

_T = TypeVar("_T")
IDLE_SECONDS = 20.0
IDLE_VARIABLE = "ONTOCRAWL_ENGINE_IDLE"
MEMORY = 1024
"""Largest heap of an engine's Java in MB, unless it is started with another."""
_OUT_OF_MEMORY = ("in-heap", "Java heap space")
"""What the engine says of a query that would use more than half of its heap."""
_ENDED_BY_MEMORY = "Terminating due to java.lang.OutOfMemoryError"
"""Last words of an engine in whose log they are."""
_LITTLE_SPACE = 4 * 2**20
_FULL_TEXT = re.compile(
    r"\s*CREATE\s+FULLTEXT\s+INDEX\b.*?\bFOR\s*\(n:(?P<label>\w+)\)\s*ON\s+EACH\s*\[n\.(?P<name>\w+)\]", re.IGNORECASE
)
_NOTICE_SECONDS = 10.0
JAVA_OPTIONS: tuple[str, ...] = ()
"""Options of Java for the engines that this process starts, besides those of every engine; tests set some."""
_RUN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from kg.engine.supervisor import main
sys.exit(main(sys.argv[1:]))
"""
_DETACH = """
import os, subprocess, sys
options = {"creationflags": 0x08000200} if sys.platform == "win32" else {"start_new_session": True}
subprocess.Popen([sys.executable, *sys.argv[1:]], **options)
sys.stdout.flush()
os._exit(0)
"""


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """State of the engine of a data folder, and its users."""

    running: bool
    uri: str | None = None
    users: tuple[int, ...] = ()
    """Process numbers."""
    pid: int | None = None
    """Process number of the engine's Java."""
    started: str | None = None
    """ISO-8601, UTC."""
    version: str | None = None


class Connection:
    """The address of a running engine and a lease on it, which keeps the engine running until ``release``."""

    def __init__(self, state: EngineState, lease: FileLock) -> None:
        self.state = state
        self.uri = f"bolt://127.0.0.1:{state.bolt_port}"
        self.auth = (engine_java.USER, state.password)
        self.reader = (engine_java.READER, engine_java.reading_password(state))
        self.database = engine_java.DATABASE
        self._lease = lease

    def release(self) -> None:
        """Release the lease; a second call does nothing."""
        self._lease.release()
        self._lease.path.unlink(missing_ok=True)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class _Waits:
    """Answers of an engine that are waited for, of which a thread tells after ``TOLD_SECONDS``, and then ever later.

    Args:
        tell: called with the number of seconds.
    """

    def __init__(self, tell: Callable[[float], None]) -> None:
        self._tell, self._closed, self._lock = tell, threading.Event(), threading.Lock()
        self._next: dict[object, tuple[float, float]] = {}
        """Wait -> when it began, and after how many seconds it is told of next."""
        self._thread: threading.Thread | None = None

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for an answer within the block."""
        wait = object()
        with self._lock:
            self._next[wait] = time.monotonic(), TOLD_SECONDS
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="waits", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                del self._next[wait]

    def close(self) -> None:
        """End the thread."""
        self._closed.set()

    def _watch(self) -> None:
        while not self._closed.wait(min(1.0, TOLD_SECONDS / 4)):
            now = time.monotonic()
            with self._lock:
                late = {wait: now - began for wait, (began, after) in self._next.items() if now - began > after}
                self._next |= {wait: (now - seconds, 2 * seconds) for wait, seconds in late.items()}
            if late:
                self._tell(max(late.values()))


class EmbeddedStore(BoltStore):
    """A store on the embedded engine; ``close`` releases its lease."""

    def __init__(self, connection: Connection, folder: Path, trace: Trace | None = None) -> None:
        self._connection = connection
        self._waits = _Waits(self._told)
        self._folder = folder
        super().__init__(connection.uri, connection.auth, connection.database, reader=connection.reader, trace=trace)

    def schema(self, statement: str) -> None:
        """Run one schema statement; full-text indexes, which the engine's Cypher lacks, are created in another way."""
        full_text = _FULL_TEXT.match(statement)
        if full_text is None:
            super().schema(statement)
        else:
            self._show(statement, {})
            engine_java.create_full_text_index(self._connection.state, full_text["label"], full_text["name"])

    def close(self) -> None:
        """Close all connections and release the lease."""
        self._waits.close()
        super().close()
        self._connection.release()

    def revision(self) -> str | None:
        """Return a text that differs after each committed change, by whatever program; None where it is not known."""
        return engine_revision.of(EngineFolder(self._folder.resolve()), self._connection.state)

    def _within_limits(self, work: Callable[[], _T]) -> _T:
        with self._waits.waiting():
            return super()._within_limits(work)

    def _told(self, seconds: float) -> None:
        doing = engine_revision.sign_of_life(self._connection.state)
        log.warning("waiting for %.0f s for the embedded graph engine in %s, %s", seconds, self._folder, doing)

    def _sent(self, statement: str) -> str:
        limits = interruption.limits()
        return statement if limits is None else interruption.marked(statement, limits.mark)

    def _end_statements(self, mark: str) -> None:
        end_marked(self._connection.state, mark)

    def _end_by_force(self) -> bool:
        """End the engine, which looks for the end of a statement between rows, not within an expression."""
        log.warning("the embedded graph engine in %s is ended: it did not end a statement", self._folder)
        return stop(self._folder)

    def _remark(self, said: str) -> str:
        if any(words in said for words in _OUT_OF_MEMORY):
            return Message("kg.engine_memory")
        if f"'{engine_java.READER}' is not allowed" in said:
            return "; this is a read, and a read may not do it"
        if shutil.disk_usage(self._folder).free >= _LITTLE_SPACE:
            return ""
        return f"; the disk of {self._folder} is full: free some space and run the command again"

    @property
    def _advice(self) -> Message:
        by_memory = _ENDED_BY_MEMORY in EngineFolder(self._folder.resolve()).log_tail()
        return Message("kg.engine_ended", folder=self._folder, memory=Message("kg.engine_memory") if by_memory else "")


def open_embedded(directory: Path, *, memory: int = MEMORY, trace: Trace | None = None) -> EmbeddedStore:
    """Open a store on the engine of a data folder, which is started if necessary.

    Args:
        directory: the data folder.
        memory: largest heap of the engine in MB if it is started; one that runs keeps its own.
        trace: called with each statement and its parameters before they are sent.

    Raises:
        StoreUnavailable: the engine is not installed or does not respond.
        StoreError: the folder is foreign, damaged or not usable.
    """
    try:
        return _store_on(attach(directory, memory), directory, trace)
    except StoreUnavailable:
        # An engine that was killed a moment ago still looks alive until its supervisor has noticed.
        folder = EngineFolder(directory.resolve())
        state = folder.read_state()
        if not _noticed_dead(folder):
            if os.name == "posix" and state is not None and not engine_java.is_ours(folder, state):
                raise _elsewhere(folder, state) from None
            raise
    return _store_on(attach(directory, memory), directory, trace)


def _store_on(connection: Connection, directory: Path, trace: Trace | None) -> EmbeddedStore:
    try:
        return EmbeddedStore(connection, directory, trace)
    except BaseException:
        connection.release()
        raise


def _elsewhere(folder: EngineFolder, state: EngineState) -> StoreUnavailable:
    return StoreUnavailable("engine.embedded_graph_engine_runs", root=folder.root, started=state.started)


def _noticed_dead(folder: EngineFolder) -> bool:
    """Return whether the supervisor of an engine that does not respond ends within a few seconds."""
    deadline = time.monotonic() + _NOTICE_SECONDS
    while folder.supervised():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def attach(directory: Path, memory: int = MEMORY) -> Connection:
    """Connect to the engine of a data folder, or start it; errors as in ``open_embedded``."""
    folder = EngineFolder(directory.resolve())
    version = engine_java.package_version()
    refuse_foreign(folder)
    with folder.exclusive():
        prepare(folder, version)
        if folder.supervised() and not engine_java.has_reader(folder):
            _end_older(folder)
        lease = folder.lease()
        try:
            return Connection(_running(folder) or _start(folder, memory), lease)
        except BaseException:
            lease.release()
            lease.path.unlink(missing_ok=True)
            raise


def stop(directory: Path, *, idle: bool = False) -> bool:
    """Stop the engine of a data folder at once; return whether one was stopped.

    Args:
        directory: the data folder.
        idle: stop it only if it has no users.

    Raises:
        StoreError: it does not end.
    """
    folder = EngineFolder(directory.resolve())
    if not folder.marker.exists():
        return False
    with folder.exclusive():
        if idle and folder.live_users():
            return False
        if not folder.supervised():
            return _end_orphan(folder)
        _end_supervised(folder)
        return True


def status(directory: Path) -> EngineStatus:
    """Return the state of the engine of a data folder, without starting it."""
    folder = EngineFolder(directory.resolve())
    state = folder.read_state()
    if state is None or not state.ready or not (folder.supervised() or engine_java.is_ready(state)):
        return EngineStatus(running=False)
    uri = f"bolt://127.0.0.1:{state.bolt_port}"
    return EngineStatus(True, uri, tuple(folder.live_users()), state.java_pid, state.started, state.version)


def installed() -> bool:
    """Return whether the package of the engine is installed."""
    try:
        engine_java.package_folder()
    except StoreUnavailable:
        return False
    return True


def check_structures(directory: Path) -> list[str]:
    """Return what the engine's own check of its records, links and indexes finds wrong, in sentences.

    Args:
        directory: the data folder of a running engine.

    Raises:
        StoreError: the engine cannot check its database.
    """
    state = EngineFolder(directory.resolve()).read_state()
    return [] if state is None else _findings(state)


def compare_files(directory: Path) -> bool | None:
    """Compare the content of all files with what the engine left at its last orderly end.

    Args:
        directory: the data folder.

    Returns:
        Whether they could be compared: None if there is no data, or an engine is running, which may change them;
        False after a disorderly end.

    Raises:
        DamagedGraphError: they differ; the message says where.
    """
    folder = EngineFolder(directory.resolve())
    if not folder.marker.exists():
        return None
    with folder.exclusive():
        if folder.supervised():
            return None
        return engine_data.check(folder, engine_java.DATABASE, thorough=True)


def idle_seconds() -> float:
    """Return how long an engine waits for its next user.

    Raises:
        StoreError: the environment variable is not a number.
    """
    setting = os.environ.get(IDLE_VARIABLE)
    if setting is None:
        return IDLE_SECONDS
    try:
        seconds = float(setting)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise StoreError("engine.must_number_seconds_more", idle_variable=IDLE_VARIABLE, setting=setting)
    return seconds


def _running(folder: EngineFolder) -> EngineState | None:
    """Return the engine that is ready, or one whose starter ended before using it; None if there is none."""
    while folder.supervised():
        state = folder.read_state()
        if state is not None and state.ready and not folder.stop_request.exists():
            return state
        time.sleep(0.05)
    return None


def _start(folder: EngineFolder, memory: int) -> EngineState:
    """Start a supervisor that outlives this process, and wait until its engine is ready."""
    folder.stop_request.unlink(missing_ok=True)
    root = Path(__file__).resolve().parents[2]
    supervisor = ["-c", _RUN, str(root), str(folder.root), str(idle_seconds()), str(memory), *JAVA_OPTIONS]
    # Started over a process that ends at once: the supervisor is nobody's child here, who would have to wait for it.
    command = [sys.executable, "-c", _DETACH, *supervisor]
    with folder.open_log() as log:
        started = subprocess.run(  # noqa: S603 - this Python and this package
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, check=False
        )
    reply = json.loads(started.stdout) if started.stdout.strip() else {"error": _silent(folder)}
    if "error" in reply:
        raise (StoreUnavailable if reply.get("unavailable", True) else DamagedGraphError)(str(reply["error"]))
    state = folder.read_state()
    if state is None:
        raise StoreUnavailable(_silent(folder))
    return state


def _end_supervised(folder: EngineFolder) -> None:
    folder.stop_request.touch(mode=0o600)
    lock = folder.supervisor_lock()
    ended = lock.acquire(40.0)
    lock.release()
    if not ended:
        raise StoreError("engine.embedded_graph_engine_does", root=folder.root, log=folder.log)
    folder.remove_dead_leases()


def _end_older(folder: EngineFolder) -> None:
    """End an engine that ontocrawl 1.0.0 or older started, where a read could write; within ``exclusive``."""
    users = folder.live_users()
    if users:
        raise StoreUnavailable("engine.embedded_graph_engine_started", root=folder.root, map=", ".join(map(str, users)))
    _end_supervised(folder)


def _silent(folder: EngineFolder) -> str:
    return Message("engine.ended_as_started", root=folder.root, log=folder.log, tail=folder.log_tail())


def _end_orphan(folder: EngineFolder) -> bool:
    state = folder.read_state()
    alive = state is not None and engine_java.is_ready(state)
    if state is not None:
        engine_java.end_stranger(folder, state)
    folder.clear_state()
    return alive


# ---- the embedded engine's own check of its structures: records, links between them, indexes


SECONDS = 3_600.0
"""Time limit of the check."""
Report = dict[str, object]
"""The engine's report by name of its figures and lists."""
_FIGURES = {
    "corruptedRecords": "corrupted records",
    "undecodableRecords": "records that cannot be decoded",
    "topMissingReferences": "references to records that are gone",
    "unreachableEdgeRecordsFound": "relationships that no node has",
    "corruptedIndexes": "corrupted indexes",
    "unreadableStripeDirectories": "unreadable lists of relationships",
    "unreferencedFiles": "files that no label or type has",
    "invalidLinks": "invalid links",
    "missingReferenceBack": "relationships that one end lacks",
    "totalErrors": "errors",
}
"""Figure or list of the engine's report -> what it counts. Outdated counters and free space are no fault."""


def _findings(state: EngineState) -> list[str]:
    """Return what the engine finds wrong with its database, in sentences.

    The check reads records while other commands write them, and reports a relationship whose other end is not written
    yet. What it finds is checked once more, and only what both checks report is told.

    Args:
        state: a running engine.

    Raises:
        StoreError: the engine cannot check its database.
    """
    report = engine_java.check_database(state, SECONDS)
    if _wrong(report):
        report = in_both(report, engine_java.check_database(state, SECONDS))
    wrong = _wrong(report)
    if not wrong:
        return []
    counts = [f"{len(value) if isinstance(value, list) else value} {_FIGURES[name]}" for name, value in wrong.items()]
    warnings = report.get("warnings")
    example = f", as {warnings[0]}" if isinstance(warnings, list) and warnings else ""
    return [f"{', '.join(counts)}{example}"]


def in_both(first: Report, second: Report) -> Report:
    """Return what two reports agree in: elements of both lists, the smaller of two figures.

    Args:
        first: a report of the engine's check.
        second: a later one.

    Returns:
        The common report; empty if both have warnings and none in common, since figures do not tell which records
        they count.
    """
    common: Report = {}
    for name, value in first.items():
        other = second.get(name)
        if isinstance(value, list) and isinstance(other, list):
            common[name] = [item for item in value if item in other]
        elif isinstance(value, int) and isinstance(other, int):
            common[name] = min(value, other)
    told = [report.get("warnings") for report in (first, second, common)]
    return {} if told[0] and told[1] and not told[2] else common


def _wrong(report: Report) -> dict[str, object]:
    return {name: report[name] for name in _FIGURES if report.get(name)}

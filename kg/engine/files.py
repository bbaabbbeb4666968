"""The data folder of the embedded engine: its layout, locks that end with their process, the state file.

    FOLDER/engine.json         version of the engine that wrote the data; its absence marks a foreign folder
           inventory.json      the files of the database after the last orderly end (kg/engine/data.py)
           revision.json       the revision of the data at starts and ends (kg/engine/revision.py)
           engine.lock         held while a process starts, joins or stops the engine
           supervisor.lock     held by the supervisor as long as it lives
           state.json          ports, password and process of the running engine, mode 0600
           stop                present when the supervisor is asked to stop
           users/PID-XXXX      one lease per user, locked by its process
           engine.log          output of the engine's Java and of the supervisor
           data/               the engine's own root: databases, its configuration and log

Operating system locks show which processes are alive, not process numbers: a lock ends with its process however that
dies, and numbers are reused. Only the standard library is imported here, to keep the supervisor small.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from kg.store import StoreError, StoreUnavailable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

log = logging.getLogger("kg.engine")
TOLD_SECONDS = 30.0
"""After how many seconds a user is told what is waited for."""
FORMAT = 1
"""Version of this layout, kept in engine.json."""
_LOCAL_DISK = "put the workspace on a local disk that this user may write to"
_LOCAL = f"{_LOCAL_DISK}, or set NEO4J_URI to a Neo4j server"
REBUILD = (
    "move the folder away, then `ontocrawl graph load` and `ontocrawl graph rebuild` fill a new one"
    " (`ontocrawl graph check` prints these commands)"
)


class NewerEngineError(StoreError):
    """A data folder that a newer engine wrote."""


class FileLock:
    """An exclusive lock on a file, held by an open descriptor, so that the system releases it when the process ends."""

    def __init__(self, path: Path, advice: str = _LOCAL_DISK) -> None:
        self.path = path
        self._advice = advice
        """What to do where the file cannot be opened or locked."""
        self._fd: int | None = None

    def try_acquire(self) -> bool:
        """Try to acquire the lock without waiting, and return whether it was acquired.

        Raises:
            StoreError: the file system has no locks.
        """
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreError(
                "engine.cannot_written", path=self.path, strerror=error.strerror, advice=self._advice
            ) from error
        try:
            got = _lock(fd)
        except OSError as error:
            os.close(fd)
            raise StoreError(
                "engine.cannot_locked", path=self.path, strerror=error.strerror, advice=self._advice
            ) from error
        if got:
            self._fd = fd
        else:
            os.close(fd)
        return got

    def acquire(self, seconds: float) -> bool:
        """Try to acquire the lock for a number of seconds, and return whether it was acquired."""
        deadline = time.monotonic() + seconds
        while not self.try_acquire():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def is_held(self) -> bool:
        """Return whether the lock is held, by another process or in this one.

        The file is locked for an instant, shared where the system has shared locks, so that two that ask do not see
        each other; who acquires the lock meanwhile has to try again, as ``acquire`` does.
        """
        try:
            fd = os.open(self.path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StoreError(
                "engine.cannot_read", path=self.path, strerror=error.strerror, advice=self._advice
            ) from error
        try:
            return not _lock(fd, shared=True)
        except OSError as error:
            raise StoreError(
                "engine.cannot_locked", path=self.path, strerror=error.strerror, advice=self._advice
            ) from error
        finally:
            os.close(fd)

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def _lock(fd: int, *, shared: bool = False) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class EngineState:
    """A running engine, as in state.json."""

    bolt_port: int
    http_port: int
    password: str
    java_pid: int
    supervisor_pid: int
    started: str
    """ISO-8601, UTC."""
    version: str
    """Version of the engine's package."""
    ready: bool


@dataclass(frozen=True)
class EngineFolder:
    """The paths of one data folder, with the operations on them."""

    root: Path

    @property
    def marker(self) -> Path:
        """File with the version of the engine that wrote the data."""
        return self.root / "engine.json"

    @property
    def data(self) -> Path:
        """Root folder of the engine."""
        return self.root / "data"

    @property
    def inventory(self) -> Path:
        """File with the sizes of the database files."""
        return self.root / "inventory.json"

    @property
    def revision(self) -> Path:
        """File with the revision of the data."""
        return self.root / "revision.json"

    @property
    def log(self) -> Path:
        """Log of the engine and the supervisor."""
        return self.root / "engine.log"

    def arguments(self, port: int) -> Path:
        """Return the argument file of an engine's Java; its path distinguishes engines of different folders."""
        return self.root / f"java-{port}.args"

    @property
    def state_file(self) -> Path:
        """File with ports, password and processes of the running engine."""
        return self.root / "state.json"

    @property
    def stop_request(self) -> Path:
        """File whose presence asks the supervisor to stop."""
        return self.root / "stop"

    @property
    def users(self) -> Path:
        """Folder of the leases."""
        return self.root / "users"

    def engine_lock(self) -> FileLock:
        """Return the lock that is held while the engine is started, joined or stopped."""
        return FileLock(self.root / "engine.lock", _LOCAL)

    def supervisor_lock(self) -> FileLock:
        """Return the lock that the supervisor holds while it runs."""
        return FileLock(self.root / "supervisor.lock", _LOCAL)

    @contextlib.contextmanager
    def exclusive(self, seconds: float = 120.0) -> Iterator[None]:
        """Hold the engine lock for the block; raise StoreUnavailable if it is not free after some seconds."""
        lock, soon = self.engine_lock(), min(seconds, TOLD_SECONDS)
        if not lock.acquire(soon):
            log.warning("waiting for a command that starts or stops the embedded graph engine in %s", self.root)
            if not lock.acquire(seconds - soon):
                raise StoreUnavailable("engine.another_command_been_starting", root=self.root, seconds=seconds)
        try:
            yield
        finally:
            lock.release()

    def supervised(self) -> bool:
        """Return whether a supervisor is alive."""
        if not self.root.is_dir():
            return False
        lock = self.supervisor_lock()
        free = lock.try_acquire()
        lock.release()
        return not free

    # ---- leases

    def lease(self) -> FileLock:
        """Return a lease of this process, within ``exclusive``; the engine runs while one is held."""
        self.users.mkdir(mode=0o700, exist_ok=True)
        lock = FileLock(self.users / f"{os.getpid()}-{secrets.token_hex(4)}", _LOCAL)
        if not lock.acquire(2.0):
            raise StoreError("engine.locked_another_process", lock_path=lock.path, local=_LOCAL)
        return lock

    def live_users(self) -> list[int]:
        """Return the process numbers of the lease holders, ascending."""
        return sorted(int(path.name.partition("-")[0]) for path, alive in self._leases() if alive)

    def remove_dead_leases(self) -> None:
        """Remove the leases of processes that ended without releasing them; to be called within ``exclusive``."""
        for path, alive in self._leases():
            if not alive:
                path.unlink(missing_ok=True)

    def _leases(self) -> Iterator[tuple[Path, bool]]:
        for path in sorted(self.users.glob("*-*")):
            lock = FileLock(path)
            free = lock.try_acquire()
            lock.release()
            yield path, not free

    # ---- state

    def read_state(self) -> EngineState | None:
        """Return the content of state.json; None if it is missing or damaged, which a new start repairs."""
        try:
            return EngineState(**json.loads(self.state_file.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def write_state(self, state: EngineState) -> None:
        """Write state.json."""
        write_private(self.state_file, json.dumps(asdict(state)))

    def clear_state(self) -> None:
        """Remove the files that describe a running engine."""
        for path in (self.state_file, self.stop_request, *self.root.glob("java-*.args")):
            path.unlink(missing_ok=True)

    def open_log(self, *, fresh: bool = False) -> IO[bytes]:
        """Open the log for writing, readable only by its owner: failed statements are in it with their values."""
        return open(self.log, "wb" if fresh else "ab", opener=lambda path, flags: os.open(path, flags, 0o600))

    def log_tail(self, lines: int = 12) -> str:
        """Return the last informative lines of the log, without Java's stack frames."""
        try:
            content = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return "(no log)"
        kept = [line for line in content if line.strip() and not line.startswith(("\tat ", "\t...", "   <ArcadeDB"))]
        return "\n".join(kept[-lines:]) or "(the log is empty)"


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically by one that only its owner can read.

    Args:
        path: the file.
        text: its new content.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(text)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def refuse_foreign(folder: EngineFolder) -> None:
    """Create the folder if it is missing; raise StoreError if it has files but is no data folder of ontocrawl."""
    try:
        folder.root.mkdir(parents=True, exist_ok=True)
        if folder.marker.exists():
            return
        strangers = sorted(p.name for p in folder.root.iterdir() if p.name != "engine.lock" and p.name[0] != ".")
    except OSError as error:
        raise StoreError(
            "engine.graph_folder_cannot_used", root=folder.root, strerror=error.strerror, local=_LOCAL
        ) from error
    if strangers and not folder.marker.exists():
        others = " and more" if len(strangers) > 1 else ""
        raise StoreError(
            "engine.not_graph_folder_ontocrawl",
            root=folder.root,
            marker=folder.marker.name,
            strangers=strangers[0],
            others=others,
        )


def prepare(folder: EngineFolder, version: str) -> None:
    """Mark a data folder with the engine's version, or check its mark; within ``exclusive``.

    Args:
        folder: the data folder.
        version: version of the engine.

    Raises:
        StoreError: the mark is damaged.
        NewerEngineError: a newer engine wrote the data.
    """
    try:
        if not folder.marker.exists():
            about = {"format": FORMAT, "engine": "arcadedb-embedded", "version": version}
            write_private(folder.marker, json.dumps(about))
        mark = json.loads(folder.marker.read_text(encoding="utf-8"))
        written, made_by = mark["format"], mark["version"]
    except OSError as error:
        raise StoreError(
            "engine.graph_folder_cannot_used", root=folder.root, strerror=error.strerror, local=_LOCAL
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError("engine.damaged_2", marker=folder.marker, rebuild=REBUILD) from error
    if is_newer(written, made_by, version):
        raise NewerEngineError(
            "engine.graph_made_engine_layout",
            root=folder.root,
            made_by=made_by,
            written=written,
            version=version,
            format=FORMAT,
            rebuild=REBUILD,
        )
    if made_by != version:
        write_private(folder.marker, json.dumps({**mark, "version": version}))


def is_newer(layout: int, made_by: str, version: str) -> bool:
    """Return whether an engine cannot use the data of another one, because that is a newer one.

    Args:
        layout: version of the layout of the data folder.
        made_by: version of the engine that wrote the data.
        version: version of the engine.
    """
    return layout != FORMAT or _numbers(made_by) > _numbers(version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in str(version).split(".") if part.isdigit())

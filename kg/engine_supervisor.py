"""The supervisor of the embedded engine: a small process between its users and its Java.

It starts the engine (or takes over one whose supervisor was killed), says on its standard output that it is ready or
why not, and ends it when nobody has held a lease for a while, when it is asked to, or when the folder is gone. So an
engine outlives the command that started it for the next one, and no command, however it ends, leaves one behind.

Run as ``main([FOLDER, IDLE_SECONDS])`` by kg/embedded.py, in a session of its own. Only the standard library is used.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType

from kg import engine_java
from kg.engine_files import REBUILD, EngineFolder, EngineState
from kg.store import StoreError

START_SECONDS = 120.0
_TICK = 0.25
_PORT_TAKEN = ("Address already in use", "BindException", "unable to find a port", "Unable to listen")
_ATTEMPTS = 3


class _Engine:
    """The engine under supervision: a child, or one taken over from a supervisor that was killed."""

    def __init__(self, folder: EngineFolder, state: EngineState, child: subprocess.Popen[bytes] | None) -> None:
        self.folder = folder
        self.state = state
        self._child = child

    def wait(self, seconds: float) -> bool:
        """Whether the engine ended within so many seconds."""
        if self._child is None:
            time.sleep(seconds)
            return not engine_java.is_ready(self.state)
        try:
            self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> None:
        """End it in good order; by force after 20 seconds."""
        if self._child is None or sys.platform == "win32":
            engine_java.end_stranger(self.folder, self.state)
        else:
            self._child.terminate()
        if self._child is not None and not self.wait(20.0):
            self._child.kill()
            self._child.wait()


def main(arguments: Sequence[str]) -> int:
    """Supervise the engine of a folder until it ends; 0, or 1 where it could not be started."""
    folder = EngineFolder(Path(arguments[0]))
    asked: list[int] = []
    _on_signals(asked)
    lock = folder.supervisor_lock()
    if not lock.acquire(5.0):
        _tell({"error": f"another supervisor holds {lock.path}"})
        return 1
    try:
        engine = _adopt(folder) or _start(folder)
    except (StoreError, OSError) as error:
        folder.clear_state()
        _tell({"error": str(error)})
        return 1
    _tell({"ready": True})
    try:
        _watch(folder, engine, float(arguments[1]), asked)
    finally:
        lock.release()
    return 0


def _on_signals(asked: list[int]) -> None:
    def note(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    signal.signal(signal.SIGTERM, note)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _tell(message: dict[str, object]) -> None:
    """One line to whoever started us, then no more: the pipe must not stay open as long as the engine runs."""
    try:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
    except OSError:
        pass  # the starter was killed meanwhile; the engine then waits for the next user
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)


def _adopt(folder: EngineFolder) -> _Engine | None:
    """The engine of a supervisor that was killed, if it is well; otherwise it is ended."""
    state = folder.read_state()
    if state is None:
        return None
    if state.ready and engine_java.is_ready(state):
        folder.write_state(replace(state, supervisor_pid=os.getpid()))
        return _Engine(folder, state, None)
    engine_java.end_stranger(folder, state)
    folder.clear_state()
    return None


def _start(folder: EngineFolder) -> _Engine:
    for attempt in range(_ATTEMPTS):
        child, state = engine_java.launch(folder)
        engine = _Engine(folder, state, child)
        try:
            problem = _until_ready(engine)
        except BaseException:
            engine.end()
            raise
        if problem is None:
            folder.write_state(replace(state, ready=True))
            folder.arguments.unlink(missing_ok=True)
            return engine
        engine.end()
        if attempt + 1 == _ATTEMPTS or not any(mark in folder.log_tail(40) for mark in _PORT_TAKEN):
            break
    raise StoreError(
        f"the embedded graph engine did not start in {folder.root}: {problem}. Its log {folder.log} ends with:\n"
        f"{folder.log_tail()}\nIf the disk is full, free some space; if the data is damaged, {REBUILD};"
        " or set NEO4J_URI to a running Neo4j server"
    )


def _until_ready(engine: _Engine) -> str | None:
    """None when it is ready, else why not."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if engine.wait(0.03):
            return "it ended at once"
        if engine_java.is_ready(engine.state):
            return None
    return f"it was not ready after {START_SECONDS:.0f} s"


def _watch(folder: EngineFolder, engine: _Engine, idle: float, asked: list[int]) -> None:
    """Until the engine ends or is to end. The engine lock is held over the end, so that nobody joins meanwhile."""
    lock = folder.engine_lock()
    last_used = time.monotonic()
    while not engine.wait(_TICK):
        if asked or folder.stop_request.exists() or not folder.state_file.exists():
            break
        if not lock.try_acquire():
            continue
        folder.remove_dead_leases()
        if folder.live_users():
            last_used = time.monotonic()
        elif time.monotonic() - last_used >= idle:
            break
        lock.release()
    engine.end()
    folder.clear_state()
    lock.release()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

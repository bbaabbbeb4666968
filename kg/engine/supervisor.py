"""The supervisor of the embedded engine: a small process between its users and its Java.

It starts the engine (or takes over one whose supervisor was killed), reports on its standard output that it is ready or
why not, and ends it when there has been no lease for a while, on request, or when the folder is deleted. So an engine
outlives the command that started it, and no command, however it ends, leaves one behind.

Run as ``main([FOLDER, IDLE_SECONDS, MEMORY, JAVA_OPTION..])`` by kg/engine/embedded.py, in a new session. Only the
standard library is used.
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

from kg.engine import data as engine_data
from kg.engine import java as engine_java
from kg.engine import revision as engine_revision
from kg.engine.data import DamagedGraphError
from kg.engine.files import REBUILD, EngineFolder, EngineState
from kg.store import StoreError

_START_SECONDS = 120.0
_TICK = 0.25
_FAILED = 'Exception in thread "main"'
"""Text in the log of an engine that will never be ready, although its process may remain."""
_PORT_TAKEN = "Unable to listen"
"""Text in the log of an engine whose port was taken between our choice and its start."""
_ATTEMPTS = 3


class _Engine:
    """The engine under supervision: a child, or one taken over from a supervisor that was killed."""

    def __init__(self, folder: EngineFolder, state: EngineState, child: subprocess.Popen[bytes] | None) -> None:
        self.folder = folder
        self.state = state
        self._child = child

    def wait(self, seconds: float) -> bool:
        """Wait some seconds and return whether the engine ended."""
        if self._child is None:
            time.sleep(seconds)
            return not (engine_java.is_ours(self.folder, self.state) or engine_java.is_ready(self.state))
        try:
            self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> bool:
        """End it, by force after 20 seconds; return whether it is known to have ended in good order."""
        if self._child is None or sys.platform == "win32":
            engine_java.end_stranger(self.folder, self.state)
        else:
            self._child.terminate()
        if self._child is None:
            return False
        if not self.wait(20.0):
            self._child.kill()
            self._child.wait()
        return self._child.returncode in engine_java.ORDERLY


def main(arguments: Sequence[str]) -> int:
    """Supervise the engine of a folder until it ends; return 0, or 1 if it could not be started."""
    folder = EngineFolder(Path(arguments[0]))
    asked: list[int] = []
    _on_signals(asked)
    lock = folder.supervisor_lock()
    if not lock.acquire(5.0):
        _report({"error": f"another supervisor holds {lock.path}"})
        return 1
    try:
        engine = _adopt(folder) or _start(folder, int(arguments[2]), arguments[3:])
    except (StoreError, OSError) as error:
        folder.clear_state()
        _report({"error": _message(folder, error), "unavailable": not isinstance(error, DamagedGraphError)})
        return 1
    _report({"ready": True})
    try:
        _watch(folder, engine, float(arguments[1]), asked)
    finally:
        lock.release()
    engine_java.make_class_cache(engine.state)
    return 0


def _on_signals(asked: list[int]) -> None:
    def note(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    signal.signal(signal.SIGTERM, note)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _message(folder: EngineFolder, error: StoreError | OSError) -> str:
    if isinstance(error, StoreError):
        return str(error)
    return (
        f"the embedded graph engine cannot be started in {folder.root} ({error.strerror}): free some space, put the"
        " workspace on another disk, or set NEO4J_URI to a running Neo4j server"
    )


def _report(message: dict[str, object]) -> None:
    """Write one line to the starting process, then close the pipe, which must not stay open while the engine runs."""
    try:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
    except OSError:
        pass  # the starter was killed meanwhile; the engine then waits for the next user
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)


def _adopt(folder: EngineFolder) -> _Engine | None:
    """Take over the engine of a killed supervisor if it is healthy, or end it."""
    state = folder.read_state()
    if state is None:
        return None
    # A busy engine may be late with an answer, and ending it would take it from those who use it.
    if state.ready and any(engine_java.is_ready(state) for _ in range(_ATTEMPTS)):
        folder.write_state(replace(state, supervisor_pid=os.getpid()))
        return _Engine(folder, state, None)
    engine_java.end_stranger(folder, state)
    folder.clear_state()
    return None


def _start(folder: EngineFolder, memory: int, options: Sequence[str]) -> _Engine:
    engine_data.check(folder, engine_java.DATABASE)
    for attempt in range(_ATTEMPTS):
        child, state = engine_java.launch(folder, memory, options)
        engine = _Engine(folder, state, child)
        try:
            problem = _until_ready(engine)
            if problem is None:
                engine_java.create_reader(state)
        except BaseException:
            engine.end()
            raise
        if problem is None:
            engine_revision.note_start(folder, state)
            engine_data.note_running(folder)
            folder.write_state(replace(state, ready=True))
            folder.arguments(state.bolt_port).unlink(missing_ok=True)
            return engine
        engine.end()
        if engine_java.forget_class_cache():
            continue  # a damaged cache of its classes may be why
        if attempt + 1 == _ATTEMPTS or _PORT_TAKEN not in folder.log_tail(40):
            break
    raise StoreError(
        "engine.embedded_graph_engine_did",
        root=folder.root,
        problem=problem,
        log=folder.log,
        log_tail=folder.log_tail(),
        rebuild=REBUILD,
    )


def _until_ready(engine: _Engine) -> str | None:
    """Wait until the engine is ready and return None, or return why it will not be."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if engine.wait(0.03):
            return "it ended at once"
        if engine_java.is_ready(engine.state):
            return None
        if _FAILED in engine.folder.log.read_text(encoding="utf-8", errors="replace"):
            return "it failed"
    return f"it was not ready after {_START_SECONDS:.0f} s"


def _watch(folder: EngineFolder, engine: _Engine, idle: float, asked: list[int]) -> None:
    """Wait until the engine ends or must be ended; holds the engine lock at the end, so that nobody joins meanwhile."""
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
    _conclude(folder, engine)
    lock.release()


def _conclude(folder: EngineFolder, engine: _Engine) -> None:
    """End the engine and prepare the folder for the next start."""
    revision = None if folder.live_users() else engine_revision.of(folder, engine.state)
    orderly = engine.end()
    if not folder.root.is_dir():
        return
    try:
        if orderly:
            engine_data.note_end(folder, engine_java.DATABASE)
            engine_revision.note_end(folder, revision)
    except OSError as error:
        # The next start then checks less strictly; no data is lost.
        sys.stderr.write(f"{folder.root}: the end of the engine could not be recorded: {error}\n")
    folder.clear_state()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

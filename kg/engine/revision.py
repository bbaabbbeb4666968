"""The revision of the embedded engine's data: a text that differs after each committed change, by whatever program.

The engine counts its committed transactions with changes, from 0 at each start. revision.json in the data folder
connects one start with the next: it has the revision at the start, a random name for the time since then, and after an
orderly end without users the revision at the end. Without such an end the next start begins with a new name, so that an
export made before is not taken for one of the data as they are.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, replace
from typing import Any

from kg.engine.files import EngineFolder, EngineState, write_private
from kg.engine.java import request
from kg.store import StoreUnavailable


@dataclass(frozen=True, slots=True)
class _Noted:
    """The content of revision.json."""

    at_start: str
    """Revision when the engine was started."""
    since: str
    """Name of the time since then."""
    commits: int
    """What the engine had counted when it was ready."""
    at_end: str | None = None
    """Revision at its orderly end; None while it runs, and after any other end."""
    inventory: int = 0
    """When the inventory of that end was written, in nanoseconds: that of an end unknown here is another one."""


def note_start(folder: EngineFolder, state: EngineState) -> None:
    """Record the start of an engine, when it is ready, and before its inventory is marked as that of a running one.

    Args:
        folder: its data folder.
        state: the engine.
    """
    before = _noted(folder)
    known = before.at_end if before is not None and before.inventory == _inventory(folder) else None
    at_start = known or _name()
    try:
        _write(folder, _Noted(at_start, _name(), _commits(state)))
    except StoreUnavailable:
        folder.revision.unlink(missing_ok=True)


def of(folder: EngineFolder, state: EngineState) -> str | None:
    """Return the revision of the data of a running engine; None where it is not known.

    Args:
        folder: its data folder.
        state: the engine.
    """
    noted = _noted(folder)
    if noted is None or noted.at_end is not None:
        return None
    try:
        commits = _commits(state)
    except StoreUnavailable:
        return None
    return noted.at_start if commits == noted.commits else f"{noted.since} {commits}"


def note_end(folder: EngineFolder, revision: str | None) -> None:
    """Record the orderly end of an engine, after its inventory was written.

    Args:
        folder: its data folder.
        revision: its last revision; None where something may have been written after it was asked for.
    """
    noted = _noted(folder)
    if noted is not None and revision is not None:
        _write(folder, replace(noted, at_end=revision, inventory=_inventory(folder)))


def _inventory(folder: EngineFolder) -> int:
    return folder.inventory.stat().st_mtime_ns if folder.inventory.exists() else 0


def _name() -> str:
    return f"embedded {secrets.token_hex(8)}"


def _noted(folder: EngineFolder) -> _Noted | None:
    """Return the record; None if it is missing or damaged: nothing is then known of the time before."""
    try:
        return _Noted(**json.loads(folder.revision.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _write(folder: EngineFolder, noted: _Noted) -> None:
    write_private(folder.revision, json.dumps(asdict(noted)))


# ---- what a running engine is asked over its HTTP port: its running statements, their end, and its committed changes


_COMMAND = "/api/v1/server"


def end_marked(state: EngineState, mark: str) -> None:
    """Ask an engine to end the statements with a mark in their text.

    Args:
        state: the engine.
        mark: the mark (`kg.interruption.marked`).

    Raises:
        StoreUnavailable: the engine does not respond.
    """
    for running in _running(state):
        if mark in running.get("text", ""):
            _asked(state, "POST", {"command": f"terminate query {running['id']}"})


def sign_of_life(state: EngineState) -> str:
    """Return what an engine is doing now, as the end of a sentence about it."""
    try:
        texts = [running.get("text", "") for running in _running(state)]
    except StoreUnavailable:
        return f"which does not answer (process {state.java_pid})"
    if not texts:
        return "which runs no statement now: its answer is being read, or was lost"
    first = next(iter(texts[0].strip().splitlines()), "")[:80]
    return f"which runs {len(texts)} statement{'s' * (len(texts) > 1)}, such as {first}"


def _running(state: EngineState) -> list[dict[str, Any]]:
    """Return the statements that an engine runs; raise StoreUnavailable where it does not respond."""
    found: list[dict[str, Any]] = _asked(state, "POST", {"command": "list queries"})["result"]
    return found


def _commits(state: EngineState) -> int:
    """Return how many transactions with changes an engine has committed since its start.

    Args:
        state: the engine.

    Raises:
        StoreUnavailable: the engine does not respond.
    """
    return int(_asked(state, "GET", None)["metrics"]["profiler"]["writeTx"]["count"])


def _asked(state: EngineState, method: str, body: object) -> Any:
    status, content = request(state, method, _COMMAND, body)
    if status != 200:
        raise StoreUnavailable("engine.embedded_graph_engine_does_not_answer", http_port=state.http_port, status=status)
    return json.loads(content)

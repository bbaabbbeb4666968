"""What a running engine is asked over its HTTP port: its running statements, their end, and its committed changes."""

from __future__ import annotations

import json
from typing import Any

from kg.engine.files import EngineState
from kg.engine.java import request
from kg.store import StoreUnavailable

_COMMAND = "/api/v1/server"


def end_marked(state: EngineState, mark: str) -> None:
    """Ask an engine to end the statements with a mark in their text.

    Args:
        state: the engine.
        mark: the mark (`kg.interruption.marked`).

    Raises:
        StoreUnavailable: the engine does not respond.
    """
    for running in _asked(state, "POST", {"command": "list queries"})["result"]:
        if mark in running.get("text", ""):
            _asked(state, "POST", {"command": f"terminate query {running['id']}"})


def commits(state: EngineState) -> int:
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
        raise StoreUnavailable(
            f"the embedded graph engine does not answer on its port {state.http_port} (status {status}): run the"
            " command again"
        )
    return json.loads(content)

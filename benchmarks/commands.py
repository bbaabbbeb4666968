"""How long a command of ontocrawl takes as a person waits for it: another process, from its start to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from kg.bolt import BoltStore
from ontocrawl.base import workspace

ROOT = Path(__file__).resolve().parents[1]
QUERY_RUN = {"cold": 3.0, "warm": 0.5}
"""What is promised of `query run`, in seconds: where it starts the embedded engine, and where the engine runs."""
_SERVER = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE")


def seconds(arguments: Sequence[str], space: Path, server: Mapping[str, str]) -> float:
    """Wall time of `ontocrawl ARGUMENTS --workspace SPACE`; ``server`` are its NEO4J_.. variables, none: embedded.

    Raises RuntimeError, with what the command said, where it fails.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _SERVER} | dict(server)
    command = [sys.executable, "-m", "ontocrawl", *arguments, "--workspace", str(space)]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-2_000:]}")
    return taken


def server_of(store: BoltStore) -> dict[str, str]:
    """The NEO4J_.. variables with which a command asks the server of this store, the embedded engine's too."""
    user, password = store._auth or ("", "")
    values = (store.uri, user, password, store._database or "")
    return {name: value for name, value in zip(_SERVER, values, strict=True) if value}


def space(folder: Path, graph: Path | None = None) -> Path:
    """A new workspace; with ``graph`` its embedded engine has its data there."""
    workspace.init(folder)
    if graph is not None:
        (folder / "graph").symlink_to(graph.resolve(), target_is_directory=True)
    return folder


def query_run(space: Path, address: str, server: Mapping[str, str]) -> dict[str, float]:
    """Seconds of `query run` for one page, each time a new process; the first one starts the embedded engine."""
    asked = ("query", "run", "links/into_page", f"url={address}", "--json")
    taken = [seconds(asked, space, server) for _ in range(4)]
    warm = {"warm": round(min(taken[1:]), 2)}
    return warm if server else {"cold": round(taken[0], 2), **warm}


def late(taken: Mapping[str, float]) -> list[str]:
    """What `query run` took too long for."""
    return [
        f"query run took {found} s {when}, promised {QUERY_RUN[when]:g} s"
        for when, found in taken.items()
        if found > QUERY_RUN[when]
    ]

"""Graph engines whose Java process a test kills with -9, and starts again on the same data."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from kg.bolt import BoltStore, Trace
from kg.engine import embedded
from kg.export import export_graph
from kg.store import GraphStore, StoreError
from tests.kg import neo4j_server

Work = Callable[[GraphStore], object]


class Killable(Protocol):
    """An engine with data of its own."""

    def open(self, trace: Trace | None = None) -> BoltStore:
        """A store on the engine, which is started if it does not run."""
        ...

    def kill(self) -> None:
        """Kill its Java process."""
        ...

    def stop(self) -> None:
        """End it, whatever its state."""
        ...


class EmbeddedOne:
    """The embedded engine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, trace: Trace | None = None) -> BoltStore:
        return embedded.open_embedded(self.folder, trace=trace)

    def kill(self) -> None:
        pid = embedded.status(self.folder).pid
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):  # a kill of before may take effect in between
                os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        embedded.stop(self.folder)


class Neo4jOne:
    """A real Neo4j server."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.server: neo4j_server.Neo4jServer | None = None

    def open(self, trace: Trace | None = None) -> BoltStore:
        if self.server is None or self.server.process.poll() is not None:
            self.server = neo4j_server.start(self.home)
        return BoltStore(self.server.uri, self.server.auth, trace=trace)

    def kill(self) -> None:
        if self.server is not None:
            self.server.process.kill()
            self.server.process.wait()

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()


def started(engine: str, folder: Path) -> Killable:
    return EmbeddedOne(folder) if engine == "embedded" else Neo4jOne(folder)


def statements(engine: Killable, work: Work) -> int:
    """Do the work undisturbed, and return how many statements it sends."""
    sent: list[str] = []
    with engine.open(lambda statement, _: sent.append(statement)) as store:
        sent.clear()
        work(store)
    return len(sent)


def killed_at(engine: Killable, work: Work, number: int, *, later: float = 0.0) -> None:
    """Do the work until its engine is killed, which must end it with an error that says what to do.

    A work that is repeated may be done before the statement, because what is in the graph is not written again.

    Args:
        engine: the engine.
        work: the work.
        number: the statement that the engine is killed at, from 0.
        later: seconds after that statement was sent; 0 for before it is sent.
    """
    armed, count = False, -1

    def trace(_statement: str, _params: Mapping[str, Any]) -> None:
        nonlocal count
        if not armed:
            return
        count += 1
        if count == number:
            if later:
                threading.Timer(later, engine.kill).start()
            else:
                engine.kill()

    with engine.open(trace) as store:
        armed = True
        if later:  # the work may be done before the engine is killed
            with contextlib.suppress(StoreError):
                work(store)
            return
        try:
            work(store)
        except StoreError as error:
            assert re.search(r"run the command again|start that server|graph could not do", str(error))
        else:
            assert count < number, "the engine was killed and the work did not notice"


def content(store: GraphStore) -> bytes:
    """Everything that a graph holds, in one fixed order."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "graph.nt"
        export_graph(store, "nt", out)
        return out.read_bytes()

"""The two engines that benchmarks measure on: the embedded one, and a real Neo4j, started as the tests do it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.bolt import BoltStore
from kg.engine import embedded
from tests.kg import neo4j_server

NAMES = ("embedded", "neo4j")


@contextmanager
def engine(name: str, folder: Path) -> Iterator[BoltStore]:
    """The graph of one engine with its data in a folder, which is made; the engine is ended afterwards.

    Raises ValueError for another name, and RuntimeError or the failure of a test where Neo4j cannot be started.
    """
    if name not in NAMES:
        raise ValueError(f"expected one of {', '.join(NAMES)}, found {name!r}")
    if name == "neo4j":
        os.environ["REQUIRE_NEO4J"] = "1"
        server = neo4j_server.start(folder)
        try:
            with BoltStore(server.uri, server.auth) as store:
                yield store
        finally:
            server.stop()
        return
    try:
        with embedded.open_embedded(folder) as store:
            yield store
    finally:
        embedded.stop(folder)

"""A running explorer, and requests to it as a browser or a program makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
import requests

from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer import app
from ontocrawl.explorer.app import Prepared

Serving = Callable[[Workspace], Any]


@contextmanager
def running(space: Workspace, host: str = "127.0.0.1", **given: Any) -> Iterator[Prepared]:
    """Serve a workspace in a thread; further arguments are those of ``app.prepared``."""
    with app.prepared(space, host, 0, **given) as server:
        thread = Thread(target=server.serve)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


def reader(server: Prepared) -> requests.Session:
    """Return a program that has the token."""
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {server.address.token}"
    return session


@pytest.fixture(scope="module")
def served(space: Workspace) -> Iterator[Prepared]:
    """The explorer of the session's workspace."""
    with running(space) as server:
        yield server


@pytest.fixture
def browser(served: Prepared) -> Iterator[requests.Session]:
    """A browser with a session, as far as requests go."""
    with requests.Session() as session:
        assert session.get(served.address.opening, timeout=60).status_code == 200
        yield session

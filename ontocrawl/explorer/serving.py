"""Serve the explorer of a workspace until it is ended."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import Option, UsageError
from ontocrawl.explorer.access import Access
from ontocrawl.explorer.app import create

_SHUTDOWN = 3
"""Seconds that open connections, such as those with live events, are given at the end."""


@dataclass(frozen=True)
class Address:
    """Where a server is, and what its changes need."""

    url: str
    token: str

    @property
    def opening(self) -> str:
        """URL that begins a session in a browser."""
        return f"{self.url}session?token={self.token}"


class Prepared:
    """A server that takes connections already, and answers them from ``serve`` on."""

    def __init__(self, space: Workspace, host: str, listener: socket.socket, token: str | None = None) -> None:
        """Make the application; its token is new where none is given."""
        access = Access(token or secrets.token_urlsafe(32), listener.getsockname()[1], host)
        shown = f"[{host}]" if ":" in host else host
        self.address = Address(f"http://{shown}:{access.port}/", access.token)
        config = uvicorn.Config(
            create(space, access), log_level="warning", access_log=False, timeout_graceful_shutdown=_SHUTDOWN,
            proxy_headers=False, server_header=False, http="h11", ws="none",
        )  # fmt: skip
        self._server, self._listener = uvicorn.Server(config), listener

    def serve(self) -> None:
        """Answer until ``stop``, or until the process is interrupted or terminated."""
        self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """Let ``serve`` return, in whichever thread it runs."""
        self._server.should_exit = True


@contextmanager
def prepared(space: Workspace, host: str, port: int, token: str | None = None) -> Iterator[Prepared]:
    """Open the server of an explorer.

    Args:
        space: the workspace.
        host: address to listen on.
        port: port; 0 for any free one.
        token: the secret of the server; a new one where none is given.

    Yields:
        The server.

    Raises:
        UsageError: the address cannot be used.
    """
    with _listening(host, port) as listener:
        yield Prepared(space, host, listener, token)


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections already, so that the printed address answers at once."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as refused:
        reason = refused.strerror or str(refused)
        raise UsageError(
            f"{host}, port {port}: {reason}; choose another with ", Option("--port"), ", or 0"
        ) from refused

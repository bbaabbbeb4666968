"""Recording of a world: whatever it returns is also written, in the form in which a later crawl can read it again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from crawler.model import Failure, Response, World


class Recorder(Protocol):
    """A writer of requests and what came of them. Safe to use from several threads."""

    def write(self, reply: Response | Failure, request: bytes = b"", wire: bytes = b"") -> None:
        """Write a request and its response or failure.

        Args:
            reply: the response, with its body decoded, or the failure.
            request: the request as it was sent; empty where none was.
            wire: headers and body of the response as they were on the wire; empty to make them of the response.
        """
        ...


class RecordingWorld:
    """A world whose responses are recorded as they are delivered, because they were on no wire."""

    def __init__(self, world: World, recorder: Recorder) -> None:
        self.name = world.name
        self.clock: Callable[[], float] = getattr(world, "clock", time.monotonic)
        self._world = world
        self._recorder = recorder

    def fetch(self, url: str) -> Response | Failure:
        """Request a URL of the world, and record the result."""
        reply = self._world.fetch(url)
        self._recorder.write(reply)
        return reply

    def close(self) -> None:
        """Close the world, not the recorder."""
        self._world.close()

"""The file by which another process can end a crawl in order: which process crawls the run and ends it at a signal.

The file is there while the process handles the signal, and no longer: a crawl that was started from Python, in a
notebook or a thread, has none, because a signal would end more than the crawl. Who ends the run takes the file away, so
that the signal is sent once: a second one would end the process at once.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "stoppable.json"


@dataclass(frozen=True)
class Stoppable:
    """A process that ends its crawl in order at a signal."""

    pid: int
    computer: str
    user: int | None
    """Number of its user; None where the system has none."""
    signal: int


def this_process(signal: int) -> Stoppable:
    """Return this process, which handles a signal."""
    return Stoppable(os.getpid(), socket.gethostname(), os.getuid() if hasattr(os, "getuid") else None, signal)


@contextmanager
def offered(folder: Path, signal: int) -> Iterator[None]:
    """Let other processes end the crawl of a run in the block.

    Args:
        folder: folder of the run.
        signal: the signal that is handled in the block.
    """
    path = folder / FILE
    with suppress(OSError):  # a full disk is the journal's to report
        path.write_text(json.dumps(asdict(this_process(signal))), encoding="utf-8")
    try:
        yield
    finally:
        forget(folder)


def forget(folder: Path) -> None:
    """Remove the file, as of a process that was killed."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)


def read(folder: Path) -> Stoppable | None:
    """Return the process that can be ended; None where there is none."""
    try:
        return Stoppable(**json.loads((folder / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def take(folder: Path) -> bool:
    """Take the file away, and return whether it was there: who took it may send the signal."""
    try:
        (folder / FILE).unlink()
    except FileNotFoundError:
        return False
    return True

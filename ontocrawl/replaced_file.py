"""Files of a run's folder by which one process tells another something: replaced as a whole, looked at now and then."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ontocrawl.errors import CommandError

INTERVAL = 1.0
"""Seconds between two looks at a file."""


def replace(path: Path, text: str) -> None:
    """Replace a file, which is never seen in part. Raises CommandError where it cannot be written."""
    part = path.with_suffix(".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise CommandError(
            f"{path} cannot be written ({error.strerror}): make room on the disk, or make the folder writable"
        ) from error


class WatchedFile:
    """A file that another process may replace."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Start to look: what the file says now is known.

        Args:
            path: the file, which need not exist.
            clock: function that returns seconds.
        """
        self._path, self._clock = path, clock
        self._seen, self._next = self._stamp(), clock() + INTERVAL

    def is_new(self) -> bool:
        """Return whether there is another file than at the last look; looks once a second only."""
        now = self._clock()
        if now < self._next:
            return False
        self._next = now + INTERVAL
        stamp = self._stamp()
        if stamp in (None, self._seen):
            return False
        self._seen = stamp
        return True

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:  # nothing was written, or the disk of the run is gone, which the journal will report
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

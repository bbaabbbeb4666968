"""New weights for a run, in a file of its folder: a crawl that goes on takes them, or `crawl resume --rescore`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from crawler.weights import Weights, WeightsError, of_json
from ontocrawl.errors import CommandError

FILE = "weights.json"
INTERVAL = 1.0
"""Seconds between two looks at the file."""


def write(folder: Path, weights: Weights) -> None:
    """Offer weights to a run; those that were offered before are replaced, and never seen in part.

    Args:
        folder: folder of the run.
        weights: the weights.

    Raises:
        CommandError: the file cannot be written.
    """
    part = (folder / FILE).with_suffix(".part")
    try:
        part.write_text(json.dumps(weights.as_json(), ensure_ascii=False), encoding="utf-8")
        part.replace(folder / FILE)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise CommandError(
            f"{folder / FILE} cannot be written ({error.strerror}): make room on the disk, or make the folder writable"
        ) from error


def read(folder: Path) -> Weights | None:
    """Return the weights that a run was offered last; None where it was offered none.

    Raises:
        WeightsError: the file is damaged.
    """
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WeightsError(f"{folder / FILE} cannot be read ({error.strerror})") from error
    try:
        return of_json(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise WeightsError(f"{folder / FILE} is damaged ({error!r}): delete it, or offer the weights again") from error


class FileOffers:
    """The file of a run, for the process that crawls it: weights count that are offered after the process began."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Start to look.

        Args:
            folder: folder of the run.
            clock: function that returns seconds.
        """
        self._folder, self._clock = folder, clock
        self._seen, self._next = self._stamp(), clock() + INTERVAL

    def newest(self) -> Weights | None:
        """Return weights that were offered since the last call; looks once a second only.

        Raises:
            WeightsError: the file is damaged.
        """
        now = self._clock()
        if now < self._next:
            return None
        self._next = now + INTERVAL
        stamp = self._stamp()
        if stamp in (None, self._seen):
            return None
        self._seen = stamp
        return read(self._folder)

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = (self._folder / FILE).stat()
        except OSError:  # nothing was offered, or the disk of the run is gone, which the journal will report
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

"""New weights for a run, in a file of its folder: a crawl that goes on takes them, or `crawl resume --rescore`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from crawler.weights import Weights, WeightsError, of_json
from ontocrawl.replaced_file import WatchedFile, replace

FILE = "weights.json"


def write(folder: Path, weights: Weights) -> None:
    """Offer weights to a run; those that were offered before are replaced, and never seen in part.

    Args:
        folder: folder of the run.
        weights: the weights.

    Raises:
        CommandError: the file cannot be written.
    """
    replace(folder / FILE, json.dumps(weights.as_json(), ensure_ascii=False))


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
        self._folder, self._file = folder, WatchedFile(folder / FILE, clock)

    def newest(self) -> Weights | None:
        """Return weights that were offered since the last call; looks once a second only.

        Raises:
            WeightsError: the file is damaged.
        """
        return read(self._folder) if self._file.is_new() else None

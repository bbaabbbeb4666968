"""Files of a run's folder by which one process tells another something: replaced as a whole, looked at now and then."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

from crawler.journal import Journal
from crawler.journal.taught_pages import PageVerdict, VerdictsError
from crawler.weights import Weights, WeightsError, of_json
from ontocrawl.errors import CommandError
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.version import __version__

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


class _WatchedFile:
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


# ---- new weights for a run, in a file of its folder: a crawl that goes on takes them, or `crawl resume --rescore`


WEIGHTS_FILE = "weights.json"


def write_weights(folder: Path, weights: Weights) -> None:
    """Offer weights to a run; those that were offered before are replaced, and never seen in part.

    Args:
        folder: folder of the run.
        weights: the weights.

    Raises:
        CommandError: the file cannot be written.
    """
    replace(folder / WEIGHTS_FILE, json.dumps(weights.as_json(), ensure_ascii=False))


def read_weights(folder: Path) -> Weights | None:
    """Return the weights that a run was offered last; None where it was offered none.

    Raises:
        WeightsError: the file is damaged.
    """
    try:
        text = (folder / WEIGHTS_FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WeightsError(f"{folder / WEIGHTS_FILE} cannot be read ({error.strerror})") from error
    try:
        return of_json(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise WeightsError(
            f"{folder / WEIGHTS_FILE} is damaged ({error!r}): delete it, or offer the weights again"
        ) from error


class FileOffers:
    """The file of a run, for the process that crawls it: weights count that are offered after the process began."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Start to look.

        Args:
            folder: folder of the run.
            clock: function that returns seconds.
        """
        self._folder, self._file = folder, _WatchedFile(folder / WEIGHTS_FILE, clock)

    def newest(self) -> Weights | None:
        """Return weights that were offered since the last call; looks once a second only.

        Raises:
            WeightsError: the file is damaged.
        """
        return read_weights(self._folder) if self._file.is_new() else None


# ---- the measures of a run as it stored them at its end, instead of those computed again from its whole journal
#
# A run writes them beside its journal (summary.json) with a digest of what the journal says of the run as a whole and
# of the number of its last event. Each change of a journal adds an event or changes such a value, so that stored
# measures with the digest of the present journal are those that would be computed from it.


_DIGEST = "journal"
"""Key of the digest in the file."""


def measures_digest(journal: Journal) -> str:
    """Return a text that differs after each change of a journal, and from version to version of the program."""
    values = list(journal.query("SELECT key, value FROM run ORDER BY key"))
    said = json.dumps([__version__, journal.last_seq(), values])
    return blake2b(said.encode(), digest_size=16).hexdigest()


def store_measures(path: Path, journal: Journal, measures: Mapping[str, Any]) -> None:
    """Write the measures that were computed from a journal. Raises OSError where the file cannot be written."""
    document = {**measures, _DIGEST: measures_digest(journal)}
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def stored_measures(path: Path, journal: Journal) -> dict[str, Any] | None:
    """Return the stored measures; None where there are none, or where the journal has changed since."""
    try:
        measures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # written in part on a full disk: the journal has all that it would say
        return None
    return measures if measures.pop(_DIGEST, None) == measures_digest(journal) else None


# ---- what persons say of pages of a run, in a file of its folder, from which a crawl takes it between two fetches


TAUGHT_FILE = "taught.json"


def write_taught(folder: Path, verdicts: Iterable[PageVerdict]) -> None:
    """Replace the verdicts of a run. Raises CommandError where the file cannot be written."""
    rows = [asdict(verdict) for verdict in verdicts]
    replace(folder / TAUGHT_FILE, json.dumps({"verdicts": rows}, ensure_ascii=False, indent=1))


def read_taught(folder: Path, config: RunConfig) -> dict[str, PageVerdict]:
    """Return the last verdict about each page, by URL, whether the crawl has taken it or not.

    Args:
        folder: folder of the run.
        config: its configuration, with the verdicts with which it began.

    Raises:
        VerdictsError: the file cannot be read, or is damaged.
    """
    begun = ((config.like, True), (config.unlike, False))
    verdicts = {url: PageVerdict(url, liked, config.started) for urls, liked in begun for url in urls}
    return {**verdicts, **_written(folder / TAUGHT_FILE)}


def _written(path: Path) -> Mapping[str, PageVerdict]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["verdicts"]
        return {row["url"]: PageVerdict(**row) for row in rows}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise VerdictsError(f"{path} cannot be read ({error.strerror}): let this user read it") from error
    except (ValueError, TypeError, KeyError) as error:
        raise VerdictsError(f"{path} is damaged ({error!r}): delete it, and teach the run again") from error


class FileVerdicts:
    """The verdicts of a run, for the process that crawls it."""

    def __init__(self, folder: Path, config: RunConfig, clock: Callable[[], float] = time.monotonic) -> None:
        """Start to look.

        Args:
            folder: folder of the run.
            config: its configuration.
            clock: function that returns seconds.
        """
        self._folder, self._config, self._file = folder, config, _WatchedFile(folder / TAUGHT_FILE, clock)
        self._begun = False

    def newest(self) -> list[PageVerdict] | None:
        """Return all verdicts at the first call, and whenever there is a new one; looks once a second only.

        Raises:
            VerdictsError: the file cannot be read, or is damaged.
        """
        if self._begun and not self._file.is_new():
            return None
        self._begun = True
        return list(read_taught(self._folder, self._config).values())

"""What persons say of pages of a run, in a file of its folder, from which a crawl takes it between two fetches."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from crawler.journal.taught_pages import PageVerdict, VerdictsError
from ontocrawl.replaced_file import WatchedFile, replace
from ontocrawl.run_config import RunConfig

FILE = "taught.json"


def write(folder: Path, verdicts: Iterable[PageVerdict]) -> None:
    """Replace the verdicts of a run. Raises CommandError where the file cannot be written."""
    rows = [asdict(verdict) for verdict in verdicts]
    replace(folder / FILE, json.dumps({"verdicts": rows}, ensure_ascii=False, indent=1))


def read(folder: Path, config: RunConfig) -> dict[str, PageVerdict]:
    """Return the last verdict about each page, by URL, whether the crawl has taken it or not.

    Args:
        folder: folder of the run.
        config: its configuration, with the verdicts with which it began.

    Raises:
        VerdictsError: the file cannot be read, or is damaged.
    """
    begun = ((config.like, True), (config.unlike, False))
    verdicts = {url: PageVerdict(url, liked, config.started) for urls, liked in begun for url in urls}
    return {**verdicts, **_written(folder / FILE)}


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
        self._folder, self._config, self._file = folder, config, WatchedFile(folder / FILE, clock)
        self._begun = False

    def newest(self) -> list[PageVerdict] | None:
        """Return all verdicts at the first call, and whenever there is a new one; looks once a second only.

        Raises:
            VerdictsError: the file cannot be read, or is damaged.
        """
        if self._begun and not self._file.is_new():
            return None
        self._begun = True
        return list(read(self._folder, self._config).values())

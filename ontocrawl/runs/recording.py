"""Recording of a crawl in WARC files (`crawl run --warc`)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from crawler.model import World
from crawler.worlds import ArchiveError, ArchiveWorld, LiveWorld
from crawler.worlds.recording import RecordingWorld
from ontocrawl.errors import Option, UsageError
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.version import __version__

FetchedAgain = Callable[[Sequence[str]], None]
"""Function to call with the URLs whose fetches were interrupted, before they are fetched again."""


def folder_for(folder: str | Path) -> str:
    """Return the absolute path of a folder for the WARC files of a new crawl.

    Raises:
        UsageError: it has WARC files already, is a file or in one, must not be written, or has no name.
    """
    path = Path(folder)
    option = Option(f"--warc {path}", f"warc={str(path)!r}")
    if not str(folder):
        raise UsageError(Option("--warc ''", "warc=''"), " is no folder: give a name, or . for this folder")
    existing = next(above for above in (path.absolute(), *path.absolute().parents) if above.exists())
    if not existing.is_dir():
        raise UsageError(option, f" is {'' if path.exists() else 'in '}a file: give a folder")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise UsageError(option, f" cannot be written: {existing} is not yours to write into; give another folder")
    if path.is_dir() and any(path.glob("*.warc*")):
        raise UsageError(option, " has WARC files of another crawl: give another folder")
    return str(path.resolve())


@contextmanager
def recorded(config: RunConfig, world: World) -> Iterator[tuple[World, FetchedAgain]]:
    """Record what a crawl receives from its world, if its configuration says so.

    Args:
        config: the configuration of the run.
        world: its open world.

    Yields:
        The world to crawl, and what to call for a crawl that is resumed.

    Raises:
        ArchiveWriteError: the files cannot be written; the crawl can be resumed.
    """
    if config.warc is None:
        yield world, lambda urls: None
        return
    from crawler.archives.writer import ArchiveWriter

    with closing(ArchiveWriter(Path(config.warc), _info(config))) as writer:
        if isinstance(world, LiveWorld):
            world.record_with(writer)
            yield world, writer.fetched_again
        else:
            yield RecordingWorld(world, writer), writer.fetched_again


def page_records(
    config: RunConfig, pages: Iterable[Mapping[str, Any]], on_made: Callable[[str], None]
) -> Iterator[bytes]:
    """Yield a WARC file of pages of a run: the recorded responses, or documents made of what the journal keeps.

    Args:
        config: the configuration of the run.
        pages: rows of `crawler.journal.page_export.pages`.
        on_made: called with the URL of each page that is such a document.

    Yields:
        The bytes of the file, a record at a time.
    """
    from crawler.archives import page_records

    archive = None
    if config.warc is not None:
        with suppress(ArchiveError):  # the folder was moved, or nothing was recorded: all pages are made
            archive = ArchiveWorld(config.warc, max_bytes=config.crawl.max_bytes)
    message = archive.message if archive else lambda url: None
    yield from page_records.page_records(pages, _info(config), message, on_made)


def _info(config: RunConfig) -> dict[str, str]:
    """Return the fields of the warcinfo record."""
    return {
        "software": f"ontocrawl/{__version__}",
        "format": "WARC File Format 1.1",
        "isPartOf": config.run,
        "description": f"crawl of {config.world} on the topic {config.topic} by the strategy {config.strategy}",
        "robots": "obey",
        "http-header-user-agent": config.crawl.user_agent,
        "seeds": json.dumps(config.seeds),
    }

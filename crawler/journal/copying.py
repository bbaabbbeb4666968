"""A copy of a journal as of one moment, also while another process crawls."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from crawler.journal.database import failed, opened
from crawler.journal.journal import Journal
from crawler.journal.tables import VERSION


@dataclass(frozen=True, slots=True)
class CopiedJournal:
    """What a copy of a journal holds."""

    version: int
    """Version of its tables."""
    events: int
    """Number of its last event."""


def copy(path: Path, target: Path) -> CopiedJournal:
    """Copy a journal with all events that were durable at one moment.

    SQLite's backup reads all pages in one read transaction, and each write to a journal is whole events: the copy
    ends with a whole event.

    Args:
        path: the journal.
        target: the new file; it is complete without a file beside it.

    Returns:
        What the copy holds.

    Raises:
        JournalError: the journal cannot be read, or the copy not be written.
        DamagedJournalError: the journal is damaged.
    """
    with closing(opened(path, "")) as source:
        try:
            with closing(sqlite3.connect(target)) as copied:
                source.backup(copied)
                faults = [row[0] for row in copied.execute("PRAGMA quick_check(1)") if row[0] != "ok"]
        except sqlite3.Error as error:
            raise failed(path, error) from error
    if faults:
        raise failed(path, sqlite3.DatabaseError(f"malformed: {faults[0]}"))
    return held(target)


def held(path: Path) -> CopiedJournal:
    """Return what a journal holds. Raises JournalError, also for one of a newer version."""
    with closing(Journal(path)) as journal:
        return CopiedJournal(journal.get("version") or VERSION, journal.last_seq())

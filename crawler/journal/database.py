"""SQLite under the journal: its errors with advice, and transactions."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ontology.errors import OntocrawlError


class JournalError(OntocrawlError):
    """Error where the journal could not be read or written; its earlier events are kept."""


class DamagedJournalError(JournalError):
    """Error for a file that is damaged or is not a journal."""


class Transaction:
    """Part of a transaction: begun where none is open, committed if it ``commits``, rolled back if it fails."""

    def __init__(self, db: sqlite3.Connection, path: Path, commits: bool) -> None:
        self._db = db
        self._path = path
        self._commits = commits

    def __enter__(self) -> None:
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise failed(self._path, error) from error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            if self._db.in_transaction and (self._commits or kind is not None):
                self._db.execute("COMMIT" if kind is None else "ROLLBACK")
        except sqlite3.Error as broken:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise failed(self._path, broken) from broken
        if isinstance(error, sqlite3.Error):
            raise failed(self._path, error) from error


def failed(path: Path, error: sqlite3.Error) -> JournalError:
    """Return the error, with advice, for an error of SQLite."""
    damaged = "not a database" in str(error) or "malformed" in str(error)
    return (DamagedJournalError if damaged else JournalError)(_advice(path, error))


def _advice(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return (
            f"no space left for the journal {path}: free some disk space, then resume the run; earlier pages are kept"
        )
    if "locked" in text:
        return f"the journal {path} is in use by another process: wait for it, or end it, then try again"
    if "not a database" in text or "malformed" in text:
        return f"{path} is not a journal or is damaged ({text}): restore it from a copy, or start a new run"
    return f"the journal {path} cannot be used: {text}"

"""SQLite under the journal: its errors with advice, and transactions."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from ontology.errors import Message, OntocrawlError


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


def opened(path: Path, tables: str) -> sqlite3.Connection:
    """Open a database, for reading only where this user may not write to its file and folder.

    Args:
        path: the file.
        tables: SQL that creates the tables; those of an earlier version stay as they are.

    Returns:
        The connection, in autocommit mode.

    Raises:
        JournalError: it cannot be opened.
    """
    writable = os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))
    try:
        db = sqlite3.connect(path if writable else _uri_to_read(path), isolation_level=None, uri=not writable)
    except sqlite3.Error as error:
        raise failed(path, error) from error
    try:
        if writable:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone() is None:
            db.executescript(f"BEGIN IMMEDIATE; {tables} COMMIT;")  # all of them or none
    except sqlite3.Error as error:
        db.close()
        raise failed(path, error) from error
    return db


def _uri_to_read(path: Path) -> str:
    """Return the URI of a database in a folder that cannot be written to.

    SQLite makes two files beside a WAL database, even to read it. It does not where the database is said to be
    immutable, which it is if no process has it open and all was written into it. Otherwise the two files are there.
    """
    log, index = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    closed = not log.exists() or not (index.exists() or log.stat().st_size)
    return f"{path.absolute().as_uri()}?{'immutable=1' if closed else 'mode=ro'}"


def mismatch(path: Path, what: str) -> JournalError:
    """Return the error for a journal of which a replay makes something else; ``what`` says what, as a clause."""
    return JournalError("journal.run_made_another_version", path=path, what=what)


def failed(path: Path, error: sqlite3.Error) -> JournalError:
    """Return the error, with advice, for an error of SQLite."""
    damaged = "not a database" in str(error) or "malformed" in str(error)
    return (DamagedJournalError if damaged else JournalError)(_advice(path, error))


def _advice(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return Message("journal.journal_full", path=path)
    if "locked" in text:
        return Message("journal.journal_locked", path=path)
    if "not a database" in text or "malformed" in text:
        return Message("journal.journal_damaged", path=path, text=text)
    if "readonly" in text or "unable to open" in text:
        return Message("journal.journal_readonly", path=path, text=text)
    if "I/O" in text:
        return Message("journal.journal_disk", path=path, text=text)
    return f"the journal {path} cannot be used: {text}"

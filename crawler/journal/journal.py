"""The durable record of a run: an ordered event log in an SQLite file (WAL). The graph is a projection of it.

Every event is one transaction. A ``pick`` holds the choice, the page limit and the state of the random generator after
it; an ``outcome`` holds everything that the crawl used of the page. Journalled events survive a killed crawl: replay
makes the same choices again and reads the outcomes from the journal.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from crawler.journal.snapshot import pack, unpack
from crawler.model import SLOTS, Counts, OutLink
from crawler.pages.page import Divisions, PageRecord

VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS url (id INTEGER PRIMARY KEY, url TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS event (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('pick', 'look', 'outcome', 'retry')),
    link INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS page (
    seq INTEGER PRIMARY KEY, link INTEGER NOT NULL, status INTEGER, failure TEXT, final_url TEXT NOT NULL,
    title TEXT NOT NULL, published TEXT, content_hash TEXT, length INTEGER NOT NULL, text BLOB NOT NULL,
    counts BLOB NOT NULL, relevance REAL, relevant INTEGER);
CREATE TABLE IF NOT EXISTS link (
    seq INTEGER NOT NULL, position INTEGER NOT NULL, page INTEGER NOT NULL, url TEXT NOT NULL, target INTEGER,
    anchor TEXT NOT NULL, context TEXT NOT NULL, block INTEGER NOT NULL, reason TEXT, relevance REAL,
    PRIMARY KEY (seq, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS skipped (
    seq INTEGER NOT NULL, position INTEGER NOT NULL, href TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (seq, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshot (seq INTEGER PRIMARY KEY, known INTEGER NOT NULL, state BLOB NOT NULL);
"""


class JournalError(Exception):
    """Error where the journal could not be read or written; its earlier events are kept."""


class DamagedJournalError(JournalError):
    """Error for a file that is damaged or is not a journal."""


@dataclass(frozen=True)
class Event:
    """An entry of the log; ``data`` is a JSON object that depends on the kind of event."""

    seq: int
    kind: str
    link: int
    data: Mapping[str, Any]


@dataclass(frozen=True)
class PageJudgement:
    """The judge's decision about a page, and the id, reason code and anchor relevance of each out-link."""

    relevance: float | None
    relevant: bool | None
    targets: Mapping[str, int]
    reasons: Mapping[int, str]
    anchor_relevance: Mapping[int, float]


class Journal:
    """The journal of a run. All methods raise JournalError, with advice, where SQLite fails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
        except sqlite3.Error as error:
            raise _failed(path, error) from error
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_TABLES)
        except sqlite3.Error as error:
            self._db.close()
            raise _failed(path, error) from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # ---- writing ------------------------------------------------------------------------------------------------

    def begin(self, config: Mapping[str, Any], known: Sequence[str]) -> None:
        """Start the journal of a run.

        Args:
            config: everything that determines the run, as JSON values.
            known: URLs of the seeds, by id.

        Raises:
            JournalError: the journal holds a run.
        """
        if self.get("config") is not None:
            raise JournalError(f"{self.path} holds a run already: resume it, or give another --run")
        with self._transaction():
            self._set("config", config)
            self._set("version", VERSION)
            self._add_urls(0, known)

    def pick(self, seq: int, link: int, data: Mapping[str, Any]) -> None:
        """Journal the choice of a link, before its fetch.

        Args:
            seq: number of the event.
            link: id of the link.
            data: tag, move and priority of the pick, page limit and state of the random generator.
        """
        with self._transaction():
            self._event(seq, "pick", link, data)

    def look(self, seq: int, link: int, record: PageRecord, run: str | None = None) -> None:
        """Journal a page that was read ahead to judge a link (trap T4).

        Args:
            seq: number of the event.
            link: id of the link.
            record: the page.
            run: name of the earlier run that read the page; None where it was fetched for this.
        """
        data = _event_data(record) | ({} if run is None else {"run": run})
        with self._transaction():
            self._event(seq, "look", link, data)
            self._page(seq, link, record, None)

    def outcome(
        self, seq: int, link: int, record: PageRecord, judgement: PageJudgement, new: tuple[int, Sequence[str]]
    ) -> None:
        """Journal the outcome of a link.

        Args:
            seq: number of the event.
            link: id of the link.
            record: the page or the failure.
            judgement: decisions about the page.
            new: id of the first new URL, and all URLs that the page added.
        """
        with self._transaction():
            self._add_urls(*new)
            self._event(seq, "outcome", link, _event_data(record))
            self._page(seq, link, record, judgement)

    def retry(self, seq: int, data: Mapping[str, Any]) -> None:
        """Journal that links are queued again because the network was down when they were fetched."""
        with self._transaction():
            self._event(seq, "retry", -1, data)

    def snapshot(self, seq: int, known: int, state: Mapping[str, Any]) -> None:
        """Save a snapshot; the last two are kept.

        Args:
            seq: number of the last event that the state includes.
            known: number of known URLs.
            state: nested dicts of JSON values and arrays.
        """
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)", (seq, known, pack(state)))
            self._db.execute(
                "DELETE FROM snapshot WHERE seq NOT IN (SELECT seq FROM snapshot ORDER BY seq DESC LIMIT 2)"
            )

    def set(self, key: str, value: Any) -> None:
        """Store a JSON value about the run, for example its stop reason."""
        with self._transaction():
            self._set(key, value)

    # ---- reading ------------------------------------------------------------------------------------------------

    def get(self, key: str) -> Any:
        """Return a value that ``set`` or ``begin`` stored; None where there is none."""
        row = self._query("SELECT value FROM run WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def last_seq(self) -> int:
        """Return the number of the last event; 0 where there is none."""
        return int(self._query("SELECT coalesce(max(seq), 0) FROM event").fetchone()[0])

    def events(self, after: int = 0) -> Iterator[Event]:
        """Yield the events with a number greater than ``after``, in order."""
        for seq, kind, link, data in self._query("SELECT * FROM event WHERE seq > ? ORDER BY seq", (after,)):
            yield Event(seq, kind, link, json.loads(data))

    def priorities(self, links: Sequence[int]) -> list[float]:
        """Return the priority of each link at its last pick."""
        query = "SELECT data FROM event WHERE kind = 'pick' AND link = ? ORDER BY seq DESC LIMIT 1"
        return [float(json.loads(self._query(query, (link,)).fetchone()[0])["priority"]) for link in links]

    def urls(self, limit: int | None = None) -> list[str]:
        """Return known URLs by id, the first ``limit`` or all."""
        rows = self._query("SELECT url FROM url ORDER BY id LIMIT ?", (-1 if limit is None else limit,))
        return [url for (url,) in rows]

    def record(self, seq: int, sizes: Mapping[str, int]) -> PageRecord:
        """Return the page of an ``outcome`` or ``look`` event.

        Args:
            seq: number of the event.
            sizes: vocabulary -> number of its words.

        Raises:
            JournalError: the event has no page.
        """
        event = self._query("SELECT data FROM event WHERE seq = ?", (seq,)).fetchone()
        page = self._query(
            "SELECT status, failure, final_url, title, published, content_hash, length, text, counts FROM page "
            "WHERE seq = ?",
            (seq,),
        ).fetchone()
        if event is None or page is None:
            raise JournalError(f"{self.path}: event {seq} has no page; the file is damaged")
        data = json.loads(event[0])
        status, failure, final_url, title, published, content_hash, length, text, counts = page
        rows = self._query("SELECT url, anchor, context, block FROM link WHERE seq = ? ORDER BY position", (seq,))
        return PageRecord(
            final_url, tuple(data["hops"]), status, failure, data["detail"], title, zlib.decompress(text).decode(),
            published, content_hash, length, tuple(OutLink(*row) for row in rows), (), _unpack_counts(counts, sizes),
            data.get("class"), _divisions(data.get("divisions"), sizes),
        )  # fmt: skip

    def latest_snapshot(self) -> tuple[int, int, dict[str, Any]] | None:
        """Return (event number, number of known URLs, state) of the newest snapshot; None where there is none."""
        row = self._query("SELECT seq, known, state FROM snapshot ORDER BY seq DESC LIMIT 1").fetchone()
        return None if row is None else (row[0], row[1], unpack(row[2]))

    def links_until(self, seq: int) -> list[tuple[int, list[int]]]:
        """Return (page, distinct out-links) of every page up to an event, in fetching order."""
        pages: list[tuple[int, list[int]]] = []
        last_event = -1
        query = (
            "SELECT p.seq, p.link, l.target FROM page p JOIN event e USING (seq) LEFT JOIN link l ON l.seq = p.seq "
            "AND l.target IS NOT NULL WHERE p.seq <= ? AND p.failure IS NULL AND e.kind = 'outcome' "
            "ORDER BY p.seq, l.position"
        )
        for event, page, target in self._query(query, (seq,)):
            if event != last_event:
                pages.append((page, []))
                last_event = event
            if target is not None:
                pages[-1][1].append(target)
        return pages

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a SELECT statement, for reports and the projection."""
        cursor = self._query(sql, parameters)
        while rows := cursor.fetchmany(1_000):
            yield from rows

    # ---- inside -------------------------------------------------------------------------------------------------

    def _query(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        try:
            return self._db.execute(sql, parameters)
        except sqlite3.Error as error:
            raise _failed(self.path, error) from error

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db, self.path)

    def _set(self, key: str, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)
        self._db.execute(
            "INSERT INTO run VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, text)
        )

    def _add_urls(self, first: int, new: Sequence[str]) -> None:
        self._db.executemany("INSERT INTO url VALUES (?, ?)", list(enumerate(new, start=first)))

    def _event(self, seq: int, kind: str, link: int, data: Mapping[str, Any]) -> None:
        self._db.execute(
            "INSERT INTO event VALUES (?, ?, ?, ?)", (seq, kind, link, json.dumps(data, ensure_ascii=False))
        )

    def _page(self, seq: int, link: int, record: PageRecord, judgement: PageJudgement | None) -> None:
        relevant = None if judgement is None or judgement.relevant is None else int(judgement.relevant)
        self._db.execute(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                seq, link, record.status, record.failure, record.final_url, record.title, record.published,
                record.content_hash, record.length, zlib.compress(record.text.encode()), _pack_counts(record.counts),
                None if judgement is None else judgement.relevance, relevant,
            ),
        )  # fmt: skip
        self._db.executemany(
            "INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(seq, row, link, o.url, *_of_link(o, judgement)) for row, o in enumerate(record.links)],
        )
        self._db.executemany(
            "INSERT INTO skipped VALUES (?, ?, ?, ?)", [(seq, row, *item) for row, item in enumerate(record.skipped)]
        )


class _Transaction:
    """BEGIN .. COMMIT, rolled back where the block or the commit fails."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    def __enter__(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise _failed(self._path, error) from error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            self._db.execute("COMMIT" if kind is None else "ROLLBACK") if self._db.in_transaction else None
        except sqlite3.Error as failed:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise _failed(self._path, failed) from failed
        if isinstance(error, sqlite3.Error):
            raise _failed(self._path, error) from error


def _of_link(link: OutLink, judgement: PageJudgement | None) -> tuple[Any, ...]:
    target = None if judgement is None else judgement.targets.get(link.url)
    reason = None if judgement is None or target is None else judgement.reasons.get(target)
    R = None if judgement is None or target is None else judgement.anchor_relevance.get(target)
    return (target, link.anchor, link.context, link.block, reason, R)


def _event_data(record: PageRecord) -> dict[str, Any]:
    data: dict[str, Any] = {"failure": record.failure, "hops": list(record.hops), "detail": record.detail}
    if record.class_ is not None:
        data["class"] = record.class_
    if record.divisions is not None:
        counts = record.divisions.counts
        block_of, innermost = record.divisions.block_of.tolist(), record.divisions.innermost.tolist()
        data["divisions"] = {"of": block_of, "counts": _entries(counts), "innermost": innermost}
    return data


def _divisions(data: Mapping[str, Any] | None, sizes: Mapping[str, int]) -> Divisions | None:
    if data is None:
        return None
    innermost = np.array(data["innermost"], dtype=np.bool_)
    counts = np.zeros((len(innermost), sizes["TK"]), dtype=np.int64)
    for row, word, count in data["counts"]:
        counts[row, word] = count
    return Divisions(np.array(data["of"], dtype=np.int64), counts, innermost)


def _entries(matrix: Counts) -> list[list[int]]:
    """Return [row, column, count] of the entries that are not 0."""
    entries: list[list[int]] = np.column_stack([*np.nonzero(matrix), matrix[np.nonzero(matrix)]]).tolist()
    return entries


def _pack_counts(counts: Mapping[str, Counts]) -> bytes:
    """Return counts as compressed JSON: vocabulary -> [slot, word, count] of the entries that are not 0."""
    sparse = {name: _entries(matrix) for name, matrix in counts.items()}
    return zlib.compress(json.dumps(sparse, ensure_ascii=False).encode())


def _unpack_counts(data: bytes, sizes: Mapping[str, int]) -> dict[str, Counts]:
    counts: dict[str, Counts] = {}
    for name, entries in json.loads(zlib.decompress(data)).items():
        matrix = np.zeros((len(SLOTS), sizes[name]), dtype=np.int64)
        for slot, word, count in entries:
            matrix[slot, word] = count
        counts[name] = matrix
    return counts


def _failed(path: Path, error: sqlite3.Error) -> JournalError:
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
        return f"{path} is not a journal or is damaged ({text}): restore it from a copy, or start a new run with --run"
    return f"the journal {path} cannot be used: {text}"

"""The durable record of a run: an ordered event log in an SQLite file (WAL). The graph is a projection of it.

A ``choice`` holds the links that the strategy picked, what it was called with, and the state of the random generator
after it; an ``outcome`` holds everything that the crawl used of the page of a pick. Events survive a killed crawl from
``commit`` on, which precedes the requests for the picks: replay makes the same choices again, reads the outcomes from
the journal in the order in which they came, and what is left of the picks was in flight.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawler.journal import token_rows
from crawler.journal.database import JournalError, Transaction, failed, opened
from crawler.journal.page_rows import (
    PageJudgement,
    event_data,
    kinds_of,
    link_rows,
    pack_counts,
    page_facts,
    record_facts,
    unpack_counts,
)
from crawler.journal.snapshot import Chain, SnapshotError, parts, unpack
from crawler.model import OutLink, ParsedPage, Pick
from crawler.pages.page import PageRecord, packed_texts
from crawler.pages.ways import ANCHOR


@dataclass(frozen=True)
class Event:
    """An entry of the log; ``data`` is a JSON object that depends on the kind of event."""

    seq: int
    kind: str
    link: int
    data: Mapping[str, Any]


class Journal:
    """The journal of a run. All methods raise JournalError, with advice, where SQLite fails.

    One that this user may not write to, as on a read-only disk, can be read all the same.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._closed = False
        self.snapshots = _Snapshots(path.with_suffix(".snapshots"))
        self._db = opened(path, _TABLES)
        try:
            self._refuse_newer()
        except JournalError:
            self.close()
            raise

    def close(self) -> None:
        """Commit, and close the file."""
        try:
            self.commit()
        finally:
            self._closed = True
            self._db.close()

    @property
    def _version(self) -> int:
        return self.get("version") or VERSION

    def _refuse_newer(self) -> None:
        if self._version > VERSION:
            raise JournalError("journal.journal_version", path=self.path, version=self._version, newest=VERSION)

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
            raise JournalError("journal.holds_run_already_resume", path=self.path)
        with self._transaction():
            self._set("config", config)
            self._set("version", VERSION)
            self._add_urls(0, known)

    def commit(self) -> None:
        """Make all events durable. An outcome is only once this or another write has followed it.

        Nothing is left to commit in a closed journal, as where an abandoned crawl ends later.
        """
        if not self._closed and self._db.in_transaction:
            try:
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                self._db.execute("ROLLBACK") if self._db.in_transaction else None
                raise failed(self.path, error) from error

    def choice(self, seq: int, data: Mapping[str, Any], picks: Sequence[tuple[int, int, int, float, Any]]) -> None:
        """Journal a choice, and commit.

        Args:
            seq: number of the event.
            data: number of links asked for, limits, and the state of the random generator after the choice.
            picks: number, link, tag, priority and move of each pick; may be empty.
        """
        rows = [(number, seq, *pick, json.dumps(move, ensure_ascii=False)) for number, *pick, move in picks]
        with self._transaction():
            self._event(seq, "choice", -1, data)
            self._db.executemany("INSERT INTO pick VALUES (?, ?, ?, ?, ?, ?)", rows)

    def look(self, seq: int, link: int, record: PageRecord, run: str | None = None) -> None:
        """Journal a page that was read ahead to judge a link (trap T4).

        Args:
            seq: number of the event.
            link: id of the link.
            record: the page.
            run: name of the earlier run that read the page; None where it was fetched for this.
        """
        data = event_data(record) | ({} if run is None else {"run": run})
        with self._transaction():
            self._event(seq, "look", link, data)
            self._page(seq, link, record, None)

    def outcome(
        self,
        seq: int,
        pick: tuple[int, int],
        record: PageRecord,
        judgement: PageJudgement,
        new: tuple[int, Sequence[str]],
        retried: Sequence[str] = (),
    ) -> None:
        """Journal the outcome of a pick. The next write or ``commit`` makes it durable.

        Args:
            seq: number of the event.
            pick: number of the pick, and its link.
            record: the page or the failure.
            judgement: decisions about the page.
            new: id of the first new URL, and all URLs that the page added.
            retried: reason of each try that was made again.
        """
        data = event_data(record, judgement) | {"pick": pick[0]} | ({"retried": list(retried)} if retried else {})
        with self._transaction(commits=False):
            self._add_urls(*new)
            self._event(seq, "outcome", pick[1], data)
            self._page(seq, pick[1], record, judgement)

    def visit(
        self, seq: int, link: int, data: Mapping[str, Any], record: PageRecord | None, judgement: PageJudgement
    ) -> None:
        """Journal a visit of a page after the crawl, and commit.

        Args:
            seq: number of the event.
            link: id of the page; -1 for one that the crawl did not know.
            data: what the event says (crawler.journal.visits).
            record: the page where its content is new; else None.
            judgement: decisions about the page.
        """
        with self._transaction():
            self._event(seq, "visit", link, data)
            if record is not None:
                self._page(seq, link, record, judgement)

    def event(self, seq: int, kind: str, data: Mapping[str, Any], new: tuple[int, Sequence[str]] = (0, ())) -> None:
        """Journal an event without a page, and commit.

        Args:
            seq: number of the event.
            kind: resumed (links in flight are fetched again), retry (links are queued again) or taught.
            data: what a replay needs.
            new: id of the first new URL, and all URLs that the event added.
        """
        with self._transaction():
            self._add_urls(*new)
            self._event(seq, kind, -1, data)

    def upgrade(self) -> None:
        """Bring the tables of an earlier version to this one; events keep their numbers and data.

        A run of version 1 goes on with one page in flight, as it began. Snapshots of earlier versions are deleted, and
        the run is replayed from its first event once.
        """
        version = self._version
        if version == VERSION:
            return
        picks = [
            (number, event.seq, event.link, event.data["tag"], event.data["priority"], json.dumps(event.data["move"]))
            for number, event in enumerate(self.events_of("pick"), start=1)
        ]
        with self._transaction():
            if version == 1:
                _upgrade_1(self._db, picks)
                config = self.get("config") or {}
                self._set("config", config | {"crawl": config.get("crawl", {}) | {"in_flight": 1, "short_queue": 0}})
            if version <= 2:
                _upgrade_2(self._db)
            self._set("version", VERSION)
        self.snapshots.discard_after(-1)

    @contextmanager
    def weights(self, seq: int) -> Iterator[dict[str, Any]]:
        """Journal that a crawl takes other weights: the event with all counts of earlier pages, or nothing of it.

        Args:
            seq: number of the event.

        Yields:
            The data of the event, to be filled in the block, which may call ``recount``.
        """
        self.commit()
        data = dict[str, Any]()
        with self._transaction():
            yield data
            self._event(seq, "weights", -1, data)

    def recount(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Store packed counts of earlier pages: number of the weights' event, number of the page's event, counts."""
        self._db.executemany("INSERT INTO recount VALUES (?, ?, ?)", rows)

    def snapshot(self, seq: int, known: int, state: Mapping[str, Any]) -> None:
        """Commit, and save a snapshot.

        Args:
            seq: number of the last event that the state includes.
            known: number of known URLs.
            state: the state, or its changes where ``snapshots.next_is_whole`` is False.
        """
        self.commit()
        try:
            self.snapshots.write(seq, known, state)
        except OSError as error:
            raise JournalError("journal.no_snapshot_written_beside", path=self.path, strerror=error.strerror) from error

    def discard_later_snapshots(self) -> None:
        """Delete snapshots of events that the journal does not have, as after a loss of power."""
        self.snapshots.discard_after(self.last_seq())

    def index(self) -> None:
        """Make the indexes by which one link is explained fast, at the end of a crawl: while it runs they cost time."""
        with self._transaction():
            _execute_each(self._db, _INDEXES)

    def set(self, key: str, value: Any, *, commits: bool = True) -> None:
        """Store a JSON value about the run, as its stop reason; durable with the next write if not ``commits``."""
        with self._transaction(commits=commits):
            self._set(key, value)

    # ---- reading ------------------------------------------------------------------------------------------------

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let all that is read in the block be of one moment, also while another process crawls; for readers only."""
        self._query("BEGIN")
        try:
            yield
        finally:
            self._query("ROLLBACK")

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

    def events_of(self, kind: str) -> Iterator[Event]:
        """Yield the events of a kind, in order."""
        for seq, link, data in self._query("SELECT seq, link, data FROM event WHERE kind = ? ORDER BY seq", (kind,)):
            yield Event(seq, kind, link, json.loads(data))

    def picks(self, link: int | None = None) -> Iterator[Pick]:
        """Yield all picks, or those of a link, in order."""
        if self._version > 1:
            of_link = "" if link is None else " WHERE link = :link"
            rows = self.query(f"{_PICKS}{of_link} ORDER BY number", {"link": link})
            for number, event, target, tag, priority, move in rows:
                yield Pick(number, target, tag, priority, json.loads(move), event)
        else:
            for number, event in enumerate(self.events_of("pick"), start=1):
                data = event.data
                if link is None or event.link == link:
                    yield Pick(number, event.link, data["tag"], data["priority"], data["move"], event.seq)

    def count_moves(self, key: str) -> int:
        """Count the picks whose move has a key at its beginning; version 1 had none that is asked for."""
        if self._version == 1:
            return 0
        start = json.dumps({key: 0})[:-2]
        ((count,),) = self.query("SELECT count(*) FROM pick WHERE substr(move, 1, ?) = ?", (len(start), start))
        return int(count)

    def links_of_choice(self, seq: int) -> list[int]:
        """Return the links that the choice with the event number ``seq`` picked, in order."""
        return [link for (link,) in self._query("SELECT link FROM pick WHERE seq = ? ORDER BY number", (seq,))]

    def priorities(self, links: Sequence[int]) -> list[float]:
        """Return the priority of each link at its last pick."""
        query = "SELECT priority FROM pick WHERE link = ? ORDER BY number DESC LIMIT 1"
        return [float(self._query(query, (link,)).fetchone()[0]) for link in links]

    def urls(self, limit: int | None = None) -> list[str]:
        """Return known URLs by id, the first ``limit`` or all."""
        rows = self._query("SELECT url FROM url ORDER BY id LIMIT ?", (-1 if limit is None else limit,))
        return [url for (url,) in rows]

    def urls_of(self, links: Sequence[int]) -> list[str]:
        """Return the URLs of links."""
        return [self._query("SELECT url FROM url WHERE id = ?", (link,)).fetchone()[0] for link in links]

    def record(self, seq: int, sizes: Mapping[str, int], weights: int | None = None) -> PageRecord:
        """Return the page of an ``outcome`` or ``look`` event.

        Args:
            seq: number of the event.
            sizes: vocabulary -> number of its words.
            weights: number of a later event by which the page was counted again; None for the counts of its own event.

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
            raise JournalError("journal.journal_page", path=self.path, seq=seq)
        data = json.loads(event[0])
        status, failure, final_url, title, published, content_hash, length, text, counts = page
        rows = self._query("SELECT url, anchor, context, block FROM link WHERE seq = ? ORDER BY position", (seq,))
        kinds = kinds_of(data.get("ways"))
        links = tuple(
            OutLink(url, anchor, context, block, kind=kinds.get(at, ANCHOR))
            for at, (url, anchor, context, block) in enumerate(rows)
        )
        if weights is not None:
            again = "SELECT counts FROM recount WHERE seq = ? AND page = ?"
            counts = next((found for (found,) in self._query(again, (weights, seq))), counts)
        parsed = ParsedPage(title, (), zlib.decompress(text).decode(), links, published, **page_facts(data))
        return PageRecord(
            final_url, tuple(data["hops"]), status, failure, data["detail"], parsed, content_hash, length,
            unpack_counts(counts, sizes), **record_facts(data, sizes),
        )  # fmt: skip

    def latest_snapshot(self) -> tuple[int, int, dict[str, Any]] | None:
        """Return (event number, number of known URLs, state) of the newest snapshot; None where there is none."""
        return self.snapshots.latest(self.last_seq())

    def query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a SELECT statement, for reports and the projection."""
        cursor = self._query(sql, parameters)
        while rows := cursor.fetchmany(1_000):
            yield from rows

    # ---- inside -------------------------------------------------------------------------------------------------

    def _query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> sqlite3.Cursor:
        try:
            return self._db.execute(sql, parameters)
        except sqlite3.Error as error:
            raise failed(self.path, error) from error

    def _transaction(self, *, commits: bool = True) -> Transaction:
        return Transaction(self._db, self.path, commits)

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
        page, relevant = record.page, None if judgement is None else judgement.relevant
        texts = record.packed or packed_texts(page)
        self._db.execute(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                seq, link, record.status, record.failure, record.final_url, page.title, page.published,
                record.content_hash, record.length, texts.text, pack_counts(record.counts),
                None if judgement is None else judgement.relevance,
                None if relevant is None else int(relevant),
                texts.segments, record.sent,
            ),
        )  # fmt: skip
        self._db.executemany(
            "INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            link_rows(seq, link, record, judgement),
        )
        skipped = [(seq, row, *item) for row, item in enumerate(page.skipped)]
        self._db.executemany("INSERT INTO skipped VALUES (?, ?, ?, ?)", skipped)
        if record.tokens is not None:
            token_rows.store(self._db, seq, record.tokens)


# ---- the snapshots of a run as files beside its journal: a whole one, and those of what changed after it
#
# They are files because SQLite takes ten times as long to store a large value. A snapshot only spares the replay of
# earlier events: where a file is missing or damaged, the run resumes from an earlier one, or from its first event.


_WHOLE, _CHANGES = ".whole", ".changes"


class _Snapshots:
    """Reads and writes the snapshots of a run.

    Args:
        folder: folder of the files; it is created by the first snapshot.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._chain = Chain()
        self.last: int | None = None
        """Number of the last event of the snapshot that was written last, None before the first one."""

    @property
    def next_is_whole(self) -> bool:
        """Whether ``write`` expects a whole state next, not its changes: at first, and when the changes grow large."""
        return self._chain.next_is_whole

    def begin_anew(self) -> None:
        """Expect a whole state next: what the crawl will save is no change of what it saved last."""
        self._chain, self.last = Chain(), None

    def write(self, seq: int, known: int, state: Mapping[str, Any]) -> None:
        """Write a snapshot; a whole one replaces all before it.

        Args:
            seq: number of the last event that the state includes.
            known: number of known URLs.
            state: the state if ``next_is_whole``, else its changes since the last snapshot that was written.

        Raises:
            OSError: the file cannot be written, for example because the disk is full. Earlier ones are kept.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        whole = self.next_is_whole
        path = self._folder / f"{seq:012}-{known}{_WHOLE if whole else _CHANGES}"
        part = path.with_suffix(".part")
        try:
            with part.open("wb") as file:
                file.writelines(parts(state))
                size = file.tell()
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        for earlier in self._files() if whole else ():
            if earlier.name < path.name:
                earlier.unlink()
        self._chain.wrote(size)
        self.last = seq

    def latest(self, last: int) -> tuple[int, int, dict[str, Any]] | None:
        """Return the newest snapshot that can be read; None where there is none.

        Args:
            last: number of the last event of the journal; a snapshot of later ones outlived them and is ignored.

        Returns:
            Number of the last event that it includes, number of known URLs, and the state.
        """
        files = [file for file in self._files() if _numbers(file)[0] <= last]
        begins = [place for place, file in enumerate(files) if file.suffix == _WHOLE]
        chain = [file.read_bytes() for file in files[begins[-1] :]] if begins else []
        for end in range(len(chain), 0, -1):
            try:
                state = unpack(*chain[:end])
            except SnapshotError:
                continue
            return (*_numbers(files[begins[-1] + end - 1]), state)
        return None

    def discard_after(self, last: int) -> None:
        """Delete the snapshots of events after the one with the number ``last``."""
        for file in self._files():
            if _numbers(file)[0] > last:
                file.unlink()

    def _files(self) -> list[Path]:
        """Return the files in the order of their events."""
        return sorted(file for kind in (_WHOLE, _CHANGES) for file in self._folder.glob(f"*-*{kind}"))


def _numbers(file: Path) -> tuple[int, int]:
    """Return the number of the event and the number of known URLs of a snapshot."""
    seq, known = file.stem.split("-")
    return int(seq), int(known)


# ---- when a crawl saves a snapshot. The clock counts, because snapshots change no trace


_WORTH = 50
"""Times the cost of a snapshot that have to pass before the next one, so that they take 2 % of the time at most."""
_PATIENCE = 4
"""Times the interval that a snapshot waits at most for a re-scoring of the queue, right after which it is small."""


class SnapshotTimer:
    """Tells after how many fetches, and how much time, a snapshot is due.

    >>> now = iter([0.0, 1.0, 5.0, 60.0])
    >>> timer = SnapshotTimer(250, lambda: next(now))
    >>> timer.is_due(100, cheap=True), timer.is_due(250, cheap=True)
    (False, True)
    >>> timer.taken(250, seconds=0.2)
    >>> timer.is_due(500, cheap=False)
    False
    """

    def __init__(self, every: int, clock: Callable[[], float]) -> None:
        """Start at the beginning of a crawl.

        Args:
            every: fetches between two snapshots.
            clock: function that returns seconds.
        """
        self._every, self._clock = every, clock
        self._fetches, self._at, self._cost = 0, clock(), 0.0

    def is_due(self, fetches: int, *, cheap: bool) -> bool:
        """Return whether to save now.

        Args:
            fetches: fetches of the crawl so far.
            cheap: whether a snapshot is small now, or will not become so.
        """
        since = fetches - self._fetches
        if since < self._every or self._clock() - self._at < _WORTH * self._cost:
            return False
        return cheap or since >= _PATIENCE * self._every

    def taken(self, fetches: int, seconds: float) -> None:
        """Note a snapshot after ``fetches`` fetches that took ``seconds``, or was restored (0)."""
        self._fetches, self._at, self._cost = fetches, self._clock(), seconds


# ---- the tables of a journal, and how those of earlier versions are brought to this one


VERSION = 4
"""Version of the journal. In version 1 every event of the kind ``pick`` was the choice of one link; until version 2 the
segments of a page, in which its words are counted, and the time of its response were not kept, and no crawl took other
weights; until version 3 its event kept a fingerprint of its text, and snapshots had another form."""
SEGMENTS_SINCE = 3
"""First version whose pages keep their segments and the time of their response."""
_TABLES = """
CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS url (id INTEGER PRIMARY KEY, url TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS event (
    seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, link INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pick (
    number INTEGER PRIMARY KEY, seq INTEGER NOT NULL, link INTEGER NOT NULL, tag INTEGER NOT NULL,
    priority REAL NOT NULL, move TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS pick_seq ON pick (seq);
CREATE INDEX IF NOT EXISTS pick_link ON pick (link);
CREATE TABLE IF NOT EXISTS page (
    seq INTEGER PRIMARY KEY, link INTEGER NOT NULL, status INTEGER, failure TEXT, final_url TEXT NOT NULL,
    title TEXT NOT NULL, published TEXT, content_hash TEXT, length INTEGER NOT NULL, text BLOB NOT NULL,
    counts BLOB NOT NULL, relevance REAL, relevant INTEGER, segments BLOB, sent TEXT);
CREATE TABLE IF NOT EXISTS link (
    seq INTEGER NOT NULL, position INTEGER NOT NULL, page INTEGER NOT NULL, url TEXT NOT NULL, target INTEGER,
    anchor TEXT NOT NULL, context TEXT NOT NULL, block INTEGER NOT NULL, reason TEXT, relevance REAL,
    PRIMARY KEY (seq, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS skipped (
    seq INTEGER NOT NULL, position INTEGER NOT NULL, href TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (seq, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recount (
    seq INTEGER NOT NULL, page INTEGER NOT NULL, counts BLOB NOT NULL, PRIMARY KEY (seq, page)) WITHOUT ROWID;
"""

_PICKS = "SELECT number, seq, link, tag, priority, move FROM pick"
_INDEXES = """
CREATE INDEX IF NOT EXISTS url_url ON url (url);
CREATE INDEX IF NOT EXISTS event_kind ON event (kind);
CREATE INDEX IF NOT EXISTS event_link ON event (link);
CREATE INDEX IF NOT EXISTS page_link ON page (link);
CREATE INDEX IF NOT EXISTS page_final_url ON page (final_url);
CREATE INDEX IF NOT EXISTS link_target ON link (target);
"""


def _execute_each(db: sqlite3.Connection, statements: str) -> None:
    """Execute statements within the open transaction, which ``executescript`` would commit."""
    for statement in filter(str.strip, statements.split(";")):
        db.execute(statement)


def _upgrade_1(db: sqlite3.Connection, picks: Sequence[tuple[Any, ...]]) -> None:
    """Bring the tables of version 1 to version 2, in an open transaction; ``picks`` are the rows of the new table."""
    db.execute("ALTER TABLE event RENAME TO event_1")  # its kinds were limited by a CHECK
    _execute_each(db, _TABLES)
    db.execute("INSERT INTO event SELECT * FROM event_1")
    db.execute("DROP TABLE event_1")
    db.executemany("INSERT INTO pick VALUES (?, ?, ?, ?, ?, ?)", picks)
    db.execute("DROP TABLE snapshot")  # of states that later versions do not restore


def _upgrade_2(db: sqlite3.Connection) -> None:
    """Bring the tables of version 2 to version 3, in an open transaction."""
    _execute_each(db, _TABLES)
    db.execute("ALTER TABLE page ADD COLUMN segments BLOB")
    db.execute("ALTER TABLE page ADD COLUMN sent TEXT")


# ---- a copy of a journal as of one moment, also while another process crawls


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

"""The tables of a journal, and how those of earlier versions are brought to this one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

VERSION = 3
"""Version of the tables. In version 1 every event of the kind ``pick`` was the choice of one link; until version 2 the
segments of a page, in which its words are counted, and the time of its response were not kept, and no crawl took other
weights."""
SEGMENTS_SINCE = 3
"""First version whose pages keep their segments and the time of their response."""
TABLES = """
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


def upgrade_1(db: sqlite3.Connection, picks: Sequence[tuple[Any, ...]]) -> None:
    """Bring the tables of version 1 to version 2, in an open transaction; ``picks`` are the rows of the new table."""
    db.execute("ALTER TABLE event RENAME TO event_1")  # its kinds were limited by a CHECK
    for statement in filter(str.strip, TABLES.split(";")):
        db.execute(statement)
    db.execute("INSERT INTO event SELECT * FROM event_1")
    db.execute("DROP TABLE event_1")
    db.executemany("INSERT INTO pick VALUES (?, ?, ?, ?, ?, ?)", picks)
    db.execute("DROP TABLE snapshot")  # of states that later versions do not restore


def upgrade_2(db: sqlite3.Connection) -> None:
    """Bring the tables of version 2 to version 3, in an open transaction."""
    for statement in filter(str.strip, TABLES.split(";")):
        db.execute(statement)
    db.execute("ALTER TABLE page ADD COLUMN segments BLOB")
    db.execute("ALTER TABLE page ADD COLUMN sent TEXT")

"""The tokens of pages in a journal, and its dictionary of tokens; only where the strategy of the run asks for tokens.

The journal keeps tokens and does not cut the texts again: a later version of the segmenter would cut other words, and
a replay would choose other links. The tables are made when the first page with tokens is written, so that journals of
other runs are as they were.
"""

from __future__ import annotations

import math
import sqlite3
import zlib
from typing import Any

import numpy as np

from crawler.journal.snapshot import pack, unpack
from crawler.model import TokenRows
from crawler.pages.tokens import PageTokens, token

_TABLES = (
    "CREATE TABLE IF NOT EXISTS token (hash INTEGER PRIMARY KEY, word TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS page_token (seq INTEGER PRIMARY KEY, data BLOB NOT NULL)",
)
EXIST = "SELECT 1 FROM sqlite_master WHERE name = 'page_token'"
"""Has a row where the tables exist."""
_PARTS = ("page", "anchors", "urls")
_FAST = 1
"""Level of the compression: the hashes of words compress little, and a crawl waits for it."""


def store(db: sqlite3.Connection, seq: int, tokens: PageTokens) -> None:
    """Write the tokens of a page, and the words that are new to the dictionary, in an open transaction.

    Args:
        db: the database of a journal.
        seq: number of the page's event.
        tokens: its tokens.
    """
    if db.execute(EXIST).fetchone() is None:
        for statement in _TABLES:
            db.execute(statement)
    db.executemany("INSERT OR IGNORE INTO token VALUES (?, ?)", [(token(word), word) for word in tokens.words])
    db.execute("INSERT INTO page_token VALUES (?, ?)", (seq, _packed(tokens)))


def _packed(tokens: PageTokens) -> bytes:
    """Return the tokens of a page, without the words, as compressed bytes."""
    state: dict[str, Any] = {"places": tokens.places}
    for name in _PARTS:
        rows: TokenRows = getattr(tokens, name)
        topical = np.flatnonzero(rows.topic)  # in a crawl by turns over all columns, row by row
        values = {"ids": rows.ids, "indptr": rows.indptr.astype(np.int32), "at": topical.astype(np.int32)}
        state[name] = {**values, "topic": rows.topic.ravel()[topical], "shape": list(rows.topic.shape)}
    return zlib.compress(pack(state), _FAST)


def unpacked(data: bytes) -> PageTokens:
    """Return what ``_packed`` stored."""
    state = unpack(zlib.decompress(data))
    return PageTokens(**{name: _rows(state[name]) for name in _PARTS}, places=state["places"], words=())


def _rows(saved: dict[str, Any]) -> TokenRows:
    shape = saved.get("shape", [len(saved["ids"])])  # journals of 1.0 have one column
    topic = np.zeros(math.prod(shape), dtype=np.float32)
    topic[saved["at"]] = saved["topic"]
    return TokenRows(saved["ids"], saved["indptr"].astype(np.int64), topic.reshape(shape))

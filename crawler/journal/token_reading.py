"""Reading of tokens and their words from a journal, where its run kept them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crawler.journal.journal import Journal
from crawler.journal.token_rows import EXIST, unpacked
from crawler.pages.page import PageRecord


def with_tokens(journal: Journal, seq: int, record: PageRecord) -> PageRecord:
    """Return a page that was read from a journal with its tokens, where the journal has them."""
    if not _has(journal):
        return record
    row = next(journal.query("SELECT data FROM page_token WHERE seq = ?", (seq,)), None)
    return record if row is None else replace(record, tokens=unpacked(row[0]))


def words(journal: Journal, hashes: Iterable[int]) -> dict[int, str]:
    """Return the words of tokens by the journal's dictionary; those that it lacks are left out."""
    if not _has(journal):
        return {}
    query = "SELECT hash, word FROM token WHERE hash = ?"
    return {key: word for wanted in sorted(set(hashes)) for key, word in journal.query(query, (wanted,))}


def _has(journal: Journal) -> bool:
    return next(journal.query(EXIST), None) is not None

"""A run on disk: its events and snapshots, what other runs have read, and the rows that the graph takes."""

from crawler.journal.journal import DamagedJournalError, Event, Journal, JournalError, PageJudgement

__all__ = ["DamagedJournalError", "Event", "Journal", "JournalError", "PageJudgement"]

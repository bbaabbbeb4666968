"""A run on disk: its events and snapshots, the pages of earlier runs, and the rows for the graph."""

from crawler.journal.journal import DamagedJournalError, Event, Journal, JournalError, PageJudgement

__all__ = ["DamagedJournalError", "Event", "Journal", "JournalError", "PageJudgement"]

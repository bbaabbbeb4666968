"""A run on disk: its events and snapshots, the pages of earlier runs, and the rows for the graph."""

from crawler.journal.database import DamagedJournalError, JournalError
from crawler.journal.journal import Event, Journal
from crawler.journal.judged_pages import decisions
from crawler.journal.page_rows import PageJudgement

__all__ = ["DamagedJournalError", "Event", "Journal", "JournalError", "PageJudgement", "decisions"]

"""Pages of earlier runs, with which look-ahead ``cached`` judges a link without a fetch (trap T4)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from crawler.journal import Journal
from crawler.journal.recounts import with_segments
from crawler.pages.page import PageRecord

_PAGES = (
    "SELECT u.url, p.seq FROM page p JOIN event e USING (seq) JOIN url u ON u.id = p.link "
    "WHERE e.kind = 'outcome' AND p.failure IS NULL AND p.seq < coalesce("
    "(SELECT min(seq) FROM event WHERE kind = 'weights'), 9223372036854775807) ORDER BY p.seq"
)


class EarlierPages:
    """The pages of the journals of other runs, by URL. Close it after use.

    Pages that a run counted by other weights than those with which it began are left out.
    """

    def __init__(self, journals: Mapping[str, Path], sizes: Mapping[str, int]) -> None:
        """Open journals and index their pages.

        Args:
            journals: name of a run -> file of its journal.
            sizes: vocabulary -> number of its words; the runs must have counted these vocabularies.

        Raises:
            JournalError: a journal cannot be read.
        """
        self._sizes = sizes
        self._journals = {name: Journal(path) for name, path in journals.items()}
        self._events: dict[str, tuple[str, int]] = {}
        for name, journal in self._journals.items():
            self._events.update({url: (name, seq) for url, seq in journal.query(_PAGES)})

    def __len__(self) -> int:
        """Number of pages."""
        return len(self._events)

    def get(self, url: str) -> tuple[str, PageRecord] | None:
        """Return the last run that read the page of a URL, and the page at that time; None where no run did."""
        event = self._events.get(url)
        if event is None:
            return None
        run, seq = event
        return run, with_segments(self._journals[run], seq, self._journals[run].record(seq, self._sizes))

    def close(self) -> None:
        """Close the journals."""
        for journal in self._journals.values():
            journal.close()

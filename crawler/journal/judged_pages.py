"""The pages of a run with what the judge said of them, and their texts."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from crawler.journal import graph_rows
from crawler.journal.journal import Journal
from crawler.journal.ledger import NOINDEX
from crawler.journal.recounts import with_segments
from crawler.pages.page import PageRecord

_PAGES = """
SELECT p.seq, u.url, p.final_url, p.relevance, p.relevant
FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link
WHERE e.kind = 'outcome' AND p.failure IS NULL AND p.relevant IS NOT NULL ORDER BY p.seq
"""
_FETCHED = """
SELECT u.url, p.final_url, p.relevance, p.relevant FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link
WHERE e.kind = 'outcome' AND p.failure IS NULL AND json_extract(e.data, '$.noindex') IS NULL ORDER BY e.seq
"""
_VERDICTS = """
SELECT p.relevant FROM event e JOIN page p USING (seq)
WHERE e.kind = 'outcome' AND p.failure IS NULL AND e.seq <= ? ORDER BY e.seq
"""


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """A page with the judge's decision.

    Attributes:
        seq: number of its event in the journal.
        url: the URL of the link.
        final_url: its URL after redirects.
        R: its relevance by the judge, in [0, 1].
        accepted: whether the judge takes it as relevant.
    """

    seq: int
    url: str
    final_url: str
    R: float
    accepted: bool


def judged_pages(journal: Journal) -> Iterator[JudgedPage]:
    """Yield the pages in the order in which they were fetched.

    The judge does not decide about pages that are nearly the text of another one, that ask robots not to use their
    text, or that were read before through another link.
    """
    for seq, url, final_url, R, accepted in journal.query(_PAGES):
        yield JudgedPage(seq, url, final_url, R, bool(accepted))


def fetched_pages(journal: Journal) -> Iterator[tuple[str, str, float, bool]]:
    """Yield URL, final URL, R and decision of every page that was fetched and may be used, in the order of fetching.

    A page that the judge did not decide about has an R of 0 if it has none, and is not relevant.
    """
    for url, final_url, R, accepted in journal.query(_FETCHED):
        yield url, final_url, R or 0.0, bool(accepted)


class Totals(NamedTuple):
    """What the events of a run say of the pages that it read, in sum."""

    numbers: Counter[str]
    """``redirects``, ``looked_ahead``, ``known_ahead`` and ``near_duplicates``."""
    partial: Counter[str]
    """Reason code -> number of pages with a body that was kept though it was cut off or announced wrongly."""
    rendered: list[Mapping[str, Any]]
    """What each page says that a browser was asked for."""
    of_class: list[int]
    """The relevant pages of each class that the run crawls for."""


def totals(journal: Journal, sigma: float, classes: int) -> Totals:
    """Add up the events of a run one after the other: those of a million pages take a gigabyte.

    Args:
        journal: the journal of the run.
        sigma: the relevance that a page of a class exceeds.
        classes: number of classes that the run crawls for.
    """
    found = Totals(Counter(), Counter(), [], [0] * classes)
    for event in (event for kind in ("outcome", "look") for event in journal.events_of(kind)):
        data = event.data
        if "run" in data:
            found.numbers["known_ahead"] += 1
        else:
            found.numbers["redirects"] += len(data["hops"])
            found.numbers["looked_ahead"] += event.kind == "look"
        found.numbers["near_duplicates"] += "near_duplicate_of" in data
        if "partial" in data:
            found.partial[data["partial"].partition(":")[0]] += 1
        if "rendered" in data:
            found.rendered.append(data["rendered"])
        for i, R in zip(range(classes), data.get("by_class", ()), strict=False):
            found.of_class[i] += sigma < R
    return found


def decisions(journal: Journal, last: int) -> Iterator[bool]:
    """Yield whether each page fetched up to the event ``last`` is relevant, in order; one without a decision is not."""
    for (relevant,) in journal.query(_VERDICTS, (last,)):
        yield bool(relevant)


def title_and_text(journal: Journal, seq: int) -> tuple[str, str]:
    """Return title and text of a page by the number of its event."""
    ((title, text),) = journal.query("SELECT title, text FROM page WHERE seq = ?", (seq,))
    return title, zlib.decompress(text).decode()


# ---- the last pages of a run, found from the end of its journal, so that a long run costs no more than a short one


KEYS = ("step", "url", "final_url", "title", "relevance", "relevant", "priority", "failure")
"""Keys of a page."""
_NUMBER = "SELECT count(*) FROM event WHERE kind = 'outcome'"
_LAST = """
SELECT u.url, p.final_url, p.title, p.relevance, p.relevant, k.priority,
       CASE WHEN json_extract(e.data, '$.noindex') THEN ? ELSE p.failure END
FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link
JOIN pick k ON k.number = json_extract(e.data, '$.pick')
WHERE e.kind = 'outcome' ORDER BY e.seq DESC LIMIT ?
"""


def last_pages(journal: Journal, number: int) -> list[dict[str, Any]]:
    """Return the last fetches of a run, the latest first.

    Args:
        journal: journal of the run, at one moment.
        number: maximum number of fetches.

    Returns:
        The values of KEYS for each fetch, those of `crawler.journal.graph_rows.outcomes`.
    """
    if journal.get("version") == 1:  # its outcomes do not name their pick
        rows = list(graph_rows.outcomes(journal))[::-1][:number]
        return [{key: getattr(row, key) for key in KEYS} for row in rows]
    ((fetches,),) = journal.query(_NUMBER)
    found = []
    for before, (*row, priority, failure) in enumerate(journal.query(_LAST, (NOINDEX, number))):
        url, final_url, title, R, relevant = row
        is_relevant = None if relevant is None else bool(relevant)
        page = (fetches - before, url, final_url, title, R, is_relevant, priority, failure)
        found.append(dict(zip(KEYS, page, strict=True)))
    return found


# ---- pages of earlier runs, with which look-ahead ``cached`` judges a link without a fetch (trap T4)


_PAGES_OF_EARLIER_RUNS = (
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
            self._events.update({url: (name, seq) for url, seq in journal.query(_PAGES_OF_EARLIER_RUNS)})

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

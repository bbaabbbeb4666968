"""The pages of a run with what the judge said of them, and their texts."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from crawler.journal.journal import Journal

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


def decisions(journal: Journal, last: int) -> Iterator[bool]:
    """Yield whether each page fetched up to the event ``last`` is relevant, in order; one without a decision is not."""
    for (relevant,) in journal.query(_VERDICTS, (last,)):
        yield bool(relevant)


def title_and_text(journal: Journal, seq: int) -> tuple[str, str]:
    """Return title and text of a page by the number of its event."""
    ((title, text),) = journal.query("SELECT title, text FROM page WHERE seq = ?", (seq,))
    return title, zlib.decompress(text).decode()

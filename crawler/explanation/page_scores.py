"""R of pages of a run as it was when each was read, recomputed from the counts in the journal."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from crawler.crawl_options import Setup, needed
from crawler.explanation.page_parts import Decision, RelevanceParts, decision, relevance_parts
from crawler.journal import Journal, recounts
from crawler.journal.page_rows import unpack_counts
from crawler.model import Counts
from crawler.pages.text_figures import text_figures
from crawler.pages.words import WordTotals
from crawler.scoring.relevance import Relevance, reads_text
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher

_COUNTS = """
SELECT p.seq, p.counts, p.length, p.published, p.title, p.text, json_extract(e.data, '$.words')
FROM page p JOIN event e USING (seq)
WHERE e.kind = 'outcome' AND p.failure IS NULL AND p.seq <= ? ORDER BY p.seq
"""
_COUNTED_AGAIN = """
SELECT r.counts, json_extract(e.data, '$.words')
FROM recount r JOIN event e ON e.seq = r.page WHERE r.seq = ? AND e.kind = 'outcome' ORDER BY r.page
"""


@dataclass(frozen=True, slots=True)
class PageParts:
    """R of a page, by the judge and by the guides of the strategy, with the part of each word."""

    judge: RelevanceParts
    decision: Decision
    guides: tuple[RelevanceParts, ...]
    """R by each guide under each vocabulary that the strategy uses."""
    published: str | None
    """Day of publication, YYYY-MM-DD; None where the page has none."""


def page_scores(journal: Journal, setup: Setup, wanted: frozenset[int]) -> dict[int, PageParts]:
    """Compute R of some pages of a run.

    Document frequencies are those right after each page, as the crawl had them.

    Args:
        journal: the journal of the run.
        setup: what determines the run.
        wanted: numbers of the events by which the pages were read.

    Returns:
        Number of the event -> R of its page; events that read no page are left out.
    """
    begun, statistics = setup, Statistics(setup.vocabularies)
    events = recounts.events(journal, max(wanted, default=-1))
    scores: dict[int, PageParts] = {}
    for seq, packed, length, published, title, text, total in journal.query(_COUNTS, (max(wanted, default=-1),)):
        while events and events[0].seq < seq:
            event = events.pop(0)
            setup = begun.under(event.weights)
            statistics = recounted_statistics(journal, event.seq, setup)
        counts = unpack_counts(packed, setup.sizes)
        words = _words(total)
        statistics.add(counts, words.words if words else 0)
        if seq in wanted:
            page = _Page(counts, length, published, words, title, zlib.decompress(text).decode())
            scores[seq] = _parts(setup, page, statistics)
    return scores


def recounted_statistics(journal: Journal, weights: int, setup: Setup) -> Statistics:
    """Return the document frequencies right after an event of new weights, given by its number."""
    statistics = Statistics(setup.vocabularies)
    for packed, total in journal.query(_COUNTED_AGAIN, (weights,)):
        words = _words(total)
        statistics.add(unpack_counts(packed, setup.sizes), words.words if words else 0)
    return statistics


def _words(total: str | None) -> WordTotals | None:
    return None if total is None else WordTotals(*json.loads(total))


@dataclass(frozen=True, slots=True)
class _Page:
    counts: Mapping[str, Counts]
    length: int
    published: str | None
    words: WordTotals | None
    title: str
    text: str


def _parts(setup: Setup, page: _Page, statistics: Statistics) -> PageParts:
    matcher = Matcher(tuple(setup.vocabularies.values()))

    def parts(function: Relevance, name: str) -> RelevanceParts:
        read = reads_text(function)
        text = text_figures(matcher, name, page.words, page.title, page.text) if read else None
        return relevance_parts(function, setup.vocabularies[name], page.counts[name], statistics, page.length, text)

    judge = parts(setup.judge.relevance, "TK")
    guides = tuple(parts(guide, name) for guide in _guides(setup) for name in needed(setup))
    return PageParts(judge, decision(setup.judge, judge.R), guides, page.published)


def _guides(setup: Setup) -> Iterator[Relevance]:
    yield from (setup.guides or {"": setup.guide}).values()


def guide_relevance(parts: PageParts) -> Mapping[str, float]:
    """Return R of a page by guide and vocabulary, as ``VOCABULARY@FUNCTION``."""
    return {f"{guide.vocabulary}@{guide.function}": guide.R for guide in parts.guides}

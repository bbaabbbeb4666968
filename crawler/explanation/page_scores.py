"""R of pages of a run as it was when each was read, recomputed from the counts in the journal."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from crawler.crawl_options import Judge, Setup, needed
from crawler.journal import Journal, recounts
from crawler.journal.page_rows import unpack_counts
from crawler.model import SLOTS, Counts, Floats, Ids, ParsedPage, TextFigures
from crawler.pages.page import PageRecord
from crawler.pages.text_figures import text_figures
from crawler.pages.words import WordTotals
from crawler.scoring.relevance import Relevance, reads_frequencies, reads_text
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary

# ---- the parts of the relevance of a page: its topic words, where they occur, and what each contributes to R


@dataclass(frozen=True, slots=True)
class WordPart:
    """A topic word that occurs in a page."""

    word: str
    iri: str
    """The class of an ontology that the word stands for; empty for a plain word."""
    weight: float
    count: int
    slots: Mapping[str, int]
    """Position in the page (crawler.model.SLOTS) -> number of occurrences."""
    contribution: float
    """Share of R; the contributions of all words add up to R."""


@dataclass(frozen=True, slots=True)
class RelevanceParts:
    """R of a page by one relevance function under one vocabulary, and its words, greatest contribution first."""

    function: str
    title: str
    vocabulary: str
    R: float
    words: tuple[WordPart, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The judge's decision about a page: R over TK against the threshold sigma."""

    R: float
    sigma: float
    strict: bool
    """Whether R must be greater than sigma; else it may be equal."""
    relevant: bool


def _contributions(parts: Floats, R: float) -> Floats:
    """Divide R among the words of a page, in proportion to their parts of the sum that R is a function of.

    Args:
        parts: part of each word, as `Relevance.parts` returns it, shape (n,).
        R: relevance of the page.

    Returns:
        Shape (n,), of sum R; zeros where the parts have no positive sum, as R is 0 there.

    >>> _contributions(np.array([3.0, 0.0, 1.0]), 0.8).round(3).tolist()
    [0.6, 0.0, 0.2]
    """
    total = float(parts.sum())
    shares: Floats = parts * (R / total) if total > 0.0 else np.zeros(len(parts))
    return shares


def relevance_parts(
    function: Relevance,
    vocabulary: Vocabulary,
    counts: Counts,
    statistics: Statistics,
    length: int,
    text: TextFigures | None = None,
) -> RelevanceParts:
    """Compute R of a page and the parts of it.

    Args:
        function: the relevance function.
        vocabulary: the topic vector.
        counts: counts of its words by slot, shape (len(SLOTS), n).
        statistics: document frequencies, those of the page included.
        length: length of the page's text in characters.
        text: further figures of the text, for functions that read them.
    """
    w = vocabulary.weights
    R = function.page(counts, w, statistics, vocabulary.name, length, text)
    shares = _contributions(function.parts(counts, w, statistics, vocabulary.name), R)
    total = counts.sum(axis=0)
    order = _greatest_first(shares, np.flatnonzero(total))
    words = tuple(
        WordPart(
            word=vocabulary.words[i].label,
            iri=vocabulary.words[i].iri,
            weight=float(w[i]),
            count=int(total[i]),
            slots={SLOTS[slot]: int(counts[slot, i]) for slot in np.flatnonzero(counts[:, i]).tolist()},
            contribution=float(shares[i]),
        )
        for i in order
    )
    return RelevanceParts(function.name, function.title, vocabulary.name, R, words)


def _greatest_first(shares: Floats, words: Ids) -> list[int]:
    """Return words by their shares, equal ones in the order of the vocabulary."""
    return words[np.lexsort((words, -shares[words]))].tolist()  # type: ignore[no-any-return]


def decision(judge: Judge, R: float) -> Decision:
    """Return the judge's decision about a page of relevance R."""
    return Decision(R, judge.threshold, judge.strict, judge.verdict(R))


# ---- R of pages of a run as it was when each was read, recomputed from the counts in the journal


_COUNTS = """
SELECT p.seq, p.counts, p.length, p.published, p.title, p.text, json_extract(e.data, '$.words')
FROM page p JOIN event e USING (seq)
WHERE e.kind = 'outcome' AND p.failure IS NULL AND p.seq > ? AND p.seq <= ? ORDER BY p.seq
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

    Document frequencies are those right after each page, as the crawl had them; they are counted from the newest ones
    before it that the journal keeps.

    Args:
        journal: the journal of the run.
        setup: what determines the run.
        wanted: numbers of the events by which the pages were read.

    Returns:
        Number of the event -> R of its page; events that read no page are left out.
    """
    begun, statistics, at = setup, Statistics(setup.vocabularies), 0
    events = recounts.events(journal, max(wanted, default=-1))
    scores: dict[int, PageParts] = {}
    for page in sorted(wanted):
        kept = recounts.kept_statistics(journal, page - 1)
        if kept is not None and kept[0] > at:
            at, state = kept
            while events and events[0].seq < at:
                setup = begun.under(events.pop(0).weights)
            statistics = Statistics(setup.vocabularies)
            statistics.restore(state)
        for seq, packed, length, published, title, text, total in journal.query(_COUNTS, (at, page)):
            while events and events[0].seq < seq:
                event = events.pop(0)
                setup = begun.under(event.weights)
                statistics = _recounted_statistics(journal, event.seq, setup)
            counts, words = unpack_counts(packed, setup.sizes), _words(total)
            statistics.add(counts, words.words if words else 0)
            if seq == page:
                read = ParsedPage(title, (), zlib.decompress(text).decode(), (), published)
                record = PageRecord("", page=read, length=length, counts=counts, words=words)
                scores[page] = _parts(setup, record, statistics)
        at = page
    return scores


def _recounted_statistics(journal: Journal, weights: int, setup: Setup) -> Statistics:
    """Return the document frequencies right after an event of new weights, given by its number."""
    statistics = Statistics(setup.vocabularies)
    for packed, total in journal.query(_COUNTED_AGAIN, (weights,)):
        words = _words(total)
        statistics.add(unpack_counts(packed, setup.sizes), words.words if words else 0)
    return statistics


def _words(total: str | None) -> WordTotals | None:
    return None if total is None else WordTotals(*json.loads(total))


def _parts(setup: Setup, record: PageRecord, statistics: Statistics) -> PageParts:
    def parts(function: Relevance, name: str) -> RelevanceParts:
        read = reads_text(function)
        text = text_figures(setup.matcher, name, record.words, record.page.title, record.page.text) if read else None
        return relevance_parts(function, setup.vocabularies[name], record.counts[name], statistics, record.length, text)

    judge = parts(setup.judge.relevance, "TK")
    guides = tuple(parts(guide, name) for guide in _guides(setup) for name in needed(setup))
    return PageParts(judge, decision(setup.judge, judge.R), guides, record.page.published)


def _guides(setup: Setup) -> Iterator[Relevance]:
    yield from (setup.guides or {"": setup.guide}).values()


def guide_relevance(parts: PageParts) -> Mapping[str, float]:
    """Return R of a page by guide and vocabulary, as ``VOCABULARY@FUNCTION``."""
    return {f"{guide.vocabulary}@{guide.function}": guide.R for guide in parts.guides}


# ---- the words that said most for each of the last pages, read from the end of the journal


_LAST = """
SELECT CASE WHEN p.failure IS NULL AND json_extract(e.data, '$.noindex') IS NULL THEN p.counts END
FROM event e JOIN page p USING (seq) WHERE e.kind = 'outcome' ORDER BY e.seq DESC LIMIT ?
"""
_ALL = "SELECT p.counts FROM event e JOIN page p USING (seq) WHERE e.kind = 'outcome' AND p.failure IS NULL"


def last_words(
    journal: Journal, function: Relevance, vocabulary: Vocabulary, number: int, most: int
) -> list[tuple[str, ...]]:
    """Return the words that contribute most to R of the last fetches of a run.

    Args:
        journal: journal of the run, at one moment.
        function: the relevance function.
        vocabulary: the topic vector.
        number: maximum number of fetches.
        most: maximum number of words of each.

    Returns:
        The words of each fetch, the latest fetch first, the greatest contribution first; none for one that brought no
        page. Words that count for more where fewer pages have them are weighted by all pages of the run.
    """
    sizes, statistics = {vocabulary.name: len(vocabulary)}, Statistics({vocabulary.name: vocabulary})
    for (packed,) in journal.query(_ALL) if reads_frequencies(function) else ():
        statistics.add(unpack_counts(packed, sizes))
    found = []
    for (packed,) in journal.query(_LAST, (number,)):
        counts = {} if packed is None else unpack_counts(packed, sizes)
        words = list[int]()
        if counts:
            parts = function.parts(counts[vocabulary.name], vocabulary.weights, statistics, vocabulary.name)
            words = _greatest_first(parts, np.flatnonzero(parts > 0))[:most]
        found.append(tuple(vocabulary.words[at].label for at in words))
    return found

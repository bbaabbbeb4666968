"""The events of a journal by which a crawl took other weights, and the counts of earlier pages by their words."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from crawler.journal.journal import SEGMENTS_SINCE, Journal
from crawler.journal.page_rows import unpack_counts
from crawler.model import Counts
from crawler.pages.page import PageRecord, unpacked_segments
from crawler.scoring.statistics import Statistics
from crawler.weights import Weights, of_json

_PAGES = """
SELECT e.seq, e.kind, e.link FROM event e JOIN page p USING (seq)
WHERE e.seq < ? AND (e.kind = 'look' OR e.kind = 'outcome' AND p.failure IS NULL) ORDER BY e.seq
"""
_COUNTED = "SELECT seq FROM page WHERE seq < ? AND failure IS NULL ORDER BY seq"
_KEPT = (
    "SELECT title, text, segments, coalesce((SELECT counts FROM recount r WHERE r.seq = ? AND r.page = p.seq), counts)"
)


@dataclass(frozen=True)
class WeightsEvent:
    """An event by which a crawl took other weights."""

    seq: int
    number: int
    """Number of the weights in the run, from 1; 0 are those with which it began."""
    weights: Weights
    data: Mapping[str, Any]
    """The data of the event: also ``at``, ``fetched``, ``queued``, ``recounted``, ``estimated``, and ``changed``."""


def events(journal: Journal, before: int | None = None) -> list[WeightsEvent]:
    """Return the weights that a crawl took, in order.

    Args:
        journal: the journal of a run.
        before: number of an event, before which they were taken; None for all.
    """
    found = [event for event in journal.events_of("weights") if before is None or event.seq < before]
    return [WeightsEvent(event.seq, n, of_json(event.data), event.data) for n, event in enumerate(found, start=1)]


@dataclass(frozen=True)
class KeptPage:
    """What a journal keeps of a page for counting words in it."""

    seq: int
    title: str
    text: str
    segments: tuple[tuple[str, str], ...] | None
    """The segments that were counted; None in journals of earlier versions, and where the page forbids to keep them."""
    counts: Mapping[str, Counts]
    """The newest counts."""


def kept_pages(journal: Journal, before: int, last: int, sizes: Mapping[str, int]) -> Iterator[KeptPage]:
    """Yield the pages whose words were counted, in order.

    Args:
        journal: the journal of a run.
        before: number of an event that comes after them.
        last: number of the last event by which they were counted again; 0 for none.
        sizes: vocabulary -> number of its words; those of the newest counts.
    """
    query = _KEPT + " FROM page p WHERE seq = ?"
    for (seq,) in [*journal.query(_COUNTED, (before,))]:
        ((title, text, segments, counts),) = journal.query(query, (last, seq))
        kept = None if segments is None else unpacked_segments(segments)
        yield KeptPage(seq, title, zlib.decompress(text).decode(), kept, unpack_counts(counts, sizes))


def with_segments(journal: Journal, seq: int, record: PageRecord) -> PageRecord:
    """Return a page that was read from a journal with its segments, where these are kept."""
    if journal.get("version") < SEGMENTS_SINCE:
        return record
    ((segments,),) = journal.query("SELECT segments FROM page WHERE seq = ?", (seq,))
    if segments is None:
        return record
    return replace(record, page=replace(record.page, segments=unpacked_segments(segments)))


def counted_pages(journal: Journal, before: int) -> int:
    """Return the number of pages that ``kept_pages`` yields."""
    return sum(1 for _ in journal.query(_COUNTED, (before,)))


def read_again(journal: Journal, weights: int, sizes: Mapping[str, int]) -> Iterator[tuple[str, int, PageRecord]]:
    """Yield (kind of the event, link, page) of the pages before an event of new weights, with the counts by these.

    Args:
        journal: the journal of a run.
        weights: number of the event.
        sizes: vocabulary of the weights -> number of its words.
    """
    for seq, kind, link in [*journal.query(_PAGES, (weights,))]:
        yield kind, link, journal.record(seq, sizes, weights)


STATISTICS = "statistics/"
"""Begins the keys under which a journal keeps the document frequencies right after an event, with its number."""
_KEPT_EVERY = 100


def keep_statistics(journal: Journal, seq: int, statistics: Statistics) -> None:
    """Keep the document frequencies of every 100th page, so that those of a page are counted from there.

    Args:
        journal: the journal of a run; it becomes durable with the page.
        seq: number of the event of the page that was added last.
        statistics: the document frequencies with it.
    """
    if statistics.N % _KEPT_EVERY == 0:
        state = statistics.state()
        state["containing"] = {name: N_i.tolist() for name, N_i in state["containing"].items()}
        journal.set(f"{STATISTICS}{seq:012}", state, commits=False)


def kept_statistics(journal: Journal, last: int) -> tuple[int, dict[str, Any]] | None:
    """Return the newest document frequencies up to an event and the number of theirs; None where none are kept."""
    rows = journal.query(
        "SELECT key, value FROM run WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1",
        (STATISTICS, f"{STATISTICS}{last:012}"),
    )
    return next(((int(key.rpartition("/")[2]), json.loads(state)) for key, state in rows), None)


def latest(journal: Journal) -> int:
    """Return the number of the last event by which the crawl took other weights; 0 for none."""
    ((seq,),) = journal.query("SELECT coalesce(max(seq), 0) FROM event WHERE kind = 'weights'")
    return int(seq)


_SUMMARIES = """
SELECT seq, json_extract(data, '$.digest'), json_extract(data, '$.ontologies'), json_extract(data, '$.at'),
       json_extract(data, '$.fetched'), json_extract(data, '$.queued'),
       coalesce(json_array_length(data, '$.changed.admitted'), 0), json_extract(data, '$.recounted'),
       json_extract(data, '$.estimated')
FROM event WHERE kind = 'weights' ORDER BY seq
"""


@dataclass(frozen=True, slots=True)
class WeightsTaken:
    """New weights that a run took, without their words."""

    event: int
    digest: str
    ontologies: Mapping[str, str]
    """Topic vector -> key of its ontology."""
    at: str
    """Time, ISO 8601."""
    fetched: int
    """Pages that had been fetched."""
    queued: int
    """Links that were scored anew."""
    admitted: int
    """Links that the strategy had rejected, and admitted then."""
    recounted: int
    """Pages in which the new words were counted."""
    estimated: int
    """Those of them of which the journal has only the title and the main text."""


def taken(journal: Journal) -> tuple[WeightsTaken, ...]:
    """Return the weights that a run took after it had begun, in order."""
    return tuple(
        WeightsTaken(seq, digest, {name: about["key"] for name, about in json.loads(ontologies).items()}, *numbers)
        for seq, digest, ontologies, *numbers in journal.query(_SUMMARIES)
    )

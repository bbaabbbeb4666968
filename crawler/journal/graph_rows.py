"""Rows of a journal for the graph, reports and enrichment. The journal stays the only source of truth."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from crawler import url as urls
from crawler.journal import visits
from crawler.journal.journal import SEGMENTS_SINCE, Journal
from crawler.journal.ledger import NOINDEX, QUEUED, fates
from crawler.journal.page_rows import kinds_of
from crawler.journal.recounts import latest
from crawler.journal.visits import PageHistory
from crawler.text import Vocabulary
from kg.records import SNIPPET, KnownRow, LinkRow, Mention, OutcomeRow
from ontology.enrichment import PageText

_OUTCOMES = """
SELECT json_extract(e.data, '$.pick'), u.url, p.status, p.failure, p.final_url, p.title, p.published, p.content_hash,
       p.relevance, p.relevant, p.text, {counts}, e.link, json_extract(e.data, '$.noindex'), first.url,
       json_extract(e.data, '$.partial'), json_extract(e.data, '$.document.page_starts'),
       json_extract(e.data, '$.document.kind'), {sent}
FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link
LEFT JOIN url first ON first.id = json_extract(e.data, '$.near_duplicate_of')
WHERE e.kind = 'outcome' ORDER BY e.seq
"""
_COUNTED_AGAIN = "coalesce((SELECT counts FROM recount r WHERE r.seq = {weights} AND r.page = p.seq), p.counts)"
_LINKS = """
SELECT s.url, t.url, l.anchor, l.relevance, l.position, json_extract(e.data, '$.ways')
FROM link l JOIN page p USING (seq) JOIN event e USING (seq)
JOIN url s ON s.id = l.page JOIN url t ON t.id = l.target
WHERE e.kind = 'outcome' AND p.failure IS NULL AND l.relevance IS NOT NULL ORDER BY l.seq, l.position
"""
_LINK_COUNT = """
SELECT count(*) FROM (
SELECT DISTINCT l.page, l.target FROM link l JOIN page p USING (seq) JOIN event e USING (seq)
JOIN url t ON t.id = l.target
WHERE e.kind = 'outcome' AND p.failure IS NULL AND l.relevance IS NOT NULL)
"""
_PAGES = """
SELECT u.url, p.title, p.text, p.relevance, p.relevant, {sent}, json_extract(e.data, '$.document.page_starts')
FROM page p JOIN event e USING (seq)
JOIN url u ON u.id = p.link WHERE e.kind = 'outcome' AND p.failure IS NULL AND json_extract(e.data, '$.noindex') IS NULL
AND (? OR json_extract(e.data, '$.near_duplicate_of') IS NULL) ORDER BY p.seq
"""
_NEWEST = """
SELECT status, title, published, text, {counts} FROM page p WHERE p.seq = ?
"""
_TRIED = "SELECT DISTINCT link FROM event WHERE kind = 'outcome'"


@dataclass(frozen=True)
class RowCounts:
    """Numbers of relationships that a whole projection of a journal has written."""

    pages: int
    links: int
    known: int


def row_counts(journal: Journal) -> RowCounts:
    """Count the pages of `outcomes`, the different links of `links`, and the pages of `known`."""
    tried = {link for (link,) in journal.query(_TRIED)}
    ((links,),) = journal.query(_LINK_COUNT)
    new = {url for url, page in _histories(journal).items() if page.link < 0}
    known = sum(link not in tried and url not in new for link, url, _ in fates(journal))
    return RowCounts(len(tried) + len(new), links, known)


def outcomes(
    journal: Journal, concepts: Vocabulary | None = None, labels: Collection[str] | None = None
) -> Iterator[OutcomeRow]:
    """Yield a row for every fetch, in order, and one for every page that visits after the crawl found.

    A page whose content is another one since has the text and the mentions of its newest content; all else is what the
    crawl fetched.

    Args:
        journal: journal of a run.
        concepts: vocabulary whose counts become mentions, of the weights that the run took last; None for no mentions.
        labels: URLs that are relevant by label; None where labels are not known.
    """
    picks = {pick.number: pick for pick in journal.picks()}
    of_link = {pick.link: pick for pick in picks.values()}  # outcomes of version 1 do not name their pick
    last = latest(journal)
    counts_of = _COUNTED_AGAIN.format(weights=last) if last else "p.counts"
    known = _histories(journal)
    started, step = (journal.get("config") or {}).get("started"), 0  # a crawl without a run has no time
    sent = "p.sent" if journal.get("version") >= SEGMENTS_SINCE else "NULL"
    for step, row in enumerate(journal.query(_OUTCOMES.format(counts=counts_of, sent=sent)), start=1):
        number, url, status, failure, final_url, title, published, content_hash, R, relevant, *row_end = row
        text, counts, link, noindex, near_duplicate_of, partial, starts, document, at = row_end
        first_seen = None if failure else at or started
        failure = NOINDEX if noindex else failure
        main_text = zlib.decompress(text).decode()
        pick = of_link[link] if number is None else picks[number]
        outcome = OutcomeRow(
            step=step,
            url=url,
            host=urls.host(url),
            status=status,
            final_url=final_url,
            title=title,
            published=published,
            content_hash=content_hash,
            snippet=main_text[:SNIPPET],
            relevance=R,
            relevant=None if relevant is None else bool(relevant),
            label=None if labels is None or failure else url in labels or final_url in labels,
            priority=pick.priority,
            failure=failure,
            evidence=json.dumps(pick.move, ensure_ascii=False, sort_keys=True),
            mentions=() if noindex else _mentions(counts, concepts),
            text="" if failure else main_text,
            near_duplicate_of=near_duplicate_of,
            partial=partial,
            kind=None if document is None else "document",
            page_starts=_starts(starts),
            first_seen=first_seen,
            last_seen=first_seen,
        )
        has_history = first_seen is not None and url in known
        yield _as_seen(journal, outcome, known[url], concepts, counts_of) if has_history else outcome
    new = (page for page in known.values() if page.link < 0)
    for number, page in enumerate(new, start=step + 1):
        yield _found_later(journal, page, number, concepts, counts_of)


def _histories(journal: Journal) -> Mapping[str, PageHistory]:
    """Return the histories of the pages of a run that were visited again; nothing for a run without visits."""
    return visits.histories(journal) if visits.last_revisit(journal) else {}


def _as_seen(
    journal: Journal, row: OutcomeRow, page: PageHistory, concepts: Vocabulary | None, counts_of: str
) -> OutcomeRow:
    """Return the row of a page with what visits showed, and with text and mentions of its newest content."""
    row = replace(row, last_seen=page.last_seen, changed=page.changed, gone=page.gone)
    if not page.is_newer or row.failure:
        return row
    if page.is_withheld:
        return replace(row, failure=NOINDEX, title="", snippet="", text="", mentions=(), page_starts=())
    ((*_, text, counts),) = journal.query(_NEWEST.format(counts=counts_of), (page.seq,))
    return replace(row, text=zlib.decompress(text).decode(), mentions=_mentions(counts, concepts), page_starts=())


def _found_later(
    journal: Journal, page: PageHistory, step: int, concepts: Vocabulary | None, counts_of: str
) -> OutcomeRow:
    """Return the row of a page that a visit found, by its newest content."""
    ((status, title, published, text, counts),) = journal.query(_NEWEST.format(counts=counts_of), (page.seq,))
    main_text, noindex = zlib.decompress(text).decode(), page.is_withheld
    return OutcomeRow(
        step, page.url, urls.host(page.url), status, page.final_url, title, published, page.content_hash,
        main_text[:SNIPPET], page.relevance, None if noindex else page.relevant, None, None,
        NOINDEX if noindex else None, json.dumps({"found_on": page.found_on}, ensure_ascii=False),
        () if noindex else _mentions(counts, concepts), main_text, first_seen=page.first_seen, last_seen=page.last_seen,
        changed=page.changed, gone=page.gone, found_at_revisit=page.found_at_revisit,
    )  # fmt: skip


def links(journal: Journal) -> Iterator[LinkRow]:
    """Yield a row for every pair of a fetched page and a known URL it links to, in the order of discovery."""
    for source, target, anchor, relevance, position, ways in journal.query(_LINKS):
        kind = None if ways is None else _kinds(ways).get(position)
        yield LinkRow(source, target, urls.host(target), anchor, relevance, kind)


@lru_cache(maxsize=1)
def _kinds(ways: str) -> Mapping[int, str]:
    return kinds_of(json.loads(ways))


def known(journal: Journal) -> Iterator[KnownRow]:
    """Yield a row for every known URL that was not fetched: its priority in the last snapshot, and why it was left."""
    saved = journal.latest_snapshot()
    priority: Mapping[int, float] = {}
    if saved is not None:
        priorities = saved[2]["crawl"]["frontier"]["priority"].tolist()
        priority = {link: value for link, value in enumerate(priorities) if value > -math.inf}
    tried = {link for (link,) in journal.query(_TRIED)}
    for link, url, fate in fates(journal):
        if link not in tried:
            yield KnownRow(url, urls.host(url), priority.get(link) if fate == QUEUED else None, fate)


def pages(journal: Journal, *, copies: bool = False) -> Iterator[PageText]:
    """Yield the main text of the fetched pages that robots may use, in the order of fetching.

    A page that visits after the crawl found changed has its newest content, and is left out if that asks robots not to
    use it; pages that they found, and copies that became pages of their own, come last.

    Args:
        journal: journal of a run.
        copies: whether to yield near-duplicates of earlier pages too.
    """
    sent = "p.sent" if journal.get("version") >= SEGMENTS_SINCE else "NULL"
    known = _histories(journal)
    newer = {url: page for url, page in known.items() if page.is_newer}
    for url, title, text, R, relevant, fetched, starts in journal.query(_PAGES.format(sent=sent), (copies,)):
        if url in newer:
            page = newer.pop(url)
            if not page.is_withheld:
                yield _newest(journal, page)
        else:
            main_text = zlib.decompress(text).decode()
            yield PageText(url, title, main_text, R, bool(relevant), fetched or "", _starts(starts))
    for page in newer.values():
        if not page.is_withheld:
            yield _newest(journal, page)


def _newest(journal: Journal, page: PageHistory) -> PageText:
    """Return the newest content of a page, which a visit saw."""
    ((_, title, _, text, _),) = journal.query(_NEWEST.format(counts="NULL"), (page.seq,))
    at = page.changed or page.first_seen
    return PageText(page.url, title, zlib.decompress(text).decode(), page.relevance or 0.0, page.relevant, at, ())


def _starts(written: str | None) -> tuple[int, ...]:
    """Return where the pages of a document begin, from the data of its event."""
    return () if written is None else tuple(json.loads(written))


def _mentions(counts: bytes, concepts: Vocabulary | None) -> tuple[Mention, ...]:
    if concepts is None:
        return ()
    total: dict[int, int] = {}
    entries: Mapping[str, list[list[Any]]] = json.loads(zlib.decompress(counts))
    for _, word, count in entries.get(concepts.name, []):
        total[word] = total.get(word, 0) + count
    return tuple(
        Mention(concepts.words[word].iri, count, concepts.words[word].weight) for word, count in sorted(total.items())
    )

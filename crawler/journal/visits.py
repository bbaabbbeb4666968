"""Visits of the pages of a run after its crawl, and what they show of each page: first seen, last seen, changed, gone.

Each visit is an event of the kind ``visit``, which a replay of the crawl passes over. Its page is kept where the
content is new. The visits of one pass over the pages, a revisit, have its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from crawler.journal.journal import SEGMENTS_SINCE, Journal

CHANGED, UNCHANGED, GONE, NEW, FAILED = "changed", "unchanged", "gone", "new", "failed"
CHANGES = (CHANGED, UNCHANGED, GONE, NEW, FAILED)
"""What a visit finds: another content, the same one, no page any more, a page that the crawl did not know, no reply."""
_REVISIT = "revisit"
"""Key of the last revisit."""
RUNNING = "revisiting"
"""Key of whether a process visits the pages of the run."""
_OUTCOMES = """
SELECT p.seq, e.link, u.url, {sent}, p.final_url, p.content_hash, p.relevance, p.relevant,
       json_extract(e.data, '$.validators')
FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link
WHERE e.kind = 'outcome' AND p.failure IS NULL ORDER BY e.seq
"""
_VISITS = """
SELECT e.seq, e.link, e.data, p.relevance, p.relevant FROM event e LEFT JOIN page p USING (seq)
WHERE e.kind = 'visit' ORDER BY e.seq
"""
_LINKS = """
SELECT l.url, json_extract(e.data, '$.url') FROM event e JOIN page p USING (seq) JOIN link l USING (seq)
WHERE e.kind = 'visit' AND (json_extract(e.data, '$.change') = 'changed' OR p.relevant = 1) ORDER BY l.seq, l.position
"""
_COUNTS = """
SELECT json_extract(data, '$.change'), json_extract(data, '$.found_on') IS NOT NULL, json_extract(data, '$.failure'),
       count(*)
FROM event WHERE kind = 'visit' AND json_extract(data, '$.revisit') = ? GROUP BY 1, 2, 3 ORDER BY 4 DESC, 3
"""
_LEADS = """
SELECT l.page, count(DISTINCT l.target) FROM link l
WHERE l.target IN (SELECT link FROM page WHERE relevant = 1) GROUP BY l.page
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit, as its event says it."""

    url: str
    at: str
    """Time, ISO 8601 in UTC."""
    revisit: int
    """Number of the revisit."""
    change: str
    """One of CHANGES."""
    final_url: str
    status: int | None = None
    failure: str | None = None
    detail: str = ""
    content_hash: str | None = None
    """Of a page whose content came."""
    validators: Mapping[str, str] = field(default_factory=dict)
    found_on: str | None = None
    """The page with the link to a new one."""

    def as_json(self) -> dict[str, Any]:
        """Return the data of the event, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "", {})}


@dataclass(slots=True)
class PageHistory:
    """What the crawl and the visits after it show of a page. Times are ISO 8601 in UTC."""

    url: str
    link: int
    """Its id; -1 for a page that the crawl did not know."""
    seq: int
    """Event with its newest content."""
    first_seen: str
    last_seen: str
    """When it was there last."""
    final_url: str
    content_hash: str | None
    validators: Mapping[str, str]
    relevance: float | None
    relevant: bool
    found_on: str | None = None
    """The page with the link by which a visit found it; None for a page of the crawl."""
    changed: str | None = None
    """When the last change was seen."""
    gone: str | None = None
    """When it was gone first; None for one that is there."""
    found_at_revisit: int | None = None
    """Number of the revisit that found it; None for a page of the crawl."""
    revisit: int = 0
    """Number of the last revisit with a visit of it, 0 for none."""
    leads_to: int = 0
    """Number of relevant pages to which it leads."""
    seen: list[tuple[str, bool]] = field(default_factory=list)
    """Time of each visit that showed whether it had changed since the one before, and whether it had."""

    @property
    def is_newer(self) -> bool:
        """Whether a visit saw another content than the crawl."""
        return self.changed is not None or self.link < 0

    @property
    def is_withheld(self) -> bool:
        """Whether its newest content asks robots not to use it (noindex)."""
        return self.is_newer and self.content_hash is None

    def add(self, seq: int, visit: Visit, relevance: float | None, relevant: bool | None) -> None:
        """Add a visit.

        Args:
            seq: number of its event.
            visit: the visit.
            relevance: R of the page whose content came; None where none came.
            relevant: the judge's decision about it.
        """
        self.revisit = visit.revisit
        if visit.change == FAILED:
            return
        was_gone = self.gone is not None
        if visit.change == GONE:
            self.gone = self.gone or visit.at
        else:
            self.gone, self.last_seen, self.final_url = None, visit.at, visit.final_url
        if visit.change != NEW:
            self.seen.append((visit.at, visit.change == CHANGED or (visit.change == GONE and not was_gone)))
        if visit.change == CHANGED:
            self.changed = visit.at
        if visit.failure is None:
            self.validators = visit.validators
            if visit.change != UNCHANGED:
                self.seq, self.content_hash = seq, visit.content_hash
                self.relevance, self.relevant = relevance, bool(relevant)


def found_by(visit: Visit, seq: int) -> PageHistory:
    """Return the history of a page that a visit found, without that visit; ``seq`` is the number of its event."""
    return PageHistory(
        visit.url, -1, seq, visit.at, visit.at, visit.final_url, None, {}, None, relevant=False,
        found_on=visit.found_on, found_at_revisit=visit.revisit,
    )  # fmt: skip


def visits(journal: Journal) -> Iterator[tuple[int, Visit, float | None, bool | None]]:
    """Yield the visits in order: number of the event, visit, R and decision of a page whose content was new."""
    for seq, _, data, R, relevant in journal.query(_VISITS):
        yield seq, Visit(**json.loads(data)), R, None if relevant is None else bool(relevant)


def histories(journal: Journal) -> dict[str, PageHistory]:
    """Return URL -> history of all pages that the crawl fetched, and of those that visits found."""
    started = (journal.get("config") or {}).get("started", "")
    sent = "p.sent" if journal.get("version") >= SEGMENTS_SINCE else "NULL"
    found: dict[str, PageHistory] = {}
    for seq, link, url, at, final_url, digest, R, relevant, validators in journal.query(_OUTCOMES.format(sent=sent)):
        known = {} if validators is None else json.loads(validators)
        seen = at or started
        found[url] = PageHistory(url, link, seq, seen, seen, final_url, digest, known, R, bool(relevant))
    for seq, visit, R, relevant in visits(journal):
        if visit.change == NEW and visit.url not in found:  # else a resumed crawl has fetched it since
            found[visit.url] = found_by(visit, seq)
        if visit.url in found:
            found[visit.url].add(seq, visit, R, relevant)
    return found


def count_leads(journal: Journal, known: Mapping[str, PageHistory]) -> None:
    """Count the relevant pages to which each page leads, for ``leads_to``.

    Args:
        journal: journal of a run.
        known: its ``histories``.
    """
    by_link = {page.link: page for page in known.values()}
    for link, count in journal.query(_LEADS):
        if link in by_link:
            by_link[link].leads_to = count
    for page in known.values():
        if page.relevant and page.found_on is not None and page.found_on in known:
            known[page.found_on].leads_to += 1


def links_seen(journal: Journal) -> Iterator[tuple[str, str]]:
    """Yield (target, page) of the links that visits saw on changed pages and on new relevant ones, in order."""
    yield from journal.query(_LINKS)


def tried_in_vain(journal: Journal, revisit: int) -> set[str]:
    """Return URLs that are not to be tried in a revisit: it did, or their server said that they have no page (4xx)."""
    return {
        visit.url for _, visit, _, _ in visits(journal)
        if visit.change == FAILED and (visit.revisit == revisit or (visit.status or 0) // 100 == 4)
    }  # fmt: skip


def made_in(journal: Journal, revisit: int) -> tuple[int, int]:
    """Return the numbers of visits of a revisit: of pages that were known, and of new links."""
    made = [0, 0]
    for _, is_new, _, count in journal.query(_COUNTS, (revisit,)):
        made[is_new] += count
    return made[0], made[1]


def last_revisit(journal: Journal) -> Mapping[str, Any] | None:
    """Return what is kept of the last revisit, which `begin` wrote; None where there is none."""
    found: Mapping[str, Any] | None = journal.get(_REVISIT)
    return found


def begin(journal: Journal, at: str, policy: str) -> int:
    """Begin a revisit, unless the last one has not ended, and return its number."""
    last = last_revisit(journal) or {"number": 0, "ended": True}
    if last["ended"]:
        last = {"number": last["number"] + 1, "at": at, "policy": policy, "ended": False}
        journal.set(_REVISIT, last)
    return int(last["number"])


def end(journal: Journal) -> None:
    """Note that the last revisit has ended."""
    journal.set(_REVISIT, {**(last_revisit(journal) or {}), "ended": True})


def summary(journal: Journal) -> dict[str, Any] | None:
    """Return what the last revisit found, for `crawl status`; None for a run without one.

    Args:
        journal: journal of a run.

    Returns:
        ``revisits``, their number; ``at`` and ``policy`` of the last one; ``state``, finished or unfinished; the number
        of its visits by what they found, the keys of CHANGES; ``failures``, those of known pages that failed or are
        gone by reason; ``links_failed``, the visits of new links that found no page, by reason.
    """
    last = last_revisit(journal)
    if last is None:
        return None
    counts = dict.fromkeys(CHANGES, 0)
    failures, links_failed = dict[str, int](), dict[str, int]()
    for change, is_new, failure, count in journal.query(_COUNTS, (last["number"],)):
        if change == FAILED and is_new:
            links_failed[failure] = count
            continue
        counts[change] += count
        if change in (FAILED, GONE):
            failures[failure] = failures.get(failure, 0) + count
    state = "finished" if last["ended"] else "unfinished"
    return {"revisits": last["number"], "at": last["at"], "policy": last["policy"], "state": state, **counts,
            "failures": failures, "links_failed": links_failed}  # fmt: skip

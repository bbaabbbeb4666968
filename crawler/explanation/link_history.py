"""What the journal of a run knows of one link: its tries, the pages that link to it, and its path from a seed."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from crawler.journal import Journal, taught_pages
from crawler.journal.page_rows import kinds_of
from crawler.pages.ways import ANCHOR

_PARENTS = """
SELECT l.seq, l.page, u.url, p.title, l.anchor, l.block, l.reason, l.relevance, p.relevance, p.relevant, l.position,
       json_extract(e.data, '$.ways')
FROM link l JOIN page p USING (seq) JOIN event e USING (seq) JOIN url u ON u.id = l.page
WHERE l.target = ? AND e.kind = 'outcome' ORDER BY l.seq
"""
_ADMITTED = """
SELECT seq, page, anchor FROM link WHERE target = ? AND seq < ? AND reason = 'admitted' ORDER BY seq DESC LIMIT 1
"""
_FOUND = """
SELECT seq, page, anchor FROM link WHERE target = ? AND seq < ? AND reason IS NOT NULL ORDER BY seq LIMIT 1
"""
_QUEUED = "SELECT seq FROM link WHERE target = ? AND seq < ? AND reason IN ('admitted', 'queued')"
_REDIRECTED = """
SELECT p.seq, p.link, '' FROM page p JOIN event e USING (seq)
WHERE e.kind = 'outcome' AND p.final_url = ? AND p.link != ? AND p.seq < ? ORDER BY p.seq LIMIT 1
"""
_ASKED_BY = """
SELECT CASE WHEN json_extract(data, '$.probes') = :url THEN 'probe' ELSE 'canonical' END, seq, link, '' FROM event
WHERE kind = 'outcome' AND seq < :before
AND (instr(data, '"counts_as"') OR instr(data, '"asks"') OR instr(data, '"probes"'))
AND :url IN (json_extract(data, '$.counts_as'), json_extract(data, '$.asks'), json_extract(data, '$.probes'))
ORDER BY seq LIMIT 1
"""
_PAGE = """
SELECT u.url, p.title, p.relevance, p.relevant FROM url u
LEFT JOIN page p ON p.link = u.id AND p.failure IS NULL AND (SELECT kind FROM event e WHERE e.seq = p.seq) = 'outcome'
WHERE u.id = ?
"""
_OUTCOMES = "SELECT seq, data FROM event WHERE kind = 'outcome' AND link = ?"


@dataclass(frozen=True, slots=True)
class _LinkedPage:
    """A page and a link of its neighbourhood."""

    url: str
    title: str
    anchor: str
    """Anchor of the link."""
    relevance: float | None
    """R of the page by the judge; None for a page that was not read."""
    relevant: bool | None


@dataclass(frozen=True, slots=True)
class PathStep(_LinkedPage):
    """A page on the way from a seed to a link, or the link itself as the last one; the anchor is that of the way."""

    how: str
    """"seed", "asked" (by a person, --like or --unlike), or how the step before led to it: "link", "redirect",
    "canonical" (it declares the URL), "probe" (the crawl asked its host for a page that does not exist)."""


@dataclass(frozen=True, slots=True)
class Parent(_LinkedPage):
    """A page with the link."""

    seq: int
    """Number of the event by which the page was read."""
    block: int
    reason: str
    """Reason code of the link when the page was read; empty for a link of the page to itself."""
    anchor_relevance: float | None
    """R of the anchor under TK at that time."""
    kind: str = ANCHOR
    """How the page leads there (`crawler.pages.ways.KINDS`); a frame shows it as a part of itself."""


@dataclass(frozen=True, slots=True)
class Try:
    """A choice of the link by the strategy, and what came of it."""

    number: int
    """Number of the pick in the run, from 1."""
    choice: int
    """Number of the event of the choice."""
    tag: int
    priority: float
    move: Mapping[str, Any]
    outcome: int | None = None
    """Number of the event of the outcome; None in flight."""
    status: int | None = None
    failure: str | None = None
    detail: str = ""
    final_url: str = ""
    hops: tuple[str, ...] = ()
    """URLs that redirected, in order."""
    retried: tuple[str, ...] = ()
    """Reason of each request that was made again."""
    canonical: str | None = None
    """Canonical URL that the page declares, where it is another one."""
    counts_as: str | None = None
    """The same, where the page counts as that URL."""
    near_duplicate_of: str | None = None
    """URL of the first page with nearly the same text."""
    partial: str = ""
    """What was wrong with the body, which was kept all the same."""


def tries(journal: Journal, link: int) -> tuple[Try, ...]:
    """Return the choices of a link with their outcomes, in order."""
    outcomes = [(seq, json.loads(data)) for seq, data in journal.query(_OUTCOMES, (link,))]
    result = []
    for pick in journal.picks(link):
        chosen = Try(pick.number, pick.seq, pick.tag, pick.priority, pick.move)
        # Version 1 had one pick in flight, and did not number them.
        after = (item for item in outcomes if item[0] > pick.seq and item[1].get("pick", pick.number) == pick.number)
        outcome = next(after, None)
        result.append(chosen if outcome is None else _with_outcome(chosen, journal, *outcome))
    return tuple(result)


def _with_outcome(chosen: Try, journal: Journal, seq: int, data: Mapping[str, Any]) -> Try:
    ((status, failure, final_url),) = journal.query("SELECT status, failure, final_url FROM page WHERE seq = ?", (seq,))
    like = data.get("near_duplicate_of")
    return replace(
        chosen,
        outcome=seq,
        status=status,
        failure=failure,
        detail=data["detail"],
        final_url=final_url,
        hops=tuple(data["hops"]),
        retried=tuple(data.get("retried", ())),
        canonical=data.get("canonical"),
        counts_as=data.get("counts_as"),
        near_duplicate_of=None if like is None else journal.urls_of([like])[0],
        partial=data.get("partial", ""),
    )


def parents(journal: Journal, link: int) -> tuple[Parent, ...]:
    """Return the read pages with a link, in the order in which they were read."""
    return tuple(
        Parent(
            url, title, anchor, R, None if relevant is None else bool(relevant), seq, block, reason or "", R_anchor,
            kinds_of(json.loads(ways or "{}")).get(position, ANCHOR),
        )
        for seq, _, url, title, anchor, block, reason, R_anchor, R, relevant, position, ways in journal.query(
            _PARENTS, (link,)
        )
    )  # fmt: skip


def was_queued(journal: Journal, link: int, at: int) -> bool:
    """Return whether a link was in the queue before an event, given by its number: admitted, and not chosen since."""
    admitted = max((seq for (seq,) in journal.query(_QUEUED, (link, at))), default=-1)
    for event in (*journal.events_of("weights"), *journal.events_of("taught")):
        if event.seq < at and link in event.data.get("changed", {}).get("admitted", ()):
            admitted = max(admitted, event.seq)
    chosen = max((pick.seq for pick in journal.picks(link) if pick.seq < at), default=-1)
    return admitted > chosen


def path(journal: Journal, link: int, seeds: Collection[str], before: int) -> tuple[PathStep, ...]:
    """Return the way from a seed to a link.

    Each step is the page by which the strategy admitted the next link to its queue; for a link that it never admitted,
    the page where the link was found first.

    Args:
        journal: the journal of a run.
        link: id of the link.
        seeds: URLs of the seeds.
        before: number of an event; later ones do not count.
    """
    steps: list[PathStep] = []
    asked = {page.link for page in taught_pages.verdicts(journal) if page.asked}
    while True:
        url, title, R, relevant = next(journal.query(_PAGE, (link,)))
        origin = None if url in seeds else _origin(journal, link, url, before)
        start = "seed" if url in seeds else "asked" if link in asked else "unknown"
        how, anchor = (start, "") if origin is None else (origin[0], origin[3])
        steps.append(PathStep(url, title or "", anchor, R, None if relevant is None else bool(relevant), how))
        if origin is None:
            return tuple(reversed(steps))
        _, before, link, _ = origin


def _origin(journal: Journal, link: int, url: str, before: int) -> tuple[str, int, int, str] | None:
    """Return (how, event, page, anchor) of the page by which a link came into the run; None where there is none."""
    redirected = next(journal.query(_REDIRECTED, (url, link, before)), None)
    by_link = next(journal.query(_ADMITTED, (link, before)), None) or next(journal.query(_FOUND, (link, before)), None)
    if by_link is not None and (redirected is None or by_link[0] < redirected[0]):
        return ("link", *by_link)
    if redirected is not None:
        return ("redirect", *redirected)
    found: tuple[str, int, int, str] | None = next(journal.query(_ASKED_BY, {"url": url, "before": before}), None)
    return found

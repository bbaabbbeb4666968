"""What became of every known link of a run: fetched, queued, in flight, or the reason why it is none of these."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from crawler.fetching.retries import LEFT_ALONE
from crawler.journal import taught_pages
from crawler.journal.journal import Journal

FETCHED, QUEUED, IN_FLIGHT = "fetched", "queued", "in_flight"
READ_BY_REDIRECT = "read_by_redirect"
"""Reason of a link whose page was read through another link that redirects to it."""
READ_BY_CANONICAL = "read_by_canonical"
"""Reason of a link that a page declares as its canonical URL, and as which it counts (crawler.read_pages)."""
NOINDEX = "noindex"
"""Reason of a page that was fetched, and asks robots not to use its text."""
# Where one link is asked for, each statement also has the condition that follows it.
_KNOWN = "SELECT id, url FROM url WHERE true", " AND id = :link"
_OUTCOMES = (
    (
        "SELECT p.link, coalesce(p.failure, CASE WHEN json_extract(e.data, '$.noindex') THEN 'noindex' END), p.seq "
        "FROM page p JOIN event e USING (seq) WHERE e.kind = 'outcome'"
    ),
    " AND p.link = :link",
)
_FAILURES = (
    "SELECT p.link, p.failure, p.seq FROM page p JOIN event e USING (seq) "
    "WHERE e.kind = 'outcome' AND p.failure IS NOT NULL"
)
_DECLARED = (
    (
        "SELECT DISTINCT json_extract(data, '$.counts_as') FROM event "
        "WHERE kind = 'outcome' AND instr(data, '\"counts_as\"')"
    ),
    " AND json_extract(data, '$.counts_as') = :url",
)
_ENDS = (
    (
        "SELECT DISTINCT p.final_url FROM page p JOIN event e USING (seq) JOIN url u ON u.id = p.link "
        "WHERE e.kind = 'outcome' AND (p.failure IS NULL OR p.failure = 'duplicate_redirect') AND p.final_url <> u.url"
    ),
    " AND p.final_url = :url",
)
# SQLite takes the reason from the row of the maximum.
_REASONS = (
    "SELECT target, reason, max(seq) FROM link WHERE target IS NOT NULL AND reason IS NOT NULL",
    " AND target = :link",
)
_WITHOUT_OUTCOME = " AND target NOT IN (SELECT p.link FROM page p JOIN event e USING (seq) WHERE e.kind = 'outcome')"
"""For all links at once: the reasons of the others are not asked for, and are most of them."""
_CHANGED = (
    "SELECT seq, data FROM event WHERE kind IN ('choice', 'outcome', 'weights', 'taught') "
    "AND instr(data, '\"changed\"') ORDER BY seq"
)
_WAITING = frozenset({None, "admitted", "queued"})
"""Last reason code of links that are in the queue if nothing happened to them; None for seeds."""


@dataclass(frozen=True)
class Ledger:
    """Counts of all known links."""

    known: int
    fetched: int
    queued: int
    in_flight: int
    reasons: Mapping[str, int]
    """Reason code -> number of links; with the three counts above, these add up to ``known``."""


def fates(journal: Journal, url: str | None = None) -> Iterator[tuple[int, str, str]]:
    """Yield (id, URL, fate) of every known link, or of one URL: fetched, queued, in_flight or a reason code.

    Args:
        journal: the journal of a run.
        url: a canonical URL; nothing is yielded where the run does not know it.
    """
    given: dict[str, Any] = {}
    if url is not None:
        links = [link for (link,) in journal.query("SELECT id FROM url WHERE url = ?", (url,))]
        if not links:
            return
        given = {"url": url, "link": links[0]}

    def rows(statement: tuple[str, str], end: str = "") -> Iterator[tuple[Any, ...]]:
        every, of_one = statement
        return journal.query(f"{every}{of_one if given else ''}{end}", given)

    ((last,),) = journal.query("SELECT coalesce(max(id), 0) FROM url")
    ended, picked = array("q", [-1]) * (last + 1), array("q", [-1]) * (last + 1)  # number of an event, by link
    codes: dict[str | None, int] = {"": 0, None: 1}  # code -> its number: "" without an outcome, None for a page
    outcome = array("H", [0]) * (last + 1)  # number of the code of the last outcome, by link
    for target, failure, seq in rows(_OUTCOMES, " ORDER BY p.seq"):
        ended[target], outcome[target] = seq, codes.setdefault(failure, len(codes))
    failures = list(codes)
    for pick in journal.picks(given.get("link")):
        picked[pick.link] = pick.seq
    if url is not None and -1 < ended[link := given["link"]] > picked[link] and failures[outcome[link]] is None:
        yield link, url, FETCHED  # the rest is found by reading all events
        return
    again = _queued_again(journal)
    waiting = "" if given else _WITHOUT_OUTCOME
    reason = _last_reasons(journal, rows(_REASONS, f"{waiting} GROUP BY target"))
    ends = {end for (end,) in rows(_ENDS)}
    declared = {page for (page,) in rows(_DECLARED)}
    for target, address in rows(_KNOWN, " ORDER BY id"):
        failure = failures[outcome[target]]
        if picked[target] > ended[target]:
            yield target, address, IN_FLIGHT
        elif failure is None:
            yield target, address, FETCHED
        elif address in ends and not (failure and failure != "duplicate_redirect"):
            yield target, address, failure or READ_BY_REDIRECT
        elif address in declared and not failure:
            yield target, address, READ_BY_CANONICAL
        elif again.get(target, -1) > ended[target]:
            yield target, address, QUEUED
        else:
            code = reason.get(target)
            yield target, address, failure or (QUEUED if code in _WAITING else str(code))


def _queued_again(journal: Journal) -> dict[int, int]:
    """Return link -> the last event that queued it without a page that contains it: a retry, or a person's wish."""
    again = {link: event.seq for event in journal.events_of("retry") for link in event.data["links"]}
    for event in journal.events_of(taught_pages.KIND):
        changed = event.data.get("changed", {})
        again |= {link: max(event.seq, again.get(link, -1)) for link in changed.get("admitted", ())}
        for link in changed.get(taught_pages.FORGOTTEN, ()):
            again.pop(link, None)
    return again


def _last_reasons(journal: Journal, on_pages: Iterable[tuple[Any, ...]]) -> dict[int, str]:
    """Return link -> its last reason code: from a page that contains it, or from another event that changed it."""
    last = {target: (seq, code) for target, code, seq in on_pages}
    for seq, data in journal.query(_CHANGED):
        for code, links in json.loads(data).get("changed", {}).items():
            last |= {link: (seq, code) for link in links if last.get(link, (0, ""))[0] <= seq}
    return {link: code for link, (_, code) in last.items()}


def failures(journal: Journal) -> dict[tuple[int, str], int]:
    """Return (link, reason) -> how often a fetch of a link failed, without hosts that were left alone for a while.

    A link whose host was left alone, and that was queued again since, has not failed: nothing was requested.
    """
    found = Counter[tuple[int, str]]()
    again = _queued_again(journal)
    for link, failure, seq in journal.query(_FAILURES):
        if failure not in LEFT_ALONE or again.get(link, -1) < seq:
            found[link, failure] += 1
    return found


def ledger(journal: Journal) -> Ledger:
    """Count the fates of the known links of a run."""
    counts = Counter(fate for _, _, fate in fates(journal))
    known = counts.total()
    fetched, queued, in_flight = (counts.pop(fate, 0) for fate in (FETCHED, QUEUED, IN_FLIGHT))
    return Ledger(known, fetched, queued, in_flight, dict(sorted(counts.items())))

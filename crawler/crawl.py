"""The loop: choose, fetch, journal, absorb, as a generator of steps that the caller owns and may leave at any time.

One link is in flight at a time, which is the papers' sequential meaning. Resuming replays the journal: every choice is
made again and compared with what was journalled, so a resumed crawl has the trace of an uninterrupted one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from crawler.fetch import Fetcher
from crawler.journal import Event, Journal, JournalError, Verdict
from crawler.model import Ids, Outcome
from crawler.page import PageRecord, read_page
from crawler.seen_before import SeenBefore
from crawler.state import Absorbed, CrawlState, Setup

NETWORK_FAILURES = frozenset({"timeout", "refused", "dns", "unreachable", "connection_reset", "tls"})
"""Reasons that say nothing about the page itself; many in a row mean that the network is down."""
FEW_FAILURES = 5
"""So many network failures at the end of a frontier are a network that is down, not a crawl that is finished."""


@dataclass(frozen=True)
class Limits:
    """When to stop. 0 stands for no limit."""

    pages: int = 0
    seconds: float = 0.0
    failures_in_a_row: int = 25
    """Network failures without an answer between them."""


@dataclass(frozen=True)
class Step:
    """One fetch, after the strategy was told of it."""

    number: int
    url: str
    record: PageRecord
    outcome: Outcome
    fetched: int
    relevant: int
    queued: int


class Crawl:
    """A run that can be iterated once. ``stop_reason`` is set when the iteration ends by itself."""

    def __init__(
        self,
        setup: Setup,
        fetcher: Fetcher,
        journal: Journal,
        limits: Limits,
        *,
        snapshot_every: int = 250,
        clock: Callable[[], float] = time.monotonic,
        seen_before: SeenBefore | None = None,
    ) -> None:
        """``seen_before`` has the pages that look-ahead ``cached`` knows of."""
        self.state = CrawlState(setup)
        self.fetcher = fetcher
        self.journal = journal
        self.limits = limits
        self.stop_reason: str | None = None
        self._snapshot_every = snapshot_every
        self._seen_before = seen_before
        self._replaying = False
        self._clock = clock
        self._seq = 0
        self._steps = 0
        self._lost: list[int] = []
        self._pending: tuple[int, int] | None = None
        self._looked: dict[int, PageRecord] = {}

    def begin(self, config: Mapping[str, Any]) -> None:
        """Start a new run: its configuration and its seeds are journalled."""
        self.state.plant_seeds()
        self.journal.begin(config, self.state.urls.since(0))

    def resume(self) -> None:
        """Take up a journalled run exactly where its last event left it."""
        ahead = self.state.setup.target != "predict"  # pages seen ahead are not in the snapshot: replay them all
        saved = None if ahead else self.journal.latest_snapshot()
        if saved is None:
            self.state.plant_seeds()
        else:
            self._seq, known, state = saved
            self._restore(state, known)
        self._replaying = True
        self._replay(list(self.journal.events(self._seq)))
        self._replaying = False
        if self.journal.get("stop_reason") == "repeated_failure" and self._lost:
            self._retry()

    def steps(self) -> Iterator[Step]:
        """Fetch page after page until a limit, an empty frontier or the strategy ends the crawl."""
        started = self._clock()
        self.journal.set("stop_reason", None)
        while (reason := self._stop(self._clock() - started)) is None:
            if self._pending is None:
                self._pending = self._choose()
                if self._pending is None:
                    reason = "strategy_finished"
                    break
            yield self._fetch(*self._pending)
        self.stop_reason = reason
        if self._pending is None:
            self._save()
        self.journal.set("stop_reason", reason)

    def _restore(self, saved: Mapping[str, Any], known: int) -> None:
        try:
            self.state.restore(saved["crawl"], self.journal.urls(known), self.journal.links_until(self._seq))
        except (KeyError, ValueError) as error:
            raise JournalError(self._other(f"its snapshot does not fit ({error})")) from error
        self._steps, self._lost = saved["steps"], list(saved["lost"])

    def _other(self, what: str) -> str:
        return (
            f"{self.journal.path}: {what}; the run was made by another version or its configuration changed: "
            "start a new run"
        )

    # ---- one step -----------------------------------------------------------------------------------------------

    def _stop(self, elapsed: float) -> str | None:
        limits = self.limits
        if limits.pages and self.state.fetched >= limits.pages:
            return "limit_pages"
        if limits.seconds and elapsed >= limits.seconds:
            return "limit_time"
        if limits.failures_in_a_row and len(self._lost) >= limits.failures_in_a_row:
            return "repeated_failure"
        if self._pending is not None or len(self.state.frontier):
            return None
        return "repeated_failure" if len(self._lost) >= FEW_FAILURES else "frontier_empty"

    def _choose(self) -> tuple[int, int] | None:
        limit = self.limits.pages
        picks, priorities = self.state.choose(limit)
        if not len(picks):
            return None
        link, tag = int(picks.link[0]), picks.tag[0] if picks.tag else -1
        move = dict(picks.move[0]) if picks.move else {}
        self._seq += 1
        data = {"tag": tag, "move": move, "priority": priorities[0], "limit": limit, "rng": self._rng()}
        self.journal.pick(self._seq, link, data)
        return link, tag

    def _fetch(self, link: int, tag: int) -> Step:
        record = self.state.seen_ahead.pop(link, None)
        if record is None:
            record = self._read(link)
        known = len(self.state.urls)
        absorbed = self.state.absorb(link, tag, record, self.limits.pages, self._look_or_none())
        if absorbed.outcome.failure is not None:
            record = replace(record, failure=absorbed.outcome.failure)
        self._seq += 1
        new = (known, self.state.urls.since(known))
        self.journal.outcome(self._seq, link, record, self._verdict(record, absorbed), new)
        self._pending = None
        self._count(link, record)
        if self._steps % self._snapshot_every == 0:
            self._save()
        url = self.state.urls.url(link)
        return Step(
            self._steps,
            url,
            record,
            absorbed.outcome,
            self.state.fetched,
            self.state.relevant,
            len(self.state.frontier),
        )

    def _read(self, link: int) -> PageRecord:
        state = self.state
        return read_page(self.fetcher, state.matcher, state.urls.url(link), state.extras)

    def _look_or_none(self) -> Callable[[Ids], None] | None:
        return self._look if self.state.setup.target != "predict" else None

    def _look(self, links: Ids) -> None:
        """See the targets of offered links before they are judged (trap T4): all, or those that another run has read.

        What is seen is journalled, so that a replay sees the same, whatever became of the other runs.
        """
        for link in links.tolist():
            if self.state.knows_target(link):
                continue
            record = self._looked.pop(link, None)
            if record is None and not self._replaying:
                record = self._see(link)
            if record is not None:
                self.state.look_ahead(link, record)

    def _see(self, link: int) -> PageRecord | None:
        if self.state.setup.target == "oracle":
            run, record = None, self._read(link)
        else:
            found = self._seen_before.get(self.state.urls.url(link)) if self._seen_before is not None else None
            if found is None:
                return None
            run, record = found
        self._seq += 1
        self.journal.look(self._seq, link, record, run)
        return record

    def _count(self, link: int, record: PageRecord) -> None:
        """Count a fetch, and keep the links that were lost since the network last answered."""
        self._steps += 1
        if record.failure in NETWORK_FAILURES:
            self._lost.append(link)
        elif record.failure is None or record.status is not None:
            self._lost = []

    def _verdict(self, record: PageRecord, absorbed: Absorbed) -> Verdict:
        score = absorbed.outcome.page_score
        ids = {link.url: self.state.urls.id(link.url) for link in record.links}
        reasons = dict(absorbed.reasons)
        return Verdict(
            None if score is None else score.judged,
            None if score is None else score.relevant,
            {url: i for url, i in ids.items() if i is not None and i in reasons},
            reasons,
            absorbed.anchor_relevance,
        )

    def _rng(self) -> Mapping[str, Any]:
        return dict(self.state.rng.bit_generator.state)

    def _save(self) -> None:
        state = {"crawl": self.state.state(), "steps": self._steps, "lost": self._lost}
        self.journal.snapshot(self._seq, len(self.state.urls), state)

    def _retry(self) -> None:
        """Queue the links again that failed while the network was down, as an event of its own."""
        data = {"links": self._lost, "priorities": self.journal.priorities(self._lost)}
        self._seq += 1
        self.journal.retry(self._seq, data)
        self._requeue(data)

    def _requeue(self, data: Mapping[str, Any]) -> None:
        self.state.requeue(data["links"], data["priorities"])
        self._lost = []

    # ---- replay -------------------------------------------------------------------------------------------------

    def _replay(self, events: list[Event]) -> None:
        shapes = {name: len(v.words) for name, v in self.state.setup.vocabularies.items()}
        limit = self.limits.pages
        for event in events:
            self._seq = event.seq
            if event.kind == "pick":
                limit = event.data["limit"]
                self._pending = self._repeat(event)
                continue
            if event.kind == "retry":
                self._requeue(event.data)
                continue
            record = self.journal.record(event.seq, shapes)
            if event.kind == "look":
                self._looked[event.link] = record
                continue
            tag = self._pending[1] if self._pending else -1
            self.state.seen_ahead.pop(event.link, None)
            self.state.absorb(event.link, tag, record, limit, self._look_or_none())
            self._pending = None
            self._count(event.link, record)

    def _repeat(self, event: Event) -> tuple[int, int]:
        """Make a journalled choice again; a different one means that the journal is of another version."""
        picks, _ = self.state.choose(event.data["limit"])
        if picks.link.tolist() != [event.link] or self._rng() != event.data["rng"]:
            url = self.state.urls.url(event.link)
            raise JournalError(self._other(f"event {event.seq} chose {url}, and replaying it chooses differently"))
        return event.link, int(event.data["tag"])

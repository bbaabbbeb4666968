"""A crawl: the loop of crawler.protocol with fetches and a journal, as a generator that can be closed at any time.

One link is in flight at a time, as in the papers. Resuming replays the journal: every choice is made again and compared
with the journalled one, so a resumed crawl has the trace of an uninterrupted one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawler.fetching.fetch import Fetcher
from crawler.journal import Event, Journal, JournalError, PageJudgement
from crawler.journal.earlier_runs import EarlierPages
from crawler.model import Ids, Outcome
from crawler.pages.page import PageRecord, read_page
from crawler.protocol import CrawlLoop, Pick
from crawler.state import Absorbed, CrawlState, Setup

NETWORK_FAILURES = frozenset({"timeout", "refused", "dns", "unreachable", "connection_reset", "tls"})
"""Failure reasons that do not concern the page itself; many in a row mean that the network is down."""
FEW_FAILURES = 5
"""Network failures in a row from which an empty frontier means that the network is down, not that the crawl is done."""


@dataclass(frozen=True)
class Limits:
    """Limits of a crawl; 0 for no limit."""

    pages: int = 0
    seconds: float = 0.0
    failures_in_a_row: int = 25
    """Network failures without a response in between."""


@dataclass(frozen=True)
class Step:
    """One fetch, after the strategy received its outcome."""

    number: int
    url: str
    record: PageRecord
    outcome: Outcome
    fetched: int
    relevant: int
    queued: int


class Crawl(CrawlLoop[PageRecord, Step]):
    """A run, to be iterated once by ``steps``. ``stop_reason`` is set when the iteration ends by itself."""

    def __init__(
        self,
        setup: Setup,
        fetcher: Fetcher,
        journal: Journal,
        limits: Limits,
        *,
        snapshot_every: int = 250,
        clock: Callable[[], float] = time.monotonic,
        earlier_pages: EarlierPages | None = None,
    ) -> None:
        """Prepare a crawl, to ``begin`` or to ``resume``.

        Args:
            setup: everything that determines the crawl besides its world.
            fetcher: source of pages.
            journal: record of the run; the caller closes it.
            limits: limits of pages, time and failures.
            snapshot_every: number of fetches between two snapshots of the state.
            clock: function that returns seconds, for the time limit.
            earlier_pages: pages for look-ahead ``cached``.

        Raises:
            SetupError: the topic lacks a vocabulary that the strategy needs.
        """
        self.state = CrawlState(setup)
        super().__init__(self.state.scheduler, limits.pages)
        self.fetcher = fetcher
        self.journal = journal
        self.limits = limits
        self._snapshot_every = snapshot_every
        self._earlier_pages = earlier_pages
        self._replaying = False
        self._clock = clock
        self._started = clock()
        self._seq = 0
        self._steps = 0
        self._lost: list[int] = []
        self._looked: dict[int, PageRecord] = {}

    def begin(self, config: Mapping[str, Any]) -> None:
        """Start a new run: journal its configuration and its seeds."""
        self.state.plant_seeds()
        self.journal.begin(config, self.state.urls.since(0))

    def resume(self) -> None:
        """Continue a journalled run after its last event.

        Raises:
            JournalError: the journal does not fit the configuration or this version.
        """
        ahead = self.state.setup.target != "predict"  # pages seen ahead are not in the snapshot: replay them all
        saved = None if ahead else self.journal.latest_snapshot()
        if saved is None:
            self.state.plant_seeds()
        else:
            self._seq, known_urls, state = saved
            self._restore(state, known_urls)
        self._replaying = True
        self._replay(list(self.journal.events(self._seq)))
        self._replaying = False
        if self.journal.get("stop_reason") == "repeated_failure" and self._lost:
            self._retry()

    def steps(self) -> Iterator[Step]:
        """Yield the fetches of the crawl until a limit, an empty frontier or the strategy ends it."""
        self._started = self._clock()
        self.journal.set("stop_reason", None)
        while (step := self.step()) is not None:
            yield step
        self._save()
        self.journal.set("stop_reason", self.stop_reason)

    def _restore(self, saved: Mapping[str, Any], known_urls: int) -> None:
        try:
            self.state.restore(saved["crawl"], self.journal.urls(known_urls), self.journal.links_until(self._seq))
        except (KeyError, ValueError) as error:
            raise JournalError(self._mismatch(f"its snapshot does not fit ({error})")) from error
        self._steps, self._lost = saved["steps"], list(saved["lost"])

    def _mismatch(self, what: str) -> str:
        return (
            f"{self.journal.path}: {what}; the run was made by another version or its configuration changed: "
            "start a new run"
        )

    # ---- one step -----------------------------------------------------------------------------------------------

    def _end(self) -> str | None:
        limits = self.limits
        if limits.pages and self.scheduler.fetched >= limits.pages:
            return "limit_pages"
        if limits.seconds and self._clock() - self._started >= limits.seconds:
            return "limit_time"
        if limits.failures_in_a_row and len(self._lost) >= limits.failures_in_a_row:
            return "repeated_failure"
        if self.scheduler.in_flight or len(self.scheduler.frontier):
            return None
        return "repeated_failure" if len(self._lost) >= FEW_FAILURES else "frontier_empty"

    def _issue(self, picks: Sequence[Pick]) -> None:
        for pick in picks:
            self._seq += 1
            move, limit = dict(pick.move), self.scheduler.limit
            data = {"tag": pick.tag, "move": move, "priority": pick.priority, "limit": limit, "rng": self._rng()}
            self.journal.pick(self._seq, pick.link, data)

    def _wait(self) -> tuple[Pick, PageRecord]:
        pick = next(iter(self.scheduler.in_flight.values()))
        record = self.state.seen_ahead.pop(pick.link, None)
        return pick, self._read(pick.link) if record is None else record

    def _absorb(self, pick: Pick, page: PageRecord) -> Step:
        state, link = self.state, pick.link
        first_new = len(state.urls)
        absorbed = state.absorb(pick, page, self._look_or_none())
        if absorbed.outcome.failure is not None:
            page = replace(page, failure=absorbed.outcome.failure)
        self._seq += 1
        self.journal.outcome(
            self._seq, link, page, self._judgement(page, absorbed), (first_new, state.urls.since(first_new))
        )
        self._count(link, page)
        if self._steps % self._snapshot_every == 0:
            self._save()
        fetched, queued = self.scheduler.fetched, len(self.scheduler.frontier)
        return Step(self._steps, state.urls.url(link), page, absorbed.outcome, fetched, state.relevant, queued)

    def _read(self, link: int) -> PageRecord:
        state = self.state
        return read_page(self.fetcher, state.matcher, state.urls.url(link), state.extras)

    def _look_or_none(self) -> Callable[[Ids], None] | None:
        return self._look if self.state.setup.target != "predict" else None

    def _look(self, links: Ids) -> None:
        """Read the pages of offered links before the links are judged (trap T4): all, or those that another run read.

        These pages are journalled, so that a replay sees the same ones even if the other runs have changed.
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
            earlier = self._earlier_pages.get(self.state.urls.url(link)) if self._earlier_pages is not None else None
            if earlier is None:
                return None
            run, record = earlier
        self._seq += 1
        self.journal.look(self._seq, link, record, run)
        return record

    def _count(self, link: int, record: PageRecord) -> None:
        """Count a fetch, and collect the links that failed since the last response."""
        self._steps += 1
        if record.failure in NETWORK_FAILURES:
            self._lost.append(link)
        elif record.failure is None or record.status is not None:
            self._lost = []

    def _judgement(self, record: PageRecord, absorbed: Absorbed) -> PageJudgement:
        score, reasons = absorbed.outcome.page_score, absorbed.reasons
        ids = {link.url: self.state.urls.id(link.url) for link in record.links}
        return PageJudgement(
            None if score is None else score.judged,
            None if score is None else score.relevant,
            {url: i for url, i in ids.items() if i is not None and i in reasons},
            reasons,
            absorbed.anchor_relevance,
        )

    def _rng(self) -> Mapping[str, Any]:
        return dict(self.scheduler.rng.bit_generator.state)

    def _save(self) -> None:
        state = {"crawl": self.state.state(), "steps": self._steps, "lost": self._lost}
        self.journal.snapshot(self._seq, len(self.state.urls), state)

    def _retry(self) -> None:
        """Queue the links again that failed while the network was down, and journal that as an event."""
        data = {"links": self._lost, "priorities": self.journal.priorities(self._lost)}
        self._seq += 1
        self.journal.retry(self._seq, data)
        self._requeue(data)

    def _requeue(self, data: Mapping[str, Any]) -> None:
        self.scheduler.requeue(data["links"], data["priorities"])
        self._lost = []

    # ---- replay -------------------------------------------------------------------------------------------------

    def _replay(self, events: list[Event]) -> None:
        sizes = {name: len(v.words) for name, v in self.state.setup.vocabularies.items()}
        for event in events:
            self._seq = event.seq
            if event.kind == "pick":
                self._repeat(event)
            elif event.kind == "retry":
                self._requeue(event.data)
            elif event.kind == "look":
                self._looked[event.link] = self.journal.record(event.seq, sizes)
            else:
                pick, record = self.scheduler.in_flight.get(event.link), self.journal.record(event.seq, sizes)
                if pick is None:
                    raise JournalError(self._mismatch(f"event {event.seq} is the page of a link that was not chosen"))
                self.state.seen_ahead.pop(event.link, None)
                self.state.absorb(pick, record, self._look_or_none())
                self._count(event.link, record)

    def _repeat(self, event: Event) -> None:
        """Make a journalled choice again. Raises JournalError for a different one, as after a change of version."""
        picks = self.scheduler.choose(1, event.data["limit"])
        if [pick.link for pick in picks] != [event.link] or self._rng() != event.data["rng"]:
            url = self.state.urls.url(event.link)
            raise JournalError(self._mismatch(f"event {event.seq} chose {url}, and replaying it chooses differently"))

"""A crawl: the loop of crawler.protocol with a pool of fetches and a journal, as a generator that can be closed.

Resuming replays the journal: every choice is made again and compared with the journalled one, and outcomes come in the
journalled order, so a resumed crawl has the trace of an uninterrupted one. Picks without an outcome are fetched again.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from crawler.crawl_options import Fetching, Limits, Setup
from crawler.fetching.pool import HELD, Done, FetchPool
from crawler.journal import Event, Journal, decisions
from crawler.journal.database import mismatch
from crawler.journal.journal import SnapshotTimer
from crawler.journal.judged_pages import EarlierPages
from crawler.journal.page_rows import changes
from crawler.journal.recounts import keep_statistics
from crawler.journal.taught_pages import PageVerdict
from crawler.model import Ids, Pick
from crawler.pages.page import PageRecord
from crawler.pages.parser_processes import DocumentReaders, ParserProcesses
from crawler.protocol import CrawlLoop
from crawler.reachability import FEW_FAILURES, Reachability
from crawler.rescoring import Rescoring
from crawler.state import CrawlState
from crawler.step import Step
from crawler.teaching import Teaching, VerdictSource
from crawler.url import host
from crawler.weights import Offers, Weights
from crawler.worlds.cookies import CookieJar

INTERRUPTED = "interrupted"
"""Stop reason: ``Crawl.stop`` was called."""
HELD_PER_SLOT, RETRIES_PER_SLOT = 4, 64
"""Picks that give their place to another, per place in flight: those that are held up by a pause of their host
(crawler.fetching.pool.HELD), and those that wait to be tried again."""


class Crawl(CrawlLoop[Done[PageRecord], Step]):
    """A run, to be iterated once by ``steps``. ``stop_reason`` is set when the iteration ends by itself."""

    def __init__(
        self,
        setup: Setup,
        fetching: Fetching,
        journal: Journal,
        limits: Limits,
        *,
        snapshot_every: int = 250,
        clock: Callable[[], float] = time.monotonic,
        earlier_pages: EarlierPages | None = None,
        offers: Offers | None = None,
        verdicts: VerdictSource | None = None,
    ) -> None:
        """Prepare a crawl, to ``begin`` or to ``resume``.

        Args:
            setup: everything that determines the crawl besides its world.
            fetching: the world, and how it is fetched from.
            journal: record of the run; the caller closes it.
            limits: limits of pages, time and failures.
            snapshot_every: number of fetches between two snapshots of the state.
            clock: function that returns seconds, for the time limit.
            earlier_pages: pages for look-ahead ``cached``.
            offers: source of new weights while the crawl goes on.
            verdicts: source of persons' verdicts about pages.

        Raises:
            SetupError: the topic lacks a vocabulary that the strategy needs.
        """
        self.state = state = CrawlState(setup)
        super().__init__(state.scheduler, limits.pages, fetching.in_flight, limits.generations_of(setup.strategy))
        self.reproducible = fetching.reproducible or not fetching.workers  # nothing is waited for in memory
        self._parsers = ParserProcesses(fetching.parsers, state.matcher, state.extras) if fetching.parsers else None
        there = self._parsers.read if self._parsers else None
        read = there or (lambda url, page: fetching.page(url, page, state.matcher, state.extras))
        self._documents = documents = DocumentReaders() if setup.documents else None
        self.pool = fetching.pool(read if documents is None else lambda url, page: read(url, documents.as_text(page)))
        # With one place the next link would depend on how long a retry takes.
        self.pool.returns_for_retries = not self.reproducible and self.in_flight > 1
        self._retries, self.fetcher = fetching.retries, fetching.fetcher
        self.journal, self.limits = journal, limits
        self._cookies: CookieJar | None = getattr(fetching.fetcher.world, "cookies", None)
        self.reachability = Reachability()
        self.rescoring = Rescoring(self.state, journal, offers, self._parsers)
        self.teaching = Teaching(self.state, journal, self.reachability, verdicts)
        self._again = _Requeueing(self.state, self.reachability, self.pool, clock)
        self.refetched: tuple[str, ...] = ()
        """URLs that were in flight when the run ended, and that ``steps`` fetches again."""
        self.requeued: list[int] = []
        """Links that were queued again in this process, because their host was left alone and responds."""
        self._timer = SnapshotTimer(snapshot_every, clock)
        self._earlier_pages = earlier_pages
        self._replaying = False
        self._clock = clock
        self._started = clock()
        self._seq = 0
        self._steps = 0
        self._stopping: str | None = None
        self._drained = False
        self._fired: Mapping[str, int] = {}
        """How often each rule of the strategy fired, as journalled last."""
        self._arrived: dict[int, Done[PageRecord]] = {}
        """Number -> fetched pick that was not absorbed so far."""
        self._looked: dict[int, PageRecord] = {}
        """Link -> journalled page that was read ahead; for the replay."""
        self._ahead: dict[str, PageRecord] = {}
        """URL -> page that was fetched ahead (look-ahead ``oracle``)."""

    def begin(self, config: Mapping[str, Any]) -> None:
        """Start a new run: journal its configuration and its seeds."""
        self.state.plant_seeds()
        self.journal.begin(config, self.state.urls.since(0))
        self.journal.set("retries", {reason: [r.times, r.delay] for reason, r in self._retries.items()})

    def restore(self) -> None:
        """Restore the state of a journalled run after its last event.

        Raises:
            JournalError: the journal does not fit the configuration or this version.
        """
        self.journal.upgrade()
        self.journal.discard_later_snapshots()
        ahead = self.state.setup.target != "predict"  # pages seen ahead are not in the snapshot: replay them all
        saved = None if ahead else self.journal.latest_snapshot()
        if saved is None:
            self.state.plant_seeds()
        else:
            self._seq, known_urls, state = saved
            self._restore(state, known_urls)
        self._replaying = True
        self._replay(self.journal.events(self._seq))
        self._replaying = False
        if self._cookies is not None:
            self._cookies.restore(self.journal.get("cookies") or ())
        self.pool.resume_pauses(self.journal.get("pauses") or {"at": 0.0, "hosts": {}})

    def resume(self) -> None:
        """Continue a journalled run after its last event. Raises JournalError as for `restore`."""
        self.restore()
        if self.journal.get("stop_reason") in ("repeated_failure", "frontier_empty"):
            self._retry(self.reachability.links_to_try_again(self.journal.get("stop_reason") == "repeated_failure"))
        in_flight = [pick.link for pick in self.scheduler.in_flight.values()]
        self.refetched = tuple(self.state.urls.url(link) for link in in_flight)
        self._seq += 1
        self.journal.event(self._seq, "resumed", {"links": in_flight})

    def steps(self) -> Iterator[Step]:
        """Yield the fetches of the crawl until a limit, an empty frontier, the strategy or ``stop`` ends it."""
        self._started = self._clock()
        self.journal.set("stop_reason", None)
        self.journal.set("draining", None)  # of a process that was killed while it drained
        try:
            for pick in self.scheduler.in_flight.values():
                self._submit(pick)
            while (step := self.step()) is not None:
                yield step
            self._journal_rules()
            self._save()
            self.journal.index()
            self.journal.set("draining", None)
            self.journal.set("stop_reason", self.stop_reason)
        finally:
            self._close()

    def rescore(self, weights: Weights) -> None:
        """Score the queue by new weights (crawler.rescoring). Raises WeightsError if they do not fit."""
        self.rescoring.take(self._seq + 1, weights)
        self._seq += 1
        self._save()

    def teach(self, verdicts: Sequence[PageVerdict]) -> bool:
        """Take the verdicts of a person about pages (crawler.teaching), and return whether there are any."""
        if verdicts:
            self._seq += 1
            self.teaching.take(self._seq, verdicts)
        return bool(verdicts)

    def stop(self) -> None:
        """End the crawl soon: no link is chosen any more, and requests that are being made end. Safe in a handler."""
        self._stopping = self._stopping or INTERRUPTED
        self.pool.wake()

    def _close(self) -> None:
        """Commit, and end the requests and the processes of the crawl."""
        self.journal.commit()
        self.pool.close()
        for processes in (self._parsers, self._documents):
            if processes is not None:
                processes.close()

    def _restore(self, saved: Mapping[str, Any], known_urls: int) -> None:
        self.rescoring.prepare(self._seq)
        self.teaching.prepare(self._seq)
        try:
            self.state.restore(saved["crawl"], self.journal.urls(known_urls), decisions(self.journal, self._seq))
            self.reachability.restore(saved["reachability"])
        except (KeyError, ValueError) as error:
            raise mismatch(self.journal.path, f"its snapshot does not fit ({error})") from error
        self._steps = saved["steps"]
        self._timer.taken(self._steps, 0.0)

    # ---- one step -----------------------------------------------------------------------------------------------

    def _end(self) -> str | None:
        limits, scheduler = self.limits, self.scheduler
        if reached := limits.reached(self.state.harvest):
            return reached
        if self._stopping is None and self._seconds_left() <= 0.0:
            self._stopping = "limit_time"
        if self._stopping is None and limits.failures_in_a_row:
            down = self.reachability.is_network_down(limits.failures_in_a_row)
            self._stopping = "repeated_failure" if down else None
        if self._stopping is not None:
            if not self.pool.draining:
                self.pool.drain()
                self.journal.set("draining", self._stopping)
            return self._stopping if self._drained or not scheduler.in_flight else None
        if not self.reproducible:
            self._retry(self._again.due())
        self._take_offers()
        if (
            scheduler.in_flight
            or not scheduler.is_empty()
            or scheduler.has_rejected()
            or self._retry(self._again.last())
        ):
            return None
        return "repeated_failure" if self.reachability.is_network_down(FEW_FAILURES) else "frontier_empty"

    def _seconds_left(self) -> float:
        limited = self.limits.seconds and self._stopping is None  # a crawl that stops waits for its last requests
        return self.limits.seconds - (self._clock() - self._started) if limited else math.inf

    def _take_offers(self) -> None:
        if (weights := self.rescoring.offered()) is not None:
            self.rescore(weights)
        self.teach(self.teaching.offered())

    def _room(self) -> int:
        if self._stopping is not None:
            return 0
        allowed = self.in_flight
        if not self.reproducible:
            allowed += min(self.pool.held(), HELD_PER_SLOT * self.in_flight)
        if self.pool.returns_for_retries:
            allowed += min(self.pool.retries(), RETRIES_PER_SLOT * self.in_flight)
        if self.limit:
            allowed = min(allowed, self.limit - self.scheduler.fetched)
        return allowed - len(self.scheduler.in_flight)

    def _issue(self, room: int, picks: Sequence[Pick]) -> None:
        self._seq += 1
        choice: dict[str, Any] = {"n": room, **self.scheduler.limits, "rng": self.scheduler.rng_state}
        choice |= changes(self.state.known.choose([pick.link for pick in picks]))
        self.journal.choice(self._seq, choice, [(p.number, p.link, p.tag, p.priority, dict(p.move)) for p in picks])
        for pick in picks:
            self._submit(pick)

    def _submit(self, pick: Pick) -> None:
        record = self.state.ready(pick.link)
        if record is None:
            self.pool.submit(pick.number, self.state.urls.url(pick.link))
        else:
            self._arrived[pick.number] = Done(pick.number, record)

    def _wait(self) -> tuple[Pick, Done[PageRecord]] | None:
        oracle = self.state.setup.target == "oracle"
        if oracle and self._stopping is not None:  # a page would need the pages behind its links first
            self._drained = True
            return None
        number = self._next_arrived()
        while number is None:
            self.journal.commit()
            done = self.pool.wait(min(HELD, max(0.0, self._seconds_left())))  # then others may give their place
            if done is None:
                self._drained = self._stopping is not None and not self.pool.active
                if self.reproducible and self._stopping is None and self._seconds_left() > 0.0:
                    continue  # to ask the strategy once more for each pause would make the trace depend on the pace
                return None
            self._arrived[done.number] = done
            number = self._next_arrived()
        pick, done = self.scheduler.in_flight[number], self._arrived.pop(number)
        if oracle and done.record.failure is None:
            self._fetch_ahead(done.record)
        return pick, done

    def _next_arrived(self) -> int | None:
        if not self.reproducible:
            return next(iter(self._arrived), None)
        oldest = next(iter(self.scheduler.in_flight))
        return oldest if oldest in self._arrived else None

    def _absorb(self, pick: Pick, page: Done[PageRecord]) -> Step:
        state, record = self.state, self.rescoring.current(page.record)
        if page.rendering is not None:
            record = replace(record, rendering=page.rendering)
        first_new = len(state.urls)
        absorbed = state.absorb(pick, record, self._look_or_none())
        self.teaching.arrived(pick.link, absorbed)
        if absorbed.outcome.failure is not None:
            record = replace(record, failure=absorbed.outcome.failure)
        self._seq += 1
        self.journal.outcome(
            self._seq,
            (pick.number, pick.link),
            record,
            state.judgement(record, absorbed),
            (first_new, state.urls.since(first_new)),
            page.retried,
        )
        if record.failure is None:
            keep_statistics(self.journal, self._seq, state.statistics)
        self._journal_rules()
        if self._cookies is not None and self._cookies.changed:  # a killed run goes on with the session of its hosts
            self.journal.set("cookies", self._cookies.state())
        again = self._retry(self._count(pick, record)) | self.teach(self.teaching.unread(pick.link, record))
        if self._timer.is_due(self._steps, cheap=absorbed.rescored or not state.setup.refresh_every):
            self._save(absorbed.rescored and not again)
        return Step(
            self._steps, state.urls.url(pick.link), record, absorbed.outcome, self.scheduler.fetched,
            state.harvest.relevant, len(self.scheduler.frontier), len(self.scheduler.in_flight),
        )  # fmt: skip

    def _count(self, pick: Pick, record: PageRecord) -> list[int]:
        """Count a fetch, and return the links that deserve another try."""
        self._steps += 1
        name = host(record.final_url)
        return self.reachability.count(pick.link, name, record.failure, record.status, pick.number)

    def _journal_rules(self) -> None:
        """Journal how often each rule of the strategy fired, durable together with the outcome before."""
        fired = self.scheduler.fired()
        if fired and fired != self._fired:
            self._fired = fired
            self.journal.set("fired", fired, commits=False)

    def _save(self, rescored: bool = False) -> None:
        if self._seq == self.journal.snapshots.last:  # nothing changed, and no change would replace what did
            return
        started, whole = self._clock(), self.journal.snapshots.next_is_whole
        crawl = self.state.state() if whole else self.state.changes(rescored)
        state = {"crawl": crawl, "steps": self._steps, "reachability": self.reachability.state()}
        self.journal.snapshot(self._seq, len(self.state.urls), state)
        self.journal.set("pauses", self.pool.pauses())
        self.state.saved(rescored and not whole)
        self._timer.taken(self._steps, self._clock() - started)

    # ---- look-ahead ---------------------------------------------------------------------------------------------

    def _fetch_ahead(self, record: PageRecord) -> None:
        """Fetch the targets of the links of a page that may be offered, all at once, before the page is absorbed."""
        urls = {-1 - at: url for at, url in enumerate(self.state.to_look_at(record))}
        for number, url in urls.items():
            self.pool.submit(number, url)
        while urls:
            done = self.pool.wait()
            if done is None:
                continue
            if done.number >= 0:
                self._arrived[done.number] = done
            else:
                self._ahead[urls.pop(done.number)] = done.record

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
        url = self.state.urls.url(link)
        if self.state.setup.target == "oracle":
            run, record = None, self._ahead.pop(url, None)
        else:
            earlier = self._earlier_pages.get(url) if self._earlier_pages is not None else None
            run, record = earlier or (None, None)
        if record is None:
            return None
        self._seq += 1
        record = self.rescoring.current(record)
        self.journal.look(self._seq, link, record, run)
        return record

    def _retry(self, links: Sequence[int]) -> bool:
        """Queue links again, and journal that; return whether there are any."""
        if links:
            self._seq += 1
            self.journal.event(self._seq, "retry", self._again.queue(links, self.journal))
            self.requeued += links
        return bool(links)

    # ---- replay -------------------------------------------------------------------------------------------------

    def _replay(self, events: Iterator[Event]) -> None:
        for event in events:
            self._seq = event.seq
            if event.kind == "choice":
                self._repeat(event, self.journal.links_of_choice(event.seq))
            elif event.kind == "pick":
                self._repeat(event, [event.link])
            elif event.kind == "retry":
                self._again.repeat(event.data)
            elif event.kind == "look":
                self._looked[event.link] = self.rescoring.journalled(event.seq)
            elif event.kind == "weights":
                self.rescoring.repeat(event)
            elif event.kind == "taught":
                self.teaching.repeat(event)
            elif event.kind == "outcome":
                self._repeat_outcome(event, self.rescoring.journalled(event.seq))

    def _repeat(self, event: Event, links: Sequence[int]) -> None:
        """Make a journalled choice again. Raises JournalError for a different one, as after a change of version."""
        picks = self.scheduler.choose(event.data.get("n", 1), event.data["limit"], event.data.get("generations", 0))
        if [pick.link for pick in picks] != links or self.scheduler.rng_state != event.data["rng"]:
            urls = ", ".join(self.state.urls.url(link) for link in links) or "nothing"
            what = f"event {event.seq} chose {urls}, and replaying it chooses differently"
            raise mismatch(self.journal.path, what)
        self.state.known.choose(links)

    def _repeat_outcome(self, event: Event, record: PageRecord) -> None:
        in_flight = self.scheduler.in_flight
        # Version 1 had one pick in flight, and did not number them.
        pick = in_flight.get(event.data["pick"]) if "pick" in event.data else next(iter(in_flight.values()), None)
        if pick is None or pick.link != event.link:
            raise mismatch(self.journal.path, f"event {event.seq} is the page of a link that was not chosen")
        self.state.seen_ahead.pop(event.link, None)
        self.teaching.arrived(pick.link, self.state.absorb(pick, record, self._look_or_none(), event.data))
        self._count(pick, record)


# ---- links that are queued again: after the network was down, or when a host that was left alone may be asked again


PROBE_EVERY = 10.0
"""Seconds between two looks for hosts that may be asked again."""
_LAST_WAIT = 600.0
"""Seconds that a crawl with nothing else to do waits for a host that asked for a pause, or stopped to respond."""
LAST_PROBES = 3
"""How often it does so for one host."""


class _Requeueing:
    """Chooses the links to queue again, and queues them. What it chooses is journalled; a replay only repeats it.

    A host that was left alone is asked by one link; when it responds, ``Reachability.count`` names the others.
    """

    def __init__(
        self,
        state: CrawlState,
        reachability: Reachability,
        pool: FetchPool[PageRecord],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with nothing to queue.

        Args:
            state: the state of the crawl.
            reachability: what is known of its hosts.
            pool: the pool, which knows the pauses of the hosts.
            clock: function that returns seconds.
        """
        self._state, self._reachability, self._pool, self._clock = state, reachability, pool, clock
        self._looked = clock()
        self._last_probes = Counter[str]()

    def due(self) -> list[int]:
        """Return a link of each host that was left alone and may be asked again; looks every ten seconds only."""
        now = self._clock()
        if now - self._looked < PROBE_EVERY:
            return []
        self._looked = now
        return self._probes([name for name in self._reachability.left_alone() if not self._pool.gives_up(name)])

    def last(self) -> list[int]:
        """Return a link of each host for which a crawl with nothing else to do waits; the pool waits for its pause."""
        names = [
            name
            for name in self._reachability.left_alone()
            if self._reachability.may_respond(name)
            and self._last_probes[name] < LAST_PROBES
            and self._pool.pause_left(name) <= _LAST_WAIT
        ]
        self._last_probes.update(names)
        self._pool.be_patient(names)
        return self._probes(names)

    def queue(self, links: Sequence[int], journal: Journal) -> dict[str, Any]:
        """Queue links with the priorities that they had; those whose host never responded with the lowest one.

        Args:
            links: the links.
            journal: the journal of the crawl, which knows the priorities.

        Returns:
            What ``repeat`` needs.
        """
        frontier, urls = self._state.frontier, self._state.urls
        queued = frontier.priority(frontier.queued())
        lowest = float(queued.min()) if len(queued) else 0.0
        priorities = [
            priority if self._reachability.may_respond(host(urls.url(link))) else min(priority, lowest)
            for link, priority in zip(links, journal.priorities(links), strict=True)
        ]
        data = {"links": list(links), "priorities": priorities}
        self.repeat(data)
        return data

    def repeat(self, data: Mapping[str, Any]) -> None:
        """Queue links as ``queue`` did; not those whose page was read through another link meanwhile."""
        self._reachability.forget(data["links"])
        pairs = zip(data["links"], data["priorities"], strict=True)
        kept = [(link, priority) for link, priority in pairs if not self._state.was_read(link)]
        self._state.scheduler.requeue([link for link, _ in kept], [priority for _, priority in kept])

    def _probes(self, names: Sequence[str]) -> list[int]:
        return [link for name in names if (link := self._reachability.probe(name, self._state.was_read)) is not None]

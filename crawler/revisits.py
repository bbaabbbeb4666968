"""Visits of the pages of a run after its crawl: which have changed, which are gone, and which new ones they lead to.

The state of the crawl is restored from its journal, so that pages are read, judged and compared as in the crawl; visits
do not change it. Each visit is journalled before the next one is made, and a process that was killed goes on with the
pages that its revisit had not visited.
"""

from __future__ import annotations

import math
import re
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from crawler.crawl import HELD_PER_SLOT, Crawl
from crawler.fetching.pool import HELD
from crawler.journal import PageJudgement, visits
from crawler.journal.visits import CHANGED, FAILED, GONE, NEW, UNCHANGED, PageHistory, Visit
from crawler.kernels.refresh import POLICIES, page_rates
from crawler.pages.fingerprint import EDITED, fingerprint
from crawler.pages.page import PageRecord
from crawler.read_pages import REDIRECTED, SOFT_404
from crawler.url import host
from crawler.worlds import LiveWorld

_UNKNOWN_RATE = 0.1
"""Changes a day of all pages before any was visited again."""
_LEAST_WEIGHT = 0.1
"""Weight of a page that is not relevant and leads to no relevant ones."""
_DAY = 86_400.0
_GONE = frozenset({"http_404", "http_410", REDIRECTED, SOFT_404})
_NUMBER = re.compile(r"\d+")
_NOT_MODIFIED = "http_304"
_NO_JUDGEMENT = PageJudgement(None, None, {}, {}, {})


class Revisits(Crawl):
    """Visits of the pages of a run, to be prepared by ``restore`` and ended by ``close``."""

    _known: dict[str, PageHistory]
    """URL -> history, of the pages of the crawl and of those that visits found."""
    _fresh: deque[tuple[str, str]]
    """New links to visit, each with the page that has it."""
    _queued: set[str]
    """The URLs that are or were among them, and those that are not tried again."""
    _number: int
    """Number of the revisit."""

    def revisit(
        self, policy: str = "optimal", limit: int = 0, *, wall: Callable[[], float] = time.time
    ) -> Iterator[Visit]:
        """Visit the pages of the run in the order of a policy, and the new pages to which they lead.

        New links of a page come first. Those of a page that is new itself are followed where it is relevant. There are
        at most as many visits of new pages as the crawl has fetched, and with a limit they have half of the visits
        while other pages wait. A revisit that was interrupted goes on.

        Args:
            policy: one of `crawler.kernels.refresh.POLICIES`.
            limit: maximum number of visits; 0 for all pages.
            wall: function that returns seconds since 1970.

        Yields:
            The visits, each after it was journalled.
        """
        self._known = known = visits.histories(self.journal)
        visits.count_leads(self.journal, known)
        self._number = number = visits.begin(self.journal, _iso(wall()), policy)
        self._fresh, self._queued = deque(), visits.tried_in_vain(self.journal, number)
        for target, url in visits.links_seen(self.journal):
            self._queue([target], url)
        waiting = deque(page for page in ordered(list(known.values()), policy, wall()) if page.revisit != number)
        world = self.fetcher.world
        if isinstance(world, LiveWorld):
            world.validators = {page.final_url: page.validators for page in waiting if page.gone is None}
        self.fetcher.robots.forget()
        made, new = visits.made_in(self.journal, number)
        left = (limit or math.inf) - made - new
        most = sum(page.link >= 0 for page in known.values())
        share = min(most, (limit + number % 2) // 2) if limit else most  # one visit is by turns of a new page
        jobs = dict[int, tuple[str, str | None]]()
        while self._stopping is None:
            while left > 0 and len(jobs) < self._places():
                is_new = bool(self._fresh) and new < (share if waiting else most)
                if not is_new and not waiting:
                    break
                self._jobs, left, new = self._jobs + 1, left - 1, new + is_new
                jobs[self._jobs] = self._fresh.popleft() if is_new else (waiting.popleft().url, None)
                self.pool.submit(self._jobs, jobs[self._jobs][0])
            if not jobs:
                visits.end(self.journal)
                return
            if (done := self.pool.wait(HELD)) is not None:
                yield self._visited(*jobs.pop(done.number), done.record, wall())
        self.pool.drain()
        while (done := self.pool.wait()) is not None:
            yield self._visited(*jobs.pop(done.number), done.record, wall())

    _jobs = 0
    """Number of the last job of the pool."""

    @property
    def is_stopping(self) -> bool:
        """Whether ``stop`` was called."""
        return self._stopping is not None

    def close(self) -> None:
        """Commit, and end the requests and the processes."""
        self._close()

    def _places(self) -> int:
        return self.in_flight + min(self.pool.held(), HELD_PER_SLOT * self.in_flight)

    def _visited(self, url: str, found_on: str | None, record: PageRecord, now: float) -> Visit:
        """Journal a visit, and queue the new links of its page."""
        page = self._known.get(url)
        is_moved = page is None or record.final_url != page.final_url
        if record.failure in (None, _NOT_MODIFIED) and is_moved and self._is_known(record.final_url, url):
            record = replace(record, failure=REDIRECTED)
        elif record.failure is None and self.state.read_pages.is_soft_404(record):
            record = replace(record, failure=SOFT_404)
        of_new = NEW if record.failure is None else FAILED
        change = of_new if page is None else self._change(page, record)
        has_content = change in (CHANGED, NEW) and record.failure is None
        judgement = self._judgement(record, page) if has_content else _NO_JUDGEMENT
        visit = Visit(
            url, _iso(now), self._number, change, record.final_url, record.status, record.failure, record.detail,
            None if record.failure else record.content_hash, dict(record.validators), found_on,
        )  # fmt: skip
        self._seq += 1
        link = self.state.urls.id(url)
        data, kept = visit.as_json(), record if has_content else None
        self.journal.visit(self._seq, -1 if link is None else link, data, kept, judgement)
        if self._cookies is not None and self._cookies.changed:
            self.journal.set("cookies", self._cookies.state())
        if change == NEW:
            page = self._known[url] = visits.found_by(visit, self._seq)
        if page is not None:
            page.add(self._seq, visit, judgement.relevance, judgement.relevant)
        if has_content and (change == CHANGED or judgement.relevant):
            self._queue([target.url for target in record.page.links], url)
        return visit

    def _queue(self, targets: Iterable[str], url: str) -> None:
        """Queue the links of a page that are in scope, and that neither the crawl nor a visit knows."""
        for target in targets:
            if self._is_new(target):
                self._queued.add(target)
                self._fresh.append((target, url))

    def _is_new(self, url: str) -> bool:
        return url not in self._known and url not in self._queued and self.state.known.may_ask(url)

    def _is_known(self, final_url: str, url: str) -> bool:
        """Return whether a redirect led to another page that is known."""
        link = self.state.urls.id(final_url)
        return final_url != url and (final_url in self._known or (link is not None and self.state.was_read(link)))

    def _change(self, page: PageHistory, record: PageRecord) -> str:
        """Return what a visit of a known page shows.

        A page with another text is unchanged where nine tenths of its shingles are the same, as one with another date
        or advertisement, unless it has another title, numbers aside, or links that are new to it and to the crawl. A
        page that now is a redirect to another page of the run is gone.
        """
        if record.failure == _NOT_MODIFIED:
            return UNCHANGED if record.final_url == page.final_url else CHANGED
        if record.failure is not None:
            return GONE if record.failure in _GONE else FAILED
        if page.gone is not None:
            return CHANGED
        before = {url for (url,) in self.journal.query("SELECT url FROM link WHERE seq = ?", (page.seq,))}
        if any(link.url not in before and self._is_new(link.url) for link in record.page.links):
            return CHANGED
        ((title, text),) = self.journal.query("SELECT title, text FROM page WHERE seq = ?", (page.seq,))
        if _NUMBER.sub("", title) != _NUMBER.sub("", record.page.title):
            return CHANGED
        if record.content_hash == page.content_hash:
            return UNCHANGED
        kept = fingerprint(zlib.decompress(text).decode())
        near = kept is not None and record.fingerprint is not None and record.fingerprint.is_like(kept, EDITED)
        return UNCHANGED if near else CHANGED

    def _judgement(self, record: PageRecord, page: PageHistory | None) -> PageJudgement:
        """Return the decision about a page; none about one with nearly the text of another page of the crawl."""
        if record.page.noindex:
            return _NO_JUDGEMENT
        score = self.state.score(record)
        copied = self.state.read_pages.copy_of(record)
        is_copy = copied is not None and (page is None or copied != page.link)
        return PageJudgement(score.judged, None if is_copy else score.relevant, {}, {}, {})


def ordered(pages: Sequence[PageHistory], policy: str, now: float) -> list[PageHistory]:
    """Return pages in the order in which to visit them: by their estimated rates, and weighted by what they are worth.

    The weight of a page is its relevance and the logarithm of the number of relevant pages to which it leads, so that
    hubs and lists come first [R].

    Args:
        pages: histories of pages.
        policy: one of `crawler.kernels.refresh.POLICIES`.
        now: seconds since 1970.
    """
    if not pages:
        return []
    times = [[_seconds(page.first_seen), *(_seconds(at) for at, _ in page.seen)] for page in pages]
    page = np.array([at for at, one in enumerate(pages) for _ in one.seen], dtype=np.int64)
    interval = np.array([max(b - a, 1.0) / _DAY for one in times for a, b in pairwise(one)])
    changed = np.array([change for one in pages for _, change in one.seen], dtype=np.bool_)
    names = {name: number for number, name in enumerate(dict.fromkeys(host(one.url) for one in pages))}
    hosts = np.array([names[host(one.url)] for one in pages], dtype=np.int64)
    rate = page_rates(page, interval, changed, hosts, _UNKNOWN_RATE)
    since = np.array([max(now - one[-1], 1e-3) / _DAY for one in times])
    weight = np.array([_LEAST_WEIGHT + (one.relevance or 0.0) + math.log2(1 + one.leads_to) for one in pages])
    best = np.argsort(-POLICIES[policy](rate, since, weight), kind="stable")
    return [pages[at] for at in best.tolist()]


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

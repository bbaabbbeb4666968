"""What persons teach a crawl: their verdicts about pages, as events of its journal.

A verdict goes to the strategy, which decides what it is worth (``Strategy.teach``), and all queued links are scored
again. A page that was not read goes to the head of the queue. The judge's decisions stay what they are, and so do the
measures of the run (decision 24). A replay takes the same step from the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

import numpy as np

from crawler.journal import Event, Journal, read_links, taught_pages
from crawler.journal.database import mismatch
from crawler.journal.page_rows import changes
from crawler.journal.taught_pages import PageVerdict, TaughtPage, VerdictsError
from crawler.pages.page import PageRecord
from crawler.reachability import Reachability
from crawler.reasons import meaning
from crawler.scope import Scope
from crawler.state import Absorbed, CrawlState
from crawler.strategies.base import SEED_PRIORITY
from ontology.errors import Message


def refusal(journal: Journal, scope: Scope, seeds: Collection[str], url: str) -> str | None:
    """Return the reason code why a crawl does not fetch a page that a person asks for; None where it may, or has.

    Args:
        journal: the journal of the crawl.
        scope: its scope.
        seeds: its seeds, which are fetched in any case.
        url: canonical URL of the page.
    """
    reason = None if url in seeds else scope.decide(url)
    return None if reason is None or read_links.read_through(journal, url) is not None else reason


class VerdictSource(Protocol):
    """Source of verdicts, which a crawl asks between two fetches; so it must be cheap."""

    def newest(self) -> Sequence[PageVerdict] | None:
        """Return all verdicts of the run, taken or not, at the first call; None later where there is no new one.

        Raises:
            VerdictsError: they cannot be read.
        """


class Teaching:
    """Takes verdicts about pages into the state of a crawl, and repeats that."""

    def __init__(
        self, state: CrawlState, journal: Journal, reachability: Reachability, source: VerdictSource | None = None
    ) -> None:
        """Start a crawl that was taught nothing.

        Args:
            state: the state of the crawl.
            journal: its journal.
            reachability: what is known of its hosts.
            source: source of verdicts; None for none.
        """
        self._state, self._journal, self._reachability, self._source = state, journal, reachability, source
        self._taught: dict[str, TaughtPage] = {}
        """URL -> the verdict that counts now, the last one last."""
        self.on_taught: Callable[[Sequence[TaughtPage]], None] = lambda pages: None
        self.on_unread: Callable[[str, str], None] = lambda url, reason: None
        """Called with the URL and the reason code of a page that cannot be used."""
        self.on_refused: Callable[[str], None] = lambda why: None
        """Called with a message about verdicts that cannot be taken."""

    def prepare(self, last: int) -> None:
        """Note the verdicts of a snapshot; ``last`` is the number of the last event that it includes."""
        for page in taught_pages.verdicts(self._journal):
            if page.event <= last:
                self._note(page)

    def offered(self) -> list[PageVerdict]:
        """Return the verdicts that the crawl does not have, in scope; none where the source has no new one."""
        try:
            newest = None if self._source is None else self._source.newest()
        except VerdictsError as error:
            self.on_refused(str(error))
            return []
        new = [verdict for verdict in newest or () if verdict.liked != self._liked(verdict.url)]
        return [verdict for verdict in new if self._is_in_scope(verdict)]

    def take(self, seq: int, verdicts: Sequence[PageVerdict]) -> None:
        """Take verdicts, and journal that; those about one page replace each other.

        Args:
            seq: number of the event.
            verdicts: verdicts about pages in scope.

        Raises:
            JournalError: the journal cannot be written.
        """
        urls, first = self._state.urls, len(self._state.urls)
        pages = [self._page(seq, verdict) for verdict in verdicts]
        data = {"fetched": self._state.scheduler.fetched, "pages": [page.as_json() for page in pages]}
        self._journal.event(seq, taught_pages.KIND, data | changes(self._use(pages)), (first, urls.since(first)))
        self.on_taught(pages)

    def repeat(self, event: Event) -> None:
        """Take journalled verdicts again. Raises JournalError where the queue becomes another one than it did."""
        pages, known = taught_pages.of_event(event), self._state.known
        same = [known.ask(page.url, page.fetched) == page.link for page in pages if page.asked]
        if not all(same) or changes(self._use(pages)).get("changed") != event.data.get("changed"):
            what = f"event {event.seq} taught the crawl, and replaying it changes other links"
            raise mismatch(self._journal.path, what)

    def arrived(self, link: int, absorbed: Absorbed) -> None:
        """Score all queued links again after the page of a verdict has come, so that it counts at once."""
        if absorbed.outcome.failure is None and not absorbed.rescored and self._of(link):
            self._state.scheduler.refresh()

    def unread(self, link: int, record: PageRecord) -> list[PageVerdict]:
        """Return the verdicts to be taken again of a link whose page could not be read, or was read through another.

        Args:
            link: a link with an outcome, which is journalled.
            record: its page, or the failure.
        """
        pages, reason = self._of(link), record.failure or ("noindex" if record.page.noindex else None)
        if not pages or reason is None:
            return []
        if read_links.reader(self._journal, link, self._state.urls.url(link)) in (None, link):
            for page in pages:
                self.on_unread(page.url, reason)
            return []
        return [page.verdict for page in pages]

    # ---- inside -------------------------------------------------------------------------------------------------

    def _liked(self, url: str) -> bool | None:
        page = self._taught.get(url)
        return None if page is None else page.liked

    def _of(self, link: int) -> list[TaughtPage]:
        """Return the verdicts about the page of a link, the last one last; several URLs may lead to one page."""
        return [page for page in self._taught.values() if page.link == link]

    def _is_in_scope(self, verdict: PageVerdict) -> bool:
        """Return whether a page was read or may be fetched; else report why not."""
        setup = self._state.setup
        reason = refusal(self._journal, setup.scope, setup.seeds, verdict.url)
        if reason is not None:
            self.on_refused(Message("crawler.taught_out_of_scope", url=verdict.url, why=meaning(reason).text))
        return reason is None

    def _page(self, seq: int, verdict: PageVerdict) -> TaughtPage:
        """Return a verdict with the link through which its page was read, or is to be read."""
        state, url = self._state, verdict.url
        link, fetched = read_links.reader(self._journal, state.urls.id(url), url), state.scheduler.fetched
        asked = link is None and verdict.liked is not None
        if link is None:
            link = state.known.ask(url, fetched) if asked else self._taught[url].link
        return TaughtPage(url, verdict.liked, verdict.at, link, asked, seq, fetched)

    def _use(self, pages: Sequence[TaughtPage]) -> dict[int, str]:
        """Teach the strategy, queue what is to be fetched, and score all queued links.

        Returns:
            Link -> new reason code of those that entered or left the queue.
        """
        changed = dict[int, str]()
        for page in pages:
            before = self._taught.get(page.url, page)
            self._note(page)
            if page.asked:
                changed |= self._queue(page.link)
            elif page.liked is None:
                changed |= self._drop(page.link)
            for link in dict.fromkeys((before.link, page.link)):
                of_page = self._of(link)
                self._state.strategy.teach(link, of_page[-1].liked if of_page else None)
        self._state.scheduler.refresh()
        return changed

    def _note(self, page: TaughtPage) -> None:
        self._taught.pop(page.url, None)
        if page.liked is not None:
            self._taught[page.url] = page

    def _queue(self, link: int) -> dict[int, str]:
        """Put a link at the head of the queue, unless it is in flight; also one that could not be fetched before."""
        scheduler, frontier = self._state.scheduler, self._state.frontier
        if any(pick.link == link for pick in scheduler.in_flight.values()):
            return {}
        self._reachability.forget([link])
        highest = frontier.priority(frontier.queued()).max(initial=SEED_PRIORITY)
        scheduler.requeue([link], [float(highest)])
        return {link: "admitted"}

    def _drop(self, link: int) -> dict[int, str]:
        """Take a link out of the queue that is no seed, and that no page contains."""
        state, one = self._state, np.array([link])
        is_seed = state.urls.url(link) in state.setup.seeds
        if is_seed or not state.frontier.is_queued(one)[0] or state.graph.in_degree(one)[0]:
            return {}
        state.frontier.take(one)
        return {link: taught_pages.FORGOTTEN}

"""Links that are queued again: after the network was down, or when a host that was left alone may be asked again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crawler.fetching.pool import FetchPool
from crawler.journal import Journal
from crawler.pages.page import PageRecord
from crawler.reachability import Reachability
from crawler.state import CrawlState
from crawler.url import host

PROBE_EVERY = 10.0
"""Seconds between two looks for hosts that may be asked again."""
LAST_WAIT = 600.0
"""Seconds that a crawl with nothing else to do waits for a host that asked for a pause, or stopped to respond."""
LAST_PROBES = 3
"""How often it does so for one host."""


class Requeueing:
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
            and self._pool.pause_left(name) <= LAST_WAIT
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

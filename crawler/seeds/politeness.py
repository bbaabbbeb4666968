"""Requests for sources of seeds: through the world of the crawl, by the rules of robots.txt, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable

from crawler.fetching.exchange import Request, redirect_target
from crawler.fetching.fetch import Fetched, Fetcher
from crawler.model import Failure, Response
from crawler.url import host

LONGEST_PAUSE = 60.0
"""Maximum number of seconds between two requests that a Crawl-delay is respected for."""
MAX_REDIRECTS = 5


class PoliteFetcher:
    """Fetcher of one document after the other, with the pauses that a crawl makes between requests to a host."""

    def __init__(
        self,
        fetcher: Fetcher,
        delay: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Create a fetcher.

        Args:
            fetcher: the rules of fetching, and the world.
            delay: seconds between two requests to a host; 0 for no pauses at all.
            clock: function that returns seconds.
            sleep: function that waits for some seconds.
        """
        self._fetcher = fetcher
        self._delay = delay
        self._clock = clock
        self._sleep = sleep
        self._last: dict[str, float] = {}

    def document(self, url: str) -> Fetched | Failure:
        """Fetch a document at a canonical URL, as a page of a crawl is fetched."""
        exchange = self._fetcher.exchange(url)
        try:
            request = next(exchange)
            while isinstance(request, Request):
                request = exchange.send(self._hop(request.url, request.crawl_delay))
        except StopIteration as end:
            fetched: Fetched | Failure = end.value
            return fetched
        raise RuntimeError("an exchange waits for another one, and there is only one at a time")

    def robots(self, site: str) -> Response | Failure:
        """Fetch the robots.txt of an origin, for which no robots.txt is asked; redirects are followed."""
        reply = self._hop(f"{site}/robots.txt", 0.0)
        for _ in range(MAX_REDIRECTS):
            target = redirect_target(reply)
            if target is None:
                break
            reply = self._hop(target, 0.0)
        return reply

    def _hop(self, url: str, crawl_delay: float) -> Response | Failure:
        if self._delay:
            since = self._clock() - self._last.get(host(url), float("-inf"))
            pause = max(self._delay, min(crawl_delay, LONGEST_PAUSE)) - since
            if pause > 0:
                self._sleep(pause)
        reply = self._fetcher.world.fetch(url)
        self._last[host(url)] = self._clock()
        return reply

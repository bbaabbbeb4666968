"""Fetching of a page from any world: follows redirects, and checks robots.txt and scope at each hop."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from crawler.fetching.exchange import REDIRECTS, Exchange, Request, drive
from crawler.fetching.robots import Robots
from crawler.model import Failure, Response, World
from crawler.scope import Scope
from crawler.url import canonical, host


@dataclass(frozen=True)
class Fetched:
    """A response with a page."""

    response: Response
    final_url: str
    """Canonical URL of the response, which is another than the requested one after redirects."""
    hops: tuple[str, ...] = ()
    """The URLs that redirected, in order."""


@dataclass(frozen=True, slots=True)
class Moved(Failure):
    """A redirect to a host that another fetcher requests, which continues the exchange at ``url``."""

    hops: tuple[str, ...] = ()
    """The URLs that redirected so far, in order."""


class Fetcher:
    """Fetcher of the pages of a world. It reads no clock; its results depend on the responses of the world only."""

    def __init__(
        self,
        world: World,
        robots: Robots | None = None,
        *,
        user_agent: str,
        max_redirects: int = 5,
        scope: Scope | None = None,
        hosts: Collection[str] | None = None,
        on_given_up: Callable[[Failure], None] = lambda failure: None,
    ) -> None:
        """Create a fetcher.

        Args:
            world: source of pages.
            robots: rules of the hosts; None to read robots.txt files through the world for ``user_agent``.
            user_agent: name of the crawler in robots.txt files.
            max_redirects: number of redirects that are followed.
            scope: rules for the targets of redirects; None to allow all.
            hosts: the hosts whose pages it requests; a redirect to another one ends in ``Moved``. None for all hosts.
            on_given_up: called with each failure that takes the place of a request which the world does not see.
        """
        self.world = world
        self.robots = robots or Robots(user_agent=user_agent)
        self._max_redirects = max_redirects
        self._scope = scope
        self._hosts = hosts
        self._on_given_up = on_given_up

    def get(self, url: str) -> Fetched | Failure:
        """Fetch a page, hop by hop and without delays; the result is that of ``exchange``."""
        return drive(self.exchange(url), self.world.fetch)

    def exchange(self, url: str, hops: tuple[str, ...] = ()) -> Exchange[Fetched | Failure]:
        """Fetch the page at a canonical URL: yields the requests.

        Args:
            url: the URL to request.
            hops: the URLs that redirected to it, in order, where another fetcher began the exchange.

        Returns:
            The page, or a failure at the URL of the hop that failed, with one of the reasons: that of the world
            (timeout, dns ..), ``http_STATUS`` for a status without a page, robots_denied, robots_unreachable,
            bad_redirect, redirect_loop, too_many_redirects, or the reason code of the scope rule that rejects the
            target of a redirect; or ``Moved``.
        """
        start = hops[0] if hops else url
        scope = self._scope and self._scope.as_now()  # what other pages change meanwhile comes at the network's pace
        while True:
            rules = yield from self.robots.rules(url)
            refused = rules.refusal(url)
            if refused is not None:
                return refused
            response = yield Request(url, hops=hops, crawl_delay=rules.crawl_delay)
            if isinstance(response, Failure):
                return response
            if response.is_page:
                return Fetched(response, url, hops)
            if response.status not in REDIRECTS:
                return Failure(url, f"http_{response.status}", f"status {response.status}")
            hops = (*hops, url)
            target = self._target(url, response, hops)
            if isinstance(target, Failure):
                return target
            reason = scope.decide_redirect(start, target) if scope is not None else None
            if reason is not None:
                return Failure(url, reason, f"redirects out of scope, to {target}")
            if self._hosts is not None and host(target) not in self._hosts:
                return Moved(target, "moved", "another task requests this host", hops)
            url = target

    def give_up(self, url: str, reason: str) -> Failure:
        """Return the failure of a request that is not made, because its host does not respond or asks for a pause.

        Args:
            url: URL of the request.
            reason: ``host_down`` or ``host_paused``.
        """
        why = "asks for a long pause" if reason == "host_paused" else "does not respond"
        failure = Failure(url, reason, f"{host(url)} {why}: it is left alone for a while")
        self._on_given_up(failure)
        return failure

    def _target(self, url: str, response: Response, visited: tuple[str, ...]) -> str | Failure:
        """Return the target of a redirect, or the reason why it cannot be followed."""
        location = response.headers.get("location", "")
        target = canonical(location, url) if location else None
        if target is None:
            return Failure(url, "bad_redirect", f"status {response.status} with location {location!r}")
        if target in visited:
            return Failure(url, "redirect_loop", f"redirects back to {target}")
        if len(visited) > self._max_redirects:
            return Failure(
                url, "too_many_redirects", f"more than {self._max_redirects} redirects, the last to {target}"
            )
        return target

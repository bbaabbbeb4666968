"""Fetching of pages from any world: follows redirects, checks robots.txt and scope at each hop, and is polite."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.fetching.politeness import Politeness
from crawler.fetching.robots import Robots
from crawler.fetching.scope import Scope
from crawler.model import Failure, Response, World
from crawler.url import canonical, host

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True)
class Fetched:
    """A page with status 200."""

    response: Response
    final_url: str
    """Canonical URL of the response, which is another than the requested one after redirects."""
    hops: tuple[str, ...] = ()
    """The URLs that redirected, in order."""


class Fetcher:
    """Fetcher of the pages of a world. It reads no clock; its results depend on the responses of the world only."""

    def __init__(
        self,
        world: World,
        robots: Robots | None = None,
        politeness: Politeness | None = None,
        *,
        user_agent: str,
        max_redirects: int = 5,
        scope: Scope | None = None,
    ) -> None:
        """Create a fetcher.

        Args:
            world: source of pages.
            robots: rules of the hosts; None to read robots.txt files through the world for ``user_agent``.
            politeness: delays between requests; None for the default ones.
            user_agent: name of the crawler in robots.txt files.
            max_redirects: number of redirects that are followed.
            scope: rules for the targets of redirects; None to allow all.
        """
        self.world = world
        self.robots = robots or Robots(world, user_agent=user_agent)
        self.politeness = politeness or Politeness()
        self._max_redirects = max_redirects
        self._scope = scope

    def get(self, url: str) -> Fetched | Failure:
        """Fetch the page at a canonical URL.

        Returns:
            The page, or a failure at the URL of the hop that failed, with one of the reasons: that of the world
            (timeout, dns ..), ``http_STATUS`` for a status other than 200, robots_denied, robots_unreachable,
            bad_redirect, redirect_loop, too_many_redirects, or the reason code of the scope rule that rejects the
            target of a redirect.
        """
        hops: list[str] = []
        while True:
            response = self._hop(url)
            if isinstance(response, Failure):
                return response
            if response.status == 200:
                return Fetched(response, url, tuple(hops))
            if response.status not in _REDIRECTS:
                return Failure(url, f"http_{response.status}", f"status {response.status}")
            target = self._target(url, response, [*hops, url])
            if isinstance(target, Failure):
                return target
            hops.append(url)
            url = target

    def _hop(self, url: str) -> Response | Failure:
        refused = self.robots.refusal(url)
        if refused is not None:
            return refused
        with self.politeness.turn(host(url), self.robots.crawl_delay(url)):
            return self.world.fetch(url)

    def _target(self, url: str, response: Response, visited: list[str]) -> str | Failure:
        """Return the target of a redirect, or the reason why it is not followed."""
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
        reason = self._scope.decide(target) if self._scope is not None else None
        return target if reason is None else Failure(url, reason, f"redirects out of scope, to {target}")

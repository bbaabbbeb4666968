"""From a URL to a page: redirects followed, robots.txt and scope asked at each hop, politeness kept. For all worlds."""

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
    """Canonical URL that answered; other than the asked one after redirects."""
    hops: tuple[str, ...] = ()
    """The URLs that redirected, in order; empty where none did."""


class Fetcher:
    """Fetches pages of a world. Reads no clock; what it answers depends on the world's answers only."""

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
        """Nothing is fetched yet.

        Args:
            world: where pages come from.
            robots: the rules of hosts; None: this fetcher's own, asked through the world under ``user_agent``.
            politeness: waiting; None: the default delays.
            user_agent: the name that robots.txt is read for.
            max_redirects: hops that are followed.
            scope: where redirects may lead; None: anywhere.
        """
        self.world = world
        self.robots = robots or Robots(world, user_agent=user_agent)
        self.politeness = politeness or Politeness()
        self._max_redirects = max_redirects
        self._scope = scope

    def get(self, url: str) -> Fetched | Failure:
        """The page at a canonical URL.

        A failure's ``url`` is where it happened. Its reason: what the world says (timeout, dns ..), ``http_STATUS`` for
        a status other than 200, robots_denied, robots_unreachable, bad_redirect, redirect_loop, too_many_redirects, or
        the reason code of the scope rule that rejects a redirect's target.
        """
        hops: list[str] = []
        while True:
            answer = self._hop(url)
            if isinstance(answer, Failure):
                return answer
            if answer.status == 200:
                return Fetched(answer, url, tuple(hops))
            if answer.status not in _REDIRECTS:
                return Failure(url, f"http_{answer.status}", f"status {answer.status}")
            target = self._target(url, answer, [*hops, url])
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

    def _target(self, url: str, answer: Response, visited: list[str]) -> str | Failure:
        """Where a redirect leads, if that is a place to go on."""
        location = answer.headers.get("location", "")
        target = canonical(location, url) if location else None
        if target is None:
            return Failure(url, "bad_redirect", f"status {answer.status} with location {location!r}")
        if target in visited:
            return Failure(url, "redirect_loop", f"redirects back to {target}")
        if len(visited) > self._max_redirects:
            return Failure(
                url, "too_many_redirects", f"more than {self._max_redirects} redirects, the last to {target}"
            )
        reason = self._scope.decide(target) if self._scope is not None else None
        return target if reason is None else Failure(url, reason, f"redirects out of scope, to {target}")

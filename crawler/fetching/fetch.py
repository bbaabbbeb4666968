"""Fetching of a page from any world: follows redirects, and checks robots.txt and scope at each hop."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from crawler.fetching.exchange import REDIRECTS, Exchange, Request, drive, redirect_target
from crawler.fetching.robots import Robots
from crawler.model import Failure, Response, World
from crawler.scope import Scope
from crawler.url import host


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
        cookies: bool = False,
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
            cookies: whether the world keeps cookies, or did when it was recorded: a redirect in a circle that sets a
                cookie is followed once more.
            on_given_up: called with each failure that takes the place of a request which the world does not see.
        """
        self.world = world
        self.robots = robots or Robots(user_agent=user_agent)
        self._max_redirects = max_redirects
        self._scope = scope
        self._hosts = hosts
        self._cookies = cookies
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
        has_cookie = not self._cookies
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
                return _failure(url, response)
            hops = (*hops, url)
            again = None if has_cookie else self._with_cookie(response, hops)
            has_cookie = has_cookie or again is not None
            hops = hops if again is None else hops[: hops.index(again)]
            target = again or self._target(url, response, hops)
            if isinstance(target, Failure):
                return target
            reason = scope.decide_redirect(start, target) if scope is not None else None
            if reason is not None:
                return Failure(url, reason, f"redirects out of scope, to {target}")
            if self._hosts is not None and host(target) not in self._hosts:
                return Moved(target, "moved", "another task requests this host", hops=hops)
            url = target

    def part(self, url: str, fetch: Callable[[str], Response | Failure]) -> Exchange[Response | Failure]:
        """Fetch what a page in a browser loads, within robots.txt; a redirect is returned, not followed.

        Args:
            url: canonical URL.
            fetch: makes the request.
        """
        rules = yield from self.robots.rules(url)
        refused = rules.refusal(url)
        if refused is not None:
            return refused
        return (yield Request(url, page=False, crawl_delay=rules.crawl_delay, fetch=fetch))

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

    def _with_cookie(self, response: Response, visited: tuple[str, ...]) -> str | None:
        """Return the target of a redirect in a circle that sets a cookie, without which there is no page."""
        target = redirect_target(response) if "set-cookie" in response.headers else None
        return target if target in visited else None

    def _target(self, url: str, response: Response, visited: tuple[str, ...]) -> str | Failure:
        """Return the target of a redirect, or the reason why it cannot be followed."""
        target = redirect_target(response)
        if target is None:
            locations = response.headers.get("location", "").split("\n")  # different ones, of which browsers take none
            named = " and ".join(map(repr, locations))
            return Failure(url, "bad_redirect", f"status {response.status} with location {named}")
        if target in visited:
            return Failure(url, "redirect_loop", f"redirects back to {target}")
        if len(visited) > self._max_redirects:
            return Failure(
                url, "too_many_redirects", f"more than {self._max_redirects} redirects, the last to {target}"
            )
        return target


CHALLENGE = "challenge"
"""Reason code of a response that checks for a browser by a script and a cookie."""
_ALWAYS, _WITH_COOKIE = frozenset({412, 521}), frozenset({202, 401, 403, 503})
"""Status codes of such checks: those that hardly anything else has, and those with a script and a cookie alone."""
_NAMED = {"cf-mitigated": ("challenge",), "x-amzn-waf-action": ("challenge", "captcha")}
"""Header of Cloudflare and of AWS -> values by which a response says that it is such a check."""


def _failure(url: str, response: Response) -> Failure:
    """Return the failure of a response without a page.

    >>> page = b"<html><script src=/c.js></script></html>"
    >>> _failure("http://a.cn/", Response("http://a.cn/", 412, {"set-cookie": "x=1"}, page)).reason
    'challenge'
    >>> _failure("http://a.cn/", Response("http://a.cn/", 403, {}, page)).reason
    'http_403'
    >>> _failure("http://a.cn/", Response("http://a.cn/", 403, {"cf-mitigated": "challenge"}, page)).reason
    'challenge'
    """
    status, headers = response.status, response.headers
    if any(headers.get(name) in values for name, values in _NAMED.items()):
        return Failure(url, CHALLENGE, f"status {status}: it says that it is a check for a browser", status)
    signs = ("set-cookie" in headers, b"<script" in response.body[:65536].lower())
    if (status in _ALWAYS and any(signs)) or (status in _WITH_COOKIE and all(signs)):
        return Failure(url, CHALLENGE, f"status {status} with a script or a cookie: a check for a browser", status)
    return Failure(url, f"http_{status}", f"status {status}")

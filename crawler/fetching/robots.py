"""robots.txt (RFC 9309), fetched through the world that is crawled.

A 4xx status allows all, but for 429; that, a 5xx status, no response or binary data forbid all for the time being.
Redirects are followed, also to other hosts. This module makes no request itself: ``Robots.rules`` yields the requests
that its caller makes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace

from crawler.fetching.exchange import Exchange, Request, Waiting, redirect_target
from crawler.fetching.robots_file import RobotsFile, product_token, text_of_robots
from crawler.model import Failure, Response
from crawler.url import origin

MAX_REDIRECTS = 5
_CACHE_SIZE = 20_000


@dataclass(frozen=True)
class Rules:
    """The rules of an origin for this crawler. Without a ``file`` all is allowed, or nothing if there is a problem."""

    token: str
    """The crawler's name in the file."""
    file: RobotsFile | None
    problem: str
    until: float
    """Time at which the file is read again."""
    reason: str = "robots_unreachable"
    """Reason of the failure in case of a problem."""

    def refusal(self, url: str) -> Failure | None:
        """Return None where a canonical URL may be fetched, else a failure.

        Its reason is robots_denied; robots_unreachable after a server error; or that of the world (timeout, dns ..)
        where the host does not respond, so that a network that is down is not taken for a rule.
        """
        if self.problem:
            return Failure(url, self.reason, self.problem)
        site = origin(url)
        rule = None if self.file is None else self.file.closing_rule(url[len(site) :])
        if rule is None:
            return None
        return Failure(url, "robots_denied", f"{site}/robots.txt closes this path to {self.token} ({rule})")

    @property
    def crawl_delay(self) -> float:
        """The seconds between two requests that the host asks for; 0 where it states no delay."""
        return (self.file.crawl_delay or 0.0) if self.file is not None else 0.0


class Robots:
    r"""Rules of robots.txt for one crawler, with a cache of one file per origin.

    A file is requested once however many exchanges need it: while one of them reads it, the others wait.

    >>> from crawler.fetching.exchange import drive
    >>> robots = Robots(user_agent="ontocrawl/0.1")
    >>> file = b"User-agent: *\nCrawl-delay: 2\nDisallow: /private/"
    >>> rules = drive(robots.rules("http://a.cn/1.html"), lambda url: Response(url, 200, {}, file))
    >>> rules.crawl_delay, rules.refusal("http://a.cn/1.html"), rules.refusal("http://a.cn/private/1.html").reason
    (2.0, None, 'robots_denied')
    """

    def __init__(
        self,
        *,
        user_agent: str,
        clock: Callable[[], float] = time.monotonic,
        keep: float = 86_400.0,
        retry: float = 600.0,
    ) -> None:
        """Start with an empty cache.

        Args:
            user_agent: name of the crawler, whose ``product_token`` is looked for in the files.
            clock: function that returns seconds.
            keep: seconds for which a file is used.
            retry: seconds after which an unreachable file is requested again.
        """
        self._token = product_token(user_agent)
        self._clock = clock
        self._keep = keep
        self._retry = retry
        self._cache: OrderedDict[str, Rules] = OrderedDict()
        self._reading: set[str] = set()

    def is_reading(self, site: str) -> bool:
        """Return whether an exchange is reading the file of an origin."""
        return site in self._reading

    def kept(self) -> dict[str, Rules]:
        """Return the rules of each origin in the cache, for ``keep``; their ``until`` is the seconds left."""
        now = self._clock()
        return {site: replace(rules, until=rules.until - now) for site, rules in self._cache.items()}

    def keep(self, rules: Mapping[str, Rules]) -> None:
        """Add what ``kept`` returned to the cache."""
        now = self._clock()
        for site, one in rules.items():
            self._keep_rules(site, replace(one, until=one.until + now))

    def forget(self) -> None:
        """Request every file again when it is needed next."""
        self._cache.clear()

    def rules(self, url: str) -> Exchange[Rules]:
        """Find the rules for a canonical URL: yields the requests for the file where it is not in the cache."""
        site = origin(url)
        while (rules := self._cached(site)) is None:
            if site in self._reading:
                yield Waiting(site)
                continue
            self._reading.add(site)
            try:
                self._keep_rules(site, (yield from self._read(f"{site}/robots.txt")))
            finally:
                self._reading.discard(site)
        return rules

    def _cached(self, site: str) -> Rules | None:
        rules = self._cache.get(site)
        if rules is None or self._clock() >= rules.until:
            return None
        self._cache.move_to_end(site)
        return rules

    def _keep_rules(self, site: str, rules: Rules) -> None:
        self._cache[site] = rules
        self._cache.move_to_end(site)
        if len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)

    def _read(self, url: str) -> Generator[Request, Response | Failure, Rules]:
        result = yield from self._follow(url)
        if isinstance(result, Failure):
            problem = result.detail or f"{url}: {result.reason}"
            return Rules(self._token, None, problem, self._clock() + self._retry, result.reason)
        if result.status >= 500 or result.status == 429:
            return Rules(self._token, None, f"{url} has status {result.status}", self._clock() + self._retry)
        file = None
        if 200 <= result.status < 300:
            text = text_of_robots(result.body)
            if text is None:
                return Rules(self._token, None, f"{url} is no text", self._clock() + self._retry)
            file = RobotsFile(text, self._token)
        return Rules(self._token, file, "", self._clock() + self._keep)

    def _follow(self, url: str) -> Generator[Request, Response | Failure, Response | Failure]:
        """Fetch a URL with at most five redirects; a redirect without a valid target is returned itself (no file)."""
        result = yield Request(url, page=False)
        for _ in range(MAX_REDIRECTS):
            target = redirect_target(result)
            if target is None:
                break
            result = yield Request(target, page=False)
        return result

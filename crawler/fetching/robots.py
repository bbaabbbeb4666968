"""robots.txt (RFC 9309), fetched through the world that is crawled.

A 4xx status allows all; a 5xx status or no response forbids all for the time being. Redirects are followed, also to
other hosts.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from protego import Protego

from crawler.model import Failure, Response, World
from crawler.url import canonical, origin

MAX_BYTES = 500 * 1024
"""Bytes of a file that are read (the minimum of RFC 9309, 2.5)."""
MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CACHE_SIZE = 20_000


@dataclass(frozen=True)
class _Rules:
    """The rules of an origin. Without a ``file`` all is allowed, or nothing where there is a ``problem``."""

    file: Protego | None
    problem: str
    until: float
    reason: str = "robots_unreachable"
    """Reason of the failure in case of a problem."""


class Robots:
    r"""Rules of robots.txt for one crawler, with a cache of one file per origin. Safe to use from several threads.

    >>> class OneFile:
    ...     def fetch(self, url):
    ...         return Response(url, 200, {}, b"User-agent: *\nCrawl-delay: 2\nDisallow: /private/")
    >>> robots = Robots(OneFile(), user_agent="ontocrawl/0.1")
    >>> robots.allowed("http://a.cn/1.html"), robots.allowed("http://a.cn/private/1.html")
    (True, False)
    >>> robots.crawl_delay("http://a.cn/1.html")
    2.0
    """

    def __init__(
        self,
        world: World,
        *,
        user_agent: str,
        clock: Callable[[], float] = time.monotonic,
        keep: float = 86_400.0,
        retry: float = 600.0,
    ) -> None:
        """Start with an empty cache.

        Args:
            world: the world that is crawled, source of the files.
            user_agent: name of the crawler; the part before the first slash or space is matched.
            clock: function that returns seconds; it decides only when a file is fetched again.
            keep: seconds after which a file is fetched again (RFC 9309, 2.4: a day).
            retry: seconds after which a file that could not be fetched is requested again.
        """
        self._world = world
        self._token = user_agent.partition("/")[0].partition(" ")[0]
        self._clock = clock
        self._keep = keep
        self._retry = retry
        self._cache: OrderedDict[str, _Rules] = OrderedDict()
        self._lock = threading.Lock()

    def refusal(self, url: str) -> Failure | None:
        """Return None where a canonical URL may be fetched, else a failure.

        Its reason is robots_denied; robots_unreachable after a server error; or that of the world (timeout, dns ..)
        where the host does not respond, so that a network that is down is not taken for a rule.
        """
        rules = self._rules(url)
        if rules.problem:
            return Failure(url, rules.reason, rules.problem)
        if rules.file is not None and not rules.file.can_fetch(url, self._token):
            return Failure(url, "robots_denied", f"{origin(url)}/robots.txt closes this path to {self._token}")
        return None

    def allowed(self, url: str) -> bool:
        """Return whether a canonical URL may be fetched."""
        return self.refusal(url) is None

    def crawl_delay(self, url: str) -> float | None:
        """Return the seconds between two requests that the host requests; None where it states no delay."""
        rules = self._rules(url)
        delay = rules.file.crawl_delay(self._token) if rules.file is not None else None
        return float(delay) if delay is not None else None

    def _rules(self, url: str) -> _Rules:
        site = origin(url)
        with self._lock:
            cached = self._cache.get(site)
            if cached is not None and self._clock() < cached.until:
                self._cache.move_to_end(site)
                return cached
        rules = self._read(f"{site}/robots.txt")
        with self._lock:
            self._cache[site] = rules
            self._cache.move_to_end(site)
            if len(self._cache) > _CACHE_SIZE:
                self._cache.popitem(last=False)
        return rules

    def _read(self, url: str) -> _Rules:
        result = self._follow(url)
        if isinstance(result, Failure):
            return _Rules(None, result.detail or f"{url}: {result.reason}", self._clock() + self._retry, result.reason)
        if result.status >= 500:
            return _Rules(None, f"{url} has status {result.status}", self._clock() + self._retry)
        file = Protego.parse(_text(result.body)) if result.status == 200 else None
        return _Rules(file, "", self._clock() + self._keep)

    def _follow(self, url: str) -> Response | Failure:
        """Fetch a URL with at most five redirects; a redirect without a valid target is returned itself (no file)."""
        result = self._world.fetch(url)
        for _ in range(MAX_REDIRECTS):
            if isinstance(result, Failure) or result.status not in _REDIRECTS:
                break
            target = canonical(result.headers.get("location", ""), result.url)
            if target is None:
                break
            result = self._world.fetch(target)
        return result


def _text(body: bytes) -> str:
    """Decode the first 500 KiB, without the line that is cut off."""
    if len(body) > MAX_BYTES:
        body = body[:MAX_BYTES].rpartition(b"\n")[0]
    return body.decode("utf-8-sig", "replace")

"""robots.txt (RFC 9309), fetched through the world and obeyed above every world.

4xx means that all is allowed, 5xx or no answer that nothing is for now; redirects are followed, also to other hosts.
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
"""How much of a file is read (RFC 9309, 2.5: at least so much)."""
MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_REMEMBERED = 20_000


@dataclass(frozen=True)
class _Rules:
    """What one host's file says. ``file`` None: everything is allowed, or nothing where ``problem`` tells why."""

    file: Protego | None
    problem: str
    until: float
    reason: str = "robots_unreachable"
    """Of the failure that a problem makes."""


class Robots:
    """May this crawler fetch this URL? One file per origin, remembered. Safe to use from several threads."""

    def __init__(
        self,
        world: World,
        *,
        user_agent: str,
        clock: Callable[[], float] = time.monotonic,
        keep: float = 86_400.0,
        retry: float = 600.0,
    ) -> None:
        """Nothing is fetched yet.

        Args:
            world: where the files come from; the world that is crawled.
            user_agent: the crawler's name; what stands before the first slash or space is matched.
            clock: seconds, for the two ages only; they decide when a file is asked for again, never what it says.
            keep: seconds after which a file is fetched again (RFC 9309, 2.4: a day).
            retry: seconds after which a file that could not be had is tried again.
        """
        self._world = world
        self._token = user_agent.partition("/")[0].partition(" ")[0]
        self._clock = clock
        self._keep = keep
        self._retry = retry
        self._known: OrderedDict[str, _Rules] = OrderedDict()
        self._lock = threading.Lock()

    def refusal(self, url: str) -> Failure | None:
        """None where a canonical URL may be fetched, else why not.

        robots_denied; robots_unreachable where the host answers with a server error; the world's own reason (timeout,
        dns ..) where the host does not answer at all, so that a dead network is not taken for a rule.
        """
        rules = self._rules(url)
        if rules.problem:
            return Failure(url, rules.reason, rules.problem)
        if rules.file is not None and not rules.file.can_fetch(url, self._token):
            return Failure(url, "robots_denied", f"{origin(url)}/robots.txt closes this path to {self._token}")
        return None

    def allowed(self, url: str) -> bool:
        """Whether a canonical URL may be fetched."""
        return self.refusal(url) is None

    def crawl_delay(self, url: str) -> float | None:
        """Seconds between two requests that the host asks for; None where it says nothing."""
        rules = self._rules(url)
        delay = rules.file.crawl_delay(self._token) if rules.file is not None else None
        return float(delay) if delay is not None else None

    def _rules(self, url: str) -> _Rules:
        place = origin(url)
        with self._lock:
            known = self._known.get(place)
            if known is not None and self._clock() < known.until:
                self._known.move_to_end(place)
                return known
        rules = self._ask(f"{place}/robots.txt")
        with self._lock:
            self._known[place] = rules
            self._known.move_to_end(place)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return rules

    def _ask(self, url: str) -> _Rules:
        answer = self._follow(url)
        if isinstance(answer, Failure):
            return _Rules(None, answer.detail or f"{url}: {answer.reason}", self._clock() + self._retry, answer.reason)
        if answer.status >= 500:
            return _Rules(None, f"{url} answers {answer.status}", self._clock() + self._retry)
        file = Protego.parse(_text(answer.body)) if answer.status == 200 else None
        return _Rules(file, "", self._clock() + self._keep)

    def _follow(self, url: str) -> Response | Failure:
        """The answer at the end of at most five redirects; one that leads nowhere stands for itself (no file)."""
        answer = self._world.fetch(url)
        for _ in range(MAX_REDIRECTS):
            if isinstance(answer, Failure) or answer.status not in _REDIRECTS:
                break
            target = canonical(answer.headers.get("location", ""), answer.url)
            if target is None:
                break
            answer = self._world.fetch(target)
        return answer


def _text(body: bytes) -> str:
    """The first 500 KiB, without the line that the cut goes through."""
    if len(body) > MAX_BYTES:
        body = body[:MAX_BYTES].rpartition(b"\n")[0]
    return body.decode("utf-8-sig", "replace")

"""When each host may be requested: delays, back-off, and a breaker for hosts that do not respond.

This module waits for nothing, and its methods receive the time, so that tests invent it. Only a Retry-After that is a
date, in a response without one, is compared with the clock of the system.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crawler.fetching.retries import BUSY, NO_RESPONSE, retry_after
from crawler.model import Failure, Response
from ontology.errors import Message

SUSPECT = 5
"""Requests in a row without a response after which a host is requested once at a time, after growing pauses."""
GIVEN_UP = 8
"""Requests in a row without a response after which a host is not requested for a while."""
PROBE_PAUSE, GIVEN_UP_PAUSE, LONGEST_PAUSE = 2.0, 60.0, 3600.0
"""Seconds before the first probe of a suspect host and the first one of a host that was given up; each next pause is
twice as long, up to the longest."""
_LONGEST_PROBE_PAUSE = PROBE_PAUSE * 2.0 ** (GIVEN_UP - SUSPECT - 1)
BACK_OFF = 10.0
"""Seconds without requests after a 429 or 503 that names no time; twice as long after each further one."""


WAITS: Final = ("request", "turn", "delay", "crawl_delay", "slow_host", "retry_after", "back_off", "no_response")
"""Codes of the reasons why a host is not requested at a time; `why_it_waits` says what each means."""


def why_it_waits(code: str) -> str:
    """Return what a code of ``WAITS`` means; another code as it is."""
    return Message(f"waits.{code}") if code in WAITS else code


@dataclass(slots=True)
class _Host:
    active: int = 0
    ended: float = -math.inf
    answered: float = -math.inf
    """Time of the last response."""
    took: float = 0.0
    """Seconds of the last request."""
    closed_until: float = -math.inf
    silent: int = 0
    """Requests in a row without a response."""
    busy: int = 0
    """Responses in a row that ask for fewer requests."""
    asked: bool = False
    """Whether the last of these named the time to wait."""


class HostSchedule:
    """The clocks of all hosts.

    With a delay, a host has one request at a time, and the pause after it is the longest of the delay, the host's
    Crawl-delay, and the time that the last request took, so that a slow host is left alone for half of the time.

    >>> hosts = HostSchedule(1.0)
    >>> hosts.begin("a.cn")
    >>> hosts.ready_at("a.cn")
    inf
    >>> hosts.end("a.cn", 10.0, 0.2, Response("http://a.cn/", 200, {}, b""))
    >>> hosts.ready_at("a.cn"), hosts.ready_at("a.cn", crawl_delay=5.0), hosts.ready_at("b.cn")
    (11.0, 15.0, -inf)
    """

    def __init__(self, delay: float = 1.0, *, longest: float = 60.0) -> None:
        """Set the delays.

        Args:
            delay: seconds between the end of one request to a host and the start of the next; 0 turns off this delay,
                that of robots.txt (but none of its other rules), and the limit of one request at a time.
            longest: maximum in seconds of a pause that a host asks for by Crawl-delay, or by being slow; a host that
                asks for a longer one by Retry-After is given up for that time, at most an hour.

        Raises:
            ValueError: a negative delay or maximum.
        """
        if delay < 0 or longest < 0:
            raise ValueError(f"delays must not be negative: {delay}, {longest}")
        self._delay = delay
        self._longest = longest
        self._hosts: dict[str, _Host] = {}
        self._closed: set[str] = set()
        """Hosts that were not to be requested for a while, when they last responded or failed to."""

    def ready_at(self, host: str, crawl_delay: float = 0.0) -> float:
        """Return the time from which a host may be requested; infinity while a request to it has to end first.

        Args:
            host: name of the host.
            crawl_delay: seconds between two requests that the host's robots.txt asks for.
        """
        state = self._hosts.get(host)
        if state is None:
            return -math.inf
        if state.active and (self._delay or state.silent >= SUSPECT):
            return math.inf
        pause = max(self._delay, min(max(crawl_delay, state.took), self._longest)) if self._delay else 0.0
        return max(state.ended + pause, state.closed_until)

    def gives_up(self, host: str, now: float) -> str | None:
        """Return the reason code with which links to a host should fail without a request, else None.

        ``host_down``: it did not respond for long; ``host_paused``: it asked for a pause longer than the longest one.
        """
        state = self._hosts.get(host)
        if state is None or now >= state.closed_until:
            return None
        if state.silent >= GIVEN_UP:
            return "host_down"
        long = state.closed_until - now > max(self._longest, _LONGEST_PROBE_PAUSE)
        return ("host_down" if state.silent else "host_paused") if long else None

    def pause_left(self, host: str, now: float) -> float:
        """Return the seconds for which a host asked not to be requested, or is left alone; 0 for none."""
        state = self._hosts.get(host)
        return 0.0 if state is None else max(0.0, state.closed_until - now)

    def pauses(self, now: float) -> dict[str, list[float]]:
        """Return host -> what ``restore`` needs, of the hosts that are not to be requested for a while."""
        closed = ((host, self._hosts[host]) for host, _, _ in self.closed(now))
        return {host: [round(s.closed_until - now, 1), s.silent, s.busy, int(s.asked)] for host, s in closed}

    def restore(self, pauses: Mapping[str, Sequence[float]], now: float) -> None:
        """Continue pauses of another process.

        Args:
            pauses: the result of ``pauses``; the seconds of each may be fewer.
            now: the time.
        """
        for host, (left, silent, busy, asked) in pauses.items():
            state = self._hosts.setdefault(host, _Host())
            state.closed_until, state.silent, state.busy, state.asked = now + left, int(silent), int(busy), bool(asked)
            self._note_pause(host, state, now)

    def why_waits(self, host: str, now: float, crawl_delay: float = 0.0) -> str | None:
        """Return the code of WAITS for the reason why a host may not be requested at a time; None where it may be."""
        if self.ready_at(host, crawl_delay) <= now:
            return None
        state = self._hosts[host]
        if state.active and (self._delay or state.silent >= SUSPECT):
            return "request"
        if state.closed_until > now:
            return "no_response" if state.silent else "retry_after" if state.asked else "back_off"
        if max(crawl_delay, state.took) <= self._delay:
            return "delay"
        return "crawl_delay" if crawl_delay >= state.took else "slow_host"

    def closed(self, now: float) -> list[tuple[str, str, float]]:
        """Return host, reason (a code of WAITS) and end of every pause that a host asked for or caused."""
        self._closed = {host for host in self._closed if self._hosts[host].closed_until > now}
        return [
            (host, self.why_waits(host, now) or "", self._hosts[host].closed_until) for host in sorted(self._closed)
        ]

    def begin(self, host: str) -> None:
        """Note the start of a request."""
        self._hosts.setdefault(host, _Host()).active += 1

    def end(self, host: str, now: float, took: float, reply: Response | Failure, since: float = math.inf) -> None:
        """Note the end of a request.

        Args:
            host: name of the host.
            now: the time.
            took: seconds that the request took.
            reply: the response or failure.
            since: the time when the request was made first; infinity for now. If the host responded to another one
                meanwhile, that this one fails once more is no sign that the host does not respond.
        """
        state = self._hosts[host]
        state.active -= 1
        state.ended, state.took = now, took
        if isinstance(reply, Failure) and reply.reason in NO_RESPONSE:
            if state.answered > since:
                return
            state.silent += 1
            state.closed_until = max(state.closed_until, now + _pause_of_silent(state.silent))
            self._note_pause(host, state, now)
            return
        state.silent, state.answered = 0, now
        if isinstance(reply, Response) and reply.status in BUSY:
            asked = retry_after(reply, time.time())
            pause = BACK_OFF * 2.0**state.busy if asked is None else asked
            state.busy, state.asked = min(state.busy + 1, 10), asked is not None
            state.closed_until = max(state.closed_until, now + min(pause, LONGEST_PAUSE))
            self._note_pause(host, state, now)
        else:
            state.busy = 0

    def _note_pause(self, host: str, state: _Host, now: float) -> None:
        if state.closed_until > now:
            self._closed.add(host)


class NoSchedule(HostSchedule):
    """A schedule for a world that nobody else uses, such as an archive: no pause and no host that is given up."""

    def __init__(self) -> None:
        super().__init__(0.0)

    def ready_at(self, host: str, crawl_delay: float = 0.0) -> float:
        """Return a time that has passed."""
        return -math.inf

    def gives_up(self, host: str, now: float) -> str | None:
        """Return that the host is not given up."""
        return None


def _pause_of_silent(silent: int) -> float:
    """Return the seconds without requests to a host that did not respond ``silent`` times in a row."""
    if silent >= GIVEN_UP:
        return min(GIVEN_UP_PAUSE * 2.0 ** (silent - GIVEN_UP), LONGEST_PAUSE)
    return PROBE_PAUSE * 2.0 ** (silent - SUSPECT) if silent >= SUSPECT else -math.inf

"""Delays, back-off and the breaker of hosts, at invented times."""

from __future__ import annotations

import math

import pytest

from crawler.fetching.hosts import (
    BACK_OFF,
    GIVEN_UP,
    GIVEN_UP_PAUSE,
    LONGEST_PAUSE,
    PROBE_PAUSE,
    SUSPECT,
    HostSchedule,
)
from crawler.fetching.retries import retry_after
from crawler.model import Failure, Response

PAGE = Response("http://a.example/", 200, {}, b"")
SILENT = Failure("http://a.example/", "timeout")


def request(hosts: HostSchedule, now: float, reply: Response | Failure = PAGE, took: float = 0.0) -> None:
    """Make a request that ends at ``now``."""
    hosts.begin("a.example")
    hosts.end("a.example", now, took, reply)


def test_the_pause_begins_when_the_request_ends() -> None:
    hosts = HostSchedule(1.0)
    hosts.begin("a.example")
    assert hosts.ready_at("a.example") == math.inf
    hosts.end("a.example", 105.0, 0.5, PAGE)
    assert hosts.ready_at("a.example") == 106.0


def test_hosts_do_not_wait_for_each_other() -> None:
    hosts = HostSchedule(1.0)
    hosts.begin("a.example")
    assert [hosts.ready_at(host) for host in ("b.example", "a.example:8080")] == [-math.inf, -math.inf]


@pytest.mark.parametrize(("asked", "waited"), [(0.0, 1.0), (0.2, 1.0), (5.0, 5.0), (1e9, 60.0)])
def test_the_longer_delay_counts_up_to_the_cap(asked: float, waited: float) -> None:
    hosts = HostSchedule(1.0)
    request(hosts, 100.0)
    assert hosts.ready_at("a.example", asked) == 100.0 + waited


@pytest.mark.parametrize(("took", "waited"), [(0.4, 1.0), (7.0, 7.0), (300.0, 60.0)])
def test_a_slow_host_is_left_alone_as_long_as_it_took(took: float, waited: float) -> None:
    hosts = HostSchedule(1.0)
    request(hosts, 100.0, took=took)
    assert hosts.ready_at("a.example") == 100.0 + waited


def test_delay_zero_lifts_all_delays_and_the_limit_of_one_request() -> None:
    hosts = HostSchedule(0.0)
    hosts.begin("a.example")
    assert hosts.ready_at("a.example", 9.0) == -math.inf
    hosts.end("a.example", 100.0, 3.0, PAGE)
    assert hosts.ready_at("a.example", 9.0) == 100.0


@pytest.mark.parametrize("delay", [0.0, 1.0])
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_host_gets_the_time_that_it_asks_for_else_twice_as_long_each_time(status: int, delay: float) -> None:
    hosts = HostSchedule(delay)
    request(hosts, 100.0, Response("http://a.example/", status, {"retry-after": "33"}, b""))
    assert hosts.ready_at("a.example") == 133.0
    hosts = HostSchedule(delay)
    for times in range(3):
        request(hosts, 100.0, Response("http://a.example/", status, {}, b""))
        assert hosts.ready_at("a.example") == 100.0 + BACK_OFF * 2**times
    request(hosts, 200.0)
    request(hosts, 200.0, Response("http://a.example/", status, {}, b""))
    assert hosts.ready_at("a.example") == 200.0 + BACK_OFF


def test_a_host_that_asks_for_a_long_pause_is_given_up_for_that_time_but_an_hour_at_most() -> None:
    hosts = HostSchedule(1.0)
    request(hosts, 100.0, Response("http://a.example/", 429, {"retry-after": "86400"}, b""))
    assert hosts.ready_at("a.example") == 100.0 + LONGEST_PAUSE
    assert hosts.gives_up("a.example", 101.0) and not hosts.gives_up("a.example", 100.0 + LONGEST_PAUSE)
    request(hosts, 5000.0, Response("http://a.example/", 429, {"retry-after": "30"}, b""))
    assert not hosts.gives_up("a.example", 5001.0)


@pytest.mark.parametrize("delay", [0.0, 1.0])
def test_a_silent_host_is_probed_after_growing_pauses_and_then_given_up(delay: float) -> None:
    hosts, now, pauses = HostSchedule(delay), 100.0, []
    for _ in range(GIVEN_UP + 8):
        request(hosts, now, SILENT)
        pauses.append(hosts.ready_at("a.example") - now)
        now = hosts.ready_at("a.example")
    assert pauses[: SUSPECT - 1] == [delay] * (SUSPECT - 1)
    assert pauses[SUSPECT - 1 : GIVEN_UP - 1] == [PROBE_PAUSE, 2 * PROBE_PAUSE, 4 * PROBE_PAUSE]
    assert pauses[GIVEN_UP - 1 : GIVEN_UP + 1] == [GIVEN_UP_PAUSE, 2 * GIVEN_UP_PAUSE]
    assert pauses[-1] == LONGEST_PAUSE
    request(hosts, now, SILENT)
    assert hosts.gives_up("a.example", now + 1.0)
    hosts.begin("a.example")
    assert hosts.ready_at("a.example") == math.inf  # one probe at a time, without delays too
    hosts.end("a.example", now, 0.0, PAGE)
    request(hosts, now + 9000.0)
    assert hosts.ready_at("a.example") == now + 9000.0 + delay
    assert not hosts.gives_up("a.example", now + 9000.0)


def test_a_host_that_refuses_a_page_is_not_silent() -> None:
    hosts = HostSchedule(1.0)
    for _ in range(2 * GIVEN_UP):
        request(hosts, 100.0, Response("http://a.example/", 404, {}, b""))
        request(hosts, 100.0, Failure("http://a.example/", "too_large"))
    assert hosts.ready_at("a.example") == 101.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0 "}, 0.0),
        ({"retry-after": "9" * 50}, 999_999_999.0),
        ({"retry-after": "-7"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
        ({"retry-after": "Fri, 08 Nov 2013 10:00:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 08 Nov 2013 10:00:30 GMT", "date": "Fri, 08 Nov 2013 10:00:10 GMT"}, 20.0),
        ({"retry-after": "Fri, 08 Nov 2013 09:00:00 GMT"}, 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(Response("http://a.example/", 503, headers, b""), now=1383904800.0) == seconds


def test_negative_delays_are_refused() -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        HostSchedule(-1.0)

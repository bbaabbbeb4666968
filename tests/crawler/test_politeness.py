"""Delays by an invented clock."""

from __future__ import annotations

import threading

import pytest

from crawler.fetching.politeness import Politeness


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def polite(clock: Clock, delay: float = 1.0, longest: float = 60.0) -> Politeness:
    return Politeness(delay, longest=longest, clock=clock.time, sleep=clock.sleep)


def test_the_pause_begins_when_the_request_ends() -> None:
    clock = Clock()
    politeness = polite(clock)
    with politeness.turn("a.example"):
        clock.now += 5
    clock.now += 0.25
    with politeness.turn("a.example"):
        assert clock.slept == [0.75]
    clock.now += 3
    with politeness.turn("a.example"):
        assert clock.slept == [0.75]


def test_hosts_do_not_wait_for_each_other() -> None:
    clock = Clock()
    politeness = polite(clock)
    for host in ("a.example", "b.example", "a.example:8080"):
        with politeness.turn(host):
            assert clock.slept == []


@pytest.mark.parametrize(("asked", "waited"), [(None, 1.0), (0.2, 1.0), (5.0, 5.0), (1e9, 60.0)])
def test_the_longer_delay_counts_up_to_the_cap(asked: float | None, waited: float) -> None:
    clock = Clock()
    politeness = polite(clock)
    for _ in range(2):
        with politeness.turn("a.example", asked):
            pass
    assert clock.slept == [waited]


def test_delay_zero_lifts_all_delays() -> None:
    clock = Clock()
    politeness = polite(clock, delay=0.0)
    for _ in range(3):
        with politeness.turn("a.example", 30.0):
            pass
    assert clock.slept == []


def test_a_failed_request_is_paused_after_too() -> None:
    clock = Clock()
    politeness = polite(clock)
    with pytest.raises(RuntimeError), politeness.turn("a.example"):
        raise RuntimeError("the request broke")
    with politeness.turn("a.example"):
        assert clock.slept == [1.0]


def test_one_request_per_host_at_a_time() -> None:
    politeness, inside, most = Politeness(0.001), [0], [0]
    lock = threading.Lock()

    def work() -> None:
        for _ in range(20):
            with politeness.turn("a.example"):
                with lock:
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                with lock:
                    inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_negative_delays_are_an_error() -> None:
    with pytest.raises(ValueError, match="negative"):
        Politeness(-1.0)

"""What a crawl writes about itself while it runs: reasons to wait, memory, rates; and that it changes no decision."""

from __future__ import annotations

import json
import math
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from crawler import heartbeat
from crawler.crawl import Crawl
from crawler.fetching.hosts import WAITS, HostSchedule
from crawler.heartbeat import Heartbeat
from crawler.journal import Journal
from crawler.model import Failure, Response
from tests.crawler import webs
from tests.crawler.test_pool import Clock, Web, pool_of

ROBOTS = (200, {}, b"User-agent: *\nCrawl-delay: 60")


def response(status: int = 200, **headers: str) -> Response:
    return Response("http://a.cn/", status, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


def after(reply: Response | Failure, *, times: int = 1, took: float = 0.1) -> HostSchedule:
    hosts = HostSchedule(1.0)
    for _ in range(times):
        hosts.begin("a.cn")
        hosts.end("a.cn", 100.0, took, reply)
    return hosts


def test_a_host_says_why_it_is_not_requested() -> None:
    silent = Failure("http://a.cn/", "timeout")
    assert HostSchedule(1.0).why_waits("a.cn", 100.0) is None
    assert after(response()).why_waits("a.cn", 100.5) == "delay"
    assert after(response()).why_waits("a.cn", 101.0) is None
    assert after(response()).why_waits("a.cn", 130.0, 60.0) == "crawl_delay"
    assert after(response(), took=30.0).why_waits("a.cn", 120.0) == "slow_host"
    assert after(response(429)).why_waits("a.cn", 105.0) == "back_off"
    assert after(response(429, retry_after="30")).why_waits("a.cn", 105.0) == "retry_after"
    assert after(silent, times=8).why_waits("a.cn", 130.0) == "no_response"
    busy = after(response())
    busy.begin("a.cn")
    assert busy.why_waits("a.cn", 200.0) == "request"


def test_hosts_that_are_left_alone_are_listed_until_their_pause_ends() -> None:
    hosts = after(response(503, retry_after="30"))
    hosts.begin("b.cn")
    hosts.end("b.cn", 100.0, 0.1, response())
    for _ in range(8):
        hosts.begin("c.cn")
        hosts.end("c.cn", 100.0, 0.1, Failure("http://c.cn/", "refused"))
    assert hosts.closed(100.0) == [("a.cn", "retry_after", 130.0), ("c.cn", "no_response", 160.0)]
    assert [name for name, *_ in hosts.closed(140.0)] == ["c.cn"]
    assert hosts.closed(160.0) == []


def test_a_pool_says_what_each_open_job_waits_for() -> None:
    pages: dict[str, Any] = {"http://c.example/robots.txt": ROBOTS, "http://r.example/": 503}
    web = Web(Clock(), pages)
    pool = pool_of(web)
    for number, url in enumerate(("http://c.example/1", "http://c.example/2", "http://r.example/")):
        pool.submit(number, url)
    assert [(job.url, job.waits) for job in pool.open_jobs()] == [
        ("http://c.example/robots.txt", "turn"),
        ("http://c.example/2", "robots"),
        ("http://r.example/robots.txt", "turn"),
    ]
    assert pool.wait(5.0) is None
    found = {job.url: (job.waits, job.until) for job in pool.open_jobs()}
    assert found["http://c.example/1"] == found["http://c.example/2"] == ("crawl_delay", pytest.approx(1060.1))
    assert found["http://r.example/"][0] == "retry" and pool.closed_hosts()[0][:2] == ("r.example", "back_off")
    assert all(reason in WAITS or reason in ("retry", "robots") for reason, _ in found.values())


def test_a_pool_that_waits_is_observed_as_often_as_the_observer_wants() -> None:
    clock = Clock()
    pool = pool_of(Web(clock, {"http://c.example/robots.txt": ROBOTS}))
    calls: list[float] = []

    def observer(now: float) -> float:
        calls.append(now)
        return now + 1.0

    pool.on_time = observer
    pool.submit(0, "http://c.example/1")
    assert pool.wait() is not None
    assert clock.now == pytest.approx(1060.2) and len(calls) >= 60
    assert max(later - earlier for earlier, later in pairwise(calls)) <= 1.2


def crawl_of(path: Path, **options: Any) -> Crawl:
    crawl = webs.make("best_first", path, **options)
    crawl.begin({"strategy": "best_first"})
    return crawl


def test_a_crawl_writes_its_figures_at_most_once_a_second(tmp_path: Path) -> None:
    clock, written = Clock(), []
    crawl = crawl_of(tmp_path / "j.sqlite", pages=30)
    crawl.pool._clock = clock.time
    with closing(crawl.journal), Heartbeat(tmp_path, crawl, 100.0, clock=clock.time, wall=clock.time) as beating:
        for step in crawl.steps():
            clock.now += 0.25
            beating.count(step)
            beat = heartbeat.read(tmp_path)
            assert beat is not None and clock.now - beat.written <= heartbeat.INTERVAL
            written.append(beat.written)
        steps = len(written)
        assert len(set(written)) <= steps * 0.25 + 2
        last = beating.beat(clock.now)
        assert (last.fetched, last.relevant) == (
            30,
            crawl.state.harvest.relevant,
        ) and last.seconds == 100.0 + steps * 0.25
        assert sum(last.failures.values()) == steps - 30 and last.per_minute == pytest.approx(30 * 240 / steps)
        assert last.memory is None or last.memory > 10**7
        assert last.last_at == clock.now and last.limit_pages == 30 and last.pages == ()
        beating.remove()
    assert heartbeat.read(tmp_path) is None


@pytest.mark.slow
def test_it_changes_nothing_that_a_crawl_decides(tmp_path: Path) -> None:
    crawl = crawl_of(tmp_path / "j.sqlite", in_flight=4, reproducible=True)
    with closing(crawl.journal), Heartbeat(tmp_path, crawl) as beating:
        for step in crawl.steps():
            beating._next = -math.inf  # it writes at every step and wait
            beating.count(step)
        found = webs.trace(crawl)
    assert found == webs.whole("best_first", tmp_path / "other.sqlite", in_flight=4, reproducible=True)


def test_a_disk_without_room_stops_no_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> int:
        raise OSError(28, "No space left on device")

    crawl = crawl_of(tmp_path / "j.sqlite", pages=5)
    monkeypatch.setattr(Path, "write_text", full)
    with closing(crawl.journal), Heartbeat(tmp_path, crawl) as beating:
        for step in crawl.steps():
            beating.count(step)
    assert crawl.stop_reason == "limit_pages" and heartbeat.read(tmp_path) is None


def test_the_file_of_a_crawl_that_failed_stays_and_counts_its_seconds(tmp_path: Path) -> None:
    clock = Clock()
    crawl = crawl_of(tmp_path / "j.sqlite", pages=30)
    crawl.pool._clock = clock.time
    with pytest.raises(ZeroDivisionError), Heartbeat(tmp_path, crawl, 5.0, clock=clock.time) as beating:
        for step in crawl.steps():
            clock.now += 0.1
            beating.count(step)
            if step.fetched == 12:
                raise ZeroDivisionError
    crawl.journal.close()
    beat = heartbeat.read(tmp_path)
    assert beat is not None and beat.fetched == 12
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        assert heartbeat.seconds_of(journal) == beat.seconds == pytest.approx(clock.now - 1000.0 + 5.0)
        journal.set("seconds", 7.5)
        assert heartbeat.seconds_of(journal) == max(7.5, beat.seconds)
        assert heartbeat.failed(journal) == beat.failures


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", json.dumps({"hosts": [], "pages": [], "pid": 1, "later": 2})])
def test_a_file_that_is_damaged_or_of_another_version_is_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / heartbeat.FILE).write_text(text)
    assert heartbeat.read(tmp_path) is None

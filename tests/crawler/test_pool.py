"""The pool of fetches: over invented time without workers, and with threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest

from crawler.fetching.fetch import Fetched, Fetcher
from crawler.fetching.hosts import GIVEN_UP, HostSchedule
from crawler.fetching.pool import SHELL, Done, FetchPool, Load, Rendered
from crawler.fetching.retries import RETRIES
from crawler.fetching.robots import Robots
from crawler.model import Failure, Rendering, Response
from crawler.pages.page import NO_PAGE, PageRecord, mark

Answer = Callable[[float], Response | Failure]


@dataclass(frozen=True)
class Cut:
    """A page with which something is wrong."""

    partial: str


class Clock:
    """Time that passes while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds < 10_000, "nothing will ever happen"
        self.now += seconds


class Web:
    """Pages by URL, 200 where none is given; every request takes a tenth of a second and is noted with its time."""

    name = "web"

    def __init__(self, clock: Clock, pages: Mapping[str, Any] | None = None) -> None:
        self.clock, self.pages = clock, dict(pages or {})
        self.log: list[tuple[float, str]] = []

    def fetch(self, url: str) -> Response | Failure:
        self.log.append((round(self.clock.now - 1000.0, 3), url))
        self.clock.now += 0.1
        answer = self.pages.get(url, 404 if url.endswith("robots.txt") else 200)
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, str):
            return Failure(url, answer)
        if isinstance(answer, Cut):
            return Response(url, 200, {}, b"begin", answer.partial)
        status, headers, body = answer if isinstance(answer, tuple) else (answer, {}, b"")
        return Response(url, status, headers, body)

    def close(self) -> None: ...


def read(url: str, fetched: Fetched | Failure) -> PageRecord:
    if isinstance(fetched, Failure):
        return PageRecord(fetched.url, failure=fetched.reason)
    return PageRecord(fetched.final_url, fetched.hops, fetched.response.status, partial=fetched.response.partial)


def pool_of(web: Web, delay: float = 1.0, **options: Any) -> FetchPool[PageRecord]:
    clock = web.clock
    robots = Robots(user_agent="tester", clock=clock.time)
    return FetchPool(
        Fetcher(web, robots, user_agent="tester"), read, HostSchedule(delay), retries=RETRIES, clock=clock.time,
        sleep=clock.sleep, **options,
    )  # fmt: skip


def run(pool: FetchPool[PageRecord], *urls: str) -> list[Done[PageRecord]]:
    for number, url in enumerate(urls):
        pool.submit(number, url)
    done = []
    while len(pool):
        result = pool.wait()
        assert result is not None
        done.append(result)
    return done


def times(web: Web, host: str) -> list[float]:
    return [at for at, url in web.log if f"//{host}/" in url]


def test_robots_are_requested_once_and_every_request_waits_for_the_host() -> None:
    web = Web(Clock())
    done = run(pool_of(web), *(f"http://a.example/{n}" for n in range(4)), "http://b.example/")
    assert sorted(job.number for job in done) == [0, 1, 2, 3, 4]
    assert [url for _, url in web.log].count("http://a.example/robots.txt") == 1
    at = times(web, "a.example")
    assert len(at) == 5 and all(after - before >= 1.09 for before, after in pairwise(at))
    assert times(web, "b.example")[0] < 0.5  # not behind the other host


def test_the_crawl_delay_of_a_host_holds_from_its_robots_file_on() -> None:
    web = Web(Clock(), {"http://c.example/robots.txt": (200, {}, b"User-agent: *\nCrawl-delay: 7")})
    run(pool_of(web), "http://c.example/1", "http://c.example/2", "http://a.example/")
    assert times(web, "c.example") == pytest.approx([0.0, 7.1, 14.2], abs=0.05)


def test_a_redirect_waits_for_the_host_that_it_leads_to() -> None:
    web = Web(Clock(), {"http://a.example/1": (302, {"location": "http://b.example/2"}, b"")})
    (done, *_) = [job for job in run(pool_of(web), "http://a.example/1", "http://b.example/1") if job.number == 0]
    assert (done.record.final_url, done.record.hops) == ("http://b.example/2", ("http://a.example/1",))
    at = times(web, "b.example")
    assert [url for _, url in web.log].count("http://b.example/robots.txt") == 1
    assert all(after - before >= 1.09 for before, after in pairwise(at))


@pytest.mark.parametrize(
    ("reason", "tries"),
    [("timeout", 3), ("dns", 2), (500, 2), (502, 3), (404, 1), ("too_large", 1), ("bad_response", 1)],
)
def test_each_failure_is_tried_as_often_as_the_table_says(reason: str | int, tries: int) -> None:
    web = Web(Clock(), {"http://a.example/1": reason})
    (done,) = run(pool_of(web), "http://a.example/1")
    code = reason if isinstance(reason, str) else f"http_{reason}"
    assert [url for _, url in web.log].count("http://a.example/1") == tries
    assert done.record.failure == code and done.retried == (code,) * (tries - 1)


def test_a_page_that_comes_at_the_third_try_is_a_page() -> None:
    web = Web(Clock(), {"http://a.example/1": ["timeout", "connection_reset", 200]})
    (done,) = run(pool_of(web, delay=0.0), "http://a.example/1")
    assert done.record.failure is None and done.retried == ("timeout", "connection_reset")
    first, second, third = [at for at, url in web.log if url.endswith("/1")]
    assert (second - first, third - second) == (pytest.approx(2.1), pytest.approx(4.1))


def test_a_page_that_is_cut_off_is_tried_again_and_kept_where_that_does_not_help() -> None:
    cut, other = Cut("incomplete_body: 9 bytes"), Cut("bad_framing: the last chunk")
    web = Web(Clock(), {
        "http://a.example/1": [cut, cut, 200], "http://b.example/1": cut,
        "http://c.example/1": [cut, "timeout", "reset"], "http://d.example/1": [cut, 404], "http://e.example/1": other,
    })  # fmt: skip
    done = {job.number: job for job in run(pool_of(web, delay=0.0), *sorted(web.pages))}
    came = [(done[n].record.partial, done[n].record.failure, done[n].retried) for n in range(5)]
    assert came == [
        ("", None, ("incomplete_body",) * 2),
        (cut.partial, None, ("incomplete_body",) * 2),
        (cut.partial, None, ("incomplete_body", "timeout")),
        ("", "http_404", ("incomplete_body",)),
        (other.partial, None, ()),
    ]


def test_a_part_of_a_page_counts_where_its_host_does_not_answer_again() -> None:
    web = Web(Clock(), {f"http://a.example/{n}": "refused" for n in range(40)} | {"http://a.example/robots.txt": 404})
    web.pages["http://a.example/cut"] = [Cut("incomplete_body: 9 bytes"), "refused"]
    done = run(pool_of(web, delay=0.0), "http://a.example/cut", *(f"http://a.example/{n}" for n in range(40)))
    record = next(job.record for job in done if job.number == 0)
    assert (record.failure, record.partial) == (None, "incomplete_body: 9 bytes")


def test_other_hosts_go_on_while_one_is_tried_again() -> None:
    web = Web(Clock(), {"http://a.example/1": ["timeout", 200]})
    done = run(pool_of(web, delay=0.0), "http://a.example/1", "http://b.example/1", "http://b.example/2")
    assert [job.number for job in done] == [1, 2, 0]


def test_a_busy_host_is_left_alone_as_long_as_it_asks() -> None:
    web = Web(Clock(), {"http://a.example/1": [(429, {"retry-after": "40"}, b""), 200]})
    done = run(pool_of(web), "http://a.example/1", "http://a.example/2")
    at = times(web, "a.example")
    assert at[2] - at[1] >= 40.0 and all(job.record.failure is None for job in done)


def test_a_host_that_is_closed_fails_its_links_without_a_request_for_each() -> None:
    web = Web(Clock(), {f"http://a.example/{n}": "refused" for n in range(40)} | {"http://a.example/robots.txt": 404})
    pool = pool_of(web, delay=0.0)
    done = run(pool, *(f"http://a.example/{n}" for n in range(40)), "http://b.example/")
    reasons = [job.record.failure for job in done]
    assert reasons.count("host_down") + reasons.count("refused") == 40 and reasons.count("host_down") > 20
    assert len(times(web, "a.example")) == 1 + GIVEN_UP
    assert next(job for job in done if job.number == 40).record.failure is None
    pool.submit(50, "http://a.example/50")
    late = pool.wait()
    assert late is not None and late.record.failure == "host_down"
    web.clock.now += 100.0
    pool.submit(51, "http://a.example/50")
    again = pool.wait()
    assert again is not None and again.record.failure is None


def test_jobs_that_have_to_wait_long_are_held() -> None:
    web = Web(Clock(), {"http://a.example/robots.txt": (200, {}, b"User-agent: *\nCrawl-delay: 30")})
    pool = pool_of(web)
    for number in range(3):
        pool.submit(number, f"http://a.example/{number}")
    assert pool.held() == 0
    pool.submit(3, "http://b.example/")
    first = pool.wait()
    assert first is not None and first.number == 3 and pool.held() == 3


def test_a_job_that_waits_for_its_next_try_gives_its_place_to_another() -> None:
    web = Web(Clock(), {"http://a.example/": [500, 500], "http://b.example/": ["connection_reset", 200]})
    pool = pool_of(web)
    pool.returns_for_retries = True
    pool.submit(0, "http://a.example/")
    pool.submit(1, "http://b.example/")
    assert [(pool.wait(), pool.retries()) for _ in range(2)] == [(None, 1), (None, 2)]
    assert (pool.next_retry() - web.clock.now, pool.held()) == (pytest.approx(2.0, abs=0.2), 0)
    pool.submit(2, "http://c.example/")
    done = [pool.wait() for _ in range(4)]
    assert [(one.number, one.record.status or one.record.failure) for one in done if one is not None] == [
        (2, 200), (1, 200), (0, "http_500"),
    ]  # fmt: skip
    assert (pool.retries(), len(pool)) == (0, 0)


def test_a_retry_waits_for_the_clock_of_its_host() -> None:
    web = Web(Clock(), {"http://a.example/1": ["connection_reset", 200]})
    run(pool_of(web, delay=5.0), "http://a.example/1", "http://a.example/2")
    times = [at for at, url in web.log if not url.endswith("robots.txt")]
    assert [round(later - earlier) for earlier, later in pairwise(times)] == [5, 5]


def test_further_tries_of_pages_that_do_not_respond_do_not_close_their_host() -> None:
    silent = {f"http://a.example/{n}": "connection_reset" for n in range(4)}
    web = Web(Clock(), silent)
    done = run(pool_of(web, delay=0.0), *silent, "http://a.example/page")
    assert sorted(one.record.failure or "" for one in done) == ["", *["connection_reset"] * 4]
    assert len([url for _, url in web.log if url in silent]) == 12


def test_draining_makes_no_request_and_leaves_jobs_open() -> None:
    web = Web(Clock())
    pool = pool_of(web)
    pool.submit(0, "http://a.example/0")
    pool.drain()
    assert pool.wait() is None and len(pool) == 1 and web.log == []


class Slow:
    """A world whose requests wait for a signal; it notes how many it makes at once for each host."""

    name = "slow"

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)
        self.inside: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self._lock = threading.Lock()

    def fetch(self, url: str) -> Response | Failure:
        if url.endswith("robots.txt"):
            return Response(url, 404, {}, b"")
        host = url.split("/")[2]
        with self._lock:
            self.inside[host] = self.inside.get(host, 0) + 1
            self.most[host] = max(self.most.get(host, 0), self.inside[host])
        assert self.go.acquire(timeout=20)
        with self._lock:
            self.inside[host] -= 1
        return Response(url, 200, {}, b"")

    def close(self) -> None: ...


@pytest.mark.slow
def test_no_worker_stands_at_a_slow_host_while_another_host_is_free() -> None:
    world = Slow()
    pool = FetchPool(Fetcher(world, user_agent="tester"), read, HostSchedule(0.001), workers=4)
    for number in range(20):
        pool.submit(number, f"http://slow.example/{number}")
    for number in range(3):
        pool.submit(100 + number, f"http://h{number}.example/")
    assert pool.wait(timeout=1.0) is None  # nothing was let through, but all hosts were reached
    assert sorted(world.inside) == ["h0.example", "h1.example", "h2.example", "slow.example"]
    for _ in range(23):
        world.go.release()
    assert len([pool.wait() for _ in range(23)]) == 23
    assert set(world.most.values()) == {1}
    pool.close()


@pytest.mark.slow
def test_without_delays_a_host_is_requested_many_times_at_once() -> None:
    world = Slow()
    pool = FetchPool(Fetcher(world, user_agent="tester"), read, workers=4)
    for number in range(8):
        pool.submit(number, f"http://a.example/{number}")
    assert pool.wait(timeout=1.0) is None and world.inside == {"a.example": 4}
    for _ in range(8):
        world.go.release()
    assert len([pool.wait() for _ in range(8)]) == 8 and world.most == {"a.example": 4}
    pool.close()


def test_an_error_in_a_worker_is_raised_and_a_wake_ends_a_wait() -> None:
    def broken(url: str, fetched: Fetched | Failure) -> PageRecord:
        raise RuntimeError("a defect of the reader")

    pool = FetchPool(Fetcher(Web(Clock()), user_agent="tester"), broken, workers=2)
    pool.submit(0, "http://a.example/0")
    with pytest.raises(RuntimeError, match="a defect of the reader"):
        pool.wait()
    pool.close()
    waiting = FetchPool(Fetcher(Slow(), user_agent="tester"), read, workers=1)
    waiting.submit(0, "http://a.example/0")
    threading.Timer(0.2, waiting.wake).start()
    assert waiting.wait() is None
    waiting.close()


# ---- pages in a browser


class Renders:
    """A renderer that loads parts of a page, and then has another page."""

    def __init__(self, *parts: str, delay: float = 0.0) -> None:
        self.parts, self.delay = parts, delay
        self.log: list[tuple[float, str]] = []
        self.replies: list[Response | Failure] = []
        self.rendered = Future[Rendered]()
        self.closed = False

    def wants(self, page: Response, mark: str) -> str:
        return mark if mark == SHELL else ""

    def render(self, page: Response, why: str, load: Load) -> Future[Rendered]:
        def on_reply(reply: Response | Failure) -> None:
            self.replies.append(reply)
            if len(self.replies) == len(self.parts):
                self.rendered.set_result((Rendering(why, requests=len(self.replies)), replace(page, body=b"made")))

        for part in self.parts:
            load(part, self.fetch, on_reply)
        return self.rendered

    def fetch(self, url: str) -> Response | Failure:
        self.log.append((time.monotonic(), url))
        return Response(url, 503, {}, b"a part")

    def close(self) -> None:
        self.closed = True


def rendering_pool(renderer: Renders, delay: float) -> FetchPool[PageRecord]:
    """A pool in which pages named ``app`` are shells."""
    closed = {"http://a.example/robots.txt": (200, {}, b"User-agent: *\nDisallow: /closed\n")}

    def read(url: str, fetched: Fetched | Failure) -> PageRecord:
        assert isinstance(fetched, Fetched)
        is_shell = url.endswith("/app") and not fetched.response.body
        return PageRecord(
            fetched.final_url, page=replace(NO_PAGE, shell=is_shell, title=fetched.response.body.decode())
        )

    return FetchPool(
        Fetcher(Web(Clock(), closed), user_agent="tester"), read, HostSchedule(delay), workers=2, retries=RETRIES,
        renderer=renderer, mark=mark,
    )  # fmt: skip


@pytest.mark.slow
def test_what_a_page_loads_is_requested_at_the_pace_of_its_host_and_others_go_on() -> None:
    renderer = Renders(*(f"http://a.example/part{n}" for n in range(3)), "http://a.example/closed/x")
    pool = rendering_pool(renderer, delay=0.3)
    pool.submit(1, "http://a.example/app")
    for number in range(2, 5):
        pool.submit(number, f"http://b.example/{number}")
    seen, done = set[tuple[str | None, int]](), []
    while len(pool):
        if (one := pool.wait(0.05)) is not None:
            done.append(one)
        seen |= {(job.waits, pool.held()) for job in pool.open_jobs() if job.url.endswith("/app")}
    assert [one.number for one in done][-1] == 1 and ("browser", 1) in seen
    assert done[-1].record.page.title == "made" and done[-1].rendering == Rendering("shell", requests=4)
    assert all(one.rendering is None for one in done[:-1])
    at = [when for when, _ in renderer.log]
    assert all(after - before >= 0.29 for before, after in pairwise(at))
    assert [url for _, url in renderer.log] == [f"http://a.example/part{n}" for n in range(3)]  # none is tried again
    refused = [reply.reason for reply in renderer.replies if isinstance(reply, Failure)]
    assert refused == ["robots_denied"]
    pool.close()
    assert renderer.closed


def test_a_page_of_which_the_browser_makes_nothing_stays_the_plain_one() -> None:
    renderer = Renders()
    renderer.rendered.set_result((Rendering(SHELL), None))
    pool = rendering_pool(renderer, delay=0.0)
    pool.submit(1, "http://a.example/app")
    assert (done := pool.wait()) is not None and done.record.page.shell and done.rendering == Rendering(SHELL)
    pool.close()


def test_an_error_of_the_renderer_ends_the_crawl_and_a_closed_pool_waits_for_no_page() -> None:
    failing = Renders()
    failing.rendered.set_exception(ValueError("broken"))
    pool = rendering_pool(failing, delay=0.0)
    pool.submit(1, "http://a.example/app")
    with pytest.raises(ValueError, match="broken"):
        pool.wait()
    pool.close()
    silent = Renders()
    pool = rendering_pool(silent, delay=0.0)
    pool.submit(1, "http://a.example/app")
    assert pool.wait(0.5) is None and pool.held() == 1
    pool.drain()
    assert pool.wait() is None and len(pool) == 1  # it is fetched again when the crawl is resumed
    pool.close()
    silent.rendered.set_result((Rendering(SHELL), None))
    assert len(pool) == 0

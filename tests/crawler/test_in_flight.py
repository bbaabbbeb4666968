"""Crawls with many pages in flight: nothing is lost, fetched twice or chosen beyond the limit, and replay is exact."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
import pytest

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits
from crawler.fetching.retries import Retry
from crawler.frontier import FrontierView
from crawler.journal import Journal, JournalError
from crawler.journal.journal import copy
from crawler.journal.ledger import failures
from crawler.model import Failure, Picks, Response
from crawler.worlds.live import LiveWorld
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import serve
from tests.crawler import webs


def run(crawl: Crawl) -> Crawl:
    for _ in crawl.steps():
        pass
    return crawl


def begun(crawl: Crawl) -> Crawl:
    crawl.begin({})
    return crawl


class Uneven:
    """The synthetic web, whose pages take longer or shorter by chance, so that outcomes come in another order."""

    name = "uneven"

    def __init__(self, pages: int = 600, longest: float = 0.004) -> None:
        self.web = SyntheticWorld("planted", pages, 0)
        self.requests = Counter[str]()
        self._longest, self._random, self._lock = longest, random.Random(1), threading.Lock()

    def fetch(self, url: str) -> Response | Failure:
        with self._lock:
            self.requests[url] += 1
            pause = self._random.random() * self._longest
            reply = self.web.fetch(url)
        time.sleep(pause)
        return reply

    def close(self) -> None: ...


@pytest.mark.slow
@pytest.mark.parametrize("name", webs.every_strategy())
def test_every_strategy_resumes_sixteen_in_flight_to_the_same_trace(name: str, tmp_path: Path) -> None:
    expected = webs.whole(name, tmp_path / "whole.sqlite", in_flight=16)
    interrupted = begun(webs.make(name, tmp_path / "cut.sqlite", in_flight=16))
    for at, _ in enumerate(interrupted.steps()):
        if at == 31:
            break
    out = len(interrupted.scheduler.in_flight)
    interrupted.journal.close()
    resumed = webs.make(name, tmp_path / "cut.sqlite", in_flight=16)
    resumed.resume()
    assert len(resumed.refetched) == out > 0
    run(resumed)
    assert webs.trace(resumed) == expected
    assert sum(failure is None for _, _, failure in expected) == 60
    resumed.journal.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg", "bcw_cc"])
def test_outcomes_in_any_order_are_replayed_in_the_order_of_the_journal(name: str, tmp_path: Path) -> None:
    """In free mode the order is that of arrival; snapshots fall between, while pages are out."""
    world = Uneven()
    first = begun(webs.make(name, tmp_path / "j.sqlite", world=world, in_flight=16, workers=16, pages=100))
    numbers = [step.number for step in first.steps() if step.number <= 70 or first.stop() is None]
    assert first.stop_reason == "interrupted" and len(numbers) >= 71
    before = webs.trace(first)
    left = tuple(first.state.urls.url(pick.link) for pick in first.scheduler.in_flight.values())  # before another hop
    first.journal.close()
    resumed = webs.make(name, tmp_path / "j.sqlite", world=world, in_flight=16, workers=16, pages=100)
    resumed.resume()
    assert resumed.refetched == left
    run(resumed)
    assert webs.trace(resumed)[: len(before)] == before
    assert resumed.scheduler.fetched == 100 and resumed.stop_reason == "limit_pages"
    assert not list(resumed.journal.query("SELECT link FROM pick GROUP BY link HAVING count(*) > 1"))
    resumed.journal.close()


@pytest.mark.slow
def test_picks_are_absorbed_in_order_of_arrival_in_free_mode_only(tmp_path: Path) -> None:
    order = {}
    for reproducible in (False, True):
        crawl = begun(
            webs.make(
                "breadth_first",
                tmp_path / f"{reproducible}.sqlite",
                world=Uneven(),
                in_flight=8,
                workers=8,
                reproducible=reproducible,
            )
        )
        run(crawl)
        rows = crawl.journal.query("SELECT json_extract(data, '$.pick') FROM event WHERE kind = 'outcome' ORDER BY seq")
        order[reproducible] = [number for (number,) in rows]
        crawl.journal.close()
    assert order[True] == sorted(order[True]) and order[False] != sorted(order[False])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg", "wang_landau"])
def test_reproducible_over_loopback_and_in_memory_give_one_trace(name: str, tmp_path: Path) -> None:
    expected = webs.whole(name, tmp_path / "memory.sqlite", pages=80, in_flight=16, reproducible=True)
    server = serve(SyntheticWorld("planted", 600, 0))
    live = LiveWorld(resolve=server.table, user_agent=webs.AGENT)
    try:
        crawl = webs.make(
            name, tmp_path / "http.sqlite", pages=80, world=live, in_flight=16, workers=16, reproducible=True
        )
        assert webs.trace(run(begun(crawl))) == expected
        crawl.journal.close()
    finally:
        live.close()
        server.close()


def test_pauses_of_the_network_cause_no_further_choice_with_reproducible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strategy may leave places empty; it is asked again after the next page, not after each pause."""
    rounds = []
    for at, world in enumerate((SyntheticWorld("planted", 600, 0), Uneven(longest=0.02))):
        path = tmp_path / f"{at}.sqlite"
        crawl = webs.make("best_first", path, world=world, in_flight=16, workers=16 * at, reproducible=True)
        choose = crawl.state.strategy.choose

        def sparing(view: FrontierView, rng: np.random.Generator, n: int, choose: Any = choose) -> Picks:
            return choose(view, rng, min(n, int(rng.integers(3))))

        monkeypatch.setattr(crawl.state.strategy, "choose", sparing)
        run(begun(crawl))
        rounds.append([event.data for event in crawl.journal.events_of("choice")])
        crawl.journal.close()
        monkeypatch.setattr("crawler.crawl.HELD", 0.001)
    assert rounds[0] == rounds[1]


@pytest.mark.parametrize("limit", [1, 7, 16, 33])
def test_the_limit_of_pages_is_met_exactly(limit: int, tmp_path: Path) -> None:
    crawl = begun(
        webs.make("breadth_first", tmp_path / "j.sqlite", world=Uneven(), in_flight=16, workers=16, pages=limit)
    )
    run(crawl)
    assert crawl.scheduler.fetched == limit and not crawl.scheduler.in_flight
    crawl.journal.close()


class Redirecting:
    """A seed with many links that all lead to few pages, some directly and some by redirects."""

    name = "redirecting"
    LINKS: ClassVar = [f"/r{n}" for n in range(12)] + ["/p0", "/p1", "/p2", "/back"]

    def __init__(self, slow: str = "") -> None:
        self._slow = slow

    def fetch(self, url: str) -> Response | Failure:
        path = url.removeprefix("http://r.example")
        if path == self._slow:
            time.sleep(0.05)
        if path.startswith("/r") and path != "/robots.txt":
            return Response(url, 302, {"location": f"/p{int(path[2:]) % 3}"}, b"")
        if path == "/back":
            return Response(url, 302, {"location": "/"}, b"")
        if path not in ("/", "/p0", "/p1", "/p2"):
            return Response(url, 404, {}, b"")
        links = "".join(f'<a href="{link}">rain</a>' for link in self.LINKS) if path == "/" else "<p>rain</p>"
        return Response(url, 200, {"content-type": "text/html"}, f"<html><body>{links}</body></html>".encode())

    def close(self) -> None: ...


@pytest.mark.parametrize("slow", ["", "/p0", "/r0"])
@pytest.mark.parametrize("in_flight", [1, 16])
def test_redirects_that_race_to_one_page_read_it_once(in_flight: int, slow: str, tmp_path: Path) -> None:
    crawl = webs.make(
        "breadth_first", tmp_path / "j.sqlite", world=Redirecting(slow), in_flight=in_flight, workers=in_flight
    )
    object.__setattr__(crawl.state.setup, "seeds", ("http://r.example/",))
    run(begun(crawl))
    rows = list(crawl.journal.query("SELECT final_url, failure FROM page"))
    read = [final for final, failure in rows if failure is None]
    assert sorted(read) == [f"http://r.example/{page}" for page in ("", "p0", "p1", "p2")]
    assert {failure for _, failure in rows} == {None, "duplicate_redirect"}
    assert crawl.stop_reason == "frontier_empty"
    crawl.journal.close()


@pytest.mark.slow
def test_stop_drains_and_leaves_what_waits_for_its_host_in_flight(tmp_path: Path) -> None:
    world = Uneven(longest=0.02)
    crawl = begun(webs.make("breadth_first", tmp_path / "j.sqlite", world=world, in_flight=8, workers=4))
    for step in crawl.steps():
        if step.number == 20:
            crawl.stop()
    assert crawl.stop_reason == "interrupted" and crawl.journal.get("draining") is None
    left = tuple(crawl.state.urls.url(pick.link) for pick in crawl.scheduler.in_flight.values())
    assert len(left) >= 1  # eight were open, and four at most were being requested
    crawl.journal.close()
    resumed = webs.make("breadth_first", tmp_path / "j.sqlite", world=world, in_flight=8, workers=4)
    resumed.resume()
    assert resumed.refetched == left
    assert run(resumed).scheduler.fetched == 60
    resumed.journal.close()


@pytest.mark.parametrize("reproducible", [False, True])
def test_a_limit_of_time_waits_for_requests_that_are_being_made(
    reproducible: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = Uneven(longest=0.02)
    crawl = begun(
        webs.make(
            "breadth_first", tmp_path / "j.sqlite", world=world, in_flight=8, workers=8, reproducible=reproducible
        )
    )
    waits: list[float | None] = []
    wait = crawl.pool.wait

    def counted(timeout: float | None = None) -> Any:
        waits.append(timeout)
        assert len(waits) < 1000, "the crawl waits for no time at all, again and again"
        return wait(timeout)

    monkeypatch.setattr(crawl.pool, "wait", counted)
    for step in crawl.steps():
        if step.number == 20:
            crawl.limits = Limits(pages=60, seconds=1e-9)
    assert crawl.stop_reason == "limit_time" and not crawl.pool.active
    assert 20 < crawl.scheduler.fetched <= 28
    crawl.journal.close()


@pytest.mark.slow
def test_the_oracle_fetches_the_targets_ahead_and_each_once(tmp_path: Path) -> None:
    world = Uneven()
    crawl = begun(
        webs.make(
            "breadth_first", tmp_path / "j.sqlite", world=world, in_flight=8, workers=8, pages=12, target="oracle"
        )
    )
    run(crawl)
    rows = crawl.journal.query(
        "SELECT u.url, p.final_url, e.kind, e.data FROM page p JOIN event e USING (seq) JOIN url u ON u.id = p.link"
    )
    allowed, looks = Counter[str](), Counter[str]()
    for url, final, kind, data in rows:
        looks[url] += kind == "look"
        if kind == "look" or not looks[url]:  # a page that was read ahead is not requested again
            allowed.update({url, final, *json.loads(data)["hops"]})
    assert looks.total() > 12 and set(looks.values()) <= {0, 1}
    pages = Counter({url: count for url, count in world.requests.items() if not url.endswith("/robots.txt")})
    assert pages <= allowed
    crawl.journal.close()


@pytest.mark.slow
def test_pages_are_the_same_from_processes_and_one_that_ends_costs_one_page(tmp_path: Path) -> None:
    expected = webs.whole("fcosa_lg", tmp_path / "one.sqlite", pages=30, in_flight=4, reproducible=True)
    crawl = begun(
        webs.make(
            "fcosa_lg", tmp_path / "many.sqlite", world=Uneven(), pages=30, in_flight=4, workers=4, reproducible=True,
            parsers=2,
        )
    )  # fmt: skip
    assert webs.trace(run(crawl)) == expected
    crawl.journal.close()
    crashing = begun(webs.make("breadth_first", tmp_path / "c.sqlite", world=Uneven(), pages=30, workers=1, parsers=1))
    steps = []
    for step in crashing.steps():
        steps.append(step.record.failure)
        if len(steps) == 5:
            for process in multiprocessing.active_children():
                process.kill()
                process.join()
    assert steps.count("parser_crashed") == 1 and crashing.scheduler.fetched == 30
    crashing.journal.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows sends Ctrl-C in another way")
def test_processes_that_parse_are_left_alone_by_ctrl_c_while_they_start(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    crawl = begun(webs.make("breadth_first", tmp_path / "j.sqlite", world=Uneven(), pages=10, workers=1, parsers=2))
    parsers = [p.pid for p in multiprocessing.active_children() if p.name == "page parser" and p.pid is not None]
    assert len(parsers) == 2
    for pid in parsers:  # they still read their modules
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGHUP)
    assert [step.record.failure for step in crawl.steps()].count("parser_crashed") == 0
    assert crawl.scheduler.fetched == 10
    crawl.journal.close()
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.slow
def test_a_crawl_with_an_oracle_stops_and_resumes(tmp_path: Path) -> None:
    options = {"in_flight": 8, "workers": 8, "pages": 12, "target": "oracle"}
    crawl = begun(webs.make("breadth_first", tmp_path / "j.sqlite", world=Uneven(), **options))  # type: ignore[arg-type]
    for step in crawl.steps():
        if step.number == 5:
            crawl.stop()
    assert crawl.stop_reason == "interrupted" and crawl.scheduler.in_flight
    crawl.journal.close()
    resumed = webs.make("breadth_first", tmp_path / "j.sqlite", world=Uneven(), **options)  # type: ignore[arg-type]
    resumed.resume()
    assert run(resumed).scheduler.fetched == 12
    resumed.journal.close()


def test_a_journal_of_a_later_version_is_refused_by_name(tmp_path: Path) -> None:
    crawl = begun(webs.make("breadth_first", tmp_path / "j.sqlite"))
    crawl.journal.set("version", 5)
    crawl.journal.close()
    with pytest.raises(JournalError, match="a journal of version 5, and this program reads versions 1 to 4"):
        Journal(tmp_path / "j.sqlite")


# ---- pages that wait to be tried again


class Failing(Uneven):
    """The synthetic web, of which every third page answers at its third try only."""

    def fetch(self, url: str) -> Response | Failure:
        reply = super().fetch(url)
        is_ill = isinstance(reply, Response) and reply.status == 200 and not url.endswith("robots.txt")
        fails = is_ill and crc32(url.encode()) % 3 == 0 and self.requests[url] < 3
        return Failure(url, "connection_reset") if fails else reply


def retrying(path: Path, delay: float, in_flight: int, world: Uneven | None = None, pages: int = 60) -> Crawl:
    setup = webs.setup("breadth_first", tuple(SyntheticWorld("planted", 600, 0).seeds))
    retries = {"connection_reset": Retry(2, delay)}
    fetching = Fetching(webs.fetcher(world or Failing()), in_flight=in_flight, workers=in_flight, retries=retries)
    return Crawl(setup, fetching, Journal(path), Limits(pages=pages), snapshot_every=7)


def test_a_page_that_waits_to_be_tried_again_takes_no_place(tmp_path: Path) -> None:
    crawl = begun(retrying(tmp_path / "j.sqlite", 60.0, 4))
    assert any(step.in_flight > 8 and crawl.pool.retries() > 4 for step in crawl.steps())  # four places, all free
    crawl.journal.close()


def test_a_page_is_tried_again_until_it_answers(tmp_path: Path) -> None:
    crawl = run(begun(retrying(tmp_path / "j.sqlite", 0.01, 4)))
    tries = Counter(len(event.data.get("retried", ())) for event in crawl.journal.events_of("outcome"))
    assert tries[2] > 4 and max(tries) == 2
    assert "connection_reset" not in {reason for _, reason in failures(crawl.journal)}
    crawl.journal.close()


@pytest.mark.slow
def test_with_one_page_in_flight_the_trace_does_not_depend_on_the_time_of_a_retry(tmp_path: Path) -> None:
    traces = []
    for name, delay in (("quick", 0.0), ("slow", 0.02)):
        crawl = run(begun(retrying(tmp_path / name, delay, 1, pages=30)))
        traces.append(webs.trace(crawl))
        crawl.journal.close()
    assert traces[0] == traces[1] and len(traces[0]) == 30


@pytest.mark.slow
def test_a_crawl_that_is_killed_with_waiting_retries_goes_on_from_its_journal(tmp_path: Path) -> None:
    world, path = Failing(), tmp_path / "j.sqlite"
    killed = begun(retrying(path, 5.0, 4, world))
    for _ in killed.steps():
        if killed.pool.retries() >= 6:
            break
    killed.journal.commit()
    copy(path, tmp_path / "copy.sqlite")  # as it is when the process ends without a word
    killed.journal.close()
    before = webs.trace(killed_copy := retrying(tmp_path / "copy.sqlite", 0.01, 4, world))
    killed_copy.resume()
    assert len(killed_copy.refetched) >= 6
    run(killed_copy)
    after = webs.trace(killed_copy)
    assert after[: len(before)] == before and killed_copy.scheduler.fetched == 60
    assert len({url for url, _, _ in after}) == len(after)
    again = Counter(pick.link for pick in killed_copy.journal.picks())
    assert set(again.values()) == {1}
    killed_copy.journal.close()

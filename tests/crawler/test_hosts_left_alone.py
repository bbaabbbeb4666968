"""Crawls over invented time in which hosts ask for pauses, or do not respond: their links come later or are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crawler.crawl import LAST_PROBES, PROBE_EVERY, Crawl, _Requeueing
from crawler.crawl_options import Fetching, Limits
from crawler.fetching.fetch import Fetcher
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.retries import RETRIES
from crawler.fetching.robots import Robots
from crawler.heartbeat import Heartbeat
from crawler.journal import Journal
from crawler.journal.ledger import failures, ledger
from crawler.model import Failure, Response
from crawler.reachability import Reachability
from tests.crawler import webs
from tests.crawler.test_pool import Clock

HUB, LINKS = "http://hub.example/", 20


class Site:
    """A page on one host with links to another, which answers as it is told; None is a page."""

    name = "site"

    def __init__(self, clock: Clock, answer: Callable[[int, float], int | str | None], after: int = 300) -> None:
        self.clock, self._answer, self._after = clock, answer, after
        self.log: list[tuple[float, str]] = []

    def fetch(self, url: str) -> Response | Failure:
        self.clock.now += 0.1
        if url.endswith("robots.txt"):
            return Response(url, 404, {}, b"")
        self.log.append((self.clock.now, url))
        html = {"content-type": "text/html; charset=utf-8"}
        if url == HUB:
            links = "".join(f'<a href="http://busy.example/{n}">rainstorm {n}</a>' for n in range(LINKS))
            return Response(url, 200, html, f"<title>hub</title><p>rainstorm</p>{links}".encode())
        answer = self._answer(len(self.requests()), self.clock.now - 1000.0)
        if isinstance(answer, str):
            return Failure(url, answer)
        if answer is not None:
            return Response(url, answer, {"retry-after": str(self._after)}, b"")
        return Response(url, 200, html, f"<title>{url}</title><p>rainstorm {url}</p>".encode())

    def requests(self) -> list[float]:
        return [at for at, url in self.log if url != HUB]

    def close(self) -> None: ...


OPEN: list[Journal] = []


@pytest.fixture(autouse=True)
def closed_journals() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def crawl_of(site: Site, path: Path, **limits: Any) -> Crawl:
    clock = site.clock
    fetcher = Fetcher(site, Robots(user_agent="tester", clock=clock.time), user_agent="tester")
    fetching = Fetching(fetcher, in_flight=4, schedule=HostSchedule(1.0), retries=RETRIES)
    setup = webs.setup("breadth_first", seeds=(HUB,))
    OPEN.append(Journal(path))
    crawl = Crawl(setup, fetching, OPEN[-1], Limits(**limits), clock=clock.time)
    crawl.pool._clock, crawl.pool._sleep = clock.time, clock.sleep  # the pool's own are those of the system
    return crawl


def crawled(crawl: Crawl) -> dict[str, int]:
    """Crawl to the end; return the ledger with the number of fetched pages."""
    for _ in crawl.steps():
        pass
    found = ledger(crawl.journal)
    assert found.known == LINKS + 1 and found.queued == found.in_flight == 0
    return {"fetched": found.fetched, **found.reasons}


def begun(crawl: Crawl) -> Crawl:
    crawl.begin({})
    return crawl


def resumed(site: Site, path: Path) -> Crawl:
    crawl = crawl_of(site, path)
    crawl.resume()
    return crawl


def test_the_links_of_a_host_that_asked_for_a_pause_are_fetched_after_it(tmp_path: Path) -> None:
    site = Site(Clock(), lambda number, seconds: 503 if number >= 3 and seconds < 200 else None)
    crawl = begun(crawl_of(site, tmp_path / "journal.sqlite"))
    counts = crawled(crawl)
    assert counts == {"fetched": LINKS + 1} and crawl.stop_reason == "frontier_empty"
    third, fourth = site.requests()[2:4]
    assert fourth - third >= 300.0


def test_a_host_that_asks_for_pauses_again_and_again_does_not_hold_the_crawl_for_ever(tmp_path: Path) -> None:
    site = Site(Clock(), lambda number, seconds: 503 if number >= 3 else None)
    crawl = begun(crawl_of(site, tmp_path / "journal.sqlite"))
    counts = crawled(crawl)
    assert counts["fetched"] == 3 and counts["host_paused"] >= LINKS - 2 - 4 * (LAST_PROBES + 1)
    assert len(site.requests()) == 3 + LAST_PROBES and crawl.stop_reason == "frontier_empty"


def test_a_pause_is_kept_when_the_run_is_resumed_and_its_links_are_fetched_after_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    site = Site(Clock(), lambda number, seconds: 503 if number == 3 else None, after=3600)
    crawl = begun(crawl_of(site, path))
    assert crawled(crawl) == {"fetched": 3, "host_paused": LINKS - 2}  # too long to wait for
    crawl.journal.close()
    early = resumed(site, path)
    assert crawled(early) == {"fetched": 3, "host_paused": LINKS - 2} and len(site.requests()) == 3
    early.journal.set("pauses", {**early.journal.get("pauses"), "at": early.journal.get("pauses")["at"] - 3600})
    early.journal.close()
    late = resumed(site, path)
    assert crawled(late) == {"fetched": LINKS + 1}
    late.journal.close()


def test_a_host_that_stopped_to_respond_is_asked_again_at_the_end(tmp_path: Path) -> None:
    site = Site(Clock(), lambda number, seconds: "refused" if number >= 3 and seconds < 80 else None)
    crawl = begun(crawl_of(site, tmp_path / "journal.sqlite"))
    beats = Heartbeat(tmp_path, crawl, clock=site.clock.time)
    most = 0
    for step in crawl.steps():
        beats.count(step)
        most = max(most, beats.beat(site.clock.now).failures.get("host_down", 0))
    assert ledger(crawl.journal).fetched == LINKS + 1
    assert most > 0 and not beats.beat(site.clock.now).failures
    assert len([at for at in site.requests() if at - 1000.0 < 80.0]) < 3 + 12
    outcomes = Counter(event.data["failure"] for event in OPEN[-1].events_of("outcome"))
    assert outcomes["host_down"] > 0 and not failures(OPEN[-1])  # it answered later: nothing failed


def test_pages_that_are_silent_while_others_come_do_not_stop_the_crawl(tmp_path: Path) -> None:
    """The last requests of a crawl may all be further tries of pages that do not come."""
    bad = {f"http://busy.example/{n}" for n in range(1, LINKS, 3)}
    site = Site(Clock(), lambda number, seconds: None)
    answer = site.fetch
    site.fetch = lambda url: Failure(url, "timeout") if url in bad and site.clock.now else answer(url)  # type: ignore[method-assign]
    crawl = begun(crawl_of(site, tmp_path / "journal.sqlite"))
    assert crawled(crawl) == {"fetched": LINKS + 1 - len(bad), "timeout": len(bad)}
    assert crawl.stop_reason == "frontier_empty"


def test_a_link_that_was_chosen_before_one_that_responded_is_no_sign_of_a_lost_network() -> None:
    seen = Reachability()
    seen.count(0, "a.cn", None, 200, pick=1)
    seen.count(9, "a.cn", None, 200, pick=40)
    for link in range(1, 9):
        seen.count(link, "a.cn", "timeout", pick=link + 1)
    assert not seen.is_network_down(5)
    assert seen.links_to_try_again() == [*range(1, 9)]
    for link in range(41, 46):
        seen.count(link, "a.cn", "timeout", pick=link)
    restored = Reachability()
    restored.restore(seen.state())
    assert seen.is_network_down(5) and restored.is_network_down(5) and not restored.is_network_down(6)


def test_a_host_that_never_responded_is_not_waited_for(tmp_path: Path) -> None:
    site = Site(Clock(), lambda number, seconds: "refused")
    counts = crawled(begun(crawl_of(site, tmp_path / "journal.sqlite")))
    assert counts["host_down"] >= LINKS - 8 and site.clock.now - 1000.0 < 60.0


class Pauses:
    """What a pool says of its hosts."""

    def __init__(self) -> None:
        self.closed: set[str] = set()

    def gives_up(self, name: str) -> str | None:
        return "host_down" if name in self.closed else None


def test_a_host_whose_pause_is_over_is_asked_by_one_link_at_a_time() -> None:
    clock, seen, pool = Clock(), Reachability(), Pauses()

    class State:
        def was_read(self, link: int) -> bool:
            return link == 10

    again: Any = _Requeueing(State(), seen, pool, clock.time)  # type: ignore[arg-type]
    for link in (10, 11, 12, 13):
        assert seen.count(link, "a.cn", "host_paused") == []
    pool.closed.add("a.cn")
    clock.now += PROBE_EVERY
    assert again.due() == []
    pool.closed.clear()
    assert again.due() == []  # not so soon
    clock.now += PROBE_EVERY
    assert again.due() == [11]  # 10 was read through another link
    seen.forget([11])
    clock.now += PROBE_EVERY
    assert again.due() == []  # 11 is on its way
    assert seen.count(11, "a.cn", "http_503", 503) == []  # it asks for another pause
    clock.now += PROBE_EVERY
    assert again.due() == [12]
    seen.forget([12])
    assert seen.count(12, "a.cn", None, 200) == [13] and not seen.is_network_down(1)


@pytest.mark.parametrize(("failures", "down"), [("host_paused", False), ("timeout", True)])
def test_a_host_that_asks_for_a_pause_is_no_sign_that_the_network_is_down(failures: str, down: bool) -> None:
    seen = Reachability()
    seen.count(0, "a.cn", None, 200)
    for link in range(1, 30):
        seen.count(link, "a.cn", failures)
    assert seen.is_network_down(25) is down

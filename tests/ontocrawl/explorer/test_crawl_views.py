"""Crawls in a real browser: one is started by the form and watched until it ends, paused, explained, compared."""

from __future__ import annotations

import json
import os
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import asdict

import pytest

from crawler import heartbeat
from crawler.heartbeat import Beat, PageInFlight, WaitingHost
from kg.engine.files import FileLock
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import runs
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import running

pytestmark = pytest.mark.slow
NOTHING = re.compile(r"^\s*$")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace.init(tmp_path_factory.mktemp("views") / "ws")


@pytest.fixture(scope="module")
def window(place: Workspace) -> Iterator[Opened]:
    with running(place) as server, opened(server.address, locale="en-GB") as found:
        yield found


def fill(window: Opened, *, run: str, pages: int, of: int) -> None:
    """Fill in the form for a crawl of a synthetic web that is not written into the graph."""
    page = window.go("/crawls/_new")
    page.select_option("#world-kind", "synthetic")
    page.fill("#world", f"planted?pages={of}&seed=0")
    page.select_option("#strategy", "best_first")
    page.fill("#limit_pages", str(pages))
    page.fill("#run", run)
    page.uncheck("#graph")


def test_a_crawl_is_started_by_the_form_and_shown_until_it_ends(window: Opened, place: Workspace) -> None:
    fill(window, run="first", pages=3_000, of=20_000)
    page = window.page
    page.click("#check")
    page.locator("#cost li", has_text=re.compile(r"At most 3.?000 pages")).wait_for()
    page.click("#start")
    page.wait_for_url("**/crawls/first")
    fetched = page.locator("[data-of=fetched]")
    fetched.wait_for()
    seen = set()
    while page.locator("[data-of=state]").inner_text() != "finished":
        seen.add(fetched.inner_text())
        page.wait_for_timeout(300)
    assert len(seen) > 1  # the page showed the crawl as it went on, without being loaded again
    page.locator("[data-of=fetched]", has_text=re.compile(r"3.?000")).wait_for()
    page.locator("#curve svg").wait_for()
    assert page.locator("#pages tbody tr").count() == 30
    page.locator("#process", has_text=NOTHING).wait_for(state="attached")
    assert runs.result_of(place, "first").state == "finished"
    assert not window.complaints


@pytest.mark.skipif(os.name != "posix", reason="crawls are paused by a signal")
def test_a_crawl_is_paused_and_goes_on(window: Opened, place: Workspace) -> None:
    fill(window, run="second", pages=20_000, of=50_000)
    page = window.page
    page.click("#start")
    page.wait_for_url("**/crawls/second")
    page.locator("[data-of=fetched]", has_text=re.compile(r"\d\d")).wait_for()
    page.click("#pause")
    page.locator("[data-of=state]", has_text="paused").wait_for()
    limit = runs.result_of(place, "second").end.fetched + 30
    page.locator("#process", has_text=NOTHING).wait_for(state="attached")
    page.fill("#resume [name=limit_pages]", str(limit))
    page.click("#resume button")
    page.locator("[data-of=state]", has_text="finished").wait_for()
    assert runs.result_of(place, "second").end.fetched == limit
    assert not window.complaints


def test_what_is_wrong_is_said_at_its_field(window: Opened) -> None:
    fill(window, run="third", pages=10, of=300)
    page = window.page
    page.locator("summary", has_text="Scope").click()
    page.fill("#accept", "(")
    page.locator("summary", has_text="Scope").click()
    page.click("#start")
    page.locator("#accept-wrong", has_text="(").wait_for()
    assert page.evaluate("document.activeElement.id") == "accept"
    assert page.get_attribute("#accept", "aria-invalid") == "true"
    assert window.complaints and all("400" in text for text in window.complaints)  # the refused request
    window.complaints.clear()


def test_hosts_that_wait_and_pages_in_flight_are_shown(window: Opened, place: Workspace) -> None:
    folder, now = place.run("first"), time.time()
    hosts = (WaitingHost("<b>slow</b>.example", "retry_after", now + 600, 1),)
    pages = (
        PageInFlight("http://slow.example/1", now - 7, "retry_after"),
        PageInFlight("http://b.example/", now, None),
    )
    beat = Beat(
        pid=os.getpid(), computer=socket.gethostname(), started=now - 60, written=now, seconds=60.0, fetched=500,
        relevant=20, per_minute=30.0, failures={"timeout": 2}, queued=9, in_flight=2, requests=1, draining=False,
        limit_pages=2000, limit_time=0.0, memory=None, expected_gain=None, waiting_hosts=1, hosts=hosts, pages=pages,
    )  # fmt: skip
    lock = FileLock(folder / runs.LOCK)
    assert lock.acquire(5)
    try:
        (folder / heartbeat.FILE).write_text(json.dumps(asdict(beat)), encoding="utf-8")
        window.page.goto(f"{window.address}/crawls/first")
        window.page.locator("#hosts-number", has_text="Hosts that wait: 1").wait_for()
        window.page.locator("summary", has_text="Hosts of the crawl").press("Enter")
        row = window.page.locator("#hosts tbody tr", has_text="<b>slow</b>.example")
        row.wait_for()
        assert "Retry-After" in row.inner_text()
        assert window.page.locator("#flight tbody tr").count() == 2
        assert window.page.locator("#failures").inner_text() == "timeout 2"
        assert window.page.locator("[data-of=pages_per_second_last_minute]").inner_text() == "0.50"
    finally:
        lock.release()
        (folder / heartbeat.FILE).unlink()
    window.page.locator("[data-of=state]", has_text="finished").wait_for()


def test_a_page_is_explained_with_what_the_strategy_saw(window: Opened) -> None:
    page = window.go("/crawls/first")
    page.locator("#pages tbody a").first.click()
    page.wait_for_url("**/crawls/first/page?url=*")
    page.locator("#link dl").wait_for()
    assert page.locator("h2", has_text="The page, by the judge").count() == 1
    assert not window.complaints


def test_chosen_crawls_are_compared(window: Opened) -> None:
    page = window.go("/crawls?by=relevant&falling=yes")
    page.check("input[value=first]")
    page.check("input[value=second]")
    page.locator("button", has_text="Compare").click()
    page.wait_for_url("**/crawls/_compare?run=first&run=second")
    assert page.locator("figure polyline").count() == 2
    assert not window.complaints


@pytest.mark.parametrize("path", ["/crawls", "/crawls/_new", "/crawls/first", "/crawls/_compare?run=first&run=second"])
def test_a_page_fits_a_narrow_window(window: Opened, path: str) -> None:
    page = window.page
    page.set_viewport_size({"width": 360, "height": 740})
    try:
        window.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    finally:
        page.set_viewport_size({"width": 1200, "height": 800})

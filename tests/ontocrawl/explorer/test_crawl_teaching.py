"""Pages of a crawl that a person likes or dislikes, through a running explorer and in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from threading import Event, Thread

import pytest
import requests

from crawler.step import Step
from crawler.worlds.synthetic import SyntheticWorld
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.explorer.app import Prepared
from ontocrawl.runs import runs, teaching
from tests.ontocrawl.explorer import views
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import running

SPEC = "synthetic:planted?pages=300&seed=0"
URL = SyntheticWorld("planted", 300, 0).url(250)
"""A page that the run has not fetched."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    space = workspace.init(tmp_path_factory.mktemp("teaching") / "ws")
    for run, strategy in (("learns", "evidence_sum"), ("does-not", "breadth_first")):
        asked = ("--world", SPEC, "--topic", "rainstorm", "--strategy", strategy, "--limit-pages", "8", "--no-graph")
        assert invoke(["crawl", "run", *asked, "--run", run, "--workspace", str(space.root)]) == 0
    return space


@pytest.fixture(scope="module")
def server(place: Workspace) -> Iterator[Prepared]:
    with running(place) as found:
        yield found


@pytest.fixture
def program(server: Prepared) -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {server.address.token}"
        yield session


def test_a_program_teaches_a_run_and_takes_it_back(server: Prepared, program: requests.Session) -> None:
    address = f"{server.address.url}api/crawls/learns/taught"
    before = program.get(address, timeout=60).json()
    assert (before["taught"], before["teachable"], before["state"]) == ([], True, "finished")
    after = program.post(address, json={"unlike": [URL]}, timeout=60).json()
    assert [(one["url"], one["liked"], one["fetched"]) for one in after["taught"]] == [(URL, False, None)]
    assert program.get(address, timeout=60).json()["taught"] == after["taught"]
    assert program.post(address, json={"forget": [URL]}, timeout=60).json()["taught"] == []


def test_what_cannot_be_taught_is_refused(server: Prepared, program: requests.Session) -> None:
    address = f"{server.address.url}api/crawls"
    found = program.get(f"{address}/does-not/taught", timeout=60).json()
    assert (found["teachable"], found["strategy"], found["able"]) == (False, "breadth_first", ["evidence_sum"])
    for run, body in (
        ("does-not", {"like": [URL]}),
        ("learns", {"like": ["http://elsewhere.invalid/", 3]}),
        ("learns", {"forget": [URL]}),
        ("learns", {"love": [URL]}),
        ("no-such-run", {"like": [URL]}),
    ):
        answer = program.post(f"{address}/{run}/taught", json=body, timeout=60)
        status = 404 if run == "no-such-run" else 400
        assert answer.status_code == status and answer.json()["error"], (run, body)


def test_teaching_needs_the_token(server: Prepared) -> None:
    answer = requests.post(f"{server.address.url}api/crawls/learns/taught", json={"like": [URL]}, timeout=60)
    assert answer.status_code == 401


@pytest.mark.slow
def test_a_running_crawl_takes_a_verdict_within_ten_pages(
    server: Prepared, program: requests.Session, place: Workspace
) -> None:
    asked = ("--world", SPEC, "--topic", "rainstorm", "--strategy", "evidence_sum", "--limit-pages", "5", "--no-graph")
    assert invoke(["crawl", "run", *asked, "--run", "live", "--workspace", str(place.root)]) == 0
    urls = list[str]()

    def on_step(step: Step) -> None:
        urls.append(step.url)
        if step.fetched == 12:
            assert URL not in urls
            found = program.post(f"{server.address.url}api/crawls/live/taught", json={"like": [URL]}, timeout=60).json()
            assert (found["state"], [one["fetched"] for one in found["taught"]]) == ("running", [None])

    runs.resume(place, "live", on_step, changed={"limit_pages": 40})
    (lesson,) = teaching.taught(place, "live").taught
    assert lesson.liked and 12 <= (lesson.fetched or 0) <= 22
    assert URL in urls[7:17]  # the 12th page of the run is the 7th of this part


@pytest.fixture
def window(server: Prepared) -> Iterator[Opened]:
    with opened(server.address, locale="en-GB") as found:
        found.page.set_default_timeout(90_000)
        yield found


@pytest.mark.slow
def test_pages_are_liked_by_keyboard_on_the_list_and_on_their_page(window: Opened, place: Workspace) -> None:
    page = window.go("/crawls/learns")
    like = page.locator("#pages .verdict", has_text="Like").first
    like.focus()
    page.keyboard.press("Enter")
    page.locator("#taught tbody tr").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert "goes on with a larger limit" in page.locator("#said").inner_text()
    (lesson,) = teaching.taught(place, "learns").taught
    assert lesson.liked is True
    page.goto(page.locator("#taught tbody a").evaluate("link => link.href"))  # the table may be drawn again
    page.locator("#verdict [aria-pressed=true]", has_text="Like").wait_for()
    page.locator("#verdict button", has_text="Dislike").press("Space")
    page.locator("#verdict [aria-pressed=true]", has_text="Dislike").wait_for()
    assert [one.liked for one in teaching.taught(place, "learns").taught] == [False]
    page.keyboard.press("Space")  # the focus has stayed on the button, which takes the verdict back
    page.locator("#said", has_text="Taken back").wait_for()
    assert teaching.taught(place, "learns").taught == ()
    assert not window.complaints


@pytest.mark.slow
def test_a_running_crawl_shows_its_pages_as_they_come_and_is_taught(window: Opened, place: Workspace) -> None:
    asked = ("--world", SPEC, "--topic", "rainstorm", "--strategy", "evidence_sum", "--limit-pages", "5", "--no-graph")
    assert invoke(["crawl", "run", *asked, "--run", "shown", "--workspace", str(place.root)]) == 0
    done = Event()
    crawl = Thread(
        target=runs.resume, args=(place, "shown", lambda step: done.wait(0.4)), kwargs={"changed": {"limit_pages": 250}}
    )
    crawl.start()
    try:
        page = window.page
        page.goto(f"{window.address}/crawls/shown")
        page.locator("#diagnosis li", has_text="pages are relevant").wait_for()
        first = page.locator("#pages tbody td").first
        seen = first.inner_text()
        page.locator("#pages tbody td", has_text=re.compile(f"^{int(seen) + 3}$")).first.wait_for()
        assert any(page.locator("#pages tbody tr td:nth-child(5)").all_inner_texts())  # words that decided
        page.locator("#pages .verdict", has_text="Like").nth(4).focus()
        held = first.inner_text()
        page.locator("#newer", has_text="newer pages").wait_for()
        assert first.inner_text() == held  # the list stays while the focus is on it
        page.keyboard.press("Enter")
        page.locator("#taught tbody", has_text=re.compile(r"after \d+ pages")).wait_for()
        page.locator("summary", has_text="Why links were not fetched").press("Enter")
        page.locator("#reasons thead", has_text="What happened").wait_for()
        assert int(first.inner_text()) > int(held)  # the focus has left the list
        page.locator('#reasons [data-key="sort links"]').press("Enter")
        page.locator("#reasons th[aria-sort=ascending]").wait_for()
        assert page.url.endswith("/crawls/shown")  # the table is a part of the page, whose address stays
        assert "_sort=links" in str(page.locator(".alone").first.get_attribute("href"))
        page.set_viewport_size({"width": 360, "height": 740})
        assert views.measured(page, "wider") == [] and views.measured(page, "unnamed") == []
        assert not window.complaints
    finally:
        done.set()
        crawl.join()
    page.locator("[data-of=state]", has_text="finished").wait_for()
    page.locator("#diagnosis code", has_text="ontocrawl").wait_for()


@pytest.mark.slow
def test_a_run_that_cannot_be_taught_says_so(window: Opened) -> None:
    page = window.go("/crawls/does-not?lang=zh")
    page.locator("#teaching-effect", has_text="breadth_first").wait_for()
    assert page.locator(".verdict").count() == 0 and not page.locator("#teach-column").is_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    assert window.go("/crawls/learns").evaluate("document.documentElement.scrollWidth") <= 360
    assert views.measured(page, "faint") == [] and views.measured(page, "unnamed") == []
    assert not window.complaints

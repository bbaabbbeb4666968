"""The whole circle in a real browser, by clicks and keys alone: a crawl, proposals, a new version, a crawl with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.graph import graph_store
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import running

pytestmark = pytest.mark.slow
TOPIC, FIRST, SECOND = "rainstorm", "circle-first", "circle-second"
PAGES = 900


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace with nothing but its settings, and an engine of its own, which is stopped at the end."""
    folder = tmp_path_factory.mktemp("circle") / "ws"
    assert invoke(["init", str(folder)]) == 0
    made = workspace.find(folder)[0]
    with graph_store.store(made):  # starts the engine, which may take long on a busy machine
        pass
    yield made
    embedded.stop(made.graph)


@pytest.fixture(scope="module")
def window(fresh: Workspace) -> Iterator[Opened]:
    with running(fresh) as server, opened(server.address, locale="en-GB") as found:
        yield found


def crawl(page: Any, name: str) -> None:
    """From any page, start a crawl by the form, and watch it until it ends."""
    page.locator("header nav a", has_text="Crawls").click()
    page.locator("a", has_text="Start a crawl").click()
    page.select_option("#topic", TOPIC)
    page.select_option("#world-kind", "synthetic")
    page.fill("#world", "planted?pages=2000&seed=0")
    page.select_option("#strategy", "fcosa_lg")
    page.fill("#limit_pages", str(PAGES))
    page.fill("#run", name)
    page.click("#check")
    page.locator("#cost li", has_text=f"At most {PAGES} pages").wait_for()
    page.click("#start")
    page.locator("#figures").wait_for()
    fetched, seen = page.locator("[data-of=fetched]"), set()
    while page.locator("[data-of=state]").inner_text() != "finished":
        seen.add(fetched.inner_text())
        page.wait_for_timeout(200)
    assert len(seen) > 1  # the figures changed while somebody looked
    page.locator("[data-of=fetched]", has_text=str(PAGES)).wait_for()
    page.locator("#process", has_text=re.compile(r"^\s*$")).wait_for(state="attached")  # it is in the graph


def version_of_crawl(page: Any) -> str:
    """Return the version of the ontology by which the crawl of a page was steered."""
    return str(page.locator("#figures div", has_text="Ontology").locator("dd").inner_text())


def test_a_person_who_knows_no_command_goes_round(window: Opened) -> None:
    page = window.page
    crawl(page, FIRST)
    prior = version_of_crawl(page)

    page.locator("a", has_text="Propose and review terms").click()
    page.select_option("#filter [name=kind]", "concept")
    page.click("#propose button")
    page.locator("#said", has_text="open proposals").wait_for()
    page.locator("#proposal h2").wait_for()
    left = page.locator("#queue li[data-id]").count()
    assert left >= 3 and f"{left} open;" in page.locator("#counts").inner_text()
    term = page.locator("#queue li[data-id] a[aria-current]").inner_text()
    page.keyboard.press("a")
    page.locator("#counts", has_text=f"{left - 1} open; 1 accepted").wait_for()
    page.keyboard.press("r")
    page.locator("#counts", has_text=f"{left - 2} open;").wait_for()

    page.click("a#apply")
    page.click("#check")
    page.locator("#outcome td", has_text=term).first.wait_for()
    page.click("#apply:not([disabled])")
    page.locator("#history tbody tr").nth(1).wait_for()
    after = page.locator("#version").inner_text()
    assert after != prior

    page.locator("#compare button").click()
    page.locator("#difference td", has_text=term).first.wait_for(state="attached")  # folded below the hierarchies
    page.locator("#difference .outline .added", has_text=term).first.wait_for()
    row = page.locator(f"xpath=following-sibling::details[1]//td[contains(., '{term}')]")
    changed = page.locator("#difference h3", has=row)
    changed.last.locator("a").first.click()  # the ontology, global or local, into which the term came
    page.locator("#version", has_text=after).wait_for()
    page.fill("#search", term)
    page.locator("#found a", has_text=term).first.click()
    page.locator("#class h2", has_text=term).wait_for()
    page.locator("#tree [aria-current]", has_text=term).wait_for()

    crawl(page, SECOND)
    assert version_of_crawl(page) == after
    assert not window.complaints

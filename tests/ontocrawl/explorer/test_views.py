"""The views in a real browser: they open without a complaint, draw Chinese, and can be used."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ontocrawl.explorer.app import Prepared
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import reader
from tests.ontocrawl.explorer.test_ending import ENDLESS, none_runs

pytestmark = pytest.mark.slow
VIEWS = ("/", "/ontologies", "/ontologies/rainstorm", "/crawls", "/crawls/sample", "/review", "/ask")


@pytest.fixture(scope="module")
def window(served: Prepared, crawled: str) -> Iterator[Opened]:
    with opened(served.address) as found:
        yield found


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_opens_without_a_complaint(window: Opened, view: str) -> None:
    page = window.go(view)
    assert page.locator("h1").inner_text()
    assert not window.complaints


def test_chinese_has_a_font(window: Opened) -> None:
    """Draw two characters: where no font has them both are the same box."""
    page = window.go("/?lang=zh")
    drawn = page.evaluate(
        """() => ["暴", "洪", "\\uE000"].map((text) => {
            const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
            pen.font = "40px " + getComputedStyle(document.body).fontFamily;
            pen.fillText(text, 5, 60);
            return canvas.toDataURL();
        })"""
    )
    assert len(set(drawn)) == 3


def test_a_class_is_found_by_its_name_and_has_an_address(window: Opened) -> None:
    page = window.go("/ontologies/rainstorm?lang=zh")
    page.fill("#search", "泥石流")
    page.locator("#found a").first.click()
    page.locator("#class h2", has_text="泥石流").wait_for()
    page.reload()
    page.locator("#class h2", has_text="泥石流").wait_for()


def test_a_class_has_a_picture_of_its_neighbours(window: Opened) -> None:
    page = window.go("/ontologies/rainstorm?lang=zh")
    page.fill("#search", "泥石流")
    page.locator("#found a").first.click()
    page.locator(".neighbours .centre", has_text="泥石流").wait_for()
    page.locator(".neighbours .sources li").first.wait_for()
    assert page.locator(".neighbours line").count() == page.locator(".neighbours li").count()
    above = page.locator(".neighbours .upper a").first.inner_text()
    page.locator(".neighbours .upper a").first.press("Enter")
    page.locator(".neighbours .centre", has_text=above).wait_for()
    assert page.locator(".neighbours .lower li").count() >= 1 and not window.complaints


def test_the_tree_opens_by_keyboard(window: Opened) -> None:
    page = window.go("/ontologies/rainstorm")
    href = page.locator("#tree [role=group] > li > [aria-expanded=false]").first.get_attribute("href")
    parent = page.locator(f'#tree li:has(> [href="{href}"])')
    parent.locator("> [role=treeitem]").focus()
    page.keyboard.press("ArrowRight")
    parent.locator("> [role=group] > li").first.wait_for()
    page.keyboard.press("ArrowLeft")
    parent.locator("> [role=group]").wait_for(state="hidden")


def test_a_treemap_has_an_area_for_each_branch_and_opens_it(window: Opened) -> None:
    page = window.go("/ontologies/rainstorm/coverage?lang=en&area=pages")
    page.locator("#boxes > .box").first.wait_for()
    boxes = page.evaluate(
        """() => [...document.querySelectorAll("#boxes > .box")].map((box) => [box.offsetWidth * box.offsetHeight,
             Number(/pages (\\d+)/.exec(box.firstChild.title)[1]), box.firstChild.textContent])"""
    )
    areas, pages = (np.array(column, dtype=float) for column in list(zip(*boxes, strict=True))[:2])
    np.testing.assert_allclose(areas / areas.sum(), pages / pages.sum(), atol=0.01)
    assert page.evaluate(
        "document.getElementById('boxes').scrollHeight <= document.getElementById('boxes').clientHeight"
    )
    told = page.locator("#versions").inner_text()
    assert "(the newest)" in told and "of the run sample, annotated by version" in told
    page.locator("#boxes > .box:has(.box) > a").first.press("Enter")
    page.locator("#way strong", has_text=boxes[0][2]).wait_for()
    assert "area=pages" in page.url and not window.complaints
    page.locator("#way a").first.click()
    page.locator("#way", has_not_text="›").wait_for()


def test_a_query_of_the_library_is_a_form_with_an_address(window: Opened) -> None:
    page = window.go("/ask?query=crawl/by_depth&crawl=sample")
    page.click("#named button")
    page.wait_for_selector("#result table")
    assert page.locator("#result th").first.inner_text()
    assert "crawl=sample" in page.url
    assert not window.complaints


def test_a_statement_can_be_stopped(window: Opened, served: Prepared) -> None:
    page = window.go("/ask?lang=en")
    page.fill("#statement", ENDLESS)
    page.click("#cypher button")
    page.click("#stop")
    page.locator("#result", has_text="stopped").wait_for()
    assert none_runs(reader(served), served.address.url)

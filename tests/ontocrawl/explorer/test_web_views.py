"""The map of a crawl and the lattice in a real browser: drawn, and used by mouse and by keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ontocrawl.explorer.app import Prepared
from ontocrawl.graph.web_map import _force_layout
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import reader

pytestmark = pytest.mark.slow
NODES, LINKS = 2_000, 8_000
PADDING = 30
"""Pixels that sigma leaves around a drawing."""


@pytest.fixture(scope="module")
def window(served: Prepared, crawled: str) -> Iterator[Opened]:
    with opened(served.address) as found:
        yield found


def drawn(page: Any) -> Any:
    page.locator("#stage[data-drawn]").wait_for()
    return page


def test_a_page_of_the_map_is_chosen_by_keyboard(window: Opened) -> None:
    page = drawn(window.go("/web/sample?limit=60&lang=en"))
    assert page.locator("#number").inner_text().startswith("60 nodes")
    page.fill("#search", "http")
    page.keyboard.press("Tab")
    name = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    page.locator("#page h2", has_text=name).wait_for()
    assert page.locator("#page .steps li").count() >= 1
    page.locator("#page button", has_text="Read them from the journal").click()
    page.locator("#page td", has_text="paper_000").first.wait_for()
    page.reload()
    page.locator("#page h2", has_text=name).wait_for()
    assert not window.complaints


def test_a_map_shows_what_is_relevant_and_replays_the_crawl(window: Opened) -> None:
    page = drawn(window.go("/web/sample?limit=60&lang=en"))
    page.locator("#least").press("End")
    page.locator("#number", has_text="0 / 60 nodes").wait_for()
    page.locator("#least").press("Home")
    page.locator("#number", has_text="60 nodes").wait_for()
    last = int(page.locator("#until").get_attribute("max"))
    page.fill("#until", "20")
    page.locator("#until-now", has_text=f"20 / {last}").wait_for()
    few = page.locator("#number").inner_text()
    page.reload()
    page.locator("#number", has_text=few).wait_for()
    assert "until=20" in page.url and page.locator("#nodes li").count() == int(few.split()[0]) < 60
    page.get_by_role("button", name="Replay the crawl").press("Enter")
    page.locator("#until-now", has_text="all").wait_for()
    assert page.locator("#nodes li").count() == 60 and "until" not in page.url
    assert not window.complaints


def test_groups_of_a_map_have_outlines_and_open(window: Opened) -> None:
    page = drawn(window.go("/web/sample?limit=60&lang=en"))
    ink = """[...document.querySelectorAll("canvas.outlines")].map((drawn) => {
      const copy = new OffscreenCanvas(drawn.width, drawn.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(drawn, 0, 0);
      return copy.getImageData(0, 0, drawn.width, drawn.height).data.some((value) => value);
    })"""
    assert page.evaluate(ink) == [False, False]
    page.select_option("#outline", "community")
    page.wait_for_function(f"{ink}.every(Boolean)")
    assert "outline=community" in page.url
    page = drawn(window.go("/web/sample?view=communities&lang=en"))
    page.locator("#nodes a").first.press("Enter")
    page.locator("#page a", has_text="Pages of the community").click()
    page.wait_for_url("**community=1")
    drawn(page)
    assert page.locator("#name").input_value() == "1" and not window.complaints


def test_a_map_grows_and_keeps_its_address(window: Opened) -> None:
    page = drawn(window.go("/web/sample?limit=10&lang=en"))
    page.locator("#nodes a").first.click()
    page.locator("#page button", has_text="Add its neighbours").click()
    page.locator("#said", has_text="nodes added").wait_for()
    grown = page.locator("#number").inner_text()
    assert not grown.startswith("10 nodes") and "expand=" in page.url
    page.reload()
    page.locator("#number", has_text=grown).wait_for()
    assert not window.complaints


def test_a_click_on_the_map_chooses_and_colours_have_a_legend(window: Opened, served: Prepared) -> None:
    page = drawn(window.go("/web/sample?view=hosts&lang=en"))
    assert page.locator("#legend li").count() == 6
    page.select_option("#colour", "judged")
    assert page.locator("#legend li").all_inner_texts() == ["yes", "no", "unknown"]
    hosts = reader(served).get(served.address.url + "api/web/sample/hosts", timeout=60).json()["nodes"]
    largest = max(hosts, key=lambda host: host["fetched"] or 0)
    box = page.locator("#stage").bounding_box()
    half = min(box["width"], box["height"]) / 2 - PADDING  # positions from -1 to 1 fill the shorter side
    x, y = box["width"] / 2 + largest["x"] * half, box["height"] / 2 - largest["y"] * half
    page.locator("#stage").click(position={"x": x, "y": y})
    page.locator("#page h2", has_text=largest["id"]).wait_for()
    assert not window.complaints


def test_two_thousand_pages_are_drawn(window: Opened) -> None:
    """The server's answer is made here, by the same layout, because no crawl of the tests is so large."""
    rng = np.random.default_rng(0)
    source, target = (rng.integers(0, NODES, LINKS) for _ in range(2))
    at = _force_layout(NODES, source, target).tolist()
    plain = {"title": "暴雨", "host": "a.example", "fetched": True, "label": None, "community": 1, "step": 1,
             "waits": None, "relevant": True, "concept": None}  # fmt: skip
    nodes = [
        {**plain, "id": f"http://a.example/{i}", "url": f"http://a.example/{i}", "relevance": i / NODES,
         "pagerank": 1 + i / NODES, "x": x, "y": y} for i, (x, y) in enumerate(at)
    ]  # fmt: skip
    links = [{"source": int(i), "target": int(j)} for i, j in zip(source, target, strict=True)]
    body = json.dumps({"nodes": nodes, "links": links, "reasons": []})
    window.page.route("**/api/web/sample?*", lambda route: route.fulfill(body=body, content_type="application/json"))
    try:
        page = drawn(window.go("/web/sample?limit=2000&lang=en"))
        assert page.locator("#number").inner_text().startswith("2000 nodes")
        assert int(page.locator("#stage").get_attribute("data-drawing")) < 10_000  # 0.5 s on an idle machine
        assert page.locator("#nodes .more").inner_text().startswith("1900 ")
    finally:
        window.page.unroute("**/api/web/sample?*")
    assert not window.complaints


def test_a_lattice_is_walked_by_keyboard_and_searched(window: Opened) -> None:
    page = window.go("/lattice/rainstorm?lang=zh")
    page.locator('#drawing .c[data-i="0"]').focus()
    page.keyboard.press("ArrowDown")
    page.locator("#drawing .c.chosen").wait_for()
    below = page.locator("#concept h2").inner_text()
    assert page.evaluate("document.activeElement.classList.contains('chosen')")
    page.keyboard.press("ArrowUp")
    page.locator('#drawing .c.chosen[data-i="0"]').wait_for()
    assert page.locator("#concept h2").inner_text() != below
    page.fill("#search", "泥石流")
    page.locator("#found a").first.click()
    page.locator("#concept p", has_text="泥石流").wait_for()
    page.click("#implications button")
    page.locator("#rules tbody tr").first.wait_for()
    assert not window.complaints


@pytest.mark.parametrize("view", ["/web/sample?limit=20", "/lattice/rainstorm"])
def test_a_view_fits_a_narrow_screen(window: Opened, view: str) -> None:
    window.page.set_viewport_size({"width": 360, "height": 740})
    try:
        page = window.go(view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    finally:
        window.page.set_viewport_size({"width": 1200, "height": 800})

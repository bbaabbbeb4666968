"""All views: contrast, names of inputs, no layout shift, narrow windows; found by their links (views.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ontocrawl.explorer.app import Prepared
from tests.ontocrawl.explorer import views
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.test_bundle import STATIC

KNOWN = {
    "overview", "ontologies", "ontology", "versions", "questions", "lattice", "crawls", "crawl_new", "crawl",
    "crawl_page", "compare", "web", "review", "ask", "table", "topic",
}  # fmt: skip
"""Views that are found at least."""
LARGEST_SHIFT = 0.1


@pytest.fixture(scope="module")
def window(served: Prepared, crawled: str) -> Iterator[Opened]:
    with opened(served.address) as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(window: Opened) -> dict[str, str]:
    return views.found(window)


@pytest.mark.slow
def test_the_views_are_found(pages: dict[str, str]) -> None:
    assert pages.keys() >= KNOWN


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_contrast(window: Opened, pages: dict[str, str], scheme: str) -> None:
    window.page.emulate_media(color_scheme=scheme)
    faint = {path: views.measured(window.go(path), "faint") for path in pages.values()}
    assert not {path: texts for path, texts in faint.items() if texts}


@pytest.mark.slow
def test_inputs_have_names_and_nothing_moves(window: Opened, pages: dict[str, str]) -> None:
    for path in pages.values():
        page = window.go(path)
        assert views.measured(page, "shift") < LARGEST_SHIFT, path
        assert views.measured(page, "unnamed") == [], path
        assert page.locator("h1").count() == 1 and page.get_attribute("html", "lang") in ("zh", "en")
    assert not window.complaints


@pytest.mark.slow
def test_the_pages_fit_a_telephone(window: Opened, pages: dict[str, str]) -> None:
    window.page.set_viewport_size({"width": 360, "height": 740})
    wider = {path: views.measured(window.go(path), "wider") for path in pages.values()}
    assert not {path: elements for path, elements in wider.items() if elements}


def _light(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    digits = "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour[1:]
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_the_style_sheet_have_contrast(scheme: str) -> None:
    style = (STATIC / "app.css").read_text("utf-8")
    light, dark = re.split(r"prefers-color-scheme: ?dark", style, maxsplit=1)
    colours = dict(re.findall(r"--(\w+): ?(#[0-9a-f]{3,6})\b", light))
    if scheme == "dark":
        colours |= dict(re.findall(r"--(\w+): ?(#[0-9a-f]{3,6})\b", dark))
    for text, ground in (
        *((text, ground) for text in ("ink", "quiet", "accent") for ground in ("paper", "sheet")),
        ("ink", "bar"),
    ):
        more, less = sorted((_light(colours[text]), _light(colours[ground])), reverse=True)
        assert (more + 0.05) / (less + 0.05) >= 4.5, (scheme, text, ground)

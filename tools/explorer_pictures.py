"""Write the pictures of docs/explorer.md, from the demo's workspace in a real browser.

    ontocrawl demo --out demo --pages 60
    python -m tools.explorer_pictures demo/workspace docs/explorer
    python -m tools.explorer_pictures demo/workspace FOLDER --every

``--every`` makes a picture of each view as a whole, in both languages and colour schemes, to be looked at. They need
chromium, playwright and a font with Chinese characters. The committed ones are reduced to a palette of 256 colours by
pngquant, to a third of their size.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

from ontocrawl.base.workspace import Workspace, find
from ontocrawl.explorer import app
from ontology.extras import require

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The browser of the system; None where there is none."""
SIZE = {"width": 1000, "height": 600}
LARGEST = 350_000
"""Bytes of a picture at most."""
_PATIENCE = 180_000
"""Milliseconds that a page may take: the first one that reads the graph starts its engine."""
_DRAWING = 1500
"""Milliseconds that a map is given to be drawn."""
RUN, TOPIC = "demo-learned", "rainstorm"
PICTURES = {
    "ontology-zh": (f"/ontologies/{TOPIC}?level=0", "zh", "light"),
    "ontology-dark": (f"/ontologies/{TOPIC}?level=0", "en", "dark"),
    "crawl-en": (f"/crawls/{RUN}", "en", "light"),
    "crawl-dark": (f"/crawls/{RUN}", "zh", "dark"),
    "map-en": (f"/web/{RUN}?limit=120&outline=community", "en", "light"),
    "coverage-zh": (f"/ontologies/{TOPIC}/coverage", "zh", "light"),
    "lattice-zh": (f"/lattice/{TOPIC}?run={RUN}", "zh", "light"),
    "review-zh": (f"/review?topic={TOPIC}", "zh", "light"),
    "ask-en": (f"/ask?query=pages/most_relevant&crawl={RUN}&limit=8", "en", "light"),
}
"""Name of a picture -> address, language and colour scheme."""
VIEWS = {
    "overview": "/",
    "topic": f"/topics/{TOPIC}",
    "ontologies": "/ontologies",
    "ontology": f"/ontologies/{TOPIC}?level=0",
    "coverage": f"/ontologies/{TOPIC}/coverage",
    "versions": f"/ontologies/{TOPIC}/versions",
    "gaps": f"/ontologies/{TOPIC}/gaps",
    "lattice": f"/lattice/{TOPIC}?run={RUN}",
    "settle": f"/lattice/{TOPIC}/settle?run={RUN}",
    "crawls": "/crawls",
    "crawl": f"/crawls/{RUN}",
    "compare": f"/crawls/_compare?run={RUN}&run=demo-enriched",
    "new": f"/crawls/_new?topic={TOPIC}",
    "map": f"/web/{RUN}?limit=120&outline=host",
    "communities": f"/web/{RUN}?view=communities",
    "review": f"/review?topic={TOPIC}",
    "ask": f"/ask?query=pages/most_relevant&crawl={RUN}&limit=8",
    "bin": "/tables/bin",
    "pages": f"/tables/pages?run={RUN}",
    "page": f"/crawls/{RUN}/page?url={quote('http://qixiang.example/2013/0704/1172.html', safe='')}",
    "hosts": f"/web/{RUN}?view=hosts",
    "classes": f"/tables/classes?topic={TOPIC}&level=0",
    "questions": f"/ontologies/{TOPIC}/questions",
    "learn": "/topics/_new",
}
"""Name of a view -> address."""
EVERY = {
    f"{name}-{language}-{scheme}": (path, language, scheme)
    for name, path in VIEWS.items()
    for language, scheme in product(("en", "zh"), ("light", "dark"))
}
"""Name of a picture -> the same, of each view in both languages and colour schemes."""


def write(space: Workspace, out: Path, pictures: Mapping[str, tuple[str, str, str]] = PICTURES) -> list[Path]:
    """Write all pictures.

    Args:
        space: the workspace of the demo.
        out: folder of the pictures, which is made if needed.
        pictures: what is written, by the names of the files.

    Returns:
        The files.

    Raises:
        MissingExtra: playwright is not installed.
        RuntimeError: there is no chromium, or a picture is larger than ``LARGEST``.
    """
    playwright: Any = require("playwright.sync_api", "test", "a picture of a page")
    if CHROMIUM is None:
        raise RuntimeError("there is no chromium: install it by the system's packages")
    out.mkdir(parents=True, exist_ok=True)
    whole = pictures is not PICTURES
    with app.prepared(space, "127.0.0.1", 0) as server, playwright.sync_playwright() as driver:
        thread = Thread(target=server.serve)
        thread.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])  # of this server's pages only
        try:
            files = [
                _picture(browser, server.address, out / f"{name}.png", *what, whole=whole)
                for name, what in pictures.items()
            ]
        finally:
            browser.close()
            server.stop()
            thread.join()
    large = [file.name for file in files if not whole and file.stat().st_size > LARGEST]
    if large:
        raise RuntimeError(f"larger than {LARGEST} bytes: {', '.join(large)}")
    return files


def _picture(
    browser: Any, address: app.Address, file: Path, path: str, language: str, scheme: str, *, whole: bool
) -> Path:
    context = browser.new_context(viewport=SIZE, color_scheme=scheme, locale=language)
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    page.goto(address.opening)
    page.wait_for_url(address.url)
    answer = page.goto(address.url.rstrip("/") + path)
    if not answer.ok:
        raise RuntimeError(f"{path} has the status {answer.status}: the workspace must be that of the demo")
    page.wait_for_load_state("networkidle")
    if path.startswith("/ask"):
        page.click("#named button")
        page.wait_for_selector("#result table")
        page.evaluate("document.getElementById('result').scrollIntoView()")
    if path.startswith(("/web", "/lattice")):
        page.evaluate("document.querySelector('.map')?.scrollIntoView()")
        page.wait_for_timeout(_DRAWING)
    page.screenshot(path=str(file), full_page=whole)
    context.close()
    return file


if __name__ == "__main__":
    chosen = EVERY if "--every" in sys.argv[3:] else PICTURES
    for written in write(find(Path(sys.argv[1]))[0], Path(sys.argv[2]), chosen):
        sys.stdout.write(f"{written}: {written.stat().st_size} bytes\n")

"""A real browser: the system's chromium, driven by playwright; tests skip with a message where one is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ontocrawl.explorer.app import Address
from tools.explorer_pictures import CHROMIUM

PATIENCE = 200_000
"""Milliseconds after which something that a page should show counts as missing, also on a machine under load."""


class Opened:
    """A page of a browser with a session, and what its console complained of."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address.rstrip("/")
        self.complaints: list[str] = []
        page.on("console", lambda m: m.type in ("error", "warning") and self._complain(m.text))
        page.on("response", lambda r: r.status >= 400 and self.complaints.append(f"{r.status} {r.url}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _complain(self, text: str) -> None:
        if "GPU stall due to ReadPixels" not in text:  # of chromium without graphics hardware
            self.complaints.append(text)

    def go(self, path: str) -> Any:
        """Open a page and wait until nothing is loaded any more."""
        self.page.goto(self.address + path)
        self.page.wait_for_load_state("networkidle")
        return self.page


@contextmanager
def opened(address: Address, **context: Any) -> Iterator[Opened]:
    """Start a browser with a session of an explorer; arguments of playwright's ``new_context`` by name."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    rights = [] if not hasattr(os, "geteuid") or os.geteuid() else ["--no-sandbox"]  # root has no sandbox
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=rights)
        try:
            page = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **context}).new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(address.opening)
            page.wait_for_url(address.url)
            yield Opened(page, address.url)
        finally:
            browser.close()

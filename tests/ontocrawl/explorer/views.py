"""All views of an explorer, found from its front page by the links; and what is measured on a page in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.ontocrawl.explorer.chromium import Opened

UNLINKED: tuple[str, ...] = ()
"""Addresses of views that no link of another view leads to."""
_MOST = 60
"""Pages that are opened at most."""
_LINKS = "() => [...document.querySelectorAll('a[href]:not([download])')].map((a) => a.getAttribute('href'))"
_MEASURES = Path(__file__).with_name("measures.js").read_text("utf-8")


def found(window: Opened) -> dict[str, str]:
    """Return view -> the first address at which it was found; of addresses of one form the first that is no error."""
    views: dict[str, str] = {}
    pending, opened, forms = ["/", *UNLINKED], set[str](), set[tuple[str, ...]]()
    while pending and len(opened) < _MOST:
        path = pending.pop(0)
        if path in opened or _form(path) in forms:
            continue
        opened.add(path)
        page = window.go(path)
        view = page.get_attribute("body", "data-view")
        if view == "error":
            continue
        forms.add(_form(path))
        views.setdefault(view, path)
        root = urlsplit(window.address).path
        pending += [link for href in page.evaluate(_LINKS) if (link := _own(href, root))]
    window.complaints.clear()  # a topic without an ontology has no page
    return views


def _form(path: str) -> tuple[str, ...]:
    """Return the parts of an address but for the second, the name of a run or topic; that of a page begins by "_"."""
    first, *more = urlsplit(path).path.strip("/").split("/")
    if first == "tables":
        return (first, *more)
    return (first, more[0] if more[0].startswith("_") else "NAME", *more[1:]) if more else (first,)


def _own(href: str, root: str) -> str:
    """Return the address of a link to another page of the explorer, below its path; empty for other links."""
    parts = urlsplit(href)
    if parts.netloc or not parts.path.startswith(f"{root}/") or "lang=" in parts.query:
        return ""
    path = parts.path.removeprefix(root)
    return f"{path}?{parts.query}" if parts.query else path


def measured(page: Any, name: str) -> Any:
    """Return what a function of measures.js finds on a page: faint, unnamed, shift or wider."""
    return page.evaluate(f"() => {{ {_MEASURES}\nreturn {name}(); }}")

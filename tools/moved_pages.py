"""Pages at the addresses of earlier versions, and moved sections of pages that stay: each leads to the new place.

    python -m tools.moved_pages [docs/PAGE.md ..] [--check]

tools/moved_pages.tsv has the old places and the new ones, relative to docs/. A page that is gone becomes a page that
names the new one; a page that stays gets its moved sections between two marks at its end. An old anchor stays an
anchor. With --check nothing is written, and a page that is out of date is an error (exit code 3).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tools import generated_page

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
TABLE = Path(__file__).with_suffix(".tsv")
WRITTEN = "<!-- moved: python -m tools.moved_pages -->"
END = "<!-- end of moved -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the pages; 0, or 3 where one is out of date."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = [argument for argument in given if argument.startswith("-")]
    pages = [argument for argument in given if argument not in options] or [str(DOCS / name) for name in moved()]
    return max(generated_page.main([page, *options], "tools.moved_pages", __doc__, Path(page), build) for page in pages)


def moved() -> dict[str, dict[str, str]]:
    """Return old page -> its old anchors, "" for the whole page -> the new place; paths are relative to docs/."""
    found: dict[str, dict[str, str]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        old, new = line.split("\t")
        page, _, anchor = old.partition("#")
        found.setdefault(page, {})[anchor] = new
    return found


def build(path: Path) -> str:
    """Return the text of the page at an old address."""
    page = path.resolve().relative_to(DOCS).as_posix()
    places = moved()[page]
    rows = [f'* <a id="{old}"></a>{_link(page, new)}' for old, new in sorted(places.items()) if old]
    if "" in places:
        head = ["# Moved", WRITTEN, f"This page is now {_link(page, places[''])}."]
        return "\n\n".join([*head, *(["Its sections:", "\n".join(rows)] if rows else [])]) + "\n"
    text = path.read_text(encoding="utf-8").partition(WRITTEN)[0].rstrip()
    return "\n\n".join([text, WRITTEN, "Moved from this page:", "\n".join(rows), END]) + "\n"


def _link(page: str, new: str) -> str:
    """Return a link from a page to a new place, with the heading there as its text."""
    file, _, anchor = new.partition("#")
    text = re.sub(r"```.*?```", "", (DOCS / file).read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    named = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"): heading for heading in headings}
    target = os.path.relpath(DOCS / file, (DOCS / page).parent)
    return f"[{named[anchor] if anchor else headings[0]}]({target}{'#' if anchor else ''}{anchor})"


if __name__ == "__main__":
    sys.exit(main())

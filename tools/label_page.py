"""The sessions in docs/compare.md: two people label pages of a crawl of the sample web; the measures by their labels.

    python -m tools.label_page [docs/compare.md] [--check]

Crawls a synthetic web in a temporary folder, and writes each session between its two marks in the page. Zhang answers
as the web is labelled, Li by the title alone. With --check nothing is written, and a page that is out of date is an
error (exit code 3).
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path

from ontocrawl.base import workspace
from ontocrawl.lab.labelling import Labelling
from ontocrawl.runs import runs
from tools import generated_page, printed
from tools.printed import run

PAGE = Path("docs/compare.md")
CRAWL = (
    "crawl", "run", "--topic", "rainstorm", "--strategy", "best_first", "--judge", "density", "--world",
    "synthetic:planted?pages=600&seed=0", "--limit-pages", "200", "--run", "first", "--no-graph",
)  # fmt: skip
LABEL = ("lab", "label", "first")
SHOWN = 1
"""Pages that are labelled in the session on the page."""
RAIN = re.compile("雨|洪|涝|rain|flood", re.IGNORECASE)
"""Titles that are relevant for Li."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; 0, or 3 where it is out of date."""
    return generated_page.main(arguments, "tools.label_page", __doc__, PAGE, build)


def build(page: Path) -> str:
    """Return the page with new sessions between its marks."""
    return printed.in_page(page, sessions())


def sessions() -> Mapping[str, Sequence[str]]:
    """Run all sessions, one after the other, in one workspace; return their names and lines."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-label-") as folder, chdir(folder), generated_page.narrow():
        run("init", "ws")
        with chdir("ws"):
            run(*CRAWL)
            space, _ = workspace.find(None)
            with runs.open_journal(space, "first") as journal:
                relevant = frozenset(journal.get("labels"))
            zhang = Labelling(space, "first", by="zhang")
            replies = ["y" if page.url in relevant else "n" for page in zhang.sample.pages[:SHOWN]]
            labelled = run(*LABEL, "--by", "zhang", replies=(*replies, "q"), said=True)
            zhang = Labelling(space, "first", by="zhang")
            while (page := zhang.current) is not None:
                zhang.label("yes" if page.url in relevant else "no")
            li = Labelling(space, "first", by="li")
            while li.current is not None:
                li.label("yes" if RAIN.search(li.title_and_text()[0]) else "no")
            measured = run(*LABEL, "--report", said=True)
            written = run(*LABEL, "--export", "labels.json", said=True)
            return {"label": labelled, "report": _shortened(measured), "export": written}


def _shortened(lines: Sequence[str]) -> list[str]:
    """Return a report with the first rows of its last table only."""
    first = next((at for at, line in enumerate(lines) if line.startswith("Disagreements")), len(lines))
    end = next((at for at, line in enumerate(lines) if at > first and not line), len(lines))
    return [*lines[: first + 7], *([".."] if end > first + 7 else []), *lines[end:]]


if __name__ == "__main__":
    sys.exit(main())

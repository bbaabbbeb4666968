"""The sessions in docs/evolve.md: a review on the screen and the next version, on a crawl of the sample web.

    python -m tools.review_page [docs/evolve.md] [--check]

Crawls a synthetic web in a temporary folder, and writes each session between its two marks in the page. With --check
nothing is written, and a page that is out of date is an error (exit code 3).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path

from kg.engine import embedded
from tools import generated_page, printed
from tools.printed import run

PAGE = Path("docs/evolve.md")
CRAWL = (
    "crawl", "run", "--topic", "rainstorm", "--strategy", "fcosa_lg", "--world", "synthetic:planted?pages=600&seed=0",
    "--limit-pages", "150", "--run", "first",
)  # fmt: skip
REPLIES = ("a", "r", "q")
"""Replies of the reviewer: the first proposal is accepted, the second rejected."""
WEIGHTS = 8
"""Lines of the table of changed weights on the page."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page; 0, or 3 where it is out of date."""
    return generated_page.main(arguments, "tools.review_page", __doc__, PAGE, build)


def build(page: Path) -> str:
    """Return the page with new sessions between its marks."""
    return printed.in_page(page, sessions())


def sessions() -> Mapping[str, Sequence[str]]:
    """Run all sessions, one after the other, in one workspace; return their names and lines."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-review-") as folder, chdir(folder), generated_page.narrow():
        try:
            run("init", "ws")
            with chdir("ws"):
                run(*CRAWL)
                run("enrich", "propose", "first")
                review = ("enrich", "review", "rainstorm", "--kind", "concept", "--limit", "2", "--who", "张三")
                reviewed = run(*review, replies=REPLIES, said=True)
                applied = run("enrich", "apply", "--topic", "rainstorm", "--who", "张三", said=True)
                own = f"{Path.cwd()}/"
                return {"review": reviewed, "apply": _shortened([line.replace(own, "") for line in applied])}
        finally:
            embedded.stop(Path(folder) / "ws" / "graph")


def _shortened(lines: Sequence[str]) -> list[str]:
    """Return what `enrich apply` prints with the first changed weights only."""
    last = lines.index("Changed weights") + WEIGHTS
    return [*lines[:last], "..", *lines[lines.index("", last) :]]


if __name__ == "__main__":
    sys.exit(main())

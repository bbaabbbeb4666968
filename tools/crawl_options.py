"""The table of the options of a crawl in docs/commands.md, from where they are declared (`ontocrawl.base.options`).

``python -m tools.crawl_options [docs/commands.md] [--check]`` writes the table between the two marks of that file.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ontocrawl.base.options import PANELS, CrawlSettings, declared
from ontocrawl.version import __version__
from tools import generated_page

PAGE = Path("docs/commands.md")
BEGIN, END = "<!-- options: python -m tools.crawl_options docs/commands.md -->", "<!-- end of options -->"


def table() -> str:
    """Return the table of all options, by their groups, in Markdown."""
    rows = ["| option and key | default | meaning | since |", "|---|---|---|---|"]
    for one in sorted(declared(CrawlSettings).values(), key=lambda one: list(PANELS).index(one.panel)):
        value = "" if one.default in (None, (), []) else f"`{one.default}`".replace(__version__, "VERSION")
        off = f"`false`, or `{one.flag}`: " if one.default is True else ""
        rows.append(f"| `{one.name}` | {value} | {off}{one.en.replace('|', chr(92) + '|')} | {one.since} |")
    return "\n".join(rows)


def inserted(page: Path) -> str:
    """Return the text of a page with a new table between its marks."""
    return generated_page.inserted(page, BEGIN, END, table())


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the table."""
    return generated_page.main(arguments, "tools.crawl_options", __doc__, PAGE, inserted)


if __name__ == "__main__":
    sys.exit(main())

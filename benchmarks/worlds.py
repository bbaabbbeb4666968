"""The speed of the calibrated synthetic webs: plans with links, pages with HTML, opening a web of a million pages.

    python -m benchmarks.worlds [--json docs/benchmarks/worlds.json] [--pages 20000]

One core, by processor time. ``links`` is plan and targets of every page, no text; ``html`` whole responses, every
fifth page. The web of a million pages is opened, and one page fetched at its end; then the URLs of its relevant pages
are listed. The memory is the largest that the process had, numpy and the project's modules included.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

from benchmarks import report
from benchmarks.report import Row
from crawler.worlds.synthetic import CALIBRATED, CalibratedWorld

COMMAND = "python -m benchmarks.worlds --json docs/benchmarks/worlds.json"
GOALS = {"links": 20_000, "html": 1_000}
"""Pages a second."""
LARGE = 1_000_000
EVERY = 5


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that some work takes: other programs of the machine change it little."""
    began = time.process_time()
    work()
    return time.process_time() - began


def measure(preset: str, pages: int) -> Row:
    """Measure a preset."""
    world = CalibratedWorld(preset, pages)
    links = [0]

    def targets() -> None:
        links[0] = sum(len(world.targets(index)) for index in range(pages))

    def html() -> None:
        for index in range(0, pages, EVERY):
            world.fetch(world.url(index))

    speeds = {"links": round(pages / timed(targets)), "html": round(pages / EVERY / timed(html))}
    opened: list[CalibratedWorld] = []

    def first_page() -> None:
        opened.append(CalibratedWorld(preset, LARGE))
        opened[0].fetch(opened[0].url(LARGE - 1))

    seconds = {"open_s": round(timed(first_page), 3), "relevant_s": round(timed(opened[0].relevant_urls), 2)}
    return {"preset": preset, **speeds, "links_a_page": round(links[0] / pages, 1), **seconds, "memory_mb": memory()}


def memory() -> int:
    """Return the largest memory of the process so far, in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20)


def page(result: report.Result) -> str:
    """docs/benchmarks/worlds.md."""
    columns = (
        "preset", "links", "html", "links of a page", "first page of 1,000,000, s", "relevant URLs of 1,000,000, s",
        "memory, MB",
    )  # fmt: skip
    rows = [[f"`{row['preset']}`", *list(row.values())[1:]] for row in result["rows"]]
    lines = [
        f"Pages a second of processor time on one core, of webs of {result['pages']:,} pages: plan and targets of",
        f"links without text (`links`; the goal is {GOALS['links']:,}), whole responses (`html`; {GOALS['html']:,}).",
        "A web of a million pages is opened and the last of its pages fetched; then the URLs of its relevant pages are",
        "listed. The memory is the largest of the process.",
        "",
        *report.grid(columns, rows),
        "",
        f"{report.machine(result)}; load average {result['load']} at the start.",
    ]
    return report.page("Speed of the calibrated webs", COMMAND, lines)


def main() -> int:
    """Measure every preset, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--pages", type=int, default=20_000, metavar="N")
    options = arguments.parse_args()
    load = report.load()
    rows = [measure(preset, options.pages) for preset in CALIBRATED]
    report.publish(report.head("worlds", pages=options.pages, load=load, rows=rows), options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())

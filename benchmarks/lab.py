"""The speed of a lab's crawls, strategy by strategy, on a calibrated web: how long the lab of the papers would take.

    python -m benchmarks.lab [--json docs/benchmarks/lab.json] [--fetches 2000]

One process, by processor time. The strategies of `lab run papers` crawl the same web one after the other, as in a lab:
pages that an earlier one fetched are kept and not made again. ``first`` is the rate of the first half of the requests
of a crawl, ``second`` that of the other half: choosing gets slower with the queue.
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from itertools import count
from pathlib import Path
from time import process_time

from benchmarks import report
from benchmarks.report import Row
from benchmarks.worlds import memory
from crawler.model import Failure, Response
from crawler.step import Step
from ontocrawl import workspace
from ontocrawl.lab import crawling, loading, running
from ontocrawl.lab.crawling import Job, Webs
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.steering import Steering

COMMAND = "python -m benchmarks.lab --json docs/benchmarks/lab.json"
WORLD = "synthetic:rainstorm?pages=60000"
SEEDS, FETCHES, CORES, MINUTES = 5, 15_000, 2, 90
"""The goal: 20 strategies x 5 seeds x 15,000 requests in 90 minutes on two cores."""


class Clocked(crawling.Crawled):
    """The notes of a crawl, with the processor time of each."""

    def __init__(self) -> None:
        super().__init__()
        self.times = [process_time()]

    def note(self, step: Step, requests: int) -> None:
        """Note a step and the time."""
        super().note(step, requests)
        self.times.append(process_time())


def lab_of(fetches: int) -> Lab:
    """Return a lab of the papers' strategies on one web."""
    axes = tomllib.loads(loading.shipped()["papers"])["axes"]
    world = {"name": "rainstorm", "world": WORLD, "oracle": False}
    return Lab.model_validate(
        {"title": "speed", "fetches": fetches, "seeds": 1, "worlds": [world], "axes": {"strategy": axes["strategy"]}}
    )


def measure(lab: Lab) -> list[Row]:
    """Crawl all cells of a lab, and return a row for each."""
    webs, made = Webs(), count()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        space = workspace.init(Path(folder) / "ws")
        steering = Steering(lab, space)
        for cell in lab.cells():
            job = running.job_of(lab, cell, steering, space)
            if not rows:
                _count_fetches(job, webs, made)
            rows.append(row_of(cell.strategy, job, webs, made))
    webs.close()
    return rows


def _count_fetches(job: Job, webs: Webs, made: count[int]) -> None:
    world, _ = webs.open(job.config)
    fetch = world.fetch

    def counted(url: str) -> Response | Failure:
        next(made)
        return fetch(url)

    world.fetch = counted  # type: ignore[method-assign]


def row_of(strategy: str, job: Job, webs: Webs, made: count[int]) -> Row:
    """Crawl a cell, and return its rates in requests a second."""
    before = next(made)
    began, notes = process_time(), Clocked()
    trace = crawling.run(job, webs, notes)
    seconds = process_time() - began
    half = len(notes.times) // 2
    return {
        "strategy": strategy,
        "rate": round(trace.facts["requests"] / seconds, 1),
        "first": _rate(notes, 0, half),
        "second": _rate(notes, half, len(notes.times) - 1),
        "choice_us": trace.facts["choice_us"],
        "requests": trace.facts["requests"],
        "made": next(made) - before - 1,
        "stop": trace.facts["stop"],
    }


def _rate(notes: Clocked, start: int, end: int) -> float | None:
    """Return pages a second between two notes."""
    seconds = notes.times[end] - notes.times[start]
    return round((end - start) / seconds, 1) if seconds > 0 else None


def estimate(rows: list[Row]) -> dict[str, float]:
    """Return the time of the whole lab at the rates of the rows, and at those of the second halves, in minutes."""
    each = FETCHES * SEEDS / CORES / 60
    return {
        "minutes": round(sum(each / row["rate"] for row in rows), 1),
        "minutes_at_second": round(sum(each / (row["second"] or row["rate"]) for row in rows), 1),
    }


def page(result: report.Result) -> str:
    """docs/benchmarks/lab.md."""
    columns = (
        "strategy", "requests a second", "first half, pages", "second half, pages", "choice, µs", "requests",
        "answered anew", "end",
    )  # fmt: skip
    rows = [[f"`{row['strategy']}`", *list(row.values())[1:]] for row in result["rows"]]
    lines = [
        f"Each strategy of `lab run papers` makes {result['fetches']:,} requests on `{result['world']}`,",
        "in one process and by its processor time. Look-ahead is predicted. Responses and pages that an earlier one",
        "asked for are kept; `answered anew` is the number of requests, those for robots.txt included, that were not.",
        "",
        *report.grid(columns, rows),
        "",
        f"At these rates {len(rows)} strategies x {SEEDS} seeds x {FETCHES:,} requests take {result['minutes']:.0f}",
        f"minutes on {CORES} cores, and {result['minutes_at_second']:.0f} at the rates of the second halves; the goal",
        f"is {MINUTES}. The largest memory of the process was {result['memory_mb']:,} MB.",
        "",
        f"{report.machine(result)}; load average {result['load']} at the start.",
    ]
    return report.page("Speed of a lab", COMMAND, lines)


def main() -> int:
    """Measure, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--fetches", type=int, default=2000, metavar="N")
    options = arguments.parse_args()
    load = report.load()
    rows = measure(lab_of(options.fetches))
    about = {"world": WORLD, "fetches": options.fetches, "load": load, "memory_mb": memory(), **estimate(rows)}
    report.publish(report.head("lab", **about, rows=rows), options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())

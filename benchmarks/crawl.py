"""What a page costs in a whole crawl, beside Scrapy: processor time and pages a second, on one loopback web.

    python -m benchmarks.crawl [--json docs/benchmarks/crawl.json] [--scrapy PYTHON] [--pages 1500] [--repeat 3]

A generated news site (benchmarks/site.py: 12 kB and 82 links a page) is served by nginx, where it is installed. The
command `ontocrawl crawl run` crawls it with scoring, frontier and journal, 16 pages in flight, robots.txt obeyed and no
delays, and so does Scrapy: with its filter of seen URLs, following all links, and without one, on a list of pages.
Scrapy is run by the Python of --scrapy, by default this one; where that has none, its rows are left out.

Each crawl is a process of its own. It runs for a few pages and for --pages more; the processor time of a page is the
difference, so that the start of the process is not in it but in a column of its own. Pages a second are those of the
seconds that the crawler itself states for the crawl. The runs of all crawls alternate; figures are medians. The stages
are measured in one more crawl, by clocks around its functions (benchmarks/crawl_stages.py).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import crawl_stages, loopback, report, site
from benchmarks.report import Row
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import plan
from ontocrawl.topics import topics

COMMAND = "python -m benchmarks.crawl --json docs/benchmarks/crawl.json"
TOPIC, STRATEGIES = "rainstorm", ("best_first", "fcosa_lg")
SEEN, LISTED = "Scrapy, seen set", "Scrapy, no seen set"
IN_FLIGHT = 16
FEW = 50
"""Pages of the short run, whose figures are subtracted."""
SCORED_MS, CRAWL_MS, FASTER, PAGES_A_SECOND = 2.0, 4.0, 2.0, 400.0
"""The goals: a page to its scored record, a whole crawl a page, its pages a second as a multiple of Scrapy's, and as
such."""


class Web(NamedTuple):
    """What is crawled, and with what."""

    urls: Sequence[str]
    space: Workspace
    scrapy: str


class Usage(NamedTuple):
    """What a process took: seconds of processor time, seconds of the crawl in it, and the pages that it fetched."""

    processor: float
    seconds: float
    fetched: int


def used(command: Sequence[str], given: str = "") -> Usage:
    """Run a crawl that prints JSON with ``fetched`` and ``seconds``. Raises RuntimeError where it fails."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err, tempfile.TemporaryFile("w+") as into:
        into.write(given)
        into.seek(0)
        process = subprocess.Popen(command, stdin=into, stdout=out, stderr=err, cwd=Path(__file__).parents[1])
        _, process.returncode, usage = os.wait4(process.pid, 0)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} failed: {err.read()[-2_000:]}")
        crawl = json.load(out)
        return Usage(usage.ru_utime + usage.ru_stime, crawl["seconds"], crawl["fetched"])


def ontocrawl(web: Web, strategy: str, pages: int, parsers: int = 0) -> Usage:
    """The command that a user types, with a number of processes for parsing in the workspace's settings."""
    (web.space.root / "ontocrawl.toml").write_text(f"[crawl]\nparsers = {parsers}\n", encoding="utf-8")
    arguments = [
        "crawl", "run", "--workspace", str(web.space.root), "--topic", TOPIC, "--seeds", web.urls[0],
        "--strategy", strategy, "--in-flight", str(IN_FLIGHT), "--limit-pages", str(pages),
        "--no-graph", "--no-politeness", "--allow-loopback", "--json",
    ]  # fmt: skip
    return used([sys.executable, "-m", "ontocrawl", *arguments])


def scrapy(web: Web, mode: str, pages: int) -> Usage:
    """The spider of benchmarks/scrapy_spider.py."""
    spider = [web.scrapy, str(Path(__file__).with_name("scrapy_spider.py"))]
    return used([*spider, str(pages), str(IN_FLIGHT), mode, web.urls[0]], "\n".join(web.urls))


CRAWLS: Mapping[str, Callable[[Web, int], Usage]] = {
    **{f"ontocrawl, {name}": lambda web, pages, name=name: ontocrawl(web, name, pages) for name in STRATEGIES},  # type: ignore[misc]
    **{
        f"ontocrawl, {name}, parsing in a process": lambda web, pages, name=name: ontocrawl(web, name, pages, parsers=1)  # type: ignore[misc]
        for name in STRATEGIES
    },
    SEEN: lambda web, pages: scrapy(web, "seen", pages),
    LISTED: lambda web, pages: scrapy(web, "listed", pages),
}


def rows(web: Web, pages: int, repeat: int, version: str | None) -> Iterator[Row]:
    """Measure all crawls."""
    crawls = {name: run for name, run in CRAWLS.items() if version is not None or name not in (SEEN, LISTED)}
    runs: dict[str, list[tuple[Usage, Usage]]] = {name: [] for name in crawls}
    for _ in range(repeat):
        for name, run in crawls.items():
            runs[name].append((run(web, FEW), run(web, FEW + pages)))
            print(name, *runs[name][-1], file=sys.stderr, flush=True)
    for name, found in runs.items():
        yield {
            "crawl": name,
            "fetched": found[0][1].fetched,
            "processor_ms": _median((b.processor - a.processor) / (b.fetched - a.fetched) * 1000 for a, b in found),
            "pages_per_second": _median(b.fetched / b.seconds for _, b in found),
            "start_seconds": _median(a.processor for a, _ in found),
        }


def _median(values: Iterator[float]) -> float:
    return round(statistics.median(values), 2)


def stages(web: Web, pages: int, bodies: Sequence[bytes]) -> dict[str, Any]:
    """The stages of a crawl by each strategy, and the canonical URLs of the links of a page."""
    topic = topics.load(TOPIC, web.space)
    measured = []
    for strategy in STRATEGIES:
        options = CrawlOptions(
            strategy=strategy, world="live", run=f"stages-{strategy}", allow_loopback=True, politeness=False,
            graph=False, settings={"limit_pages": pages, "in_flight": IN_FLIGHT},
        )  # fmt: skip
        draft = plan.without_vectors(web.space, topic, options, lambda line: None)
        vectors = plan.topic_vectors(web.space, topic, draft, lambda line: None)
        config = plan.with_vectors(web.space, draft, vectors)
        measured.append(crawl_stages.measure(web.space, topic, config, web.urls[:1]))
        print(measured[-1], file=sys.stderr, flush=True)
    return {"canonical_ms": crawl_stages.canonical_links(bodies, web.urls[0]), "crawls": measured}


def goals(rows: Sequence[Row], staged: Mapping[str, Any]) -> list[Row]:
    """Every goal with its figure; ``met`` is None where it could not be measured."""
    by_name = {row["crawl"]: row for row in rows}
    reference = by_name.get(SEEN)
    found = [
        _goal(
            f"page to scored record, {s['strategy']}", f"under {SCORED_MS:g} ms", s["scored"], s["scored"] < SCORED_MS
        )
        for s in staged["crawls"]
    ]
    for name in (row["crawl"] for row in rows if row["crawl"] not in (SEEN, LISTED)):
        ms, speed = by_name[name]["processor_ms"], by_name[name]["pages_per_second"]
        ratio = None if reference is None else round(speed / reference["pages_per_second"], 2)
        what = name.partition(", ")[2]
        found += [
            _goal(f"whole crawl, {what}", f"under {CRAWL_MS:g} ms of processor time a page", ms, ms < CRAWL_MS),
            _goal(f"pages a second, {what}, against Scrapy with a seen set", f"{FASTER:g} times", ratio,
                  None if ratio is None else ratio >= FASTER),
            _goal(f"pages a second, {what}", f"{PAGES_A_SECOND:g}", speed, speed >= PAGES_A_SECOND),
        ]  # fmt: skip
    return found


def _goal(name: str, promised: str, figure: float | None, met: bool | None) -> Row:
    return {"goal": name, "promised": promised, "figure": figure, "met": met}


def page(result: report.Result) -> str:
    """docs/benchmarks/crawl.md."""
    load, columns = result["load"], ("crawl", "processor ms a page", "pages a second", "start, processor s")
    shown = [
        (row["crawl"], row["processor_ms"], row["pages_per_second"], row["start_seconds"]) for row in result["rows"]
    ]
    lines = [
        f"{report.machine(result)}, load {load[0]} before and {load[1]} after: under load pages a second are fewer.",
        f"{result['pages']:,} pages of a site of {result['site']:,}, 12 kB and 82 links each, from {result['server']},",
        f"{IN_FLIGHT} in flight, median of {result['repeat']} runs. Scrapy: {result['scrapy'] or 'not installed'}.",
        "",
        *report.grid(columns, shown),
        "",
        "The time to start a process is not in the time of a page. For `fcosa_lg` it includes the weights of the",
        "ontology, which are computed in the graph; the engine of the graph is another process. Scrapy finds the links",
        "of each page, but does not count words, score, keep texts or survive a kill.",
        "",
        "## Goals",
        "",
        *report.grid(("goal", "promised", "measured", ""), map(_shown_goal, result["goals"])),
        "",
        "The goals of a frontier with 1,000,000 links are measured by `python -m benchmarks.frontier`.",
    ]
    for staged in result["stages"]["crawls"]:
        lines += ["", f"## Stages, {staged['strategy']}", "", *_stage_lines(staged)]
    canonical = result["stages"]["canonical_ms"]
    lines += ["", f"In a parse, the canonical URLs of the links take {canonical} ms, measured on the same pages apart."]
    return report.page("A whole crawl, beside Scrapy", COMMAND, lines)


def _shown_goal(goal: Row) -> tuple[str, str, float | str, str]:
    word = {True: "met", False: "**missed**", None: "not measured"}[goal["met"]]
    return goal["goal"], goal["promised"], "" if goal["figure"] is None else goal["figure"], word


def _stage_lines(staged: Mapping[str, Any]) -> list[str]:
    """Table of the stages of a crawl."""
    shown = [
        (f"{'… ' * row['depth']}{row['stage']}", row["in"], row["calls"], row["ms"], row["ms_a_page"])
        for row in staged["rows"]
    ]
    known = sum(row["ms_a_page"] for row in staged["rows"] if row["in"] == "loop" and row["depth"] == 0)
    shown.append(("pool, events, all else", "loop", "", "", round(staged["loop"] - known, 3)))
    loop, goal = staged["loop"], 1000 / PAGES_A_SECOND
    return [
        f"Processor time a page: {loop} ms in the loop, {staged['workers']} ms in the workers and the rest",
        f"of the process; {staged['fetched']:,} pages. A stage includes the stages with … below it.",
        "",
        f"Python runs one thread at a time: {PAGES_A_SECOND:g} pages a second need {goal:g} ms of processor time in",
        "all threads of a process. With parsing in other processes the loop bounds the rate, here to",
        f"{1000 / loop:.0f} pages a second at most; it would have to take {loop / goal:.1f} times less: fewer stages,",
        "or compiled code for them.",
        "",
        *report.grid(("stage", "thread", "calls", "ms a call, median", "ms a page, mean"), shown),
    ]


def scrapy_version(python: str) -> str | None:
    """The version of Scrapy in a Python; None where it has none."""
    command = [python, "-c", "import importlib.metadata as m; print(m.version('scrapy'))"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def measure(python: str, pages: int, repeat: int, size: int, seed: int) -> dict[str, Any]:
    """Measure everything."""
    load, version = [report.load()], scrapy_version(python)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "web"
        folder.mkdir()
        paths = site.write(folder, size, seed)
        space = workspace.init(Path(name) / "workspace")
        with loopback.served(folder) as (server, port):
            web = Web([f"http://127.0.0.1:{port}{path}" for path in paths], space, python)
            try:
                ontocrawl(web, STRATEGIES[-1], FEW)  # starts the engine, and loads the ontology once for all
                measured = list(rows(web, pages, repeat, version))
                staged = stages(web, FEW + pages, [(folder / path[1:]).read_bytes() for path in paths[:200]])
            finally:
                embedded.stop(space.graph)
    load.append(report.load())
    return report.head(
        "crawl", processors=os.cpu_count(), load=load, server=server, scrapy=version, site=size, pages=pages,
        in_flight=IN_FLIGHT, repeat=repeat, seed=seed, rows=measured, goals=goals(measured, staged), stages=staged,
    )  # fmt: skip


def main() -> int:
    """Measure and publish."""
    parser = report.arguments(__doc__)
    parser.add_argument("--scrapy", default=sys.executable, metavar="PYTHON", help="a Python that has Scrapy")
    parser.add_argument("--pages", type=int, default=1500, metavar="N", help="pages of a crawl")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each crawl")
    parser.add_argument("--site", type=int, default=4000, metavar="N", help="pages of the site")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    result = measure(given.scrapy, given.pages, given.repeat, given.site, given.seed)
    report.publish(result, given.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())

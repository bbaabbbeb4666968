"""What a page costs in a whole crawl, beside Scrapy: processor time and pages a second, on one loopback web.

    python -m benchmarks.crawl [--json docs/benchmarks/crawl.json] [--scrapy PYTHON] [--before CHECKOUT] [--pages 1500]

A generated news site (benchmarks/site.py: 12 kB and 82 links a page) is served by nginx, where it is installed. The
command `ontocrawl crawl run` crawls it with scoring, frontier and journal, 16 pages in flight, robots.txt obeyed and no
delays, and so does Scrapy: with its filter of seen URLs, following all links, and without one, on a list of pages.
Scrapy is run by the Python of --scrapy, by default this one; where that has none, its rows are left out. --before is a
checkout of an earlier version, whose program makes the same crawls in turn with those of this one.

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
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import crawl_stages, loopback, report, site
from benchmarks.report import Row
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.runs import plan
from ontocrawl.topics import topics

ROOT = Path(__file__).resolve().parents[1]
COMMAND = "python -m benchmarks.crawl --before CHECKOUT --json docs/benchmarks/crawl.json"
TOPIC, STRATEGIES = "rainstorm", ("best_first", "fcosa_lg")
OWN, PARSED, SEEN, LISTED = "ontocrawl, ", ", parsing in a process", "Scrapy, seen set", "Scrapy, no seen set"
IN_FLIGHT = 16
FEW = 50
"""Pages of the short run, whose figures are subtracted."""
SCORED_MS, CRAWL_MS, FASTER, PAGES_A_SECOND = 2.0, 4.0, 2.0, 400.0
"""The goals: a page to its scored record, a whole crawl a page, its pages a second as a multiple of Scrapy's, and as
such."""


class Program(NamedTuple):
    """A version of ontocrawl: its sources, the commit of an earlier one, and a workspace that it made."""

    checkout: Path
    commit: str
    space: Path

    def command(self, *arguments: str) -> list[str]:
        """The command that a user types."""
        return [sys.executable, "-m", "ontocrawl", *arguments, "--workspace", str(self.space)]

    def of(self, crawl: str) -> str:
        """The name of a crawl by this version."""
        return f"ontocrawl {self.commit}, {crawl}" if self.commit else OWN + crawl


class Web(NamedTuple):
    """What is crawled, and with what; the program of this version is the first."""

    urls: Sequence[str]
    programs: Sequence[Program]
    scrapy: str


class Usage(NamedTuple):
    """What a process took: seconds of processor time, seconds of the crawl in it, and the pages that it fetched."""

    processor: float
    seconds: float
    fetched: int


def used(command: Sequence[str], given: str = "", folder: Path = ROOT) -> Usage:
    """Run a crawl that prints JSON with ``fetched`` and ``seconds``. Raises RuntimeError where it fails."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err, tempfile.TemporaryFile("w+") as into:
        into.write(given)
        into.seek(0)
        process = subprocess.Popen(command, stdin=into, stdout=out, stderr=err, cwd=folder)
        _, process.returncode, usage = os.wait4(process.pid, 0)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} failed: {err.read()[-2_000:]}")
        crawl = json.load(out)
        return Usage(usage.ru_utime + usage.ru_stime, crawl["seconds"], crawl["fetched"])


def ontocrawl(program: Program, strategy: str, parsers: int, web: Web, pages: int) -> Usage:
    """The command of a version, with a number of processes for parsing in the workspace's settings."""
    (program.space / "ontocrawl.toml").write_text(f"[crawl]\nparsers = {parsers}\n", encoding="utf-8")
    arguments = [
        "crawl", "run", "--topic", TOPIC, "--seeds", web.urls[0],
        "--strategy", strategy, "--in-flight", str(IN_FLIGHT), "--limit-pages", str(pages),
        "--no-graph", "--no-politeness", "--allow-loopback", "--json",
    ]  # fmt: skip
    return used(program.command(*arguments), folder=program.checkout)


def scrapy(mode: str, web: Web, pages: int) -> Usage:
    """The spider of benchmarks/scrapy_spider.py."""
    spider = [web.scrapy, str(Path(__file__).with_name("scrapy_spider.py"))]
    return used([*spider, str(pages), str(IN_FLIGHT), mode, web.urls[0]], "\n".join(web.urls))


def crawls(programs: Sequence[Program], version: str | None) -> Mapping[str, Callable[[Web, int], Usage]]:
    """What is measured, by name; without a version of Scrapy its crawls are left out."""
    found: dict[str, Callable[[Web, int], Usage]] = {}
    for (parsers, how), strategy, program in product(enumerate(("", PARSED)), STRATEGIES, programs):
        found[program.of(strategy + how)] = partial(ontocrawl, program, strategy, parsers)
    if version is not None:
        found |= {SEEN: partial(scrapy, "seen"), LISTED: partial(scrapy, "listed")}
    return found


def rows(web: Web, pages: int, repeat: int, version: str | None) -> Iterator[Row]:
    """Measure all crawls."""
    measured = crawls(web.programs, version)
    runs: dict[str, list[tuple[Usage, Usage]]] = {name: [] for name in measured}
    for _ in range(repeat):
        for name, run in measured.items():
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
    space = workspace.asked(web.programs[0].space)
    topic = topics.load(TOPIC, space)
    measured = []
    for strategy in STRATEGIES:
        options = CrawlOptions(
            strategy=strategy, world="live", run=f"stages-{strategy}", allow_loopback=True, politeness=False,
            graph=False, settings={"limit_pages": pages, "in_flight": IN_FLIGHT, "parsers": 0},
        )  # fmt: skip
        draft = plan.without_vectors(space, topic, options, lambda line: None)
        vectors = plan.topic_vectors(space, topic, draft, lambda line: None)
        config = plan.with_vectors(space, draft, vectors)
        measured.append(crawl_stages.measure(space, topic, config, web.urls[:1]))
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
    for name in (row["crawl"] for row in rows if row["crawl"].startswith(OWN)):
        ms, speed = by_name[name]["processor_ms"], by_name[name]["pages_per_second"]
        ratio = None if reference is None else round(speed / reference["pages_per_second"], 2)
        what = name.removeprefix(OWN)
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
        *against(result),
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


def against(result: report.Result) -> list[str]:
    """Return how the crawls compare with those of an earlier version, as Markdown; nothing where none was measured."""
    if not (commit := result["before"]):
        return []
    by_name, lines = {row["crawl"]: row for row in result["rows"]}, []
    for name in (name for name in by_name if name.startswith(OWN)):
        then, now = by_name[f"ontocrawl {commit}, {name.removeprefix(OWN)}"], by_name[name]
        times = (then["processor_ms"] / now["processor_ms"], now["pages_per_second"] / then["pages_per_second"])
        lines.append((name.removeprefix(OWN), *(f"{one:.2f}" for one in times)))
    return [
        f"Times better than commit {commit}, whose crawls ran in turn with these:",
        "",
        *report.grid(("crawl", "processor time a page", "pages a second"), lines),
        "",
    ]


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


def earlier(checkout: Path, space: Path) -> Program:
    """Return the program of an earlier version, with a new workspace of its own."""
    subprocess.run([sys.executable, "-m", "ontocrawl", "init", str(space)], cwd=checkout, check=True, stdout=sys.stderr)
    return Program(checkout, report.commit(checkout), space)


def measure(python: str, before: Path | None, pages: int, repeat: int, size: int, seed: int) -> dict[str, Any]:
    """Measure everything."""
    load, version = [report.load()], scrapy_version(python)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "web"
        folder.mkdir()
        paths = site.write(folder, size, seed)
        programs = [Program(ROOT, "", workspace.init(Path(name) / "workspace").root)]
        if before is not None:
            programs.append(earlier(before.absolute(), Path(name) / "before"))
        with loopback.served(folder) as (server, port):
            web = Web([f"http://127.0.0.1:{port}{path}" for path in paths], programs, python)
            try:
                for program in programs:  # starts the engine, and loads the ontology once for all
                    ontocrawl(program, STRATEGIES[-1], 0, web, FEW)
                measured = list(rows(web, pages, repeat, version))
                staged = stages(web, FEW + pages, [(folder / path[1:]).read_bytes() for path in paths[:200]])
            finally:
                for program in programs:
                    subprocess.run(
                        program.command("graph", "stop"), cwd=program.checkout, check=True, stdout=sys.stderr
                    )
    load.append(report.load())
    return report.head(
        "crawl", processors=os.cpu_count(), load=load, server=server, scrapy=version, site=size, pages=pages,
        in_flight=IN_FLIGHT, repeat=repeat, seed=seed, rows=measured, goals=goals(measured, staged), stages=staged,
        before=programs[-1].commit,
    )  # fmt: skip


def main() -> int:
    """Measure and publish."""
    parser = report.arguments(__doc__)
    parser.add_argument("--scrapy", default=sys.executable, metavar="PYTHON", help="a Python that has Scrapy")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="checkout of an earlier version")
    parser.add_argument("--pages", type=int, default=1500, metavar="N", help="pages of a crawl")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each crawl")
    parser.add_argument("--site", type=int, default=4000, metavar="N", help="pages of the site")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    result = measure(given.scrapy, given.before, given.pages, given.repeat, given.site, given.seed)
    report.publish(result, given.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())

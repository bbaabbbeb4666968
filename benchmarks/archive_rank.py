"""Memory and time of `archive rank` and of `archive export --no-figures`, by the size of the archive.

    python -m benchmarks.archive_rank [--json docs/benchmarks/archive_rank.json] [--pages N]

Tables of archives of several sizes are made up: links go to pages in a long tail, a third of them to URLs that are no
pages. Each command runs in a process of its own, whose largest memory is what the system says, and is set beside the
estimate by which `archive rank` refuses what does not fit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import report
from benchmarks.report import Row
from ontocrawl.archives import exporting, ranking, tables
from ontocrawl.archives.pages import LINKS, PAGES
from ontocrawl.archives.work import SCORES

COMMAND = "python -m benchmarks.archive_rank --json docs/benchmarks/archive_rank.json"
_URL = "http://host{:03}.example/archive/page-{:09}.html"
SIZES = ((50_000, 10), (400_000, 4), (250_000, 20))
"""Pages, and links of each."""
URL = len(_URL.format(0, 0))
LINKS_OF_NODE, GIGABYTES = (1, 3, 10), (8, 32, 128)
PER_FILE = 50_000
"""Pages of a file."""
STEPS = ("make", "start", "rank", "export")
"""Each in a process of its own; that which starts them stays small, because its memory counts as theirs on Linux."""


def make(folder: Path, pages: int, links: int) -> None:
    """Write the tables of an archive."""
    rng = np.random.default_rng(0)
    urls = pa.array([_URL.format(n % 997, n) for n in range(pages * 3 // 2)])
    for table in ("pages.parquet", "links.parquet"):
        (folder / table).mkdir(parents=True)
    for part, first in enumerate(range(0, pages, PER_FILE)):
        source = np.arange(first, min(first + PER_FILE, pages))
        target = (len(urls) * rng.random(len(source) * links) ** 2).astype(np.int64)
        name = f"part-{part:05}.parquet"
        of_pages = {"url": urls.take(source), "offset": source, "fetched": ["2020-01-02T03:04:05Z"] * len(source)}
        _write(folder / "pages.parquet" / name, PAGES, of_pages | {"title": ["A page"] * len(source)})
        ends = np.repeat(source, links)
        of_links = {"url": urls.take(ends), "offset": ends, "target": urls.take(target)}
        position = np.tile(np.arange(links), len(source))
        _write(
            folder / "links.parquet" / name, LINKS, of_links | {"position": position, "anchor": ["next"] * len(ends)}
        )
    (folder / SCORES.summary).write_text(json.dumps({"pages": pages, "failed": 0, "request": {"topic": "none"}}))


def _write(path: Path, schema: pa.Schema, columns: dict[str, Any]) -> None:
    rows = len(columns["url"])
    columns = {"file": ["a.warc.gz"] * rows, "skip": np.zeros(rows), **columns}
    arrays = [
        pa.array(columns[field.name]).cast(field.type) if field.name in columns else pa.nulls(rows, field.type)
        for field in schema
    ]
    pq.write_table(pa.table(arrays, schema=schema), path, row_group_size=100_000)


def step(name: str, folder: Path, size: Sequence[int]) -> Row:
    """Run a command in this process, and return its numbers."""
    began, row = time.process_time(), Row()
    if name == "make":
        make(folder, *size)
        return row
    if name == "rank":
        done = ranking.rank(folder)
        row |= {"nodes": done.nodes, "links": done.links, "iterations": done.iterations}
    elif name == "export":
        exporting.export(folder, folder.with_name(f"{folder.name}.csv"), "archive", figures=False)
    return row | {f"{name}_s": round(time.process_time() - began, 1), f"{name}_mb": report.memory()}


def measure(pages: int, links: int) -> Row:
    """Measure the commands on an archive of a size, each in a process of its own."""
    row = Row(pages=pages)
    with tempfile.TemporaryDirectory(prefix="ontocrawl-archive-") as name:
        folder = Path(name) / "scored"
        for one in STEPS:
            command = [sys.executable, "-m", "benchmarks.archive_rank", "--step", one, str(folder)]
            done = subprocess.run([*command, str(pages), str(links)], check=True, capture_output=True, text=True)
            row |= json.loads(done.stdout)
    print(row, file=sys.stderr, flush=True)
    return row


def page(result: report.Result) -> str:
    """docs/benchmarks/archive_rank.md."""
    columns = (
        "pages", "URLs", "links", "`rank`, MB", "by the model, MB", "`rank`, s", "`export --no-figures`, MB",
        "`export --no-figures`, s",
    )  # fmt: skip
    rows = [
        [row["pages"], row["nodes"], row["links"], row["rank_mb"] - row["start_mb"], _needed(row), row["rank_s"],
         row["export_mb"] - row["start_mb"], row["export_s"]]
        for row in result["rows"]
    ]  # fmt: skip
    fitting = [
        [gigabytes, *(_millions(tables.largest(gigabytes * 10**9, links, URL)) for links in LINKS_OF_NODE)]
        for gigabytes in GIGABYTES
    ]
    lines = [
        f"Tables of made-up archives, with URLs of {URL} bytes. Memory is the largest of the process less that of one",
        f"which only imports the same modules ({result['rows'][0]['start_mb']} MB). Seconds are of processor time.",
        "",
        *report.grid(columns, rows),
        "",
        "By the model, by which `archive rank` refuses what does not fit, n URLs of u bytes and m links need",
        f"{tables.FIXED:,} + {tables.NODE} n + u n + {tables.LINK} m bytes. So this many million",
        "links fit into the free memory of one machine, by the mean number of links for each URL:",
        "",
        *report.grid(("GB", *(f"{links} link{'s' * (links > 1)} a URL" for links in LINKS_OF_NODE)), fitting),
        "",
        "A larger link graph is one for joins on Spark, which ontocrawl does not do. `archive export --no-figures`",
        "holds no links; its memory grows with the pages alone, by their fingerprints and URLs.",
        "",
        f"{report.machine(result)}; load average {result['load']} at the start.",
    ]
    return report.page("Ranking and exporting an archive", COMMAND, lines)


def _needed(row: Row) -> int:
    """Return the memory of `archive rank` by the model, in MB."""
    return round(tables.needed(row["nodes"], URL * row["nodes"], row["links"]) / 2**20)


def _millions(links: int) -> int:
    return round(links / 1e6)


def main() -> int:
    """Measure each size, and print."""
    arguments = report.arguments(__doc__)
    names = ("NAME", "FOLDER", "PAGES", "LINKS")
    arguments.add_argument("--step", nargs=4, metavar=names, help="run one command, and print its numbers")
    arguments.add_argument("--pages", type=int, metavar="N", help="one archive of so many pages, with 10 links each")
    options = arguments.parse_args()
    if options.step:
        name, folder, *size = options.step
        print(json.dumps(step(name, Path(folder), [*map(int, size)])))
        return 0
    load = report.load()
    rows = [measure(*size) for size in ([(options.pages, 10)] if options.pages else SIZES)]
    report.publish(report.head("archive_rank", processors=os.cpu_count(), load=load, rows=rows), options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Memory and time of `archive rank` and of `archive export --no-figures`, by the size of the archive.

    python -m benchmarks.archive_rank [--json docs/benchmarks/archive_rank.json]

Tables of archives of several sizes are made up: links go to pages in a long tail, a third of them to URLs that are no
pages. Each command runs in a process of its own, whose largest memory is what the system says. The bytes of a node and
of a link are the least squares over the sizes, and are set beside those by which `archive rank` warns.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import report
from benchmarks.report import Row
from benchmarks.worlds import memory
from ontocrawl.archives import exporting, memory_model, ranking
from ontocrawl.archives.schema import LINKS, PAGES
from ontocrawl.archives.work import SUMMARY

COMMAND = "python -m benchmarks.archive_rank --json docs/benchmarks/archive_rank.json"
SIZES = ((50_000, 10), (400_000, 4), (250_000, 20))
"""Pages, and links of each."""
PER_FILE = 50_000
"""Pages of a file."""
STEPS = ("make", "start", "rank", "export")
"""Each in a process of its own; that which starts them stays small, because its memory counts as theirs on Linux."""


def make(folder: Path, pages: int, links: int) -> None:
    """Write the tables of an archive."""
    rng = np.random.default_rng(0)
    urls = pa.array([f"http://host{n % 997}.example/archive/page-{n:09}.html" for n in range(pages * 3 // 2)])
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
    (folder / SUMMARY).write_text(json.dumps({"request": {"topic": "none"}}))


def _write(path: Path, schema: pa.Schema, columns: dict[str, Sequence[object]]) -> None:
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
    return row | {f"{name}_s": round(time.process_time() - began, 1), f"{name}_mb": memory()}


def measure(pages: int, links: int) -> Row:
    """Measure the commands on an archive of a size, each in a process of its own."""
    row = Row(pages=pages)
    with tempfile.TemporaryDirectory(prefix="ontocrawl-archive-") as name:
        folder = Path(name) / "scored"
        for one in STEPS:
            command = [sys.executable, "-m", "benchmarks.archive_rank", "--step", one, str(folder), str(pages), str(links)]
            row |= json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print(row, file=sys.stderr, flush=True)
    return row


def main() -> int:
    """Measure each size, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--step", nargs=4, metavar=("NAME", "FOLDER", "PAGES", "LINKS"), help="run one command, and print its numbers")
    options = arguments.parse_args()
    if options.step:
        name, folder, *size = options.step
        print(json.dumps(step(name, Path(folder), [*map(int, size)])))
        return 0
    load = report.load()
    rows = [measure(*size) for size in SIZES]
    return 0


if __name__ == "__main__":
    sys.exit(main())

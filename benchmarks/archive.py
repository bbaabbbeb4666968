"""Pages a second of `archive score`: one process, all processors, and Spark on this machine, in one run.

    python -m benchmarks.archive [--pages 20000] [--json docs/benchmarks/archive.json]

The pages of a synthetic web are written as WARC files, and each engine scores them from nothing. The time includes the
start of processes and of Spark. Exits with 1 where an engine writes other bytes than the others. Spark needs the
package pyspark and Java 17; `make test-spark` makes an environment with both.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import report
from benchmarks.report import Row
from crawler.archives.writer import ArchiveWriter
from crawler.worlds import SyntheticWorld
from ontocrawl.archives import scoring
from ontocrawl.archives.work import TABLES
from ontocrawl.base import workspace
from ontocrawl.runs import page_scoring
from ontocrawl.topics import topics

COMMAND = "python -m benchmarks.archive --json docs/benchmarks/archive.json"
TOPIC = "rainstorm"
PART_BYTES = 2_000_000
"""Size of the parts: small, so that two workers end at about the same time."""


def write_archive(folder: Path, pages: int) -> int:
    """Write the pages of a web, and return the bytes of the files."""
    world, writer = SyntheticWorld("planted", pages), ArchiveWriter(folder, {"software": "benchmarks.archive"})
    for index in range(pages):
        writer.write(world.fetch(world.url(index)))
    writer.close()
    return sum(file.stat().st_size for file in folder.glob("*.warc.gz"))


def measure(engine: str, archive: Path, out: Path, *, jobs: int = 1, spark: str | None = None) -> Row:
    """Score the archive by an engine."""
    topic = topics.load(TOPIC, workspace.find(None)[0])
    judge, before, started = page_scoring.judge_of(topic), _processor(), time.perf_counter()
    done = scoring.score(
        archive, out, judge, topic.vocabulary, robot=None, max_bytes=4_000_000, jobs=jobs, spark=spark,
        part_bytes=PART_BYTES,
    )  # fmt: skip
    seconds = time.perf_counter() - started
    row = {"engine": engine, "pages": done.pages, "failed": done.failed, "seconds": round(seconds, 1)}
    return row | {"pages_per_second": round(done.pages / seconds), "processor_s": round(_processor() - before, 1)}


def _processor() -> float:
    """Return the seconds of processor time of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def content(out: Path) -> dict[str, bytes]:
    """Return the bytes of all files of the tables."""
    return {f"{name}/{path.name}": path.read_bytes() for name in TABLES for path in (out / name).iterdir()}


def page(result: report.Result) -> str:
    """docs/benchmarks/archive.md."""
    columns = ("engine", "pages", "failed", "seconds", "pages a second", "processor seconds")
    lines = [
        f"{result['records']:,} records of a synthetic web, {result['megabytes']} MB of WARC files, scored by the",
        f"topic `{TOPIC}`. The time includes the start of processes and of Java. Processor seconds are those of the",
        "command and of its processes that have ended.",
        f"All engines wrote the same bytes: {'yes' if result['same'] else 'no'}.",
        "",
        *report.grid(columns, [list(row.values()) for row in result["rows"]]),
        "",
        f"{report.machine(result, *(f'pyspark {v}' for v in [result['pyspark']] if v))}; load average {result['load']}",
        "at the start.",
    ]
    return report.page("Scoring an archive", COMMAND, lines)


def main() -> int:
    """Measure each engine, and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--pages", type=int, default=20_000, metavar="N")
    options = arguments.parse_args()
    load, processors = report.load(), os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="ontocrawl-archive-") as name:
        folder = Path(name)
        size = write_archive(folder / "warc", options.pages)
        rows = [
            measure("1 process", folder / "warc", folder / "one"),
            measure(f"{processors} processes", folder / "warc", folder / "many", jobs=processors),
            measure(f"Spark local[{processors}]", folder / "warc", folder / "spark", spark=f"local[{processors}]"),
        ]
        same = content(folder / "one") == content(folder / "many") == content(folder / "spark")
    from importlib.metadata import version

    head = report.head("archive", processors=processors, load=load, pyspark=version("pyspark"))
    result = head | {"records": options.pages, "megabytes": round(size / 1e6, 1), "same": same, "rows": rows}
    report.publish(result, options.json, page)
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())

"""Streaming of generated CNKI records: peak memory and speed. Prints one JSON document.

    python -m benchmarks.readers [--records N] [--json docs/benchmarks/readers.json]

Records are RefWorks text made from a seed, with an abstract of some 200 characters; every tenth is a duplicate of an
earlier record, half of these by DOI, half by title and year. They are written to a temporary file (about 0.9 GB for the
default of 1,000,000), which a process of its own streams (`ontology.corpus.stream`: two passes, duplicates merged); its
peak resident memory is what the system counted. Exits with 1 where documents or duplicates are not as many as were
generated, or the peak is over 400 MB. With --json FILE a table is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import report
from ontology import corpus

LIMIT_MB = 400
CHARACTERS = "暴雨洪水台风内涝预警风险评估模型降水流域灾害城市排水监测数据方法分析影响特征时空分布"
REPEAT = 10


def records(count: int, seed: int = 0) -> Iterator[str]:
    """RefWorks records; each tenth repeats the one five before it, by its DOI or by its title and year."""
    draw = random.Random(seed)
    for number in range(count):
        original = number - 5 if number % REPEAT == REPEAT - 1 else number
        repeated = original != number
        by_doi = repeated and (number // REPEAT) % 2 == 0
        title = f"{CHARACTERS[original % 40]}灾害的第{original}号研究" + ("(修订)" if by_doi else "")
        abstract = "".join(draw.choices(CHARACTERS, k=200))
        lines = [
            "RT Journal Article", "SR 1", "A1 甲一;乙二;丙三;", f"T1 {title}", "JF 灾害学报",
            f"YR {1990 + original % 35}",
            "IS 12", "vo", "K1 暴雨;洪水;风险评估;", "", f"AB <正>{abstract}", "SN 1000-0000", "LA 中文;", "DS CNKI",
        ]  # fmt: skip
        if not repeated or by_doi:
            lines.append(f"DO 10.13284/j.test.{original}")
        yield "\r\n".join([*lines, "IS 12", "", ""])


def child(path: Path) -> int:
    """Stream the file; print what was found and what it took."""
    surveyed: list[corpus.Survey] = []
    started = time.perf_counter()
    documents = sum(1 for _ in corpus.stream(path, on_survey=surveyed.append))
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    found = {"documents": documents, "duplicates": surveyed[0].duplicates, "records": surveyed[0].records}
    print(json.dumps(found | {"seconds": round(seconds, 1), "peak_mb": round(peak)}))
    return 0


def measure(count: int) -> dict[str, Any]:
    """Generate, stream in a process of its own, compare."""
    with tempfile.TemporaryDirectory(prefix="ontocrawl-readers-") as folder:
        path = Path(folder) / "records.txt"
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(records(count))
        size = path.stat().st_size
        asked = [sys.executable, __file__, "--child", str(path)]
        answer = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    found = json.loads(answer)
    found |= {"megabytes": round(size / 1e6), "records_per_second": round(count / found["seconds"])}
    repeated = count // REPEAT
    if (found["documents"], found["duplicates"]) != (count - repeated, repeated):
        raise SystemExit(f"{count} records with {repeated} duplicates were generated, found: {found}")
    return found


def table(result: report.Result) -> str:
    """The result as Markdown."""
    head = ["records", "file, MB", "duplicates merged", "seconds, both passes", "records/s", "peak memory, MB"]
    keys = ("records", "megabytes", "duplicates", "seconds", "records_per_second", "peak_mb")
    rows = report.grid(head, [[result["streaming"][key] for key in keys]])
    lines = [*rows, "", f"{report.machine(result)}. The limit is {result['limit_mb']} MB."]
    return report.page(
        "Streaming a million records", "python -m benchmarks.readers --json docs/benchmarks/readers.json", lines
    )


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--records", type=int, default=1_000_000)
    arguments.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.child:
        return child(chosen.child)
    result = report.head("readers", limit_mb=LIMIT_MB, streaming=measure(chosen.records))
    report.publish(result, chosen.json, table)
    return int(result["streaming"]["peak_mb"] > LIMIT_MB)


if __name__ == "__main__":
    sys.exit(main())

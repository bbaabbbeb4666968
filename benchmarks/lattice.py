"""Concept lattices: ours against the package `concepts`, and ours where that can't follow. Prints one JSON document.

    python -m benchmarks.lattice [--quick | --full] [--json docs/benchmarks/lattice.json]

Contexts are `numpy.random.default_rng(0).random((objects, attributes)) < density`. Ours is timed seven times before and
seven times after the package's one run in the same process, from the labelled context to a lattice with all concepts as
values and all covers; `ratio` is the package's time by the median of the fourteen, `cpu_ratio` the same by processor
time, which other programs disturb less. The results are compared: the same set of (extent, intent) pairs and the same
number of cover pairs, or the run fails.

Ours alone: 5000 x 300; mushroom of ../shared/data (left out where absent), in a process of its own with its peak
memory; stability and the canonical basis; how soon the contexts that would blow up are refused. Exits with 1 where a
limit is missed (not with --quick).

--quick: 150 x 30, a few seconds. Default: 500 x 60, a minute. --full adds 1000 x 100, minutes. With --json FILE a table
is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import report
from ontology import formats
from ontology.context import FormalContext
from ontology.formats.concepts_package import to_package
from ontology.lattice import Lattice, LatticeTooLarge, canonical_basis, lattice, stability

PROMISED = 1000
QUICK = [(150, 30, 0.1)]
NORMAL = [(500, 60, 0.1)]
FULL = [*NORMAL, (1000, 100, 0.05)]
ALONE = (5000, 300, 0.03)
DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "fca_contexts"
LIMITS = {"alone_seconds": 10, "mushroom_seconds": 30, "mushroom_mb": 1500, "refusal_seconds": 5}


def context(objects: int, attributes: int, density: float) -> FormalContext:
    """The random context of a size."""
    return named(np.random.default_rng(0).random((objects, attributes)) < density)


def named(table: np.ndarray) -> FormalContext:
    """A context of a boolean table."""
    n, m = table.shape
    return FormalContext.from_bools([f"g{i}" for i in range(n)], [f"m{j}" for j in range(m)], table)


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds by the clock and of the processor, and the answer."""
    clock, processor = time.perf_counter(), time.process_time()
    answer = work()
    return time.perf_counter() - clock, time.process_time() - processor, answer


def ours(found: FormalContext) -> Lattice:
    """The lattice with all its concepts as values."""
    result = lattice(FormalContext(found.objects, found.attributes, found.rows))
    _ = result.concepts
    return result


def compare(objects: int, attributes: int, density: float) -> dict[str, Any]:
    """One row: ours, theirs, ours again."""
    found = context(objects, attributes, density)
    before = [timed(lambda: ours(found)) for _ in range(7)]
    seconds, processor, theirs = timed(lambda: to_package(found).lattice)
    after = [timed(lambda: ours(found)) for _ in range(7)]
    mine = before[0][2]
    concepts = {(c.extent, c.intent) for c in mine.concepts}
    other = {(found.object_bits(c.extent), found.attribute_bits(c.intent)) for c in theirs}
    edges = sum(len(c.lower_neighbors) for c in theirs)
    if (concepts, len(mine.covers)) != (other, edges):
        raise SystemExit(
            f"{objects} x {attributes}: the two lattices differ: {len(concepts)} and {len(other)} concepts"
        )
    clock = [run[0] for run in before + after]
    used = float(np.median([run[1] for run in before + after]))
    return {
        "objects": objects, "attributes": attributes, "density": density, "concepts": len(concepts), "covers": edges,
        "seconds_min": round(min(clock), 5), "seconds_median": round(float(np.median(clock)), 5),
        "package_seconds": round(seconds, 3), "ratio": round(seconds / float(np.median(clock))),
         "cpu_ratio": round(processor / used),
    }  # fmt: skip


def alone(objects: int, attributes: int, density: float) -> dict[str, Any]:
    """Ours where the package would take hours."""
    found = context(objects, attributes, density)
    runs = [timed(lambda: ours(found)) for _ in range(3)]
    return {
        "objects": objects, "attributes": attributes, "density": density, "concepts": len(runs[0][2]),
        "covers": len(runs[0][2].covers), "seconds_min": round(min(r[0] for r in runs), 2),
        "seconds_median": round(float(np.median([r[0] for r in runs])), 2),
        "cpu_seconds": round(float(np.median([r[1] for r in runs])), 2),
    }  # fmt: skip


def child(path: Path) -> int:
    """One lattice of a file, and the peak memory of this process."""
    found = formats.read(path)
    seconds, processor, result = timed(lambda: lattice(found))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    said = {"concepts": len(result), "covers": len(result.covers), "seconds": round(seconds, 2)}
    print(json.dumps(said | {"cpu_seconds": round(processor, 2), "peak_mb": round(peak)}))
    return 0


def mushroom() -> dict[str, Any] | None:
    """8124 x 119 in a process of its own; None where the data is absent."""
    path = DATA / "concepts" / "mushroom.cxt.xz"
    if not path.exists():
        return None
    asked = [sys.executable, __file__, "--child", str(path)]
    answer: dict[str, Any] = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    return answer


def worth(objects: int, attributes: int, density: float) -> dict[str, Any]:
    """Stability and canonical basis of one context."""
    found = context(objects, attributes, density)
    concepts = lattice(found)
    seconds, _, stable = timed(lambda: stability(concepts))
    frequent = timed(lambda: canonical_basis(found, min_support=1))
    whole = timed(lambda: canonical_basis(found))
    return {"objects": objects, "attributes": attributes, "density": density, "concepts": len(concepts),
            "stability_seconds": round(seconds, 3), "counted_exactly": int(stable.exact.sum()),
            "implications_with_support": len(frequent[2]), "their_seconds": round(frequent[0], 3),
            "implications": len(whole[2]), "all_seconds": round(whole[0], 3)}  # fmt: skip


def refusals() -> list[dict[str, Any]]:
    """How soon what would blow up is refused, and with which advice."""
    found = {"26 x 26, all but the diagonal": named(~np.eye(26, dtype=bool))}
    if (DATA / "fimi" / "chess.dat").exists():
        found["chess.dat"] = formats.read(DATA / "fimi" / "chess.dat")
    rows = []
    for name, blown in found.items():
        start = time.perf_counter()
        try:
            lattice(blown)
        except LatticeTooLarge as error:
            rows.append({"context": name, "seconds": round(time.perf_counter() - start, 2),
                         "estimate": round(error.estimate), "counted": error.found,
                         "advised_support": error.min_support})  # fmt: skip
        else:
            raise SystemExit(f"{name} was not refused")
    return rows


def missed(result: dict[str, Any]) -> list[str]:
    """The limits that were not kept."""
    found = [f"{row['objects']} x {row['attributes']}: ratio {row['ratio']} below {PROMISED}"
             for row in result["compared"] if row["ratio"] < PROMISED]  # fmt: skip
    measured = {
        "alone_seconds": result.get("alone", {}).get("seconds_median", 0),
        "mushroom_seconds": (result.get("mushroom") or {}).get("seconds", 0),
        "mushroom_mb": (result.get("mushroom") or {}).get("peak_mb", 0),
        "refusal_seconds": max((row["seconds"] for row in result.get("refused", [])), default=0),
    }
    return found + [f"{key}: {value} over {LIMITS[key]}" for key, value in measured.items() if value > LIMITS[key]]


def table(result: report.Result) -> str:
    """The result as Markdown."""
    where = report.machine(result, f"numpy {result['numpy']}", result["package"])
    load = f"load average {result['load_before']} before and {result['load_after']} after"
    lines = [
        f"{where}; {load}.",
        "",
        "All concepts with covers, against the package; `ratio` is its time by the median of ours, `cpu ratio` the",
        "same by processor time:",
        "",
    ]
    lines += _rows(result["compared"])
    if "alone" in result:
        lines += ["", "Ours alone:", "", *_rows([result["alone"]])]
    if result.get("mushroom"):
        lines += ["", "mushroom, 8124 x 119, in a process of its own:", "", *_rows([result["mushroom"]])]
    parts = {
        "worth": "Stability and canonical basis:",
        "refused": "Contexts that would blow up:",
    }
    for key, said in parts.items():
        if key in result:
            rows = result[key] if isinstance(result[key], list) else [result[key]]
            lines += ["", said, "", *_rows(rows)]
    lines += ["", f"Limits missed: {'; '.join(result['missed']) or 'none'}."]
    command = "python -m benchmarks.lattice --full --json docs/benchmarks/lattice.json"
    return report.page("Concept lattices", command, lines)


def _rows(rows: list[dict[str, Any]]) -> list[str]:
    return report.grid([key.replace("_", " ") for key in rows[0]], [row.values() for row in rows])


def measure(sizes: list[tuple[int, int, float]], *, quick: bool) -> dict[str, Any]:
    """Everything."""
    import concepts

    result = report.head(
        "lattice",
        numpy=np.__version__,
        package=f"concepts {concepts.__version__}",
        processors=os.cpu_count(),
        load_before=report.load(),
        promised_ratio=PROMISED,
        limits=LIMITS,
        compared=[compare(*size) for size in sizes],
    )
    if not quick:
        result |= {"alone": alone(*ALONE), "mushroom": mushroom(),
                   "worth": worth(*NORMAL[0]), "refused": refusals()}  # fmt: skip
    return result | {"load_after": report.load(), "missed": [] if quick else missed(result)}


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    size = arguments.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true")
    size.add_argument("--full", action="store_true")
    arguments.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.child:
        return child(chosen.child)
    result = measure(QUICK if chosen.quick else FULL if chosen.full else NORMAL, quick=chosen.quick)
    report.publish(result, chosen.json, table)
    return int(bool(result["missed"]))


if __name__ == "__main__":
    sys.exit(main())

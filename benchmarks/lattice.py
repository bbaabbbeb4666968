"""All formal concepts with covers: ours against the package `concepts`, in one process. Prints one JSON document.

    python benchmarks/lattice.py [--quick | --full] [--json FILE]

Contexts are `numpy.random.default_rng(0).random((objects, attributes)) < density`. `ratio` is the package's time by
ours; ours is the median of seven runs from the labelled context to a lattice with all concepts as values and all
covers. The results are compared: the same set of (extent, intent) pairs and the same number of cover pairs, or the run
fails. Exits with 1 where the promised ratio of 300 is missed (not with --quick: too small to promise anything).
--quick: 150 x 30, a second. Default: 500 x 60, a minute. --full adds 1000 x 100 (minutes), and 5000 x 300 for ours
alone.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from ontology.context import FormalContext
from ontology.formats.concepts_package import to_package
from ontology.lattice import lattice

PROMISED = 300
QUICK = [(150, 30, 0.1)]
NORMAL = [(500, 60, 0.1)]
FULL = [*NORMAL, (1000, 100, 0.05)]
ALONE = [(5000, 300, 0.03)]


def context(objects: int, attributes: int, density: float) -> FormalContext:
    """The random context of a size."""
    table = np.random.default_rng(0).random((objects, attributes)) < density
    return FormalContext.from_bools([f"g{i}" for i in range(objects)], [f"m{j}" for j in range(attributes)], table)


def ours(found: FormalContext, rounds: int) -> tuple[float, set[tuple[int, int]], int]:
    """Seconds (median), concepts, number of cover pairs."""
    seconds = []
    for _ in range(rounds):
        fresh = FormalContext(found.objects, found.attributes, found.rows)
        start = time.perf_counter()
        result = lattice(fresh)
        concepts = result.concepts
        seconds.append(time.perf_counter() - start)
    return float(np.median(seconds)), {(c.extent, c.intent) for c in concepts}, len(result.covers)


def theirs(found: FormalContext) -> tuple[float, set[tuple[int, int]], int]:
    """The same by the package: its lattice holds the neighbours of every concept."""
    start = time.perf_counter()
    result = to_package(found).lattice
    seconds = time.perf_counter() - start
    concepts = {(found.object_bits(c.extent), found.attribute_bits(c.intent)) for c in result}
    return seconds, concepts, sum(len(c.lower_neighbors) for c in result)


def compare(objects: int, attributes: int, density: float, *, alone: bool) -> dict[str, Any]:
    """One row of the result."""
    found = context(objects, attributes, density)
    mine, concepts, covers = ours(found, 1 if alone else 7)
    row: dict[str, Any] = {"objects": objects, "attributes": attributes, "density": density, "concepts": len(concepts),
                           "covers": covers, "seconds": round(mine, 5)}  # fmt: skip
    if alone:
        return row
    seconds, other, edges = theirs(found)
    if (concepts, covers) != (other, edges):
        raise SystemExit(
            f"{objects} x {attributes}: the two lattices differ: {len(concepts)} and {len(other)} concepts"
        )
    return row | {"package_seconds": round(seconds, 3), "ratio": round(seconds / mine)}


def main() -> int:
    """Run and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = arguments.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true")
    size.add_argument("--full", action="store_true")
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the result to a file too")
    chosen = arguments.parse_args()
    import concepts

    sizes = QUICK if chosen.quick else FULL if chosen.full else NORMAL
    rows = [compare(*s, alone=False) for s in sizes] + [compare(*s, alone=True) for s in (ALONE if chosen.full else [])]
    result = {
        "benchmark": "lattice",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "package": f"concepts {concepts.__version__}",
        "contexts": rows,
    }
    text = json.dumps(result, indent=1)
    print(text)
    if chosen.json:
        chosen.json.write_text(text + "\n", encoding="utf-8")
    return int(not chosen.quick and any(row.get("ratio", PROMISED) < PROMISED for row in rows))


if __name__ == "__main__":
    sys.exit(main())

"""Similarity of all pairs of 2,000 concepts, by every measure. Prints one JSON document.

    python -m benchmarks.similarity [--concepts N] [--rounds N] [--json docs/benchmarks/similarity.json]

The ontology is made from a seed: every concept but the root has one or two parents among earlier ones, one edge in
five is part-of. Measured is the way from the ontology to the full matrix, the contraction included: wall time
(median and best of the rounds), processor time (best), and the load average before and after. Where other programs
share the machine, wall time is theirs too; so it exits with 1 where a matrix takes more than 2 s by both clocks.
Sem is what topic weights come from. With --json FILE a table is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import report
from ontology.model import Concept, Ontology, Relation
from ontology.similarity import MEASURES, Similarities, matrix

LIMIT_SECONDS = 2.0


def ontology(concepts: int, seed: int = 1) -> Ontology:
    """A rooted DAG with some ten levels."""
    draw = np.random.default_rng(seed)
    names = [f"{i:06}" for i in range(concepts)]
    edges: dict[tuple[str, str], Relation] = {}
    for i in range(1, concepts):
        for p in draw.integers(max(0, i // 4 - 20), max(1, i // 2), size=2):
            kind = "part_of" if draw.random() < 0.2 else "subclass_of"
            edges[names[i], names[p]] = Relation(names[i], kind, names[p])  # type: ignore[arg-type]
    made = tuple(Concept(name, name) for name in names)
    return Ontology("benchmark", "global", "benchmark", "1", names[0], made, tuple(edges.values()))


def timed(compute: Callable[[], np.ndarray], rounds: int) -> dict[str, float]:
    """Wall time (median, best) and processor time (best) of a computation."""
    wall, processor = [], []
    for _ in range(rounds):
        start, busy = time.perf_counter(), time.process_time()
        compute()
        processor.append(time.process_time() - busy)
        wall.append(time.perf_counter() - start)
    figures = {"seconds": statistics.median(wall), "best": min(wall), "processor": min(processor)}
    return {name: round(value, 3) for name, value in figures.items()}


def measure(concepts: int, rounds: int) -> dict[str, Any]:
    """All figures."""
    made = ontology(concepts)
    found: dict[str, Any] = {
        "all five factors and Sem": timed(lambda: matrix(made).sem, rounds),
        "all five factors and Sem, cn_literature": timed(lambda: matrix(made, definitions="cn_literature").sem, rounds),
    }
    for name in MEASURES:
        found[name] = timed(lambda name=name: Similarities.of(made).matrix(name), rounds)  # type: ignore[misc]
    graph = Similarities.of(made).ground.graph
    return {"concepts": concepts, "edges": len(graph.is_a), "depth": int(graph.dep.max()), "matrices": found}


def load() -> list[float]:
    """The load average over 1, 5 and 15 minutes, where the system has one."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else []


def table(result: report.Result) -> str:
    """The result as Markdown."""
    size = f"{result['concepts']:,} concepts, {result['edges']:,} edges, {result['depth']} levels"
    where = report.machine(result, f"numpy {result['numpy']}")
    before, after = (", ".join(map(str, result[name])) for name in ("load_before", "load_after"))
    rows = [
        (name, f"{row['seconds']:.2f}", f"{row['best']:.2f}", f"{row['processor']:.2f}")
        for name, row in result["matrices"].items()
    ]
    lines = [
        f"{size}; a full matrix from the ontology, {result['rounds']} rounds. The limit is {LIMIT_SECONDS:g} s.",
        "",
        *report.grid(["measure", "seconds, median", "best", "processor seconds"], rows),
        "",
        f"{where}. Load average (1, 5, 15 minutes) before: {before}; after: {after}.",
    ]
    command = "python -m benchmarks.similarity --json docs/benchmarks/similarity.json"
    return report.page("Similarity of all pairs of concepts", command, lines)


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--concepts", type=int, default=2000)
    arguments.add_argument("--rounds", type=int, default=5)
    chosen = arguments.parse_args()
    result = report.head(
        "similarity",
        numpy=np.__version__,
        processors=os.cpu_count(),
        limit_seconds=LIMIT_SECONDS,
        rounds=chosen.rounds,
        load_before=load(),
    )
    result |= measure(chosen.concepts, chosen.rounds)
    result["load_after"] = load()
    report.publish(result, chosen.json, table)
    return int(any(min(row["best"], row["processor"]) > LIMIT_SECONDS for row in result["matrices"].values()))


if __name__ == "__main__":
    sys.exit(main())

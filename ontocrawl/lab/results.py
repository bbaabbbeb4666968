"""The results of a lab: one value a row, as results.csv has them, and tables of one measure for statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontocrawl.lab.crawling import ORACLE
from ontocrawl.lab.definition import AXES, Cell, Lab
from ontocrawl.lab.measuring import AT_DP, TIMES, measures
from ontocrawl.lab.running import Outcome, labelled
from ontocrawl.lab.trace import Trace
from ontocrawl.tables import Table

COLUMNS = ("world", "topic", "strategy", "guide", "ontology", "seed", "metric", "at", "value")


@dataclass(frozen=True)
class Measured:
    """A cell with its measures: (metric, at) -> value, None where there is none."""

    cell: Cell
    values: dict[tuple[str, int], float | None]


def measured(lab: Lab, outcomes: Iterable[Outcome]) -> list[Measured]:
    """Measure the crawls of a lab at its milestones; cells that failed are not among them."""
    return [Measured(one.cell, _values(lab, one.trace)) for one in outcomes if one.trace is not None]


def _values(lab: Lab, trace: Trace) -> dict[tuple[str, int], float | None]:
    values: dict[tuple[str, int], float | None] = {}
    for at in lab.milestones:
        values |= {(name, at): value for name, value in measures(trace, at).items()}
        at_dp = measures(trace, at, at_dp=True)
        values |= {(name + AT_DP, at): value for name, value in at_dp.items() if name not in TIMES}
    return values


def table(lab: Lab, cells: Iterable[Measured]) -> Table:
    """Return all values as a table, `COLUMNS` and then the other axes of the lab; a missing value has no row."""
    extra = tuple(name for name in lab.axes if name not in AXES)
    rows = []
    for one in cells:
        cell, settings = one.cell, dict(one.cell.settings)
        head = (cell.world, cell.topic, cell.strategy, cell.guide, cell.ontology, cell.seed)
        tail = tuple(settings.get(name) for name in extra)
        rows += [(*head, name, at, value, *tail) for (name, at), value in one.values.items() if value is not None]
    return Table((*COLUMNS, *extra), tuple(rows), lab.title)


def label_of(lab: Lab, system: tuple[Any, ...]) -> str:
    """Return the name of a system in tables: its strategy, and the values of the axes that have several."""
    axes = {"guide": ("published",), "ontology": ("curated",), **lab.axes}
    names = [*AXES, *(name for name in lab.axes if name not in AXES)]
    named = zip(names, system, strict=True)
    parts = [
        str(value) if name in AXES else f"{name}={value}"
        for name, value in named
        if name == "strategy" or len(axes[name]) > 1
    ]
    return ", ".join(parts)


@dataclass(frozen=True, eq=False)
class Comparison:
    """One measure of several systems on the same webs.

    Attributes:
        world: name of the world; "" for all of the lab.
        metric: measure, of results.csv.
        at: number of requests, or of pages.
        systems: names of the k systems, those with a value in every block.
        blocks: (world, topic, seed) of the N blocks.
        values: shape (N, k).
        oracle: mean of the oracle in these blocks; None without one.
        left_out: systems that lack a value in some block: a cell failed, or has no such value.
    """

    world: str
    metric: str
    at: int
    systems: tuple[str, ...]
    blocks: tuple[tuple[str, str, int], ...]
    values: NDArray[np.float64]
    oracle: float | None
    left_out: tuple[str, ...]


def compare(lab: Lab, cells: Sequence[Measured], metric: str, at: int, world: str = "") -> Comparison:
    """Collect the values of one measure, block by block.

    Args:
        lab: the lab.
        cells: its measured cells.
        metric: a measure of results.csv.
        at: number of requests, or of pages.
        world: name of a world; empty for all.
    """
    there = [one for one in cells if not world or one.cell.world == world]
    blocks = [(w.name, w.topic, seed) for w in lab.worlds if not world or w.name == world for seed in range(lab.seeds)]
    of: dict[str, dict[tuple[str, str, int], float]] = {}
    for one in there:
        value, cell = one.values.get((metric, at)), one.cell
        name = ORACLE if cell.strategy == ORACLE else label_of(lab, cell.system)
        of.setdefault(name, {})
        if value is not None:
            of[name][cell.world, cell.topic, cell.seed] = value
    best = of.pop(ORACLE, {})
    wanted = list(dict.fromkeys(label_of(lab, cell.system) for cell in lab.cells()))
    whole = [name for name in wanted if len(of.get(name, {})) == len(blocks)]
    values = np.array([[of[name][block] for name in whole] for block in blocks], dtype=np.float64)
    known = [best[block] for block in blocks if block in best]
    return Comparison(
        world, metric, at, tuple(whole), tuple(blocks), values.reshape(len(blocks), len(whole)),
        float(np.mean(known)) if len(known) == len(blocks) else None,
        tuple(name for name in wanted if name not in whole),
    )  # fmt: skip


def order(last: Comparison) -> list[int]:
    """Return the systems of a comparison, the one with the largest mean first."""
    means = last.values.mean(axis=0)
    return sorted(range(len(last.systems)), key=lambda i: (-means[i], last.systems[i]))


def baseline_of(lab: Lab, last: Comparison) -> int | None:
    """Return the index of the baseline: the first system whose strategy it is; None where it is not compared."""
    names = {label_of(lab, cell.system): cell.strategy for cell in lab.cells()}
    return next((i for i, name in enumerate(last.systems) if names[name] == lab.baseline), None)


def spread(last: Comparison) -> tuple[float, float]:
    """Return the standard deviation of the means of the systems, and the mean of those of each system over blocks."""
    between = float(last.values.mean(axis=0).std(ddof=1)) if len(last.systems) > 1 else 0.0
    within = float(last.values.std(axis=0, ddof=1).mean()) if len(last.blocks) > 1 else 0.0
    return between, within


def main_metric(lab: Lab, world: str) -> str:
    """Return the measure by which the systems of a world are compared first: by label where labels are known."""
    return "relevant_by_label" if world in labelled(lab) else "relevant_by_judge"

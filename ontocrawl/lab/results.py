"""The results of a lab: one value a row, as results.csv has them, and tables of one measure for statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontocrawl.graph.tables import Table
from ontocrawl.lab import summaries
from ontocrawl.lab.definition import Cell, Lab
from ontocrawl.lab.references import is_reference
from ontocrawl.lab.running import Outcome, labelled
from ontocrawl.lab.summaries import Count
from ontology.errors import Message

COLUMNS = ("world", "topic", "strategy", "guide", "ontology", "seed", "metric", "at", "value")


@dataclass(frozen=True)
class Measured:
    """A cell with its measures: (metric, at) -> value, None where there is none."""

    cell: Cell
    values: dict[tuple[str, int], float | None]


def measured(outcomes: Iterable[Outcome]) -> list[Measured]:
    """Return the measures of the crawls of a lab at its milestones; cells that failed are not among them."""
    return [Measured(one.cell, dict(one.found.values[summaries.OWN])) for one in outcomes if one.found is not None]


def recounted(outcomes: Iterable[Outcome], cells: Iterable[Measured], count: Count) -> list[Measured]:
    """Return measured cells with the pages counted as relevant whose R reaches another threshold.

    Args:
        outcomes: outcomes of the cells.
        cells: the cells as measured.
        count: the threshold, one of `summaries.counts_of` the world.
    """
    found = {one.cell: one.found for one in outcomes if one.found is not None}
    return [Measured(one.cell, {**one.values, **found[one.cell].values[count]}) for one in cells]


def table(lab: Lab, cells: Iterable[Measured]) -> Table:
    """Return all values as a table, `COLUMNS` and then the other axes of the lab; a missing value has no row."""
    extra = lab.other_axes()
    rows = []
    for one in cells:
        cell, settings = one.cell, dict(one.cell.settings)
        topic = Path(cell.topic).stem if cell.topic.endswith(".toml") else cell.topic  # the same on every machine
        head = (cell.world, topic, cell.strategy, cell.guide, cell.ontology, cell.seed)
        tail = tuple(settings.get(name) for name in extra)
        rows += [(*head, name, at, value, *tail) for (name, at), value in one.values.items() if value is not None]
    return Table((*COLUMNS, *extra), tuple(rows), lab.title)


def label_of(lab: Lab, cell: Cell) -> str:
    """Return the name of a cell's system in tables: its strategy, and the values of the axes that have several."""
    axes, settings = lab.axes_of(cell.world), dict(cell.settings)
    parts = [cell.strategy]
    parts += [str(getattr(cell, name)) for name in ("guide", "ontology") if len(axes[name]) > 1]
    parts += [f"{name}={value}" for name, value in settings.items() if len(axes[name]) > 1]
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
        references: name of each reference with a value in every block -> its values, shape (N,).
        left_out: systems that lack a value in some block: a cell failed, or has no such value.
    """

    world: str
    metric: str
    at: int
    systems: tuple[str, ...]
    blocks: tuple[tuple[str, str, int], ...]
    values: NDArray[np.float64]
    references: dict[str, NDArray[np.float64]]
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
        name = cell.strategy if is_reference(cell.strategy) else label_of(lab, cell)
        of.setdefault(name, {})
        if value is not None:
            of[name][cell.world, cell.topic, cell.seed] = value
    wanted = list(dict.fromkeys(label_of(lab, cell) for cell in lab.cells() if not world or cell.world == world))
    whole = [name for name in wanted if len(of.get(name, {})) == len(blocks)]
    values = np.array([[of[name][block] for name in whole] for block in blocks], dtype=np.float64)
    bounds = {name: v for name, v in of.items() if is_reference(name) and len(v) == len(blocks)}
    return Comparison(
        world, metric, at, tuple(whole), tuple(blocks), values.reshape(len(blocks), len(whole)),
        {name: np.array([v[block] for block in blocks], dtype=np.float64) for name, v in bounds.items()},
        tuple(name for name in wanted if name not in whole),
    )  # fmt: skip


def order(last: Comparison) -> list[int]:
    """Return the systems of a comparison, the one with the largest mean first."""
    means = last.values.mean(axis=0)
    return sorted(range(len(last.systems)), key=lambda i: (-means[i], last.systems[i]))


def baseline_of(lab: Lab, last: Comparison) -> int | None:
    """Return the index of the baseline: the first system whose strategy it is, else the first with that name."""
    cells = [cell for cell in lab.cells() if not last.world or cell.world == last.world]
    written = {label_of(lab, cell): cell.strategy for cell in cells}
    for names in (written, {label: strategy.partition("?")[0] for label, strategy in written.items()}):
        for i, label in enumerate(last.systems):
            if names[label] == lab.baseline:
                return i
    return None


def spread(last: Comparison) -> tuple[float, float]:
    """Return the standard deviation of the means of the systems, and the mean of those of each system over blocks."""
    between = float(last.values.mean(axis=0).std(ddof=1)) if len(last.systems) > 1 else 0.0
    within = float(last.values.std(axis=0, ddof=1).mean()) if len(last.blocks) > 1 else 0.0
    return between, within


def unreached(outcomes: Iterable[Outcome], world: str = "") -> list[str]:
    """Return a line for each world from whose start no labelled page can be reached, as its oracle found.

    Args:
        outcomes: outcomes of the cells; a world without an oracle has no line.
        world: name of a world; empty for all.
    """
    seeds: dict[str, list[int]] = {}
    for one in outcomes:
        name = one.cell.world
        if one.found is not None and one.found.facts.get("reached") == 0 and name == (world or name):
            seeds.setdefault(name, []).append(one.cell.seed)
    return [
        Message("lab.unreached", world=name, seeds=", ".join(map(str, dict.fromkeys(of)))) for name, of in seeds.items()
    ]


def ended_early(lab: Lab, outcomes: Iterable[Outcome], world: str = "") -> list[tuple[str, str, int, int, str]]:
    """Return the crawls that ended for want of links, before their limit: a mean over them says nothing of a strategy.

    Args:
        lab: the lab.
        outcomes: outcomes of its cells.
        world: name of a world; empty for all.

    Returns:
        World, system, seed, pages and reason of each such crawl.
    """
    return [
        (one.cell.world, label_of(lab, one.cell), one.cell.seed, one.found.pages, str(one.found.facts["stop"]))
        for one in outcomes
        if one.found is not None and one.cell.world == (world or one.cell.world) and one.found.without_links
    ]


def main_metric(lab: Lab, world: str) -> str:
    """Return the measure by which the systems of a world are compared first: by label where labels are known."""
    return "relevant_by_label" if world in labelled(lab) else "relevant_by_judge"

"""The section of a report that sets the papers' printed tables beside the measured ones, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ontocrawl.lab.definition import Lab
from ontocrawl.lab.document import Grid, Paragraph, Section
from ontocrawl.lab.measuring import AT_DP
from ontocrawl.lab.printed import PrintedTable, counts, kendall_tau, tables, verdicts
from ontocrawl.lab.results import Comparison, Measured, compare, label_of

BASES = {"": "requests", AT_DP: "DP"}
"""Ending of a measure -> what is equal."""
METRICS = {"accuracy": "by the judge", "precision": "by the labels"}
"""Measure -> who says that a page is relevant."""


def sections(lab: Lab, cells: Sequence[Measured]) -> list[Section]:
    """Return a section for each printed table whose topic a world of the lab has."""
    found = []
    for world in lab.worlds:
        for table in tables():
            if world.topic == table.topic:
                parts = tuple(_parts(lab, cells, table, world.name))
                if parts:
                    name = table.id.replace(" ", "-").lower()
                    found.append(
                        Section(f"printed-{world.name}-{name}", f"Paper {table.id} on {world.name}", "", parts)
                    )
    return found


def _parts(lab: Lab, cells: Sequence[Measured], table: PrintedTable, world: str) -> Iterator[Paragraph | Grid]:
    reached = [dp for dp in table.at if dp in lab.milestones]
    if not reached:
        return
    columns = {
        (metric, basis, dp): _by_strategy(lab, compare(lab, cells, metric + basis, dp, world))
        for metric in METRICS for basis in BASES for dp in reached
    }  # fmt: skip
    rows = []
    for row in table.rows:
        line = [f"{row.name} ({row.strategy})"]
        for dp in reached:
            line.append(f"{row.values[table.at.index(dp)]:.4g}")
            line += [_mean(columns[metric, AT_DP, dp].get(row.strategy)) for metric in METRICS]
        rows.append(tuple(line))
    heads = [f"{what} {dp:,}" for dp in reached for what in ("printed", *METRICS.values())]
    threshold = "" if table.threshold is None else f", printed with a threshold of {table.threshold}"
    yield Grid(("crawler", *heads), tuple(rows), f"Share of relevant pages at equal DP{threshold}.")
    yield Grid(
        ("pages or requests", "equal", "relevant", "order holds", "reversed", "undecided", "Kendall's tau"),
        tuple(
            _line(table, dp, metric, basis, columns[metric, basis, dp])
            for dp in reached for metric in METRICS for basis in BASES
        ),
        "Pairs of crawlers whose printed order holds, by the interval of the paired difference over the webs.",
    )  # fmt: skip


def _by_strategy(lab: Lab, comparison: Comparison) -> dict[str, list[float]]:
    """Return strategy -> values of the blocks; of several systems with one strategy the first."""
    strategy_of = {label_of(lab, cell.system): cell.strategy for cell in lab.cells()}
    found: dict[str, list[float]] = {}
    for i, name in enumerate(comparison.systems):
        found.setdefault(strategy_of[name], comparison.values[:, i].tolist())
    return found


def _line(table: PrintedTable, dp: int, metric: str, basis: str, measured: dict[str, list[float]]) -> tuple[str, ...]:
    pairs = verdicts(table.printed_at(dp), measured) if len(next(iter(measured.values()), [])) > 1 else []
    tau = kendall_tau(table.printed_at(dp), measured)
    by = counts(pairs)
    return (
        f"{dp:,}", BASES[basis], METRICS[metric], *(str(by[name]) for name in ("holds", "reversed", "undecided")),
        "–" if tau is None else f"{tau:.2f}",
    )  # fmt: skip


def _mean(values: list[float] | None) -> str:
    return "–" if not values else f"{float(np.mean(values)):.4f}"

"""What the papers print of their crawlers: tables, grids of parameters, ranks, figures, and claims (printed.toml).

Every number is read from the papers' texts; `tests/ontocrawl/lab/test_printed.py` looks each one up there.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from pydantic import Field

from ontocrawl.base.config import Section, checked
from ontocrawl.lab.summaries import OWN, Count

LOWER_IS_BETTER = frozenset({"sd", "sd_lp"})
"""Measures of which the papers call the lower value the better one. It need not be: a crawl of irrelevant pages alone
has SD = 0 (trap T45)."""


class PrintedRow(Section):
    """A row of a printed table."""

    name: str
    """Name of the crawler in the paper."""
    strategy: str
    """The same crawler here, as a lab writes it."""
    values: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    """Measure -> printed value after each number of pages of the table; NaN where none is printed."""


class PrintedTable(Section):
    """A printed table of crawlers and their measures."""

    id: str
    """Paper and table."""
    paper: str
    title: str
    threshold: float | None = None
    """From which R on a page counts as relevant; None for the threshold of the crawls' topic."""
    strict: bool = True
    """Whether R must be greater than the threshold."""
    at: tuple[int, ...]
    """Numbers of pages (DP), ascending."""
    rows: tuple[PrintedRow, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The printed measures, in the order of the table."""
        return tuple(dict.fromkeys(metric for row in self.rows for metric in row.values))

    @property
    def names(self) -> dict[str, str]:
        """Strategy -> name in the paper."""
        return {row.strategy: row.name for row in self.rows}

    def printed_at(self, dp: int, metric: str = "accuracy") -> dict[str, float]:
        """Return strategy -> printed value after a number of pages."""
        column = self.at.index(dp)
        found = {row.strategy: row.values[metric][column] for row in self.rows if metric in row.values}
        return {name: value for name, value in found.items() if not math.isnan(value)}


class PrintedGrid(Section):
    """A printed table of one crawler with several values of two parameters."""

    id: str
    paper: str
    title: str
    strategy: str
    threshold: float | None = None
    strict: bool = True
    at: int
    row: str
    """Parameter of the rows."""
    rows: tuple[float, ...]
    column: str
    columns: tuple[float, ...]
    values: dict[str, tuple[tuple[float, ...], ...]]
    """Measure -> value by row and column; NaN where the paper prints that the crawl ended early."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The printed measures."""
        return tuple(self.values)

    @property
    def names(self) -> dict[str, str]:
        """Strategy -> its parameters."""
        return {self.with_parameters(y, x): f"{self.row} = {y:g}, {self.column} = {x:g}"
                for y in self.rows for x in self.columns}  # fmt: skip

    def with_parameters(self, y: float, x: float) -> str:
        """Return the strategy with two values, as a lab writes it."""
        sign = "&" if "?" in self.strategy else "?"
        return f"{self.strategy}{sign}{self.row}={y:g}&{self.column}={x:g}"

    def printed_at(self, dp: int, metric: str = "accuracy") -> dict[str, float]:
        """Return strategy -> printed value; ``dp`` is that of the grid."""
        found = {
            self.with_parameters(y, x): value
            for y, line in zip(self.rows, self.values[metric], strict=True)
            for x, value in zip(self.columns, line, strict=True)
        }
        return {name: value for name, value in found.items() if not math.isnan(value)}


class PrintedRanks(Section):
    """A printed table of ranks (Friedman), which follows from another table (trap T44)."""

    id: str
    paper: str
    table: str
    """The table whose values are ranked."""
    at: int
    metrics: tuple[str, ...]


class PrintedRuns(Section):
    """A printed table of several runs of one crawler."""

    id: str
    paper: str
    title: str
    strategy: str
    threshold: float | None = None
    strict: bool = True
    at: int
    values: dict[str, tuple[float, ...]]
    """Measure -> value of each run."""


class PrintedGain(Section):
    """A printed relative difference of two crawlers' accuracies, in per cent."""

    id: str
    paper: str
    title: str
    strategy: str
    baseline: str
    at: tuple[int, ...]
    values: tuple[float, ...]
    """Gain after each number of pages; NaN where none is printed."""
    after: int
    """Number of pages after which the mean gain is printed."""
    mean: float


class PrintedOverlap(Section):
    """A printed table of the pages that two crawls have in common."""

    id: str
    paper: str
    title: str
    rows: tuple[tuple[str, str, str], ...]
    """Two strategies, and the printed ratio."""


class PrintedFigure(Section):
    """A figure of which the paper's text has a picture only."""

    id: str
    paper: str
    title: str
    metric: str
    text: str
    """What the text says of it in numbers."""
    rows: tuple[tuple[str, str], ...]
    """Name and strategy of each curve."""
    threshold: float | None = None
    strict: bool = True

    @property
    def names(self) -> dict[str, str]:
        """Strategy -> name in the paper."""
        return {strategy: name for name, strategy in self.rows}


class PrintedPart(Section):
    """A part of a crawler that a paper adds or takes for granted, without a crawl that lacks it."""

    id: str
    paper: str
    title: str
    text: str
    """What the paper says of it."""
    at: int
    threshold: float | None = None
    strict: bool = True
    rows: tuple[tuple[str, str], ...]
    """Name and strategy of the crawler as printed, then of those without the part or with another in its place."""

    @property
    def names(self) -> dict[str, str]:
        """Strategy -> name."""
        return {strategy: name for name, strategy in self.rows}


class Claim(Section):
    """A sentence of a paper about the order of crawlers."""

    text: str
    table: str
    """The table or grid that has the values."""
    metric: str = "accuracy"
    at: tuple[int, ...]
    """Numbers of pages for which it is said."""
    better: tuple[str, ...]
    """Strategies, each of which is claimed to be better than each of `worse`."""
    worse: tuple[str, ...] = ()
    """Strategies; empty for all others of the table."""
    cause: str = "open"
    """Why our crawls deviate, where they do: the web, the reading of the paper, or open, and how that was found."""


Item = (
    PrintedTable | PrintedGrid | PrintedRanks | PrintedRuns | PrintedGain | PrintedOverlap | PrintedFigure | PrintedPart
)


Source = PrintedTable | PrintedGrid | PrintedFigure | PrintedPart
"""What a claim can be about."""


class Printed(Section):
    """All that is printed."""

    tables: tuple[PrintedTable, ...]
    grids: tuple[PrintedGrid, ...]
    ranks: tuple[PrintedRanks, ...]
    runs: tuple[PrintedRuns, ...]
    gains: tuple[PrintedGain, ...]
    overlaps: tuple[PrintedOverlap, ...]
    figures: tuple[PrintedFigure, ...]
    parts: tuple[PrintedPart, ...]
    claims: tuple[Claim, ...]

    @property
    def by_id(self) -> Mapping[str, Source]:
        """What a claim can be about, by its name."""
        found: tuple[Source, ...] = (*self.tables, *self.grids, *self.figures, *self.parts)
        return {one.id: one for one in found}

    def table(self, name: str) -> PrintedTable:
        """Return a table by its name."""
        return next(table for table in self.tables if table.id == name)

    @property
    def items(self) -> tuple[Item, ...]:
        """All that a world of a lab can be set beside."""
        return (
            *self.tables, *self.grids, *self.ranks, *self.runs, *self.gains, *self.overlaps, *self.figures, *self.parts,
        )  # fmt: skip


def count_of(item: Item) -> Count | None:
    """Return what counts as relevant in a printed item: ranks count as their table, and gains by the judge."""
    if isinstance(item, PrintedRanks):
        item = printed().table(item.table)
    if isinstance(item, PrintedGain | PrintedOverlap) or item.threshold is None:
        return OWN
    return Count(item.threshold, item.strict)


@cache
def printed() -> Printed:
    """Return what the papers print."""
    text = resources.files("ontocrawl.lab").joinpath("printed.toml").read_text("utf-8")
    return checked(Printed, tomllib.loads(text), "printed.toml")

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

from ontocrawl.base.config import checked
from ontocrawl.base.options import Section
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


class PrintedItem(Section):
    """Something that a paper prints of its crawlers."""

    id: str
    """Paper, and table, figure or part."""
    paper: str
    title: str = ""
    threshold: float | None = None
    """From which R on a page counts as relevant; None for the judge of the crawls."""
    strict: bool = True
    """Whether R must be greater than the threshold."""

    @property
    def count(self) -> Count | None:
        """What counts as relevant."""
        return OWN if self.threshold is None else Count(self.threshold, self.strict)


class PrintedTable(PrintedItem):
    """A printed table of crawlers and their measures."""

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


class PrintedGrid(PrintedItem):
    """A printed table of one crawler with several values of two parameters."""

    strategy: str
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


class PrintedRanks(PrintedItem):
    """A printed table of ranks (Friedman), which follows from another table (trap T44)."""

    table: str
    """The table whose values are ranked."""
    at: int
    metrics: tuple[str, ...]

    @property
    def count(self) -> Count | None:
        """That of the table."""
        return printed().table(self.table).count


class PrintedRuns(PrintedItem):
    """A printed table of several runs of one crawler."""

    strategy: str
    at: int
    values: dict[str, tuple[float, ...]]
    """Measure -> value of each run."""


class PrintedGain(PrintedItem):
    """A printed relative difference of two crawlers' accuracies, in per cent."""

    strategy: str
    baseline: str
    at: tuple[int, ...]
    values: tuple[float, ...]
    """Gain after each number of pages; NaN where none is printed."""
    after: int
    """Number of pages after which the mean gain is printed."""
    mean: float


class PrintedOverlap(PrintedItem):
    """A printed table of the pages that two crawls have in common."""

    rows: tuple[tuple[str, str, str], ...]
    """Two strategies, and the printed ratio."""


class PrintedFigure(PrintedItem):
    """A figure of which the paper's text has a picture only."""

    metric: str = "accuracy"
    text: str
    """What the text says of it, of a picture in numbers."""
    rows: tuple[tuple[str, str], ...]
    """Name and strategy of each crawler."""

    @property
    def names(self) -> dict[str, str]:
        """Strategy -> name in the paper."""
        return {strategy: name for name, strategy in self.rows}


class PrintedPart(PrintedFigure):
    """A part of a crawler that a paper adds or takes for granted, without a crawl that lacks it.

    Its rows are the crawler as printed, then those without the part or with another in its place.
    """

    at: int


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


@cache
def printed() -> Printed:
    """Return what the papers print."""
    text = resources.files("ontocrawl.lab").joinpath("printed.toml").read_text("utf-8")
    return checked(Printed, tomllib.loads(text), "printed.toml")

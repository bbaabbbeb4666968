"""What the papers print of their crawlers, and whether the orderings hold in a lab.

Only orderings are compared: the same baseline differs from paper to paper (trap T46), by topic, seeds, date and
threshold, and the webs of the papers no longer exist.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from ontocrawl.config import Section, checked
from ontocrawl.lab.statistics import mean_interval

Verdict = Literal["holds", "reversed", "undecided"]


class PrintedRow(Section):
    """A row of a printed table."""

    name: str
    """Name of the crawler in the paper."""
    strategy: str
    """The same crawler here, as a lab writes it."""
    values: tuple[float, ...]
    """Accuracy after each number of pages of the table."""


class PrintedTable(Section):
    """A printed table of accuracies, LP / DP."""

    id: str
    """Paper and table."""
    paper: str
    topic: str
    threshold: float | None = None
    """From which R on a page counted as relevant; None where the paper does not say."""
    at: tuple[int, ...]
    """Numbers of pages (DP), ascending."""
    rows: tuple[PrintedRow, ...]

    def printed_at(self, dp: int) -> dict[str, float]:
        """Return strategy -> printed accuracy after a number of pages."""
        column = self.at.index(dp)
        return {row.strategy: row.values[column] for row in self.rows}


class _Tables(Section):
    tables: tuple[PrintedTable, ...]


@cache
def tables() -> tuple[PrintedTable, ...]:
    """Return the printed tables of the papers."""
    text = resources.files("ontocrawl.lab").joinpath("printed.toml").read_text("utf-8")
    return checked(_Tables, tomllib.loads(text), "printed.toml").tables


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Whether the printed order of two crawlers holds.

    Attributes:
        better: strategy that is printed as the better one.
        worse: the other one.
        printed: printed difference, positive.
        measured: mean of the measured differences, block by block.
        low: lower bound of its 95 % interval.
        high: upper bound.
        verdict: holds where the interval lies above 0, reversed below 0, else undecided.
    """

    better: str
    worse: str
    printed: float
    measured: float
    low: float
    high: float
    verdict: Verdict


def verdicts(printed: Mapping[str, float], measured: Mapping[str, ArrayLike]) -> list[PairVerdict]:
    """Judge the order of each two crawlers that are printed with different values and were measured.

    Args:
        printed: strategy -> printed value; more is better.
        measured: strategy -> values of the blocks, shape (N,) with N >= 2, in the same order of blocks.

    Returns:
        The pairs, those with the largest printed difference first.
    """
    both = [name for name in printed if name in measured]
    found = []
    for one, other in combinations(both, 2):
        if printed[one] != printed[other]:
            better, worse = (one, other) if printed[one] > printed[other] else (other, one)
            found.append(_pair(better, worse, printed, measured))
    return sorted(found, key=lambda pair: -pair.printed)


def _pair(better: str, worse: str, printed: Mapping[str, float], measured: Mapping[str, ArrayLike]) -> PairVerdict:
    apart = np.asarray(measured[better], dtype=np.float64) - np.asarray(measured[worse], dtype=np.float64)
    low, high = mean_interval(apart)
    verdict: Verdict = "holds" if low > 0 else "reversed" if high < 0 else "undecided"
    return PairVerdict(better, worse, printed[better] - printed[worse], float(apart.mean()), low, high, verdict)


def kendall_tau(printed: Mapping[str, float], measured: Mapping[str, ArrayLike]) -> float | None:
    """Compute Kendall's tau-b of printed values and measured means; None for fewer than two crawlers or all equal."""
    both = [name for name in printed if name in measured]
    means = [float(np.mean(np.asarray(measured[name], dtype=np.float64))) for name in both]
    if len(both) < 2:
        return None
    tau = float(stats.kendalltau([printed[name] for name in both], means).statistic)
    return None if np.isnan(tau) else tau


def counts(found: Sequence[PairVerdict]) -> dict[Verdict, int]:
    """Count the verdicts of some pairs."""
    return {verdict: sum(pair.verdict == verdict for pair in found) for verdict in ("holds", "reversed", "undecided")}

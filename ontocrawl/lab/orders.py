"""Whether the printed order of crawlers holds among measured values: pair by pair, by the interval of the difference.

Only orderings are compared: the same baseline differs from paper to paper (trap T46), by topic, seeds, date and
threshold, and the webs of the papers no longer exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from ontocrawl.lab.statistics import mean_interval

Verdict = Literal["holds", "reversed", "undecided"]


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
    low, high = _interval(tuple(apart.tolist()))
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


@cache
def _interval(values: tuple[float, ...]) -> tuple[float, float]:
    """Return the interval of a mean; a table, its summary and the claims ask for the same ones."""
    return mean_interval(values)


def neighbours(printed: Mapping[str, float], found: Sequence[PairVerdict]) -> dict[str, PairVerdict]:
    """Return crawler -> its verdict against the measured one that is printed next below it.

    Args:
        printed: strategy -> printed value; more is better.
        found: the verdicts of its pairs. Of two crawlers with the same printed value neither is below the other.
    """
    pair_of = {(pair.better, pair.worse): pair for pair in found}
    measured = {name for pair in found for name in (pair.better, pair.worse)}
    order = sorted((name for name in printed if name in measured), key=lambda name: -printed[name])
    return {one: pair_of[one, other] for one, other in pairwise(order) if (one, other) in pair_of}


def together(found: Sequence[PairVerdict]) -> Verdict:
    """Return the verdict on a claim of several pairs: it holds if all do, and is reversed if one is."""
    by = counts(found)
    return "reversed" if by["reversed"] else "undecided" if by["undecided"] or not found else "holds"

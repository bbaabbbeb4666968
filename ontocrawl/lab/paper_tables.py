"""The papers' tables in the form of the papers, each printed value beside the measured one, and their orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ontocrawl.lab.definition import Lab
from ontocrawl.lab.document import Grid, Paragraph
from ontocrawl.lab.printed import LOWER_IS_BETTER, PrintedGrid, PrintedPart, PrintedRanks, PrintedRuns, PrintedTable
from ontocrawl.lab.results import Measured, recounted
from ontocrawl.lab.running import Outcome
from ontocrawl.lab.statistics import block_ranks, mean_interval
from ontocrawl.lab.summaries import AT_DP, AT_PRINTED_DP, OWN, Count

_SHOWN_PAIRS = 12
"""Largest number of reversed pairs that a table names."""
HEADS = {
    "accuracy": "Accuracy", "lp": "LP", "ar": "AR", "sd": "SD", "ar_lp": "AR of LP", "sd_lp": "SD of LP", "rc": "RC",
    "hours": "time",
}  # fmt: skip
Part = Paragraph | Grid


def of_table(table: PrintedTable, found: Found) -> Iterator[Part]:
    """Yield a printed table beside what was measured, and for each measure its orders, row by row."""
    for dp, at in found.compared_at(table.at):
        if dp != at:
            yield Paragraph(f"Printed at DP {dp:,}; these crawls read {at:,} pages, so the numbers of pages differ.")
        yield _form(table, found, dp, at)
        for metric in table.metrics:
            if metric in ORDERED:
                yield _places(table, found, metric, dp, at)
        yield _order_counts(table, found, dp, at)


def _form(table: PrintedTable, found: Found, dp: int, at: int) -> Grid:
    pages = found.pages(at)
    columns = [column for metric in table.metrics for column in _columns(table, found, metric, dp, at)]
    rows = tuple(
        (f"{row.name} ({row.strategy})", number(pages.get(row.strategy)),
         *(number(of.get(row.strategy)) for _, of in columns))
        for row in table.rows
    )  # fmt: skip
    threshold = "" if table.threshold is None else f" Relevant by the judge: R {_sign(table)} {table.threshold:g}."
    heads = ("crawler", "pages", *(head for head, _ in columns))
    return Grid(heads, rows, f"At DP {at:,}: printed and measured, means over the seeds.{threshold}")


def _columns(
    table: PrintedTable, found: Found, metric: str, dp: int, at: int
) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Yield the columns of a measure: as printed, by the judge and by the labels; none if nothing is printed."""
    printed, head = table.printed_at(dp, metric), HEADS[metric]
    if printed and metric == "hours":
        yield f"{head}, printed (h)", printed
        yield f"{head}, here (s)", _means(found.values("seconds", at))
    elif printed:
        yield f"{head}, printed", printed
        for who, evidence in (("judge", AS_PRINTED), ("labels", EVIDENCES[1])):
            if values := found.of(metric, evidence, at):
                yield f"{head}, {who}", _means(values)
        counted = found.of(metric, _COUNTED, at)
        if any(found.of(metric, AS_PRINTED, at)[name] != values for name, values in counted.items()):
            yield f"{head}, judge, printed DP", _means(counted)


def _sign(one: PrintedTable | PrintedGrid | PrintedRuns) -> str:
    return ">" if one.strict else ">="


def _places(table: PrintedTable, found: Found, metric: str, dp: int, at: int) -> Grid:
    """Return, for each crawler in the printed order, whether it is better than the next one."""
    printed = table.printed_at(dp, metric)
    shown = [one for one in EVIDENCES if one.measure(metric) is not None]
    orders = {one: found.orders(printed, metric, one, at) for one in shown}
    sign = -1.0 if metric in LOWER_IS_BETTER else 1.0
    below = {one: _neighbours({name: sign * x for name, x in printed.items()}, orders[one]) for one in shown}
    first = shown[0]
    rows = []
    for name in sorted(printed, key=lambda name: -sign * printed[name]):
        pair = below[first].get(name)
        other = "–" if pair is None else table.names[pair.worse]
        wrong = [p for p in orders[first] if p.verdict == "reversed" and name in (p.better, p.worse)]
        others = [table.names[p.worse if p.better == name else p.better] for p in wrong]
        rows.append((
            table.names[name], f"{printed[name]:.4g}", other,
            *(below[one][name].verdict if name in below[one] else "–" for one in shown), ", ".join(others) or "–",
        ))  # fmt: skip
    better = "lower is better" if sign < 0 else "higher is better"
    heads = ("crawler", "printed", "next below it", *(one.name for one in shown), f"reversed with ({first.name})")
    return Grid(heads, tuple(rows), f"{HEADS[metric]} at DP {at:,}, {better}: is it better than the next below it?")


def _order_counts(table: PrintedTable | PrintedGrid, found: Found, dp: int, at: int) -> Grid:
    """Return how many pairs keep their printed order, by measure and evidence."""
    rows = []
    for metric in table.metrics:
        if metric not in ORDERED:
            continue
        printed = table.printed_at(dp, metric)
        for evidence in EVIDENCES:
            if evidence.measure(metric) is not None:
                pairs = found.orders(printed, metric, evidence, at)
                tau = _kendall_tau(printed, found.of(metric, evidence, at))
                by = counts(pairs)
                rows.append((
                    HEADS[metric], evidence.name, *(str(by[name]) for name in ("holds", "reversed", "undecided")),
                    "–" if tau is None else f"{tau:.2f}", reversed_pairs(pairs, table.names),
                ))  # fmt: skip
    heads = ("measure", "compared", "order holds", "reversed", "undecided", "Kendall's tau", "reversed pairs")
    title = f"Pairs of crawlers at DP {at:,}: does the printed order hold, by the interval of the paired difference?"
    return Grid(heads, tuple(rows), title)


def reversed_pairs(pairs: Sequence[PairVerdict], names: Mapping[str, str]) -> str:
    """Return the pairs whose order is reversed, the measured better one first."""
    wrong = [f"{names[pair.worse]} > {names[pair.better]}" for pair in pairs if pair.verdict == "reversed"]
    more = len(wrong) - _SHOWN_PAIRS
    return "; ".join([*wrong[:_SHOWN_PAIRS], *([f"and {more} more"] if more > 0 else [])]) or "–"


def of_grid(grid: PrintedGrid, found: Found) -> Iterator[Part]:
    """Yield a printed grid of parameters beside what was measured."""
    [(dp, at)] = found.compared_at((grid.at,))
    if dp != at:
        yield Paragraph(f"Printed at DP {dp:,}; these crawls read {at:,} pages, so the numbers of pages differ.")
    pages = found.pages(at)
    for metric in grid.metrics:
        printed, measured = grid.printed_at(dp, metric), _means(found.of(metric, AS_PRINTED, at))
        rows = []
        for y in grid.rows:
            line = [f"{y:g}"]
            for name in (grid.with_parameters(y, x) for x in grid.columns):
                read = pages.get(name)
                early = f" ({read:,.0f} pages)" if read is not None and read < 0.98 * at else ""
                line += [number(printed.get(name)), number(measured.get(name)) + early]
            rows.append(tuple(line))
        heads = [f"{grid.column} {x:g}, {what}" for x in grid.columns for what in ("printed", "judge")]
        threshold = "" if grid.threshold is None else f"; relevant: R {_sign(grid)} {grid.threshold:g}"
        title = f"{HEADS[metric]} at DP {at:,}{threshold}. –: printed as ended early, or not measured."
        yield Grid((grid.row, *heads), tuple(rows), title)
    yield _order_counts(grid, found, dp, at)


def of_part(part: PrintedPart, found: Found) -> Iterator[Part]:
    """Yield a crawler beside those without one of its parts, each with the interval of the difference."""
    yield Paragraph(part.text)
    [(dp, at)] = found.compared_at((part.at,))
    if dp != at:
        yield Paragraph(f"The paper crawls {dp:,} pages; these crawls read {at:,}.")
    columns = {(metric, evidence): found.of(metric, evidence, at) for metric, evidence in PARTS}
    first, pages = part.rows[0][1], found.pages(at)
    rows = []
    for name, strategy in part.rows:
        cells = (_against(values.get(first, []), values.get(strategy, [])) for values in columns.values())
        rows.append((f"{name} ({strategy})", number(pages.get(strategy)), *cells))
    heads = [f"{HEADS[metric]}, {'labels' if evidence.relevant else 'judge'}" for metric, evidence in columns]
    title = f"At DP {at:,}, means over the seeds; in brackets the interval of the first row less this one."
    yield Grid(("crawler", "pages", *heads), tuple(rows), title)


def _against(whole: Sequence[float], without: Sequence[float]) -> str:
    """Return the mean of crawls without a part, and the interval of the difference from the whole ones."""
    if not without:
        return "–"
    mean, apart = number(float(np.mean(without))), np.subtract(whole, without) if whole else np.zeros(0)
    if len(apart) < 2 or not apart.any():
        return mean
    low, high = mean_interval(apart)
    return f"{mean} ({low:+.4f} to {high:+.4f})"


def of_runs(runs: PrintedRuns, found: Found) -> Iterator[Part]:
    """Yield a printed table of several runs beside the runs with other seeds."""
    [(_, at)] = found.compared_at((runs.at,))
    measured = {metric: found.of(metric, AS_PRINTED, at).get(runs.strategy, []) for metric in runs.values}
    count = max(len(next(iter(runs.values.values()))), found.lab.seeds)
    rows = []
    for run in range(count):
        line = [str(run + 1)]
        for metric, printed in runs.values.items():
            line += [_item(printed, run), _item(measured[metric], run)]
        rows.append(tuple(line))
    for name, function in (("mean", np.mean), ("standard deviation", np.std)):
        line = [name]
        for metric, printed in runs.values.items():
            line += [number(float(function(x))) if len(x) else "–" for x in (printed, measured[metric])]
        rows.append(tuple(line))
    heads = [f"{HEADS[metric]}, {what}" for metric in runs.values for what in ("printed", "here")]
    webs = "all runs on one web" if "seed=" in found.lab.world(found.world).world else "each run on another web"
    yield Grid(("run", *heads), tuple(rows), f"Here at DP {at:,}, {webs}.")


def of_ranks(ranks: PrintedRanks, table: PrintedTable, found: Found) -> Iterator[Part]:
    """Yield printed ranks beside those of the measured means. The printed ones follow from the printed table."""
    [(dp, at)] = found.compared_at((ranks.at,))
    here = {metric: _means(_best_evidence(found, metric, at)) for metric in ranks.metrics}
    measured = [row.strategy for row in table.rows if all(row.strategy in here[metric] for metric in ranks.metrics)]
    printed_ranks = _ranked(
        [table.printed_at(dp, metric) for metric in ranks.metrics], ranks.metrics, list(table.names)
    )
    own_ranks = _ranked([here[metric] for metric in ranks.metrics], ranks.metrics, measured)
    rows = []
    for name, shown in table.names.items():
        line = [shown]
        for i in range(len(ranks.metrics) + 1):
            line += [f"{printed_ranks[name][i]:.4g}", f"{own_ranks[name][i]:.4g}" if name in own_ranks else "–"]
        rows.append(tuple(line))
    measures = (*(HEADS[metric] for metric in ranks.metrics), "average")
    heads = [f"{head}, {what}" for head in measures for what in ("printed", "here")]
    title = f"Ranks at DP {dp:,} in print, at DP {at:,} here. LP counts the accuracy twice (trap T44)."
    yield Grid(("crawler", *heads), tuple(rows), title)


def _best_evidence(found: Found, metric: str, at: int) -> dict[str, list[float]]:
    return found.of(metric, AS_PRINTED, at) or found.of(metric, EVIDENCES[1], at)


def _ranked(
    values: Sequence[Mapping[str, float]], metrics: Sequence[str], names: Sequence[str]
) -> dict[str, list[float]]:
    """Rank crawlers by several measures, as the papers do before a Friedman test.

    Args:
        values: name -> value, for each measure.
        metrics: the measures, of printed.toml.
        names: the crawlers to rank.

    Returns:
        Name -> rank by each measure, then their mean; nothing for fewer than two names.
    """
    if len(names) < 2:
        return {}
    lines = [
        block_ranks([[of[name] for name in names]], more_is_better=metric not in LOWER_IS_BETTER)[0].tolist()
        for metric, of in zip(metrics, values, strict=True)
    ]
    return {name: [line[i] for line in lines] + [float(np.mean([line[i] for line in lines]))]
            for i, name in enumerate(names)}  # fmt: skip


def number(value: float | None) -> str:
    """Return a value as text: shares with four decimal places, larger values with four digits or more."""
    if value is None:
        return "–"
    return f"{value:.4f}" if abs(value) <= 1 else f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def _item(values: Sequence[float], index: int) -> str:
    return number(values[index]) if index < len(values) else "–"


# ---- what a lab measured of the crawlers of a printed table: values by strategy, counted as the table counts them


MEASURED: Mapping[str, tuple[str | None, str | None]] = {
    "accuracy": ("accuracy", "precision"),
    "lp": ("relevant_by_judge", "relevant_by_label"),
    "ar": ("ar", None),
    "sd": ("sd", None),
    "ar_lp": ("ar_lp", None),
    "sd_lp": ("sd_lp", None),
    "rc": (None, "recall"),
    "hours": ("seconds", None),
}
"""Measure of printed.toml -> measures of results.csv, by the judge and by the labels; None where there is none."""
ORDERED = ("accuracy", "ar", "sd", "rc")
"""Measures whose order is compared; LP has that of the accuracy, and times are those of another network."""


EQUAL = {AT_DP: "DP", AT_PRINTED_DP: "printed DP", "": "requests"}
"""Ending of a measure -> what is equal. Printed DP is counted as each paper does (trap T22)."""


@dataclass(frozen=True)
class Evidence:
    """How crawlers are compared.

    Attributes:
        relevant: whether pages count by the judge (0) or by the labels (1), an index of the pairs of `MEASURED`.
        ending: ending of a measure in results.csv.
    """

    relevant: int
    ending: str

    @property
    def name(self) -> str:
        """Its name in tables."""
        return f"{('judge', 'labels')[self.relevant]}, equal {EQUAL[self.ending]}"

    def measure(self, metric: str) -> str | None:
        """Return the measure of results.csv for a printed one; None where there is none."""
        name = MEASURED[metric][self.relevant]
        return None if name is None else name + self.ending


AS_PRINTED = Evidence(0, AT_DP)
_COUNTED = Evidence(0, AT_PRINTED_DP)
EVIDENCES = (AS_PRINTED, Evidence(1, AT_DP), Evidence(0, ""), Evidence(1, ""), _COUNTED)
PARTS = (("accuracy", AS_PRINTED), ("accuracy", EVIDENCES[1]), ("ar", AS_PRINTED), ("sd_lp", AS_PRINTED))
"""Measures that are shown of a part of a crawler."""


@dataclass(frozen=True, eq=False)
class Found:
    """The crawls of one world.

    Attributes:
        lab: the lab.
        world: name of the world.
        outcomes: the outcomes of the world's cells.
        cells: their measures, with pages counted by the world's own threshold.
        count: what counts as relevant in a printed table.
    """

    lab: Lab
    world: str
    outcomes: Sequence[Outcome]
    cells: Sequence[Measured]
    count: Count | None = OWN

    @cached_property
    def counted(self) -> Sequence[Measured]:
        """The measures with pages counted by `count`."""
        return self.cells if self.count is None else recounted(self.outcomes, self.cells, self.count)

    def values(self, measure: str, at: int) -> dict[str, list[float]]:
        """Return strategy -> value of each seed; only of strategies with a value for all seeds.

        Of several systems with one strategy, as with the axis ``guide``, the first counts.

        Args:
            measure: a measure of results.csv.
            at: a milestone of the world.
        """
        found: dict[str, dict[int, float]] = {}
        for one in self.counted:
            value = one.values.get((measure, at))
            if value is not None and one.cell.guide:
                found.setdefault(one.cell.strategy, {}).setdefault(one.cell.seed, value)
        seeds = range(self.lab.seeds)
        return {name: [of[seed] for seed in seeds] for name, of in found.items() if len(of) == len(seeds)}

    def of(self, metric: str, evidence: Evidence, at: int) -> dict[str, list[float]]:
        """Return strategy -> values of a printed measure."""
        measure = evidence.measure(metric)
        return {} if measure is None else self.values(measure, at)

    def pages(self, at: int) -> dict[str, float]:
        """Return strategy -> mean number of pages with which it is compared at a DP; fewer where it ended early."""
        return _means(self.values("dp" + AT_DP, at))

    def orders(self, printed: Mapping[str, float], metric: str, evidence: Evidence, at: int) -> list[PairVerdict]:
        """Judge the printed order of each two crawlers that both have two crawls or more that did not end early.

        Args:
            printed: strategy -> printed value.
            metric: the printed measure.
            evidence: how they are compared.
            at: a milestone of the world.
        """
        sign = -1.0 if metric in LOWER_IS_BETTER else 1.0
        measured = {
            name: np.where(self._reached(name, at), sign * np.array(x), np.nan)
            for name, x in self.of(metric, evidence, at).items()
            if name in printed
        }
        return verdicts({name: sign * value for name, value in printed.items()}, measured)

    def _reached(self, strategy: str, at: int) -> NDArray[np.bool_]:
        """Return whether the crawl of each seed went on to a milestone: one that ran out of links says nothing there.

        Args:
            strategy: its strategy.
            at: a number of pages.
        """
        crawls = {one.cell.seed: one.found for one in self.outcomes if one.cell.strategy == strategy and one.cell.guide}
        alive = [not of.without_links or of.pages >= at for _, of in sorted(crawls.items()) if of is not None]
        return np.array(alive, dtype=np.bool_)

    def compared_at(self, printed: Sequence[int]) -> list[tuple[int, int]]:
        """Return pairs of a printed DP and the milestone at which crawls are compared with it.

        Printed numbers that the world does not reach are left out, unless it reaches none: then the first one stands
        beside the end of the crawls.
        """
        milestones = self.lab.milestones_of(self.world)
        reached = [(dp, dp) for dp in printed if dp in milestones]
        return reached or [(printed[0], milestones[-1])]


def _means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean of each strategy's values."""
    return {name: float(np.mean(x)) for name, x in values.items()}


# ---- whether the printed order of crawlers holds among measured values: pair by pair, by the interval of the
# difference
#
# Only orderings are compared: the same baseline differs from paper to paper (trap T46), by topic, seeds, date and
# threshold, and the webs of the papers no longer exist.


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
        measured: strategy -> values of the blocks, shape (N,), in the same order of blocks; NaN where there is none.

    Returns:
        The pairs with two blocks or more, those with the largest printed difference first.
    """
    both = [name for name in printed if name in measured]
    found = []
    for one, other in combinations(both, 2):
        if printed[one] != printed[other]:
            better, worse = (one, other) if printed[one] > printed[other] else (other, one)
            found.append(_pair(better, worse, printed, measured))
    return sorted((pair for pair in found if pair is not None), key=lambda pair: -pair.printed)


def _pair(
    better: str, worse: str, printed: Mapping[str, float], measured: Mapping[str, ArrayLike]
) -> PairVerdict | None:
    apart = np.asarray(measured[better], dtype=np.float64) - np.asarray(measured[worse], dtype=np.float64)
    apart = apart[~np.isnan(apart)]
    if len(apart) < 2:
        return None
    low, high = _interval(tuple(apart.tolist()))
    verdict: Verdict = "holds" if low > 0 else "reversed" if high < 0 else "undecided"
    return PairVerdict(better, worse, printed[better] - printed[worse], float(apart.mean()), low, high, verdict)


def _kendall_tau(printed: Mapping[str, float], measured: Mapping[str, ArrayLike]) -> float | None:
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


def _neighbours(printed: Mapping[str, float], found: Sequence[PairVerdict]) -> dict[str, PairVerdict]:
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

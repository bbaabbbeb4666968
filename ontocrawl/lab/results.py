"""The results of a lab: one value a row, as results.csv has them, and tables of one measure for statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from crawler import metrics
from ontocrawl.graph.tables import Table
from ontocrawl.lab.definition import Cell, Lab
from ontocrawl.lab.references import is_reference
from ontocrawl.lab.running import Outcome, labelled
from ontocrawl.lab.trace import Trace

COLUMNS = ("world", "topic", "strategy", "guide", "ontology", "seed", "metric", "at", "value")


WITHOUT_LINKS = ("frontier_empty", "strategy_finished")
"""Stop reasons of a crawl that ended because it chose no link any more."""


@dataclass(frozen=True)
class Measured:
    """A cell with its measures: (metric, at) -> value, None where there is none."""

    cell: Cell
    values: dict[tuple[str, int], float | None]


def measured(lab: Lab, outcomes: Iterable[Outcome]) -> list[Measured]:
    """Measure the crawls of a lab at its milestones; cells that failed are not among them."""
    return [Measured(one.cell, _values(lab, one.cell.world, one.trace)) for one in outcomes if one.trace is not None]


def _values(lab: Lab, world: str, trace: Trace) -> dict[tuple[str, int], float | None]:
    values: dict[tuple[str, int], float | None] = {}
    for at in lab.milestones_of(world):
        values |= {(name, at): value for name, value in _measures(trace, at).items()}
        at_dp = _measures(trace, at, at_dp=True)
        at_printed_dp = at_dp if trace.facts["counts"] == "fetched" else _printed_measures(trace, at)
        for ending, found in ((AT_DP, at_dp), (AT_PRINTED_DP, at_printed_dp)):
            values |= {(name + ending, at): value for name, value in found.items() if name not in _TIMES}
    return values


def recounted(
    lab: Lab, outcomes: Iterable[Outcome], cells: Iterable[Measured], threshold: float, strict: bool
) -> list[Measured]:
    """Return measured cells with the pages counted as relevant whose R reaches another threshold.

    The crawls stay as they are: no strategy but a mixture reads the judge's decision.

    Args:
        lab: the lab.
        outcomes: outcomes of the cells.
        cells: the cells as measured.
        threshold: the threshold, in [0, 1].
        strict: whether R must be greater than it.
    """
    traces = {one.cell: one.trace for one in outcomes if one.trace is not None}
    found = []
    for one in cells:
        trace = traces[one.cell]
        judge = partial(_judged_again, threshold=threshold, strict=strict)
        printed = None if trace.printed is None else judge(trace.printed)
        again = _values(lab, one.cell.world, replace(judge(trace), printed=printed))
        found.append(Measured(one.cell, one.values | {name: x for name, x in again.items() if x is not None}))
    return found


def _judged_again(trace: Trace, threshold: float, strict: bool) -> Trace:
    """Return a trace with other decisions, without labels."""
    judged = (np.greater if strict else np.greater_equal)(trace.R, threshold)
    return replace(trace, judged=judged, labelled=None)


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
        if one.trace is not None and one.trace.facts.get("reached") == 0 and name == (world or name):
            seeds.setdefault(name, []).append(one.cell.seed)
    return [
        f"world {name}: no labelled page can be reached (seeds {', '.join(map(str, dict.fromkeys(of)))}), so nothing "
        "is found by label: check `labels` and `starts`"
        for name, of in seeds.items()
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
        (one.cell.world, label_of(lab, one.cell), one.cell.seed, len(one.trace.requests), str(one.trace.facts["stop"]))
        for one in outcomes
        if one.trace is not None and one.cell.world == (world or one.cell.world)
        if one.trace.facts.get("stop") in WITHOUT_LINKS
    ]


def main_metric(lab: Lab, world: str) -> str:
    """Return the measure by which the systems of a world are compared first: by label where labels are known."""
    return "relevant_by_label" if world in labelled(lab) else "relevant_by_judge"


# ---- measures of a lab's crawls at equal numbers of requests and at equal DP, by the judge and by the labels
#
# The papers' measures (AR, SD, accuracy, RC) are those of `crawler.metrics`. A crawl that ended before a number has
# there what it had at its end: an early end is a value.


MEASURES: Mapping[str, str] = {
    "dp": "pages fetched (DP)",
    "relevant_by_label": "pages among them that are relevant by label",
    "relevant_by_judge": "pages among them that the judge finds relevant (LP)",
    "precision": "share of the pages that are relevant by label",
    "accuracy": "share of the pages that the judge finds relevant (LP / DP)",
    "recall": "share of the web's labelled pages that were fetched (RC)",
    "ar": "mean relevance of the pages by the judge (AR)",
    "sd": "standard deviation of it (SD)",
    "ar_lp": "mean relevance of the pages that the judge finds relevant",
    "sd_lp": "standard deviation of it",
    "area": "area under the harvest curve by label, as a share of that of a crawl of relevant pages only",
    "area_by_judge": "the same by the judge",
    "first_hit": "requests until the first page that is relevant by label",
    "cost": "requests for each page that is relevant by label",
    "tunnel_mean": "irrelevant pages in a row on the way to a relevant one, by label, mean",
    "tunnel_max": "the longest such way",
    "requests": "requests made",
    "choice_us": "median time of a choice in microseconds",
    "seconds": "seconds of the crawl",
}
"""Measure -> its description. In results.csv the name stands for equal requests; with ``_at_dp`` for equal DP."""
AT_DP = "_at_dp"
AT_PRINTED_DP = "_at_printed_dp"
"""Ending of measures at equal DP as each strategy's paper counts it (`_printed_measures`)."""
_TIMES = ("choice_us", "seconds")
"""Measures of the machine, which differ from run to run."""


def _measures(trace: Trace, n: int, *, at_dp: bool = False) -> dict[str, float | None]:
    """Compute all measures of a crawl after a number of requests.

    Args:
        trace: the crawl.
        n: number of requests; at its end a crawl keeps what it has.
        at_dp: whether ``n`` is a number of fetched pages instead.

    Returns:
        Name of `MEASURES` -> value; None where there is none, as of labels that are not known.
    """
    dp = min(n, len(trace)) if at_dp else trace.pages_within(n)
    requests = min(n, int(trace.facts["requests"])) if not at_dp else int(trace.requests[dp - 1]) if dp else 0
    judged, R = trace.judged[:dp], trace.R[:dp]
    lp = int(judged.sum())
    ar, sd = metrics.mean_and_deviation(R.tolist())
    ar_lp, sd_lp = metrics.mean_and_deviation(R[judged].tolist())
    return {
        "dp": dp,
        "relevant_by_judge": lp,
        "accuracy": lp / dp if dp else None,
        "ar": ar,
        "sd": sd,
        "ar_lp": ar_lp,
        "sd_lp": sd_lp,
        "area_by_judge": _area(judged, n),
        "requests": requests,
        **_by_label(trace, dp, requests, n),
        **{name: trace.facts[name] for name in _TIMES},
    }


def _printed_measures(trace: Trace, n: int) -> dict[str, float | None]:
    """Compute all measures of a crawl after a number of pages, counted as the strategy's paper does (trap T22).

    Paper 002 counts links when they are admitted, and all other papers count fetched pages.

    Args:
        trace: the crawl.
        n: number of pages (DP), at least 1.

    Returns:
        As `_measures`; None everywhere for a strategy that counts admitted links, if R of their pages was predicted.
    """
    if trace.facts["counts"] == "fetched":
        return _measures(trace, n, at_dp=True)
    if trace.printed is None:
        return dict.fromkeys(MEASURES)
    return _measures(trace.printed, n, at_dp=True)


def _by_label(trace: Trace, dp: int, requests: int, n: int) -> dict[str, float | None]:
    names = ("relevant_by_label", "precision", "recall", "area", "first_hit", "cost", "tunnel_mean", "tunnel_max")
    if trace.labelled is None:
        return dict.fromkeys(names)
    labelled, targets = trace.labelled[:dp], trace.facts["targets"]
    found = int(labelled.sum())
    ways = tunnels(trace.parent[:dp], labelled)[labelled]
    return {
        "relevant_by_label": found,
        "precision": found / dp if dp else None,
        "recall": found / targets if targets else None,
        "area": _area(labelled, n),
        "first_hit": int(trace.requests[int(np.argmax(labelled))]) if found else None,
        "cost": requests / found if found else None,
        "tunnel_mean": float(ways.mean()) if found else None,
        "tunnel_max": int(ways.max()) if found else None,
    }


def _area(relevant: NDArray[np.bool_], n: int) -> float:
    """Compute the area under a harvest curve up to n pages, as a share of that of relevant pages only.

    Args:
        relevant: whether each page is relevant, shape (DP,) with DP <= n; beyond its end the curve is level.
        n: number of pages, at least 1.

    Returns:
        sum of the relevant pages after 1, 2 .. n pages / (n (n + 1) / 2), in [0, 1].

    >>> _area(np.array([True, False, True]), 4)
    0.6
    """
    curve = metrics.harvest_curve(relevant)
    end = int(curve[-1]) if len(curve) else 0
    return (int(curve.sum()) + (n - len(curve)) * end) / (n * (n + 1) / 2)


def tunnels(parent: NDArray[np.int64], relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the irrelevant pages in a row before each page, on the way of the links by which it was first seen.

    Args:
        parent: page of the first link to each page, shape (n,), always an earlier one; -1 for seeds.
        relevant: whether each page is relevant, shape (n,).

    Returns:
        Counts, shape (n,); 0 for a seed and for a page that a relevant page links to.

    >>> tunnels(np.array([-1, 0, 1, 2]), np.array([True, False, False, True])).tolist()
    [0, 0, 1, 2]
    """
    counts = np.zeros(len(parent), dtype=np.int64)
    for page, before in enumerate(parent.tolist()):
        if before >= 0 and not relevant[before]:
            counts[page] = counts[before] + 1
    return counts


def superposition(traces: Sequence[Trace], n: int) -> NDArray[np.float64]:
    """Compute the superposition ratio (paper 004) of the pages of each two crawls within n requests.

    Args:
        traces: k crawls of one web.
        n: number of requests.

    Returns:
        Ratios, shape (k, k), 1 on the diagonal; NaN where neither crawl fetched a page.
    """
    pages = [trace.pages[: trace.pages_within(n)].tolist() for trace in traces]
    ratios = np.eye(len(traces))
    for i, j in combinations(range(len(traces)), 2):
        ratio = metrics.superposition(pages[i], pages[j])
        ratios[i, j] = ratios[j, i] = np.nan if ratio is None else ratio
    return ratios

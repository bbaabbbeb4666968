"""The papers' figures: our curves in their place, gains that the text names, and the pages that two crawls share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ontocrawl.lab.document import Grid, Paragraph, Picture
from ontocrawl.lab.measure_chart import measure_chart
from ontocrawl.lab.measuring import AT_DP, superposition
from ontocrawl.lab.orders import counts, verdicts
from ontocrawl.lab.paper_tables import HEADS, number, reversed_pairs
from ontocrawl.lab.paper_values import Found
from ontocrawl.lab.plots import slug
from ontocrawl.lab.printed import PrintedFigure, PrintedGain, PrintedOverlap
from ontocrawl.lab.statistics import mean_interval
from ontocrawl.lab.trace import Trace

POINTS = 60
"""Points of a curve."""
Part = Paragraph | Grid | Picture


def _mean_so_far(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.cumsum(values) / np.arange(1, len(values) + 1)


def _deviation_so_far(trace: Trace) -> NDArray[np.float64]:
    variance = _mean_so_far(trace.R**2) - _mean_so_far(trace.R) ** 2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _recall(trace: Trace) -> NDArray[np.float64] | None:
    targets = trace.facts["targets"]
    return np.cumsum(trace.labelled) / targets if trace.labelled is not None and targets else None


CURVES: dict[str, Callable[[Trace], NDArray[np.float64] | None]] = {
    "lp": lambda trace: np.cumsum(trace.judged).astype(np.float64),
    "accuracy": lambda trace: _mean_so_far(trace.judged.astype(np.float64)),
    "ar": lambda trace: _mean_so_far(trace.R),
    "sd": _deviation_so_far,
    "rc": _recall,
}
"""Measure -> its value after each page, shape (DP,); None where there is none."""


def of_figure(figure: PrintedFigure, found: Found) -> Iterator[Part]:
    """Yield the curves of a figure that is printed as a picture only."""
    yield Paragraph(f"Printed as a picture only; the text has these numbers: {figure.text}. The curves are ours.")
    last = found.lab.milestones_of(found.world)[-1]
    points = dict[str, list[tuple[int, float]]]()
    for name, strategy in figure.rows:
        curves = [curve for trace in _traces(found, strategy) if (curve := CURVES[figure.metric](trace)) is not None]
        curves = [curve for curve in curves if len(curve)]
        if curves and len(curves) == found.lab.seeds:
            points[name] = _mean_curve(curves, last)
    if not points:
        yield Paragraph("None of these crawlers was measured here.")
        return
    title = f"{figure.id}: {figure.title}"
    x_name = "pages fetched 已抓取页面"
    id_ = slug(f"figure-{found.world}-{figure.id}".lower())
    svg = measure_chart(points, id_=id_, title=title, y_name=HEADS[figure.metric], x_name=x_name)
    yield Picture(svg, f"{figure.title}: means of the seeds by the judge.", id_)
    shown = [last * part // 5 for part in range(1, 6)]
    rows = [(name, *(number(_at(line, dp)) for dp in shown)) for name, line in points.items()]
    heads = ("crawler", *(f"DP {dp:,}" for dp in shown))
    yield Grid(heads, tuple(rows), f"{HEADS[figure.metric]}, points of the curves.")


def _traces(found: Found, strategy: str) -> list[Trace]:
    """Return the crawls of a strategy by seed; of several systems with it, those of the first."""
    by_seed = dict[int, Trace]()
    for one in found.outcomes:
        if one.trace is not None and one.cell.strategy == strategy:
            by_seed.setdefault(one.cell.seed, one.trace)
    return [by_seed[seed] for seed in sorted(by_seed)]


def _mean_curve(curves: Sequence[NDArray[np.float64]], last: int) -> list[tuple[int, float]]:
    """Return the mean curve at some numbers of pages; a crawl that ended keeps its last value."""
    at = sorted({max(1, round(last * i / POINTS)) for i in range(1, POINTS + 1)} | {last * i // 5 for i in range(1, 6)})
    return [(dp, float(np.mean([curve[min(dp, len(curve)) - 1] for curve in curves]))) for dp in at if dp >= 1]


def _at(line: Sequence[tuple[int, float]], dp: int) -> float | None:
    return next((y for x, y in line if x == dp), None)


def of_gain(gain: PrintedGain, found: Found) -> Iterator[Part]:
    """Yield a printed relative gain of accuracy beside the measured one, by the judge and by the labels."""
    rows = []
    for printed, dp in zip(gain.values, gain.at, strict=True):
        if dp in found.lab.milestones_of(found.world):
            line = [f"{dp:,}", "–" if np.isnan(printed) else f"{printed:g}"]
            for measure in ("relevant_by_judge", "relevant_by_label"):
                values = found.values(measure + AT_DP, dp)
                line.append(_gain(values.get(gain.strategy, []), values.get(gain.baseline, [])))
            rows.append(tuple(line))
    yield Grid(("pages", "printed", "here, judge", "here, labels"), tuple(rows), "Per cent; here with 95 % intervals.")


def _gain(better: Sequence[float], baseline: Sequence[float]) -> str:
    if not better or not baseline or not all(baseline):
        return "–"
    gains = 100 * (np.array(better) / np.array(baseline) - 1)
    if len(gains) < 2:
        return f"{gains.mean():.2f}"
    low, high = mean_interval(gains)
    return f"{gains.mean():.2f} [{low:.2f}, {high:.2f}]"


def of_overlap(overlap: PrintedOverlap, found: Found) -> Iterator[Part]:
    """Yield printed superposition ratios beside those of our crawls at their end, and whether their order holds."""
    last = found.lab.requests_of(found.world)
    measured = dict[str, list[float]]()
    for one, other, _ in overlap.rows:
        pairs = zip(_traces(found, one), _traces(found, other), strict=False)
        ratios = [float(superposition(pair, last)[0, 1]) for pair in pairs]
        if len(ratios) == found.lab.seeds and not np.isnan(ratios).any():
            measured[f"{one} and {other}"] = ratios
    printed = {f"{one} and {other}": float(ratio.rstrip("%")) / 100 for one, other, ratio in overlap.rows}
    rows = [
        (name, f"{value:.2f}", number(float(np.mean(measured[name]))) if name in measured else "–")
        for name, value in printed.items()
    ]
    yield Grid(("crawls", "printed", "here"), tuple(rows), "Pages of both, as a share of the pages of either.")
    if found.lab.seeds > 1:
        orders = verdicts(printed, measured)
        by = counts(orders)
        told = ", ".join(f"{by[verdict]} {verdict}" for verdict in ("holds", "reversed", "undecided"))
        names = dict(zip(printed, printed, strict=True))
        yield Paragraph(f"Order of the ratios, by pairs: {told}. Reversed: {reversed_pairs(orders, names)}")

"""The papers' figures: our curves in their place, gains that the text names, and the pages that two crawls share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ontocrawl.lab.document import Grid, Paragraph, Picture
from ontocrawl.lab.paper_tables import HEADS, Found, counts, number, reversed_pairs, verdicts
from ontocrawl.lab.plots import slug
from ontocrawl.lab.printed import PrintedFigure, PrintedGain, PrintedOverlap
from ontocrawl.lab.statistics import mean_interval
from ontocrawl.lab.summaries import AT_DP, HARVESTS, Summary, places, superposition
from ontocrawl.report.charts import BOTTOM, LEFT, PLOT_HEIGHT, RIGHT, SERIES, WIDTH, XMLNS, spread, ticks
from ontology.draw.svg import clean

Part = Paragraph | Grid | Picture


def of_figure(figure: PrintedFigure, found: Found) -> Iterator[Part]:
    """Yield the curves of a figure that is printed as a picture only."""
    yield Paragraph(f"Printed as a picture only; the text has these numbers: {figure.text}. The curves are ours.")
    last = found.lab.milestones_of(found.world)[-1]
    points = dict[str, list[tuple[int, float]]]()
    for name, strategy in figure.rows:
        curves = [of.curves[figure.metric] for of in _crawls(found, strategy) if figure.metric in of.curves]
        if curves and len(curves) == found.lab.seeds:
            mean = np.mean(curves, axis=0).tolist()
            points[name] = list(zip(places(last).tolist(), mean, strict=True))
    if not points:
        yield Paragraph("None of these crawlers was measured here.")
        return
    title = f"{figure.id}: {figure.title}"
    x_name = "pages fetched 已抓取网页"
    id_ = slug(f"figure-{found.world}-{figure.id}".lower())
    svg = _measure_chart(points, id_=id_, title=title, y_name=HEADS[figure.metric], x_name=x_name)
    yield Picture(svg, f"{figure.title}: means of the seeds by the judge.", id_)
    shown = [last * part // 5 for part in range(1, 6)]
    rows = [(name, *(number(_at(line, dp)) for dp in shown)) for name, line in points.items()]
    heads = ("crawler", *(f"DP {dp:,}" for dp in shown))
    yield Grid(heads, tuple(rows), f"{HEADS[figure.metric]}, points of the curves.")


def _crawls(found: Found, strategy: str) -> list[Summary]:
    """Return the crawls of a strategy by seed; of several systems with it, those of the first."""
    by_seed = dict[int, Summary]()
    for one in found.outcomes:
        if one.found is not None and one.cell.strategy == strategy:
            by_seed.setdefault(one.cell.seed, one.found)
    return [by_seed[seed] for seed in sorted(by_seed)]


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
    at = places(found.lab.milestones_of(found.world)[-1])
    if at[-1] > gain.after:
        means = [_mean_gain(gain, found, measure, at > gain.after) for measure in HARVESTS]
        rows.append((f"mean, after {gain.after:,}", f"{gain.mean:g}", *reversed(means)))
    yield Grid(("pages", "printed", "here, judge", "here, labels"), tuple(rows), "Per cent; here with 95 % intervals.")


def _mean_gain(gain: PrintedGain, found: Found, measure: str, where: NDArray[np.bool_]) -> str:
    """Return the mean gain over some points of the curves, over the seeds."""
    crawls = zip(_crawls(found, gain.strategy), _crawls(found, gain.baseline), strict=False)
    pairs = [(one.curves[measure][where], other.curves[measure][where]) for one, other in crawls]
    return _interval([float(np.mean(100 * (one / other - 1))) for one, other in pairs if other.all()])


def _gain(better: Sequence[float], baseline: Sequence[float]) -> str:
    if not better or not baseline or not all(baseline):
        return "–"
    return _interval((100 * (np.array(better) / np.array(baseline) - 1)).tolist())


def _interval(gains: Sequence[float]) -> str:
    """Return the mean of some values with its interval as text."""
    if len(gains) < 2:
        return f"{gains[0]:.2f}" if gains else "–"
    low, high = mean_interval(gains)
    return f"{np.mean(gains):.2f} [{low:.2f}, {high:.2f}]"


def of_overlap(overlap: PrintedOverlap, found: Found) -> Iterator[Part]:
    """Yield printed superposition ratios beside those of our crawls at their end, and whether their order holds."""
    last = found.lab.requests_of(found.world)
    measured = dict[str, list[float]]()
    for one, other, _ in overlap.rows:
        pairs = zip(_crawls(found, one), _crawls(found, other), strict=False)
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


# ---- a measure over the fetched pages (papers 001, 003 and 004, figures) as an inline SVG line chart


TOP, GAP = 30, 15
"""Heights of the head and of a label."""


def _measure_chart(
    points: Mapping[str, Sequence[tuple[int, float]]], *, id_: str, title: str, y_name: str, x_name: str
) -> str:
    """Draw one line for each crawler.

    Args:
        points: name -> (number of pages, value >= 0), at least one point each.
        id_: prefix of the ids in the SVG, unique in its page.
        title: title for screen readers.
        y_name: name of the vertical axis.
        x_name: name of the horizontal axis.

    Returns:
        The SVG element, for a page with the report's style sheet.
    """
    x_ticks = ticks(max(x for line in points.values() for x, _ in line))
    y_top = _top(max(y for line in points.values() for _, y in line))
    base, right = TOP + PLOT_HEIGHT, WIDTH - RIGHT

    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * x / x_ticks[-1], base - PLOT_HEIGHT * y / y_top

    ends = spread([place(*line[-1])[1] for line in points.values()], GAP, TOP, base)
    told = "; ".join(f"{name}: {line[-1][1]:.4g}" for name, line in points.items())
    labelled = f'aria-labelledby="{clean(id_)}-t {clean(id_)}-d"'
    middle = f'text-anchor="middle" x="{(LEFT + right) / 2:g}"'
    parts = [
        f'<svg class="chart" {XMLNS} viewBox="0 0 {WIDTH} {base + BOTTOM:g}" role="img" {labelled}>',
        f'<title id="{clean(id_)}-t">{clean(title)}</title>',
        f'<desc id="{clean(id_)}-d">{clean(f"{y_name} at the end. {told}")}</desc>',
        f'<text class="axis-name" x="{LEFT - 40}" y="{TOP - 12}">{clean(y_name)}</text>',
        f'<text class="axis-name" {middle} y="{base + 40}">{clean(x_name)}</text>',
    ]
    for step in range(6):
        value = y_top * step / 5
        y = place(0, value)[1]
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" text-anchor="end" x="{LEFT - 8}" y="{y + 4:.1f}">{value:g}</text>')
    for tick in x_ticks:
        x = place(tick, 0)[0]
        parts.append(f'<text class="tick" text-anchor="middle" x="{x:.1f}" y="{base + 19}">{tick}</text>')
    for rank, ((name, line), label) in enumerate(zip(points.items(), ends, strict=True)):
        shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in line))
        x, y = place(*line[-1])
        parts.append(f'<polyline class="line s{rank % SERIES}" points="{shown}"/>')
        parts.append(f'<line class="leader" x1="{x + 3:.1f}" y1="{y:.1f}" x2="{right + 14}" y2="{label:.1f}"/>')
        parts.append(f'<text class="name" x="{right + 18}" y="{label + 5:.1f}">{clean(name)}</text>')
    return "\n".join([*parts, "</svg>"])


def _top(largest: float) -> float:
    """Return the end of an axis from 0: 1, 2 or 5 times a power of ten, not below a value."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= largest * (1 - 1e-9))

"""A measure over the fetched pages (papers 001, 003 and 004, figures) as an inline SVG line chart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ontocrawl.report.charts import BOTTOM, LEFT, PLOT_HEIGHT, RIGHT, SERIES, WIDTH, XMLNS, spread, ticks
from ontology.draw.svg import clean

TOP, GAP = 30, 15
"""Heights of the head and of a label."""


def measure_chart(
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
    for number, ((name, line), label) in enumerate(zip(points.items(), ends, strict=True)):
        shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in line))
        x, y = place(*line[-1])
        parts.append(f'<polyline class="line s{number % SERIES}" points="{shown}"/>')
        parts.append(f'<line class="leader" x1="{x + 3:.1f}" y1="{y:.1f}" x2="{right + 14}" y2="{label:.1f}"/>')
        parts.append(f'<text class="name" x="{right + 18}" y="{label + 5:.1f}">{clean(name)}</text>')
    return "\n".join([*parts, "</svg>"])


def _top(largest: float) -> float:
    """Return the end of an axis from 0: 1, 2 or 5 times a power of ten, not below a value."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= largest * (1 - 1e-9))

"""Inline SVG charts: harvest curves (relevant pages over fetched pages; paper 000, section 5.3), columns of tables.

The colours are those of Okabe and Ito (2008), distinct for colour-blind readers; each has its dash pattern and mark.
The style sheet of the page assigns them to the classes s0 .. s5, with lighter ones for dark mode.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ontocrawl.report.data import ReportError
from ontology.draw.svg import clean

WIDTH, PLOT_HEIGHT = 680, 270
LEFT, RIGHT, BOTTOM = 50, 170, 46
_LEGEND_COLUMNS, _LEGEND_ROW = 3, 22
_LABEL_GAP = 17
_HOVER_POINTS = 40
_MAX_POINTS = 600
SERIES = 6
XMLNS = 'xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class Band:
    """The interval of a curve at some numbers of pages, ascending; three sequences of one length."""

    at: Sequence[int]
    low: Sequence[float]
    high: Sequence[float]


@dataclass(frozen=True, slots=True)
class Curve:
    """A named curve: ``values[i]`` is the number of relevant pages among the first i + 1 fetched pages."""

    name: str
    values: Sequence[int]
    band: Band | None = None

    def __post_init__(self) -> None:
        if any(b < a for a, b in pairwise((0, *self.values))):
            raise ReportError("report.harvest_curve_falls_expected", name=self.name)


@dataclass(frozen=True, slots=True)
class Scale:
    """Conversion of data to picture coordinates: x for fetched pages, y for relevant pages, both from 0."""

    x_max: float
    y_max: float
    top: float

    def x(self, fetched: float) -> float:
        """Return the horizontal position of a number of fetched pages."""
        return LEFT + (WIDTH - LEFT - RIGHT) * fetched / self.x_max

    def y(self, relevant: float) -> float:
        """Return the vertical position of a number of relevant pages."""
        return self.top + PLOT_HEIGHT * (1 - relevant / self.y_max)


def ticks(largest: float) -> list[int]:
    """Choose the ticks of an axis that begins at 0, about five steps apart.

    Args:
        largest: largest value on the axis.

    Returns:
        Multiples of a step of 1, 2 or 5 times a power of ten, up to the first one not below ``largest``.

    >>> ticks(320)
    [0, 100, 200, 300, 400]
    >>> ticks(7)
    [0, 2, 4, 6, 8]
    """
    smallest = max(1.0, largest) / 5
    power = 10.0 ** math.floor(math.log10(smallest))
    step = max(1, round(next(m * power for m in (1, 2, 5, 10) if m * power >= smallest - 1e-9)))
    return list(range(0, math.ceil(max(1.0, largest) / step) * step + 1, step))


def spread(positions: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions of labels apart so that they do not overlap.

    Args:
        positions: the ideal positions.
        gap: minimum distance; smaller if there are too many for the interval.
        low: lower end of the interval.
        high: upper end of the interval.

    Returns:
        Positions in [low, high] in the same order, near the ideal ones.

    >>> spread([10, 11, 50], 5, 0, 100)
    [10, 15, 50]
    """
    n = len(positions)
    if n > 1 and (n - 1) * gap > high - low:
        gap = (high - low) / (n - 1)
    order = sorted(range(n), key=lambda i: (positions[i], i))
    placed = [0.0] * n
    bound = low
    for i in order:
        placed[i] = max(bound, positions[i])
        bound = placed[i] + gap
    bound = high
    for i in reversed(order):
        placed[i] = min(bound, placed[i])
        bound = placed[i] - gap
    return placed


FETCHED = "pages fetched 已抓取网页"
"""Name of the horizontal axis."""


def harvest_chart(curves: Sequence[Curve], *, id_: str, title: str, y_name: str, x_name: str = FETCHED) -> str:
    """Draw harvest curves as an SVG for a page with the report's style sheet.

    Args:
        curves: the curves, at least one.
        id_: prefix of the ids in the SVG, unique in the page.
        title: title for screen readers.
        y_name: name of the vertical axis.
        x_name: name of the horizontal axis.

    Returns:
        The SVG element.

    Raises:
        ReportError: there is no curve.
    """
    if not curves:
        raise ReportError("report.chart_no_curve_leave", title=title)
    rows = math.ceil(len(curves) / _LEGEND_COLUMNS)
    x_ticks, y_ticks = ticks(max(len(c.values) for c in curves)), ticks(max(_highest(c) for c in curves))
    scale = Scale(x_ticks[-1], y_ticks[-1], _LEGEND_ROW * rows + 32)
    height = scale.top + PLOT_HEIGHT + BOTTOM
    ends = spread([scale.y(_last(c)) for c in curves], _LABEL_GAP, scale.top, scale.top + PLOT_HEIGHT)
    labelled = f'aria-labelledby="{clean(id_)}-t {clean(id_)}-d"'
    parts = [
        f'<svg class="chart" {XMLNS} viewBox="0 0 {WIDTH} {height:g}" role="img" {labelled}>',
        f'<title id="{clean(id_)}-t">{clean(title)}</title>',
        f'<desc id="{clean(id_)}-d">{clean(_describe(curves, y_name, x_name))}</desc>',
        *_axes(scale, x_ticks, y_ticks, x_name, y_name),
        *(_band(number, curve.band, scale) for number, curve in enumerate(curves) if curve.band is not None),
        *(_legend_entry(number, curve.name) for number, curve in enumerate(curves)),
        *(_line(number, curve, scale) for number, curve in enumerate(curves)),
        *(_end(number, curve, scale, ends[number]) for number, curve in enumerate(curves)),
        *(_hover(curve, scale) for curve in curves),
        "</svg>",
    ]
    return "\n".join(parts)


def _describe(curves: Sequence[Curve], y_name: str, x_name: str) -> str:
    """Describe a chart for screen readers, in the language of its axes: the last value of each curve, and where."""
    return f"{y_name} / {x_name}. " + "; ".join(f"{c.name}: {_last(c)} / {len(c.values)}" for c in curves)


def _last(curve: Curve) -> int:
    return curve.values[-1] if curve.values else 0


def _highest(curve: Curve) -> float:
    return max(_last(curve), 0 if curve.band is None else max(curve.band.high, default=0))


def _axes(scale: Scale, x_ticks: Sequence[int], y_ticks: Sequence[int], x_name: str, y_name: str) -> list[str]:
    base, right = scale.top + PLOT_HEIGHT, WIDTH - RIGHT
    parts = [f'<text class="axis-name" x="{LEFT - 40}" y="{scale.top - 12:g}">{clean(y_name)}</text>']
    for y in y_ticks:
        top = scale.y(y)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{top:.1f}" x2="{right}" y2="{top:.1f}"/>')
        parts.append(f'<text class="tick" text-anchor="end" x="{LEFT - 8}" y="{top + 4:.1f}">{y}</text>')
    for x in x_ticks:
        left = scale.x(x)
        parts.append(f'<line class="axis" x1="{left:.1f}" y1="{base:g}" x2="{left:.1f}" y2="{base + 5:g}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{left:.1f}" y="{base + 19:g}">{x}</text>')
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{base:g}" x2="{right}" y2="{base:g}"/>')
    middle = (LEFT + right) / 2
    parts.append(
        f'<text class="axis-name" text-anchor="middle" x="{middle:g}" y="{base + 40:g}">{clean(x_name)}</text>'
    )
    return parts


def _legend_entry(number: int, name: str) -> str:
    x = LEFT - 40 + (number % _LEGEND_COLUMNS) * (WIDTH - 10) / _LEGEND_COLUMNS
    y = 14 + _LEGEND_ROW * (number // _LEGEND_COLUMNS)
    return (
        f'<line class="line s{number % SERIES}" x1="{x:.1f}" y1="{y}" x2="{x + 34:.1f}" y2="{y}"/>'
        f'{_mark(number, x + 17, y)}<text class="name" x="{x + 42:.1f}" y="{y + 5}">{clean(name)}</text>'
    )


def _line(number: int, curve: Curve, scale: Scale) -> str:
    kept = _sampled(len(curve.values), _MAX_POINTS)
    points = [(0, 0), *((i + 1, curve.values[i]) for i in kept)]
    shown = " ".join(f"{scale.x(x):.1f},{scale.y(y):.1f}" for x, y in points)
    return f'<polyline class="line s{number % SERIES}" points="{shown}"/>'


def _band(number: int, band: Band, scale: Scale) -> str:
    upper = [(scale.x(x), scale.y(y)) for x, y in zip(band.at, band.high, strict=True)]
    lower = [(scale.x(x), scale.y(y)) for x, y in zip(band.at, band.low, strict=True)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*upper, *reversed(lower)])
    return f'<polygon class="band s{number % SERIES}" points="{points}"/>'


def _end(number: int, curve: Curve, scale: Scale, y_label: float) -> str:
    x, y = scale.x(len(curve.values)), scale.y(_last(curve))
    x_label = WIDTH - RIGHT + 20
    leader = f'<line class="leader" x1="{x + 6:.1f}" y1="{y:.1f}" x2="{x_label - 4}" y2="{y_label:.1f}"/>'
    label = f'<text class="name" x="{x_label}" y="{y_label + 5:.1f}">{clean(curve.name)} {_last(curve)}</text>'
    return leader + _mark(number, x, y) + label


def _hover(curve: Curve, scale: Scale) -> str:
    circles = []
    for i in _sampled(len(curve.values), _HOVER_POINTS):
        count = curve.values[i]
        circles.append(
            f'<circle class="hit" cx="{scale.x(i + 1):.1f}" cy="{scale.y(count):.1f}" r="7">'
            f"<title>{clean(curve.name)}: {count} of {i + 1}</title></circle>"
        )
    return "".join(circles)


def _sampled(n: int, most: int) -> list[int]:
    """Return at most ``most`` + 1 evenly spaced indices of 0 .. n-1, including the last one."""
    if n == 0:
        return []
    step = math.ceil(n / most)
    return [*range(n - 1, -1, -step)][::-1]


def _mark(number: int, x: float, y: float) -> str:
    shapes = (
        "M-4,0A4,4 0 1 0 4,0A4,4 0 1 0 -4,0Z",
        "M-4,-4H4V4H-4Z",
        "M0,-5L5,4H-5Z",
        "M0,-5L5,0L0,5L-5,0Z",
        "M0,5L5,-4H-5Z",
        "M-5,-2H5V2H-5Z",
    )
    return (
        f'<path class="mark s{number % SERIES}" transform="translate({x:.1f} {y:.1f})" d="{shapes[number % SERIES]}"/>'
    )


# ---- columns of a table: bars by name, and points over numbers or names, joined by lines or not


BAR, BAR_GAP = 15, 9
"""Height of a bar, and of the gap between those of two rows."""
BARS, POINTS = 40, 1000
"""Rows that are drawn at most."""
_NAMES, _VALUES = 200, 70
"""Room for names at the left of bars, and for values at their right."""
_CELLS, _TICK_CELLS = 26, 15
"""Cells of a name beside a bar, and below an axis; a Chinese character has two."""
_MARKED = 60
"""Points of a line up to which each has a mark."""
_ORDINAL = 5
"""Names below an axis."""

Values = Sequence[float | None]


def nice_steps(low: float, high: float, count: int = 5) -> list[float]:
    """Choose the ticks of an axis.

    Args:
        low: smallest value on the axis.
        high: largest value on the axis.
        count: approximate number of steps.

    Returns:
        Multiples of a step of 1, 2 or 5 times a power of ten, from the last one not above ``low`` to the first one not
        below ``high``.

    >>> nice_steps(0.1, 0.9)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    >>> nice_steps(-3, 12), nice_steps(5, 5)
    ([-5.0, 0.0, 5.0, 10.0, 15.0], [5.0, 6.0])
    """
    largest = max(abs(low), abs(high))
    span = (high - low if high - low > max(1e-9 * largest, 1e-300) else max(largest, 1.0)) / count
    power = 10.0 ** math.floor(math.log10(span))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= span * (1 - 1e-9))
    first = math.floor(low / step + 1e-9)
    last = max(math.ceil(high / step - 1e-9), first + 1)
    return [float(f"{number * step:.10g}") for number in range(first, last + 1)]


def bar_chart(names: Sequence[str], columns: Mapping[str, Values], *, id_: str, title: str) -> str:
    """Draw a bar for each row and column, from 0, with its value.

    Args:
        names: name of each row, at least one.
        columns: name -> a value for each row; None for none.
        id_: prefix of the ids in the SVG, unique in the page.
        title: title for screen readers.

    Returns:
        The SVG element.
    """
    ticks_ = nice_steps(*_ends(columns, (0.0, 0.0)))
    left, right, top = _NAMES, WIDTH - _VALUES, _below_legend(columns)
    each = BAR * len(columns) + BAR_GAP
    base = top + each * len(names)

    def x(value: float) -> float:
        return left + (right - left) * (value - ticks_[0]) / (ticks_[-1] - ticks_[0])

    parts = _opening(columns, base + 30, id_, title)
    for tick in ticks_:
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" y1="{top:g}" x2="{x(tick):.1f}" y2="{base:g}"/>')
        parts.append(_tick(x(tick), base + 17, f"{tick:g}"))
    for row, name in enumerate(names):
        begins = top + each * row + BAR_GAP / 2
        middle = begins + BAR * len(columns) / 2 + 4
        parts.append(
            f'<text class="name" text-anchor="end" x="{left - 8}" y="{middle:.1f}">{clean(_cut(name, _CELLS))}</text>'
        )
        for number, (column, values) in enumerate(columns.items()):
            if (value := values[row]) is not None:
                parts += _bar(number, x(min(value, 0)), x(max(value, 0)), begins + BAR * number, len(columns) > 1,
                              f"{name}: {column} {value:.4g}", f"{value:.4g}")  # fmt: skip
    parts.append(f'<line class="axis" x1="{x(0):.1f}" y1="{top:g}" x2="{x(0):.1f}" y2="{base:g}"/>')
    return "\n".join([*parts, "</svg>"])


def _bar(number: int, x1: float, x2: float, y: float, marked: bool, title: str, text: str) -> Iterator[str]:
    place = f'x="{x1:.1f}" y="{y + 1:.1f}" width="{max(x2 - x1, 1):.1f}" height="{BAR - 2}"'
    yield f'<rect class="mark s{number % SERIES}" {place}><title>{clean(title)}</title></rect>'
    if marked:
        yield _mark(number, x2 + 9, y + BAR / 2)
    yield f'<text class="tick" x="{x2 + (18 if marked else 5):.1f}" y="{y + BAR / 2 + 4:.1f}">{clean(text)}</text>'


def point_chart(
    xs: Sequence[float | str], columns: Mapping[str, Values], *, joined: bool, id_: str, title: str, x_name: str
) -> str:
    """Draw a point for each row and column.

    Args:
        xs: place of each row, at least one; numbers, or names, which have equal distances.
        columns: name -> a value for each row; None for none.
        joined: whether the points of a column are joined by a line, in the order of numbers or of the rows.
        id_: prefix of the ids in the SVG, unique in the page.
        title: title for screen readers.
        x_name: name of the horizontal axis.

    Returns:
        The SVG element.
    """
    numbers = [x for x in xs if not isinstance(x, str)]
    is_ordinal = len(numbers) < len(xs)
    at = [float(i) for i in range(len(xs))] if is_ordinal else [float(x) for x in numbers]
    shown_x = {float(i): str(xs[i]) for i in range(0, len(xs), math.ceil(len(xs) / _ORDINAL))} if is_ordinal else {}
    x_ticks = nice_steps(min(at), max(at))
    low_x, high_x = (-0.5, len(xs) - 0.5) if is_ordinal else (x_ticks[0], x_ticks[-1])
    low, high = _ends(columns)
    y_ticks = nice_steps(0.0 if 0 < low <= high - low else low, high)
    left, right, top = LEFT + 20, WIDTH - 30, _below_legend(columns)
    base = top + PLOT_HEIGHT

    def x(value: float) -> float:
        return left + (right - left) * (value - low_x) / (high_x - low_x)

    def y(value: float) -> float:
        return base - PLOT_HEIGHT * (value - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])

    parts = _opening(columns, base + BOTTOM, id_, title)
    for tick in y_ticks:
        parts.append(f'<line class="grid" x1="{left}" y1="{y(tick):.1f}" x2="{right}" y2="{y(tick):.1f}"/>')
        parts.append(_tick(left - 8, y(tick) + 4, f"{tick:g}", "end"))
    for tick, text in shown_x.items() if is_ordinal else [(tick, f"{tick:g}") for tick in x_ticks]:
        parts.append(f'<line class="axis" x1="{x(tick):.1f}" y1="{base:g}" x2="{x(tick):.1f}" y2="{base + 5:g}"/>')
        parts.append(_tick(x(tick), base + 19, text))
    parts.append(f'<line class="axis" x1="{left}" y1="{base:g}" x2="{right}" y2="{base:g}"/>')
    name = clean(_cut(x_name, 3 * _CELLS))
    parts.append(
        f'<text class="axis-name" text-anchor="middle" x="{(left + right) / 2:g}" y="{base + 40:g}">{name}</text>'
    )
    order = range(len(xs)) if is_ordinal else sorted(range(len(xs)), key=at.__getitem__)
    for number, (column, values) in enumerate(columns.items()):
        points = [
            (x(at[i]), y(value), f"{xs[i]}: {column} {value:.4g}") for i in order if (value := values[i]) is not None
        ]
        if joined:
            line = " ".join(f"{px:.1f},{py:.1f}" for px, py, _ in points)
            parts.append(f'<polyline class="line s{number % SERIES}" points="{line}"/>')
        if not joined or len(points) <= _MARKED:
            parts += [f"<g>{_mark(number, px, py)}<title>{clean(text)}</title></g>" for px, py, text in points]
    return "\n".join([*parts, "</svg>"])


def _ends(columns: Mapping[str, Values], among: tuple[float, ...] = ()) -> tuple[float, float]:
    """Return the smallest and the largest of some values, which have at least one."""
    values = [*among, *(value for of in columns.values() for value in of if value is not None)]
    return min(values), max(values)


def _below_legend(columns: Mapping[str, Values]) -> float:
    return _LEGEND_ROW * math.ceil(len(columns) / _LEGEND_COLUMNS) + 14


def _opening(columns: Mapping[str, Values], height: float, id_: str, title: str) -> list[str]:
    """Return the beginning of a chart: what it is, in words, and its legend."""
    known = {name: [value for value in values if value is not None] for name, values in columns.items()}
    about = "; ".join(f"{name}: {len(of)}, {min(of):.4g} – {max(of):.4g}" for name, of in known.items() if of)
    labelled = f'aria-labelledby="{clean(id_)}-t {clean(id_)}-d"'
    return [
        f'<svg class="chart" {XMLNS} viewBox="0 0 {WIDTH} {height:g}" role="img" {labelled}>',
        f'<title id="{clean(id_)}-t">{clean(title)}</title>',
        f'<desc id="{clean(id_)}-d">{clean(about)}</desc>',
        *(_legend_entry(number, _cut(name, _CELLS)) for number, name in enumerate(columns)),
    ]


def _tick(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text class="tick" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{clean(_cut(text, _TICK_CELLS))}</text>'


def _cut(text: str, cells: int) -> str:
    """Return the beginning of a text that has so much room.

    >>> _cut("qixiang.example", 9), _cut("城市内涝防御", 9)
    ('qixiang.…', '城市内涝…')
    """
    room, kept = cells, ""
    for letter in text:
        room -= 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if room < 1 and len(kept) + 1 < len(text):
            return f"{kept}…"
        kept += letter
    return kept

"""The critical-difference diagram of J. Demšar (2006), JMLR 7, section 3.2.4, as an inline SVG.

Systems stand on an axis of mean ranks, the best on the left; a bar joins those whose ranks differ by less than the
critical difference of Nemenyi's test.
"""

from __future__ import annotations

from collections.abc import Sequence

from ontocrawl.lab.statistics import cliques
from ontocrawl.report.charts import XMLNS
from ontology.draw.svg import clean

WIDTH, SIDE, ROW, TOP = 680, 190, 19, 46
BAR = 7
"""Vertical distance of two bars."""


def diagram(names: Sequence[str], ranks: Sequence[float], difference: float, *, id_: str) -> str:
    """Draw a diagram.

    Args:
        names: names of the k systems.
        ranks: their mean ranks, in [1, k].
        difference: the critical difference.
        id_: prefix of the ids in the SVG, unique in its page.

    Returns:
        The SVG element, for a page with the report's style sheet.
    """
    k = len(names)
    order = sorted(range(k), key=lambda i: ranks[i])
    left = (k + 1) // 2
    groups = [group for group in cliques(ranks, difference) if len(group) > 1]
    base = TOP + BAR * len(groups) + 12
    height = base + ROW * left + 10

    def x(rank: float) -> float:
        return SIDE + (WIDTH - 2 * SIDE) * (rank - 1) / max(k - 1, 1)

    told = "; ".join(f"{names[i]} {ranks[i]:.2f}" for i in order)
    labelled = f'aria-labelledby="{clean(id_)}-t {clean(id_)}-d"'
    parts = [
        f'<svg class="chart" {XMLNS} viewBox="0 0 {WIDTH} {height:g}" role="img" {labelled}>',
        f'<title id="{clean(id_)}-t">Mean ranks and critical difference</title>',
        f'<desc id="{clean(id_)}-d">{clean(f"Critical difference {difference:.2f}. {told}")}</desc>',
        *_axis(k, x(1), x(k), difference),
    ]
    for row, group in enumerate(groups):
        y = TOP + BAR * (row + 1)
        ends = [x(ranks[i]) for i in group]
        parts.append(f'<line class="line s0" x1="{min(ends) - 3:.1f}" y1="{y}" x2="{max(ends) + 3:.1f}" y2="{y}"/>')
    for place, i in enumerate(order):
        is_left = place < left
        y = base + ROW * (place if is_left else k - 1 - place)
        at, end = x(ranks[i]), SIDE - 8 if is_left else WIDTH - SIDE + 8
        anchor, text_x = ("end", end - 4) if is_left else ("start", end + 4)
        parts.append(f'<path class="axis" fill="none" d="M{at:.1f},{TOP}V{y:g}H{end}"/>')
        parts.append(
            f'<text class="tick" text-anchor="{anchor}" x="{text_x}" y="{y + 4:g}">'
            f"{clean(names[i])} ({ranks[i]:.2f})</text>"
        )
    return "\n".join([*parts, "</svg>"])


def _axis(k: int, low: float, high: float, difference: float) -> list[str]:
    step = (high - low) / max(k - 1, 1)
    parts = [f'<line class="axis" x1="{low:.1f}" y1="{TOP}" x2="{high:.1f}" y2="{TOP}"/>']
    every = max(1, k // 10)
    for rank in range(1, k + 1, every):
        at = low + step * (rank - 1)
        parts.append(f'<line class="axis" x1="{at:.1f}" y1="{TOP - 5}" x2="{at:.1f}" y2="{TOP}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{at:.1f}" y="{TOP - 9}">{rank}</text>')
    end = low + step * difference
    parts.append(f'<line class="line s1" x1="{low:.1f}" y1="14" x2="{end:.1f}" y2="14"/>')
    parts.append(f'<text class="tick" x="{end + 6:.1f}" y="18">CD = {difference:.2f}</text>')
    return parts

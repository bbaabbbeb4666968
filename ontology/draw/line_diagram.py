"""The line diagram of a concept lattice, as SVG.

Source: Ganter and Wille 1999, section 1.1 (reduced labelling: a term is written at its attribute concept, above the
point; a document at its object concept, below). Lattices of texts are broad: hundreds of terms are directly under the
top. A level that is wider than the page is cut into rows, frequent terms first, and long lines run between the labels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ontology.draw.family import Language, check_language
from ontology.draw.layout import Floats, Layout, lay_out, layers, most_passing, rows_within
from ontology.draw.svg import DOC, INK, LEADING, LINE, PAPER, SIZE, SOFT, TERM, clean, document, few, label, plain_text
from ontology.draw.svg import text_width as width_of
from ontology.lattice import Lattice

MARGIN = 24.0
READABLE = (30, 60)
"""Number of points of a picture that is read at a glance; a larger lattice is cut to an iceberg of so many."""
MAX_CONCEPTS = 500
"""Maximum number of points of an iceberg that no support brings into `READABLE`."""
_RATIO = 1.5
"""Preferred width by height of a picture."""
PAGE, SCREEN = 1400.0, 960.0
"""Maximum width of the points and labels of a row, in pixels; the second for a picture that is read at a glance."""
_PASSING = 0.25
"""Maximum width of the lines that pass a row, in widths of the page."""
_EMS = 11.0
_NAMED_DOCUMENTS = 60
"""Number of documents above which they are counted at their concepts, not named."""
_TIP = 40
_TITLES = {"zh": "概念格", "en": "concept lattice", "both": "概念格 concept lattice"}


@dataclass(frozen=True)
class LineDiagram:
    """A drawing of a lattice: the picture, the part of the lattice that it shows, and its caption."""

    svg: str
    shown: Lattice
    caption: str


def line_diagram(
    lattice: Lattice,
    *,
    max_concepts: int | None = None,
    max_names: int = 3,
    language: Language = "both",
    width: int | None = None,
    of_documents: bool = True,
) -> LineDiagram:
    """Draw a lattice.

    Args:
        lattice: the lattice.
        max_concepts: a larger lattice is cut to its iceberg with at most this many concepts, and the caption says so;
            None for the `readable_iceberg`.
        max_names: names shown at one point; further ones are counted ("+5"); all are in the point's tooltip.
        language: language of the caption.
        width: the picture's width on a page, in pixels; by default that of its content.
        of_documents: whether the objects are documents, for the unit of their number at a point.

    Raises:
        ValueError: ``max_concepts`` is not positive, or the language is unknown.
    """
    check_language(language)
    if max_concepts is not None and max_concepts < 1:
        raise ValueError(f"max_concepts: expected 1 or more, found {max_concepts}")
    shown = readable_iceberg(lattice) if max_concepts is None else _iceberg_within(lattice, max_concepts)
    above, below = _labels(shown, max_names, _unit(language, of_documents))
    layout = _fitting(shown, above, below)
    y, height = _heights(layout, above, below)
    caption = _caption_of(lattice, shown, language)
    x = layout.x + MARGIN
    total = max(layout.breadth + 2 * MARGIN, width_of(caption) + 2 * MARGIN)
    x += (total - layout.breadth - 2 * MARGIN) / 2
    lines = _lines(shown, layout, x, y)
    points = [_point(shown, i, float(x[i]), float(y[layout.row[i]]), above, below) for i in range(len(shown))]
    opacity = max(0.3, min(0.9, 40 / math.sqrt(max(1, layout.crossings))))
    edges = [f'<g class="lines" fill="none" stroke="{LINE}" stroke-opacity="{opacity:.2f}">', *lines, "</g>"]
    body = [*edges, *points, plain_text(MARGIN, height - 14, caption, SOFT)]
    return LineDiagram(document(total, height, _TITLES[language], body, shown_width=width), shown, caption)


def _iceberg_within(lattice: Lattice, max_concepts: int) -> Lattice:
    """Return the lattice, or its largest iceberg within a size; at least the top concept.

    Args:
        lattice: the lattice.
        max_concepts: maximum number of concepts.
    """
    if len(lattice) <= max_concepts:
        return lattice
    least = int(lattice.supports[max_concepts]) + 1
    return lattice.iceberg(min(least, int(lattice.supports[0])))


def readable_iceberg(lattice: Lattice) -> Lattice:
    """Return the iceberg with 30 to 60 concepts (`READABLE`), by the smallest support; a smaller lattice is left whole.

    Where many concepts have the same support, no iceberg may have such a size: the one just below and the one just
    above the range are compared, and the one that is off by the smaller factor is taken, up to `MAX_CONCEPTS`.

    Args:
        lattice: the lattice.
    """
    least, most = READABLE
    small = _iceberg_within(lattice, most)
    if len(small) >= least or len(small) == len(lattice):
        return small
    large = lattice.iceberg(int(lattice.supports[len(small)]))  # with the next smaller support
    nearer = len(large) / most < least / len(small)
    return large if nearer and len(large) <= MAX_CONCEPTS else small


def _caption_of(whole: Lattice, shown: Lattice, language: Language = "both") -> str:
    """Return the caption: what is in the picture, and what is not.

    Args:
        whole: the lattice.
        shown: the part that is drawn.
        language: language of the caption.
    """
    n, edges, least = len(shown), len(shown.covers), shown.min_support
    if n == len(whole) and not whole.min_support:
        zh, en = f"{n} 个概念，{edges} 条边", f"{n} concepts, {edges} edges"
    else:
        total = (
            (f"（共 {len(whole)} 个）", f" of {len(whole)}") if n < len(whole) and not whole.min_support else ("", "")
        )
        zh = f"冰山格：仅画支持度不低于 {least} 的 {n} 个概念{total[0]}"
        en = f"iceberg: {n}{total[1]} concepts, those with at least {least} objects"
    return {"zh": zh, "en": en, "both": f"{zh} · {en}"}[language]


_Lines = Mapping[int, tuple[str, ...]]


def _unit(language: Language, of_documents: bool) -> str:
    """Return the unit of a number of objects."""
    zh, en = ("篇", "docs") if of_documents else ("个", "objects")
    return en if language == "en" else zh


def _labels(shown: Lattice, most: int, unit: str) -> tuple[_Lines, _Lines]:
    above = {i: few(names, most, _EMS) for i, names in shown.own_attributes.items()}
    named = len(shown.context.objects) <= _NAMED_DOCUMENTS
    below = {
        i: few(names, most, _EMS) if named else (f"{len(names)} {unit}",) for i, names in shown.own_objects.items()
    }  # fmt: skip
    return above, below


def _fitting(shown: Lattice, above: _Lines, below: _Lines) -> Layout:
    """Return the layout in rows that fit the page."""
    widths = np.array([
        max(8.0, *(width_of(t) for t in above.get(i, ())), *(width_of(t, SIZE - 1) for t in below.get(i, ())), 0.0)
        for i in range(len(shown))
    ])  # fmt: skip
    gap = _gap(len(shown))
    level = layers(len(shown), shown.covers)
    page = SCREEN if len(shown) <= READABLE[1] else PAGE
    row = rows_within(level, widths + gap, -shown.supports.astype(np.float64), page)
    bend = min(9.0, _PASSING * page / max(1, most_passing(row, shown.covers)))
    return lay_out(row, shown.covers, widths, gap=gap, bend=bend)


def _gap(number: int) -> float:
    """Return the room between two points; it is larger for few points."""
    return float(np.clip(420 / max(1, number), 7, 40))


def _heights(layout: Layout, above: _Lines, below: _Lines) -> tuple[Floats, float]:
    """Return the height of each row's points, and of the picture, with room for labels and for long sideways lines."""
    number = int(layout.row.max(initial=0)) + 1
    over, under = np.zeros(number), np.zeros(number)
    for i, r in enumerate(layout.row.tolist()):
        over[r] = max(over[r], len(above.get(i, ())))
        under[r] = max(under[r], len(below.get(i, ())))
    step = SIZE * LEADING
    labels = float((over + under).sum()) * step + 10 * number
    between = (layout.breadth / _RATIO - labels) / max(1, number - 1)
    between = max(30.0 + _gap(len(layout.row)), min(120.0, between))
    y = np.zeros(number)
    y[0] = MARGIN + 12 + over[0] * step
    for r in range(1, number):
        y[r] = y[r - 1] + 10 + under[r - 1] * step + between + over[r] * step
    return y, float(y[-1] + 10 + under[-1] * step + 44)


def _lines(shown: Lattice, layout: Layout, x: Floats, y: Floats) -> list[str]:
    shift = float(x[0] - layout.x[0])
    paths = []
    for (u, v), bends in zip(shown.covers.tolist(), layout.bends, strict=True):
        ends = (float(x[u]), float(y[layout.row[u]])), (float(x[v]), float(y[layout.row[v]]))
        middle = [(position + shift, float(y[r])) for r, position in bends]
        paths.append(f'<path class="e" data-u="{u}" data-v="{v}" d="{_path([ends[0], *middle, ends[1]])}"/>')
    return paths


def _path(points: list[tuple[float, float]]) -> str:
    """Return a line through the points; at each bend it is vertical for a bit, between the labels on either side."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(points):
        first, last = (x0, y0) == points[0], (x1, y1) == points[-1]
        start = y0 if first else y0 + min(12.0, (y1 - y0) / 4)
        end = y1 if last else y1 - min(26.0, (y1 - y0) / 3)
        parts += [] if first else [f"L{x0:.1f} {start:.1f}"]
        parts.append(f"L{x1:.1f} {end:.1f}")
    return "".join(parts)


def _point(shown: Lattice, i: int, x: float, y: float, above: _Lines, below: _Lines) -> str:
    concept = shown.concepts[i]
    terms = "，".join(shown.context.attribute_names(concept.intent)) or "∅"
    names = shown.context.object_names(concept.extent)
    tip = f"{terms}\n{concept.support}: {', '.join(names[:_TIP]) or '∅'}{' …' if len(names) > _TIP else ''}"
    radius = 3.0 + 6 * math.sqrt(concept.support / len(shown.context.objects))
    fill = TERM if i in above else PAPER
    over, under = above.get(i, ()), below.get(i, ())
    parts = [
        f'<g class="c" data-i="{i}"><title>{clean(tip)}</title>',
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{DOC if under else INK}"/>',
    ]
    if over:
        parts.append(label(x, y - radius - 4 - (len(over) - 1) * SIZE * LEADING, over, TERM))
    if under:
        parts.append(label(x, y + radius + SIZE, under, DOC, size=SIZE - 1))
    return "".join([*parts, "</g>"])

"""An ontology's hierarchy as a directed graph from left to right: all parents of a class, further ones dashed.

Layers are longest paths from the root, so that a class is right of all its parents; a layer that is higher than the
page is cut into columns, leaves first. Lines to later columns run between the labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ontology.draw.family import Family, Language, check_language, family, names_of, tooltip
from ontology.draw.layout import Floats, Ints, Layout, lay_out, layers, most_passing, rows_within
from ontology.draw.svg import INK, LINE, SIZE, SOFT, TERM, clean, document, plain_text, short
from ontology.draw.svg import text_width as width_of
from ontology.model import Ontology, Relation

ROW = 18.0
PAGE = 1100.0
"""Maximum height of a column of classes, in pixels."""
_EMS = 16.0
_LEFT, _TOP = 24.0, 48.0
_DASHES = {("part_of", False): "1.5 2.5", ("subclass_of", True): "5 3", ("part_of", True): "5 3 1.5 3"}


@dataclass(frozen=True)
class _Edges:
    """Edges that lead from left to right, and those that would close a cycle."""

    forward: tuple[Relation, ...]
    back: tuple[Relation, ...]


def hierarchy_dag(
    ontology: Ontology,
    *,
    depth: int | None = None,
    min_support: int = 0,
    language: Language = "both",
    width: int | None = None,
) -> str:
    """Draw an ontology as a directed graph; edges that would close a cycle are red, from right to left.

    Args:
        ontology: the ontology.
        depth: levels below the root; None for all.
        min_support: edges with fewer documents are left out.
        language: language of the labels.
        width: the picture's width on a page, in pixels; by default that of its content.

    Returns:
        The text of an SVG document.

    Raises:
        ValueError: a wrong depth, support or language.
    """
    check_language(language)
    drawn = family(ontology, depth=depth, min_support=min_support)
    index = {iri: i for i, iri in enumerate(drawn.classes)}
    edges = _acyclic(drawn)
    pairs = np.array([(index[r.target], index[r.source]) for r in edges.forward], dtype=np.int64).reshape(-1, 2)
    layout = _columns(drawn, pairs)
    text = [_text(drawn, iri, language) for iri in drawn.classes]
    left, right = _borders(layout, [_room(name, second) for name, second, _ in text])
    y = layout.x + _TOP
    place = {iri: (float(left[layout.row[i]]), float(y[i])) for iri, i in index.items()}
    lines = [
        _line(r, drawn, layout, n, place, left, right, _room(*text[index[r.target]][:2]))
        for n, r in enumerate(edges.forward)
    ]  # fmt: skip
    caption = drawn.caption(language)
    body = [
        plain_text(_LEFT, 26, caption, SOFT),
        f'<g class="lines" fill="none" stroke="{LINE}">',
        *lines,
        *(_back(r, place) for r in edges.back),
        "</g>",
        *(_point(drawn, iri, place[iri], *text[i]) for iri, i in index.items()),
    ]
    total = max(float(right[-1]) + _LEFT, width_of(caption) + 2 * _LEFT)
    return document(total, _TOP + layout.breadth + _LEFT, caption, body, shown_width=width)


def _acyclic(drawn: Family) -> _Edges:
    """Return all edges of the picture; those that lead back to a class above them are separate."""
    below: dict[str, list[str]] = {iri: [] for iri in drawn.classes}
    forward, back = [], []
    for relation in (*drawn.first.values(), *drawn.extra):
        if _reaches(below, relation.source, relation.target):
            back.append(relation)
        else:
            forward.append(relation)
            below[relation.target].append(relation.source)
    return _Edges(tuple(forward), tuple(back))


def _reaches(below: Mapping[str, Sequence[str]], start: str, goal: str) -> bool:
    seen, stack = {start}, [start]
    while stack:
        iri = stack.pop()
        if iri == goal:
            return True
        fresh = [i for i in below[iri] if i not in seen]
        seen.update(fresh)
        stack += fresh
    return False


def _columns(drawn: Family, pairs: Ints) -> Layout:
    size = len(drawn.classes)
    level = layers(size, pairs)
    children = np.bincount(pairs[:, 0], minlength=size).astype(np.float64)
    column = rows_within(level, np.full(size, ROW), children, PAGE)
    bend = min(6.0, 0.35 * PAGE / max(1, most_passing(column, pairs)))
    return lay_out(column, pairs, np.full(size, ROW - 2), gap=2.0, bend=bend)


def _text(drawn: Family, iri: str, language: Language) -> tuple[str, str, int]:
    """Return name, second name, and number of hidden classes below."""
    name, second = names_of(drawn.ontology.by_iri[iri], language, 1)
    return short(name, _EMS), short(second, _EMS), drawn.hidden[iri]


def _room(name: str, second: str) -> float:
    return 13 + width_of(name) + (6 + width_of(second, SIZE - 2) if second else 0)


def _borders(layout: Layout, room: Sequence[float]) -> tuple[Floats, Floats]:
    """Return the left and right border of the labels of each column."""
    number = int(layout.row.max(initial=0)) + 1
    widest = np.zeros(number)
    np.maximum.at(widest, layout.row, np.array(room) + 24)
    between = max(46.0, min(130.0, layout.breadth / 9))
    left = _LEFT + np.concatenate(([0.0], np.cumsum(widest[:-1] + between)))
    return left, left + widest


def _line(
    relation: Relation, drawn: Family, layout: Layout, n: int, place: Mapping[str, tuple[float, float]],
    left: Floats, right: Floats, room: float,
) -> str:  # fmt: skip
    """Return the line from the parent's label through the gaps between columns to the child's point."""
    (x0, y0), (x1, y1) = place[relation.target], place[relation.source]
    column = next((c for c, border in enumerate(left.tolist()) if abs(border - x0) < 0.5), 0)
    parts, x, y = [f"M{x0 + room + 4:.1f} {y0:.1f}H{right[column]:.1f}"], float(right[column]), y0
    for bend_column, bend in layout.bends[n]:
        parts.append(f"{_curve(x, y, float(left[bend_column]), bend + _TOP)}H{right[bend_column]:.1f}")
        x, y = float(right[bend_column]), bend + _TOP
    parts.append(_curve(x, y, x1 + 1, y1))
    further = drawn.first.get(relation.source) != relation
    dashes = _DASHES.get((relation.kind, further))
    style = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = f'data-u="{clean(relation.target)}" data-v="{clean(relation.source)}"'
    return f'<path class="e{" x" if further else ""}" {ends} d="{"".join(parts)}"{style}/>'


def _curve(x0: float, y0: float, x1: float, y1: float) -> str:
    middle = (x0 + x1) / 2
    return f"C{middle:.1f} {y0:.1f} {middle:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"


def _back(relation: Relation, place: Mapping[str, tuple[float, float]]) -> str:
    (x0, y0), (x1, y1) = place[relation.target], place[relation.source]
    path = f"M{x0 + 5:.1f} {y0:.1f}C{x0 - 20:.1f} {y0 - 30:.1f} {x1 - 20:.1f} {y1 - 30:.1f} {x1 + 5:.1f} {y1:.1f}"
    ends = f'data-u="{clean(relation.target)}" data-v="{clean(relation.source)}"'
    return f'<path class="e x" {ends} d="{path}" stroke="#b3261e" stroke-dasharray="5 3"/>'


def _point(drawn: Family, iri: str, at: tuple[float, float], name: str, second: str, hidden: int) -> str:
    concept, (x, y) = drawn.ontology.by_iri[iri], at
    spans: Iterable[str] = (
        f'<tspan fill="{SOFT}" font-size="{SIZE - 2:.0f}" dx="6">{clean(second)}</tspan>' if second else "",
        f'<tspan fill="{SOFT}" dx="6">+{hidden}</tspan>' if hidden else "",
    )
    return (
        f'<g class="c" data-i="{clean(iri)}"><title>{clean(tooltip(concept, drawn.first.get(iri)))}</title>'
        f'<circle cx="{x + 5:.1f}" cy="{y:.1f}" r="3.5" fill="{TERM}"/>'
        f'<text x="{x + 13:.1f}" y="{y + 4:.1f}" fill="{INK}">{clean(name)}{"".join(spans)}</text></g>'
    )

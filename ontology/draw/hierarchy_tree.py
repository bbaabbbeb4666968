"""An ontology's hierarchy as an indented tree, flowed into columns so that hundreds of classes remain readable.

A class occurs once, under the superclass with the most support, or with a dotted line under a whole; further parents
are named after it. Classes that the root does not reach follow at the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ontology.draw.family import Family, Language, check_language, family, names_of, tooltip
from ontology.draw.svg import DOC, INK, LINE, SIZE, SOFT, TERM, clean, document, plain_text, short
from ontology.draw.svg import text_width as width_of
from ontology.model import Ontology, Relation

ROW, INDENT = 20.0, 22.0
_EMS = 30.0
_TOP = 48.0


def hierarchy_tree(
    ontology: Ontology,
    *,
    depth: int | None = None,
    min_support: int = 0,
    language: Language = "both",
    ratio: float = 1.4,
    width: int | None = None,
) -> str:
    """Draw an ontology as a tree.

    Args:
        ontology: the ontology.
        depth: levels below the root; None for all. A cut branch shows the number of its hidden classes.
        min_support: edges with fewer documents are left out; see `ontology.draw.family.family`.
        language: of the labels; a class without a label in it shows the one that it has.
        ratio: wished width by height.
        width: the picture's width on a page, in pixels; by default its own.

    Returns:
        The text of an SVG document.

    Raises:
        ValueError: a wrong depth, support or language.
    """
    check_language(language)
    drawn = family(ontology, depth=depth, min_support=min_support)
    blocks = _blocks(drawn)
    text = {iri: _text(drawn, iri, language) for iri in drawn.classes}
    widths = [max(drawn.level[iri] * INDENT + _room(text[iri]) for iri in block) for block in blocks]
    columns = _columns([len(block) for block in blocks], widths, ratio)
    place: dict[str, tuple[float, float]] = {}
    x, height = 24.0, 0.0
    for column in columns:
        line = 0
        for b in column:
            for iri in blocks[b]:
                place[iri] = x + drawn.level[iri] * INDENT, _TOP + line * ROW
                line += 1
        height = max(height, line * ROW)
        x += max(widths[b] for b in column) + 28
    caption = drawn.caption(language)
    body = [
        plain_text(24, 26, caption, SOFT),
        f'<g class="lines" fill="none" stroke="{LINE}" stroke-opacity="0">',  # seen where a page shows them
        *(_further(r, place) for r in drawn.extra),
        "</g>",
        *(_branch(drawn, iri, place) for iri in drawn.classes if iri in drawn.first),
        *(_row(drawn, iri, place[iri], text[iri]) for iri in drawn.classes),
    ]
    return document(max(x, width_of(caption) + 48), height + 72, caption, body, shown_width=width)


def _blocks(drawn: Family) -> list[list[str]]:
    """Return the rows of the tree, cut where a column may begin: a root, or a child of a root with all below it."""
    blocks: list[list[str]] = []
    for iri in drawn.classes:
        if drawn.level[iri] <= 1:
            blocks.append([])
        blocks[-1].append(iri)
    return blocks


def _columns(lengths: Sequence[int], widths: Sequence[float], ratio: float) -> list[list[int]]:
    """Return blocks in columns of about equal height, for the number of columns with the nearest ratio."""
    best: tuple[float, list[list[int]]] | None = None
    for number in range(1, 13):
        limit = max(*lengths, math.ceil(sum(lengths) / number)) if len(lengths) > 1 else sum(lengths)
        flow = _flow(lengths, limit)
        while len(flow) > number:
            limit += 1
            flow = _flow(lengths, limit)
        width = sum(max(widths[b] for b in column) + 28 for column in flow)
        height = max(sum(lengths[b] for b in column) for column in flow) * ROW
        miss = abs(math.log(width / height / ratio))
        if best is None or miss < best[0]:
            best = miss, flow
    return best[1] if best else [[]]


def _flow(lengths: Sequence[int], limit: int) -> list[list[int]]:
    """Return blocks in order, with a new column whenever the limit would be exceeded."""
    flow: list[list[int]] = [[]]
    used = 0
    for b, length in enumerate(lengths):
        if used and used + length > limit:
            flow.append([])
            used = 0
        flow[-1].append(b)
        used += length
    return flow


def _branch(drawn: Family, iri: str, place: dict[str, tuple[float, float]]) -> str:
    """Return the line to the parent: down from it if it is above in the same column, or else a short stub."""
    relation = drawn.first[iri]
    (x, y), (px, py) = place[iri], place[relation.target]
    top = py + 6 if py < y and abs(x - INDENT - px) < 1 else y - ROW / 2
    dotted = ' stroke-dasharray="1.5 2.5"' if relation.kind == "part_of" else ""
    ends = f'data-u="{clean(relation.target)}" data-v="{clean(iri)}"'
    path = f"M{x - INDENT + 5:.1f} {top:.1f}V{y:.1f}H{x - 2:.1f}"
    return f'<path class="e" {ends} d="{path}" fill="none" stroke="{LINE}"{dotted}/>'


@dataclass(frozen=True)
class _Text:
    """The text of a row: name, its font size, the name in the second language, and additions in grey."""

    name: str
    size: float
    second: str
    more: str


def _text(drawn: Family, iri: str, language: Language) -> _Text:
    name, second = names_of(drawn.ontology.by_iri[iri], language)
    others = [names_of(drawn.ontology.by_iri[r.target], language, 1)[0] for r in drawn.extra if r.source == iri]
    more = [f"+{drawn.hidden[iri]}"] if drawn.hidden[iri] else []
    more += [f"↗ {'，'.join(short(o, 10) for o in others[:3])}{' …' if len(others) > 3 else ''}"] if others else []
    size = SIZE if drawn.level[iri] else SIZE + 2
    return _Text(short(name, _EMS), size, short(second, _EMS), " ".join(more))


def _room(text: _Text) -> float:
    grey = [t for t in (text.second, text.more) if t]
    return 30 + width_of(text.name, text.size) + sum(8 + width_of(t, SIZE - 2) for t in grey)


def _row(drawn: Family, iri: str, at: tuple[float, float], text: _Text) -> str:
    concept, (x, y) = drawn.ontology.by_iri[iri], at
    grey = "".join(
        f'<tspan fill="{colour}" font-size="{SIZE - 2:.0f}" dx="6">{clean(t)}</tspan>'
        for t, colour in ((text.second, SOFT), (text.more, DOC)) if t
    )  # fmt: skip
    return (
        f'<g class="c" data-i="{clean(iri)}"><title>{clean(tooltip(concept, drawn.first.get(iri)))}</title>'
        f'<circle cx="{x + 5:.1f}" cy="{y:.1f}" r="{text.size / 4:g}" fill="{TERM}"/>'
        f'<text x="{x + 13:.1f}" y="{y + 4:.1f}" fill="{INK}" font-size="{text.size:g}">'
        f"{clean(text.name)}{grey}</text></g>"
    )


def _further(relation: Relation, place: dict[str, tuple[float, float]]) -> str:
    (x1, y1), (x2, y2) = place[relation.source], place[relation.target]
    bend = max(x1, x2) - 30 if abs(x1 - x2) > 60 else min(x1, x2) - 24
    path = f"M{x1 + 2:.1f} {y1:.1f}C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2 + 2:.1f} {y2:.1f}"
    return f'<path class="e x" data-u="{clean(relation.target)}" data-v="{clean(relation.source)}" d="{path}"/>'

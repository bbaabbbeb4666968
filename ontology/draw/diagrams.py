"""Pictures as SVG text: the line diagram of a concept lattice, and an ontology's hierarchy.

Source of the line diagram: Ganter and Wille 1999, section 1.1 (reduced labelling: a term stands at its attribute
concept, above; a document at its object concept, below). Everything is laid out here, no system program is called.
Fonts are named, not embedded: Chinese is drawn by whatever the reader's machine has of the list `FONTS`.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ontology.draw.layout import layers, places
from ontology.lattice import Lattice
from ontology.model import Concept, Ontology, Relation

FONTS = (
    "'Noto Sans SC','Noto Sans CJK SC','Source Han Sans SC','PingFang SC','Hiragino Sans GB','Microsoft YaHei',"
    "'WenQuanYi Micro Hei','Heiti SC',SimHei,Arial,sans-serif"
)
SIZE = 12.0
"""Font size in pixels."""
INK, SOFT, LINE, TERM, DOC = "#1b1f24", "#68707a", "#9aa4ae", "#0b5394", "#7a4a00"


def text_width(text: str) -> float:
    """Approximate width in pixels: wide characters (Chinese) one em, others a little over half."""
    return SIZE * sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.56 for c in text)


def lattice_svg(lattice: Lattice, *, max_concepts: int = 300, max_names: int = 3) -> str:
    """A lattice as a line diagram.

    Args:
        lattice: the lattice.
        max_concepts: a larger lattice is cut to its iceberg with at most so many concepts, and a caption says so.
        max_names: names shown at one point; more are counted ("+5"); all are in the point's tooltip.

    Returns:
        The text of an SVG document.

    Raises:
        ValueError: ``max_concepts`` is not positive.
    """
    if max_concepts < 1:
        raise ValueError(f"max_concepts: expected 1 or more, found {max_concepts}")
    shown = lattice
    if len(lattice) > max_concepts:
        shown = lattice.iceberg(int(lattice.supports[max_concepts]) + 1)
    above = {i: _few(names, max_names) for i, names in shown.own_attributes.items()}
    below = {i: _few(names, max_names) for i, names in shown.own_objects.items()}
    widths = np.array(
        [max(16.0, text_width(above.get(i, "")), text_width(below.get(i, ""))) for i in range(len(shown))]
    )
    layer = layers(len(shown), shown.covers)
    x = places(layer, shown.covers, widths, 20.0) + 24
    y = 40 + layer * max(72.0, min(150.0, float((x.max() + 24) / 14)))
    lines = [
        f'<line x1="{x[u]:.1f}" y1="{y[u]:.1f}" x2="{x[v]:.1f}" y2="{y[v]:.1f}"/>' for u, v in shown.covers.tolist()
    ]
    points = [_point(shown, i, float(x[i]), float(y[i]), above.get(i, ""), below.get(i, "")) for i in range(len(shown))]
    caption = _caption(lattice, shown)
    width = max(float((x + widths / 2).max()) + 24, text_width(caption) + 48)
    height = float(y.max()) + 64
    body = [f'<g stroke="{LINE}" stroke-width="1">', *lines, "</g>", *points, _text(24, height - 12, caption, SOFT)]
    return _document(width, height, "concept lattice", body)


def _point(lattice: Lattice, i: int, x: float, y: float, above: str, below: str) -> str:
    concept = lattice.concepts[i]
    terms = "，".join(lattice.context.attribute_names(concept.intent)) or "∅"
    documents = ", ".join(lattice.context.object_names(concept.extent)[:40]) or "∅"
    tip = f"{terms}\n{concept.support}: {documents}{' …' if concept.support > 40 else ''}"
    radius = 3.5 + 6 * math.sqrt(concept.support / len(lattice.context.objects))
    fill = TERM if above else "#ffffff"
    parts = [
        f"<g><title>{_clean(tip)}</title>",
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{INK}"/>',
        _text(x, y - radius - 5, above, TERM, "middle") if above else "",
        _text(x, y + radius + 13, below, DOC, "middle") if below else "",
        "</g>",
    ]
    return "".join(parts)


def _caption(whole: Lattice, shown: Lattice) -> str:
    if len(shown) == len(whole):
        return f"{len(shown)} 个概念，{len(shown.covers)} 条边 · {len(shown)} concepts, {len(shown.covers)} edges"
    return (
        f"冰山格：仅画支持度不低于 {shown.min_support} 的 {len(shown)} 个概念（共 {len(whole)} 个） · "
        f"iceberg: {len(shown)} of {len(whole)} concepts, those with at least {shown.min_support} objects"
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """A class in the tree: its concept, level under the top, and the relation to the parent that it stands under."""

    concept: Concept
    level: int
    relation: Relation | None


ROW, INDENT = 20.0, 22.0


def hierarchy_svg(ontology: Ontology, *, ratio: float = 1.4) -> str:
    """An ontology's hierarchy as an indented tree, flowed into columns so that hundreds of classes stay readable.

    A class stands once, under the parent with the most support; further parents are thin dashed links. Part-of edges
    are drawn like subclass edges, dotted. Classes that the root doesn't reach follow at the end.

    Args:
        ontology: the ontology.
        ratio: wished width by height.

    Returns:
        The text of an SVG document.
    """
    blocks, extra = _blocks(ontology)
    widths = [max(_row_width(row) for row in block) for block in blocks]
    columns = _columns([len(block) for block in blocks], widths, ratio)
    place: dict[str, tuple[float, float]] = {}
    body: list[str] = []
    x, height = 24.0, 0.0
    for column in columns:
        line = 0
        for b in column:
            body += _tree(blocks[b], x, 48 + line * ROW, place)
            line += len(blocks[b])
        height = max(height, line * ROW)
        x += max(widths[b] for b in column) + 28
    links = [_link(place[r.source], place[r.target]) for r in extra]
    title = ontology.title_zh or ontology.by_iri[ontology.root].label_zh
    caption = f"{title} · {len(ontology.concepts)} 类 classes, {len(ontology.relations)} 关系 relations"
    thin = f'<g fill="none" stroke="{LINE}" stroke-dasharray="4 3" opacity=".7">'
    body = [_text(24, 26, caption, SOFT), thin, *links, "</g>", *body]
    return _document(max(x, text_width(caption) + 48), height + 72, title, body)


def _blocks(ontology: Ontology) -> tuple[list[list[_Row]], list[Relation]]:
    """The rows of the tree, cut where a column may begin (the root with nothing, then each child of a root with its
    subtree), and the relations to further parents."""
    first: dict[str, Relation] = {}
    extra: list[Relation] = []
    upward = [r for r in ontology.relations if r.kind in ("subclass_of", "part_of")]
    for relation in sorted(upward, key=lambda r: (r.source, -(r.support or 0), r.kind != "subclass_of", r.target)):
        if relation.source == ontology.root or relation.source in first:
            extra.append(relation)
        else:
            first[relation.source] = relation
    below: dict[str, list[Relation]] = {}
    for relation in first.values():
        below.setdefault(relation.target, []).append(relation)
    for children in below.values():
        children.sort(key=lambda r: (-len(below.get(r.source, ())), -(r.support or 0), r.source))
    blocks: list[list[_Row]] = []
    seen: set[str] = set()
    for top in (ontology.root, *(c.iri for c in ontology.concepts if c.iri not in first), *ontology.by_iri):
        stack: list[tuple[str, int, Relation | None]] = [(top, 0, None)]
        while stack:
            iri, level, up = stack.pop()
            if iri in seen:
                continue
            seen.add(iri)
            if level <= 1:
                blocks.append([])
            blocks[-1].append(_Row(ontology.by_iri[iri], level, up))
            stack += [(r.source, level + 1, r) for r in reversed(below.get(iri, []))]
    return blocks, extra


def _columns(lengths: Sequence[int], widths: Sequence[float], ratio: float) -> list[list[int]]:
    """Blocks flowed into columns of about equal height, for the number of columns that comes nearest to the ratio."""
    best: tuple[float, list[list[int]]] | None = None
    for number in range(1, 13):
        limit = max(*lengths, math.ceil(sum(lengths) / number))
        flow: list[list[int]] = [[]]
        used = 0
        for b, length in enumerate(lengths):
            if used and used + length > limit:
                flow.append([])
                used = 0
            flow[-1].append(b)
            used += length
        width = sum(max(widths[b] for b in column) + 28 for column in flow)
        height = max(sum(lengths[b] for b in column) for column in flow) * ROW
        miss = abs(math.log(width / height / ratio))
        if best is None or miss < best[0]:
            best = miss, flow
    return best[1] if best else [[]]


def _tree(rows: Sequence[_Row], x: float, y: float, place: dict[str, tuple[float, float]]) -> list[str]:
    parts = []
    for i, row in enumerate(rows):
        left, middle = x + row.level * INDENT, y + i * ROW
        place[row.concept.iri] = left, middle
        if row.relation is not None:
            parent = place[row.relation.target]
            top = parent[1] + 6 if parent[1] < middle and parent[0] < left and parent[0] >= x else middle - ROW / 2
            dotted = ' stroke-dasharray="1.5 2.5"' if row.relation.kind == "part_of" else ""
            parts.append(f'<path d="M{left - INDENT + 5:.1f} {top:.1f}V{middle:.1f}H{left - 2:.1f}" fill="none" '
                         f'stroke="{LINE}"{dotted}/>')  # fmt: skip
        parts.append(_label(row, left, middle))
    return parts


def _label(row: _Row, x: float, y: float) -> str:
    concept, relation = row.concept, row.relation
    tip = [concept.iri, *concept.alt_zh, *concept.alt_en, concept.definition]
    if relation is not None and relation.support is not None:
        tip.append(f"{relation.kind}: support {relation.support}, confidence {relation.confidence or 0:.2f}")
    weight = "bold" if row.level == 0 else "normal"
    english = f'<tspan fill="{SOFT}" font-size="{SIZE - 2:.0f}" dx="6">{_clean(_english(concept))}</tspan>'
    return (
        f"<g><title>{_clean(chr(10).join(t for t in tip if t))}</title>"
        f'<circle cx="{x + 5:.1f}" cy="{y:.1f}" r="3" fill="{TERM}"/>'
        f'<text x="{x + 13:.1f}" y="{y + 4:.1f}" fill="{INK}" font-weight="{weight}">{_clean(_chinese(concept))}'
        f"{english if concept.label_en else ''}</text></g>"
    )


def _chinese(concept: Concept) -> str:
    return _few((concept.label_zh, *concept.alt_zh), 3, " = ")


def _english(concept: Concept) -> str:
    return concept.label_en or ""


def _row_width(row: _Row) -> float:
    return row.level * INDENT + 30 + text_width(_chinese(row.concept)) + text_width(_english(row.concept))


def _link(child: tuple[float, float], parent: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = child, parent
    bend = max(x1, x2) - 30 if abs(x1 - x2) > 60 else min(x1, x2) - 24
    return f'<path d="M{x1 + 2:.1f} {y1:.1f}C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2 + 2:.1f} {y2:.1f}"/>'


def _few(names: Sequence[str], most: int, separator: str = "，") -> str:
    more = f" +{len(names) - most}" if len(names) > most else ""
    return separator.join(names[:most]) + more


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{_clean(text)}</text>'


def _clean(text: str) -> str:
    """Escaped for XML; characters that XML forbids become U+FFFD."""
    allowed = "".join(c if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff" and not 0xD800 <= ord(c) < 0xE000)
                      else "\ufffd" for c in text)  # fmt: skip
    return escape(allowed)


def _document(width: float, height: float, title: str, body: Iterable[str]) -> str:
    attributes: Mapping[str, str] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {width:.0f} {height:.0f}",
        "width": f"{width:.0f}",
        "height": f"{height:.0f}",
        "font-family": FONTS,
        "font-size": f"{SIZE:.0f}",
    }
    head = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    background = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'
    return "\n".join([f"<svg {head}>", f"<title>{_clean(title)}</title>", background, *body, "</svg>", ""])
